"""What a computation may use is one value, or a keyword for each of its fields; both ways mean the same."""

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidInput, InvalidType, MemoryLimit
from rkde.fast._resources import Limits

ROWS = np.random.default_rng(20_120_910).normal(size=(40, 2))
QUERIES = ROWS[:3] + 0.5
KERNEL = rk.Gaussian(1.0)
LOSS = rk.Huber(0.5)
UNIFORM = np.full(len(ROWS), 1 / len(ROWS))
MODEL = rk.rkde(ROWS)
CALLS: dict[str, Callable[..., Any]] = {
    "fixed_point": lambda **how: rk.fixed_point(ROWS, KERNEL, LOSS, **how).weights,
    "influence": lambda **how: (
        rk.influence(ROWS, KERNEL, rk.Quadratic(), UNIFORM, QUERIES, QUERIES, **how).influence
    ),
    "influence_total": lambda **how: rk.influence_total(ROWS, KERNEL, QUERIES, QUERIES, **how).influence,
    "kirwls": lambda **how: rk.kirwls(ROWS, KERNEL, LOSS, **how).weights,
    "kirwls_step": lambda **how: rk.kirwls_step(ROWS, KERNEL, LOSS, UNIFORM, **how),
    "log_density": lambda **how: rk.log_density(ROWS, KERNEL, UNIFORM, QUERIES, **how),
    "median_rkde": lambda **how: rk.median_rkde(ROWS, KERNEL, **how).weights,
    "residual_norms": lambda **how: rk.residual_norms(ROWS, KERNEL, UNIFORM, **how),
    "rkde": lambda **how: rk.rkde(ROWS, **how).weights,
    "tail_probabilities": lambda **how: rk.tail_probabilities(MODEL, QUERIES, **how),
    "Kde.log_density": lambda **how: rk.kde(ROWS, KERNEL).log_density(QUERIES, **how),
    "Kde.density": lambda **how: rk.kde(ROWS, KERNEL).density(QUERIES, **how),
    "Rkde.log_density": lambda **how: MODEL.log_density(QUERIES, **how),
    "Rkde.density": lambda **how: MODEL.density(QUERIES, **how),
}
each_call = pytest.mark.parametrize("name", CALLS)


def takers() -> Iterator[str]:
    """Yield the public functions and methods that take `compute`."""
    for name in (*rk.__all__, "rkde"):
        item = getattr(rk, name)
        functions = {name: item} if inspect.isfunction(item) else {}
        if inspect.isclass(item):
            functions = {f"{name}.{key}": one for key, one in vars(item).items() if inspect.isfunction(one)}
        yield from (key for key, one in functions.items() if "compute" in inspect.signature(one).parameters)


def test_every_function_that_takes_it_is_called_here() -> None:
    assert set(takers()) == set(CALLS)


def test_the_keywords_are_the_fields() -> None:
    assert list(Limits.__annotations__) == [field.name for field in dataclasses.fields(rk.Compute)]


@each_call
@pytest.mark.parametrize("engine", ["dense", "sparse", "tiled"])
def test_both_ways_give_the_same_bits(name: str, engine: Any) -> None:
    how: Limits = {"engine": engine, "memory_limit": "1GB", "threads": 1}
    assert CALLS[name](compute=rk.Compute(**how)).tobytes() == CALLS[name](**how).tobytes()


@each_call
def test_both_ways_hold_the_limit(name: str) -> None:
    with pytest.raises(MemoryLimit):
        CALLS[name](compute=rk.Compute(memory_limit=1))
    with pytest.raises(MemoryLimit):
        CALLS[name](memory_limit=1)


@each_call
def test_one_way_at_a_time_and_nothing_else(name: str) -> None:
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'engin'$"):
        CALLS[name](engin="dense")
    with pytest.raises(InvalidInput, match=r"^threads .*leave compute out"):
        CALLS[name](compute=rk.Compute(), threads=1)
    with pytest.raises(InvalidType, match=r"^compute "):
        CALLS[name](compute="dense")


@pytest.mark.parametrize(
    ("field", "value"),
    [("engine", "gpu"), ("memory_limit", "many"), ("memory_limit", 0), ("threads", 0), ("progress", 1)],
)
def test_a_field_is_checked_where_the_value_is_made(field: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        rk.Compute(**{field: value})
    assert caught.value.where == field

"""Two units in one column: seen where a gap tells, and not in columns that range over powers of ten."""

from collections.abc import Callable

import numpy as np
import pytest

from benchmarks.practice.clean import CLEAN, SIZES, WIDTHS, clean_table
from benchmarks.practice.signs import fitted
from rkde.fast.signs.columns import _other_unit

SEEDS = range(20)
# Three in eight thousand tables have such a gap by chance.
MOST_ALARMS = 0.002
Maker = Callable[[np.random.Generator, int], np.ndarray]
WIDE: dict[str, Maker] = {
    "log-normal, 1": lambda rng, size: rng.lognormal(0, 1, size),
    "log-normal, 2": lambda rng, size: rng.lognormal(0, 2, size),
    "Pareto": lambda rng, size: rng.pareto(1, size) + 1,
    "gamma, 0.3": lambda rng, size: rng.gamma(0.3, size=size),
    "half Cauchy": lambda rng, size: np.abs(rng.standard_cauchy(size)),
    "codes 1 and 100": lambda rng, size: rng.choice([1.0, 100.0], size, p=[0.2, 0.8]),
    "prices": lambda rng, size: rng.choice([0.99, 1.99, 4.99, 9.99, 19.99, 99.0], size),
    "groups 30 times apart": lambda rng, size: rng.choice([1, 30], size) * rng.lognormal(0, 0.2, size),
    "around zero": lambda rng, size: rng.normal(size=size),
}


@pytest.mark.slow
def test_clean_tables_have_one_unit() -> None:
    tables = [
        clean_table(name, size, width, seed)
        for name in CLEAN
        for size in SIZES
        for width in WIDTHS
        for seed in SEEDS
    ]
    alarms = sum(any(_other_unit(column) is not None for column in rows.T) for rows in tables)
    assert alarms <= MOST_ALARMS * len(tables)


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("size", [100, 300, 1000])
def test_columns_over_many_powers_of_ten_have_one_unit(name: str, size: int) -> None:
    rng = np.random.default_rng(size)
    assert not any(_other_unit(WIDE[name](rng, size)) for _ in SEEDS)


@pytest.mark.parametrize("factor", [1e-3, 1e-2, 1e-6])
def test_the_rows_in_the_other_unit_are_named(factor: float) -> None:
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        rows = np.column_stack([np.exp(10 + 0.2 * rng.normal(size=200)), rng.normal(size=200)])
        rows[50:60, 0] *= factor
        rows[100:110, 0] = 0.0
        sign = fitted(rows, {})[1]["mixed-units"]
        assert (sign.rows, sign.column) == (tuple(range(50, 60)), 0)
        assert sign.remedy.startswith(f"multiply it by {round(1 / factor)} there")


def test_a_single_value_far_above_does_not_hide_the_gap() -> None:
    rng = np.random.default_rng(0)
    values = np.exp(8 + 0.3 * rng.normal(size=200))
    values[:5] /= 1000
    values[7] *= 1e7
    found = _other_unit(values)
    assert found[1] == -3
    assert np.flatnonzero(found[0]).tolist() == list(range(5))


def test_a_larger_part_that_keeps_its_weight_is_named() -> None:
    """Scattered values far above the others have no weight; where they are many and near, the sign speaks."""
    rng = np.random.default_rng(0)
    rows = np.exp(0.05 * rng.normal(size=(200, 1)))
    rows[:60] *= 100
    rows[60:200] *= 1 + 0.5 * rng.random((140, 1))
    found = _other_unit(rows[:, 0])
    assert found[1] == 2


@pytest.mark.parametrize(("size", "seen"), [(39, True), (40, False), (41, True)])
def test_of_two_groups_of_one_size_neither_is_in_another_unit(size: int, seen: bool) -> None:
    values = np.concatenate([np.linspace(1, 2, 40), 1000 * np.linspace(1, 2, size)])
    assert (_other_unit(values) is not None) == seen


@pytest.mark.parametrize(("size", "seen"), [(2, False), (3, True)])
@pytest.mark.parametrize("factor", [1e-3, 1e3])
def test_three_values_at_least_are_in_another_unit(size: int, seen: bool, factor: float) -> None:
    values = np.concatenate([np.linspace(1, 2, 40), factor * np.linspace(1, 2, size)])
    assert (_other_unit(values) is not None) == seen

"""A column that stays at one value while it changes elsewhere is told, and one that often stays is not."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks.practice.clean import CLEAN, SIZES, clean_table
from benchmarks.practice.signs import fitted
from rkde.fast.signs.columns import _repeats_often, _Runs, _stuck
from rkde.signs import Sign
from tests.cli.running import run
from tests.signs.seen import signs_of, written
from tests.support.selection import one_in

Array = np.ndarray
Generator = np.random.Generator
STUCK = slice(100, 140)


def _living(seed: int, width: int = 3) -> Array:
    return np.random.default_rng(seed).normal(20, 3, (300, width)).round(2)


def _signs(rows: Array) -> list[Sign]:
    return [sign for sign in signs_of(rows) if sign.name == "stuck-column"]


@pytest.mark.parametrize("seed", one_in(5, range(20)))
def test_column_value_and_rows_are_named(seed: int) -> None:
    rows = _living(seed)
    assert not fitted(rows, {})[1]
    rows[STUCK, 1] = 19.5
    (sign,) = _signs(rows)
    assert (sign.rows, sign.column) == (tuple(range(100, 140)), 1)
    start = "column 'b' stays at 19.5 for 40 consecutive rows, and elsewhere at one value for at most "
    assert sign.text(first_row=1, columns="abc").startswith(start)
    assert ": rows 101-140; remove these rows if" in sign.text(first_row=1)
    assert not fitted(np.delete(rows, sign.rows, axis=0), {})[1]


def test_each_column_is_named_and_each_time() -> None:
    rows = _living(0)
    rows[STUCK, 1:] = 19.5
    rows[200:230, 1] = 21.0
    rows[10:22, 0] = 18.25
    found = [(sign.column, sign.rows[0], len(sign.rows)) for sign in _signs(rows)]
    assert found == [(0, 10, 12), (1, 100, 40), (1, 200, 30), (2, 100, 40)]


def test_rows_that_are_equal_altogether_are_one_sign() -> None:
    rows = np.column_stack([np.arange(300.0), _living(0)])
    rows[STUCK, 1:] = 19.5
    signs = fitted(rows, {})[1]
    assert signs["repeated-rows"].rows == tuple(range(100, 140))
    assert "stuck-column" not in signs


def test_the_command_line_names_the_option_that_helps(tmp_path: Path) -> None:
    rows = _living(0)
    rows[STUCK, 1] = 19.5
    table = written(tmp_path, rows, "a,b,c\n,1,2")
    told = run("outliers", table, "--drop-missing")
    assert "warning: column 'b' stays at 19.5 for 40 consecutive rows" in told.stderr
    removal = re.search(r"--drop-rows \S+", told.stderr)
    assert removal[0] == "--drop-rows 102-141"
    assert "warning" not in run("outliers", table, "--drop-missing", *removal[0].split()).stderr


def _repeated(rng: Generator, size: int) -> Array:
    return np.repeat(rng.normal(size=size), rng.integers(1, 40, size))[:size]


def _days(rng: Generator, size: int) -> Array:
    light = np.sin(np.arange(size) / 48 * 2 * np.pi + rng.uniform(0, 6))
    return np.maximum(0, 100 * light + rng.normal(size=size))


def _spells(rng: Generator, size: int, dry: float) -> Array:
    rain = rng.exponential(size=size)
    is_dry = rng.random(size) < 1 - dry
    for row in range(1, size):
        is_dry[row] = rng.random() < (dry if is_dry[row - 1] else 0.4)
    return np.where(is_dry, 0.0, rain)


def _course(rng: Generator, size: int, digits: int) -> Array:
    return np.round(np.sin(np.arange(size) / size * 6 * np.pi + rng.uniform(0, 6)), digits)


ORDINARY: dict[str, Callable[[Generator, int], Array]] = {
    "whole numbers": lambda rng, size: rng.integers(1, 6, size),
    "flags": lambda rng, size: rng.random(size) < 0.03,
    "often zero": lambda rng, size: np.where(rng.random(size) < 0.9, 0, rng.exponential(size=size)),
    "often zero, sorted": lambda rng, size: np.sort(np.maximum(0, rng.normal(size=size))),
    "zero below a place": lambda rng, size: np.maximum(0, np.sort(rng.normal(size=size)) + 0.3),
    "zero below a place, with noise": lambda rng, size: np.maximum(
        0, np.sort(rng.normal(size=size)) + 0.3 * rng.normal(size=size)
    ),
    "nights": _days,
    "dry spells": lambda rng, size: _spells(rng, size, 0.8),
    "long dry spells": lambda rng, size: _spells(rng, size, 0.95),
    "constant over groups": _repeated,
    "classes": lambda _, size: np.repeat([0, 1, 2], [size // 2, size // 3, size])[:size],
    "sums": lambda rng, size: np.cumsum(np.where(rng.random(size) < 0.8, 0, rng.exponential(size=size))),
    "a smooth course": lambda rng, size: _course(rng, size, 1),
    "a smooth course, finely": lambda rng, size: _course(rng, size, 2),
    "saturated": lambda _, size: (1 - np.exp(-np.arange(size) / size * 8)).round(3),
    "constant": lambda _, size: np.ones(size),
}


@pytest.mark.parametrize("name", ORDINARY)
@pytest.mark.parametrize("size", [60, 300, 1000])
def test_columns_that_often_stay_are_not_stuck(name: str, size: int) -> None:
    for seed in range(30):
        column = np.asarray(ORDINARY[name](np.random.default_rng([seed, size]), size), float)
        assert not len(_stuck(_Runs.of(column))[0])


@pytest.mark.parametrize("name", CLEAN)
def test_clean_tables_have_no_stuck_column(name: str) -> None:
    for size in SIZES:
        for column in clean_table(name, size, 60, 0).T:
            for ordered in (column, np.sort(column)):
                assert not len(_stuck(_Runs.of(ordered))[0])


def test_a_value_of_a_group_is_explained_by_its_label() -> None:
    rows = _living(0)
    rows[STUCK, 0] = 0.5
    label = np.zeros(300)
    assert _signs(rows)
    assert _signs(np.column_stack([label, rows]))
    label[STUCK] = 1.0
    assert not _signs(np.column_stack([label, rows]))


def test_a_limit_that_is_reached_by_degrees_is_no_stuck_value() -> None:
    rows = _living(0)
    hour = np.arange(300) / 300 * 2 * np.pi
    rows[:, 0] = np.minimum(100, 90 + 15 * np.sin(hour) + 0.1 * rows[:, 1])
    run_of_hundreds = np.flatnonzero(rows[:, 0] == 100)
    assert len(run_of_hundreds) > 40
    assert not _signs(rows)
    rows[:, 0] = np.minimum(rows[:, 0], 99) + 0.001 * rows[:, 2]
    rows[STUCK, 0] = 120.0
    assert _signs(rows)


@pytest.mark.parametrize(("equal", "often"), [(9, False), (10, True)])
def test_a_tenth_of_equal_neighbours_outside_of_the_run_is_often(equal: int, often: bool) -> None:
    lengths = np.array([20] + [2] * equal + [1] * (80 - 2 * equal))
    runs = _Runs.of(np.repeat(np.arange(float(len(lengths))), lengths))
    assert _repeats_often(runs, np.array([0])) == often


@pytest.mark.parametrize(("length", "found"), [(10, 0), (20, 1)])
def test_a_run_among_pairs_is_stuck_only_if_it_is_long(length: int, found: int) -> None:
    values = np.random.default_rng(0).permutation(np.arange(60.0))
    others = np.repeat(values, 1 + (values < 30))
    column = np.concatenate([others[:40], np.full(length, 99.5), others[40:]])
    assert len(_stuck(_Runs.of(column))[0]) == found


@pytest.mark.parametrize(("elsewhere", "found"), [(2, 1), (3, 0)])
def test_three_rows_at_the_value_elsewhere_show_how_long_it_lasts(elsewhere: int, found: int) -> None:
    others = np.random.default_rng(0).permutation(np.arange(60.0))
    column = np.concatenate(
        [others[:20], np.full(20, 30.5), others[20:40], np.full(elsewhere, 30.5), others[40:]]
    )
    assert len(_stuck(_Runs.of(column))[0]) == found

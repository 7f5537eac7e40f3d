"""Numbers in a column that stand for something else: each is named, and rare good numbers are not."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

from benchmarks.practice.signs import fitted
from rkde.fast.signs.repeated import _codes, _far_value, _is_gap_below, _is_ladder, _mark_above
from rkde.signs import Sign
from tests.cli.running import run
from tests.signs.seen import signs_of, written
from tests.support.selection import one_in

Array = np.ndarray


LOG_CONCAVE: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "Poisson, 2": lambda rng, size: rng.poisson(2, size),
    "Poisson, 3.5": lambda rng, size: rng.poisson(3.5, size),
    "Poisson, 4.5": lambda rng, size: rng.poisson(4.5, size),
    "geometric": lambda rng, size: rng.geometric(0.4, size),
    "binomial": lambda rng, size: rng.binomial(9, 0.5, size),
    "negative binomial": lambda rng, size: rng.negative_binomial(2, 0.4, size),
    "normal, rounded": lambda rng, size: np.round(rng.normal(4, 1.5, size)),
    "one to nine": lambda rng, size: rng.integers(1, 10, size),
    "Zipf": lambda rng, size: rng.zipf(2.0, size),
}


def coded(rows: Array) -> list[Sign]:
    """Return the signs about a number in a column."""
    return [sign for sign in signs_of(rows) if sign.name == "repeated-rows" and sign.column is not None]


def value_of(sign: Sign) -> float:
    """Return the number that a sign is about."""
    return float(re.split(" is | are ", sign.seen)[1].split()[0])


@pytest.mark.parametrize("seed", one_in(5, range(20)))
def test_a_negative_code_among_numbers_that_are_not_negative_is_named(seed: int) -> None:
    """It is near the others, so that no distance tells it."""
    rng = np.random.default_rng(seed)
    rows = np.column_stack([np.exp(0.7 * rng.normal(size=200)) * 10, rng.normal(size=200)]).round(1)
    rows[::15, 0] = -9
    rows[7, 0] = -8
    sign = fitted(rows, {})[1]["repeated-rows"]
    assert (sign.rows, sign.column) == (tuple(range(0, 200, 15)), 0)
    assert "otherwise not negative" in sign.seen
    assert "remove the rows with -9 if" in sign.remedy
    assert "repeated-rows" not in fitted(rows[rows[:, 0] > 0], {})[1]


@pytest.mark.parametrize("codes", [(-9,), (-8, -9), (-1,), (-7, -8, -9)], ids=str)
@pytest.mark.parametrize("seed", one_in(10, range(20)))
def test_each_negative_code_below_answers_on_a_scale_is_named(seed: int, codes: tuple[int, ...]) -> None:
    """They are as frequent as the answers, and near to them."""
    rng = np.random.default_rng(seed)
    rows = np.column_stack([rng.integers(1, 6, (300, 3)), rng.normal(20, 4, 300)]).astype(float)
    rows[::8, 0] = rng.choice(codes, len(rows[::8]))
    signs = coded(rows)
    assert {value_of(sign): (sign.column, sign.rows) for sign in signs} == {
        float(code): (0, tuple(np.flatnonzero(rows[:, 0] == code).tolist())) for code in codes
    }
    assert not coded(rows[rows[:, 0] > 0])


@pytest.mark.parametrize("copies", [3, 12])
@pytest.mark.parametrize(
    ("middle", "width", "code"), [(45, 12, -9), (125, 15, -9), (30, 8, -9), (30, 8, -1), (24, 5, -9)]
)
def test_a_negative_code_below_whole_numbers_with_a_tail_is_named(
    middle: int, width: int, code: int, copies: int
) -> None:
    """It is too near for its distance, and hardly more frequent than the most frequent of them."""
    evenly = (7 * np.arange(211) % 211 + 0.5) / 211
    other = np.random.default_rng(0).normal(size=211).round(2)
    rows = np.column_stack([(middle + width * ndtri(evenly)).round(), other])
    rows[9 : 9 + 15 * copies : 15, 0] = code
    (sign,) = coded(rows)
    assert (value_of(sign), sign.column) == (code, 0)
    assert sign.rows == tuple(range(9, 9 + 15 * copies, 15))
    assert not coded(np.delete(rows, sign.rows, axis=0))


@pytest.mark.parametrize("name", LOG_CONCAVE)
def test_a_few_negative_numbers_in_a_tail_are_no_code(name: str) -> None:
    alarms = 0
    for size in (20, 50, 150, 500):
        for seed in range(100):
            column = LOG_CONCAVE[name](np.random.default_rng([seed, size]), size).astype(float)
            for moved in (column - 1, column - 2, column.max() - 1 - column, column.max() - 2 - column):
                found, number = np.unique(moved, return_counts=True)
                negative = int(np.searchsorted(found, 0.0))
                # A gap in a scale is another matter, and fewer copies are none.
                if 0 < negative <= 3 <= number[negative - 1] and not _is_ladder(found[negative:]):
                    alarms += _is_gap_below(found, number, negative)
    assert alarms <= 1


@pytest.mark.parametrize("seed", one_in(5, range(20)))
def test_rounded_numbers_around_zero_have_no_code(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for scale, place in ((1.0, 0.0), (2.0, 1.0), (1.0, 2.0), (0.5, 0.5)):
        rows = (scale * rng.normal(size=(100, 2)) + place).round()
        assert "repeated-rows" not in fitted(rows, {})[1]


def test_codes_of_two_kinds_are_no_fillers() -> None:
    rng = np.random.default_rng(0)
    for share in (0.02, 0.2, 0.4):
        rows = np.column_stack([rng.random(200) < share, rng.normal(size=200)]).astype(float)
        assert "repeated-rows" not in fitted(rows, {})[1]


def test_the_last_of_many_whole_numbers_stands_for_all_above_it() -> None:
    """Ages from 18 to 87, and those from 90 as 90, are no scale whose answers end at 87."""
    evenly = (np.arange(1500) + 0.5) / 1500
    ages = (42 + 16 * ndtri(evenly)).round()
    ages = np.append(ages[(ages >= 18) & (ages <= 87)], [90.0] * 7)
    assert set(np.diff(np.unique(ages)).tolist()) == {1.0, 3.0}
    assert not list(_codes(ages))
    # So many are answers, and 13 is none of them.
    assert [value for value, _ in _codes(np.append(np.arange(200) % 11, [13.0] * 7))] == [13.0]


@pytest.mark.parametrize(
    ("lowest", "highest", "code"),
    [(1, 5, 8), (1, 5, 9), (1, 5, 99), (1, 7, 9), (0, 7, 9), (1, 6, 8), (0, 6, 8)],
)
@pytest.mark.parametrize("seed", one_in(5, range(20)))
def test_a_code_above_the_answers_is_named(seed: int, lowest: int, highest: int, code: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.integers(lowest, highest + 1, (200, 3)).astype(float)
    assert not coded(rows)
    rows[::23, 1] = code
    (sign,) = coded(rows)
    assert (sign.rows, sign.column) == (tuple(range(0, 200, 23)), 1)
    assert f"remove the rows with {code} if" in sign.remedy
    if code == highest + 2:
        rows[5, 1] = code - 1
        assert not coded(rows)


@pytest.mark.parametrize(
    ("lowest", "highest", "marks", "place"),
    [(300, 300, 2, None), (300, 300, 3, 6), (2, 300, 3, 6), (300, 1, 30, None)],
)
def test_a_mark_stands_in_three_rows_and_the_last_answer_is_common(
    lowest: int, highest: int, marks: int, place: int | None
) -> None:
    answers = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0])
    assert _mark_above(answers, np.array([lowest, *[300] * 4, highest, marks])) == place


@pytest.mark.parametrize("name", LOG_CONCAVE)
def test_a_rare_largest_number_is_no_mark(name: str) -> None:
    alarms = 0
    for size in (20, 50, 150, 500, 2000):
        for seed in range(100):
            column = LOG_CONCAVE[name](np.random.default_rng([seed, size]), size).astype(float)
            alarms += _mark_above(*np.unique(column, return_counts=True)) is not None
    assert alarms <= 1


@pytest.mark.parametrize("copies", [3, 4, 8])
@pytest.mark.parametrize("seed", one_in(5, range(20)))
def test_a_few_fillers_are_named_though_they_have_no_weight(seed: int, copies: int) -> None:
    rows = np.random.default_rng(seed).normal(size=(200, 3)).round(2)
    rows[7 : 7 + 23 * copies : 23, 1] = -999
    (sign,) = coded(rows)
    assert (value_of(sign), sign.column) == (-999, 1)
    assert sign.rows == tuple(range(7, 7 + 23 * copies, 23))
    assert not fitted(np.delete(rows, sign.rows, axis=0), {})[1]


def test_fillers_without_weight_are_said_not_to_change_the_density() -> None:
    rows = np.random.default_rng(1).normal(size=(3000, 2))
    rows[:3] = [[-999, 10], [-999, 20], [-999, 30]]
    (sign,) = coded(rows)
    assert sign.seen.endswith("{rows}; they have no weight, so they do not change the density")
    assert sign.remedy == "remove the rows with -999 if that number marks a missing value"


def test_each_filler_is_named_with_all_its_columns() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 4)).round(2)
    rows[:60:15, 1] = -999
    rows[5:60:15, 3] = -999
    rows[8:60:15, 0] = 9999
    rows[100:160:15, 1] = -9999
    signs = coded(rows)
    assert {value_of(sign): (sign.column, *sign.others) for sign in signs} == {
        9999: (0,),
        -9999: (1,),
        -999: (1, 3),
    }
    (told,) = (sign for sign in signs if value_of(sign) == -999)
    text = told.text(first_row=1, columns=["a", "b", "c", "d"])
    assert text.startswith(
        "columns 'b', 'd' are -999 in 8 rows, far from all their other values: rows 1, 6, "
    )
    assert told.rows == tuple(sorted([*range(0, 60, 15), *range(5, 60, 15)]))


def test_each_filler_is_dropped_by_its_value(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(200, 3)).round(2)
    rows[:60:15, 1], rows[5:60:15, 2] = -999, 9999
    table = written(tmp_path, rows)
    removals = re.findall(r"use (--drop-value \S+) if", run("outliers", table).stderr)
    assert sorted(removals) == ["--drop-value -999", "--drop-value 9999"]
    options = [word for removal in removals for word in removal.split()]
    assert "warning" not in run("outliers", table, *options).stderr


@pytest.mark.parametrize("header", ["grade,visits", "", "a grade,visits"])
@pytest.mark.parametrize("size", [200, 1200])
def test_a_code_that_is_an_ordinary_number_elsewhere_is_dropped_in_its_column(
    tmp_path: Path, header: str, size: int
) -> None:
    rng = np.random.default_rng(0)
    rows = np.column_stack([rng.integers(1, 8, size), rng.poisson(8.0, size)]).astype(float)
    rows[: size // 2 : 10, 0] = 9
    table = written(tmp_path, rows, header)
    told = run("outliers", table).stderr
    value = {"": "1=9", "grade,visits": "grade=9", "a grade,visits": "'a grade=9'"}[header]
    assert "and otherwise an answer on a scale that ends at 7: rows " in told
    assert f"use --drop-value {value} if that number marks a missing value\n" in told
    followed = run("outliers", table, "--drop-value", *shlex.split(value))
    assert "warning" not in followed.stderr
    assert followed.stdout.count("\n") == size - size // 20 + 1


def test_columns_that_are_mostly_zero_have_no_filler() -> None:
    """Of the others, a few are equal by chance, and as far from the rest as these from each other."""
    for seed in range(100):
        rng = np.random.default_rng(seed)
        column = np.where(rng.random(400) < 0.96, 0.0, rng.integers(1, 20, 400))
        assert not list(_codes(column))
        column[:3] = -999
        assert [value for value, _ in _codes(column)] == [-999]


def test_counts_have_no_code() -> None:
    for seed in range(200):
        rng = np.random.default_rng(seed)
        for mean in (0.5, 1.0, 3.0, 10.0):
            counts = rng.poisson(mean, 300).astype(float)
            found, inverse, number = np.unique(counts, return_inverse=True, return_counts=True)
            assert _far_value(counts, found, number, inverse) is None

"""Kinds of dirty table: good rows from a law, bad rows that a user would want to find.

`SEEN` were looked at while the recipe was chosen; `KEPT_APART` were written beforehand, too, and only run
when the recipe stood.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

from benchmarks.practice.truths import Array, Banana, Columns, Normals, Ring, Truth, normal, round_clusters

Generator = np.random.Generator
# Good rows, bad rows and, where it is known, the law of the good ones.
Parts = tuple[Array, Array, Truth | None]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its answer."""

    rows: Array
    is_bad: np.ndarray[tuple[int], np.dtype[np.bool_]]
    truth: Truth | None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of dirty table: how it is made from n rows, and in words."""

    name: str
    words: str
    make: Callable[[Generator, int], Parts]

    def table(self, seed: int, size: int) -> Table:
        """Return the table of a seed, its rows in random order."""
        rng = np.random.default_rng([seed, size, zlib.crc32(self.name.encode())])
        good, bad, truth = self.make(rng, size)
        order = rng.permutation(len(good) + len(bad))
        is_bad = np.repeat([False, True], [len(good), len(bad)])
        return Table(np.vstack([good, bad])[order], is_bad[order], truth)


def _few(size: int, share: float = 0.05) -> int:
    return max(2, round(share * size))


def _with(truth: Truth, bad: Callable[[Generator, int], Array], share: float = 0.05) -> Callable[..., Parts]:
    """Return a maker: good rows from a law, the given share of bad ones from a function."""

    def make(rng: Generator, size: int) -> Parts:
        count = _few(size, share)
        return truth.draw(rng, size - count), bad(rng, count), truth

    return make


def _box(low: float | list[float], high: float | list[float], dim: int) -> Callable[[Generator, int], Array]:
    return lambda rng, count: rng.uniform(low, high, (count, dim))


def _clump(centre: list[float], scale: float) -> Callable[[Generator, int], Array]:
    return lambda rng, count: np.asarray(centre) + scale * rng.normal(size=(count, len(centre)))


def _same(row: list[float]) -> Callable[[Generator, int], Array]:
    return lambda _rng, count: np.tile(np.asarray(row, dtype=float), (count, 1))


def _changed(
    truth: Truth, change: Callable[[Array, Generator], Array], share: float = 0.05
) -> Callable[..., Parts]:
    """Return a maker whose bad rows are good ones to which something was done."""

    def make(rng: Generator, size: int) -> Parts:
        count = _few(size, share)
        return truth.draw(rng, size - count), change(truth.draw(rng, count), rng), truth

    return make


def _one_column(rows: Array, values: Array | float, rng: Generator) -> Array:
    """Put values into one column of each row, chosen at random."""
    changed = rows.copy()
    changed[np.arange(len(rows)), rng.integers(rows.shape[1], size=len(rows))] = values
    return changed


def _slip(rows: Array, rng: Generator, factor: float) -> Array:
    column = rng.integers(rows.shape[1], size=len(rows))
    changed = rows.copy()
    changed[np.arange(len(rows)), column] *= factor
    return changed


def _rounded(maker: Callable[..., Parts], step: float) -> Callable[..., Parts]:
    def make(rng: Generator, size: int) -> Parts:
        good, bad, _ = maker(rng, size)
        return np.round(good / step) * step, np.round(bad / step) * step, None

    return make


def _tail(rng: Generator, count: int) -> Array:
    return (rng.uniform(4, 8, (count, 1))) * rng.choice([-1.0, 1.0], (count, 1))


def _off_diagonal(rng: Generator, count: int) -> Array:
    across = rng.uniform(1.2, 2.5, count) * rng.choice([-1.0, 1.0], count)
    along = rng.normal(size=count) * 0.7
    return np.column_stack([along + across, along - across])


def _beside_banana(rng: Generator, count: int) -> Array:
    first = rng.normal(size=count)
    return np.column_stack([first, first**2 + rng.choice([-1.0, 1.0], count) * rng.uniform(2, 4, count)])


def _counts(rng: Generator, size: int) -> Parts:
    few = _few(size)
    good = rng.poisson([3.0, 6.0], (size - few, 2)).astype(float)
    return good, rng.integers(14, 25, (few, 2)).astype(float), None


def _often_zero(rng: Generator, size: int) -> Parts:
    few = _few(size)
    amount = rng.exponential(2.0, size - few) * (rng.random(size - few) > 0.7)
    good = np.column_stack([amount, rng.normal(size=size - few)])
    return good, np.column_stack([rng.uniform(15, 40, few), rng.normal(size=few)]), None


def _constant_beside(rng: Generator, size: int) -> Parts:
    few = _few(size)
    good = np.column_stack([np.full(size - few, 7.0), rng.normal(size=(size - few, 2))])
    return good, np.column_stack([np.full(few, 7.0), rng.uniform(-9, 9, (few, 2))]), None


def _spikes_in_time(rng: Generator, size: int) -> Parts:
    few = _few(size, 0.02)
    second = rng.permutation(size).astype(float)
    volt = np.sin(second / 40) + 0.1 * rng.normal(size=size)
    rows = np.column_stack([second, volt])
    rows[:few, 1] += rng.choice([-1.0, 1.0], few) * rng.uniform(2, 6, few)
    return rows[few:], rows[:few], None


def _likert(rng: Generator, size: int) -> Parts:
    few = _few(size)
    mood = rng.normal(size=(size - few, 1))
    good = np.clip(np.round(3 + 0.8 * mood + 0.5 * rng.normal(size=(size - few, 5))), 1, 5)
    return good, rng.choice([1.0, 5.0], (few, 5)), None


def _moons(rng: Generator, size: int) -> Parts:
    few = _few(size)
    angle = rng.uniform(0, np.pi, size - few)
    upper = rng.random(size - few) < 0.5
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    good = np.column_stack([x, y]) + 0.08 * rng.normal(size=(size - few, 2))
    return good, rng.uniform([-2.5, -2.0], [3.5, 2.5], (few, 2)), None


_PLANE = normal([1.0, 1.0])
_UNITS = normal([0.09, 900.0])
_TEN = normal([10.0**j for j in (-3, -2, -1, 0, 1, 2, 3, 0, 1, -1)])
_APART = round_clusters([0.5, 0.5], [[0, 0], [20, 0]], [1.0, 1.0])
_NINE_TO_ONE = round_clusters([0.9, 0.1], [[0, 0], [7, 0]], [1.0, 0.7])
_THREE = round_clusters([0.5, 0.3, 0.2], [[0, 0], [9, 2], [3, 10]], [1.0, 0.4, 1.8])
_SKEW = Columns((stats.lognorm(0.8), stats.lognorm(0.5, scale=30)))
_HEAVY = Columns((stats.t(2.5), stats.t(2.5)))
_SQUARE = Columns((stats.uniform(0, 1), stats.uniform(0, 50)))

SEEN: tuple[Kind, ...] = (
    Kind("clean", "a normal cloud; the bad rows are two only, far out",
         _with(_PLANE, _clump([12, -12], 1.0), 0.0)),
    Kind("scattered", "a normal cloud, 5 % uniform over a wide box", _with(_PLANE, _box(-8, 8, 2))),
    Kind("far-cluster", "a normal cloud, 5 % in one tight cluster 8 sd away",
         _with(_PLANE, _clump([8, 0], 0.05))),
    Kind("loose-cluster", "a normal cloud, 15 % in a cluster as wide, 7 sd away",
         _with(_PLANE, _clump([7, 0], 1.0), 0.15)),
    Kind("two-clusters", "two clusters 20 sd apart, 5 % uniform", _with(_APART, _box([-6, -8], [26, 8], 2))),
    Kind("nine-to-one", "clusters of 90 and 10 %, 3 % uniform", _with(_NINE_TO_ONE, _box(-8, 14, 2), 0.03)),
    Kind("three-clusters", "three clusters of unequal size and width, 5 % uniform",
         _with(_THREE, _box(-8, 18, 2))),
    Kind("fillers", "a normal cloud, 4 % rows (-999, -999)", _with(_PLANE, _same([-999, -999]), 0.04)),
    Kind("one-cell-filled", "three columns, 5 % with -999 in one of them",
         _changed(normal([1.0, 5.0, 20.0]), lambda rows, rng: _one_column(rows, -999.0, rng))),
    Kind("stuck", "a normal cloud, 6 % copies of one row at 3.5 sd", _with(_PLANE, _same([3.0, 1.8]), 0.06)),
    Kind("units", "deviations 0.09 and 900, 5 % uniform",
         _with(_UNITS, _box([-0.8, -8000], [0.8, 8000], 2))),
    Kind("wrong-unit", "deviations 0.09 and 900 about 1.7 and 5000, 4 % with one cell times 1000",
         _changed(Normals(np.ones(1), np.array([[1.7, 5000.0]]), _UNITS.covariances),
                  lambda rows, rng: _slip(rows, rng, 1000.0), 0.04)),
    Kind("swapped", "columns about 10 and 20, 4 % swapped",
         _changed(Normals(np.ones(1), np.array([[10.0, 20.0]]), normal([1.0, 2.0]).covariances),
                  lambda rows, _rng: rows[:, ::-1], 0.04)),
    Kind("correlated", "correlation .97, 5 % off the diagonal",
         _with(normal([1.0, 1.0], 0.97), _off_diagonal)),
    Kind("heavy-tails", "Student columns of 2.5 degrees, 5 % uniform far out",
         _with(_HEAVY, _box(-40, 40, 2))),
    Kind("skew", "log-normal columns, 5 % uniform", _with(_SKEW, _box([0, 0], [25, 250], 2))),
    Kind("banana", "rows along a parabola, 5 % beside it", _with(Banana(0.3), _beside_banana)),
    Kind("ring", "rows on a ring, 5 % inside and outside", _with(Ring(0.07), _box(-2, 2, 2))),
    Kind("square", "a uniform rectangle, 5 % around it", _with(_SQUARE, _box([-1, -50], [2, 100], 2))),
    Kind("one-column", "one normal column, 5 % beyond four deviations", _with(normal([1.0]), _tail)),
    Kind("one-rounded", "one normal column rounded to a fifth, 5 % far out",
         _rounded(_with(normal([1.0]), _tail), 0.2)),
    Kind("ten-columns", "ten columns from 0.001 to 1000, 5 % five deviations off in two",
         _changed(_TEN, lambda rows, rng: _two_shifted(rows, rng))),
    Kind("counts", "two columns of counts, 5 % large", _counts),
    Kind("often-zero", "one column 0 in seven rows of ten, 5 % large", _often_zero),
    Kind("constant-beside", "a constant column beside two others, 5 % uniform", _constant_beside),
    Kind("a-third-bad", "a normal cloud, a third uniform over a wide box",
         _with(_PLANE, _box(-10, 10, 2), 0.33)),
    Kind("in-time", "a time column and a wave, 2 % spikes", _spikes_in_time),
)  # fmt: skip


def _two_shifted(rows: Array, rng: Generator) -> Array:
    scales = np.sqrt(np.diag(_TEN.covariances[0]))
    changed = rows.copy()
    for row in changed:
        columns = rng.choice(len(scales), 2, replace=False)
        row[columns] += 5 * scales[columns] * rng.choice([-1.0, 1.0], 2)
    return changed


_FIVE = normal([1.0, 10.0, 0.1, 3.0, 50.0], 0.6)
_TRIPLE = round_clusters([0.4, 0.35, 0.25], [[0, 0, 0], [30, 0, 5], [0, 40, -5]], [1.0, 1.0, 1.0])
_GAMMAS = Columns((stats.gamma(3), stats.gamma(5, scale=20), stats.gamma(2, scale=0.1)))
_TWO_ON_LINE = round_clusters([0.6, 0.4], [[0], [12]], [1.0, 1.0])
_WORLDS = round_clusters([0.5, 0.3, 0.2], [[0, 0], [1000, 0], [0, 1000]], [1.0, 2.0, 1.0])

KEPT_APART: tuple[Kind, ...] = (
    Kind("five-correlated", "five columns of correlation .6 and many units, 5 % with one cell times -6",
         _changed(_FIVE, lambda rows, rng: _slip(rows, rng, -6.0))),
    Kind("triple-fillers", "three clusters in three columns, 5 % rows (20, 20, 20)",
         _with(_TRIPLE, _same([20.0, 20.0, 20.0]))),
    Kind("decimal-slip", "gamma columns, 5 % with one cell ten times too large",
         _changed(_GAMMAS, lambda rows, rng: _slip(rows, rng, 10.0))),
    Kind("double-exponential", "one Laplace column, 4 % far out",
         _with(Columns((stats.laplace(5, 2),)), _box(40, 60, 1), 0.04)),
    Kind("moons", "two half moons, 5 % uniform", _moons),
    Kind("likert", "five answers from 1 to 5 that agree, 5 % at random ends", _likert),
    Kind("worlds-apart", "three clusters a thousand sd apart, 5 % uniform between",
         _with(_WORLDS, _box(-200, 1200, 2))),
    Kind("gap", "two clusters on a line, 4 % in the gap", _with(_TWO_ON_LINE, _box(4.5, 7.5, 1), 0.04)),
    Kind("wide-short", "eight columns, the bad rows in one clump of 6 %",
         _with(normal([1.0] * 8), _clump([4.0] * 8, 0.3), 0.06)),
    Kind("nines", "log-normal columns, 5 % with 9999 in one cell",
         _changed(_SKEW, lambda rows, rng: _one_column(rows, 9999.0, rng))),
    Kind("a-quarter-bad", "four columns, a quarter uniform",
         _with(normal([1.0, 2.0, 3.0, 4.0]), _box(-20, 20, 4), 0.25)),
    Kind("two-fillers", "two columns, 3 % each of (0, 0) and (-99, -99) about (50, 70)",
         lambda rng, size: _two_fillers(rng, size)),
)  # fmt: skip


def _two_fillers(rng: Generator, size: int) -> Parts:
    truth = Normals(np.ones(1), np.array([[50.0, 70.0]]), normal([5.0, 9.0], 0.4).covariances)
    each = _few(size, 0.03)
    bad = np.vstack([np.zeros((each, 2)), np.full((each, 2), -99.0)])
    return truth.draw(rng, size - 2 * each), bad, truth

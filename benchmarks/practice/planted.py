"""Tables in which a sign should be seen, with settings under which it is, and its remedy followed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from benchmarks.practice.truths import Array
from rkde.fast import Huber, Quadratic
from rkde.signs import Sign, SignName

Generator = np.random.Generator
Settings = dict[str, Any]
# A table, and which of its rows a user would want to find: none where none is bad.
Made = tuple[Array, np.ndarray[tuple[int], np.dtype[np.bool_]]]
PAPER: Final[Settings] = {"recipe": "paper"}
SCOTT: Final[Settings] = {"recipe": "paper", "bandwidth": "scott"}


@dataclass(frozen=True)
class Planted:
    """One kind of table with a sign, and the settings of `rkde.fit` that meet it."""

    sign: SignName
    words: str
    make: Callable[[Generator], Made]
    settings: Settings = field(default_factory=dict)

    def table(self, seed: int) -> Made:
        """Return the table of a seed, its rows in the order in which they were made."""
        return self.make(np.random.default_rng([seed, len(self.words), ord(self.words[0])]))


def followed(sign: Sign, made: Made, settings: Settings) -> tuple[Made, Settings]:
    """Return the table and the settings after the remedy of a sign."""
    rows, is_bad = made
    others = np.setdiff1d(np.arange(len(rows)), sign.rows)
    if sign.name in ("repeated-rows", "stuck-column", "isolated-rows"):
        return (rows[others], is_bad[others]), settings
    if sign.name == "mixed-units":
        return (_in_one_unit(rows, sign), is_bad), settings
    if sign.name == "counter-column":
        return (np.delete(rows, sign.column or 0, axis=1), is_bad), settings
    if sign.name == "few-rows":
        return (np.vstack([rows, rows + 0.125, rows - 0.25, rows + 0.5]), np.tile(is_bad, 4)), settings
    change: dict[SignName, Settings] = {
        "column-spread": {"scale": "robust"},
        "zero-weight": {"loss": Huber},
        "mode-collapse": {"loss": Huber},
        "ranking": {"loss": Quadratic},
    }
    return made, {**settings, **change[sign.name]}


def _in_one_unit(rows: Array, sign: Sign) -> Array:
    """Multiply or divide the values of the rows that a sign names, as it says."""
    factor = float(sign.remedy.split(" by ")[1].split()[0])
    changed = rows.copy()
    chosen = changed[list(sign.rows), sign.column or 0]
    changed[list(sign.rows), sign.column or 0] = (
        chosen * factor if sign.remedy.startswith("multiply") else chosen / factor
    )
    return changed


def _in_thousands(rng: Generator, sigma: float, factor: float, width: int = 1) -> Made:
    incomes = np.exp(10 + sigma * rng.normal(size=(300, 1)))
    incomes[:4] *= 20.0
    incomes[4:16] /= factor
    order = rng.permutation(300)
    return np.hstack([incomes, _normal(rng, 300, width - 1)])[order], (np.arange(300) < 4)[order]


def _with(good: Array, bad: Array) -> Made:
    return np.vstack([good, bad]), np.repeat([False, True], [len(good), len(bad)])


def _normal(rng: Generator, size: int = 200, width: int = 2) -> Array:
    return np.asarray(rng.normal(size=(size, width)))


def _two_clusters(rng: Generator, first: int, second: int, apart: float, width: float = 1.0) -> Made:
    far = width * _normal(rng, second) + [apart, 0.0]
    return np.vstack([_normal(rng, first), far]), np.zeros(first + second, bool)


def _unlike(rng: Generator, narrow: float, wide: float) -> Made:
    good = _normal(rng, 150) * [narrow, wide]
    return _with(good, np.column_stack([narrow * rng.uniform(8, 20, 5), wide * rng.normal(size=5)]))


def _counted(rng: Generator, count: Callable[[int], Array]) -> Made:
    values = rng.normal(size=120)
    values[:4] = [7.0, -8.0, 9.0, 7.5]
    order = rng.permutation(120)
    return np.column_stack([count(120), values[order]]), order < 4


def _spike(rng: Generator, along: Callable[[Array], Array], at: list[float]) -> Made:
    places = along((np.arange(200) + 0.5) / 200)
    return _with(places + 0.02 * rng.normal(size=places.shape), np.array([at]))


def _coded(rng: Generator, rows: Array, code: float, size: int) -> Made:
    """Write a code into the first column of some rows."""
    is_coded = rng.permutation(len(rows)) < size
    rows[is_coded, 0] = code
    return rows, is_coded


def _stuck(rng: Generator, rows: Array, value: float, size: int) -> Made:
    """Let the first column stay at a value for some rows in a row."""
    start = int(rng.integers(0, len(rows) - size))
    is_stuck = (np.arange(len(rows)) >= start) & (np.arange(len(rows)) < start + size)
    rows[is_stuck, 0] = value
    return rows, is_stuck


def _rounded_walk(rng: Generator, size: int, back: float) -> Array:
    """Return a column that moves a little from row to row, rounded to a tenth."""
    steps = rng.normal(size=size)
    for row in range(1, size):
        steps[row] += back * steps[row - 1]
    return np.asarray(np.round(steps[:, np.newaxis], 1))


def _turning(t: Array, angle: float) -> Array:
    return np.column_stack([np.cos(angle * t), np.sin(angle * t)])


PLANTED: Final = (
    Planted("repeated-rows", "a cloud and 4 % fillers (-999, -999), the paper's recipe",
            lambda rng: _with(_normal(rng), np.full((8, 2), -999.0)), PAPER),
    Planted("repeated-rows", "a cloud and 6 % copies of one row within it",
            lambda rng: _with(_normal(rng), np.tile([0.7, -0.6], (12, 1)))),
    Planted("repeated-rows", "a stuck sensor with noise of 1e-9, 5 %",
            lambda rng: _with(_normal(rng), [0.1, 0.3] + 1e-9 * _normal(rng, 10))),
    Planted("repeated-rows", "one rounded column, 20 % of the rows at 0.5",
            lambda rng: _with(np.round(_normal(rng, 200, 1), 1), np.full((50, 1), 0.5))),
    Planted("repeated-rows", "rounded columns, 10 % of the rows at (1, 1)",
            lambda rng: _with(np.round(_normal(rng), 1), np.ones((22, 2)))),
    Planted("repeated-rows", "-999 in two of three columns, the third at neighbouring values",
            lambda rng: _with(_normal(rng, 200, 3).round(1),
                              np.column_stack([np.full((8, 2), -999.0), np.arange(8) / 9]))),
    Planted("repeated-rows", "-999 in three rows of one of three columns",
            lambda rng: _coded(rng, _normal(rng, 200, 3).round(2), -999.0, 3)),
    Planted("repeated-rows", "a 9 above answers from 1 to 7, in 5 % of the rows",
            lambda rng: _coded(rng, rng.integers(1, 8, (300, 3)).astype(float), 9.0, 15)),
    Planted("stuck-column", "one of three sensors at 0.37 for 40 of 300 rows",
            lambda rng: _stuck(rng, _normal(rng, 300, 3).round(2), 0.37, 40)),
    Planted("stuck-column", "a rounded temperature for 30 of 500 rows, Huber's loss",
            lambda rng: _stuck(rng, np.hstack([_rounded_walk(rng, 500, 0.9), _normal(rng, 500)]), 1.2, 30),
            {"loss": Huber}),
    Planted("stuck-column", "a gauge that is often 0, for 40 of 300 rows, the paper's recipe",
            lambda rng: _stuck(rng, np.maximum(_normal(rng, 300) + 0.5, 0.0), 0.5, 40), PAPER),
    Planted("mixed-units", "4 % of the incomes in thousands",
            lambda rng: _in_thousands(rng, 0.6, 1000.0)),
    Planted("mixed-units", "4 % of the incomes in thousands, beside two columns, Huber's loss",
            lambda rng: _in_thousands(rng, 0.3, 1000.0, 3), {"loss": Huber}),
    Planted("mixed-units", "4 % of the lengths in metres, the others in centimetres",
            lambda rng: _in_thousands(rng, 0.2, 100.0, 2)),
    Planted("column-spread", "metres and money, the paper's recipe",
            lambda rng: _unlike(rng, 0.09, 9000.0), PAPER),
    Planted("column-spread", "deviations 1 and 100, Scott's rule",
            lambda rng: _unlike(rng, 1.0, 100.0), SCOTT),
    Planted("column-spread", "deviations 0.001 and 1, a bandwidth by hand",
            lambda rng: _unlike(rng, 0.001, 1.0), {"bandwidth": 0.3}),
    Planted("counter-column", "row numbers from 1, Scott's rule",
            lambda rng: _counted(rng, lambda n: np.arange(1.0, n + 1)), SCOTT),
    Planted("counter-column", "row numbers in steps of 10, shuffled",
            lambda rng: _counted(rng, lambda n: 10.0 * rng.permutation(n))),
    Planted("counter-column", "identifiers that ascend, a third missing",
            lambda rng: _counted(rng, lambda n: np.sort(rng.choice(3 * n // 2, n, replace=False)) + 1000.0)),
    Planted("ranking", "seconds and volts, one spike, Scott's rule",
            lambda rng: _spike(rng, lambda t: np.column_stack([200 * t, 0 * t]), [100.0, 20.0]), SCOTT),
    Planted("ranking", "a circle and its centre, Scott's rule",
            lambda rng: _spike(rng, lambda t: _turning(t, 6.2), [0.0, 0.0]), SCOTT),
    Planted("ranking", "a helix and a row on its axis, Silverman's rule",
            lambda rng: _spike(rng, lambda t: np.column_stack([_turning(t, 6.2), 6 * t]), [0.0, 0.0, 3.0]),
            {"recipe": "paper", "bandwidth": "silverman"}),
    Planted("ranking", "a spiral and its centre, Scott's rule",
            lambda rng: _spike(rng, lambda t: (1 + t[:, np.newaxis]) * _turning(t, 9.0), [0.0, 0.0]), SCOTT),
    Planted("isolated-rows", "two rows near each other at 140 deviations, four columns",
            lambda rng: _with(_normal(rng, 600, 4), [140.0, 0.0, 0.0, 0.0] + 0.3 * _normal(rng, 2, 4))),
    Planted("isolated-rows", "three years of birth in a column of ages, beside two columns",
            lambda rng: _with(_normal(rng, 300, 3) * [15, 1, 1] + [40, 0, 0],
                              [1960.0, 0.0, 0.0] + _normal(rng, 3, 3) * [4, 0.5, 0.5])),
    Planted("isolated-rows", "two of eight columns in another unit, in two rows of a thousand",
            lambda rng: _with(_normal(rng, 1000, 8) + 5,
                              [5000.0, 5000.0] + [5.0] * 6 + 0.2 * _normal(rng, 2, 8))),
    Planted("zero-weight", "a clean cloud, the paper's recipe",
            lambda rng: (_normal(rng), np.zeros(200, bool)), PAPER),
    Planted("zero-weight", "a third of the rows far out",
            lambda rng: _with(_normal(rng), rng.uniform(-90, 90, (100, 2)))),
    Planted("zero-weight", "a clean cloud, milder quantiles, a tenth of Scott's bandwidth",
            lambda rng: (_normal(rng), np.zeros(200, bool)),
            {"bandwidth": 0.04, "quantiles": (0.5, 0.7, 0.8)}),
    Planted("mode-collapse", "clusters of 75 and 25 %, Scott's rule",
            lambda rng: _two_clusters(rng, 300, 100, 8.0), SCOTT),
    Planted("mode-collapse", "clusters of 90 and 10 %, cross-validation",
            lambda rng: _two_clusters(rng, 270, 30, 7.0, 0.7), {"recipe": "paper", "bandwidth": "lkcv"}),
    Planted("mode-collapse", "a tight cluster of 8 %, the default",
            lambda rng: _two_clusters(rng, 184, 16, 9.0, 0.05)),
    Planted("few-rows", "seven rows", lambda rng: (_normal(rng, 7), np.zeros(7, bool))),
    Planted("few-rows", "nine rows of one column", lambda rng: (_normal(rng, 9, 1), np.zeros(9, bool))),
    Planted("few-rows", "three rows, the paper's recipe",
            lambda rng: (_normal(rng, 3), np.zeros(3, bool)), {"recipe": "paper", "loss": Huber}),
)  # fmt: skip

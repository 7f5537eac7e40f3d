"""What is measured of a method on a table."""

import warnings
from typing import Final, TypedDict

import numpy as np

from benchmarks.practice.methods import METHODS
from benchmarks.practice.tables import Kind, Table
from benchmarks.practice.truths import Array
from rkde.errors import RkdeError, RkdeWarning
from rkde.fast import auc

# Draws from the truth for the distance to it: the error of a distance of 0.3 is about 0.006.
DRAWS: Final = 2000
# What a refusal counts as: no ranking.
NO_RANKING: Final = 0.5


class Measured(TypedDict):
    """One method on one table; None where a number is not defined."""

    auc: float
    lost: float | None
    distance: float | None
    told: list[str]


def measure(kind: Kind, seed: int, size: int, method: str) -> Measured:
    """Return the numbers of a method on the table of a seed."""
    table = kind.table(seed, size)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RkdeWarning)
        try:
            found = METHODS[method](table.rows)
        except RkdeError as error:
            return Measured(auc=NO_RANKING, lost=None, distance=None, told=[type(error).__name__])
    lost = None if found.without_weight is None else float(found.without_weight[~table.is_bad].mean())
    return Measured(
        auc=float(auc(found.scores, table.is_bad.astype(int))),
        lost=lost,
        distance=None if found.log_density is None else _distance(table, found.log_density, seed),
        told=sorted({w.category.__name__ for w in caught if issubclass(w.category, RkdeWarning)}),
    )


def _distance(table: Table, log_density: object, seed: int) -> float | None:
    """Return the L1 distance to the law of the good rows, 2 E max(0, 1 - f/g) over draws from that law g."""
    if table.truth is None or not callable(log_density):
        return None
    points: Array = table.truth.draw(np.random.default_rng([seed, DRAWS]), DRAWS)
    ratio = np.exp(np.minimum(log_density(points) - table.truth.log_density(points), 0.0))
    return float(2 * (1 - ratio).mean())

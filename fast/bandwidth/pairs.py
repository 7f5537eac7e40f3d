"""The scale of columns and the bandwidth of the recipe `practical`: both from distances between rows.

Low quantiles of these distances look within clusters, however far apart the clusters are, and a few rows far
out hardly move them. Ties are left out, so that neither is 0 where rows differ.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import pdist
from scipy.special import gammaincinv

from rkde.fast._float64 import (
    UNIT_ROUNDOFF,
    Floats,
    SampleWeight,
    TableLike,
    as_table,
    read_sample_weight,
)
from rkde.fast.bandwidth.rules import spread_rows, within_range
from rkde.vocabulary import BANDWIDTH_PAIRS, MOST_PAIRED_ROWS, SCALE_PAIRS

# Below it squares may lose digits by underflow.
_SAFE_DISTANCE: Final = 2.0**-450


def robust_scales(X: TableLike, *, sample_weight: ArrayLike | None = None) -> Floats:
    """Return for each column the lower quartile of the differences of unequal values, over that of N(0, 1).

    The number estimates the standard deviation of a normal column. Where a column consists of a few distant
    groups it is the width of the groups, not their distance. A constant column has the scale 1.

    Shapes: X (n, d); sample_weight (n,); result (d,). Result: above 0, in units of the columns.

    Notes
    -----
    Not in the paper. Of more than 2048 rows, as many are used, evenly spaced in the order of each column, or
    by their mass where weights are relative.

    Examples
    --------
    >>> robust_scales([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0], [100.0, 5.0]]).round(4)
    array([2.2191, 1.    ])
    """
    rows = as_table(X)
    weights = read_sample_weight(sample_weight, len(rows))
    kept = rows if weights is None else weights.rows_of(rows)
    return np.array([_scale(column, weights) for column in kept.T])


def pairwise(X: TableLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return s n^(-1/(d + 4)), with s from the nearest tenth of the pairs of unequal rows.

    s is the largest distance among them, over the same quantile of the distance between two rows of
    independent standard normal columns. d counts the columns that are not constant.

    Shapes: X (n, d or more), the data, with at least two distinct rows; sample_weight (n,). Result: in units
    of the data, above 0.

    Notes
    -----
    Not in the paper. Of more than 2048 rows, the distances are those of as many, evenly spaced in
    lexicographic order, or by their mass where weights are relative.

    Examples
    --------
    >>> round(pairwise([[0.0], [1.0], [2.0], [3.0], [100.0]]), 4)
    4.0784
    """
    distinct, weights = spread_rows(X, "pairwise", sample_weight)
    rows = distinct.rows[distinct.inverse]
    total = len(rows) if weights is None else weights.total
    spread = _spread(rows, weights, BANDWIDTH_PAIRS)
    return within_range(spread * total ** (-1 / (varying_columns(rows) + 4)), "pairwise")


def varying_columns(rows: Floats) -> int:
    """Return how many columns are not constant, 1 at least: the others add nothing to any distance.

    Examples
    --------
    >>> varying_columns(np.array([[0.0, 5.0], [1.0, 5.0]]))
    1
    """
    return max(1, int(np.count_nonzero(rows.min(axis=0) < rows.max(axis=0))))


def chi_squared_quantile(dim: int, level: float) -> float:
    """Return the quantile of the chi-squared law with `dim` degrees of freedom.

    Examples
    --------
    >>> round(chi_squared_quantile(2, 0.95), 4)
    5.9915
    """
    return 2 * float(gammaincinv(dim / 2, level))


def _scale(column: Floats, weights: SampleWeight | None) -> float:
    """Return the scale of one column."""
    if column.min() == column.max():
        return 1.0
    return within_range(_spread(column[:, np.newaxis], weights, SCALE_PAIRS), "robust_scales")


def _spread(rows: Floats, weights: SampleWeight | None, divisor: int) -> float:
    """Return a low distance between rows over its value for independent standard normal columns.

    It is the smallest positive one up to which the pairs hold a share 1 / divisor of the mass of all pairs of
    unequal rows. Two rows of standard normal columns are at a distance whose half square has the chi-squared
    law.
    """
    dim = varying_columns(rows)
    rows, counts = _thinned(rows, weights)
    scale = int(np.frexp(np.abs(rows).max())[1])
    # Powers of two: what an underflow loses is nothing beside the largest distance.
    with np.errstate(under="ignore"):
        distances = _all_distances(np.ldexp(rows, -scale))
        positive = distances > 0
        if counts is None:
            place = -(-np.count_nonzero(positive) // divisor) - 1
            low = float(np.partition(distances[positive], place)[place])
        else:
            first, second = np.triu_indices(len(rows), 1)
            low = _reached(distances[positive], (counts[first] * counts[second])[positive], divisor)
        typical = math.sqrt(2 * chi_squared_quantile(dim, 1 / divisor))
        with np.errstate(over="ignore"):
            return float(np.ldexp(low / typical, scale))


def _reached(values: Floats, masses: Floats, divisor: int) -> float:
    """Return the smallest value up to which values hold a share 1 / divisor of the mass."""
    order = np.argsort(values)
    held = np.cumsum(masses[order])
    # A sum of whole numbers is exact; of others the last digits may hide that the share is reached.
    place = int(np.searchsorted(held * divisor, held[-1] * (1 - len(held) * UNIT_ROUNDOFF)))
    return float(values[order[place]])


def _all_distances(rows: Floats) -> Floats:
    """Return the distances between rows of entries up to 1, each once; 0 for ties alone."""
    distances = pdist(rows)
    small = np.flatnonzero(distances < _SAFE_DISTANCE)
    if len(small):
        first, second = (places[small] for places in np.triu_indices(len(rows), 1))
        differences = np.abs(rows[first] - rows[second])
        largest = differences.max(axis=1)
        shares = differences / np.where(largest > 0, largest, 1.0)[:, np.newaxis]
        distances[small] = largest * np.sqrt((shares * shares).sum(axis=1))
    return distances


def _thinned(rows: Floats, weights: SampleWeight | None) -> tuple[Floats, Floats | None]:
    """Return the rows with their counts, or of too many as many as are used, evenly spaced in their order.

    The first and the last are among them, and copies are spaced like other rows. Relative weights of a share
    of at least 1 / `MOST_PAIRED_ROWS` are kept as they are; the others are spaced by their mass.
    """
    ordered = np.lexsort(rows.T[::-1])
    if weights is None:
        if len(rows) <= MOST_PAIRED_ROWS:
            return rows[ordered], None
        places = np.arange(MOST_PAIRED_ROWS) * (len(rows) - 1) // (MOST_PAIRED_ROWS - 1)
        return rows[ordered[places]], None
    counts = weights.counts[ordered]
    if max(weights.total, len(rows) if not weights.is_counted else 0) <= MOST_PAIRED_ROWS:
        return rows[ordered], counts
    if not weights.is_counted:
        return _thinned_by_mass(rows[ordered], counts, weights.total)
    whole = int(weights.total) - 1
    copies = [step * whole // (MOST_PAIRED_ROWS - 1) for step in range(MOST_PAIRED_ROWS)]
    places = np.searchsorted(np.cumsum(counts), np.array(copies, dtype=np.float64), side="right")
    return rows[ordered[np.minimum(places, len(rows) - 1)]], None


def _thinned_by_mass(rows: Floats, masses: Floats, total: float) -> tuple[Floats, Floats]:
    """Return the heavy rows, and of the others those in the middle of equal parts of their mass."""
    is_heavy = masses >= total / MOST_PAIRED_ROWS
    light, reached = rows[~is_heavy], np.cumsum(masses[~is_heavy])
    parts = MOST_PAIRED_ROWS - int(is_heavy.sum())
    middles = (np.arange(parts) + 1 / 2) / parts * reached[-1]
    places = np.minimum(np.searchsorted(reached, middles, side="right"), len(light) - 1)
    kept = np.concatenate([masses[is_heavy], np.full(parts, reached[-1] / parts)])
    return np.vstack([rows[is_heavy], light[places]]), kept

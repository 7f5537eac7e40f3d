"""Distinct rows, and the distance of each to the nearest other one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rkde.fast._distances import exact_separations
from rkde.fast._rounding import sum_factor
from rkde.fast.inputs import Floats

# Above this dimension a k-d tree visits most of its leaves and loses to comparing all pairs.
_TREE_DIMENSION: Final = 8
# A tree updates squared distances by differences, which must not be infinite.
_TREE_RANGE: Final = 2.0**500
# Pairs compared at once: 2**18 float64 are 2 MiB.
_BLOCK_PAIRS: Final = 2**18
# From so many columns on a matrix product finds the candidates faster than differences (measured: 50).
_PRODUCT_DIMENSION: Final = 64
# Pairs at once for such a product: 8 MiB, enough for it to run at its speed.
_PRODUCT_PAIRS: Final = 2**20
# Roundings of a squared distance by products, beside one a coordinate.
_PRODUCT_ROUNDINGS: Final = 8
# Candidates a row beyond which measuring them costs more than comparing all pairs.
_MOST_CANDIDATES: Final = 64
# Squares outside of this range have lost digits, or all of them.
_LEAST_SQUARE: Final = 2.0**-900
_LARGEST_SQUARE: Final = 2.0**1000


@dataclass(frozen=True, slots=True, eq=False)
class DistinctRows:
    """Rows grouped by location.

    Attributes
    ----------
    rows : ndarray, shape (k, d)
        The distinct rows.
    inverse : ndarray of int, shape (n,)
        For each given row its place among the distinct ones.
    counts : ndarray of int, shape (k,)
        How often each occurs.
    """

    rows: Floats
    inverse: NDArray[np.intp]
    counts: NDArray[np.intp]


def distinct_rows(X: Floats) -> DistinctRows:
    """Group the rows of X by location.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        Finite rows.

    Returns
    -------
    DistinctRows
    """
    # Adding 0 turns -0 into 0, so that equal rows have equal bytes; bytes sort faster than rows.
    plain = np.ascontiguousarray(X + 0.0)
    as_bytes = plain.view(np.dtype((np.void, plain.itemsize * plain.shape[1]))).reshape(-1)
    _, first, inverse, counts = np.unique(
        as_bytes, return_index=True, return_inverse=True, return_counts=True
    )
    return DistinctRows(plain[first], inverse.reshape(-1), counts)


def nearest_distances(rows: Floats) -> Floats:
    """Return the distance of each row to the nearest other one.

    Parameters
    ----------
    rows : ndarray, shape (k, d)
        At least two, all different.

    Returns
    -------
    ndarray, shape (k,)
        Above 0 unless it underflows; infinite where it is beyond float64.
    """
    if rows.shape[1] == 1:
        return _nearest_on_line(rows[:, 0])
    scaled, scale = _typical_scale(rows)
    in_range = bool(np.abs(scaled).max() <= _TREE_RANGE)
    if in_range and rows.shape[1] <= _TREE_DIMENSION:
        square = _nearest_by_tree(scaled)
    else:
        pays = in_range and rows.shape[1] >= _PRODUCT_DIMENSION
        found = _nearest_by_products(scaled) if pays else None
        square = _nearest_by_pairs(scaled) if found is None else found
    with np.errstate(over="ignore", under="ignore"):
        nearest = np.ldexp(np.sqrt(square), scale)
    for row in np.flatnonzero(~((square >= _LEAST_SQUARE) & (square <= _LARGEST_SQUARE))):
        nearest[row] = _nearest_exactly(rows, int(row))
    return nearest


def _nearest_on_line(values: Floats) -> Floats:
    order = np.argsort(values)
    with np.errstate(over="ignore"):
        gaps = np.diff(values[order])
    padded = np.concatenate(([np.inf], gaps, [np.inf]))
    nearest = np.empty_like(values)
    nearest[order] = np.minimum(padded[:-1], padded[1:])
    return nearest


def _typical_scale(rows: Floats) -> tuple[Floats, int]:
    """Divide the rows by a power of two near their typical deviation, so that squares keep their digits."""
    deviations = np.abs(rows / 2 - np.median(rows / 2, axis=0))
    typical = np.median(deviations[deviations > 0]) if deviations.any() else 1.0
    scale = int(np.frexp(typical)[1]) + 1
    with np.errstate(over="ignore", under="ignore"):
        return np.ldexp(rows, -scale), scale


def _nearest_by_tree(scaled: Floats) -> Floats:
    distances: Floats = np.asarray(cKDTree(scaled).query(scaled, k=[2])[0]).reshape(-1)
    return distances * distances


def _nearest_by_products(scaled: Floats) -> Floats | None:
    """Return the squared distances to the nearest rows, found by matrix products, then measured directly.

    With centred rows z, |z_i|^2 + |z_j|^2 - 2 z_i z_j is wrong by at most d + 8 roundings of (2 R)^2, R the
    largest norm. Every row that may be the nearest within twice that is measured by differences. None where
    so many may be that comparing all pairs is cheaper.
    """
    size, dim = scaled.shape
    centred = scaled - np.median(scaled, axis=0)
    halves = np.einsum("ij,ij->i", centred, centred) / 2
    slack = 2 * sum_factor(dim + _PRODUCT_ROUNDINGS) * (4 * float(halves.max()))
    nearest = np.empty(size)
    step = max(1, _PRODUCT_PAIRS // size)
    for start in range(0, size, step):
        stop = min(start + step, size)
        # Half of the squared distance less half of the row's own square, which does not matter to the order.
        block = halves - centred[start:stop] @ centred.T
        block[np.arange(stop - start), np.arange(start, stop)] = np.inf
        rows, columns = np.nonzero(block <= block.min(axis=1, keepdims=True) + slack)
        if len(rows) > _MOST_CANDIDATES * (stop - start):
            return None
        difference = scaled[rows + start] - scaled[columns]
        square = np.einsum("ij,ij->i", difference, difference)
        nearest[start:stop] = np.minimum.reduceat(square, np.searchsorted(rows, np.arange(stop - start)))
    return nearest


def _nearest_by_pairs(scaled: Floats) -> Floats:
    nearest = np.full(len(scaled), np.inf)
    step = max(1, _BLOCK_PAIRS // len(scaled))
    for start in range(0, len(scaled), step):
        # From the diagonal on: a pair counts for its row and for its column.
        block = cdist(scaled[start : start + step], scaled[start:], "sqeuclidean")
        np.fill_diagonal(block, np.inf)
        rows = slice(start, start + len(block))
        nearest[rows] = np.minimum(nearest[rows], block.min(axis=1))
        nearest[start:] = np.minimum(nearest[start:], block.min(axis=0))
    return nearest


def _nearest_exactly(rows: Floats, row: int) -> float:
    others = np.delete(np.arange(len(rows)), row)
    unit, power = exact_separations(rows, rows, np.full(len(others), row), others, 1.0)
    with np.errstate(over="ignore", under="ignore"):
        return float(np.ldexp(unit, power).min())

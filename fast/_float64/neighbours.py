"""Which rows are distinct, and how far each is from the nearest other one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.spatial.distance import cdist

from rkde.fast._float64.distances import exact_separations
from rkde.fast._float64.inputs import Floats
from rkde.fast._float64.rounding import sum_factor

Indices = NDArray[np.intp]

# A tile of 256 x 512 float64 is 1 MiB.
_TILE_ROWS: Final = 256
_TILE_COLUMNS: Final = 512
# Roundings of half of a squared distance by a product of d + 2 terms, beside one a coordinate: centring, the
# squared norms and their halves.
_ROUNDINGS: Final = 8
# Where more than one row or column in so many has a candidate, the whole tile is compared at once.
_FEW: Final = 16
# Candidates a row beyond which measuring them costs more than comparing all pairs.
_MOST_CANDIDATES: Final = 64
# Above this dimension a k-d tree visits most of its leaves and loses to comparing all pairs.
_TREE_DIMENSION: Final = 8
# A tree updates squared distances by differences, which must not be infinite.
_TREE_RANGE: Final = 2.0**500
# Pairs compared at once: 2**18 float64 are 2 MiB.
_BLOCK_PAIRS: Final = 2**18
# From so many numbers on matrix products find the nearest rows faster than differences do; measured: about
# 70 000 to 80 000 in 9 and in 20 dimensions, fewer in more. Of 20 000 rows of 20 columns they take half of
# the time.
_PRODUCT_NUMBERS: Final = 2**16
# Columns in which rows are looked for that share no number; sorting more of them costs more than it saves.
_TRIED_COLUMNS: Final = 4
# Squares outside of this range have lost digits, or all of them.
_LEAST_SQUARE: Final = 2.0**-900
_LARGEST_SQUARE: Final = 2.0**1000


def nearest_by_products(scaled: Floats) -> Floats | None:
    """Return the squared distance of each row to the nearest other one.

    Shapes: scaled (k, d); result (k,). Result: by differences, each to d + 2 roundings. None where products
    cannot tell rows apart, most of them being close together and some far off: then comparing all pairs by
    differences is cheaper.

    Notes
    -----
    With centred rows z, the product of (-z_i, |z_i|^2 / 2, 1) and (z_j, 1, |z_j|^2 / 2) is half of
    |z_i - z_j|^2, wrong by at most d + 8 roundings of (2 R)^2 / 2, R the largest norm. Every row that comes
    within twice that of the nearest one seen so far is measured. k^2 / 2 entries; about as many candidates a
    row as the logarithm of the number of tiles.
    """
    size, dim = scaled.shape
    centred = scaled - np.median(scaled, axis=0)
    halves = np.einsum("ij,ij->i", centred, centred) / 2
    slack = 2 * sum_factor(dim + _ROUNDINGS) * (4 * float(halves.max()))
    ones = np.ones(size)
    left = np.column_stack((-centred, halves, ones))
    right = np.ascontiguousarray(np.column_stack((centred, ones, halves)).T)
    search = _Search(np.full(size, np.inf), np.full(size, np.inf), slack)
    measured = 0
    memory = np.empty((_TILE_ROWS, _TILE_COLUMNS))
    for rows, columns in _tiles(size):
        tile = memory[: rows.stop - rows.start, : columns.stop - columns.start]
        np.matmul(left[rows], right[:, columns], out=tile)
        if rows.start == columns.start:
            np.fill_diagonal(tile, np.inf)
        first, second = search.candidates(tile, rows, columns)
        difference = scaled[first] - scaled[second]
        search.record(first, second, np.einsum("ij,ij->i", difference, difference))
        measured += len(first)
        if measured > _MOST_CANDIDATES * size:
            return None
    return search.squares


def _tiles(size: int) -> Iterator[tuple[slice, slice]]:
    """Yield the tiles from the diagonal on, which is the diagonal of the first of each strip."""
    for top in range(0, size, _TILE_ROWS):
        rows = slice(top, min(top + _TILE_ROWS, size))
        for start in range(top, size, _TILE_COLUMNS):
            yield rows, slice(start, min(start + _TILE_COLUMNS, size))


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The least products so far, and the squared distances measured so far."""

    least: Floats
    squares: Floats
    slack: float

    def candidates(self, tile: Floats, rows: slice, columns: slice) -> tuple[Indices, Indices]:
        """Return the pairs of a tile of which one may be the other's nearest, and take note of the least."""
        by_row, by_column = tile.min(axis=1), tile.min(axis=0)
        for side, least in ((rows, by_row), (columns, by_column)):
            np.minimum(self.least[side], least, out=self.least[side])
        of_rows, of_columns = self.least[rows] + self.slack, self.least[columns] + self.slack
        hit, column_hit = np.flatnonzero(by_row <= of_rows), np.flatnonzero(by_column <= of_columns)
        if _FEW * (len(hit) + len(column_hit)) > len(by_row):
            is_near = tile <= of_columns
            is_near |= tile <= of_rows[:, np.newaxis]
            first, second = np.divmod(np.flatnonzero(is_near), tile.shape[1])
        else:
            i, j = np.nonzero(tile[hit] <= of_rows[hit, np.newaxis])
            k, m = np.nonzero(tile[:, column_hit] <= of_columns[column_hit])
            first, second = np.concatenate((hit[i], k)), np.concatenate((j, column_hit[m]))
        return first + rows.start, second + columns.start

    def record(self, first: Indices, second: Indices, squares: Floats) -> None:
        """Take note of measured squared distances."""
        np.minimum.at(self.squares, first, squares)
        np.minimum.at(self.squares, second, squares)


@dataclass(frozen=True, slots=True, eq=False)
class DistinctRows:
    """Rows grouped by location.

    Attributes
    ----------
    rows : ndarray, shape (k, d)
        The distinct rows.
    inverse : ndarray of int, shape (n,)
        For each given row its place among the distinct ones.
    first : ndarray of int, shape (k,)
        For each distinct row the first given one that equals it.
    counts : ndarray of int, shape (k,)
        How often each occurs.
    """

    rows: Floats
    inverse: NDArray[np.intp]
    first: NDArray[np.intp]
    counts: NDArray[np.intp]


def distinct_rows(X: Floats) -> DistinctRows:
    """Group the rows of X by location.

    Shapes: X (n, d), finite rows.
    """
    # Adding 0 turns -0 into 0, so that equal rows have equal bytes; bytes sort faster than rows.
    plain = np.ascontiguousarray(X + 0.0)
    for column in plain.T[:_TRIED_COLUMNS]:
        ranked = np.sort(column)
        if (ranked[1:] != ranked[:-1]).all():
            # Numbers that differ in one column tell all rows apart.
            everyone = np.arange(len(plain))
            return DistinctRows(plain, everyone, everyone, np.ones_like(everyone))
    as_bytes = plain.view(np.dtype((np.void, plain.itemsize * plain.shape[1]))).reshape(-1)
    _, first, inverse, counts = np.unique(
        as_bytes, return_index=True, return_inverse=True, return_counts=True
    )
    return DistinctRows(plain[first], inverse.reshape(-1), first, counts)


def nearest_distances(rows: Floats) -> Floats:
    """Return the distance of each row to the nearest other one.

    Shapes: rows (k, d), at least two, all different; result (k,). Result: above 0 unless it underflows;
    infinite where it is beyond float64.
    """
    if rows.shape[1] == 1:
        return _nearest_on_line(rows[:, 0])
    # Divided by a power of two near the typical deviation, so that squares keep their digits.
    deviations = np.abs(rows / 2 - np.median(rows / 2, axis=0))
    typical = np.median(deviations[deviations > 0]) if deviations.any() else 1.0
    scale = int(np.frexp(typical)[1]) + 1
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(rows, -scale)
    in_range = bool(np.abs(scaled).max() <= _TREE_RANGE)
    if in_range and rows.shape[1] <= _TREE_DIMENSION:
        tree = cKDTree(scaled)
        # In the order of the tree one query finds in the cache what the one before it read.
        to_other = np.empty(len(rows))
        to_other[tree.indices] = np.asarray(tree.query(scaled[tree.indices], k=[2])[0]).reshape(-1)
        square = to_other * to_other
    else:
        pays = in_range and rows.size >= _PRODUCT_NUMBERS
        by_products = nearest_by_products(scaled) if pays else None
        square = _nearest_by_pairs(scaled) if by_products is None else by_products
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

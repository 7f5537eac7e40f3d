"""Nearest rows in many dimensions: found by matrix products, tile by tile in the cache, measured directly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.fast._rounding import sum_factor
from rkde.fast.inputs import Floats

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


def nearest_by_products(scaled: Floats) -> Floats | None:
    """Return the squared distance of each row to the nearest other one.

    Parameters
    ----------
    scaled : ndarray, shape (k, d)
        At least two rows, all different, of which no square overflows.

    Returns
    -------
    ndarray, shape (k,), or None
        By differences, each to d + 2 roundings. None where products cannot tell rows apart, most of them
        being close together and some far off: then comparing all pairs by differences is cheaper.

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

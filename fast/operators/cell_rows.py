"""Rows in cells of a grid, and the Lagrange polynomials of their places, laid out for products by BLAS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats, scale_rows, split_bandwidth
from rkde.fast.kernels import Kernel
from rkde.fast.operators.chebyshev import lagrange_basis
from rkde.fast.operators.cutoff import GAUSSIAN_CUTOFF
from rkde.fast.operators.protocol import Indices

# Sides are multiples of this in scaled units, in which the bandwidth lies between 1/4 and 1/2, so that the
# edges of all cells are float64 numbers.
_GRAIN: Final = 2.0**-6
# Up to this, in scaled units, one grid from 0 serves; beyond, each run of rows near each other has its own.
_ONE_GRID: Final = 2.0**40
# Bandwidths between two runs: more than any cutoff, so that rows of different runs are never near.
_RUN_GAP: Final = 16.0
# Rows of a block that is full, and of one that holds what is left of a cell.
FULL_BLOCK: Final = 64
SMALL_BLOCK: Final = 8
# The last entry of arrays of n + 1 numbers, which no row has.
UNUSED: Final = -1
# Numbers of a group of blocks that are handled at once: 1 MiB.
_GROUP_ENTRIES: Final = 2**17


def cell_side(kernel: Kernel, length: float) -> float:
    """Return a side in scaled units that is at least so many bandwidths."""
    # One grain more than enough also covers the rounding here.
    return float(np.ceil(length * split_bandwidth(kernel.bandwidth)[0] / _GRAIN) + 1) * _GRAIN


def cutoff_side(kernel: Kernel, reach: int) -> float:
    """Return a side in scaled units of which `reach` cover the cutoff of the Gaussian kernel."""
    return cell_side(kernel, GAUSSIAN_CUTOFF / reach)


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where rows lie in the cells.

    Attributes
    ----------
    keys : ndarray of int, shape (C,)
        The occupied cells, rising. A step of one cell along an axis adds `strides[axis]`; steps of up to
        `reach` cells, along any axes, lead to different keys for different cells.
    strides : tuple of int
        One an axis.
    cells : ndarray of int, shape (n,)
        For each row the number of its cell.
    positions : ndarray, shape (n, d)
        For each row where it lies in its cell, in [-1, 1].
    """

    keys: Indices
    strides: tuple[int, ...]
    cells: Indices
    positions: Floats

    def within(self, chosen: NDArray[np.bool_]) -> tuple[Places, Indices]:
        """Return the places of the rows of some cells, and the numbers of these rows."""
        rows = np.flatnonzero(chosen[self.cells])
        numbers = np.cumsum(chosen) - 1
        cells = numbers[self.cells[rows]].astype(np.intp)
        return Places(self.keys[chosen], self.strides, cells, self.positions[rows]), rows


def place_rows(rows: Floats, kernel: Kernel, side: float, reach: int) -> Places | None:
    """Put rows into cells of this side in scaled units; None where their keys would not fit into an int64.

    Shapes: rows (n, d).
    """
    scaled = scale_rows(rows, kernel.bandwidth).scaled
    positions = np.empty(rows.shape)
    keys: Indices = np.zeros(len(rows), dtype=np.intp)
    strides, extent = [], 1
    for axis in range(rows.shape[1] - 1, -1, -1):
        column = np.ascontiguousarray(scaled[:, axis])
        if float(np.abs(column).max()) > _ONE_GRID:
            column, runs = _by_runs(rows[:, axis], kernel.bandwidth, column)
        else:
            runs = np.zeros(len(rows), dtype=np.intp)
        cells, positions[:, axis] = _cells_of(column, side)
        numbers, count = _close_gaps(cells, runs, reach)
        keys += numbers * extent
        strides.append(extent)
        extent *= count
        if extent >= 2**62:
            return None
    occupied, inverse = np.unique(keys, return_inverse=True)
    return Places(occupied, tuple(reversed(strides)), inverse.reshape(-1).astype(np.intp), positions)


def _by_runs(column: Floats, bandwidth: float, scaled: Floats) -> tuple[Floats, Indices]:
    """Return coordinates in scaled units, far from 0 from the first row of a run on, and the runs' numbers.

    Result: exact; far from 0 all rows of a run are so much nearer to each other that differences are exact.
    """
    order = np.argsort(column, kind="stable")
    exponent = split_bandwidth(bandwidth)[1]
    with np.errstate(over="ignore"):
        breaks = np.diff(column[order]) > _RUN_GAP * bandwidth
    runs = np.empty(len(column), dtype=np.intp)
    runs[order] = np.concatenate(([0], np.cumsum(breaks)))
    firsts = column[order][np.concatenate(([True], breaks))]
    is_far = np.abs(scaled) > 2 * _ONE_GRID
    far_runs = np.zeros(len(firsts), dtype=np.bool_)
    far_runs[runs[is_far]] = True
    origins = np.where(far_runs, firsts, 0.0)[runs]
    return np.ldexp(column - origins, -exponent), runs


def _cells_of(column: Floats, side: float) -> tuple[Indices, Floats]:
    """Return the numbers of cells along an axis, and positions in them, in [-1, 1]."""
    cells = np.floor(column / side)
    inside = column - cells * side
    # The quotient may be rounded up to the next whole number, or down.
    step = (inside > side).astype(np.float64) - (inside < 0)
    cells += step
    inside -= step * side
    return cells.astype(np.intp), (2 * inside - side) / side


def _close_gaps(cells: Indices, runs: Indices, reach: int) -> tuple[Indices, int]:
    """Return small numbers of cells along an axis that differ by as much as before, up to `reach`.

    Result: the numbers, from `reach` on, and how many numbers the axis has, `reach` of them spare at either
    end, so that no step leads around.
    """
    whole = cells - cells.min()
    # Cells of different runs are apart whatever their numbers say.
    whole = whole + runs * (int(whole.max()) + reach + 1) if runs.any() else whole
    levels, inverse = np.unique(whole, return_inverse=True)
    gaps = np.minimum(np.diff(levels), reach + 1)
    numbers = np.concatenate(([0], np.cumsum(gaps))) + reach
    return np.asarray(numbers[inverse.reshape(-1)], dtype=np.intp), int(numbers[-1]) + reach + 1


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Blocks of equally many rows, each of one cell; places without a row have the number `UNUSED`.

    Attributes
    ----------
    rows : ndarray of int, shape (b, B)
        The rows' numbers.
    cells : ndarray of int, shape (b,)
        The cells, rising.
    bases : tuple of ndarray, shape (b, B, p) each
        The Lagrange polynomials at the rows, one array an axis.
    """

    rows: Indices
    cells: Indices
    bases: tuple[Floats, ...]

    @classmethod
    def of(cls, rows: Indices, cells: Indices, positions: Floats, count: int) -> Self:
        """Return the blocks of these rows, for `count` nodes an axis.

        Shapes: positions (b, B, d).
        """
        columns = (positions[..., axis].reshape(-1) for axis in range(positions.shape[2]))
        return cls(rows, cells, tuple(lagrange_basis(x, count).reshape(*rows.shape, count) for x in columns))

    def groups(self) -> Iterator[Blocks]:
        """Cut the blocks into groups that stay in the cache."""
        block = self.rows.shape[1] * int(np.prod([base.shape[2] for base in self.bases[1:]], dtype=np.intp))
        step = max(1, _GROUP_ENTRIES // max(block, self.bases[0].shape[2] ** len(self.bases)))
        for start in range(0, len(self.cells), step):
            part = slice(start, start + step)
            yield Blocks(self.rows[part], self.cells[part], tuple(base[part] for base in self.bases))

    def add_moments(self, coefficients: Floats, moments: Floats) -> None:
        """Add sum_j c_j l_a(x_j) l_b(y_j) ... over each cell's rows to its moments.

        Shapes: coefficients (n + 1,), the last 0; moments (C, p^d).
        """
        for group in self.groups():
            right = coefficients[group.rows][..., None]
            for base in group.bases[1:]:
                right = (right[..., :, None] * base[..., None, :]).reshape(*group.rows.shape, -1)
            sums = np.matmul(group.bases[0].swapaxes(1, 2), right).reshape(len(group.cells), -1)
            starts = np.flatnonzero(np.diff(group.cells, prepend=-1))
            moments[group.cells[starts]] += np.add.reduceat(sums, starts, axis=0)

    def evaluate(self, values: Floats, result: Floats) -> None:
        """Write sum_ab V_ab l_a(x) l_b(y) ... at the rows.

        Shapes: values (C, p^d), those of the cells at their nodes; result (n + 1,), whose last entry means
        nothing.
        """
        for group in self.groups():
            count = group.bases[0].shape[2]
            sums = np.matmul(group.bases[0], values[group.cells].reshape(len(group.cells), count, -1))
            for base in group.bases[1:]:
                sums = np.einsum("bik,bikl->bil", base, sums.reshape(*group.rows.shape, count, -1))
            result[group.rows] = sums[..., 0]


def blocks_of(places: Places, rows: Indices, count: int) -> list[Blocks]:
    """Return rows in full blocks and, where a cell has less left, in small ones.

    Shapes: rows (m,), the numbers of the rows that have the places.
    """
    order = np.argsort(places.cells, kind="stable")
    starts = np.flatnonzero(np.diff(places.cells[order], prepend=-1))
    counts = np.diff(starts, append=len(order))
    full = counts // FULL_BLOCK
    small = -(-(counts - full * FULL_BLOCK) // SMALL_BLOCK)
    result = []
    for size, number, first in ((FULL_BLOCK, full, starts), (SMALL_BLOCK, small, starts + full * FULL_BLOCK)):
        cells = np.repeat(np.arange(len(starts)), number)
        within = np.arange(len(cells)) - np.repeat(np.cumsum(number) - number, number)
        at = first[cells][:, None] + size * within[:, None] + np.arange(size)
        is_there = at < (starts + counts)[cells][:, None]
        if len(cells):
            some = order[np.where(is_there, at, 0)]
            numbers = np.where(is_there, rows[some], UNUSED)
            result.append(Blocks.of(numbers, cells, places.positions[some], count))
    return result


def tiles_of_cells(places: Places) -> Iterator[tuple[Indices, Indices]]:
    """Cut rows into parts, each beside all rows of the same cell and of its neighbours.

    Result: parts and their columns as numbers of rows, of one mebibyte of pairs.
    """
    order = np.argsort(places.cells, kind="stable")
    ends = np.append(0, np.cumsum(np.bincount(places.cells)))
    # Cells that follow each other along the last axis are neighbours in the order.
    sides = places.keys[:, None] + _shifts(places.strides[:-1])
    lows = np.searchsorted(places.keys, sides - 1, side="left")
    highs = np.searchsorted(places.keys, sides + 1, side="right")
    for cell, (low, high) in enumerate(zip(ends[lows].tolist(), ends[highs].tolist(), strict=True)):
        columns = np.concatenate([order[a:b] for a, b in zip(low, high, strict=True)])
        step = max(1, _GROUP_ENTRIES // len(columns))
        for start in range(int(ends[cell]), int(ends[cell + 1]), step):
            yield order[start : min(start + step, int(ends[cell + 1]))], columns


def _shifts(strides: tuple[int, ...]) -> Indices:
    """Return what one cell back, none and one on along every axis add to a key."""
    shifts = np.zeros(1, dtype=np.intp)
    for stride in strides:
        shifts = (shifts[:, None] + stride * np.arange(-1, 2)).reshape(-1)
    return shifts


def most_blocks(blocks: list[Blocks]) -> int:
    """Return the largest number of blocks that one cell has."""
    return sum(int(np.bincount(part.cells).max()) for part in blocks)

"""Pairs of rows within the cutoff: the search by a tree, and the matrices that are filled from it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from rkde.errors import MemoryLimit
from rkde.fast._float64 import SATURATION, Floats, ScaledRows, exact_separations, split_bandwidth
from rkde.fast._resources import Progress, Report, shown
from rkde.fast.kernels import Kernel
from rkde.fast.operators.common import TILE_ROWS
from rkde.fast.operators.cutoff import LEAF_ROWS, estimate_fill, log_radius, tree_radius, tree_rows
from rkde.fast.operators.protocol import Indices

# Pairs that a chunk of rows is to have. Finding and using them takes about 64 bytes a pair, while the chunk
# before, 24 bytes a pair, still stands.
CHUNK_PAIRS: Final = 2**20
CHUNK_BYTES: Final = 88 * CHUNK_PAIRS
# In the order of a tree, near rows are counted for one row in so many, its neighbours being taken for alike.
_RUN: Final = 64
# Pairs evaluated at once: a handful of arrays of that many float64 stay in the cache.
_CACHED_PAIRS: Final = 2**15
# Squares below this have lost digits.
SAFE_SQUARE: Final = 2.0**-900
# Bytes a pair: a value, a column and, while chunks are joined, both once more.
STORED_BYTES: Final = 8 + 4
BUILD_BYTES: Final = 2 * STORED_BYTES
# In more columns few data have few near pairs, and a tree finds them slowly.
_MOST_COLUMNS: Final = 8
# Up to this share of near pairs: measured, the two ways take the same time at shares of 0.15 to 0.3 on one
# thread, and threads share the evaluation of all pairs, but not the search.
_MOST_FILL: Final = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class NearChunk:
    """The near pairs of some rows among themselves and with later rows, each once.

    Attributes
    ----------
    start, stop : int
        The rows, by their places in the order of the search.
    i, j : ndarray of int, shape (p,)
        The pairs, by the places of their rows.
    square : ndarray, shape (p,)
        Squared distances over h^2, relative error d + 5 roundings.
    """

    start: int
    stop: int
    i: Indices
    j: Indices
    square: Floats


class NearSearch:
    """The search for the pairs of rows within a radius.

    Parameters
    ----------
    rows : ScaledRows
        n rows, scaled for the kernel's bandwidth.
    tree_rows : ndarray, shape (n, d)
        The same within the range of a tree.
    radius : float
        In the units of `tree_rows`.
    kernel : Kernel
        The kernel.

    Attributes
    ----------
    order : ndarray of int, shape (n,)
        The rows in the order of a k-d tree, in which near rows have near places.
    """

    def __init__(self, rows: ScaledRows, tree_rows: Floats, radius: float, kernel: Kernel) -> None:
        whole = cKDTree(tree_rows, leafsize=LEAF_ROWS, balanced_tree=False)
        order = np.asarray(whole.indices, dtype=np.intp)
        self.order: Indices = order
        self._radius = radius
        self._kernel = kernel
        self._sorted = ScaledRows(rows.rows[order], rows.scaled[order], rows.may_overflow, rows.may_underflow)
        self._edges = _edges(whole, tree_rows, order, radius)
        self._trees = [
            cKDTree(tree_rows[order[first:last]], leafsize=LEAF_ROWS)
            for first, last in itertools.pairwise(self._edges)
        ]

    def chunks(self) -> Iterator[NearChunk]:
        """Find the pairs and measure them, some rows at a time."""
        for number, (start, stop) in enumerate(itertools.pairwise(self._edges.tolist())):
            i, j = self._pairs_of_chunk(number)
            yield NearChunk(start, stop, i, j, pair_squares(self._sorted, self._sorted, i, j, self._kernel))

    def _pairs_of_chunk(self, number: int) -> tuple[Indices, Indices]:
        """Return the pairs of a chunk's rows among themselves and with those of later chunks."""
        tree, start, radius = self._trees[number], self._edges[number], self._radius
        own = (
            np.asarray(tree.query_pairs(radius, output_type="ndarray"), dtype=np.intp).reshape(-1, 2) + start
        )
        firsts, seconds = [own[:, 0]], [own[:, 1]]
        for other, later in zip(self._trees[number + 1 :], self._edges[number + 1 : -1], strict=True):
            if _are_apart(tree, other, radius):
                continue
            pairs = tree.sparse_distance_matrix(other, radius, output_type="ndarray")
            firsts.append(pairs["i"].astype(np.intp) + start)
            seconds.append(pairs["j"].astype(np.intp) + later)
        return np.concatenate(firsts), np.concatenate(seconds)


def pair_squares(left: ScaledRows, right: ScaledRows, i: Indices, j: Indices, kernel: Kernel) -> Floats:
    """Return |x_i - y_j|^2 / h^2 for pairs of rows by direct differences, whatever their magnitudes.

    Shapes: i, j (p,), the pairs; result (p,). Result: relative error d + 5 roundings; infinite beyond
    float64; 0 for equal rows.
    """
    columns = [
        (np.ascontiguousarray(mine), np.ascontiguousarray(theirs))
        for mine, theirs in zip(left.scaled.T, right.scaled.T, strict=True)
    ]
    total = np.empty(len(i))
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        for first in range(0, len(i), _CACHED_PAIRS):
            part = slice(first, first + _CACHED_PAIRS)
            _add_squares(columns, i[part], j[part], total[part])
        mantissa, _ = split_bandwidth(kernel.bandwidth)
        places = np.flatnonzero(_suspects(total, left, right))
        total /= mantissa * mantissa
        if len(places):
            unit, power = exact_separations(left.rows, right.rows, i[places], j[places], kernel.bandwidth)
            total[places] = np.ldexp(unit * unit, 2 * power)
    return total


def _add_squares(columns: list[tuple[Floats, Floats]], i: Indices, j: Indices, total: Floats) -> None:
    """Write the squared distances of some pairs in scaled units."""
    total[:] = 0.0
    for mine, theirs in columns:
        difference = mine[i] - theirs[j]
        difference *= difference
        total += difference


def _suspects(square: Floats, left: ScaledRows, right: ScaledRows) -> NDArray[np.bool_]:
    """Tell which squares may have left the range in which they have their digits."""
    suspect = np.zeros(len(square), dtype=np.bool_)
    if left.may_overflow or right.may_overflow:
        suspect |= ~np.isfinite(square)
    if left.may_underflow or right.may_underflow:
        suspect |= square < SAFE_SQUARE
    return suspect


def _edges(tree: cKDTree, tree_rows: Floats, order: Indices, radius: float) -> Indices:
    """Return where to cut the rows so that each chunk has about as many pairs, wherever rows crowd."""
    some = tree_rows[order[::_RUN]]
    counts = np.asarray(tree.query_ball_point(some, radius, return_length=True), dtype=np.intp)
    # A row finds itself, and each of the others is a pair of the earlier of the two.
    ends = np.cumsum(np.repeat(counts / 2, _RUN)[: len(order)])
    cuts = np.flatnonzero(np.diff(ends // CHUNK_PAIRS)) + 1
    return np.concatenate(([0], cuts, [len(order)])).astype(np.intp)


def _are_apart(tree: cKDTree, other: cKDTree, radius: float) -> bool:
    gaps = np.maximum(other.mins - tree.maxes, tree.mins - other.maxes)
    return bool(gaps.max() > radius)


@dataclass(frozen=True, slots=True, eq=False)
class NearPairs:
    """Kernel values of the near pairs.

    Attributes
    ----------
    order : ndarray of int, shape (n,)
        The rows in the order in which the matrix has them.
    upper : csr_array, shape (n, n)
        kappa of each near pair once, without the diagonal.
    same : ndarray of int, shape (p, 2)
        Pairs of rows at distance 0.
    small : int
        Number of pairs whose distance over h is too small to have its full accuracy, 0 included.
    """

    order: Indices
    upper: csr_array
    same: Indices
    small: int


def near_pairs(search: NearSearch, kernel: Kernel, limit: int, report: Report) -> NearPairs:
    """Evaluate the kernel at the pairs of a search, chunk by chunk."""
    size = len(search.order)
    parts, same, small, total = [], [], 0, 0
    for chunk in search.chunks():
        zero = chunk.square == 0
        small += int(np.count_nonzero(chunk.square < SAFE_SQUARE))
        same.append(np.column_stack((chunk.i[zero], chunk.j[zero])))
        shape = (chunk.stop - chunk.start, size)
        # The rows of a chunk become consecutive; scipy picks 32-bit columns where they suffice.
        parts.append(
            csr_array((kernel_values(kernel, chunk.square), (chunk.i - chunk.start, chunk.j)), shape=shape)
        )
        total += len(chunk.i)
        _check(total, limit, size)
        report(Progress("matrix", chunk.stop, size))
    return NearPairs(search.order, stacked(parts, size), search.order[np.concatenate(same)], small)


def kernel_values(kernel: Kernel, square: Floats) -> Floats:
    """Return kappa from squared distances over h^2; those may be overwritten."""
    separation = square if kernel.squared else np.sqrt(square)
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(kernel.unit_log_profile(separation, 1)))


def _check(pairs: int, limit: int, size: int) -> None:
    if pairs * STORED_BYTES > limit:
        raise MemoryLimit(
            f"the near pairs of {size} rows need more than the limit of {shown(limit)}",
            where="memory_limit",
            value=f"{pairs} pairs so far",
            remedy='raise memory_limit, or use engine="tiled", a smaller bandwidth or fewer rows',
        )


def stacked(parts: list[csr_array], size: int) -> csr_array:
    """Join the rows of chunks of `size` columns, each released once its arrays are copied."""
    total, rows = sum(part.nnz for part in parts), sum(part.shape[0] for part in parts)
    index = np.int32 if max(total, size) <= np.iinfo(np.int32).max else np.int64
    data = np.empty(total)
    columns: Indices = np.empty(total, dtype=index)
    starts = np.zeros(rows + 1, dtype=np.int64)
    first = row = 0
    while parts:
        part = parts.pop(0)
        data[first : first + part.nnz], columns[first : first + part.nnz] = part.data, part.indices
        starts[row + 1 : row + 1 + part.shape[0]] = part.indptr[1:] + np.int64(first)
        first, row = first + part.nnz, row + part.shape[0]
    return csr_array((data, columns, starts.astype(index)), shape=(rows, size), copy=False)


def entry_slices(matrix: csr_array, entries: int = CHUNK_PAIRS) -> Iterator[tuple[slice, slice]]:
    """Split the rows of a matrix into runs of about so many entries, as (rows, entries)."""
    starts: NDArray[np.signedinteger] = matrix.indptr
    rows = len(starts) - 1
    cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]), entries), side="left")
    edges = np.unique(np.concatenate((cuts, [0, rows])))
    for first, last in itertools.pairwise(edges.tolist()):
        yield slice(first, last), slice(int(starts[first]), int(starts[last]))


def search_of_few(rows: ScaledRows, kernel: Kernel, spare_bytes: int) -> NearSearch | None:
    """Return a search for all pairs with D < 2 if that is cheaper than to evaluate every pair, else None.

    Result: none for heavy tails, many columns, many near pairs, squares that may underflow, or too little
    memory for a chunk.
    """
    if rows.rows.shape[1] > _MOST_COLUMNS or spare_bytes < CHUNK_BYTES:
        return None
    radius = log_radius(kernel, -SATURATION)
    if radius is None or rows.may_underflow:
        # A search measures squares, which may be 0 where the distance is not.
        return None
    table, reach = tree_rows(rows), tree_radius(kernel, radius)
    if estimate_fill(table, reach).share > _MOST_FILL:
        return None
    return NearSearch(rows, table, reach, kernel)


def fill_near(matrix: Floats, search: NearSearch, kernel: Kernel, report: Report) -> int:
    """Write the upper triangle of D and squares on the diagonal: 2, 0 for a row with itself, and near pairs.

    Shapes: matrix (n, n), overwritten. Result: pairs that were evaluated.

    Notes
    -----
    8 bytes written a pair, and some 80 ns a near pair.
    """
    for top in range(0, len(matrix), TILE_ROWS):
        matrix[top : top + TILE_ROWS, top:] = 2.0
    np.fill_diagonal(matrix, 0.0)
    count = 0
    for chunk in search.chunks():
        _write(matrix, search.order[chunk.i], search.order[chunk.j], chunk.square, kernel)
        count += len(chunk.i)
        report(Progress("matrix", chunk.stop, len(matrix)))
    return count


def _write(matrix: Floats, i: Indices, j: Indices, square: Floats, kernel: Kernel) -> None:
    """Write D of some pairs into the upper triangle and squares on the diagonal; overwrites their squares."""
    separation = square if kernel.squared else np.sqrt(square, out=square)
    values = kernel.unit_complement(separation, 1)
    values *= 2
    size, entries = len(matrix), matrix.reshape(-1)
    entries[np.minimum(i, j) * size + np.maximum(i, j)] = values
    both = np.flatnonzero(i // TILE_ROWS == j // TILE_ROWS)
    entries[np.maximum(i[both], j[both]) * size + np.minimum(i[both], j[both])] = values[both]

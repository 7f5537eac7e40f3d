"""The near pairs of rows as half of a sparse matrix: each pair once, in the order of a k-d tree."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from rkde.errors import MemoryLimit
from rkde.fast._distances import ScaledRows, exact_separations, split_bandwidth
from rkde.fast._kernel import Kernel
from rkde.fast._memory import shown
from rkde.fast._progress import Progress, Report
from rkde.fast.inputs import Floats
from rkde.fast.operators.protocol import Indices

# Pairs that a chunk of rows is to have: its arrays, about 60 bytes a pair, are then some 60 MB.
_CHUNK_PAIRS: Final = 2**20
# In the order of a tree, near rows are counted for one row in so many, its neighbours being taken for alike.
_RUN: Final = 64
# Bytes a pair: a value, a column and, while chunks are joined, both once more.
STORED_BYTES: Final = 8 + 4
BUILD_BYTES: Final = 2 * STORED_BYTES
CHUNK_BYTES: Final = 64 * _CHUNK_PAIRS
# Pairs evaluated at once: a handful of arrays of that many float64 stay in the cache.
_CACHED_PAIRS: Final = 2**15
# Squares below this have lost digits.
_SAFE_SQUARE: Final = 2.0**-900


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
        Pairs, in the order of the matrix, at distance 0.
    small : int
        Number of pairs whose distance over h is too small to have its full accuracy, 0 included.
    """

    order: Indices
    upper: csr_array
    same: Indices
    small: int


def near_pairs(
    rows: ScaledRows,
    tree_rows: Floats,
    radius: float,
    kernel: Kernel,
    limit: int,
    report: Report,
) -> NearPairs:
    """Find the pairs within a radius and evaluate the kernel there, chunk by chunk.

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
    limit : int
        Bytes that the pairs may take.
    report : callable
        Takes a `Progress` after every chunk.

    Returns
    -------
    NearPairs

    Raises
    ------
    MemoryLimit
        There are more pairs than the limit allows.
    """
    size = len(rows.rows)
    whole = cKDTree(tree_rows, balanced_tree=False)
    order = np.asarray(whole.indices, dtype=np.intp)
    sorted_rows = ScaledRows(rows.rows[order], rows.scaled[order], rows.may_overflow, rows.may_underflow)
    edges = _edges(whole, tree_rows, order, radius)
    trees = [cKDTree(tree_rows[order[a:b]]) for a, b in itertools.pairwise(edges)]
    parts, same, small, total = [], [], 0, 0
    for number, start in enumerate(edges[:-1]):
        i, j = _pairs_of_chunk(trees, edges, number, radius)
        square = pair_squares(sorted_rows, sorted_rows, i, j, kernel)
        zero = square == 0
        small += int(np.count_nonzero(square < _SAFE_SQUARE))
        same.append(np.column_stack((i[zero], j[zero])))
        shape = (int(edges[number + 1] - start), size)
        # The rows of a chunk become consecutive; scipy picks 32-bit columns where they suffice.
        parts.append(csr_array((_values(kernel, square), (i - start, j)), shape=shape))
        total += len(i)
        _check(total, limit, size)
        report(Progress("matrix", int(edges[number + 1]), size))
    return NearPairs(order, _stacked(parts, size), np.concatenate(same), small)


def _edges(tree: cKDTree, tree_rows: Floats, order: Indices, radius: float) -> Indices:
    """Return where to cut the rows so that each chunk has about as many pairs, wherever rows crowd."""
    some = tree_rows[order[::_RUN]]
    counts = np.asarray(tree.query_ball_point(some, radius, return_length=True), dtype=np.intp)
    # A row finds itself, and each of the others is a pair of the earlier of the two.
    ends = np.cumsum(np.repeat(counts / 2, _RUN)[: len(order)])
    cuts = np.flatnonzero(np.diff(ends // _CHUNK_PAIRS)) + 1
    return np.concatenate(([0], cuts, [len(order)])).astype(np.intp)


def pair_squares(left: ScaledRows, right: ScaledRows, i: Indices, j: Indices, kernel: Kernel) -> Floats:
    """Return |x_i - y_j|^2 / h^2 for pairs of rows by direct differences, whatever their magnitudes.

    Parameters
    ----------
    left, right : ScaledRows
        Rows scaled for the kernel's bandwidth.
    i, j : ndarray of int, shape (p,)
        The pairs.
    kernel : Kernel
        The kernel.

    Returns
    -------
    ndarray, shape (p,)
        Relative error d + 5 roundings; infinite beyond float64; 0 for equal rows.
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
        suspect |= square < _SAFE_SQUARE
    return suspect


def _values(kernel: Kernel, square: Floats) -> Floats:
    separation = square if kernel.squared else np.sqrt(square)
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(kernel.unit_log_profile(separation, 1)))


def _pairs_of_chunk(
    trees: Sequence[cKDTree], edges: Indices, number: int, radius: float
) -> tuple[Indices, Indices]:
    """Return the pairs of a chunk's rows among themselves and with those of later chunks."""
    tree, start = trees[number], edges[number]
    own = np.asarray(tree.query_pairs(radius, output_type="ndarray"), dtype=np.intp).reshape(-1, 2) + start
    firsts, seconds = [own[:, 0]], [own[:, 1]]
    for other, later in zip(trees[number + 1 :], edges[number + 1 : -1], strict=True):
        if _are_apart(tree, other, radius):
            continue
        found = tree.sparse_distance_matrix(other, radius, output_type="ndarray")
        firsts.append(found["i"].astype(np.intp) + start)
        seconds.append(found["j"].astype(np.intp) + later)
    return np.concatenate(firsts), np.concatenate(seconds)


def _are_apart(tree: cKDTree, other: cKDTree, radius: float) -> bool:
    gaps = np.maximum(other.mins - tree.maxes, tree.mins - other.maxes)
    return bool(gaps.max() > radius)


def _check(pairs: int, limit: int, size: int) -> None:
    if pairs * STORED_BYTES > limit:
        raise MemoryLimit(
            f"the near pairs of {size} rows need more than the limit of {shown(limit)}",
            where="memory_limit",
            value=f"{pairs} pairs so far",
            remedy='raise memory_limit, use engine="tiled", a smaller bandwidth, or fewer rows',
        )


def _stacked(parts: list[csr_array], size: int) -> csr_array:
    """Join the rows of the chunks, each of which is released once its arrays are copied."""
    total = sum(part.nnz for part in parts)
    index = np.int32 if max(total, size) < 2**31 else np.int64
    data = np.empty(total)
    columns: Indices = np.empty(total, dtype=index)
    starts = np.zeros(size + 1, dtype=np.int64)
    first = row = 0
    while parts:
        part = parts.pop(0)
        data[first : first + part.nnz], columns[first : first + part.nnz] = part.data, part.indices
        starts[row + 1 : row + 1 + part.shape[0]] = part.indptr[1:] + np.int64(first)
        first, row = first + part.nnz, row + part.shape[0]
    return csr_array((data, columns, starts.astype(index)), shape=(size, size), copy=False)


def entry_slices(matrix: csr_array, entries: int = _CHUNK_PAIRS) -> Iterator[tuple[slice, slice]]:
    """Split the rows of a matrix into runs of about so many entries, as (rows, entries)."""
    starts: NDArray[np.signedinteger] = matrix.indptr
    rows = len(starts) - 1
    cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]), entries), side="left")
    edges = np.unique(np.concatenate((cuts, [0, rows])))
    for first, last in itertools.pairwise(edges.tolist()):
        yield slice(first, last), slice(int(starts[first]), int(starts[last]))

"""The pairs of rows within a radius, chunk by chunk in the order of a k-d tree, and their distances."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rkde.fast._distances import ScaledRows, exact_separations, split_bandwidth
from rkde.fast._kernel import Kernel
from rkde.fast.inputs import Floats
from rkde.fast.operators._cutoff import LEAF_ROWS
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
            found = tree.sparse_distance_matrix(other, radius, output_type="ndarray")
            firsts.append(found["i"].astype(np.intp) + start)
            seconds.append(found["j"].astype(np.intp) + later)
        return np.concatenate(firsts), np.concatenate(seconds)


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

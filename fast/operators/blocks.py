"""Work on blocks of D that stay in the cache: building them, norms over them, clusters among their rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from rkde.fast._float64 import Floats, ScaledRows, scale_rows, separations, sum_factor
from rkde.fast.kernels import Kernel, log_profiles
from rkde.fast.operators.protocol import Indices

# Entries of a block: 2**17 float64 are 1 MiB, which stays in the cache through the passes over them.
BLOCK_ENTRIES: Final = 2**17
# Float64 arrays of the size of a block that its users hold at once: the block, its scales, a factor of it.
BLOCK_COPIES: Final = 4
FLOAT_BYTES: Final = 8
# Rows are copied whole where at least one in so many of their entries is wanted.
_WHOLE_ROWS: Final = 4


def difference_block(left: ScaledRows, right: ScaledRows, kernel: Kernel) -> Floats:
    """Return D between two sets of rows by direct differences, shape (m, n).

    Parameters
    ----------
    left, right : ScaledRows
        m and n rows, scaled for the kernel's bandwidth.
    kernel : Kernel
        The kernel.

    Returns
    -------
    ndarray, shape (m, n)
        Relative error of an entry a few more than d roundings; 0 for equal rows.
    """
    separation = separations(left, right, kernel.bandwidth, squared=kernel.squared)
    complement = kernel.unit_complement(separation, left.rows.shape[1])
    complement *= 2
    return complement


def chosen_entries(matrix: Floats, rows: Indices, columns: Indices) -> Floats:
    """Return chosen rows and columns of a stored matrix, a new array.

    Parameters
    ----------
    matrix : ndarray, shape (n, n)
    rows, columns : ndarray of int, shape (k,) and (l,)

    Returns
    -------
    ndarray, shape (k, l)

    Notes
    -----
    Where many columns are wanted, whole rows are copied into the cache first and the columns taken from
    there, at half of the time of taking entries one by one from memory.
    """
    if len(columns) * _WHOLE_ROWS < matrix.shape[1]:
        return np.asarray(matrix[np.ix_(rows, columns)])
    step = max(1, BLOCK_ENTRIES // matrix.shape[1])
    result = np.empty((len(rows), len(columns)))
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        # With a mode other than "raise" numpy writes into the result and needs no buffer.
        matrix.take(rows[part], axis=0).take(columns, axis=1, out=result[part], mode="clip")
    return result


def cross_sums(X: Floats, kernel: Kernel, queries: Floats, coefficients: Floats) -> Floats:
    """Return sum_j c_j kappa(x, X_j) at queries, by blocks of direct differences.

    Parameters
    ----------
    X : ndarray, shape (n, d)
    kernel : Kernel
    queries : ndarray, shape (m, d)
    coefficients : ndarray, shape (n,)

    Returns
    -------
    ndarray, shape (m,)
    """
    asked, rows = scale_rows(queries, kernel.bandwidth), scale_rows(X, kernel.bandwidth)
    step = max(1, BLOCK_ENTRIES // len(X))
    result = np.empty(len(queries))
    for start in range(0, len(queries), step):
        logs = log_profiles(kernel, asked.part(start, start + step), rows)
        with np.errstate(under="ignore"):
            result[start : start + step] = (np.exp(logs, out=logs) * coefficients).sum(axis=1)
    return result


def largest_block(memory_limit: int, used: int) -> int:
    """Return the largest order of a block of D whose users keep within the limit."""
    return math.isqrt(max(0, memory_limit - used) // (BLOCK_COPIES * FLOAT_BYTES))


def tiled_gram_norm(
    rows: Indices, squares: Floats, shares: Floats, tile: Callable[[Indices, Indices], Floats]
) -> float:
    """Return (sum_ij s_i s_j (q_i + q_j - D_ij)^2)^(1/2) over the chosen rows, rounded up.

    Parameters
    ----------
    rows : ndarray of int, shape (m,)
        The chosen rows.
    squares, shares : ndarray, shape (m,)
        q and s, at least 0.
    tile : callable
        From rows and columns to the block of D.

    Returns
    -------
    float

    Notes
    -----
    Some passes over half of the entries of D on the chosen rows, in tiles that stay in the cache.
    """
    step = max(1, BLOCK_ENTRIES // max(1, len(rows)))
    total = 0.0
    for first in range(0, len(rows), step):
        last = first + step
        numerators = (squares[first:last, None] + squares[first:]) - tile(rows[first:last], rows[first:])
        np.square(numerators, out=numerators)
        # Each pair of blocks serves twice, but for a block with itself.
        own, later = numerators[:, :step] @ shares[first:last], numerators[:, step:] @ shares[last:]
        total += float(shares[first:last] @ (own + 2 * later))
    return math.sqrt(total) * (1 + sum_factor(len(rows) + 16))


def tiled_clusters(rows: Indices, largest: float, tile: Callable[[Indices, Indices], Floats]) -> Indices:
    """Return for each chosen row the number of its cluster, rows with D_ij <= `largest` joined.

    Parameters
    ----------
    rows : ndarray of int, shape (m,)
        The chosen rows.
    largest : float
        The largest distance at which two rows are joined.
    tile : callable
        From rows and columns to the block of D.

    Returns
    -------
    ndarray of int, shape (m,)

    Notes
    -----
    m^2 / 2 comparisons; clusters are merged block by block, so that memory stays of the order of m.
    """
    labels = np.arange(len(rows), dtype=np.intp)
    step = max(1, BLOCK_ENTRIES // max(1, len(rows)))
    for first in range(0, len(rows), step):
        near = np.nonzero(tile(rows[first : first + step], rows[first:]) <= largest)
        pairs = labels[near[0] + first], labels[near[1] + first]
        graph = coo_array((np.ones(len(pairs[0]), np.int8), pairs), shape=(len(rows), len(rows)))
        labels = connected_components(graph, directed=False)[1][labels].astype(np.intp)
    return labels

"""Locations: which rows lie at one place, by the first of them."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from rkde.fast._float64 import Floats, distinct_rows
from rkde.fast.operators.blocks import BLOCK_ENTRIES
from rkde.fast.operators.protocol import Indices


def locations_of(X: Floats) -> Indices:
    """Return for each row the first one that equals it, shape (n,)."""
    return first_rows(distinct_rows(X).inverse)


def locations_with(X: Floats, same: Indices) -> tuple[Indices, int]:
    """Return the same where some pairs of unequal rows may be at distance 0 too.

    Parameters
    ----------
    X : ndarray, shape (n, d)
    same : ndarray of int, shape (p, 2)
        All pairs of rows at distance 0, each once.

    Returns
    -------
    locations : ndarray of int, shape (n,)
        A location is what such pairs connect: distances that underflow need not be transitive.
    ties : int
        Pairs of equal rows.
    """
    found = distinct_rows(X)
    ties = int((found.counts * (found.counts - 1) // 2).sum())
    inverse: Indices = found.inverse
    if len(same) != ties:
        graph = coo_array((np.ones(len(same), np.int8), (same[:, 0], same[:, 1])), shape=(len(X),) * 2)
        inverse = connected_components(graph, directed=False)[1].astype(np.intp)
    return first_rows(inverse), ties


def first_rows(inverse: Indices) -> Indices:
    """Return for each row the first one with the same number, numbers 0 to k - 1, shape (n,)."""
    first = np.empty(int(inverse.max()) + 1, dtype=np.intp)
    # Written from the last row to the first, so that the first row at a location stands in the end.
    first[inverse[::-1]] = np.arange(len(inverse))[::-1]
    return np.asarray(first[inverse])


def locations_in(differences: Floats) -> Indices:
    """Return for each row the first one at distance 0, by looking through the whole matrix, shape (n,)."""
    size = len(differences)
    labels: Indices = np.empty(size, dtype=np.intp)
    zeros = 0
    step = max(1, BLOCK_ENTRIES // size)
    for start in range(0, size, step):
        is_zero = differences[start : start + step] == 0
        labels[start : start + step] = is_zero.argmax(axis=1)
        zeros += int(np.count_nonzero(is_zero))
    counts = np.bincount(labels, minlength=size)
    if zeros == int((counts * counts).sum()):
        return labels
    # Distances so small that they underflow need not be transitive; then a location is what they connect.
    _, component = connected_components(csr_array((differences == 0).astype(np.int8)), directed=False)
    return first_rows(component.astype(np.intp))

"""The kernelized spatial depth, with which section 6.2.3 compares."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats, TableLike, as_queries, distinct_rows, scale_rows, separations
from rkde.fast.kernels import Kernel
from rkde.fast.operators import BLOCK_PAIRS, DenseOperator
from rkde.fast.solvers import feature_products

# A row nearer than this share of the largest distance is handled by itself: elsewhere the quotient of two
# distances, by which a rounding is amplified, is at most its inverse.
_NEAR: Final = 2.0**-5


def depth(X: TableLike, kernel: Kernel, queries: TableLike) -> Floats:
    """Return 1 - |sum of the unit vectors from the rows to a query| / m in the Hilbert space.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    queries : array_like, shape (m, d)
        Where to evaluate; may be empty.

    Returns
    -------
    ndarray, shape (m,)
        Between 0 (outside, in one direction from all rows) and 1 (in the middle). Rows equal to the query
        have no direction and are left out; m is n - 1 if there are any, else n, and m = 0 gives 1.

    Raises
    ------
    InvalidType, InvalidInput
        A table breaks a rule, or `kernel` is not a kernel.
    MemoryLimit
        The matrix of 8 n^2 bytes cannot be allocated.

    Notes
    -----
    With D_i the squared distance |Phi(x) - Phi(X_i)|^2 and v_i = D_i^(-1/2), the squared length of the sum is
    (sum v) (sum v_i D_i) - v'D v / 2: one product of matrices for all queries, n^2 operations each. Its error
    is some n roundings of (sum v) (sum v_i D_i), hence that of the depth itself where the sum is long, and
    the root of it where the query is in the middle. Rows near the query, whose v is large, are added by
    themselves (n kernel values each). A distance whose square underflows counts as 0.

    Examples
    --------
    >>> from rkde.fast.kernels import Laplacian
    >>> depth([[-1.0], [1.0]], Laplacian(1.0), [[1.0], [5.0]]).round(6)
    array([0.      , 0.115935])
    """
    operator = DenseOperator(X, kernel)
    # Equal queries have one depth, to the last bit, whatever block of the products they would stand in.
    distinct = distinct_rows(as_queries(queries, operator.dim))
    rows = scale_rows(operator.X, kernel.bandwidth)
    scaled = scale_rows(distinct.rows, kernel.bandwidth)
    result = np.empty(len(distinct.rows))
    step = max(1, BLOCK_PAIRS // operator.size)
    for start in range(0, len(distinct.rows), step):
        part = scaled.part(start, start + step)
        separation = separations(part, rows, kernel.bandwidth, squared=kernel.squared)
        norms = np.sqrt(2 * kernel.unit_complement(separation, operator.dim))
        result[start : start + step] = _depths(operator, part.rows, norms)
    return np.asarray(result[distinct.inverse])


def _depths(operator: DenseOperator, queries: Floats, norms: Floats) -> Floats:
    """Return the depths of some queries, given their distances in tau to each row, shape (m, n)."""
    apart = norms > 0
    far = norms > _NEAR * norms.max(axis=1, keepdims=True)
    inverses = np.zeros_like(norms)
    np.divide(1.0, norms, out=inverses, where=far)
    among = ((inverses @ operator.differences) * inverses).sum(axis=1)
    square = inverses.sum(axis=1) * np.where(far, norms, 0.0).sum(axis=1) - among / 2
    for i in np.flatnonzero((apart & ~far).any(axis=1)):
        square[i] += _near_terms(operator, queries[i], norms[i], apart[i] & ~far[i])
    terms = apart.sum(axis=1)
    lengths = np.minimum(np.sqrt(np.maximum(square, 0.0)), terms)
    if len(np.unique(operator.locations)) <= 2:
        # From one place all unit vectors are equal up to rounding.
        alike = [len(np.unique(operator.locations[row])) == 1 for row in apart]
        lengths = np.where(alike, terms, lengths)
    count = norms.shape[1] - (terms < norms.shape[1])
    return np.where(count > 0, 1 - lengths / np.maximum(count, 1), 1.0)


def _near_terms(operator: DenseOperator, x: Floats, norms: Floats, near: NDArray[np.bool_]) -> float:
    """Return what the rows near x add to the squared length of the sum of unit vectors."""
    order = np.argsort(norms, kind="stable")
    order = order[norms[order] > 0]
    total = 0.0
    for position in range(int(np.count_nonzero(near))):
        u, farther = order[position], order[position + 1 :]
        products = feature_products(operator.kernel, x, operator.X[u], operator.X[farther])
        # The unit vector with itself, and twice with each farther one.
        total += 1 + 2 * math.fsum(np.clip(products / norms[u] / norms[farther], -1.0, 1.0))
    return total

"""Residual norms from one product with D, the same for every engine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rkde.fast.inputs import Floats
from rkde.fast.operators.protocol import KernelOperator


def residuals_of(operator: KernelOperator, weights: Floats) -> tuple[Floats, Floats]:
    """Return the residual norms and the size of the terms whose difference their squares are.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    weights : ndarray, shape (n,)
        At least 0, of sum 1.

    Returns
    -------
    norms : ndarray, shape (n,)
        In tau.
    terms : ndarray, shape (n,)
        In tau^2.

    Notes
    -----
    r_i^2 = (D w)_i - w'D w / 2, whose terms are of the size of the residuals' own squares unless one
    location holds most of the weight. There, with S, A and B the sums of w_j, w_j D_ij and w_j w_k D_jk
    over the rows off that location, r_i^2 = S A - B / 2, in which every term is small. Rounding moves
    r_i^2 by at most about n roundings of the sum of the two terms, which is the second array.
    """
    heavy = _heavy_rows(operator, weights)
    rest = weights if heavy is None else np.where(heavy, 0.0, weights)
    product = operator.product(rest)
    # Sums by numpy's pairwise addition: accurate, and no second BLAS in the iteration.
    among = float((rest * product).sum())
    if heavy is None:
        gain, loss = product, np.full(operator.size, among / 2)
    else:
        first = int(np.argmax(heavy))
        to_heavy, mass = float(product[first]), float(weights[heavy].sum())
        gain = product + mass * operator.row(first)
        loss = np.full(operator.size, mass * to_heavy + among / 2)
        gain[heavy], loss[heavy] = float(rest.sum()) * to_heavy, among / 2
    terms = gain + loss
    if operator.product_error:
        # The rounding of such a product is relative to sum |c| and not to its own entries.
        terms += 2 * float(rest.sum())
    # What rounding leaves below 0 is 0.
    return np.sqrt(np.maximum(gain - loss, 0.0)), terms


def _heavy_rows(operator: KernelOperator, weights: Floats) -> NDArray[np.bool_] | None:
    if operator.has_ties:
        masses = np.bincount(operator.locations, weights, minlength=operator.size)
        first = int(np.argmax(masses))
        return operator.locations == first if masses[first] > 1 / 2 else None
    first = int(np.argmax(weights))
    return np.arange(operator.size) == first if weights[first] > 1 / 2 else None

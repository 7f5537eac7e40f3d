"""Conjugate gradients for a positive definite matrix of which only products and the spectrum are known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from rkde.errors import NotConverged
from rkde.fast._float64.inputs import Floats

# The normwise backward error at which to stop: a product with the kernel matrix, whose entries and sums carry
# some roundings, changes the right side by as much.
_BACKWARD_ERROR: Final = 2.0**-49
# Rounding may delay the convergence that exact arithmetic would have, by this factor.
_DELAY: Final = 4


def conjugate_gradients(
    apply: Callable[[Floats], Floats], right: Floats, norm: float, condition: float
) -> Floats:
    """Solve H y = b to the level of rounding.

    Parameters
    ----------
    apply : callable
        The product with H, symmetric and positive definite.
    right : ndarray, shape (k,)
        b.
    norm : float
        A bound on the largest eigenvalue of H.
    condition : float
        The condition number of H.

    Returns
    -------
    ndarray, shape (k,)

    Raises
    ------
    NotConverged
        Within four times the steps that exact arithmetic needs at most, the residual did not fall below
        2^-49 (|H| |y| + |b|); never seen.

    Notes
    -----
    Such a y solves exactly a system that differs by 2^-49, relatively; so its own relative error is about
    2^-48 times the condition number. After j steps the error is at most 2 ((c - 1)/(c + 1))^j of the first in
    the norm of H, c the root of the condition number; each step is one product.
    """
    root = math.sqrt(condition)
    rate = -math.log1p(-2 / (root + 1)) if root > 1 else math.inf
    cap = 2 + math.ceil(_DELAY * (math.log(2 * root) - math.log(_BACKWARD_ERROR)) / rate)
    solution = np.zeros_like(right)
    residual = right.copy()
    direction = residual.copy()
    size = math.sqrt(float((right * right).sum()))
    square = size * size
    for _ in range(cap):
        level = _BACKWARD_ERROR * (norm * math.sqrt(float((solution * solution).sum())) + size)
        if math.sqrt(square) <= level:
            return solution
        image = apply(direction)
        step = square / float((direction * image).sum())
        solution += step * direction
        residual -= step * image
        before, square = square, float((residual * residual).sum())
        direction = residual + square / before * direction
    raise NotConverged(
        "conjugate gradients did not reach the level of rounding",
        where="weights",
        value=f"condition number {condition:.3g}",
        remedy="raise memory_limit, so that the system can be factored",
    )

"""Lanczos' method and conjugate gradients, for a symmetric matrix of which only products are known."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from rkde.errors import NotConverged
from rkde.fast._float64.inputs import Floats

_SEED: Final = 20120909
# Fewer steps could miss an eigenvector of which the random start holds little.
_LEAST_STEPS: Final = 10
# Most steps with all directions kept; where they do not suffice, the restarted iteration of ARPACK does.
_STEPS: Final = 60
# A new direction so short, beside the eigenvalue, is rounding: the directions span an invariant subspace, in
# which a random start has a part of every eigenvector.
_INVARIANT: Final = 2.0**-44
# The gap to the second eigenvalue is taken for half of what the iteration has found of it so far.
_GAP_SHARE: Final = 1 / 2
# Residual of ARPACK's answer, relative to it; the error of the eigenvalue is of the size of its square.
_ARPACK_TOLERANCE: Final = 2.0**-20
# The normwise backward error at which to stop: a product with the kernel matrix, whose entries and sums carry
# some roundings, changes the right side by as much.
_BACKWARD_ERROR: Final = 2.0**-49
# Rounding may delay the convergence that exact arithmetic would have, by this factor.
_DELAY: Final = 4


def largest_eigenvalue(apply: Callable[[Floats], Floats], order: int, tolerance: float) -> float:
    """Return the largest eigenvalue.

    Result: infinite where the iteration does not converge, in a cluster of eigenvalues.

    Notes
    -----
    With a unit vector v of Ritz value t and residual |A v - t v| = s, an eigenvalue lies within s of t, and
    within s^2 over the gap to the next one. Steps end once one of the two is below the tolerance: some 20 to
    30 products for a tolerance of 10^-4 of the eigenvalue, half of what a restarted iteration takes. The
    vector of each step is kept.
    """
    basis = np.empty((min(order, _STEPS), order))
    basis[0] = np.random.default_rng(_SEED).standard_normal((order,))
    basis[0] /= math.sqrt(float((basis[0] * basis[0]).sum()))
    diagonal: list[float] = []
    beside: list[float] = []
    for step in range(len(basis)):
        image = apply(basis[step])
        diagonal.append(float((image * basis[step]).sum()))
        # Twice, so that the directions stay orthogonal to rounding.
        for _ in range(2):
            image = image - _combined(basis[: step + 1], _inner(basis[: step + 1], image))
        length = math.sqrt(float((image * image).sum()))
        value, error = _ritz(np.array(diagonal), np.array(beside), length)
        is_exhausted = step + 1 == order or length <= _INVARIANT * value
        if is_exhausted or (error <= tolerance and step + 1 >= _LEAST_STEPS):
            return value
        beside.append(length)
        if step + 1 < len(basis):
            basis[step + 1] = image / length
    return _by_arpack(apply, order, basis[0])


def _inner(basis: Floats, vector: Floats) -> Floats:
    return np.asarray(np.einsum("ij,j->i", basis, vector))


def _combined(basis: Floats, coefficients: Floats) -> Floats:
    return np.asarray(np.einsum("ij,i->j", basis, coefficients))


def _ritz(diagonal: Floats, beside: Floats, length: float) -> tuple[float, float]:
    """Return the largest Ritz value and a bound of its distance from an eigenvalue."""
    values, vectors = eigh_tridiagonal(diagonal, beside)
    residual = length * abs(float(vectors[-1, -1]))
    if len(values) == 1:
        return float(values[-1]), residual
    gap = _GAP_SHARE * float(values[-1] - values[-2])
    return float(values[-1]), min(residual, residual * residual / gap if gap > 0 else residual)


def _by_arpack(apply: Callable[[Floats], Floats], order: int, start: Floats) -> float:
    operator = LinearOperator((order, order), matvec=apply, dtype=np.float64)
    try:
        values = eigsh(operator, k=1, which="LA", v0=start, tol=_ARPACK_TOLERANCE, return_eigenvectors=False)
    except ArpackNoConvergence:  # pragma: no cover (no matrix is known on which ARPACK comes to its cap)
        # Clustered eigenvalues; nothing is known then but that the system needs a closer look.
        return math.inf
    return float(values[0])


def conjugate_gradients(
    apply: Callable[[Floats], Floats], right: Floats, norm: float, condition: float
) -> Floats:
    """Solve H y = b to the level of rounding.

    Shapes: right (k,), b; result (k,).

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
        "conjugate gradients did not converge to within rounding",
        where="weights",
        value=f"condition number {condition:.3g}",
        remedy="raise memory_limit so that the system can be factored",
    )

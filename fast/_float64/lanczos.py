"""The largest eigenvalue of a positive semidefinite matrix from few products with it, by Lanczos' method."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

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


def largest_eigenvalue(apply: Callable[[Floats], Floats], order: int, tolerance: float) -> float:
    """Return the largest eigenvalue.

    Parameters
    ----------
    apply : callable
        From a vector of shape (order,) to its product with the matrix.
    order : int
        Order of the matrix.
    tolerance : float
        Error that is allowed, absolute.

    Returns
    -------
    float
        Infinite where the iteration does not converge, in a cluster of eigenvalues.

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
    if len(values) == 1 or residual == 0:
        return float(values[-1]), residual
    gap = _GAP_SHARE * float(values[-1] - values[-2])
    return float(values[-1]), min(residual, residual * residual / gap if gap > 0 else residual)


def _by_arpack(apply: Callable[[Floats], Floats], order: int, start: Floats) -> float:
    operator = LinearOperator((order, order), matvec=apply, dtype=np.float64)
    try:
        found = eigsh(operator, k=1, which="LA", v0=start, tol=_ARPACK_TOLERANCE, return_eigenvectors=False)
    except ArpackNoConvergence:
        # Clustered eigenvalues; nothing is known then but that the system needs a closer look.
        return math.inf
    return float(found[0])

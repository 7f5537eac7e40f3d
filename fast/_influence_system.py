"""gamma I - G, the symmetric form of Theorem 5's matrix on the active rows: factored once, or iterated with.

Its eigenvalues, and gamma, are those of n times the Hessian of J. For a minimum it is positive definite:
Cholesky. At a saddle it is symmetric and regular all the same: LU. Where it is too large to factor, products
with the kernel matrix and conjugate gradients do, which need a minimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, eigvalsh, lu_factor, lu_solve
from scipy.linalg.blas import dsymv

from rkde.errors import MemoryLimit, SingularSystem
from rkde.fast._conjugate_gradients import conjugate_gradients
from rkde.fast._largest_eigenvalue import largest_eigenvalue
from rkde.fast.inputs import Floats
from rkde.fast.operators import KernelOperator
from rkde.fast.operators._blocks import BLOCK_COPIES
from rkde.vocabulary import MAX_CONDITION

Indices = NDArray[np.intp]

# Orders up to which all eigenvalues cost less than the Lanczos iteration for one.
_SMALL: Final = 64
# Entries formed at once: 2^17 float64 are 1 MiB, which stays in the cache.
_TILE_ENTRIES: Final = 2**17
# The largest eigenvalue of G is computed to this share of gamma, with which it is compared.
_EIGENVALUE_SHARE: Final = 2.0**-22
# A largest eigenvalue of G up to this share of gamma leaves a system that is positive definite whatever the
# rounding; above it all eigenvalues are computed, since the condition number depends on its last digits.
_SAFELY_DEFINITE: Final = 1 - 2.0**-10
# Orders that are factored whatever the alternative.
_ALWAYS_FACTORED: Final = 2048
# Multiplications of a factorization, or of a solution with it, in the time of one read from memory.
_FLOPS_A_READ: Final = 8
# Products with the matrix that conjugate gradients take for one right side: measured 4 to 12.
_ITERATIONS: Final = 12


@dataclass(frozen=True, slots=True, eq=False)
class System:
    """gamma I - G for one choice of q.

    Attributes
    ----------
    scale : ndarray, shape (k,)
        s_i = (|q_i| / r_i^3)^(1/2), 0 where q_i is.
    solve : callable
        From right sides, shape (k, m), to solutions of the same shape.
    condition : float
        Of n times the Hessian of J.
    """

    scale: Floats
    solve: Callable[[Floats], Floats]
    condition: float


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """What gamma I - G is made of.

    Attributes
    ----------
    operator : KernelOperator
        Of X and the kernel.
    active : ndarray of int, shape (k,)
        The active rows.
    squares : ndarray, shape (k,)
        r_i^2.
    scale : ndarray, shape (k,)
        s_i.
    phi_sum : float
        gamma.
    """

    operator: KernelOperator
    active: Indices
    squares: Floats
    scale: Floats
    phi_sum: float

    def gram(self) -> Floats:
        """Return G, shape (k, k), from its diagonal on: nothing is written below."""
        order = len(self.active)
        gram = np.empty((order, order))
        first = 0
        while first < order:
            stop = min(order, first + max(1, _TILE_ENTRIES // (order - first)))
            part = slice(first, stop)
            tile = gram[part, first:]
            block = self.operator.block(self.active[part], self.active[first:])
            np.subtract(self.squares[first:], block, out=tile)
            tile += self.squares[part, np.newaxis]
            tile *= self.scale[first:] / 2
            tile *= self.scale[part, np.newaxis]
            first = stop
        return gram

    def gram_product(self, vector: Floats) -> Floats:
        """Return G v, shape (k,): one product with D."""
        scaled = self.scale * vector.reshape(-1)
        spread = np.zeros(self.operator.size)
        spread[self.active] = scaled
        total = self.squares * scaled.sum() + (self.squares * scaled).sum()
        return np.asarray(self.scale * (total - self.operator.product(spread)[self.active]) / 2)


def theorem_5_system(
    operator: KernelOperator,
    active: Indices,
    norms: Floats,
    q_values: Floats,
    phi_sum: float,
    count: int,
    kept: int = 1,
) -> System:
    """Make Theorem 5's system ready for solutions.

    Parameters
    ----------
    operator : KernelOperator
        Of X and the kernel.
    active : ndarray of int, shape (k,)
        Rows that contain all with q != 0.
    norms : ndarray, shape (k,)
        Their residual norms, above 0.
    q_values : ndarray, shape (k,)
        q(r_i), each from the side that is wanted at a kink.
    phi_sum : float
        gamma.
    count : int
        About how many right sides there will be.
    kept : int
        How many such systems there will be at the same time.

    Returns
    -------
    System

    Raises
    ------
    SingularSystem
        The condition number reaches `MAX_CONDITION`.
    MemoryLimit
        The system must be factored, near a saddle or at one, and its matrix does not fit.

    Notes
    -----
    k^3 / 3 multiplications and some products for the condition number; ten times as many near a saddle or at
    one. Conjugate gradients, where the matrix does not fit or where they are cheaper, take a few products
    with the kernel matrix for each x'.
    """
    scale = np.sqrt(np.abs(q_values) / norms) / norms
    if not q_values.any():
        return System(scale, lambda right: right / phi_sum, 1.0)
    matrix = Matrix(operator, active, norms * norms, scale, phi_sum)
    is_definite_form = not (q_values > 0).any()
    if is_definite_form and not _worth_factoring(operator, len(active), count, kept):
        largest = largest_eigenvalue(matrix.gram_product, len(active), _EIGENVALUE_SHARE * phi_sum)
        if largest <= _SAFELY_DEFINITE * phi_sum:
            return _iterated(matrix, largest)
    if len(active) > _largest_order(operator, kept):
        raise MemoryLimit(
            f"near a saddle, or at one, the system of {len(active)} active rows has to be factored",
            where="weights",
            value=f"{8 * kept * len(active) ** 2} bytes",
            remedy="raise memory_limit, or move a threshold or the bandwidth slightly",
        )
    gram = matrix.gram()
    largest = _largest_of(gram, phi_sum)
    np.negative(gram, out=gram)
    # A loss whose phi increases somewhere has q > 0 there, and the other sign.
    gram[np.diag_indices_from(gram)] += np.where(q_values > 0, -phi_sum, phi_sum)
    if is_definite_form and largest <= _SAFELY_DEFINITE * phi_sum:
        # In LAPACK's order of storage it is the transpose, whose lower triangle is the one that was written.
        factor = cho_factor(gram.T, lower=True, overwrite_a=True, check_finite=False)
        condition = phi_sum / (phi_sum - largest)
        return System(
            scale, lambda right: np.asarray(cho_solve(factor, right, check_finite=False)), condition
        )
    _complete(gram)
    condition = _checked_condition(gram, phi_sum)
    pivoted = lu_factor(gram.T, overwrite_a=True, check_finite=False)
    return System(scale, lambda right: np.asarray(lu_solve(pivoted, right, check_finite=False)), condition)


def _largest_order(operator: KernelOperator, kept: int) -> int:
    """Return the order up to which so many systems fit beside the temporaries of one."""
    return int(operator.block_limit * math.sqrt(BLOCK_COPIES / (BLOCK_COPIES + kept - 1)))


def _worth_factoring(operator: KernelOperator, order: int, count: int, kept: int) -> bool:
    if order > _largest_order(operator, kept):
        return False
    factoring = (order**3 / 3 + 2 * count * order**2) / _FLOPS_A_READ
    return order <= _ALWAYS_FACTORED or factoring <= count * _ITERATIONS * operator.product_cost


def _iterated(matrix: Matrix, largest: float) -> System:
    gamma = matrix.phi_sum
    condition = gamma / (gamma - largest)

    def apply(vector: Floats) -> Floats:
        return gamma * vector - matrix.gram_product(vector)

    def solve(right: Floats) -> Floats:
        columns = [conjugate_gradients(apply, column, gamma, condition) for column in right.T]
        return np.stack(columns, axis=1) if columns else np.zeros_like(right)

    return System(matrix.scale, solve, condition)


def _largest_of(gram: Floats, phi_sum: float) -> float:
    """Return the largest eigenvalue of a stored G of which nothing stands below the diagonal."""
    if len(gram) <= _SMALL:
        return float(eigvalsh(gram.T, lower=True, check_finite=False)[-1])
    # In BLAS's order of storage it is the transpose, whose lower triangle is the one that was written.
    tolerance = _EIGENVALUE_SHARE * phi_sum
    return largest_eigenvalue(lambda vector: dsymv(1.0, gram.T, vector, lower=1), len(gram), tolerance)


def _complete(gram: Floats) -> None:
    """Write a symmetric matrix below its diagonal as it is above."""
    step = max(1, _TILE_ENTRIES // len(gram))
    for start in range(0, len(gram), step):
        stop = min(start + step, len(gram))
        corner = gram[start:stop, start:stop]
        corner[:] = np.triu(corner) + np.triu(corner, 1).T
        gram[stop:, start:stop] = gram[start:stop, stop:].T


def _checked_condition(hessian: Floats, phi_sum: float) -> float:
    sizes = np.abs(eigvalsh(hessian, check_finite=False))
    smallest, biggest = float(sizes.min()), max(float(sizes.max()), phi_sum)
    if not smallest * float(MAX_CONDITION) > biggest:
        raise SingularSystem(
            "Theorem 5's system is singular: the derivative does not exist or is not unique",
            where="weights",
            value=f"smallest eigenvalue {smallest:.3g} beside {biggest:.3g}",
            remedy="move a threshold or the bandwidth slightly; near here the influence is very large",
        )
    return biggest / smallest

"""Theorem 5: the linear system of the influence function, and its solution alpha and alpha'."""

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
from rkde.fast._float64 import Floats, conjugate_gradients, largest_eigenvalue
from rkde.fast.operators import BLOCK_COPIES, KernelOperator
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
    gamma : float
        gamma.
    """

    operator: KernelOperator
    active: Indices
    squares: Floats
    scale: Floats
    gamma: float

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
    gamma: float,
    count: int,
    kept: int = 1,
) -> System:
    """Make Theorem 5's system ready for solutions.

    Shapes: active (k,), rows that contain all with q != 0; norms (k,), their residual norms, above 0;
    q_values (k,), q(r_i), each from the side that is wanted at a kink.

    Notes
    -----
    k^3 / 3 multiplications and some products for the condition number; ten times as many near a saddle or at
    one. Conjugate gradients, where the matrix does not fit or where they are cheaper, take a few products
    with the kernel matrix for each x'.
    """
    scale = np.sqrt(np.abs(q_values) / norms) / norms
    if not q_values.any():
        return System(scale, lambda right: right / gamma, 1.0)
    matrix = Matrix(operator, active, norms * norms, scale, gamma)
    is_definite_form = not (q_values > 0).any()
    if is_definite_form and not _worth_factoring(operator, len(active), count, kept):
        largest = largest_eigenvalue(matrix.gram_product, len(active), _EIGENVALUE_SHARE * gamma)
        if largest <= _SAFELY_DEFINITE * gamma:
            return _iterated(matrix, largest)
    if len(active) > _largest_order(operator, kept):
        raise MemoryLimit(
            f"the system of {len(active)} active rows near a saddle point exceeds the memory limit",
            where="weights",
            value=f"{8 * kept * len(active) ** 2} bytes",
            remedy="raise memory_limit, or change a threshold or the bandwidth slightly",
        )
    gram = matrix.gram()
    largest = _largest_of(gram, gamma)
    np.negative(gram, out=gram)
    # A loss whose phi increases somewhere has q > 0 there, and the other sign.
    gram[np.diag_indices_from(gram)] += np.where(q_values > 0, -gamma, gamma)
    if is_definite_form and largest <= _SAFELY_DEFINITE * gamma:
        # In LAPACK's order of storage it is the transpose, whose lower triangle is the one that was written.
        factor = cho_factor(gram.T, lower=True, overwrite_a=True, check_finite=False)
        condition = gamma / (gamma - largest)
        return System(
            scale, lambda right: np.asarray(cho_solve(factor, right, check_finite=False)), condition
        )
    _complete(gram)
    condition = _checked_condition(gram, gamma)
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
    gamma = matrix.gamma
    condition = gamma / (gamma - largest)

    def apply(vector: Floats) -> Floats:
        return gamma * vector - matrix.gram_product(vector)

    def solve(right: Floats) -> Floats:
        columns = [conjugate_gradients(apply, column, gamma, condition) for column in right.T]
        return np.stack(columns, axis=1) if columns else np.zeros_like(right)

    return System(matrix.scale, solve, condition)


def _largest_of(gram: Floats, gamma: float) -> float:
    """Return the largest eigenvalue of a stored G of which nothing stands below the diagonal."""
    if len(gram) <= _SMALL:
        return float(eigvalsh(gram.T, lower=True, check_finite=False)[-1])
    # In BLAS's order of storage it is the transpose, whose lower triangle is the one that was written.
    tolerance = _EIGENVALUE_SHARE * gamma
    return largest_eigenvalue(lambda vector: dsymv(1.0, gram.T, vector, lower=1), len(gram), tolerance)


def _complete(gram: Floats) -> None:
    """Write a symmetric matrix below its diagonal as it is above."""
    step = max(1, _TILE_ENTRIES // len(gram))
    for start in range(0, len(gram), step):
        stop = min(start + step, len(gram))
        corner = gram[start:stop, start:stop]
        corner[:] = np.triu(corner) + np.triu(corner, 1).T
        gram[stop:, start:stop] = gram[start:stop, stop:].T


def _checked_condition(hessian: Floats, gamma: float) -> float:
    sizes = np.abs(eigvalsh(hessian, check_finite=False))
    smallest, biggest = float(sizes.min()), max(float(sizes.max()), gamma)
    if not smallest * float(MAX_CONDITION) > biggest:
        raise SingularSystem(
            "the system of Theorem 5 is singular, so the derivative does not exist or is not unique",
            where="weights",
            value=f"smallest eigenvalue {smallest:.3g}, largest {biggest:.3g}",
            remedy="change a threshold or the bandwidth slightly, and expect very large influences nearby",
        )
    return biggest / smallest


Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class StationaryPoint:
    """The point at which the derivative is taken.

    Attributes
    ----------
    operator : KernelOperator
        Of X and the kernel.
    weights, norms : ndarray, shape (n,)
        w, of sum 1, and the residual norms r in tau.
    gamma : float
        gamma.
    mean_distances : ndarray, shape (n,)
        D w.
    """

    operator: KernelOperator
    weights: Floats
    norms: Floats
    gamma: float
    mean_distances: Floats

    @property
    def spread(self) -> float:
        """Half of w'D w, so that r_i^2 = (D w)_i - spread."""
        return float((self.weights * self.mean_distances).sum()) / 2


@dataclass(frozen=True, slots=True, eq=False)
class ContaminatingPoints:
    """Contaminating points x'.

    Attributes
    ----------
    distances : ndarray, shape (m, n)
        D'_i = |Phi(x') - Phi_i|^2, in tau^2.
    mean_distances : ndarray, shape (m,)
        Their means with the weights w.
    norms, phi : ndarray, shape (m,)
        r' = |Phi(x') - f| in tau, and phi(r').
    excess : ndarray, shape (m, n), optional
        D'_i less its mean, where some x' are so far from rows close to f that a difference loses digits.
    """

    distances: Floats
    mean_distances: Floats
    norms: Floats
    phi: Floats
    excess: Floats | None = None

    def part(self, mask: Mask) -> ContaminatingPoints:
        """Return some of the points."""
        if mask.all():
            return self
        return ContaminatingPoints(
            self.distances[mask],
            self.mean_distances[mask],
            self.norms[mask],
            self.phi[mask],
            None if self.excess is None else self.excess[mask],
        )

    def excess_at(self, row: int) -> Floats:
        """Return D'_i less its mean for one row i, shape (m,)."""
        if self.excess is None:
            return np.asarray(self.distances[:, row] - self.mean_distances)
        return self.excess[:, row]


@dataclass(frozen=True, slots=True, eq=False)
class Coefficients:
    """The derivatives of f for some x', sum_i alpha_i Phi_i + alpha' Phi(x').

    With P = I - 1 w' of the theorem, alpha = P' c - alpha' w for the unprojected coefficients c, which are 0
    except on the active rows. So alpha has the sum -alpha'.

    Attributes
    ----------
    active : ndarray of int, shape (k,)
        The active rows.
    unprojected : ndarray, shape (m, k)
        c on the active rows.
    new : ndarray, shape (m,)
        alpha'.
    condition : ndarray, shape (m,)
        Of the system behind each; 1 where none was solved.
    """

    active: Indices
    unprojected: Floats
    new: Floats
    condition: Floats

    @property
    def mass(self) -> Floats:
        """Return alpha' + sum of c, shape (m,): alpha is c less this multiple of w."""
        return np.asarray(self.new + self.unprojected.sum(axis=1))

    def fill(self, weights: Floats, rows: Floats) -> None:
        """Write alpha into an array of shape (m, n)."""
        np.multiply(-self.mass[:, np.newaxis], weights, out=rows)
        rows[:, self.active] += self.unprojected
        # A product with 0 may be -0.
        rows += 0.0

    def sizes(self) -> Floats:
        """Return a bound on sum |alpha_i| + alpha', shape (m,)."""
        return np.asarray(np.abs(self.unprojected).sum(axis=1) + np.abs(self.mass) + self.new)


def theorem_5_coefficients(
    point: StationaryPoint,
    active: Indices,
    system: System,
    new: ContaminatingPoints,
    phi_change: Floats | None = None,
) -> Coefficients:
    """Return the derivatives of Theorem 5.

    Shapes: active (k,), the rows of the system; phi_change (m, n).
    """
    norms, gamma = point.norms[active], point.gamma
    alpha_new = len(point.weights) * new.phi / gamma
    if new.excess is None:
        products = new.distances[:, active]
        np.subtract(new.norms[:, np.newaxis] ** 2 + norms**2, products, out=products)
    else:
        products = norms**2 - point.spread - new.excess[:, active]
    products /= 2
    if phi_change is not None:
        products *= alpha_new[:, np.newaxis]
        products += _products_of(point, active, phi_change) / gamma
    products *= system.scale
    unprojected = system.solve(products.T).T * system.scale
    if phi_change is None:
        unprojected *= alpha_new[:, np.newaxis]
    else:
        unprojected += phi_change[:, active] / gamma
    return Coefficients(active, unprojected, alpha_new, np.full(len(alpha_new), system.condition))


def _products_of(point: StationaryPoint, active: Indices, entries: Floats) -> Floats:
    """Return <sum_j e_j u_j, u_i> for the active i, shape (m, k): (E r_i^2 + sum e_j r_j^2 - (D e)_i) / 2."""
    squares = point.norms * point.norms
    sums = entries.sum(axis=1)[:, np.newaxis] * squares[active] + (entries @ squares)[:, np.newaxis]
    products = np.stack([point.operator.product(row)[active] for row in entries])
    return np.asarray((sums - products) / 2)


def norm_changes(
    point: StationaryPoint, new: ContaminatingPoints, coefficients: Coefficients, row: int
) -> Floats:
    """Return dr_i/ds = -<g, u_i> / r_i for one row i with r_i > 0.

    Shapes: result (m,).

    Notes
    -----
    The coefficients of g have sum 0, so <g, u_i> is -1/2 of their mean of D_ij minus that of (D w)_j.
    """
    apart = point.operator.row(row) - point.mean_distances
    total = (
        coefficients.unprojected @ apart[coefficients.active]
        - coefficients.mass * (point.weights * apart).sum()
    )
    total += coefficients.new * new.excess_at(row)
    return np.asarray(total / 2 / point.norms[row])

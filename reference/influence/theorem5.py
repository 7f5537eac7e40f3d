"""Theorem 5: the influence function at F_n, in the letters of the theorem.

At an estimate f = sum_i w_i Phi(X_i) with residual norms r_i = |Phi(X_i) - f|, and for a contaminating point
x' with r' = |Phi(x') - f|, let

    gamma = sum_i phi(r_i),    Q = diag(q(r_i)/r_i^3),    P = I - 1 w^T,    k' = (k(x', X_i))_i.

P is short for the paper's I_n - 1 w^T, which the theorem writes out; q(x) = x psi'(x) - psi(x). It says that
IF(x, x') = sum_i alpha_i k(x, X_i) + alpha' k(x, x') with alpha' = n phi(r')/gamma, where alpha solves

    (gamma I + P^T Q P K) alpha = -n phi(r') w - alpha' P^T Q P k'.

It assumes (A1) to (A5), that f_{F_n,s} -> f_{F_n} as s -> 0 (satisfied when J is strictly convex), and that
the kernel matrix K' of X_1, ..., X_n and x' is positive definite (repaired: `theorems.theorem_5`). It needs a
psi' that is continuous near every residual, a phi that does not increase, a rho that is not 0 everywhere and
a regular system; K' need not be positive definite.

The proof (section 8.6) writes equation (12) at F_n and, with d_i = <f', Phi(X_i) - f> q(r_i)/r_i^3, compares
coefficients:

    (1/n) sum_i phi(r_i) f' + (1/n) sum_i d_i (Phi(X_i) - f) = (Phi(x') - f) phi(r'),        (29)
    gamma alpha_j + d_j - w_j sum_i d_i = -w_j (psi(r')/r') n,                               (30)
    gamma alpha' = n phi(r').                                                                (31)

In units of tau^2, K = 1 1^T - D/2 and k' = 1 - D'/2, where D and D' hold the squared feature distances. Since
P 1 = 0, the kernel enters only by K - 1 1^T and k' - 1, in which no digit is lost among close points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mpmath import MPContext, matrix, mpf

from rkde.errors import SingularSystem
from rkde.reference.numbers import Matrix, Row, to_mpf
from rkde.reference.rkhs import residual_inner_product
from rkde.vocabulary import MAX_CONDITION

CONDITION_BITS: Final = 106
"""Precision of the eigenvalues behind a condition number: twice float64's, far finer than 1/MAX_CONDITION."""


@dataclass(frozen=True, slots=True)
class StationaryPoint:
    """The estimate f at which the derivative is taken.

    Attributes
    ----------
    distances : tuple of tuple of mpf, shape (n, n)
        D_ij = |Phi(X_i) - Phi(X_j)|^2, in tau^2.
    weights, norms : tuple of mpf, shape (n,)
        w, of sum 1, and the residual norms r in tau.
    gamma : mpf
        sum_i phi(r_i).
    """

    distances: Matrix
    weights: Row
    norms: Row
    gamma: mpf


@dataclass(frozen=True, slots=True)
class ContaminatingPoint:
    """A contaminating point x'.

    Attributes
    ----------
    distances : tuple of mpf, shape (n,)
        D'_i = |Phi(X_i) - Phi(x')|^2, in tau^2.
    phi : mpf
        phi(r').
    """

    distances: Row
    phi: mpf


@dataclass(frozen=True, slots=True)
class System:
    """The matrix gamma I + P^T Q P K for one choice of q: the diagonal of Q, LU factors, condition number."""

    Q: Row
    factors: matrix
    pivots: list[int]
    condition: mpf


@dataclass(frozen=True, slots=True)
class Coefficients:
    """alpha and alpha', and the condition number of the system that gave them (1 where none was solved)."""

    alpha: Row
    alpha_new: mpf
    condition: mpf


def theorem_5_system(ctx: MPContext, point: StationaryPoint, q_values: Sequence[mpf]) -> System:
    """Build and factor gamma I + P^T Q P K.

    Shapes: q_values (n,), q(r_i), each from the side that is wanted at a kink.
    """
    condition = condition_number(ctx, point, q_values)
    if condition >= to_mpf(ctx, MAX_CONDITION):
        raise SingularSystem(
            "the system of Theorem 5 is singular, so the derivative does not exist or is not unique",
            where="weights",
            value=f"condition number {ctx.nstr(condition, 3)}",
            remedy="change a threshold or the bandwidth slightly, and expect very large influences nearby",
        )
    return factored_system(ctx, point, q_values, condition)


def factored_system(
    ctx: MPContext, point: StationaryPoint, q_values: Sequence[mpf], condition: mpf
) -> System:
    """Return gamma I + P^T Q P K in factors, for a matrix that is known to be regular."""
    n = len(point.weights)
    # phi is constant near 0, or not differentiable there: Q_ii is 0 where r_i is.
    Q = tuple(q / norm**3 if norm else ctx.mpf(0) for q, norm in zip(q_values, point.norms, strict=True))
    columns = [ptqp_times(ctx, point.weights, Q, kernel_less_one(column)) for column in point.distances]
    system = ctx.matrix(n)
    for i in range(n):
        for j in range(n):
            system[i, j] = columns[j][i] + (point.gamma if i == j else 0)
    factors, pivots = ctx.LU_decomp(system)
    return System(Q, factors, pivots, condition)


def theorem_5_coefficients(
    ctx: MPContext,
    point: StationaryPoint,
    new: ContaminatingPoint,
    system: System,
    phi_change: Row | None = None,
) -> Coefficients:
    """Return alpha and alpha' of Theorem 5, by equations (30) and (31).

    Equation (31) is gamma alpha' = n phi(r'), and (30) one row of the
    system.

    Shapes: phi_change (n,).
    """
    w = point.weights
    n_phi_new = len(w) * new.phi
    alpha_new = n_phi_new / point.gamma
    PtQP_k_new = ptqp_times(ctx, w, system.Q, kernel_less_one(new.distances))
    right = [-n_phi_new * w_i - alpha_new * entry for w_i, entry in zip(w, PtQP_k_new, strict=True)]
    if phi_change is not None:
        right = [entry + term for entry, term in zip(right, pt_times(ctx, w, phi_change), strict=True)]
    forward = ctx.L_solve(system.factors, ctx.matrix(right), system.pivots)
    return Coefficients(tuple(ctx.U_solve(system.factors, forward)), alpha_new, system.condition)


def p_times(ctx: MPContext, w: Row, vector: Sequence[mpf]) -> list[mpf]:
    """Return P v = v - 1 (w^T v)."""
    mean = ctx.fdot(w, vector)
    return [entry - mean for entry in vector]


def pt_times(ctx: MPContext, w: Row, vector: Sequence[mpf]) -> list[mpf]:
    """Return P^T v = v - w (1^T v)."""
    total = ctx.fsum(vector)
    return [entry - weight * total for entry, weight in zip(vector, w, strict=True)]


def ptqp_times(ctx: MPContext, w: Row, Q: Row, vector: Sequence[mpf]) -> list[mpf]:
    """Return P^T Q P v."""
    P_v = p_times(ctx, w, vector)
    return pt_times(ctx, w, [Q_ii * entry for Q_ii, entry in zip(Q, P_v, strict=True)])


def kernel_less_one(distances: Row) -> list[mpf]:
    """Return k - 1 = -D/2 for kernel values k (a column of K, or k'), given squared feature distances D."""
    return [-distance / 2 for distance in distances]


def norm_changes(
    ctx: MPContext, point: StationaryPoint, new: ContaminatingPoint, coefficients: Coefficients
) -> Row:
    """Return dr_i/ds = -<d/ds f, u_i>/r_i with u_i = Phi(X_i) - f; 0 where r_i is 0.

    <d/ds f, u_i> is entry i of P (K alpha + alpha' k').
    """
    # K alpha + alpha' k' but for a multiple of 1, since alpha and alpha' sum to 0.
    values = [
        -(ctx.fdot(row, coefficients.alpha) + coefficients.alpha_new * distance) / 2
        for row, distance in zip(point.distances, new.distances, strict=True)
    ]
    products = p_times(ctx, point.weights, values)
    return tuple(
        -product / norm if norm else ctx.mpf(0) for product, norm in zip(products, point.norms, strict=True)
    )


def condition_number(ctx: MPContext, point: StationaryPoint, q_values: Sequence[mpf]) -> mpf:
    """Return the condition number of n times the Hessian of J at f.

    Its eigenvalues are gamma and those of gamma I - G, with G as in `projection_gram`; Theorem 5's matrix has
    the same ones.

    Shapes: q_values (n,). Result: at least 1; infinite where an eigenvalue is 0.
    """
    gram = projection_gram(ctx, point, q_values)
    if not gram:
        return ctx.mpf(1)
    with ctx.workprec(CONDITION_BITS):
        hessian = point.gamma * ctx.eye(len(gram)) - ctx.matrix(gram)
        sizes = [abs(value) for value in ctx.eigsy(hessian, eigvals_only=True)]
        smallest, largest = min(sizes), max(*sizes, point.gamma)
        return largest / smallest if smallest else ctx.inf


def projection_gram(ctx: MPContext, point: StationaryPoint, q_values: Sequence[mpf]) -> list[list[mpf]]:
    """Return G_ij = (Q_ii Q_jj)^(1/2) <u_i, u_j> on the rows with q_i < 0, where u_i = Phi(X_i) - f.

    As Q_ii = q_i/r_i^3 and <u_i, u_i> = r_i^2, the diagonal is G_ii = -q_i/r_i, and the other entries are
    (G_ii G_jj)^(1/2) <u_i, u_j>/(r_i r_j).
    """
    r = point.norms
    diagonal = {i: -q / r[i] for i, q in enumerate(q_values) if r[i] and q < 0}
    roots = {i: ctx.sqrt(entry) for i, entry in diagonal.items()}

    def entry(i: int, j: int) -> mpf:
        if i == j:
            return diagonal[i]
        return roots[i] * roots[j] * (residual_inner_product(point.distances, r, i, j) / (r[i] * r[j]))

    return [[entry(i, j) for j in diagonal] for i in diagonal]

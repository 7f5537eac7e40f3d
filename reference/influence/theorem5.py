"""Theorem 5 (`thm:influence_emp`) at a stationary point f = sum w_i Phi(X_i), for one choice of its pieces.

With P = I - 1 w', Q = diag(q(r_i)/r_i^3) and gamma = sum phi(r_i) the coefficients of the derivative

    d/ds f = sum alpha_i Phi(X_i) + alpha' Phi(x')

solve (gamma I + P'Q P K) alpha = -n phi(r') w - alpha' P'Q P k', where alpha' = n phi(r')/gamma. In units of
tau^2, K = 1 1' - D/2 and P 1 = 0, so P K = -P D/2 and P k' = -P D'/2: no digit is lost among close points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mpmath import MPContext, matrix, mpf

from rkde.errors import SingularSystem
from rkde.reference.numbers import Matrix, Row, to_mpf
from rkde.reference.solvers import Norms, unit_gram
from rkde.vocabulary import MAX_CONDITION

CONDITION_BITS: Final = 106
"""Precision of the eigenvalues behind a condition number: twice float64's, far finer than 1/MAX_CONDITION."""


@dataclass(frozen=True, slots=True)
class Site:
    """The point at which the derivative is taken.

    Attributes
    ----------
    distances : tuple of tuple of mpf, shape (n, n)
        D_ij = |Phi_i - Phi_j|^2, in tau^2.
    weights, norms : tuple of mpf, shape (n,)
        w, of sum 1, and the residual norms r in tau.
    phi_sum : mpf
        gamma.
    """

    distances: Matrix
    weights: Row
    norms: Row
    phi_sum: mpf


@dataclass(frozen=True, slots=True)
class NewPoint:
    """A contaminating point x'.

    Attributes
    ----------
    distances : tuple of mpf, shape (n,)
        |Phi_i - Phi(x')|^2, in tau^2.
    phi : mpf
        phi(r'), r' being |Phi(x') - f|.
    """

    distances: Row
    phi: mpf


@dataclass(frozen=True, slots=True)
class System:
    """The matrix of Theorem 5 for one choice of q: its diagonal Q, its LU factors, its condition number."""

    curvature: Row
    factors: matrix
    pivots: list[int]
    condition: mpf


@dataclass(frozen=True, slots=True)
class Coefficients:
    """alpha and alpha', and the condition number of the system that gave them (1 where none was solved)."""

    rows: Row
    new: mpf
    condition: mpf


def theorem_5_system(ctx: MPContext, site: Site, q_values: Sequence[mpf]) -> System:
    """Build and factor gamma I + P'Q P K.

    Parameters
    ----------
    ctx : mpmath.MPContext
    site : Site
    q_values : sequence of mpf, shape (n,)
        q(r_i), each from the side that is wanted at a kink.

    Returns
    -------
    System

    Raises
    ------
    SingularSystem
        If the condition number reaches `MAX_CONDITION`.
    """
    condition = condition_number(ctx, site, q_values)
    if condition >= to_mpf(ctx, MAX_CONDITION):
        raise SingularSystem(
            "Theorem 5's system is singular: the derivative does not exist or is not unique",
            where="weights",
            value=f"condition number {ctx.nstr(condition, 3)}",
            remedy="move a threshold or the bandwidth slightly; near here the influence is very large",
        )
    return factored_system(ctx, site, q_values, condition)


def factored_system(ctx: MPContext, site: Site, q_values: Sequence[mpf], condition: mpf) -> System:
    """Return gamma I + P'Q P K in factors, for a matrix that is known to be regular."""
    size = len(site.norms)
    # phi is constant near 0, or not differentiable there: Q is 0 where r_i is.
    curvature = tuple(
        q / norm**3 if norm else ctx.mpf(0) for q, norm in zip(q_values, site.norms, strict=True)
    )
    columns = [_curved(ctx, site, curvature, column) for column in site.distances]
    system = ctx.matrix(size)
    for i in range(size):
        for j in range(size):
            system[i, j] = columns[j][i] + (site.phi_sum if i == j else 0)
    factors, pivots = ctx.LU_decomp(system)
    return System(curvature, factors, pivots, condition)


def theorem_5_coefficients(
    ctx: MPContext, site: Site, new: NewPoint, system: System, phi_change: Row | None = None
) -> Coefficients:
    """Return alpha and alpha' of Theorem 5 (`thm:influence_emp`).

    Parameters
    ----------
    ctx : mpmath.MPContext
    site : Site
    new : NewPoint
    system : System
    phi_change : tuple of mpf, shape (n,), optional
        Derivatives of phi(r_i) in s by way of moving thresholds; they add P' times themselves to the right
        side. None where the thresholds stay, as in the theorem.

    Returns
    -------
    Coefficients
        Their sum is 0.
    """
    pull = len(site.weights) * new.phi
    alpha_new = pull / site.phi_sum
    bent = _curved(ctx, site, system.curvature, new.distances)
    right = [-pull * weight - alpha_new * entry for weight, entry in zip(site.weights, bent, strict=True)]
    if phi_change is not None:
        right = [entry + term for entry, term in zip(right, _swept(ctx, site, phi_change), strict=True)]
    forward = ctx.L_solve(system.factors, ctx.matrix(right), system.pivots)
    return Coefficients(tuple(ctx.U_solve(system.factors, forward)), alpha_new, system.condition)


def norm_changes(ctx: MPContext, site: Site, new: NewPoint, found: Coefficients) -> Row:
    """Return dr_i/ds = -<d/ds f, u_i>/r_i with u_i = Phi_i - f; 0 where r_i is 0.

    <d/ds f, u_i> is entry i of P (K alpha + alpha' k').
    """
    products = [
        -(ctx.fdot(row, found.rows) + found.new * distance) / 2
        for row, distance in zip(site.distances, new.distances, strict=True)
    ]
    return tuple(
        -product / norm if norm else ctx.mpf(0)
        for product, norm in zip(_centred(ctx, site, products), site.norms, strict=True)
    )


def condition_number(ctx: MPContext, site: Site, q_values: Sequence[mpf]) -> mpf:
    """Return the condition number of n times the Hessian of J at f.

    Its eigenvalues are gamma and those of gamma I - G on the rows A with q_i != 0, where
    G_ij = (Q_ii Q_jj)^(1/2) <u_i, u_j>; Theorem 5's matrix has the same ones.

    Parameters
    ----------
    ctx : mpmath.MPContext
    site : Site
    q_values : sequence of mpf, shape (n,)

    Returns
    -------
    mpf
        At least 1; infinite where an eigenvalue is 0.
    """
    projection = [-q / norm if norm else ctx.mpf(0) for q, norm in zip(q_values, site.norms, strict=True)]
    no_radii = (ctx.mpf(0),) * len(site.norms)
    gram = unit_gram(ctx, site.distances, Norms(site.norms, no_radii), projection)
    if not gram:
        return ctx.mpf(1)
    with ctx.workprec(CONDITION_BITS):
        hessian = site.phi_sum * ctx.eye(len(gram)) - ctx.matrix(gram)
        sizes = [abs(value) for value in ctx.eigsy(hessian, eigvals_only=True)]
        smallest, largest = min(sizes), max(*sizes, site.phi_sum)
        return largest / smallest if smallest else ctx.inf


def _curved(ctx: MPContext, site: Site, curvature: Row, column: Row) -> list[mpf]:
    """Return P'Q P k for a column k = 1 - D/2 of the kernel matrix, given that of D."""
    centred = _centred(ctx, site, [-distance / 2 for distance in column])
    return _swept(ctx, site, [q * entry for q, entry in zip(curvature, centred, strict=True)])


def _centred(ctx: MPContext, site: Site, vector: Sequence[mpf]) -> list[mpf]:
    """Return P v = v - 1 (w'v)."""
    mean = ctx.fdot(site.weights, vector)
    return [entry - mean for entry in vector]


def _swept(ctx: MPContext, site: Site, vector: Sequence[mpf]) -> list[mpf]:
    """Return P'v = v - w (1'v)."""
    total = ctx.fsum(vector)
    return [entry - weight * total for entry, weight in zip(vector, site.weights, strict=True)]

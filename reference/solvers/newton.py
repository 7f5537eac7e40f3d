"""Not in the paper: Newton's method on the pieces of the loss, within a trust region."""

from __future__ import annotations

from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.reference.losses import Loss
from rkde.reference.numbers import Masses, Matrix, Row, rounding_level, to_mpf
from rkde.reference.rkhs import mass_phi, residual_inner_product
from rkde.reference.solvers.results import Iterate

LowerTriangle = list[list[mpf]]


@dataclass(frozen=True, slots=True)
class Curvature:
    """What Theorem 5's matrix holds, with masses m_i of sum M, where the Hessian of J is positive definite.

    Attributes
    ----------
    phi_sum : mpf
        gamma, the sum of m_i phi(r_i).
    active : tuple of int
        A, the rows with m_i q_i < 0. A negative mass adds curvature, which is left out: what remains is a
        lower bound.
    q : tuple of mpf, shape (|A|,)
        m_i q_i.
    scales : tuple of mpf, shape (|A|,)
        sqrt(m_i |q_i|/r_i^3).
    factor : list of list of mpf
        Cholesky factor L of gamma I - B K B', row by row up to the diagonal.
    """

    phi_sum: mpf
    active: tuple[int, ...]
    q: Row
    scales: Row
    factor: LowerTriangle


def curvature(ctx: MPContext, distances: Matrix, loss: Loss, norms: Row, masses: Masses) -> Curvature | None:
    """Return the factored curvature at residual norms, None where it is not positive definite.

    An entry of B K B' is s_i s_j <u_i, u_j> with u_i = Phi_i - f and s_i = (|q_i|/r_i^3)^(1/2).

    Shapes: distances (n, n); norms (n,), residual norms in tau, none 0 where q is not.

    Notes
    -----
    |A|^3 / 6 multiplications.
    """
    phi_sum = ctx.fsum(mass_phi(ctx, loss, norms, masses))
    if not ctx.isfinite(phi_sum):  # pragma: no cover (an iterate leaves a location otherwise)
        return None
    q_values = [mass * loss.q(ctx, norm) for mass, norm in zip(masses.values, norms, strict=True)]
    active = tuple(i for i, q in enumerate(q_values) if q < 0)
    scales = tuple(ctx.sqrt(-q_values[i] / norms[i] ** 3) for i in active)
    matrix = [
        [
            -scales[k] * scales[m] * residual_inner_product(distances, norms, i, active[m])
            for m in range(k + 1)
        ]
        for k, i in enumerate(active)
    ]
    for k, row in enumerate(matrix):
        row[k] += phi_sum
    factor = cholesky(ctx, matrix)
    if factor is None:
        return None
    return Curvature(phi_sum, active, tuple(q_values[i] for i in active), scales, factor)


def newton_weights(
    ctx: MPContext, distances: Matrix, loss: Loss, iterate: Iterate, at: Curvature, masses: Masses
) -> Row:
    """Return w + delta, where Theorem 5's matrix times delta is m phi(r) - gamma w.

    The right-hand side g sums to 0, so K g = -D g / 2, and delta sums to 0.

    Shapes: distances (n, n); result (n,). Result: of sum 1; entries may be negative.
    """
    weights, phis = iterate.weights, mass_phi(ctx, loss, iterate.norms, masses)
    rest = [phi - at.phi_sum * weight for phi, weight in zip(phis, weights, strict=True)]
    half_product = [-ctx.fdot(row, rest) / 2 for row in distances]
    mean = ctx.fdot(weights, half_product)
    projected = [scale * (half_product[i] - mean) for i, scale in zip(at.active, at.scales, strict=True)]
    solution = solve(ctx, at.factor, projected)
    pushes = [scale * entry for scale, entry in zip(at.scales, solution, strict=True)]
    total = ctx.fsum(pushes)
    delta = [entry - weight * total for entry, weight in zip(rest, weights, strict=True)]
    for i, push in zip(at.active, pushes, strict=True):
        delta[i] += push
    return tuple(weight + entry / at.phi_sum for weight, entry in zip(weights, delta, strict=True))


def smallest_eigenvalue_bound(ctx: MPContext, at: Curvature) -> mpf:
    """Return a positive lower bound on the eigenvalues of M times the Hessian.

    They are gamma and the eigenvalues of L L', and 1/lambda_min <= trace((L L')^-1) = |L^-1|_F^2.
    """
    size = len(at.factor)
    squares = []
    for column in range(size):
        unit = [ctx.mpf(1 if row == column else 0) for row in range(size)]
        # Entries of a column of the inverse above the diagonal are 0.
        entries = _forward(ctx, at.factor, unit, column)
        squares.append(ctx.fdot(entries, entries))
    return min(at.phi_sum, 1 / ctx.fsum(squares)) if squares else at.phi_sum


def cholesky(ctx: MPContext, matrix: LowerTriangle) -> LowerTriangle | None:
    """Return L with L L' = matrix, None where a pivot is not positive beyond rounding.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> four, two, five = ctx.mpf(4), ctx.mpf(2), ctx.mpf(5)
    >>> [[int(entry) for entry in row] for row in cholesky(ctx, [[four], [two, five]])]
    [[2], [1, 2]]
    """
    factor: LowerTriangle = []
    for k, row in enumerate(matrix):
        entries: list[mpf] = []
        for j in range(k):
            entries.append((row[j] - ctx.fdot(entries, factor[j][:j])) / factor[j][j])
        pivot = row[k] - ctx.fdot(entries, entries)
        if pivot <= rounding_level(ctx) * abs(row[k]):
            return None
        factor.append([*entries, ctx.sqrt(pivot)])
    return factor


def solve(ctx: MPContext, factor: LowerTriangle, right: list[mpf]) -> list[mpf]:
    """Return x with L L' x = right."""
    forward = _forward(ctx, factor, right, 0)
    solution = [ctx.mpf(0)] * len(factor)
    for k in range(len(factor) - 1, -1, -1):
        below = range(k + 1, len(factor))
        known = ctx.fdot([factor[j][k] for j in below], [solution[j] for j in below])
        solution[k] = (forward[k] - known) / factor[k][k]
    return solution


def _forward(ctx: MPContext, factor: LowerTriangle, right: list[mpf], first: int) -> list[mpf]:
    """Return x from index `first` on, with L x = right, where right is 0 before `first`."""
    entries: list[mpf] = []
    for k in range(first, len(factor)):
        row = factor[k]
        entries.append((right[k] - ctx.fdot(row[first:k], entries)) / row[k])
    return entries


@dataclass(frozen=True, slots=True)
class TrustRegion:
    """A ball around f_w from every point of which KIRWLS has one and the same limit."""

    weights: Row
    radius: mpf


def trust_region(
    ctx: MPContext,
    distances: Matrix,
    loss: Loss,
    iterate: Iterate,
    after: Row,
    at: Curvature,
    masses: Masses,
) -> TrustRegion | None:
    """Return a ball around an iterate from which KIRWLS has one limit; None where none is proved.

    Shapes: distances (n, n); after (n,), KIRWLS's next weights.
    """
    least = smallest_eigenvalue_bound(ctx, at)
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    to_kink = [abs(norm - kink) / 2 for norm in iterate.norms for kink in kinks]
    to_origin = [iterate.norms[i] / 2 for i in at.active]
    bends = ctx.fsum(-q / iterate.norms[i] ** 2 for i, q in zip(at.active, at.q, strict=True))
    # (2/sqrt 3) eps |q| / (r (r - eps)) <= (4/sqrt 3) eps |q| / r^2 where eps <= r/2; their sum stays below
    # mu/2.
    to_bend = [least * ctx.sqrt(3) / (8 * bends)] if bends else []
    radius = min([*to_kink, *to_origin, *to_bend], default=ctx.mpf(2))
    if 8 * gradient_norm(ctx, distances, loss, iterate, after, masses) >= radius * least / (2 * masses.total):
        return None
    return TrustRegion(iterate.weights, radius / 4)


def gradient_norm(
    ctx: MPContext, distances: Matrix, loss: Loss, iterate: Iterate, after: Row, masses: Masses
) -> mpf:
    """Return |V(f_w)| = (gamma/M) |T(w) - w|, T(w) being `after`, the difference taken in H, in tau."""
    phi_sum = ctx.fsum(mass_phi(ctx, loss, iterate.norms, masses))
    return phi_sum / masses.total * distance_between(ctx, distances, after, iterate.weights)


def distance_between(ctx: MPContext, distances: Matrix, weights: Row, others: Row) -> mpf:
    """Return |f_w - f_v| in tau: the coefficients w - v have sum 0, so the square is -(w - v)'D (w - v)/2."""
    change = [weight - other for weight, other in zip(weights, others, strict=True)]
    square = -ctx.fdot(change, [ctx.fdot(row, change) for row in distances]) / 2
    return ctx.sqrt(max(square, ctx.mpf(0)))

"""Not in the paper: bounds on the curvature of J in a ball, from below, and from above where it is negative.

By equation (12) the second derivative of n J at f is gamma I + sum_i (q(r_i)/r_i^3) u_i u_i'
with u_i = Phi_i - f. For rows with masses m_i of sum M it is that of M J, and each term has the factor m_i.
Within a piece of the loss A_i = -m_i q is constant, and u -> (I - u u'/|u|^2)/|u| has the Lipschitz constant
(2/sqrt 3)/|u|^2; so over a ball of radius eps around f the curvature is at least

    sum_i m_i phi(r_i) - lambda_max(G) - (2/sqrt 3) sum_i A_i eps / (r_i (r_i - eps)),
    G_ij = (A_i A_j / (r_i r_j))^(1/2) <u_i, u_j> / (r_i r_j).

Rounding is covered by one allowance, `rounding_level`: relative to the sums it is applied to, it exceeds 2^33
roundings of the working precision.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mpmath import MPContext, mpf

from rkde.reference.losses import Loss
from rkde.reference.numbers import Masses, Matrix, Row, rounding_level, to_mpf
from rkde.reference.rkhs import residual_inner_product

POWER_STEPS: Final = 24
"""Power iterations behind the first trial eigenvalue; a poor trial costs factorizations, not correctness."""

TRIALS: Final = 6
"""Trial eigenvalues, each at half the remaining distance to the ceiling."""


@dataclass(frozen=True, slots=True)
class EnclosedNorms:
    """Residual norms and a bound on the error of each, in tau."""

    values: Row
    radii: Row


def enclose_norms(ctx: MPContext, distances: Matrix, weights: Row, norms: Row) -> EnclosedNorms:
    """Attach error bounds to residual norms computed from D and weights.

    Shapes: distances (n, n), D_ij = |Phi_i - Phi_j|^2, in tau^2; weights, norms (n,).
    """
    level = rounding_level(ctx)
    product = [ctx.fdot(row, weights) for row in distances]
    half_form = ctx.fdot(weights, product) / 2
    radii = []
    for entry, norm in zip(product, norms, strict=True):
        squared = level * (entry + half_form)
        root = ctx.sqrt(squared)
        radii.append(squared / norm if norm > root else root)
    return EnclosedNorms(norms, tuple(radii))


def ball_curvature(
    ctx: MPContext, distances: Matrix, loss: Loss, norms: EnclosedNorms, radius: mpf, masses: Masses
) -> mpf | None:
    """Return a lower bound on the curvature of M J over a ball around f.

    Shapes: distances (n, n). Result: none where nothing can be said: a residual reaches a kink of a loss that
    is not convex, or 0.
    """
    level = rounding_level(ctx)
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    identity: list[mpf] = []
    projection: list[mpf] = []
    variation: list[mpf] = []
    for norm, error, mass in zip(norms.values, norms.radii, masses.values, strict=True):
        amplitude = -loss.q(ctx, norm)
        for kink in kinks:
            if abs(norm - kink) <= radius + error:
                if not loss.facts.convex:
                    return None
                amplitude = max(amplitude, -loss.q(ctx, kink))
        low = norm - error
        if amplitude > 0 and low <= radius:
            return None
        identity.append(mass * loss.phi(ctx, norm + error))
        projection.append(mass * _projection(ctx, loss, amplitude, low))
        variation.append(mass * amplitude * radius / (low * (low - radius)) if amplitude > 0 else ctx.mpf(0))
    total = ctx.fsum(identity)
    largest = largest_eigenvalue_bound(ctx, unit_gram(ctx, distances, norms, projection), total)
    if largest is None:
        return None
    return total - largest - 2 / ctx.sqrt(3) * ctx.fsum(variation) - level * total


def _projection(ctx: MPContext, loss: Loss, amplitude: mpf, low: mpf) -> mpf:
    """Return the coefficient of the projection: A/r, and for a convex loss phi(r), the same off its kinks.

    At a convex kink phi(r) (I - P) is a lower bound on either side of it, where A/r would be too large below.
    """
    if not amplitude > 0:
        return ctx.mpf(0)
    return loss.phi(ctx, low) if loss.facts.convex else amplitude / low


def unit_gram(
    ctx: MPContext, distances: Matrix, norms: EnclosedNorms, projection: list[mpf]
) -> list[list[mpf]]:
    """Return G on the rows with a positive coefficient: its entries are (a_i a_j)^(1/2) cos(u_i, u_j)."""
    active = [index for index, entry in enumerate(projection) if entry > 0]
    roots = {index: ctx.sqrt(projection[index]) for index in active}
    values = norms.values

    def entry(i: int, j: int) -> mpf:
        if i == j:
            return projection[i]
        cosine = residual_inner_product(distances, values, i, j) / (values[i] * values[j])
        return roots[i] * roots[j] * cosine

    return [[entry(i, j) for j in active] for i in active]


def largest_eigenvalue_bound(ctx: MPContext, gram: list[list[mpf]], ceiling: mpf) -> mpf | None:
    """Return an upper bound below `ceiling` on the largest eigenvalue of a positive semidefinite matrix.

    The Frobenius norm, where that is at most half of the ceiling; else the smallest of some trial values t
    for which a Cholesky factorization proves t I - G positive definite.

    Shapes: gram (m, m), symmetric. Result: none where none of `TRIALS` trial values could be proved.
    """
    if not gram:
        return ctx.mpf(0)
    level = rounding_level(ctx) * len(gram) * ceiling
    frobenius = ctx.sqrt(ctx.fsum((entry for row in gram for entry in row), squared=True))
    if frobenius <= ceiling / 2:
        return frobenius + level
    trial = _power_estimate(ctx, gram)
    for _ in range(TRIALS):
        trial = (trial + ceiling) / 2
        if trial + level < ceiling and negative_direction(ctx, gram, trial) is None:
            return trial + level
    return None


def negative_direction(ctx: MPContext, gram: list[list[mpf]], shift: mpf) -> list[mpf] | None:
    """Factor shift I - G as L D L'; return None if every pivot is positive, else x with a negative form.

    The direction x solves L'x = e_k at the first pivot k that is not positive, so the form at x is
    that pivot.
    """
    size = len(gram)
    lower: list[list[mpf]] = []
    pivots: list[mpf] = []
    for k in range(size):
        row: list[mpf] = []
        for j in range(k):
            scaled = [entry * pivot for entry, pivot in zip(row, pivots, strict=False)]
            row.append((-gram[k][j] - ctx.fdot(scaled, lower[j][:j])) / pivots[j])
        pivot = shift - gram[k][k] - ctx.fsum(entry * entry * pivots[j] for j, entry in enumerate(row))
        lower.append(row)
        if pivot <= 0:
            return _back_substitute(ctx, lower, k, size)
        pivots.append(pivot)
    return None


def rayleigh_quotient(ctx: MPContext, gram: list[list[mpf]], direction: list[mpf]) -> mpf:
    """Return x'G x / x'x: a lower bound on the largest eigenvalue."""
    image = [ctx.fdot(row, direction) for row in gram]
    return ctx.fdot(direction, image) / ctx.fdot(direction, direction)


def _back_substitute(ctx: MPContext, lower: list[list[mpf]], k: int, size: int) -> list[mpf]:
    direction = [ctx.mpf(0)] * size
    direction[k] = ctx.mpf(1)
    for j in range(k - 1, -1, -1):
        direction[j] = -ctx.fsum(lower[i][j] * direction[i] for i in range(j + 1, k + 1))
    return direction


def _power_estimate(ctx: MPContext, gram: list[list[mpf]]) -> mpf:
    # The row sums start it: positive for points that cluster, and no symmetry is exact after one product.
    vector = [ctx.mpf(index + 1) for index in range(len(gram))]
    for _ in range(POWER_STEPS):
        vector = [ctx.fdot(row, vector) for row in gram]
        largest = max(abs(entry) for entry in vector)
        if not largest:
            return ctx.mpf(0)
        vector = [entry / largest for entry in vector]
    return rayleigh_quotient(ctx, gram, vector)

"""Not in the paper: what is proved about weights as a stationary point of J, at the working precision.

Four steps: residual norms with error bounds; an upper bound v on |V(f)| of Lemma 1; where n J
has curvature at least n m over a ball of radius eps around f and v < m eps, exactly one stationary point lies
in the ball, a minimum, within v/m of f; and since phi is non-increasing, its values over that ball bracket
the exact weights of equation (8). For rows with masses m_i of sum M, read m_i phi(r_i) for
phi(r_i) and M for n.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from mpmath import MPContext, mpf

from rkde.reference.losses import Loss
from rkde.reference.numbers import Masses, Matrix, Row, rounding_level, to_mpf, unit_masses
from rkde.reference.rkhs import mass_phi, mean_loss, norms_from_distances
from rkde.reference.solvers.curvature import (
    EnclosedNorms,
    ball_curvature,
    enclose_norms,
    negative_direction,
    rayleigh_quotient,
    unit_gram,
)
from rkde.reference.solvers.geometric_median import largest_change, resultant, weights_on
from rkde.vocabulary import Certificate

GLOBAL_GAP: Final = "1e-12"
"""J may exceed its minimum by this share of itself and still be called the global minimum."""

STATIONARY_RESIDUAL: Final = "1e-12"
"""Weights that a step moves by more than this share of the largest do not count as a stationary point."""

FIRST_BALL: Final = 2
"""The first ball has this many times the radius v: a loss quadratic at 0 has curvature at most phi(0) = 1."""

BALL_GROWTH: Final = 4
MAX_BALLS: Final = 12


@dataclass(frozen=True, slots=True)
class CertificateBounds:
    """What is proved about a point; the fields are those of `FixedPoint`, in the same units.

    `certificate` is None where the point is not stationary to 1e-12 of its largest weight; `gap` is None
    for a loss that is not convex; `curvature_margin` is None where nothing is proved.
    """

    certificate: Certificate | None
    fixed_point_residual: mpf
    error_bound: mpf
    weights_error_bound: mpf
    gap: mpf | None
    curvature_margin: mpf | None


@dataclass(frozen=True, slots=True)
class _Gradient:
    phi: list[mpf]
    phi_sum: mpf
    norm_bound: mpf
    frank_wolfe: mpf
    farthest: mpf
    step: list[mpf]


def certify(
    ctx: MPContext, distances: Matrix, loss: Loss, weights: Row, masses: Masses | None = None
) -> CertificateBounds:
    """Say what is proved about the stationary point near given weights.

    Shapes: distances (n, n), D_ij = |Phi_i - Phi_j|^2, in tau^2; weights (n,), nonnegative, of sum 1.

    Notes
    -----
    A few products with D and some factorizations of order |{i: q(r_i) != 0}|.
    """
    zero = ctx.mpf(0)
    masses = masses or unit_masses(ctx, len(weights))
    if not masses.are_positive:
        return _nothing_proved(ctx, loss)
    if not any(any(row) for row in distances):
        gap = zero if loss.facts.convex else None
        return CertificateBounds(Certificate.GLOBAL, zero, zero, zero, gap, ctx.mpf(1))
    norms = enclose_norms(ctx, distances, weights, norms_from_distances(ctx, distances, weights))
    if ctx.isinf(loss.phi(ctx, 0)) and any(
        norm <= error for norm, error in zip(norms.values, norms.radii, strict=True)
    ):
        return _certify_location(ctx, distances, weights, norms, masses)
    gradient = _gradient(ctx, distances, loss, weights, norms, masses)
    if gradient is None:
        return _nothing_proved(ctx, loss)
    error_bound, margin = _distance_bound(ctx, distances, loss, norms, gradient, masses)
    gap = _gap_bound(gradient, error_bound) if loss.facts.convex else None
    residual = largest_change(weights, tuple(gradient.step), masses)
    objective = mean_loss(ctx, loss, norms.values, masses)
    certificate = _certificate(ctx, loss, gap, objective, residual, error_bound)
    if certificate is Certificate.STATIONARY and not loss.facts.convex:
        negative = _negative_curvature(ctx, distances, loss, norms, gradient, masses)
        if negative is not None:
            certificate, margin = Certificate.SADDLE, negative
    bound = _weights_bound(ctx, loss, norms, gradient, weights, error_bound, masses)
    return CertificateBounds(certificate, residual, error_bound, bound, gap, margin)


def _nothing_proved(ctx: MPContext, loss: Loss) -> CertificateBounds:
    return CertificateBounds(None, ctx.inf, ctx.inf, ctx.inf, ctx.inf if loss.facts.convex else None, None)


def _certificate(
    ctx: MPContext, loss: Loss, gap: mpf | None, objective: mpf, residual: mpf, error_bound: mpf
) -> Certificate | None:
    if gap is not None and gap <= to_mpf(ctx, GLOBAL_GAP) * objective:
        return Certificate.GLOBAL
    if not loss.facts.convex and ctx.isfinite(error_bound):
        return Certificate.LOCAL_MINIMUM
    return Certificate.STATIONARY if residual <= to_mpf(ctx, STATIONARY_RESIDUAL) else None


def _gradient(
    ctx: MPContext, distances: Matrix, loss: Loss, weights: Row, norms: EnclosedNorms, masses: Masses
) -> _Gradient | None:
    """Bound |V(f)| = (1/n) |sum_i phi_i u_i| and the fall of J towards a vertex; None where gamma may be 0.

    Since sum_i w_i u_i = 0, n V = sum_i c_i u_i with c_i = phi_i - gamma w_i, which is small; and <u_i, u_j>
    = (r_i^2 + r_j^2 - D_ij)/2, with D_ij <= 2 (r_i^2 + r_j^2) to bound the rounding.
    """
    level = rounding_level(ctx)
    phi = mass_phi(ctx, loss, norms.values, masses)
    rounding = _phi_errors(ctx, loss, norms, masses, phi, ctx.mpf(0))
    phi_sum = ctx.fsum(phi)
    if not ctx.isfinite(phi_sum) or phi_sum <= ctx.fsum(rounding):
        return None
    error = ctx.fdot(rounding, norms.values) + level * ctx.fdot(phi, norms.values)
    coefficients = [value - phi_sum * weight for value, weight in zip(phi, weights, strict=True)]
    sizes = [abs(entry) for entry in coefficients]
    squares = [norm**2 for norm in norms.values]
    product = [ctx.fdot(row, coefficients) for row in distances]
    excess, moment = ctx.fsum(coefficients), ctx.fdot(coefficients, squares)
    form = excess * moment - ctx.fdot(coefficients, product) / 2
    form_error = level * ctx.fsum(sizes) * ctx.fdot(sizes, squares)
    norm_bound = (ctx.sqrt(max(form, ctx.mpf(0)) + form_error) + error) / masses.total
    # max_j <V, Phi_j - f> bounds J - min J for a convex loss: the gap of Frank and Wolfe.
    largest = max(squares)
    vertices = max(moment + excess * square - entry for square, entry in zip(squares, product, strict=True))
    farthest = ctx.sqrt(largest) * (1 + level)
    vertex_error = error * farthest + level * (ctx.fdot(sizes, squares) + ctx.fsum(sizes) * largest)
    frank_wolfe = (max(vertices, ctx.mpf(0)) / 2 + vertex_error) / masses.total
    return _Gradient(phi, phi_sum, norm_bound, frank_wolfe, farthest, [value / phi_sum for value in phi])


def _phi_errors(
    ctx: MPContext, loss: Loss, norms: EnclosedNorms, masses: Masses, phi: list[mpf], beyond: mpf
) -> list[mpf]:
    """Return how far each m_i phi(r_i) can be off where the norms are off by their radii and `beyond`."""
    errors = []
    for value, norm, radius, mass in zip(phi, norms.values, norms.radii, masses.values, strict=True):
        reach = radius + beyond
        inner = mass * loss.phi(ctx, max(norm - reach, ctx.mpf(0)))
        outer = mass * loss.phi(ctx, norm + reach)
        errors.append(max(inner - value, value - outer) + rounding_level(ctx) * value)
    return errors


def _distance_bound(
    ctx: MPContext,
    distances: Matrix,
    loss: Loss,
    norms: EnclosedNorms,
    gradient: _Gradient,
    masses: Masses,
) -> tuple[mpf, mpf | None]:
    """Return v/m on the smallest ball tried where v < m eps, and n m/gamma there."""
    slope = gradient.norm_bound
    radius = FIRST_BALL * slope
    for _ in range(MAX_BALLS):
        curvature = ball_curvature(ctx, distances, loss, norms, radius, masses)
        if curvature is None:
            break
        bound = curvature / masses.total
        if bound > 0 and slope <= bound * radius:  # both are 0 where f is stationary without rounding
            return slope / bound, curvature / gradient.phi_sum
        radius = max(BALL_GROWTH * radius, FIRST_BALL * slope / bound if bound > 0 else ctx.mpf(0))
    return ctx.inf, None


def _gap_bound(gradient: _Gradient, error_bound: mpf) -> mpf:
    """Bound J(f) - min J for a convex loss: by the vertices of the hull, and by v times a distance."""
    # The minimiser lies in the hull of the feature vectors, none of which is farther from f than the
    # farthest.
    return min(gradient.frank_wolfe, gradient.norm_bound * min(error_bound, gradient.farthest))


def _weights_bound(
    ctx: MPContext,
    loss: Loss,
    norms: EnclosedNorms,
    gradient: _Gradient,
    weights: Row,
    error_bound: mpf,
    masses: Masses,
) -> mpf:
    """Bound max |w_i - w_i*|, from w* = phi(r*)/sum phi(r*) and |r* - r| <= error_bound."""
    if not ctx.isfinite(error_bound):
        return ctx.inf
    level = rounding_level(ctx)
    change = _phi_errors(ctx, loss, norms, masses, gradient.phi, error_bound)
    total = ctx.fsum(change)
    if total >= gradient.phi_sum:  # pragma: no cover (curvature over a ball bounds it, but for rounding)
        return ctx.inf
    return max(
        (entry + new * total) / (gradient.phi_sum - total) + level * new + abs(new - old)
        for entry, new, old in zip(change, gradient.step, weights, strict=True)
    )


def _negative_curvature(
    ctx: MPContext,
    distances: Matrix,
    loss: Loss,
    norms: EnclosedNorms,
    gradient: _Gradient,
    masses: Masses,
) -> mpf | None:
    """Return a proved negative upper bound on the smallest eigenvalue of n J''/gamma, else None."""
    projection = [
        -mass * loss.q(ctx, norm) / norm if norm > error else ctx.mpf(0)
        for norm, error, mass in zip(norms.values, norms.radii, masses.values, strict=True)
    ]
    kinks = [to_mpf(ctx, kink) for kink in loss.kinks]
    undecided = any(
        abs(norm - kink) <= error
        for norm, error in zip(norms.values, norms.radii, strict=True)
        for kink in kinks
    )
    gram = unit_gram(ctx, distances, norms, projection)
    direction = None if undecided or not gram else negative_direction(ctx, gram, gradient.phi_sum)
    if direction is None:
        return None
    rounding = rounding_level(ctx) * len(gram) * gradient.phi_sum
    excess = gradient.phi_sum - rayleigh_quotient(ctx, gram, direction) + rounding
    return excess / gradient.phi_sum if excess < 0 else None


def _certify_location(
    ctx: MPContext, distances: Matrix, weights: Row, norms: EnclosedNorms, masses: Masses
) -> CertificateBounds:
    """Certify f_med at a data location: the minimiser if and only if |R| <= the mass there."""
    centre = min(range(len(weights)), key=lambda index: norms.values[index])
    here = [not entry for entry in distances[centre]]
    if any(weight > 0 for weight, inside in zip(weights, here, strict=True) if not inside):
        return CertificateBounds(None, ctx.inf, ctx.inf, ctx.inf, ctx.inf, None)
    location = [index for index, inside in enumerate(here) if inside]
    exact = weights_on(ctx, location, masses)
    spread = max(abs(weight - share) for weight, share in zip(weights, exact, strict=True))
    residual = largest_change(weights, exact, masses)
    test = resultant(ctx, distances, location, masses)
    force = ctx.sqrt(test.square + test.slack)
    if force <= test.held:
        zero = ctx.mpf(0)
        return CertificateBounds(Certificate.GLOBAL, residual, zero, spread, zero, ctx.mpf(1))
    gap = (force - test.held) / masses.total * max(norms.values)
    objective = ctx.fdot(masses.values, norms.values) / masses.total
    certificate = Certificate.GLOBAL if gap <= to_mpf(ctx, GLOBAL_GAP) * objective else None
    return CertificateBounds(certificate, residual, ctx.inf, ctx.inf, gap, None)

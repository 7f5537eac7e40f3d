"""What is proved about a weighted density estimate as a stationary point of J, rounding included.

The answer names the kind of point, how far in H the exact stationary point can be, how far the weights can be
off and, where the loss is convex, how far J can lie above its minimum. Where nothing can be proved a bound is
infinite. All bounds hold for the exact numbers in `X`, the kernel and the loss, and for the given weights
divided by their sum.

The proof has four steps. (1) Residual norms with proved rounding errors. (2) An upper bound v on |V(f)|.
(3) If n J has curvature at least n m over a ball of radius eps around f and v < m eps, then J has exactly one
stationary point in the ball, a minimum, within v / m of f. (4) phi is non-increasing, so its values over that
ball bracket the exact weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from rkde.fast._float64 import TINY, UNIT_ROUNDOFF, Vector, accurate_sum, sum_factor
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers.curvature import (
    MAX_ACTIVE,
    BallCurvature,
    LocalFrame,
    ResidualEnclosure,
    eigenvalue_lower_bound,
    enclose_residuals,
    gram_error,
    pieces_on_ball,
    weighted_gram,
)
from rkde.fast.solvers.geometric_median import largest_change, resultant, weights_on
from rkde.vocabulary import Certificate

# J may exceed its minimum by this share of itself and still be called the global minimum.
GLOBAL_GAP: Final = 1e-12
# Weights whose step moves them by more than this share of the largest are not a stationary point.
STATIONARY_RESIDUAL: Final = 1e-12
# Nothing is proved if all phi r that are not 0 are smaller: their squares would underflow.
LEAST_SCALE: Final = 2.0**-400
# The first ball tried has this many times the radius v: for a loss that is quadratic at 0 the curvature of J
# never exceeds phi(0) = 1, so no bound below v can come out.
FIRST_BALL: Final = 2.0
BALL_GROWTH: Final = 4.0
MAX_BALLS: Final = 12


@dataclass(frozen=True, slots=True)
class CertificateBounds:
    """What is proved about a point.

    Attributes
    ----------
    certificate : Certificate or None
        None where the point is not stationary to 1e-12 of its largest weight.
    fixed_point_residual : float
        max |T(w) - w| / max w, as computed.
    error_bound : float
        At least the distance in H, in tau, to the exact stationary point; ``inf`` if nothing is proved.
    weights_error_bound : float
        At least the largest difference of a weight from that of the exact stationary point.
    gap : float or None
        At least J(f) - min J, in the units of J; None for a loss that is not convex.
    curvature_margin : float or None
        Proved lower bound on 1 - (local rate of KIRWLS); negative at a saddle, where it is an upper bound;
        None where nothing is proved.
    """

    certificate: Certificate | None
    fixed_point_residual: float
    error_bound: float
    weights_error_bound: float
    gap: float | None
    curvature_margin: float | None


@dataclass(frozen=True, slots=True)
class _Gradient:
    phi: Vector
    phi_sum: float
    phi_sum_error: float
    norm_bound: float
    frank_wolfe: float
    farthest: float
    step: Vector


def exactly_minimal(weights: Vector, masses: Vector | None = None) -> CertificateBounds:
    """Return what holds of a global minimiser whose rows share the weight by their masses: but for rounding.

    Shapes: weights (n,); masses (n,).
    """
    share = float(weights.max())
    is_power_of_two = math.frexp(share)[0] == 1 / 2
    # By their masses: a mass over the mean mass, the sum of those here, and the quotient.
    error = sum_factor(len(weights) + 8) * share if masses is not None else UNIT_ROUNDOFF * share
    if masses is None and is_power_of_two:
        error = 0.0
    return CertificateBounds(Certificate.GLOBAL, 0.0, 0.0, error, 0.0, 1.0)


def certify(
    operator: KernelOperator, loss: Loss, weights: Vector, frame: LocalFrame | None = None
) -> CertificateBounds:
    """Say what is proved about the stationary point near given weights.

    Shapes: weights (n,), nonnegative, of sum 1.

    Notes
    -----
    A few products with D, and for each ball tried at most one Cholesky factorization on the rows with q != 0
    (left out above `MAX_ACTIVE` of them).
    """
    is_signed = operator.masses is not None and float(operator.masses.min()) <= 0
    if is_signed or not operator.is_resolved:
        return _nothing_proved(loss)
    if operator.is_single_location:
        exact = exactly_minimal(weights, operator.masses)
        return exact if loss.facts.convex else replace(exact, gap=None)
    weights = weights / accurate_sum(weights)
    residuals = enclose_residuals(operator, weights, frame)
    if math.isinf(loss.phi([0.0])[0]) and bool((residuals.norms <= residuals.radii).any()):
        return _certify_location(operator, weights, residuals)
    gradient = _gradient(operator, loss, weights, residuals)
    if not math.isfinite(gradient.norm_bound):
        return _nothing_proved(loss)
    curvature = BallCurvature(operator, loss, residuals)
    error_bound, margin = _distance_bound(curvature, gradient, weights.size)
    gap = None
    if loss.facts.convex:
        # The minimiser lies in the hull of the feature vectors, none of which is farther from f than the
        # farthest: J(f) - min J is bounded by the vertices of the hull, and by |V| times a distance.
        by_distance = gradient.norm_bound * min(error_bound, gradient.farthest)
        gap = min(gradient.frank_wolfe, by_distance) * (1 + sum_factor(4))
    residual = largest_change(weights, gradient.step, operator.masses)
    low = np.maximum(residuals.norms - residuals.radii, 0)
    objective = accurate_sum(operator.weigh(loss.rho(low))) / weights.size * (1 - sum_factor(8))
    certificate = _certificate(loss, gap, objective, residual, error_bound)
    if certificate is Certificate.STATIONARY and not loss.facts.convex:
        negative = _negative_curvature(operator, loss, residuals, gradient)
        if negative < 0:
            certificate, margin = Certificate.SADDLE, negative
    return CertificateBounds(
        certificate,
        residual,
        error_bound,
        _weights_bound(operator, loss, residuals, gradient, weights, error_bound),
        gap,
        margin,
    )


def _nothing_proved(loss: Loss) -> CertificateBounds:
    gap = math.inf if loss.facts.convex else None
    return CertificateBounds(None, math.inf, math.inf, math.inf, gap, None)


def _certificate(
    loss: Loss, gap: float | None, objective: float, residual: float, error_bound: float
) -> Certificate | None:
    if gap is not None and gap <= GLOBAL_GAP * objective:
        return Certificate.GLOBAL
    if not loss.facts.convex and math.isfinite(error_bound):
        return Certificate.LOCAL_MINIMUM
    return Certificate.STATIONARY if residual <= STATIONARY_RESIDUAL else None


def _gradient(
    operator: KernelOperator, loss: Loss, weights: Vector, residuals: ResidualEnclosure
) -> _Gradient:
    """Bound |V(f)| = (1/n) |sum_i phi_i u_i| and the fall of J towards a vertex from above."""
    low = np.maximum(residuals.norms - residuals.radii, 0)
    high = residuals.norms + residuals.radii
    # Eight roundings: up to five in phi, and three in a mass over the mean mass times it.
    phi, inner = operator.weigh(loss.phi(residuals.norms)), operator.weigh(loss.phi(low))
    outer = operator.weigh(loss.phi(high))
    phi_error = np.maximum(inner - phi, phi - outer) + sum_factor(8) * inner
    phi_sum = accurate_sum(phi)
    phi_sum_error = accurate_sum(phi_error)
    # n V = sum_i phi_i u_i = sum_i (phi_i - g w_i) u_i for any g, since sum_i w_i u_i = 0.
    coefficients = phi - phi_sum * weights
    rounding = phi_error + sum_factor(4) * (phi + phi_sum * weights)
    error = accurate_sum(rounding * high)
    squares = residuals.norms**2
    product = operator.proved_product(coefficients)
    # <u_i, u_j> = (r_i^2 + r_j^2 - D_ij) / 2, and D_ij <= 2 (r_i^2 + r_j^2) bounds the rounding of the form.
    excess, moment = accurate_sum(coefficients), accurate_sum(coefficients * squares)
    form = excess * moment - accurate_sum(coefficients * product) / 2
    absolute, absolute_moment = (
        accurate_sum(np.abs(coefficients)),
        accurate_sum(np.abs(coefficients) * high**2),
    )
    norms_error = accurate_sum(np.abs(coefficients) * residuals.squared_radii)
    factor = operator.relative_error + sum_factor(8)
    # What the product is off beside that, and the form with it: its coefficients sum up to `absolute`.
    lost = operator.absolute_error * absolute * (1 + sum_factor(weights.size))
    form_error = absolute * (4 * factor * absolute_moment + 2 * norms_error + lost)
    norm_bound = (math.sqrt(max(form, 0.0) + form_error) + error) / weights.size * (1 + sum_factor(4))
    step = phi / phi_sum if phi_sum > 0 else np.full(weights.size, math.nan)
    pulls = (phi * residuals.norms)[(phi > 0) & (residuals.norms > 0)]
    if phi_sum <= phi_sum_error or (pulls.size and pulls.max() < LEAST_SCALE):
        norm_bound = math.inf
    # max_j <V, Phi_j - f>, the most that J can fall towards a vertex of the hull, and its rounding.
    vertices = float((moment + excess * squares - product).max()) / 2
    farthest = float(high.max())
    spread = 3 * (absolute_moment + absolute * farthest**2)
    vertex_error = error * farthest + factor * spread + norms_error + absolute * residuals.squared_radii.max()
    frank_wolfe = (max(vertices, 0.0) + float(vertex_error) + lost) / weights.size
    return _Gradient(phi, phi_sum, phi_sum_error, norm_bound, frank_wolfe, farthest, step)


def _distance_bound(curvature: BallCurvature, gradient: _Gradient, size: int) -> tuple[float, float | None]:
    """Return the bound v / m on the smallest ball tried where v < m eps, and n m / gamma there."""
    slope = gradient.norm_bound
    radius = FIRST_BALL * slope + TINY
    for _ in range(MAX_BALLS):
        bound = curvature.lower_bound(radius) / size
        if bound > 0 and slope < bound * radius * (1 - sum_factor(4)):
            share = bound * size / (gradient.phi_sum + gradient.phi_sum_error) * (1 - sum_factor(4))
            return slope / bound * (1 + sum_factor(4)), share
        if bound == -math.inf:
            break
        wanted = FIRST_BALL * slope / bound if bound > 0 else 0.0
        radius = max(BALL_GROWTH * radius, wanted)
    return math.inf, None


def _weights_bound(
    operator: KernelOperator,
    loss: Loss,
    residuals: ResidualEnclosure,
    gradient: _Gradient,
    weights: Vector,
    error_bound: float,
) -> float:
    """Bound max |w_i - w_i*|, from w* = phi(r*) / sum phi(r*) and |r* - r| <= error_bound."""
    low = residuals.norms - residuals.radii - error_bound
    if not math.isfinite(error_bound) or (loss.phi(np.zeros(1))[0] == math.inf and bool((low <= 0).any())):
        return math.inf
    high = residuals.norms + residuals.radii + error_bound
    phi = gradient.phi
    inner, outer = operator.weigh(loss.phi(np.maximum(low, 0))), operator.weigh(loss.phi(high))
    change = np.maximum(inner - phi, phi - outer) + sum_factor(8) * inner
    total = accurate_sum(change)
    if total >= gradient.phi_sum:  # pragma: no cover (no problem is known where a bound proves so little)
        return math.inf
    step_error = (change + gradient.step * total) / (gradient.phi_sum - total) + sum_factor(4) * gradient.step
    return float((step_error + np.abs(gradient.step - weights)).max()) * (1 + sum_factor(8))


def _negative_curvature(
    operator: KernelOperator, loss: Loss, residuals: ResidualEnclosure, gradient: _Gradient
) -> float:
    """Return a proved negative upper bound on the smallest eigenvalue of n J'' / gamma, else 0."""
    pieces = pieces_on_ball(loss, residuals, UNIT_ROUNDOFF, operator.masses)
    largest_order = min(MAX_ACTIVE, operator.block_limit)
    if pieces is None or not 0 < int((pieces.projection > 0).sum()) <= largest_order:
        return 0.0
    # The coefficients are rounded up by at most this relative amount, which lowers the proved eigenvalue.
    active = pieces.projection > 0
    relative = float((residuals.radii[active] / residuals.norms[active]).max()) + sum_factor(8)
    gram = weighted_gram(operator, residuals, pieces.projection)
    error = gram_error(residuals, pieces.projection, operator.distance_roundings) + 2 * relative * float(
        np.linalg.norm(gram)
    )
    largest = eigenvalue_lower_bound(gram) - error
    return min(0.0, (gradient.phi_sum + gradient.phi_sum_error - largest) / gradient.phi_sum)


def _certify_location(
    operator: KernelOperator, weights: Vector, residuals: ResidualEnclosure
) -> CertificateBounds:
    """Certify f_med at a data location: it is the minimiser if and only if |R| <= its multiplicity."""
    vertex = resultant(operator, int(np.argmin(residuals.norms)))
    if bool((weights[~vertex.rows] > 0).any()):
        return CertificateBounds(None, math.inf, math.inf, math.inf, math.inf, None)
    exact_weights = weights_on(vertex.rows, operator.masses)
    spread = float(np.abs(weights - exact_weights).max())
    residual = largest_change(weights, exact_weights, operator.masses)
    if vertex.verdict == "minimiser":
        exact = exactly_minimal(weights, operator.masses)
        bound = spread + exact.weights_error_bound
        return replace(exact, fixed_point_residual=residual, weights_error_bound=bound)
    # J falls from here at the rate (|R| - m) / n at most, over at most the distance of the farthest row.
    force = math.sqrt(vertex.square + vertex.slack)
    gap = max(0.0, force - vertex.mass) / weights.size * float(residuals.norms.max()) * (1 + sum_factor(8))
    losses = operator.weigh(residuals.norms - residuals.radii)
    objective = accurate_sum(losses[~vertex.rows]) / weights.size
    certificate = Certificate.GLOBAL if gap <= GLOBAL_GAP * objective else None
    return CertificateBounds(certificate, residual, math.inf, math.inf, gap, None)

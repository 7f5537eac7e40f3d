"""KIRWLS: products of engines, residual norms, phi, J, the weights and the element after one step, limits."""

import math
import operator
from collections.abc import Sequence
from typing import Final, Protocol

from rkde.proofs_checks.tolerances.roundings import (
    COMPLEMENT_EXTRA,
    LAST_ROUNDINGS,
    LOSS_ROUNDINGS,
    SQDIST_EXTRA,
    reference_bound,
    sum_bound,
    unit_roundoff,
)

# ------------------------------------------------------------------------------------- products of engines


def product_bounds(
    relative: float, absolute: float, magnitudes: Sequence[float], coefficients: Sequence[float]
) -> list[float]:
    """Absolute bound of each entry of a proved product, `magnitudes` being D|c|.

    The stated bound itself; the magnitudes and sum |c| carry n + d + 32 roundings at most where they were
    computed in float64, for which half as many roundings again as n + 64 leave room.
    """
    total = math.fsum(map(abs, coefficients))
    room = 1 + sum_bound(2 * len(magnitudes) + 64)
    return [(relative * magnitude + absolute * total) * room for magnitude in magnitudes]


def gram_bounds(product_errors: Sequence[float], coefficients: Sequence[float]) -> list[float]:
    """Absolute bound of each entry of K c = sum c - D c / 2 from that of D c.

    The sum has n - 1 roundings of sum |c|, the difference one, of at most that size again.
    """
    own = sum_bound(len(coefficients) + 1) * math.fsum(map(abs, coefficients))
    return [error + own for error in product_errors]


def left_out_bound() -> float:
    """Absolute bound of log f from leaving out a share of at most 2^-53 of f: log(1 - 2^-53) to first order.

    Twice that covers the second order and the rounding of the radius beyond which rows are left out.
    """
    return 2 * unit_roundoff()


def sum_order_bound(n_terms: int) -> float:
    """Absolute bound between log sums of the same n nonnegative terms added in two orders.

    Each sum is off by at most sum_bound(n) relatively, hence its logarithm by that to first order; the
    shift that is added back and the logarithm itself are rounded as they are in both.
    """
    return 2 * sum_bound(n_terms + 8)


# ------------------------------------------------------------------------------------------------ one step


class LossLike(Protocol):
    """A loss of either implementation, or a specification of one: its name, and its thresholds if any."""

    @property
    def name(self) -> str:
        """Name of the loss."""
        raise NotImplementedError


def _variance(residual_norms: Sequence[float], weights: Sequence[float]) -> float:
    """V = sum_j w_j r_j^2 for the normalised weights: half of w'Dw."""
    terms = [weight * norm * norm for weight, norm in zip(weights, residual_norms, strict=True)]
    return math.fsum(terms) / math.fsum(weights)


def _residual_roundings(n_samples: int, dim: int) -> int:
    return 4 * n_samples + dim + SQDIST_EXTRA + COMPLEMENT_EXTRA + LAST_ROUNDINGS


def residual_sq_bound(residual_norms: Sequence[float], weights: Sequence[float], dim: int) -> list[float]:
    """Absolute bound of each r_i^2 = (Dw)_i - w'Dw/2, D = 2(1 - kappa), weights divided by their sum.

    All terms of both sums are nonnegative. (Dw)_i has the error of D, n roundings in the weights and n in the
    sum; w'Dw has the weights' and a sum's once more; the subtraction one: m = 4n + (roundings of D) + 2 in
    all, so the error is at most sum_bound(m) ((Dw)_i + w'Dw/2). With V = sum_j w_j r_j^2 = w'Dw/2 that is
    sum_bound(m) (r_i^2 + 2V). The centred form of a heavy location sums a part of the same terms.
    """
    own = sum_bound(_residual_roundings(len(residual_norms), dim))
    variance = _variance(residual_norms, weights)
    return [own * (norm * norm + 2 * variance) for norm in residual_norms]


def residual_bound(
    residual_norms: Sequence[float], weights: Sequence[float], dim: int, left_out: float = 0.0
) -> list[float]:
    """Absolute bound of each r_i: |r' - r| = |r'^2 - r^2|/(r' + r) <= min(e/r, sqrt e), e that of r_i^2.

    The square root adds one rounding. An engine whose products with D have the absolute error `left_out`
    moves (D w)_i by it, for weights of sum 1, w'D w / 2 by half of it, and r_i^2 by their sum at most: twice
    that covers it with the roundings of the sum of weights.
    """
    squares = [bound + 2 * left_out for bound in residual_sq_bound(residual_norms, weights, dim)]
    return [
        min(math.sqrt(error), error / norm if norm > 0 else math.inf) + unit_roundoff() * norm
        for error, norm in zip(squares, residual_norms, strict=True)
    ]


def cancellation(norms: Sequence[float], weights: Sequence[float]) -> float:
    """Factor by which r_i^2 = (Dw)_i - w'Dw/2 amplifies its roundings: max 1 + 2 V / r_i^2, V = sum w r^2."""
    variance = _variance(norms, weights)
    return max(1 + 2 * variance / (norm * norm) for norm in norms)


def loss_bound() -> float:
    """Relative bound of psi, phi, psi' and q at an exact argument: at most nine roundings, no cancellation.

    The only difference of inexact terms is none: c - t and c - b are differences of given numbers.
    """
    return sum_bound(LOSS_ROUNDINGS)


def _thresholds(loss: LossLike) -> tuple[float, ...]:
    # A specification of `strategies` lists them, a loss of an implementation names them.
    given = getattr(loss, "thresholds", None)
    values = [getattr(loss, letter, None) for letter in "abc"] if given is None else list(given)
    return tuple(float(value) for value in values if value is not None)


def _slope_pieces(loss: LossLike) -> list[tuple[float, float, float]]:
    """Pieces (start, end, coefficient) on which |phi'(t)| = coefficient / t^2; elsewhere phi' = 0."""
    if loss.name == "absolute":
        return [(0.0, math.inf, 1.0)]
    if loss.name == "huber":
        (a,) = _thresholds(loss)
        return [(a, math.inf, a)]
    if loss.name == "hampel":
        a, b, c = _thresholds(loss)
        return [(a, b, a), (b, c, a * c / (c - b))]
    return []


def phi_slope(loss: LossLike, t: float, radius: float) -> float:
    """Sup of |phi'| on [t - radius, t + radius]: coefficient / t^2 at the left end of each piece it meets.

    phi' = q/t^2 with q = -a (Huber's tail, Hampel's plateau), -ac/(c - b) (ramp), -1 (absolute), 0 elsewhere.
    Infinite for the absolute loss where the interval reaches 0.
    """
    low, high = max(t - radius, 0.0), t + radius
    met = [(max(low, start), coef) for start, end, coef in _slope_pieces(loss) if start < high and low < end]
    return max((coef / (left * left) if left > 0 else math.inf for left, coef in met), default=0.0)


def phi_error(
    loss: LossLike, residual_norms: Sequence[float], phi: Sequence[float], residual_error: Sequence[float]
) -> list[float]:
    """Absolute bound of each phi(r_i): the steepest slope within r_i's error, and phi's own roundings."""
    own = sum_bound(LOSS_ROUNDINGS)
    return [
        (phi_slope(loss, norm, error) * error if error > 0 else 0.0) + own * value
        for norm, value, error in zip(residual_norms, phi, residual_error, strict=True)
    ]


def weight_step_bound(phi: Sequence[float], errors: Sequence[float]) -> list[float]:
    """Absolute bound of each weight phi_i / sum phi when phi_i is known to within errors[i].

    With g = sum phi, E = sum errors: w'_i - w_i = (phi'_i - phi_i)/g' - w_i (g' - g)/g', so at most
    (e_i + w_i E)/(g - E); the sum has n roundings and each division one. Infinite where E >= g.
    With e_i = L |f' - f| for all i this is the bound (L |f' - f| / g)(1 + n w_i) of one step.
    """
    phi_sum, error_sum = math.fsum(phi), math.fsum(errors)
    if error_sum >= phi_sum:
        return [math.inf] * len(phi)
    own = sum_bound(2 * (len(phi) + LAST_ROUNDINGS))
    return [
        (error + value / phi_sum * error_sum) / (phi_sum - error_sum) + own * value / phi_sum
        for value, error in zip(phi, errors, strict=True)
    ]


def element_step_bound(phi: Sequence[float], errors: Sequence[float], next_norms: Sequence[float]) -> float:
    """Bound of |T'f - Tf| when phi_i is known to within errors[i]; next_norms[i] = |Phi(X_i) - Tf|.

    T'f - Tf = sum_i (phi'_i - phi_i)(Phi_i - Tf)/g', because sum_i phi_i (Phi_i - Tf) = 0; the weights' own
    roundings move it by at most their relative size times sum_i w_i |Phi_i - Tf|. Feed the result back as an
    additional error of every residual of the next step (|r'_i - r_i| <= |f' - f|): for the convex losses the
    factor sum_i |phi'(r_i)| |Phi_i - Tf| / g stays near or below 1, so the bound does not explode.
    """
    phi_sum, error_sum = math.fsum(phi), math.fsum(errors)
    if error_sum >= phi_sum:
        return math.inf
    moved = math.fsum(map(operator.mul, errors, next_norms)) / (phi_sum - error_sum)
    rounded = math.fsum(map(operator.mul, phi, next_norms)) / phi_sum
    return moved + sum_bound(2 * (len(phi) + LAST_ROUNDINGS)) * rounded


def neg_gradient_bound(
    phi: Sequence[float], errors: Sequence[float], weights: Sequence[float]
) -> list[float]:
    """Absolute bound of each v_i = (phi_i - w_i sum phi) / n, phi_i known to within errors[i], sum w = 1.

    With g = sum phi, E = sum errors: phi'_i is off by e_i, and w_i g' by w_i E. The weights have n roundings,
    the sum n, the product, the difference and the division one each, all relative to phi_i + w_i g, or, of
    the values that are off, to that and the errors: twice as many roundings cover the latter.
    """
    n, phi_sum, error_sum, total = len(phi), math.fsum(phi), math.fsum(errors), math.fsum(weights)
    own = sum_bound(2 * (2 * n + 3))
    return [
        (error + weight / total * error_sum + own * (value + weight / total * phi_sum)) / n
        for value, error, weight in zip(phi, errors, weights, strict=True)
    ]


def rho_bound(loss: LossLike, t: float, value: float) -> float:
    """Absolute bound of rho at an exact argument: nine roundings of its largest term.

    Every piece is a sum of terms no larger than the value but two: a t - a^2/2 has terms up to twice the
    value (a^2/2 <= a t/2), and Hampel's ramp subtracts from rho(c) = a (b + c - a)/2.
    """
    largest = 3 * value
    if loss.name == "hampel":
        a, b, c = _thresholds(loss)
        largest = max(largest, a * (b + c - a) if t >= b else 0.0)
    return sum_bound(LOSS_ROUNDINGS) * largest


def objective_bound(
    loss: LossLike, residual_norms: Sequence[float], rho: Sequence[float], residual_error: Sequence[float]
) -> float:
    """Absolute bound of J = mean rho(r_i): psi times the error of r_i, rho's own roundings, the mean's n + 1.

    psi(t) <= t for the quadratic, min(t, a) for Huber and Hampel, 1 for the absolute loss, and it is taken at
    the far end of the interval r_i +- error.
    """
    cap = _thresholds(loss)[0] if loss.name in ("huber", "hampel") else math.inf
    total = [
        (1.0 if loss.name == "absolute" else min(norm + error, cap)) * error + rho_bound(loss, norm, value)
        for norm, value, error in zip(residual_norms, rho, residual_error, strict=True)
    ]
    return math.fsum(total) / len(total) + sum_bound(len(total) + 1) * math.fsum(rho) / len(total)


# At a fixed point the share of V in the error of J is at most twice J; see objective_slack.
_SPREAD_AT_FIXED_POINT: Final = 2.0


def objective_slack(n_samples: int, dim: int = 1) -> float:
    """Relative slack s such that computed values obey J_{k+1} <= J_k (1 + s) where exact ones fall.

    The error e_i = g (r_i^2 + 2V) of r_i^2 (residual_sq_bound, g = sum_bound(m)) moves rho by phi_i e_i/2.
    Since t psi <= 2 rho where phi is non-increasing, mean phi_i r_i^2/2 <= J; the rest is g (sum phi / n) V.
    So J has relative error g (1 + spread) plus its own n + 9 roundings, spread = (sum phi / n) V / J, and two
    values are compared: twice that. At a fixed point V = sum phi_i r_i^2 / sum phi and spread <= 2.
    """
    norms = sum_bound(_residual_roundings(n_samples, dim))
    own = sum_bound(3 * (n_samples + LOSS_ROUNDINGS))
    return 2 * (norms * (1 + _SPREAD_AT_FIXED_POINT) + own)


def convex_gap(phi_sum: float, step_length: float, n_samples: int) -> float:
    """Bound J(f) - min J for a convex loss from the length |Tf - f| of the next step.

    V(f) = (sum phi / n)(Tf - f) is the negative gradient, a convex J satisfies J(f) - J(g) <= <V(f), g - f>,
    and two weighted density estimates are at most sqrt(2) tau apart.
    """
    return math.sqrt(2) * phi_sum / n_samples * step_length


def longest_step(step: float, n_rows: int) -> float:
    """Bound |Tf - f| in tau where no weight moves by more than `step`: n features at norms up to sqrt(2)."""
    return math.sqrt(2) * n_rows * step


# Decimal digits that a step may lose: phi turns an error e of r into |q| e / r^2, for norms down to 1e-5.
_DIGITS_OF_A_STEP: Final = 10


def reference_step_error(digits: int) -> float:
    """Bound of a step, relative to the largest weight, that is due to rounding at many digits.

    Both the weights it starts from and the step that the run itself compared with its tolerance are rounded,
    and the step amplifies that.
    """
    return reference_bound(digits - _DIGITS_OF_A_STEP)


# ---------------------------------------------------------------------------------------- paths and limits


# A first-order error bound above this proves nothing about the first digits of a weight.
_MEANINGFUL: Final = 2.0**-10


def path_bound(first_order: float) -> float:
    """Bound of the error of an iterate from its first-order bound sum_j |J_k ... J_(j+1)| local_j.

    The rest is of second order: at most the square of the first order times the curvature of the step. A
    factor 2 covers it while that product is below 1; larger bounds prove nothing and become infinite, so a
    comparison that would be vacuous fails instead.
    """
    return 2 * first_order if first_order < _MEANINGFUL else math.inf


# See contracting_path_bound.
_CONTRACTING_PATH: Final = 1e-13


def contracting_path_bound() -> float:
    """Relative bound, against the largest weight, of a path on which no step amplifies earlier errors.

    Twenty steps that do not amplify add up at most twenty local errors. A local error is that of residual
    norms (sums of like terms, in blocks or pairs: some tens of u in practice, whatever n) times the slope of
    phi over its mean, below 2 where steps contract: 20 * 2 * 20 u is below 1e-13.
    """
    return _CONTRACTING_PATH


def geometric_bound(step: float, ratio: float) -> float:
    """Bound the distance to the limit of a sequence whose steps shrink by `ratio`: step / (1 - ratio), twice.

    The geometric series of the remaining steps; the factor 2 pays for a ratio that still changes slightly.
    """
    return 2 * step / (1 - ratio) if ratio < 1 else math.inf


def limit_bound(residuals: float, margin: float) -> float:
    """Bound, against the largest weight, of two computed limits of one branch.

    Near a limit T contracts with a rate of at most 1 - margin, so w is off by at most |T(w) - w| / margin;
    `residuals` is the sum of both. The norms of T are comparable, not equal: a factor 2 covers them and what
    is of second order.
    """
    return 2 * residuals / margin if margin > 0 else math.inf


def common_limit_bounds(first: float, second: float) -> float:
    """Bound of the difference of two answers that are each within a stated bound of one exact limit."""
    return (first + second) * (1 + sum_bound(2))


# See offset_bound.
_OFFSET_AGREEMENT: Final = 1e-6


def offset_bound() -> float:
    """Relative bound, against the largest weight, of the recipe's answer to X + 1e8 against that to X.

    Adding 1e8 rounds every coordinate by up to 2^-27, so differences move by up to 2^-26 and the distances of
    four columns by 2^-25, which is 1e-7 of a bandwidth of 0.3. The recipe (thresholds included) passes a
    relative change of the distances on to the weights with a factor of the order of 1, bounded here by 10;
    cancellation, in contrast, would change them completely.
    """
    return _OFFSET_AGREEMENT

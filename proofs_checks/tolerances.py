"""Every tolerance of the project, each derived from a count of roundings.

The model is the usual one: a float64 operation returns the exact result times 1 + delta with |delta| <= u,
u = 2^-53, and m such factors together are 1 + theta with |theta| <= sum_bound(m). Numbers that two
implementations receive as input carry no error. Bounds are first order where their text says so.
Only the standard library is used, so neither implementation can leak into its own yardstick.

Elementary bounds stand in `roundings`, those along KIRWLS in `step_bounds`; this module offers them all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from rkde.proofs_checks.roundings import (
    COMPLEMENT_EXTRA,
    DECIMAL_BASE,
    ELEMENTARY_ULP,
    LAST_ROUNDINGS,
    LOSS_ROUNDINGS,
    SQDIST_EXTRA,
    amplified,
    eigenvalue_bound,
    elementwise,
    quadrature_bound,
    reference_bound,
    sum_bound,
    unit_roundoff,
)
from rkde.proofs_checks.step_bounds import (
    LossLike,
    convex_gap,
    element_step_bound,
    geometric_bound,
    objective_bound,
    objective_slack,
    objective_spread,
    phi_error,
    phi_lipschitz,
    phi_slope,
    residual_bound,
    residual_sq_bound,
    rho_bound,
    weight_step_bound,
)

__all__ = [
    "LossLike",
    "amplified",
    "bandwidth_bound",
    "complement_bound",
    "contracting_path_bound",
    "convex_gap",
    "eigenvalue_bound",
    "element_step_bound",
    "elementwise",
    "geometric_bound",
    "largest",
    "least_positive",
    "log_density_bound",
    "log_mean_bound",
    "log_profile_bound",
    "loss_bound",
    "normaliser_bound",
    "objective_bound",
    "objective_slack",
    "objective_spread",
    "offset_bound",
    "pair_bound",
    "path_bound",
    "phi_error",
    "phi_lipschitz",
    "phi_slope",
    "practical_thresholds_bound",
    "printed_digits",
    "profile_bound",
    "quadrature_bound",
    "quantile_bound",
    "reference_bound",
    "residual_bound",
    "residual_sq_bound",
    "rho_bound",
    "sqdist_bound",
    "sum_bound",
    "unit_roundoff",
    "vkde_bandwidth_bound",
    "vkde_log_density_bound",
    "weight_step_bound",
]

# ------------------------------------------------------------------------------------------------ kernels


def sqdist_bound(dim: int) -> float:
    """Relative bound of |x - y|^2 / h^2 by direct differences.

    Each difference has one rounding and enters squared (2), the square has 1, h^2 and the quotient 2, one is
    spare for a factor 1/2 or 1/nu; the d - 1 additions have nonnegative terms: sum_bound(d + 6) covers all.
    Its square root (Laplacian) halves the relative error and adds one rounding, so it is covered as well.
    """
    return sum_bound(dim + SQDIST_EXTRA)


def log_profile_bound(dim: int) -> float:
    """Relative bound of log kappa: scaled squared distance, log1p (condition number <= 1), products."""
    return sum_bound(dim + SQDIST_EXTRA + COMPLEMENT_EXTRA)


def profile_bound(log_profile: float, dim: int) -> float:
    """Relative bound of kappa = exp(log kappa): a relative error e of the exponent t costs a factor exp(t e).

    exp(t e) - 1 for e = log_profile_bound(dim), then the error of exp itself.
    """
    return math.expm1(abs(log_profile) * log_profile_bound(dim)) + elementwise(ELEMENTARY_ULP)


def complement_bound(dim: int) -> float:
    """Relative bound of 1 - kappa = -expm1(-t): t exp(-t) / (1 - exp(-t)) <= 1 is its condition number.

    So the relative error of t passes on without growth, and expm1 adds its own.
    """
    return sum_bound(dim + SQDIST_EXTRA + COMPLEMENT_EXTRA)


def normaliser_bound(term_magnitude: float, dim: int) -> float:
    """Absolute bound of log k(0,0) from the sum of the magnitudes of its terms.

    Each of at most five terms has an elementary function, two products and four additions; the argument of a
    logarithm carries two roundings, which cost (d/2) times that in the term -(d/2) log(pi nu h^2).
    """
    return sum_bound(2 * ELEMENTARY_ULP + SQDIST_EXTRA) * (term_magnitude + dim)


def log_density_bound(log_density: float, term_magnitude: float, n_samples: int, dim: int) -> float:
    """Absolute bound of log f(x) = log k(0,0) + log sum_i w_i kappa_i by log-sum-exp.

    The derivative of log-sum-exp is the softmax p, and sum_i p_i t_i <= -log sum_i w_i kappa_i (a relative
    entropy is nonnegative), so the errors e t_i of the exponents cost at most e (|log f| + |log k(0,0)|).
    Weights cost their n + 1 roundings, the sum n, log and exp their own, and log k(0,0) `normaliser_bound`.
    """
    exponents = (log_profile_bound(dim) + elementwise(ELEMENTARY_ULP)) * (abs(log_density) + term_magnitude)
    sums = sum_bound(2 * n_samples + 2) + 2 * elementwise(ELEMENTARY_ULP)
    return exponents + sums + normaliser_bound(term_magnitude, dim)


# ------------------------------------------------------------------------------------ distances, statistics


def bandwidth_bound(dim: int, n_samples: int) -> float:
    """Relative bound of a distance-based bandwidth, and of s n^(-1/(d+4)) with s from centred sums.

    A distance: d + 6 roundings halved by the root; the mean of the middle two: 1. A trace of centred squares:
    2n + d more; a power with exponent below 1 does not amplify and has an elementary error.
    """
    return sum_bound(dim + SQDIST_EXTRA + 2 * (n_samples + ELEMENTARY_ULP) + LAST_ROUNDINGS)


# An incomplete gamma function and the search for its inverse: a product of a series and of powers, twice.
_QUANTILE_ULP: Final = 8 * ELEMENTARY_ULP


def pair_bound(dim: int, n_samples: int) -> float:
    """Relative bound of a low distance over a quantile of the chi-squared law, as `robust_scales` has it.

    An order statistic of distances moves by no more than the largest of their errors, which are those of
    `bandwidth_bound`; so does the power of n. The quantile x is found to where the distribution function P
    differs from the level by some elementary errors, and P has as many. At levels up to 1/4, d log x is at
    most 2 e^x / d times d log P, by x P'(x) >= (d/2) e^-x P(x) with the half square x, which is below 0.06
    for d = 1; for larger d, x P'(x) / P(x) grows. The root halves both.
    """
    return bandwidth_bound(dim, n_samples) + sum_bound(_QUANTILE_ULP)


def practical_thresholds_bound(n_samples: int, dim: int) -> float:
    """Absolute bound, in tau^2, of the squared thresholds of the recipe `practical`.

    They are averages, with shares in [0, 1], of a squared residual norm and of 2 - sum w r^2 - 2/m. A squared
    norm is a difference of two sums of n products that are at most 4, each entry of D having the error of
    `complement_bound`; the shares carry the error of a quantile twice over, times a difference of at most 4.
    """
    entry = complement_bound(dim) + sum_bound(2 * n_samples)
    return 4 * (2 * entry + sum_bound(n_samples) + 2 * sum_bound(_QUANTILE_ULP))


def quantile_bound(largest: float, error: float) -> float:
    """Absolute bound of a quantile of numbers known to within `error` and at most `largest`.

    Order statistics are 1-Lipschitz in the largest error; the interpolation d_j + g (d_{j+1} - d_j) has three
    roundings of terms up to `largest`, and its weight g two more of the rank.
    """
    return error + sum_bound(LOSS_ROUNDINGS) * largest


def largest(values: Iterable[float]) -> float:
    """Return the largest of some bounds, 0 if there is none; infinite or NaN bounds pass through."""
    found = 0.0
    for value in values:
        if math.isnan(value):
            return value
        found = max(found, value)
    return found


# --------------------------------------------------------------------------------------- paths of iterations

# The least positive float64 is 2^-1074.
_LEAST_EXPONENT: Final = -1074
# A first-order error bound above this proves nothing about the first digits of a weight.
_MEANINGFUL: Final = 2.0**-10
# See contracting_path_bound.
_CONTRACTING_PATH: Final = 1e-13
# The probability that a statistical test fails although the code is right.
_FALSE_ALARM: Final = 1e-6
# See offset_bound.
_OFFSET_AGREEMENT: Final = 1e-6


def least_positive(n_roundings: int = 1) -> float:
    """Absolute bound where results underflow: each rounding of a subnormal is off by at most 2^-1075.

    Twice that a rounding, so that a flush of the last bit in an intermediate step is covered as well.
    """
    return n_roundings * math.ldexp(1.0, _LEAST_EXPONENT)


def loss_bound() -> float:
    """Relative bound of psi, phi, psi' and q at an exact argument: at most nine roundings, no cancellation.

    The only difference of inexact terms is none: c - t and c - b are differences of given numbers.
    """
    return sum_bound(LOSS_ROUNDINGS)


def path_bound(first_order: float) -> float:
    """Bound of the error of an iterate from its first-order bound sum_j |J_k ... J_(j+1)| local_j.

    The rest is of second order: at most the square of the first order times the curvature of the step. A
    factor 2 covers it while that product is below 1; larger bounds prove nothing and become infinite, so a
    comparison that would be vacuous fails instead.
    """
    return 2 * first_order if first_order < _MEANINGFUL else math.inf


def contracting_path_bound() -> float:
    """Relative bound, against the largest weight, of a path on which no step amplifies earlier errors.

    Twenty steps that do not amplify add up at most twenty local errors. A local error is that of residual
    norms (sums of like terms, in blocks or pairs: some tens of u in practice, whatever n) times the slope of
    phi over its mean, below 2 where steps contract: 20 * 2 * 20 u is below 1e-13.
    """
    return _CONTRACTING_PATH


def log_mean_bound(log_error: float, n_samples: int) -> float:
    """Absolute bound of the log of a mean of n densities, each log density known to within `log_error`.

    log-mean-exp and the mean of logs are 1-Lipschitz in the maximum norm; the sum has n + 1 roundings, exp
    and log their own, and adding the largest exponent back rounds what `log_error` already pays for.
    """
    return 2 * log_error + sum_bound(n_samples + 1) + 2 * elementwise(ELEMENTARY_ULP)


def vkde_bandwidth_bound(pilot_error: float, eta_error: float) -> float:
    """Relative bound of h (eta / f_i)^(1/2): half of both log errors, an exp and three products."""
    return (pilot_error + eta_error) / 2 + elementwise(ELEMENTARY_ULP) + sum_bound(LAST_ROUNDINGS + 1)


def vkde_log_density_bound(
    log_density: float, term_magnitude: float, bandwidth_error: float, n_samples: int, dim: int
) -> float:
    """Absolute bound of a log density whose bandwidths have a relative error e.

    |d log kappa / d log h| <= 2 |log kappa| for the three kernels (Student: x/(1 + x) <= log(1 + x)) and
    |d log k(0,0) / d log h| = d. As in `log_density_bound` the softmax average of |log kappa| is at most
    |log f| + |log k(0,0)|, now with the largest normaliser.
    """
    moved = bandwidth_error * (2 * (abs(log_density) + term_magnitude) + dim)
    return log_density_bound(log_density, term_magnitude, n_samples, dim) + moved


def offset_bound() -> float:
    """Relative bound, against the largest weight, of the recipe's answer to X + 1e8 against that to X.

    Adding 1e8 rounds every coordinate by up to 2^-27, so differences move by up to 2^-26 and the distances of
    four columns by 2^-25, which is 1e-7 of a bandwidth of 0.3. The recipe (thresholds included) passes a
    relative change of the distances on to the weights with a factor of the order of 1, bounded here by 10;
    cancellation, in contrast, would change them completely.
    """
    return _OFFSET_AGREEMENT


def printed_digits(digits: int) -> float:
    """Absolute bound of a number that is stated to `digits` decimals: half a unit of the last one, twice.

    The second half is for the computed number's own rounding, which must be smaller than the last decimal.
    """
    return math.pow(DECIMAL_BASE, -digits)


def distribution_band(n_draws: int) -> float:
    """Largest admissible distance of an empirical distribution function from the true one.

    Massart's form of the Dvoretzky-Kiefer-Wolfowitz inequality: P(sup|F_n - F| > e) <= 2 exp(-2 n e^2) for
    every F; solved for a false alarm once in a million runs.
    """
    return math.sqrt(math.log(2 / _FALSE_ALARM) / (2 * n_draws))

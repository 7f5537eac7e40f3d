"""Kernels, densities, bandwidths, and the explanations of an estimate."""

import math
from typing import Final

from rkde.proofs_checks.tolerances.roundings import (
    COMPLEMENT_EXTRA,
    ELEMENTARY_ULP,
    LAST_ROUNDINGS,
    SQDIST_EXTRA,
    elementwise,
    sum_bound,
)


def log_profile_bound(dim: int) -> float:
    """Relative bound of log kappa: scaled squared distance, log1p (condition number <= 1), products.

    Of the squared distance |x - y|^2 / h^2 by direct differences, each difference has one rounding and enters
    squared (2), the square has 1, h^2 and the quotient 2, one is spare for a factor 1/2 or 1/nu; the d - 1
    additions have nonnegative terms. Its square root (Laplacian) halves the relative error and adds one.
    """
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
    return log_profile_bound(dim)


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


def log_density_of_weights(weights_error: float, n_rows: int) -> float:
    """Absolute bound of a log density at a query whose heaviest rows are the nearest ones.

    f = sum w_i k_i: an error e of each weight against the largest moves f by at most e n times the largest
    term where no lighter row has a larger kernel value, and the logarithm has slope 1 / f.
    """
    return weights_error * n_rows + sum_bound(n_rows)


def log_mean_bound(log_error: float, n_samples: int) -> float:
    """Absolute bound of the log of a mean of n densities, each log density known to within `log_error`.

    log-mean-exp and the mean of logs are 1-Lipschitz in the maximum norm; the sum has n + 1 roundings, exp
    and log their own, and adding the largest exponent back rounds what `log_error` already pays for.
    """
    return 2 * log_error + sum_bound(n_samples + 1) + 2 * elementwise(ELEMENTARY_ULP)


def bandwidth_bound(dim: int, n_samples: int) -> float:
    """Relative bound of a distance-based bandwidth, and of s n^(-1/(d+4)) with s from centred sums.

    A distance: d + 6 roundings halved by the root; the mean of the middle two: 1. A trace of centred squares:
    2n + d more; a power with exponent below 1 does not amplify and has an elementary error.
    """
    return sum_bound(dim + SQDIST_EXTRA + 2 * (n_samples + ELEMENTARY_ULP) + LAST_ROUNDINGS)


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


# The width in log h at which the search for a bandwidth ends.
_REFINEMENT: Final = 1e-6


def search_bound(flatness: float) -> float:
    """Relative bound of a minimiser found by comparing values, against one found otherwise.

    The bracket ends 1e-6 wide. Around a minimum with second derivative c in log h, values closer than their
    rounding e compare at random: that is within (2 e / c)^(1/2) of it. `flatness` is e / c.
    """
    return _REFINEMENT + 2 * math.sqrt(2 * flatness)


# What Gauss's rule leaves, between rows a few bandwidths apart.
_QUADRATURE: Final = 1e-11


def quadrature_request() -> float:
    """Relative error of Gauss's rule of 80 nodes on an analytic density, between rows and on a tail.

    The rule converges geometrically in the distance to the nearest singularity in units of the interval; for
    intervals of a few bandwidths 80 nodes leave rounding alone, of which this is ten thousand units.
    """
    return _QUADRATURE


# 50 * 0.01^4 / 384, rounded up.
_TABLE: Final = 1.5e-9


def table_bound() -> float:
    """Relative bound of a profile by cubic interpolation of its logarithm.

    Neighbours are less than 0.01 apart in the logarithm of the squared distance, and the fourth derivative of
    the logarithm of the profile is below 50 where that is above e^-700 (the Laplacian's, which is largest, is
    like that of (t)^(1/2): 700 / 16): 50 * 0.01^4 / 384.
    """
    return _TABLE


_TABLE_END: Final = -699.0


def table_end() -> float:
    """Where the table of `table_bound` ends: values of this size or less are 0 in it."""
    return math.exp(_TABLE_END)


# -------------------------------------------------------------------------------------------- explanations


# What is left of 1 is a difference where it is no less.
_LEAST_DIFFERENCE: Final = 0.5


def without_row_bound(n_samples: int, rest: float) -> float:
    """Absolute bound of log(1 - w_i), by which a density without row i is divided, where 1 - w_i = `rest`.

    A weight has n + 1 roundings of at most 1, the difference one; the logarithm divides by `rest`. Below 1/2
    the weights of the others are added instead, with n - 2 roundings: 2 n - 1 of what they are in all.
    """
    return sum_bound(n_samples + 2 + LAST_ROUNDINGS) / max(rest, _LEAST_DIFFERENCE)


def coordinate_bound(dim: int, condition: float, farthest: float) -> float:
    """Bound of the error of a row's coordinates, over h, where an L that is not diagonal makes them.

    A triangular solve, the orthogonal axes of some columns and the product with them are backward stable:
    each is off by some d roundings, four of them d + 2 each, of the longest row, times the condition of L.
    """
    return condition * farthest * sum_bound(4 * (dim + 2))


def moved_bound(moved: float, farthest: float, dim: int, dof: float = math.inf) -> float:
    """Absolute bound of the change of log f where coordinates over h move by `moved`.

    log kappa changes by at most c r dr, with c = 1 for the Gaussian and c <= (nu + d) / nu for the Student
    kernel, where both rows move and no distance r over h is above `farthest`; log f by no more than that.
    |det L| has the relative error of one row for each column, so its logarithm changes by d times `moved`.
    """
    step = 2 * moved
    return (1 + dim / dof) * step * (farthest + step) + dim * moved


def gradient_bound(
    largest_pull: float, log_density: float, term_magnitude: float, n_samples: int, dim: int
) -> float:
    """Absolute bound of an entry of the gradient sum_i p_i g_i, |g_i| at most `largest_pull`, to first order.

    With errors e_i of log(w_i kappa_i), the shares p_i = exp(..) change by p_i (e_i - sum_j p_j e_j), and
    sum_i p_i |e_i| is at most `log_density_bound`. The terms g_i have d + 10 roundings, their sum n.
    """
    shares = 2 * log_density_bound(log_density, term_magnitude, n_samples, dim)
    return largest_pull * (shares + sum_bound(n_samples + dim + 10))

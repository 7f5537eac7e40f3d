"""Quantiles, depth, means of log ratios, and what random draws may show."""

import math
from collections.abc import Sequence
from typing import Final

from rkde.proofs_checks.tolerances.densities import bandwidth_bound, complement_bound
from rkde.proofs_checks.tolerances.roundings import (
    ELEMENTARY_ULP,
    LAST_ROUNDINGS,
    LOSS_ROUNDINGS,
    least_positive,
    sum_bound,
    unit_roundoff,
)

# An incomplete gamma function and the search for its inverse: a product of a series and of powers, twice.
_QUANTILE_ULP: Final = 8 * ELEMENTARY_ULP


def quantile_bound(largest: float, error: float) -> float:
    """Absolute bound of a quantile of numbers known to within `error` and at most `largest`.

    Order statistics are 1-Lipschitz in the largest error; the interpolation d_j + g (d_{j+1} - d_j) has three
    roundings of terms up to `largest`, and its weight g two more of the rank.
    """
    return error + sum_bound(LOSS_ROUNDINGS) * largest


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


# Rows nearer to a query than this share of the farthest are added one by one, by a formula without
# cancellation; so no quotient of two distances above its inverse enters a sum.
_LARGEST_QUOTIENT: Final = 32.0


# |D_ij| <= (s_i + s_j)^2 <= 4 max(s_i, s_j)^2 by the triangle inequality.
_TRIANGLE: Final = 4


# Roundings of a unit vector's product beside those of distances and sums: roots, quotients, products.
_PRODUCT_ROUNDINGS: Final = 8


def depth_bound(norms: Sequence[float], depth: float, dim: int) -> float:
    """Absolute bound of a depth 1 - |R| / m, from the distances of the query to each row.

    |R|^2 sums (D_i + D_j - D_ij) / (2 s_i s_j), D = s^2: each D has `complement_bound`, the sums 2 n + 8
    roundings, and the terms are at most 4 max(s_i, s_j) / min(s_i, s_j), where that quotient is cut at 32.
    An error e of |R|^2 is one of e / |R| of |R|, and never more than the root of e. Divided by m, with two
    roundings at the end.
    """
    apart = [norm for norm in norms if norm > 0]
    count = len(norms) - (len(apart) < len(norms))
    if not apart or not count:
        return 0.0
    each = 2 * complement_bound(dim) + sum_bound(2 * len(norms) + _PRODUCT_ROUNDINGS)
    terms = sum(min(max(s, t) / min(s, t), _LARGEST_QUOTIENT) for s in apart for t in apart)
    error = _TRIANGLE * each * terms
    length = (1 - depth) * count
    moved = min(error / length, math.sqrt(error)) if length > 0 else math.sqrt(error)
    return moved / count + sum_bound(LAST_ROUNDINGS)


def mean_ratio_bound(ratios: Sequence[float]) -> float:
    """Absolute bound of a mean of differences: one rounding each, an exact sum, a rounding and a quotient.

    Differences and sums of float64 numbers lose nothing to underflow; the quotient may.
    """
    mean_size = math.fsum(map(abs, ratios)) / len(ratios)
    return sum_bound(1 + LAST_ROUNDINGS) * mean_size + least_positive()


def standard_error_bound(ratios: Sequence[float]) -> float:
    """Absolute bound of the root of the sample variance over n.

    A centred ratio is off by at most e = `mean_ratio_bound` and two roundings of the largest ratio, so their
    Euclidean norm by root n times that, and the standard error by e / root(n - 1). A norm that scales its
    squares, the root and the quotient add five roundings of the result, which is at most twice the largest
    ratio over root(n - 1); and the quotient may underflow.
    """
    largest = max(map(abs, ratios))
    centred = mean_ratio_bound(ratios) + sum_bound(LAST_ROUNDINGS) * largest + unit_roundoff() * largest
    own = 2 * sum_bound(1 + 2 * LAST_ROUNDINGS) * largest
    return (centred + own) / math.sqrt(len(ratios) - 1) + least_positive(2)


# --------------------------------------------------------------------------------------------------- draws


# A normal variable is farther from its mean than this many deviations less than once in a million draws.
_FALSE_ALARM_DEVIATIONS: Final = 4.9


def normal_mean_band(deviation: float, n_draws: int) -> float:
    """Largest admissible error of a mean of normal draws: 4.9 standard errors, exceeded once in 10^6 runs."""
    return _FALSE_ALARM_DEVIATIONS * deviation / math.sqrt(n_draws)


# The probability that a statistical test fails although the code is right.
_FALSE_ALARM: Final = 1e-6


def distribution_band(n_draws: int) -> float:
    """Largest admissible distance of an empirical distribution function from the true one.

    Massart's form of the Dvoretzky-Kiefer-Wolfowitz inequality: P(sup|F_n - F| > e) <= 2 exp(-2 n e^2) for
    every F; solved for a false alarm once in a million runs. A share of draws is one value of F_n, so that
    the same holds for its distance from its probability (Hoeffding).
    """
    return math.sqrt(math.log(2 / _FALSE_ALARM) / (2 * n_draws))

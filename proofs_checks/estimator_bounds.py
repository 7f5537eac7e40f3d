"""Bounds for the estimator: limits reached in two ways, bandwidths found by a search, shares of draws."""

from __future__ import annotations

import math
from typing import Final

from rkde.proofs_checks.roundings import sum_bound

# The width in log h at which the search for a bandwidth ends.
_REFINEMENT: Final = 1e-6
# What Gauss's rule leaves, between rows a few bandwidths apart.
_QUADRATURE: Final = 1e-11
# 50 * 0.01^4 / 384, rounded up.
_TABLE: Final = 1.5e-9
_TABLE_END: Final = -699.0
# A check of random draws may fail wrongly once in a million runs.
_FALSE_ALARM: Final = 1e-6


def limit_bound(residuals: float, margin: float) -> float:
    """Bound, against the largest weight, of two computed limits of one branch.

    Near a limit T contracts with a rate of at most 1 - margin, so w is off by at most |T(w) - w| / margin;
    `residuals` is the sum of both. The norms of T are comparable, not equal: a factor 2 covers them and what
    is of second order.
    """
    return 2 * residuals / margin if margin > 0 else math.inf


def log_density_of_weights(weights_error: float, n_rows: int) -> float:
    """Absolute bound of a log density at a query whose heaviest rows are the nearest ones.

    f = sum w_i k_i: an error e of each weight against the largest moves f by at most e n times the largest
    term where no lighter row has a larger kernel value, and the logarithm has slope 1 / f.
    """
    return weights_error * n_rows + sum_bound(n_rows)


def search_bound(flatness: float) -> float:
    """Relative bound of a minimiser found by comparing values, against one found otherwise.

    The bracket ends 1e-6 wide. Around a minimum with second derivative c in log h, values closer than their
    rounding e compare at random: that is within (2 e / c)^(1/2) of it. `flatness` is e / c.
    """
    return _REFINEMENT + 2 * math.sqrt(2 * flatness)


def quadrature_request() -> float:
    """Relative error of Gauss's rule of 80 nodes on an analytic density, between rows and on a tail.

    The rule converges geometrically in the distance to the nearest singularity in units of the interval; for
    intervals of a few bandwidths 80 nodes leave rounding alone, of which this is ten thousand units.
    """
    return _QUADRATURE


def table_bound() -> float:
    """Relative bound of a profile by cubic interpolation of its logarithm.

    Neighbours are less than 0.01 apart in the logarithm of the squared distance, and the fourth derivative of
    the logarithm of the profile is below 50 where that is above e^-700 (the Laplacian's, which is largest, is
    like that of (t)^(1/2): 700 / 16): 50 * 0.01^4 / 384.
    """
    return _TABLE


def table_end() -> float:
    """Where the table of `table_bound` ends: values of this size or less are 0 in it."""
    return math.exp(_TABLE_END)


def share_band(n_draws: int) -> float:
    """Largest admissible distance of an observed share of draws from its probability.

    Hoeffding: P(|share - p| > e) <= 2 exp(-2 n e^2), solved for a false alarm once in a million runs.
    """
    return math.sqrt(math.log(2 / _FALSE_ALARM) / (2 * n_draws))

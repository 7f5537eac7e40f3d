"""Tolerances of the small parts: kernelized spatial depth and the sample mean of log density ratios."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from rkde.proofs_checks.roundings import LAST_ROUNDINGS, sum_bound, unit_roundoff
from rkde.proofs_checks.tolerances import complement_bound, least_positive

# Rows nearer to a query than this share of the farthest are added one by one, by a formula without
# cancellation; so no quotient of two distances above its inverse enters a sum.
_LARGEST_QUOTIENT: Final = 32.0
# |D_ij| <= (s_i + s_j)^2 <= 4 max(s_i, s_j)^2 by the triangle inequality.
_TRIANGLE: Final = 4
# A normal variable is farther from its mean than this many deviations less than once in a million draws.
_FALSE_ALARM_DEVIATIONS: Final = 4.9
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


def normal_mean_band(deviation: float, n_draws: int) -> float:
    """Largest admissible error of a mean of normal draws: 4.9 standard errors, exceeded once in 10^6 runs."""
    return _FALSE_ALARM_DEVIATIONS * deviation / math.sqrt(n_draws)

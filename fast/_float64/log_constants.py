"""Logarithms of normalisers, in a form that neither cancels nor overflows."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

LOG_TWO_PI: Final = math.log(2 * math.pi)
_LOG_PI: Final = math.log(math.pi)
_LOG_2: Final = math.log(2)

# Stirling's series of log(Gamma(a + 1/2) / (Gamma(a) sqrt(a))) in odd powers of 1/a, by Bernoulli numbers:
# from a = _SERIES_STEPS on, the terms after these are below 2**-60.
_HALF_STEP: Final = (-1 / 8, 1 / 192, -1 / 640, 17 / 14336, -31 / 18432, 691 / 180224, -5461 / 425984)
_SERIES_STEPS: Final = 16
# Half of the smallest positive float64 would be 0.
_SMALLEST: Final = 2.0**-1074


def student_log_constant(dof: float, dim: int) -> float:
    """Return log k(0, 0) of the Student kernel of bandwidth 1 in `dim` dimensions.

    With a = nu / 2 it is -(d/2) log(2 pi) + log(Gamma(a + d/2) / (Gamma(a) a^(d/2))); the second term is
    summed in steps of 1 by log1p, so that it tends to 0 for large nu without any cancellation.
    """
    half = max(dof / 2, _SMALLEST)
    whole_steps, odd = divmod(dim, 2)
    total = _half_step(half) if odd else 0.0
    offsets = np.arange(whole_steps) + odd / 2
    # For very few degrees of freedom the quotient may be beyond float64; its logarithm is not.
    with np.errstate(over="ignore", under="ignore"):
        ratios = offsets / half
        logs = np.log1p(ratios)
    far = np.isinf(ratios)
    logs[far] = np.log(offsets[far]) - math.log(half)
    return total + math.fsum(logs) - dim / 2 * LOG_TWO_PI


def _half_step(a: float) -> float:
    """Return log(Gamma(a + 1/2) / (Gamma(a) sqrt(a))): a series where a is large, else steps up to there."""
    lifted = a + _SERIES_STEPS if a < _SERIES_STEPS else a
    inverse_square = 1 / lifted / lifted
    total = 0.0
    for coefficient in reversed(_HALF_STEP):
        total = total * inverse_square + coefficient
    total /= lifted
    if lifted == a:
        return total
    steps = [math.log1p(1 / (2 * (a + step))) for step in range(1, _SERIES_STEPS)]
    first = math.log(a + 1 / 2) - math.log(a)
    return math.fsum([total, (math.log(lifted) - math.log(a)) / 2, -first, *(-step for step in steps)])


def laplacian_log_constant(dim: int) -> float:
    """Return log k(0, 0) of the Laplacian kernel of bandwidth 1 in `dim` dimensions.

    Gamma(d/2) / (2 pi^(d/2) Gamma(d)) = 1 / (2^d pi^((d-1)/2) Gamma((d+1)/2)): no cancellation in logarithms.
    """
    return -(dim * _LOG_2 + (dim - 1) / 2 * _LOG_PI + math.lgamma((dim + 1) / 2))

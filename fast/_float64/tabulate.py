"""A function of t > 0 at very many arguments, from piecewise polynomials in log t.

For functions that are analytic off the negative axis, bounded by about 1 where |arg t| <= pi/2, and
proportional to t near 0: as 1 - S is, S a self-convolution over its value at 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.polynomial import chebyshev

from rkde.fast._float64.inputs import Floats

# Panels of log t and the degree on each. A panel of half-length w lies within the strip |Im log t| < pi/2
# together with the ellipse of parameter rho = a + (1 + a^2)^(1/2), a = pi / (2 w) = 12.6: interpolation at
# Chebyshev points is then wrong by at most 4 rho^-degree / (rho - 1) times the bound, below 2^-53.
_PANEL: Final = 0.25
_DEGREE: Final = 11
# exp(-80/2) < 2^-57: below, the function is proportional to t to the last bit, for terms in t^(3/2) too.
_LINEAR: Final = -80.0
# From so many arguments for each tabulated value on, the table saves time.
_WORTHWHILE: Final = 4


def at_many(function: Callable[[Floats], Floats], t: Floats) -> Floats:
    """Return a function of t, from a table where that is cheaper.

    Result: 0 at 0; relative error some roundings more than the function's.
    """
    inside = (t > 0) & np.isfinite(t)
    if not inside.any():
        return function(t)
    with np.errstate(divide="ignore"):
        logs = np.log(t)
    first = math.floor(max(_LINEAR, float(logs[inside].min())) / _PANEL)
    count = max(0, math.floor(float(logs[inside].max()) / _PANEL) - first) + 1
    if _WORTHWHILE * count * (_DEGREE + 1) > t.size:
        return function(t)
    table = _table(function, first, count)
    panel = np.clip(np.floor(logs / _PANEL), first, first + count - 1)
    # From -1 to 1 on each panel, and -1 below the first. The difference is exact.
    local = np.clip(2 / _PANEL * (logs - panel * _PANEL) - 1, -1.0, 1.0)
    place = (panel - first).astype(np.intp)
    result: Floats = table[-1][place]
    for coefficients in table[-2::-1]:
        result *= local
        result += coefficients[place]
    with np.errstate(under="ignore", invalid="ignore"):
        result *= np.where(t < 1, t / (1 + t), 1 / (1 + 1 / np.maximum(t, 1)))
    beyond = np.isinf(t)
    result[beyond] = function(t[beyond])
    return result


def _table(function: Callable[[Floats], Floats], first: int, count: int) -> Floats:
    """Return the coefficients of the powers of the local variable, shape (degree + 1, count)."""
    points = chebyshev.chebpts1(_DEGREE + 1)
    starts = _PANEL * np.arange(first, first + count)
    t = np.exp(starts[:, np.newaxis] + _PANEL * (points + 1) / 2)
    # Nearly constant at both ends, so that the rounding of log t, which is relative to log t, does no harm.
    values = function(t) * (1 / t + 1)
    to_powers = np.stack([_powers(k) for k in range(_DEGREE + 1)], axis=1)
    return np.ascontiguousarray(to_powers @ np.linalg.solve(chebyshev.chebvander(points, _DEGREE), values.T))


def _powers(k: int) -> Floats:
    """Return the coefficients of the powers of x in the k-th Chebyshev polynomial."""
    powers = np.zeros(_DEGREE + 1)
    powers[: k + 1] = chebyshev.cheb2poly(np.eye(k + 1)[k])
    return powers

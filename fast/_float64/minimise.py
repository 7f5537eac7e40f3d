"""The smallest minimiser of a criterion over a range of bandwidths, found by comparing its values only."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

# A number to be compared: its sign, and the logarithm of its magnitude with that sign. Criteria in units of
# h^-d leave the range of float64 where these do not.
Ordered = tuple[float, float]

# Values tried, evenly spaced in the logarithm, before the least of them is refined.
GRID_SIZE: Final = 64
# The refinement ends where the logarithm of the bandwidth is known to this, so the bandwidth relatively.
REFINEMENT: Final = 1e-6
_GOLDEN: Final = (math.sqrt(5) - 1) / 2


def ordered(sign: float, log_magnitude: float) -> Ordered:
    """Return a number by sign and logarithm in a form that compares like the number.

    Examples
    --------
    >>> ordered(-1.0, 3.0) < ordered(-1.0, 2.0) < ordered(0.0, 9.0) < ordered(1.0, -5.0)
    True
    """
    return (sign, sign * log_magnitude if sign else 0.0)


def smallest_minimiser(criterion: Callable[[float], Ordered], low: float, high: float) -> tuple[float, int]:
    """Return the smallest minimiser on a grid, refined between its neighbours, and its place on the grid.

    Result: the bandwidth with the least value of all that were tried; of equal ones the smallest. The place
    of the least value on the grid, 0 for the smallest bandwidth.

    Notes
    -----
    Golden sections: about 30 values beside the 64 of the grid. Between two neighbours of the least value a
    criterion with one valley is followed to its bottom, one with several to one of them.

    Examples
    --------
    >>> bandwidth, place = smallest_minimiser(lambda h: ordered(1.0, abs(math.log(h / 3))), 0.1, 10.0)
    >>> round(bandwidth, 5), place
    (3.0, 47)
    """
    logs = np.linspace(math.log(min(low, high)), math.log(max(low, high)), GRID_SIZE)
    # The ends are the given numbers themselves, not exponentials of rounded logarithms.
    values = [min(low, high), *(math.exp(log) for log in logs[1:-1]), max(low, high)]
    tried = [(criterion(value), value) for value in values]
    place = tried.index(min(tried))
    left, right = logs[max(place - 1, 0)], logs[min(place + 1, GRID_SIZE - 1)]
    inner = [right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)]
    between = [(criterion(math.exp(log)), math.exp(log)) for log in inner]
    best = min(tried[place], *between)
    while right - left > REFINEMENT:
        if between[0][0] <= between[1][0]:
            right = inner[1]
            inner = [right - _GOLDEN * (right - left), inner[0]]
            between = [(criterion(math.exp(inner[0])), math.exp(inner[0])), between[0]]
        else:
            left = inner[0]
            inner = [inner[1], left + _GOLDEN * (right - left)]
            between = [between[1], (criterion(math.exp(inner[1])), math.exp(inner[1]))]
        best = min(best, *between)
    return best[1], place

"""Quantiles of values that occur several times, without repeating them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rkde.fast.inputs import Floats


def counted_quantile(values: Floats, counts: NDArray[np.intp], level: float) -> float:
    """Return numpy's linear quantile of values, each repeated.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Numbers, -inf included.
    counts : ndarray of int, shape (n,)
        How often each occurs, at least once.
    level : float
        Between 0 and 1.

    Returns
    -------
    float
        The bits of `numpy.quantile(numpy.repeat(values, counts), level)`, but -inf where that, between -inf
        and a number, is NaN.

    Examples
    --------
    >>> counted_quantile(np.array([3.0, 1.0]), np.array([1, 3]), 0.75)
    1.5
    """
    order = np.argsort(values, kind="stable")
    last = np.cumsum(counts[order])
    position = (int(last[-1]) - 1) * level
    below = math.floor(position)
    places = np.searchsorted(last, [below, min(below + 1, int(last[-1]) - 1)], side="right")
    low, high = (float(value) for value in values[order][places])
    # Between -inf and a number the interpolation would be NaN where the limit is -inf.
    if low == high or math.isinf(low):
        return low
    share = position - below
    # Numpy's form, which meets either end exactly.
    return low + (high - low) * share if share < 1 / 2 else high - (high - low) * (1 - share)


def share_quantile(values: Floats, masses: Floats, level: float) -> float:
    """Return the smallest value at or below which values hold a share of all mass.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Numbers, -inf included.
    masses : ndarray, shape (n,)
        Above 0.
    level : float
        The share, between 0 and 1.

    Returns
    -------
    float
        One of the values.

    Examples
    --------
    >>> share_quantile(np.array([3.0, 1.0]), np.array([0.5, 1.5]), 0.5)
    1.0
    """
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(masses[order])
    return float(values[order][int(np.searchsorted(reached, level * reached[-1]))])

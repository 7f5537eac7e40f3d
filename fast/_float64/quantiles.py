"""Quantiles of rows with counts, and the derivative of a quantile when mass moves to a new point."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64.inputs import Floats
from rkde.vocabulary import KINK_SLACK, QuantileRule

Indices = NDArray[np.intp]


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


@dataclass(frozen=True, slots=True, eq=False)
class OrderStatistic:
    """One term of a quantile: the rank-th smallest of some equal numbers, times a share.

    Attributes
    ----------
    share : float
        Its coefficient.
    rows : ndarray of int
        The numbers that are equal to it, itself among them.
    rank : int
        Its place among them, from 0.
    is_tied : bool
        Whether another share of the quantile, 0 among them, belongs to an equal number of another location.
    """

    share: float
    rows: Indices
    rank: int
    is_tied: bool

    def change(self, change_of: Callable[[int], Floats], direction: int) -> Floats:
        """Return the derivative, shape (m,), given those of the numbers; equal ones part in their order."""
        changes = np.stack([change_of(int(row)) for row in self.rows], axis=-1)
        return np.asarray(direction * np.sort(direction * changes, axis=-1)[..., self.rank])


def quantile_terms(
    norms: Floats, locations: Indices, level: float, rule: QuantileRule
) -> list[OrderStatistic]:
    """Write a quantile as a combination of order statistics.

    Parameters
    ----------
    norms : ndarray, shape (n,)
        The numbers.
    locations : ndarray of int, shape (n,)
        Equal for numbers that move together.
    level : float
        Between 0 and 1.
    rule : str
        One of numpy's names.

    Returns
    -------
    list of OrderStatistic
        One or two.

    Examples
    --------
    >>> terms = quantile_terms(np.array([3.0, 1.0]), np.arange(2), 0.25, "linear")
    >>> [(term.share, term.rows) for term in terms]
    [(0.75, array([1])), (0.25, array([0]))]
    """
    # The quantile of 0, 1, .. tells between which two places it lies.
    place = float(np.quantile(np.arange(len(norms), dtype=np.float64), level, method=rule))
    low = math.floor(place)
    shares = {low: 1 - (place - low), low + 1: place - low}
    order = np.argsort(norms, kind="stable")
    starts = _group_starts(norms[order])
    terms = []
    for position, share in shares.items():
        if share:
            group = int(np.searchsorted(starts, position, side="right")) - 1
            first, last = starts[group], starts[group + 1]
            rows = order[first:last]
            equal_shares = len({shares.get(k, 0.0) for k in range(first, last)}) == 1
            is_tied = not equal_shares and len(np.unique(locations[rows])) > 1
            terms.append(OrderStatistic(share, rows, position - int(first), is_tied))
    return terms


def _group_starts(ordered: Floats) -> list[int]:
    """Return where runs of numbers that are equal within `KINK_SLACK` start, and the end."""
    gaps = np.diff(ordered) > float(KINK_SLACK) * ordered[1:]
    return [0, *(np.flatnonzero(gaps) + 1).tolist(), len(ordered)]

"""Quantiles of numbers with masses, and the derivative of a quantile when mass moves to a new point."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64.inputs import Floats
from rkde.fast._float64.sample_weight import SampleWeight
from rkde.vocabulary import KINK_SLACK, QuantileRule

Indices = NDArray[np.intp]


# alpha and beta of the rules that interpolate: the position among N numbers, from 1, is
# N q + alpha + q (1 - alpha - beta), clipped to [1, N] (Hyndman and Fan 1996).
_INTERPOLATED: Final[dict[str, tuple[float, float]]] = {
    "linear": (1.0, 1.0),
    "hazen": (1 / 2, 1 / 2),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
    "interpolated_inverted_cdf": (0.0, 1.0),
}
# Those that are defined for any masses: where the distribution function reaches q.
_INVERTED: Final = ("inverted_cdf", "averaged_inverted_cdf")


def weighted_quantile(values: Floats, weights: SampleWeight, level: float, rule: QuantileRule) -> float:
    """Return a quantile of numbers with masses, by one of numpy's names.

    Shapes: values (k,), numbers, -inf included, of the rows of positive weight. Result: for counts what numpy
    returns for the repeated numbers; continuous in relative weights, but for the two rules named last.

    Examples
    --------
    >>> from rkde.fast._float64.sample_weight import read_sample_weight
    >>> weights = read_sample_weight([1, 3], 2)
    >>> weighted_quantile(np.array([3.0, 1.0]), weights, 0.75, "linear")
    1.5
    """
    ordered = _Ordered.of(values, weights)
    if rule in _INTERPOLATED:
        return ordered.mean_from(_start(weights.total_less_one, level, rule))
    if rule in _INVERTED:
        return ordered.inverted(level, rule)
    if not weights.is_counted:
        raise InvalidInput(
            "must be a rule that is defined for fractional weights",
            where="quantile_rule",
            value=rule,
            remedy='use "linear" or "inverted_cdf", or pass whole numbers as sample_weight',
        )
    return ordered.mean_from(_place(int(weights.total), level, rule) - 1)


def value_from_top(values: Floats, weights: SampleWeight, place: float) -> float:
    """Return the number at a place, from 1 to N, among numbers with masses in descending order.

    Shapes: values (k,), numbers of the rows of positive weight. Result: the mean of the quantile function
    over the window: of copies the h-th largest, for whole h.
    """
    return _Ordered.of(values, weights).mean_from(weights.total_less_one - (place - 1))


def _start(total_less_one: float, level: float, rule: QuantileRule) -> float:
    """Return the position of a rule that interpolates, less 1: where the window begins."""
    alpha, beta = _INTERPOLATED[rule]
    return total_less_one * level + ((alpha - 1) + level * (2 - alpha - beta))


def _place(total: int, level: float, rule: QuantileRule) -> float:
    """Return the place, from 1, of the number that a rule without interpolation picks among N."""
    if rule == "closest_observation":
        # The nearest whole number to N q, the even one of two.
        return float(min(max(round(total * level), 1), total))
    position = (total - 1) * level + 1
    below, above = float(math.floor(position)), float(math.ceil(position))
    if rule == "nearest":
        # Numpy takes the even place, from 0, of two that are equally near.
        return float(round(position - 1) + 1)
    return {"lower": below, "higher": above, "midpoint": (below + above) / 2}[rule]


@dataclass(frozen=True, slots=True, eq=False)
class _Ordered:
    """Numbers in their order, their counts, and the counts up to and including each."""

    values: Floats
    counts: Floats
    reached: Floats
    total: float
    total_less_one: float

    @classmethod
    def of(cls, values: Floats, weights: SampleWeight) -> Self:
        order = np.argsort(values, kind="stable")
        counts = weights.counts[order]
        reached = np.cumsum(counts)
        reached[-1] = weights.total
        return cls(values[order], counts, reached, weights.total, weights.total_less_one)

    def mean_from(self, start: float) -> float:
        """Return the mean of F^-1 over the window of mass 1 that begins at a mass, clamped to [0, N - 1].

        What it leaves out is counted from both ends: where one number has nearly all of the mass, that is
        little, and has digits which the window's end would lose.
        """
        start = min(max(start, 0.0), self.total_less_one)
        before = np.concatenate(([0.0], self.reached[:-1]))
        beyond = np.concatenate((np.cumsum(self.counts[:0:-1])[::-1], [0.0]))
        cut_off = np.clip(start - before, 0, self.counts)
        cut_off += np.clip(self.total_less_one - start - beyond, 0, self.counts)
        shares = self.counts - cut_off
        inside = np.flatnonzero(shares > 0)
        values, shares = self.values[inside], shares[inside]
        low = float(values[0])
        # Between -inf and a number the interpolation would be NaN where the limit is -inf.
        if math.isinf(low) or low == values[-1]:
            return low
        return low + float(((values - low) * shares).sum() / shares.sum())

    def inverted(self, level: float, rule: QuantileRule) -> float:
        """Return F^-1(q), or the mean of its limits from both sides."""
        wanted = self.total * level
        last = len(self.values) - 1
        left = min(int(np.searchsorted(self.reached, wanted, side="left")), last)
        if rule == "inverted_cdf":
            return float(self.values[left])
        right = min(int(np.searchsorted(self.reached, wanted, side="right")), last)
        low, high = float(self.values[left]), float(self.values[right])
        return low if low == high or math.isinf(low) else low + (high - low) / 2


def linear_quantile(values: Floats, level: float) -> float:
    """Return numpy's linear quantile, but -inf where that, between -inf and a number, is NaN.

    Shapes: values (n,), numbers, -inf included.

    Examples
    --------
    >>> linear_quantile(np.array([3.0, 1.0, 1.0, 1.0]), 0.75)
    1.5
    """
    position = (len(values) - 1) * level
    below = math.floor(position)
    places = np.array([below, min(below + 1, len(values) - 1)])
    low, high = (float(value) for value in np.sort(values)[places])
    # Between -inf and a number the interpolation would be NaN where the limit is -inf.
    if low == high or math.isinf(low):
        return low
    share = position - below
    # Numpy's form, which meets either end exactly.
    return low + (high - low) * share if share < 1 / 2 else high - (high - low) * (1 - share)


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

    Shapes: norms (n,), the numbers; locations (n,), equal for numbers that move together.

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

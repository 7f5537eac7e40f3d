"""How quantiles of numbers that move change: fixed combinations of order statistics, with ties."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rkde.fast.inputs import Floats
from rkde.vocabulary import KINK_SLACK, QuantileRule

Indices = NDArray[np.intp]


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

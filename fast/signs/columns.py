"""Columns that mislead: of a spread that the bandwidth swallows, or counting the rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Evidence
from rkde.signs import Sign

# The middle four fifths of a column are its spread.
_TENTHS: Final = (0.1, 0.9)
# Spreads of one order of magnitude share a bandwidth well enough.
_RATIO: Final = 10.0
# Fewer rows may be evenly spaced by chance.
_FEWEST: Final = 10
# Steps are equal up to this share of one: data in decimals, moved to other coordinates and back.
_SLACK: Final = 1e-6
# A ratio so many deviations below its mean is no accident.
_DEVIATIONS: Final = 3.0


def column_spread(evidence: Evidence) -> Sign | None:
    """Return the sign for a column of less than a tenth of another's spread, and narrower than the bandwidth.

    It is for columns that are not scaled; a constant column has no spread to lose.
    """
    spreads, narrow, widest = _spreads(evidence)
    # Places are in bandwidths.
    if not (spreads[narrow] <= 1 and has_narrow_column(evidence)):
        return None
    with np.errstate(over="ignore"):
        wider = 1 / spreads[narrow]
    return Sign(
        "column-spread",
        f"{{column}} hardly counts: its spread is {spreads[narrow] / widest:.1g} of another column's, and "
        f"the bandwidth, which serves all columns, is {wider:.3g} times as wide",
        'use scale="robust"',
        column=narrow,
    )


def has_narrow_column(evidence: Evidence) -> bool:
    """Tell whether the spread of a column is less than a tenth of another's."""
    spreads, narrow, widest = _spreads(evidence)
    return float(spreads[narrow]) <= widest / _RATIO


def _spreads(evidence: Evidence) -> tuple[Floats, int, float]:
    """Return the spreads of the columns, inf where one has none; the column of the least; and the largest."""
    low, high = np.quantile(evidence.places, _TENTHS, axis=0)
    with np.errstate(over="ignore"):
        spreads = high - low
    spreads = np.where(spreads > 0, spreads, np.inf)
    return spreads, int(np.argmin(spreads)), float(spreads[np.isfinite(spreads)].max(initial=0.0))


def counter_column(evidence: Evidence, named: Sequence[int] = ()) -> Sign | None:
    """Return the sign for a column of whole steps from row to row, or of 1, ..., n in any order.

    A table of one column has nothing else to say, and ten rows are needed to tell. A column that another one
    follows, along a trend or through a day, may be a time, unless it is named like an identifier: without a
    time, a row off the trend would not be seen.
    """
    size, width = evidence.rows.shape
    if width == 1 or size < _FEWEST:
        return None
    for column, values in enumerate(evidence.rows.T):
        if _counts(values):
            seen = f"{{column}} counts the rows: its {size} values are whole steps apart"
            remedy = "fit to the other columns only, unless it is a measurement"
            if column in named:
                remedy = "fit to the other columns only"
            elif _is_followed(np.delete(evidence.rows, column, axis=1), values):
                seen += ", and another column follows them"
                remedy = "fit to the other columns only, if it numbers the rows, but keep it if it is a time"
            return Sign("counter-column", seen, remedy, column=column)
    return None


def _counts(values: Floats) -> bool:
    """Tell whether values are evenly spaced, or ascend by whole steps of which half are one at least."""
    with np.errstate(over="ignore", invalid="ignore"):
        ordered = np.sort(values)
        steps = np.diff(ordered)
        least = float(steps.min())
        if not 0 < least < np.inf:
            return False
        if float(steps.max()) <= least * (1 + _SLACK):
            return True
        whole = np.abs(steps / least - np.round(steps / least)).max() <= _SLACK
        moved = np.diff(values)
        in_order = bool((moved > 0).all() or (moved < 0).all())
        return in_order and bool(whole) and float(steps.sum()) <= 2 * least * len(steps)


def _is_followed(others: Floats, counts: Floats) -> bool:
    """Tell whether the values of another column are nearer to the next ones than if they came in any order.

    Of ranks in any order, the squared steps over the squared distances to the mean, both summed, is 2, with
    variance about 4/n (Bartels 1982). Ranks bear outliers.
    """
    ordered = np.sort(others, axis=0).T
    columns = others[np.argsort(counts)].T
    for values, column in zip(ordered, columns, strict=True):
        ranks = np.searchsorted(values, column) + np.searchsorted(values, column, side="right")
        steps, around = np.square(np.diff(ranks)).sum(), np.square(ranks - ranks.mean()).sum()
        if steps < (2 - _DEVIATIONS * 2 / math.sqrt(len(counts))) * around:
            return True
    return False

"""What the bandwidth rules share: the refusal of a single location, the spread s, the range of float64."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from rkde.errors import DegenerateBandwidth
from rkde.fast._float64 import DistinctRows, Floats, TableLike, as_table, distinct_rows

GIVE_BANDWIDTH: Final = "give a bandwidth above 0"


def spread_rows(X: TableLike, rule: str) -> DistinctRows:
    """Group the rows by location, and refuse a single one, which has no bandwidth under any rule.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    rule : str
        The rule, for the message.

    Returns
    -------
    DistinctRows

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    """
    distinct = distinct_rows(as_table(X))
    total = len(distinct.inverse)
    if total == 1:
        raise DegenerateBandwidth(
            f"n_samples = 1 has no bandwidth by the rule {rule}", where="X", remedy=GIVE_BANDWIDTH
        )
    if len(distinct.rows) == 1:
        raise DegenerateBandwidth(
            f"all {total} rows are equal, so each has a tie and the rule {rule} gives 0",
            where="X",
            remedy=GIVE_BANDWIDTH,
        )
    return distinct


def pooled_deviation(rows: Floats, factor: float, rule: str) -> float:
    """Return factor times the root of the columns' mean variance (divisor n - 1).

    Squares are taken in units of the largest deviation, so none leaves the range.

    Parameters
    ----------
    rows : ndarray, shape (n, d)
        At least two rows that differ.
    factor : float
        Above 0.
    rule : str
        The rule, for the message.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        The number is beyond float64, or underflows.
    """
    scale = int(np.frexp(np.abs(rows).max())[1])
    # Below 1, so that sums stay within range; where that loses a subnormal, larger entries drown it anyway.
    with np.errstate(under="ignore"):
        scaled = np.ldexp(rows, -scale)
        deviations = scaled - scaled.mean(axis=0)
        deviations -= deviations.mean(axis=0)
        spread = int(np.frexp(np.abs(deviations).max())[1])
        deviations = np.ldexp(deviations, -spread)
        mean_square = float((deviations * deviations).sum()) / ((len(rows) - 1) * rows.shape[1])
    with np.errstate(over="ignore"):
        return within_range(float(np.ldexp(factor * math.sqrt(mean_square), scale + spread)), rule)


def within_range(value: float, rule: str) -> float:
    """Return a bandwidth as it is, and refuse one that left the range of float64.

    Parameters
    ----------
    value : float
        At least 0.
    rule : str
        The rule, for the message; ties may make `median_nn` 0, which is its own matter.

    Returns
    -------
    float

    Raises
    ------
    DegenerateBandwidth
        The number is infinite, or 0 by underflow.
    """
    if not math.isfinite(value):
        raise DegenerateBandwidth(
            f"the rule {rule} gives a number beyond float64",
            where="X",
            remedy="divide the data by a constant",
        )
    # The ties that make median_nn 0 are its own matter; elsewhere 0 can only be underflow.
    if value == 0 and rule != "median_nn":
        raise DegenerateBandwidth(
            f"the rule {rule} gives a number that underflows to 0",
            where="X",
            remedy="multiply the data by a constant",
        )
    return value

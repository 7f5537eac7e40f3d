"""Bandwidth rules that look at the data alone: the median nearest-neighbour distance (6.1.2) and others.

Every rule is equivariant: multiplying the data multiplies the bandwidth; no constant is in units of the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from rkde.errors import DegenerateBandwidth
from rkde.fast._float64 import (
    DistinctRows,
    Floats,
    TableLike,
    as_table,
    distinct_rows,
    nearest_distances,
)
from rkde.vocabulary import BandwidthRule

# Of a row with more columns a message shows the first ones.
_SHOWN_COLUMNS: Final = 4
GIVE_BANDWIDTH: Final = "give a bandwidth above 0"


def median_nn(X: TableLike) -> float:
    """Return the median over the rows of the distance to the nearest other row (section 6.1.2).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, n >= 2.

    Returns
    -------
    float
        In units of the data; a row with a tie counts as 0; the median of an even number is the mean of the
        middle two.

    Raises
    ------
    DegenerateBandwidth
        The median is 0, all rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Notes
    -----
    Distances by direct differences. A sort for d = 1, a k-d tree up to d = 8, else n^2 d operations.

    Examples
    --------
    >>> median_nn([[0.0], [0.0], [1.0], [3.0], [7.0]])
    1.0
    """
    distinct = spread_rows(X, "median_nn")
    nearest = np.where(distinct.counts > 1, 0.0, nearest_distances(distinct.rows))
    median = _finite_median(nearest[distinct.inverse], "median_nn")
    if median == 0:
        raise tied(distinct, "the rule median_nn gives 0")
    return median


def median_nn_distinct(X: TableLike) -> float:
    """Return the median over the rows of the distance to the nearest row at a positive distance.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Notes
    -----
    Not in the paper. A tree finds neighbours in few columns; in many, all n^2 / 2 distances are compared.

    Examples
    --------
    >>> median_nn_distinct([[4.0], [4.0], [4.0], [4.0], [9.0]])
    5.0
    """
    distinct = spread_rows(X, "median_nn_distinct")
    return _finite_median(nearest_distances(distinct.rows)[distinct.inverse], "median_nn_distinct")


def scott(X: TableLike) -> float:
    """Return s n^(-1/(d + 4)), with s^2 the mean of the columns' variances (divisor n - 1).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Notes
    -----
    Not in the paper. One pass over the table.

    Examples
    --------
    >>> round(scott([[0.0], [2.0]]), 12)
    1.231144413345
    """
    rows = _all_rows(spread_rows(X, "scott"))
    size, dim = rows.shape
    return pooled_deviation(rows, size ** (-1 / (dim + 4)), "scott")


def silverman(X: TableLike) -> float:
    """Return s (4 / ((d + 2) n))^(1/(d + 4)), with s^2 the mean of the columns' variances (divisor n - 1).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers.

    Notes
    -----
    Not in the paper. One pass over the table.

    Examples
    --------
    >>> round(silverman([[0.0], [2.0]]), 12)
    1.304057514389
    """
    rows = _all_rows(spread_rows(X, "silverman"))
    size, dim = rows.shape
    return pooled_deviation(rows, (4 / ((dim + 2) * size)) ** (1 / (dim + 4)), "silverman")


def tied(distinct: DistinctRows, problem: str) -> DegenerateBandwidth:
    """Return the error of a rule that equal rows lead astray, with a rule that they leave alone.

    Where most of them stand at one place, a filler or a stuck sensor is likely: the distance to the nearest
    other row is then small for the good rows, and a bandwidth by the spread of all rows is the safer one.
    """
    ties = int(distinct.counts[distinct.counts > 1].sum())
    largest = int(np.argmax(distinct.counts))
    most = int(distinct.counts[largest])
    rule = "scott" if 2 * most > ties else "median_nn_distinct"
    shown = ", ".join(f"{value:.6g}" for value in distinct.rows[largest][:_SHOWN_COLUMNS])
    dots = ", ..." if distinct.rows.shape[1] > _SHOWN_COLUMNS else ""
    return DegenerateBandwidth(
        f"{problem}: {ties} of {len(distinct.inverse)} rows have a tie, {most} of them at ({shown}{dots})",
        where="X",
        remedy=f"{GIVE_BANDWIDTH}, use the rule {rule}, or remove rows that are no measurements",
    )


BANDWIDTH_RULES: Final[dict[BandwidthRule, Callable[[TableLike], float]]] = {
    "median_nn": median_nn,
    "median_nn_distinct": median_nn_distinct,
    "scott": scott,
    "silverman": silverman,
}


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


def _all_rows(distinct: DistinctRows) -> Floats:
    return distinct.rows[distinct.inverse]


def _finite_median(distances: Floats, rule: BandwidthRule) -> float:
    ordered = np.sort(distances)
    lower, upper = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    # In this form the mean of the middle two neither overflows nor loses a subnormal.
    return within_range(lower if lower == upper else lower + (upper - lower) / 2, rule)

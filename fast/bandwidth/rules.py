"""Bandwidth rules that look at the data alone: the median nearest-neighbour distance (6.1.2) and others.

Every rule is equivariant: multiplying the data multiplies the bandwidth; no constant is in units of the data.
"""

from __future__ import annotations

import math
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import DegenerateBandwidth, spelled_place
from rkde.fast._float64 import (
    DistinctRows,
    Floats,
    SampleWeight,
    TableLike,
    as_table,
    distinct_rows,
    nearest_distances,
    read_sample_weight,
    weighted_quantile,
)
from rkde.vocabulary import BandwidthRule

GIVE_BANDWIDTH: Final = "pass a bandwidth above 0"


def median_nn(X: TableLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return the median over the rows of the distance to the nearest other row (section 6.1.2).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, n >= 2.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

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
        X is not a table of finite numbers, or the weights break a rule.

    Notes
    -----
    Distances by direct differences. A sort for d = 1, a k-d tree up to d = 8, else n^2 d operations.

    Examples
    --------
    >>> median_nn([[0.0], [0.0], [1.0], [3.0], [7.0]])
    1.0
    """
    distinct, weights = spread_rows(X, "median_nn", sample_weight)
    nearest = np.where(tied_rows(distinct, weights), 0.0, nearest_distances(distinct.rows)[distinct.inverse])
    median = _finite_median(nearest, weights, "median_nn")
    if median == 0:
        raise tied(distinct, weights, "the rule median_nn gives 0")
    return median


def median_nn_distinct(X: TableLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return the median over the rows of the distance to the nearest row at a positive distance.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers, or the weights break a rule.

    Notes
    -----
    Not in the paper. A tree finds neighbours in few columns; in many, all n^2 / 2 distances are compared.

    Examples
    --------
    >>> median_nn_distinct([[4.0], [4.0], [4.0], [4.0], [9.0]])
    5.0
    """
    distinct, weights = spread_rows(X, "median_nn_distinct", sample_weight)
    return _finite_median(nearest_distances(distinct.rows)[distinct.inverse], weights, "median_nn_distinct")


def scott(X: TableLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return s n^(-1/(d + 4)), with s^2 the mean of the columns' variances (divisor n - 1).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers, or the weights break a rule.

    Notes
    -----
    Not in the paper. One pass over the table.

    Examples
    --------
    >>> round(scott([[0.0], [2.0]]), 12)
    1.231144413345
    """
    distinct, weights = spread_rows(X, "scott", sample_weight)
    rows, size = distinct.rows[distinct.inverse], total_of(distinct, weights)
    return pooled_deviation(rows, size ** (-1 / (rows.shape[1] + 4)), "scott", weights)


def silverman(X: TableLike, *, sample_weight: ArrayLike | None = None) -> float:
    """Return s (4 / ((d + 2) n))^(1/(d + 4)), with s^2 the mean of the columns' variances (divisor n - 1).

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, with at least two distinct rows.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        All rows are equal, or n = 1.
    InvalidType, InvalidInput
        X is not a table of finite numbers, or the weights break a rule.

    Notes
    -----
    Not in the paper. One pass over the table.

    Examples
    --------
    >>> round(silverman([[0.0], [2.0]]), 12)
    1.304057514389
    """
    distinct, weights = spread_rows(X, "silverman", sample_weight)
    rows, size = distinct.rows[distinct.inverse], total_of(distinct, weights)
    dim = rows.shape[1]
    return pooled_deviation(rows, (4 / ((dim + 2) * size)) ** (1 / (dim + 4)), "silverman", weights)


def tied(distinct: DistinctRows, weights: SampleWeight | None, problem: str) -> DegenerateBandwidth:
    """Return the error of a rule that equal rows lead astray, with a rule that they leave alone.

    Where most of them stand at one place, a filler or a stuck sensor is likely: the distance to the nearest
    other row is then small for the good rows, and a bandwidth by the spread of all rows is the safer one.
    Where they stand at many, removing some does not help; where a sample weight alone makes copies of a row,
    it may be a size.
    """
    chosen = tied_rows(distinct, weights)
    counts = np.where(chosen, 1.0 if weights is None else weights.counts, 0.0)
    at_location = np.bincount(distinct.inverse, counts, minlength=len(distinct.rows))
    largest = int(np.argmax(at_location))
    most = number_of(chosen & (distinct.inverse == largest), weights)
    if not most.startswith("rows"):
        most = f"{most.partition(' of ')[0]} of them"
    if weights is not None and np.bincount(distinct.inverse[chosen]).max() == 1:
        remedy = f"{GIVE_BANDWIDTH}, or fit without the sample weights, if they are sizes such as populations"
    elif 2 * at_location[largest] > counts.sum():
        remedy = f"{GIVE_BANDWIDTH}, use the rule scott, or {_REMOVE}"
    else:
        remedy = f"{GIVE_BANDWIDTH}, or use the rule median_nn_distinct"
    place = tuple(distinct.rows[largest].tolist())
    error = DegenerateBandwidth(
        f"{problem}, because {number_of(chosen, weights)} are tied, {most} at {spelled_place(place)}",
        where="X",
        remedy=remedy,
    )
    error.place = place
    return error


_REMOVE: Final = "remove rows that are not measurements"


class _Rule(Protocol):
    def __call__(self, X: TableLike, *, sample_weight: ArrayLike | None = None) -> float: ...


BANDWIDTH_RULES: Final[dict[BandwidthRule, _Rule]] = {
    "median_nn": median_nn,
    "median_nn_distinct": median_nn_distinct,
    "scott": scott,
    "silverman": silverman,
}


def spread_rows(
    X: TableLike, rule: str, sample_weight: ArrayLike | None = None
) -> tuple[DistinctRows, SampleWeight | None]:
    """Group the rows by location, and refuse a single one, which has no bandwidth under any rule.

    Shapes: X (n, d); sample_weight (n,), the weights of the rows. Result: of the rows of positive weight.
    """
    rows = as_table(X)
    weights = read_sample_weight(sample_weight, len(rows))
    distinct = distinct_rows(rows if weights is None else weights.rows_of(rows))
    total = total_of(distinct, weights)
    if len(distinct.inverse) == 1 and total == 1:
        raise DegenerateBandwidth(
            f"must have at least two rows for the bandwidth rule {rule}, got n_samples = 1",
            where="X",
            remedy=GIVE_BANDWIDTH,
        )
    if len(distinct.rows) == 1:
        count = total if weights is None or weights.is_counted else len(distinct.inverse)
        raise DegenerateBandwidth(
            f"must have two or more distinct rows for the bandwidth rule {rule}, got {count:.15g} equal rows",
            where="X",
            remedy=GIVE_BANDWIDTH,
        )
    return distinct, weights


def total_of(distinct: DistinctRows, weights: SampleWeight | None) -> float:
    """Return the number N of rows, which relative weights make Kish's effective number."""
    return len(distinct.inverse) if weights is None else weights.total


def tied_rows(distinct: DistinctRows, weights: SampleWeight | None) -> NDArray[np.bool_]:
    """Tell for each row of positive weight whether another one equals it, its own copies included."""
    tied: NDArray[np.bool_] = (distinct.counts > 1)[distinct.inverse]
    return tied | (weights.values > 1) if weights is not None and weights.is_counted else tied


def number_of(chosen: NDArray[np.bool_], weights: SampleWeight | None) -> str:
    """Return how many of all rows are chosen, in words: with their copies, or as a share of the mass."""
    if weights is None:
        return f"{int(chosen.sum())} of {len(chosen)} rows"
    number = float(weights.counts[chosen].sum())
    if weights.is_counted:
        return f"{number:.15g} of {weights.total:.15g} rows"
    return f"rows with a share of {number / weights.total:.3g} of the weight"


def pooled_deviation(rows: Floats, factor: float, rule: str, weights: SampleWeight | None = None) -> float:
    """Return factor times the root of the columns' mean variance (divisor N - 1).

    Squares are taken in units of the largest deviation, so none leaves the range.

    Shapes: rows (n, d), at least two rows that differ. Result: in units of the data, above 0.
    """
    scale = int(np.frexp(np.abs(rows).max())[1])
    # Below 1, so that sums stay within range; where that loses a subnormal, larger entries drown it anyway.
    with np.errstate(under="ignore"):
        scaled = np.ldexp(rows, -scale)
        counts = np.ones((len(rows), 1)) if weights is None else weights.counts[:, np.newaxis]
        total = float(len(rows)) if weights is None else weights.total
        divisor = total - 1 if weights is None else weights.total_less_one
        if weights is not None and divisor < 1:
            # From the row of nearly all weight, whose own distance from the mean would else be a rounding.
            scaled = scaled - scaled[np.argmax(counts)]
        deviations = scaled - (counts * scaled).sum(axis=0) / total
        deviations -= (counts * deviations).sum(axis=0) / total
        spread = int(np.frexp(np.abs(deviations).max())[1])
        deviations = np.ldexp(deviations, -spread)
        mean_square = float((counts * (deviations * deviations)).sum()) / (divisor * rows.shape[1])
    with np.errstate(over="ignore"):
        return within_range(float(np.ldexp(factor * math.sqrt(mean_square), scale + spread)), rule)


def within_range(value: float, rule: str) -> float:
    """Return a bandwidth as it is, and refuse one that left the range of float64."""
    if not math.isfinite(value):
        raise DegenerateBandwidth(
            f"the bandwidth of the rule {rule} exceeds the range of float64",
            where="X",
            remedy="divide the data by a constant",
        )
    # The ties that make median_nn 0 are its own matter; elsewhere 0 can only be underflow.
    if value == 0 and rule != "median_nn":
        raise DegenerateBandwidth(
            f"the bandwidth of the rule {rule} underflows to 0",
            where="X",
            remedy="multiply the data by a constant",
        )
    return value


def _finite_median(distances: Floats, weights: SampleWeight | None, rule: BandwidthRule) -> float:
    if weights is not None:
        return within_range(weighted_quantile(distances, weights, 1 / 2, "linear"), rule)
    ordered = np.sort(distances)
    lower, upper = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    # In this form the mean of the middle two neither overflows nor loses a subnormal.
    return within_range(lower if lower == upper else lower + (upper - lower) / 2, rule)

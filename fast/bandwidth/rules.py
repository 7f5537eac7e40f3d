"""Bandwidth rules: the paper's median nearest-neighbour distance (section 6.1.2) and other named ones.

Every rule is equivariant: multiplying the data multiplies the bandwidth; no constant is in units of the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import numpy as np

from rkde.errors import DegenerateBandwidth, InvalidInput
from rkde.fast._float64 import DistinctRows, Floats, TableLike, nearest_distances
from rkde.fast.bandwidth.cross_validation import lkcv, lscv
from rkde.fast.bandwidth.scale import GIVE_BANDWIDTH, pooled_deviation, spread_rows, within_range
from rkde.fast.kernels import Gaussian, Kernel
from rkde.vocabulary import BandwidthRule, CrossValidationRule

__all__ = [
    "BANDWIDTH_RULES",
    "CROSS_VALIDATION_RULES",
    "bandwidth",
    "lkcv",
    "lscv",
    "median_nn",
    "median_nn_distinct",
    "scott",
    "silverman",
]


class _KernelRule(Protocol):
    def __call__(
        self, X: TableLike, *, kernel: Callable[[float], Kernel], memory_limit: float | str | None
    ) -> float: ...


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
        ties = int((distinct.counts[distinct.inverse] > 1).sum())
        raise DegenerateBandwidth(
            f"the rule median_nn gives 0: {ties} of {len(distinct.inverse)} rows have a tie",
            where="X",
            remedy=f"{GIVE_BANDWIDTH}, or use the rule median_nn_distinct",
        )
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


# The rules that look at the data alone, and those that look at the kernel as well.
BANDWIDTH_RULES: Final[dict[BandwidthRule, Callable[[TableLike], float]]] = {
    "median_nn": median_nn,
    "median_nn_distinct": median_nn_distinct,
    "scott": scott,
    "silverman": silverman,
}
CROSS_VALIDATION_RULES: Final[dict[CrossValidationRule, _KernelRule]] = {"lscv": lscv, "lkcv": lkcv}


def bandwidth(
    X: TableLike,
    rule: BandwidthRule | CrossValidationRule,
    *,
    kernel: Callable[[float], Kernel] = Gaussian,
    memory_limit: float | str | None = None,
) -> float:
    """Return the bandwidth that a named rule gives; `median_nn` is the rule of section 6.1.2.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    rule : {"median_nn", "median_nn_distinct", "scott", "silverman", "lscv", "lkcv"}
        The rule.
    kernel : callable
        From a bandwidth to a kernel: what "lscv" and "lkcv" cross-validate; the others do not look at it.
    memory_limit : int, float, str, optional
        Bytes that these two may allocate, or text such as "4GB"; by default half of what is free. The others
        need O(n d).

    Returns
    -------
    float
        In units of the data, above 0.

    Raises
    ------
    DegenerateBandwidth
        The rule gives 0, or all rows are equal.
    InvalidType, InvalidInput
        The rule is unknown, or X is not a table of finite numbers.
    MemoryLimit
        "lscv" needs 4 n^2 bytes, or "lkcv" 8 n^2, and the limit is smaller.

    Examples
    --------
    >>> bandwidth([[0.0], [3.0]], "median_nn")
    3.0
    """
    if rule in BANDWIDTH_RULES:
        return BANDWIDTH_RULES[rule](X)
    if rule in CROSS_VALIDATION_RULES:
        return CROSS_VALIDATION_RULES[rule](X, kernel=kernel, memory_limit=memory_limit)
    raise InvalidInput(
        "unknown bandwidth rule",
        where="rule",
        value=rule,
        remedy=f"use one of {', '.join((*BANDWIDTH_RULES, *CROSS_VALIDATION_RULES))}",
    )


def _all_rows(distinct: DistinctRows) -> Floats:
    return distinct.rows[distinct.inverse]


def _finite_median(distances: Floats, rule: BandwidthRule) -> float:
    ordered = np.sort(distances)
    lower, upper = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    # In this form the mean of the middle two neither overflows nor loses a subnormal.
    return within_range(lower if lower == upper else lower + (upper - lower) / 2, rule)

"""The one place where arguments are checked: what goes on from here is finite float64 of the right shape.

Nothing is modified and nothing is dropped silently; a message names the row, the column, the value and the
remedy. Rows and columns are counted from 0, as in Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._arrays import TABLE_REMEDY, Floats, raw_array, refuse_non_finite, to_float64
from rkde.fast._scalars import as_count, as_number, as_positive
from rkde.vocabulary import WEIGHT_SUM_SLACK

__all__ = [
    "Floats",
    "TableLike",
    "as_arguments",
    "as_count",
    "as_number",
    "as_positive",
    "as_queries",
    "as_table",
    "as_vector",
    "as_weights",
    "read_only",
]

_WEIGHT_SUM_SLACK: Final = float(WEIGHT_SUM_SLACK)
_ONE_DIMENSION_REMEDY: Final = "use reshape(-1, 1) for one column or reshape(1, -1) for one row"


class SupportsArray(Protocol):
    """What numpy can turn into an array by the array protocol (a data frame, a tensor)."""

    def __array__(self) -> NDArray[np.generic]: ...


TableLike = ArrayLike | SupportsArray | Sequence[Sequence[float]]


def read_only(values: Floats) -> Floats:
    """Return a contiguous copy that nobody can write to.

    Parameters
    ----------
    values : ndarray of float64, any shape
        The numbers to keep.

    Returns
    -------
    ndarray of float64, same shape

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    kept = np.array(values, dtype=np.float64, order="C")
    kept.flags.writeable = False
    return kept


def as_table(table: TableLike, *, where: str = "X", allow_empty: bool = False) -> Floats:
    """Check a table of observations and return it as float64.

    Parameters
    ----------
    table : array_like, shape (n, d)
        Rows are observations. Lists, integers, float32, data frames and read-only arrays are all accepted.
    where : str
        The name that messages use.
    allow_empty : bool
        Whether n = 0 is fine (queries) or an error (data).

    Returns
    -------
    ndarray of float64, shape (n, d), C-contiguous
        The data themselves where they already have this form, else a converted copy.

    Raises
    ------
    InvalidType
        Text, None, complex or other non-numbers; the first such row and column are named.
    InvalidInput
        One-dimensional or ragged input, no row or no column, NaN or an infinite entry.

    Examples
    --------
    >>> as_table([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    raw = raw_array(table, where)
    if raw.ndim == 1 and raw.size == 0:
        raw = raw.reshape(0, 0)
    if raw.ndim == 0:
        raise InvalidType("is not a table of numbers", where=where, value=raw.item(), remedy=TABLE_REMEDY)
    if raw.ndim != 2:
        raise InvalidInput(
            f"the shape is {raw.shape} where (n, d) is needed",
            where=where,
            remedy=_ONE_DIMENSION_REMEDY if raw.ndim == 1 else TABLE_REMEDY,
        )
    if raw.shape[0] == 0 and not allow_empty:
        raise InvalidInput("there is no row", where=where, remedy="give at least one observation")
    if raw.shape[1] == 0 and raw.shape[0] > 0:
        raise InvalidInput("there is no column", where=where, remedy="give at least one column")
    values = to_float64(raw, where)
    refuse_non_finite(values, where)
    return values


def as_queries(queries: TableLike, dim: int, *, where: str = "queries") -> Floats:
    """Check points to evaluate at: like `as_table`, with `dim` columns, and none at all is fine.

    Parameters
    ----------
    queries : array_like, shape (m, dim)
        The points; m = 0 gives an empty answer.
    dim : int
        The number of columns of the data.
    where : str
        The name that messages use.

    Returns
    -------
    ndarray of float64, shape (m, dim)

    Raises
    ------
    InvalidInput
        Also where the number of columns differs from the data's; both numbers are named.

    Examples
    --------
    >>> as_queries([], 3).shape
    (0, 3)
    """
    values = as_table(queries, where=where, allow_empty=True)
    if values.shape[0] == 0 and values.shape[1] in (0, dim):
        return np.empty((0, dim))
    if values.shape[1] != dim:
        raise InvalidInput(
            f"{values.shape[1]} columns, but the data have {dim}",
            where=where,
            remedy=f"give rows of {dim} numbers",
        )
    return values


def as_vector(values: ArrayLike, *, where: str) -> Floats:
    """Check a one-dimensional array of finite numbers.

    Parameters
    ----------
    values : array_like, shape (n,)
        The numbers.
    where : str
        The name that messages use.

    Returns
    -------
    ndarray of float64, shape (n,)

    Raises
    ------
    InvalidType, InvalidInput
        An entry that is no finite number, or another shape.

    Examples
    --------
    >>> as_vector((1, 2), where="levels")
    array([1., 2.])
    """
    raw = raw_array(values, where)
    if raw.ndim == 0:
        raise InvalidType(
            "is not a list of numbers", where=where, value=raw.item(), remedy="give a flat list of numbers"
        )
    if raw.ndim != 1:
        raise InvalidInput(
            "one dimension is needed", where=where, value=raw.shape, remedy="give a flat list of numbers"
        )
    converted = to_float64(raw, where)
    refuse_non_finite(converted, where)
    return converted


def as_arguments(values: ArrayLike, *, where: str) -> Floats:
    """Check arguments t >= 0 of a loss, or squared distances: any shape, infinity allowed, NaN not.

    Parameters
    ----------
    values : array_like, any shape
        Nonnegative numbers.
    where : str
        The name that messages use.

    Returns
    -------
    ndarray of float64, same shape

    Raises
    ------
    InvalidType, InvalidInput
        An entry that is no number, is NaN or is negative.

    Examples
    --------
    >>> as_arguments([0, 2], where="t")
    array([0., 2.])
    """
    converted = to_float64(raw_array(values, where), where)
    # The comparison is false for NaN, so one pass finds both faults.
    wrong = ~(converted >= 0)
    if wrong.any():
        raise InvalidInput(
            "every entry must be at least 0",
            where=where,
            value=float(converted[wrong][0]),
            remedy="give distances, which are not negative and not NaN",
        )
    return converted


def as_weights(weights: ArrayLike, n_rows: int, *, where: str = "weights") -> Floats:
    """Check weights and divide them by their sum.

    Parameters
    ----------
    weights : array_like, shape (n_rows,)
        Finite, nonnegative, with a sum of 1 up to `rkde.vocabulary.WEIGHT_SUM_SLACK`.
    n_rows : int
        The number of rows of the data.
    where : str
        The name that messages use.

    Returns
    -------
    ndarray of float64, shape (n_rows,)
        A new array, the weights over their sum.

    Raises
    ------
    InvalidType, InvalidInput
        Another shape, an entry that is negative or no finite number (its index is named), or another sum.

    Examples
    --------
    >>> as_weights([0.25, 0.75], 2)
    array([0.25, 0.75])
    """
    values = as_vector(weights, where=where)
    if len(values) != n_rows:
        raise InvalidInput(
            f"{len(values)} weights for {n_rows} rows", where=where, remedy="give one weight a row"
        )
    negative = np.flatnonzero(values < 0)
    if len(negative):
        index = int(negative[0])
        raise InvalidInput(
            "a weight is negative",
            where=f"{where}, index {index}",
            value=float(values[index]),
            remedy="give weights of at least 0; signed weights have no meaning here",
        )
    total = float(values.sum())
    if not abs(total - 1.0) <= _WEIGHT_SUM_SLACK:
        raise InvalidInput(
            "the weights do not sum to 1", where=where, value=total, remedy="divide them by their sum"
        )
    return values / total

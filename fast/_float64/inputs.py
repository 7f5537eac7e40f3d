"""Reading what a user passes as float64 numbers, vectors and tables, or refusing it with a remedy."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64.conversions import (
    NUMBER_REMEDY,
    Labels,
    entry_remedy,
    is_number,
    no_table,
    number_refused,
    spelled_place,
)
from rkde.vocabulary import WEIGHT_SUM_SLACK

Floats = NDArray[np.float64]

_NUMERIC_KINDS: Final = "iuf"
_TEXT_KINDS: Final = "SU"
# From here on float64 does not hold every integer: its mantissa has 53 bits.
_LARGEST_EXACT: Final = 2.0**53
_TABLE_REMEDY: Final = "pass rows of equal length, such as [[1, 2], [3, 4]]"
_ENTRY_REMEDY: Final = "remove the row, or fill in a finite number"
_FLAT_REMEDY: Final = "pass a flat list of numbers"
_EXACT_REMEDY: Final = (
    "rescale the numbers or subtract an offset, or pass floats if the last digits do not matter"
)
_WEIGHT_SUM_SLACK: Final = float(WEIGHT_SUM_SLACK)


def as_positive(value: object, *, where: str) -> float:
    """Check a parameter that must be a finite number above 0.

    Examples
    --------
    >>> as_positive(2, where="bandwidth")
    2.0
    """
    number = as_number(value, where=where)
    if not (math.isfinite(number) and number > 0):
        raise InvalidInput(
            "must be a finite number above 0", where=where, value=value, remedy="pass a positive number"
        )
    return number


def as_number(value: object, *, where: str) -> float:
    """Check that `value` is a real number (not a bool, not text) and return the nearest float64.

    Examples
    --------
    >>> as_number(3, where="a")
    3.0
    """
    if not is_number(value):
        raise InvalidType("must be a number", where=where, value=value, remedy=NUMBER_REMEDY)
    try:
        number = float(cast("float", value))
    except OverflowError:
        raise _beyond_float64(where) from None
    except ValueError:
        # A signalling NaN of `decimal`: callers refuse it as any other.
        return math.nan
    # An infinity itself equals what became of it; a Decimal or a wider float is larger, or smaller.
    if math.isinf(number) and value != number:
        raise _beyond_float64(where)
    return number


def _beyond_float64(where: str) -> InvalidInput:
    table, comma, _ = where.partition(",")
    return InvalidInput(
        "must be within the range of float64, got a number beyond it",
        where=where,
        remedy=f"divide {table} by a constant" if comma else "pass a number nearer to 0",
    )


def as_count(value: object, *, where: str, minimum: int) -> int:
    """Check a whole number of at least `minimum`.

    Examples
    --------
    >>> as_count(5, where="max_iter", minimum=1)
    5
    """
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Integral):
        raise InvalidType("must be a whole number", where=where, value=value, remedy="pass an int")
    if value < minimum:
        raise InvalidInput(
            f"must be at least {minimum}", where=where, value=int(value), remedy=f"pass {minimum} or more"
        )
    return int(value)


def raw_array(table: object, where: str, *, is_flat: bool = False) -> NDArray[np.generic]:
    """Return `table` as some array; ragged rows and masked entries are refused, all else is kept as it is."""
    if isinstance(table, np.ma.MaskedArray) and bool(np.ma.getmaskarray(table).any()):
        masked = np.argwhere(np.ma.getmaskarray(table))[0]
        remedy = entry_remedy(masked if is_flat else (0, 0))
        raise InvalidInput("must not be masked", where=spelled_place(where, masked), remedy=remedy)
    try:
        raw = np.asarray(table)
    except ValueError:
        raise (_nested if is_flat else _ragged)(table, where) from None
    if raw.dtype.kind in _TEXT_KINDS and not isinstance(table, np.ndarray):
        # One text among numbers turns all of them into text; keep the objects to name the right entry.
        raw = np.asarray(table, dtype=object)
    convert = getattr(table, "astype", None) if _labels(table) else None
    is_mixed = isinstance(table, Sequence) or convert is not None
    if raw.dtype == np.float64 and is_mixed and (np.abs(raw) >= _LARGEST_EXACT).any():
        # Integers among floats have become floats already; keep the objects to see whether they could.
        raw = np.asarray(table if convert is None else convert(object), dtype=object)
    return raw


def _ragged(table: object, where: str) -> InvalidInput:
    if isinstance(table, Sequence):
        lengths = [_row_length(row) for row in table]
        if -1 in lengths:
            row = lengths.index(-1)
            return InvalidInput(
                "must be a row of numbers",
                where=f"{where}, row {row}",
                value=table[row],
                remedy=_TABLE_REMEDY,
            )
        for row, length in enumerate(lengths):
            if length != lengths[0]:
                return InvalidInput(
                    f"must have as many columns as row 0 ({lengths[0]})",
                    where=f"{where}, row {row}",
                    value=length,
                    remedy=_TABLE_REMEDY,
                )
        for place in np.ndindex(len(table), lengths[0]):
            entry = table[place[0]][place[1]]
            if _row_length(entry) >= 0:
                return InvalidType(
                    "must be a number", where=spelled_place(where, place), value=entry, remedy=NUMBER_REMEDY
                )
    return InvalidInput(
        "must be a table of numbers, got an object that numpy cannot read as one",
        where=where,
        remedy=_TABLE_REMEDY,
    )


def _nested(values: object, where: str) -> InvalidInput:
    """Return the error for a sequence that holds sequences, and not all of one length."""
    for index, entry in enumerate(values if isinstance(values, Sequence) else ()):
        if _row_length(entry) >= 0:
            return InvalidType(
                "must be a number", where=spelled_place(where, (index,)), value=entry, remedy=_FLAT_REMEDY
            )
    return InvalidType(
        "must be a sequence of numbers, got an object that numpy cannot read as one",
        where=where,
        remedy=_FLAT_REMEDY,
    )


def _row_length(row: object) -> int:
    if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str | bytes):
        return len(row)
    return -1


def to_float64(raw: NDArray[np.generic], where: str, labels: Labels = ()) -> Floats:
    """Return `raw` as C-contiguous float64; refuse entries that are not numbers or would lose digits."""
    if raw.dtype == np.float64:
        return np.asarray(raw, dtype=np.float64, order="C")
    if raw.dtype.kind in _NUMERIC_KINDS:
        with np.errstate(over="ignore"):
            values = np.asarray(raw, dtype=np.float64, order="C")
        _refuse_lost_digits(raw, values, where, labels)
        return values
    return np.empty(raw.shape) if raw.size == 0 else _from_objects(raw, where, labels)


# The missing values of pandas, which need not be installed, have types of these names.
_MISSING_TYPES: Final = ("NAType", "NaTType")


def _from_objects(raw: NDArray[np.generic], where: str, labels: Labels) -> Floats:
    _refuse_missing(raw, where, labels)
    values = np.empty(raw.shape)
    for place in np.ndindex(raw.shape):
        entry: Any = raw[place]
        if not is_number(entry):
            raise number_refused(raw, where, place, labels)
        values[place] = number = as_number(entry, where=spelled_place(where, place, labels))
        # Python compares an int of its own with a float exactly; numpy would round it first.
        whole = int(entry) if isinstance(entry, Integral) else None
        wide = entry if isinstance(entry, np.longdouble) and math.isfinite(number) else None
        if whole not in (None, number) or wide not in (None, number):
            raise _lost_digits(entry, spelled_place(where, place, labels))
    return values


def _refuse_missing(raw: NDArray[np.generic], where: str, labels: Labels) -> None:
    """Refuse a missing value before anything else, since no conversion makes a number of it."""
    for place in np.ndindex(raw.shape):
        entry: object = raw[place]
        is_missing = entry is None or type(entry).__name__ in _MISSING_TYPES
        if is_missing or (isinstance(entry, (np.datetime64, np.timedelta64)) and np.isnat(entry)):
            raise InvalidType(
                "must not be missing",
                where=spelled_place(where, place, labels),
                value=entry,
                remedy=entry_remedy(place),
            )


def _refuse_lost_digits(raw: NDArray[np.generic], values: Floats, where: str, labels: Labels) -> None:
    """Refuse the first entry of a wide integer or float that is not the float64 it was rounded to."""
    if raw.dtype.kind == "f":
        if raw.dtype.itemsize <= values.dtype.itemsize:
            return
        beyond = np.isinf(values) & np.isfinite(raw)
        if beyond.any():
            raise _beyond_float64(spelled_place(where, np.argwhere(beyond)[0], labels))
        lost = np.isfinite(values) & (values.astype(raw.dtype) != raw)
    else:
        if raw.dtype.itemsize < values.dtype.itemsize or not (np.abs(values) >= _LARGEST_EXACT).any():
            return
        # The largest integer of the type rounds up to a float that does not fit back into the type.
        beyond = values >= float(np.iinfo(raw.dtype.name).max)
        lost = beyond | (np.where(beyond, 0.0, values).astype(raw.dtype) != raw)
    if lost.any():
        place = np.argwhere(lost)[0]
        raise _lost_digits(raw[tuple(place)].item(), spelled_place(where, place, labels))


def _lost_digits(entry: object, where: str) -> InvalidInput:
    return InvalidInput(
        "must fit into a float64 without loss of digits",
        where=where,
        value=entry,
        remedy=_EXACT_REMEDY,
    )


def refuse_non_finite(values: Floats, where: str, labels: Labels = ()) -> None:
    """Refuse the first NaN or infinite entry by its place."""
    finite = np.isfinite(values)
    if not finite.all():
        place = np.argwhere(~finite)[0]
        raise InvalidInput(
            "must be finite",
            where=spelled_place(where, place, labels),
            value=float(values[tuple(place)]),
            remedy=entry_remedy(place),
        )


def _labels(table: object) -> tuple[object, ...]:
    """Return what a data frame calls its columns, which need not be text; nothing for other tables."""
    labels = getattr(table, "columns", None)
    return () if labels is None or callable(labels) else tuple(labels)


class SupportsArray(Protocol):
    """What numpy can turn into an array by the array protocol (a data frame, a tensor)."""

    def __array__(self) -> NDArray[np.generic]: ...


TableLike = ArrayLike | SupportsArray | Sequence[Sequence[float]]


def column_names(table: object) -> tuple[str, ...]:
    """Return the names of the columns of a data frame; none where some name is not text, or there are none.

    Examples
    --------
    >>> column_names([[0.0, 1.0]])
    ()
    """
    labels = _labels(table)
    is_named = bool(labels) and all(isinstance(name, str) for name in labels)
    return cast("tuple[str, ...]", labels) if is_named else ()


def check_column_names(queries: object, names: tuple[str, ...]) -> None:
    """Refuse a data frame whose columns are not those of the fit, in the same order."""
    given = column_names(queries)
    if names and given and given != names:
        raise InvalidInput(
            f"must have the columns of the fit in the same order, {list(names)}",
            where="queries",
            value=list(given),
            remedy=f"pass queries[{list(names)}]",
        )


def read_only(values: Floats) -> Floats:
    """Return a contiguous copy that nobody can write to.

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    kept = np.array(values, dtype=np.float64, order="C")
    kept.flags.writeable = False
    return kept


def as_table(table: TableLike, *, where: str = "X", allow_empty: bool = False) -> Floats:
    """Check a table of observations and return it as float64; a flat array is one column.

    Shapes: table (n, d) or (n,); result (n, d). Result: the data themselves where they already have this
    form, else a converted copy.

    Examples
    --------
    >>> as_table([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    """
    raw = raw_array(table, where)
    if raw.ndim == 1 and raw.size == 0:
        raw = raw.reshape(0, 0)
    if raw.ndim == 1:
        raw = raw.reshape(-1, 1)
    if raw.ndim == 0:
        raise no_table(raw.item() if isinstance(table, np.ndarray) else table, where)
    if raw.ndim != 2:
        raise InvalidInput(
            "must have shape (n, d)",
            where=where,
            value=raw.shape,
            remedy=_TABLE_REMEDY,
        )
    if raw.shape[0] == 0 and not allow_empty:
        raise InvalidInput(
            "must have at least one row, got none", where=where, remedy="pass at least one observation"
        )
    if raw.shape[1] == 0 and raw.shape[0] > 0:
        raise InvalidInput(
            "must have at least one column, got none", where=where, remedy="pass at least one variable"
        )
    labels = _labels(table)
    values = to_float64(raw, where, labels)
    refuse_non_finite(values, where, labels)
    return values


def as_queries(queries: TableLike, dim: int, *, where: str = "queries") -> Floats:
    """Check points to evaluate at: like `as_table`, with `dim` columns, and none at all is fine.

    Shapes: queries (m, dim), or (m,) for one column; result (m, dim).

    Examples
    --------
    >>> as_queries([], 3).shape, as_queries([0.5, 2.0], 1).shape
    ((0, 3), (2, 1))
    """
    values = as_table(queries, where=where, allow_empty=True)
    if values.shape[0] == 0 and values.shape[1] in (0, dim):
        return np.empty((0, dim))
    if values.shape[1] != dim:
        raise InvalidInput(
            f"must have as many columns as the data ({dim})",
            where=where,
            value=values.shape[1],
            remedy=f"pass rows of {dim} numbers; reshape(1, -1) makes one row of a flat array",
        )
    return values


def as_vector(values: ArrayLike, *, where: str) -> Floats:
    """Check a one-dimensional array of finite numbers.

    Shapes: values (n,), the numbers; result (n,).

    Examples
    --------
    >>> as_vector((1, 2), where="levels")
    array([1., 2.])
    """
    converted = flat_numbers(values, where)
    refuse_non_finite(converted, where)
    return converted


def flat_numbers(values: ArrayLike, where: str) -> Floats:
    """Return a one-dimensional array of numbers, which may be infinite or NaN.

    Shapes: values (n,); result (n,).
    """
    raw = raw_array(values, where, is_flat=True)
    if raw.dtype.names:
        remedy = f"pass one of its fields, such as {where}[{raw.dtype.names[0]!r}]"
        raise InvalidType("must be a sequence of numbers, got records", where=where, remedy=remedy)
    if raw.ndim == 0:
        raise InvalidType("must be a sequence of numbers", where=where, value=raw.item(), remedy=_FLAT_REMEDY)
    if raw.ndim != 1:
        raise InvalidInput("must have shape (n,)", where=where, value=raw.shape, remedy=_FLAT_REMEDY)
    return to_float64(raw, where)


def as_arguments(values: ArrayLike, *, where: str) -> Floats:
    """Check arguments t >= 0 of a loss, or squared distances: any shape, infinity allowed, NaN not.

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
            "must be at least 0 in every entry",
            where=where,
            value=float(converted[wrong][0]),
            remedy="pass distances, which are neither negative nor NaN",
        )
    return converted


def as_row_weights(weights: ArrayLike, n_rows: int, *, where: str) -> Floats:
    """Check one number for each row, none negative.

    Shapes: weights (n_rows,); result (n_rows,).
    """
    values = as_vector(weights, where=where)
    if len(values) != n_rows:
        raise InvalidInput(
            f"must have as many entries as there are rows ({n_rows})",
            where=where,
            value=len(values),
            remedy="pass one weight for each row",
        )
    negative = np.flatnonzero(values < 0)
    if len(negative):
        index = int(negative[0])
        raise InvalidInput(
            "must be at least 0",
            where=f"{where}, index {index}",
            value=float(values[index]),
            remedy="pass weights of at least 0",
        )
    return values


def as_weights(weights: ArrayLike, n_rows: int, *, where: str = "weights") -> Floats:
    """Check weights and divide them by their sum.

    Shapes: weights (n_rows,); result (n_rows,). Result: A new array, the weights over their sum.

    Examples
    --------
    >>> as_weights([0.25, 0.75], 2)
    array([0.25, 0.75])
    """
    values = as_row_weights(weights, n_rows, where=where)
    with np.errstate(over="ignore"):
        total = float(values.sum())
    if not abs(total - 1.0) <= _WEIGHT_SUM_SLACK:
        raise InvalidInput("must sum to 1", where=where, value=total, remedy=_sum_remedy(total))
    return values / total


def _sum_remedy(total: float) -> str:
    """Return what makes the sum of weights 1, where it is another number."""
    if total == 0:
        return "give some row a weight above 0"
    largest = "the largest one, and then by " if math.isinf(total) else ""
    return f"divide the weights by {largest}their sum"

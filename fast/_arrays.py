"""From whatever a caller gives to a float64 array, with messages that name the first bad entry.

Behind `rkde.fast.inputs`, which says what each argument may be; here is only how it is read.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._scalars import as_number

Floats = NDArray[np.float64]

_NUMERIC_KINDS: Final = "iuf"
_TEXT_KINDS: Final = "SU"
# From here on float64 does not hold every integer: its mantissa has 53 bits.
_LARGEST_EXACT: Final = 2.0**53
TABLE_REMEDY: Final = "give numbers in rows of equal length, of shape (n, d)"
NUMBER_REMEDY: Final = "every entry must be a finite number; remove or fill the row"
_EXACT_REMEDY: Final = "scale it or subtract an offset first, or pass floats where the digits do not matter"


def raw_array(table: object, where: str) -> NDArray[np.generic]:
    """Return `table` as some array; ragged rows and masked entries are refused, all else is kept as it is."""
    if isinstance(table, np.ma.MaskedArray) and bool(np.ma.getmaskarray(table).any()):
        masked = np.argwhere(np.ma.getmaskarray(table))[0]
        raise InvalidInput("an entry is masked", where=_place(where, masked), remedy=NUMBER_REMEDY)
    try:
        raw = np.asarray(table)
    except ValueError:
        raise _ragged(table, where) from None
    if raw.dtype.kind in _TEXT_KINDS and not isinstance(table, np.ndarray):
        # One text among numbers turns all of them into text; keep the objects to name the right entry.
        raw = np.asarray(table, dtype=object)
    if raw.dtype == np.float64 and isinstance(table, Sequence) and _has_large(raw):
        # Integers among floats have become floats already; keep the objects to see whether they could.
        raw = np.asarray(table, dtype=object)
    return raw


def _has_large(raw: NDArray[np.generic]) -> bool:
    return bool((np.abs(np.asarray(raw, dtype=np.float64)) >= _LARGEST_EXACT).any())


def _ragged(table: object, where: str) -> InvalidInput:
    if isinstance(table, Sequence):
        lengths = [_row_length(row) for row in table]
        row = next((i for i, length in enumerate(lengths) if length not in (lengths[0], -1)), 0)
        row = lengths.index(-1) if -1 in lengths else row
        if lengths[row] >= 0:
            return InvalidInput(
                f"{lengths[row]} columns where row 0 has {max(lengths[0], 0)}",
                where=f"{where}, row {row}",
                remedy=TABLE_REMEDY,
            )
        return InvalidInput(
            "is not a row of numbers", where=f"{where}, row {row}", value=table[row], remedy=TABLE_REMEDY
        )
    return InvalidInput("cannot be read as a table", where=where, remedy=TABLE_REMEDY)


def _row_length(row: object) -> int:
    if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str | bytes):
        return len(row)
    return -1


def to_float64(raw: NDArray[np.generic], where: str) -> Floats:
    """Return `raw` as C-contiguous float64; refuse the first entry that is no number or would lose digits."""
    if raw.dtype.kind in _NUMERIC_KINDS:
        # A wider float may overflow here; the caller's check of finiteness reports it.
        with np.errstate(over="ignore"):
            values = np.asarray(raw, dtype=np.float64, order="C")
        _refuse_lost_digits(raw, values, where)
        return values
    if raw.dtype.kind == "O" or raw.dtype.kind in _TEXT_KINDS:
        return _from_objects(raw, where)
    if raw.size == 0:
        return np.empty(raw.shape)
    raise InvalidType(
        f"numbers are needed, not {raw.dtype.name}", where=where, remedy="convert with X.astype(float)"
    )


def _from_objects(raw: NDArray[np.generic], where: str) -> Floats:
    values = np.empty(raw.shape)
    for place in np.ndindex(raw.shape):
        entry: object = raw[place]
        values[place] = number = as_number(entry, where=_place(where, place))
        # Python compares an int of its own with a float exactly; numpy would round it first.
        whole = int(entry) if isinstance(entry, Integral) else None
        wide = entry if isinstance(entry, np.longdouble) and math.isfinite(number) else None
        if whole not in (None, number) or wide not in (None, number):
            raise _lost_digits(entry, where, place)
    return values


def _refuse_lost_digits(raw: NDArray[np.generic], values: Floats, where: str) -> None:
    """Refuse the first entry of a wide integer or float that is not the float64 it was rounded to."""
    if raw.dtype.kind == "f":
        if raw.dtype.itemsize <= values.dtype.itemsize:
            return
        lost = np.isfinite(values) & (values.astype(raw.dtype) != raw)
    else:
        if raw.dtype.itemsize < values.dtype.itemsize or not _has_large(values):
            return
        # The largest integer of the type rounds up to a float that does not fit back into the type.
        beyond = values >= float(np.iinfo(raw.dtype.name).max)
        lost = beyond | (np.where(beyond, 0.0, values).astype(raw.dtype) != raw)
    if lost.any():
        place = np.argwhere(lost)[0]
        raise _lost_digits(raw[tuple(place)].item(), where, place)


def _lost_digits(entry: object, where: str, place: Sequence[int] | NDArray[np.int64]) -> InvalidInput:
    return InvalidInput(
        "has more digits than a float64 holds", where=_place(where, place), value=entry, remedy=_EXACT_REMEDY
    )


def refuse_non_finite(values: Floats, where: str) -> None:
    """Refuse the first NaN or infinite entry by its place."""
    finite = np.isfinite(values)
    if not finite.all():
        place = np.argwhere(~finite)[0]
        raise InvalidInput(
            "is not finite",
            where=_place(where, place),
            value=float(values[tuple(place)]),
            remedy=NUMBER_REMEDY,
        )


def _place(where: str, place: Sequence[int] | NDArray[np.int64]) -> str:
    names = {1: ("index",), 2: ("row", "column")}.get(len(place), ("index",) * len(place))
    return ", ".join([where, *(f"{name} {int(i)}" for name, i in zip(names, place, strict=True))])

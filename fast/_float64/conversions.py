"""Entries of a table that are not numbers, and the expression that converts them to numbers."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from rkde.errors import InvalidType

Kind = Literal["number", "bool", "span", "day", "clock", "period", "interval", "complex", "text", "object"]
Labels = Sequence[object]

NUMBER_REMEDY: Final = "pass a float or an int, not text, None or a bool"
# Of pandas, which need not be installed.
_BY_NAME: Final[dict[str, Kind]] = {"Period": "period", "Interval": "interval"}
# pandas' own times are among these.
_BY_TYPE: Final[tuple[tuple[Kind, tuple[type, ...]], ...]] = (
    ("bool", (bool, np.bool_)),
    ("span", (timedelta, np.timedelta64)),
    ("day", (date, np.datetime64)),
    ("clock", (time,)),
    ("number", (numbers.Real, Decimal)),
    ("complex", (complex, np.complexfloating)),
    ("text", (str, bytes)),
)
# Python takes these for integers.
_NO_NUMBERS: Final = (bool, np.bool_, np.timedelta64)
_SECOND: Final = "numpy.timedelta64(1, 's')"
# What makes numbers of a column or a table, both of which {} stands for.
_EXPRESSIONS: Final[dict[Kind, str]] = {
    "bool": "convert with numpy.asarray({}, dtype=float)",
    "span": f"pass seconds: t / {_SECOND} with t = numpy.asarray({{}}{{dtype}})",
    "day": f"pass seconds since the first time: (t - t.min()) / {_SECOND} "
    "with t = numpy.asarray({}{dtype})",
    "clock": "pass seconds of the day: [3600 * t.hour + 60 * t.minute + t.second + t.microsecond / 1e6 "
    "for t in numpy.ravel({})]",
    "period": "pass the numbers of the periods: [t.ordinal for t in numpy.ravel({})]",
    "interval": "pass the middles of the intervals: [t.mid for t in numpy.ravel({})]",
}
_DTYPES: Final[dict[Kind, str]] = {"span": ", dtype='timedelta64[us]'", "day": ", dtype='datetime64[us]'"}
# Where so many of the other entries of a column are numbers, text among them is a mistake.
_MOSTLY: Final = 0.5


def entry_remedy(place: Sequence[int] | NDArray[np.int64]) -> str:
    """Return what to do about an entry that is missing or not finite: a table can do without its row."""
    return ("remove the row, or fill in" if len(place) == 2 else "pass") + " a finite number"


def is_number(entry: object) -> bool:
    """Return whether an entry is a real number, and neither a truth value nor a duration, as numpy has them.

    Examples
    --------
    >>> [is_number(entry) for entry in (1, 2.5, Decimal("0.1"), True, "1", 1j)]
    [True, True, True, False, False, False]
    """
    return isinstance(entry, numbers.Real | Decimal) and not isinstance(entry, _NO_NUMBERS)


def spelled_place(where: str, place: Sequence[int] | NDArray[np.int64], labels: Labels = ()) -> str:
    """Return what messages call an entry of an argument: its row and its column, with the label of a frame.

    Examples
    --------
    >>> spelled_place("X", (3, 0)), spelled_place("X", (3, 0), ["mass"]), spelled_place("weights", (3,))
    ('X, row 3, column 0', "X, row 3, column 0 ('mass')", 'weights, index 3')
    """
    names = {1: ("index",), 2: ("row", "column")}.get(len(place), ("index",) * len(place))
    parts = [where, *(f"{name} {int(i)}" for name, i in zip(names, place, strict=True))]
    if len(place) == 2 and len(labels):
        parts[-1] += f" ({labels[int(place[1])]!r})"
    return ", ".join(parts)


def number_refused(
    raw: NDArray[np.generic], where: str, place: tuple[int, ...], labels: Labels = ()
) -> InvalidType:
    """Return the error for an entry that is no number, whose remedy converts its column or the table."""
    if raw.dtype.kind == "c":
        place = tuple(np.argwhere((raw.imag != 0) | ~(raw.imag != 0).any())[0].tolist())
    entry: Any = raw[place]
    kind = _kind(entry)
    if kind == "text":
        # The first text that is no numeral tells more than a numeral above it.
        column = raw.reshape(len(raw), -1)[:, place[-1] if len(place) > 1 else 0]
        row = next((row for row, other in enumerate(column) if not _is_numeral(other)), place[0])
        place = (row, *place[1:])
        entry = raw[place]
        kind = _kind(entry)
    is_plain = isinstance(entry, (np.bool_, np.complexfloating))
    return InvalidType(
        "must be a number",
        where=spelled_place(where, place, labels),
        value=entry.item() if is_plain else entry,
        remedy=_remedy(raw, kind, where.partition(",")[0], place, labels),
    )


def no_table(table: object, where: str) -> InvalidType:
    """Return the error for what numpy takes for a single object."""
    of_sizes = "pass rows of equal length, such as [[1, 2], [3, 4]]"
    if isinstance(table, (str, bytes, numbers.Number)):
        return InvalidType("must be a table of numbers", where=where, value=table, remedy=of_sizes)
    remedy = of_sizes
    if callable(getattr(table, "toarray", None)):
        remedy = f"pass {where}.toarray()"
    elif isinstance(table, Mapping):
        remedy = f"pass numpy.column_stack(list({where}.values()))"
    elif isinstance(table, Iterable):
        remedy = f"pass list({where})"
    return InvalidType(
        f"must be a table of numbers, got an object of type {type(table).__name__}",
        where=where,
        remedy=remedy,
    )


def _kind(entry: object) -> Kind:
    for kind, types in _BY_TYPE:
        if isinstance(entry, types):
            return kind
    return _BY_NAME.get(type(entry).__name__, "object")


def _remedy(raw: NDArray[np.generic], kind: Kind, name: str, place: tuple[int, ...], labels: Labels) -> str:
    """Return what makes numbers of the entries of a kind, in the whole table where there are no others."""
    column = raw if raw.ndim < 2 else raw[:, place[1]]
    if raw.dtype.names is not None:
        return f"pass numpy.column_stack([{name}[field] for field in {name}.dtype.names])"
    if not _are_convertible(column.flat, kind):
        return _remedy_of_text(column, name, place, labels, is_alone=raw.ndim < 2 or raw.shape[1] == 1)
    if kind == "complex" and raw.ndim == 1 and (raw.astype(complex).imag != 0).any():
        return "pass real numbers"
    # A list of numbers is one column.
    is_listed = kind in ("clock", "period", "interval") or (
        kind == "text" and not _are_numerals(raw.flat, comma=False)
    )
    is_alone = column.size == raw.size or not is_listed
    is_whole = is_alone and _are_convertible(raw.flat, kind)
    of = name if is_whole else _column(name, place, labels)
    entries = raw if is_whole else column
    return ("" if is_whole else "for this column, ") + _conversion(entries, kind, of)


def _conversion(entries: NDArray[np.generic], kind: Kind, of: str) -> str:
    if kind == "complex":
        return _conversion_of_complex(entries, of)
    if kind == "text":
        if _are_numerals(entries.flat, comma=False):
            return f"convert with numpy.asarray({of}, dtype=float)"
        return f"convert with [float(str(t).replace(',', '.')) for t in numpy.ravel({of})]"
    return _EXPRESSIONS[kind].format(of, dtype="" if entries.dtype.kind in "mM" else _DTYPES.get(kind, ""))


def _conversion_of_complex(entries: NDArray[np.generic], of: str) -> str:
    """Return what keeps both parts of complex numbers, but no imaginary parts that are all 0."""
    made = f"with t = numpy.asarray({of}, dtype=complex)"
    filled = np.atleast_1d((entries.astype(complex).imag != 0).any(axis=0))
    if not filled.any():
        return f"pass real numbers, as t.real {made}"
    if filled.all():
        return f"pass real and imaginary parts as columns, with numpy.column_stack([t.real, t.imag]) {made}"
    imaginary = f"t.imag[:, {np.flatnonzero(filled).tolist()}]"
    return f"pass real and imaginary parts as columns, with numpy.column_stack([t.real, {imaginary}]) {made}"


def _remedy_of_text(
    column: NDArray[np.generic], name: str, place: tuple[int, ...], labels: Labels, *, is_alone: bool
) -> str:
    """Return what to do about text that is no numeral: one mistake, or a column of it."""
    if sum(map(_is_numeral, column.flat)) >= _MOSTLY * (column.size - 1):
        return entry_remedy(place)
    if is_alone:
        return NUMBER_REMEDY
    if len(labels):
        return f"leave the column out, with {name}.drop(columns=[{_plain(labels[place[1]])!r}])"
    return f"leave the column out, with numpy.delete(numpy.asarray({name}, dtype=object), {place[1]}, axis=1)"


def _column(name: str, place: tuple[int, ...], labels: Labels) -> str:
    """Return the expression for a column, by its label where there is one and it is unique."""
    label = labels[place[1]] if len(labels) else None
    return f"{name}[{_plain(label)!r}]" if len(labels) and labels.count(label) == 1 else "column"


def _plain(label: object) -> object:
    return label.item() if isinstance(label, np.generic) else label


def _are_convertible(entries: Iterable[object], kind: Kind) -> bool:
    """Tell whether all entries are of a kind, or are numbers beside which they are converted."""
    if kind in ("text", "object"):
        return kind == "text" and _are_numerals(entries)
    others = {"number"} if kind in ("bool", "complex") else set()
    return {_kind(entry) for entry in entries} <= {kind, *others}


def _are_numerals(entries: Iterable[object], *, comma: bool = True) -> bool:
    """Tell whether every entry is a number, or a text that Python reads as a finite one."""
    return all(_is_numeral(entry, comma=comma) for entry in entries)


def _is_numeral(entry: object, *, comma: bool = True) -> bool:
    """Tell whether an entry is a number, or a text that Python reads as a finite one, but for its comma."""
    if is_number(entry):
        return True
    text = entry.replace(",", ".") if comma and isinstance(entry, str) else entry
    if not isinstance(text, str | bytes):
        return False
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False

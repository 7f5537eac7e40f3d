"""Right answers changed in a simple way: by a factor, a constant, a map of the entries, another order."""

import struct
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import EXACT, NON_FINITE, as_decimal
from rkde.conformance.vectors import Case

Number = Decimal | float
# Of a number in single precision so many digits can be right.
_SINGLE_DIGITS: Final = 7


def mapped(case: Case, fields: Iterable[str], change: Callable[[float], float]) -> dict[str, Json]:
    """Apply a map to every finite entry of some fields of the right answer; others are left out."""
    return {name: _mapped(case.expected[name], change) for name in fields if name in case.expected}


def numbers(value: Json) -> list[float]:
    """Return the finite entries of a field."""
    entries = value if isinstance(value, list) else [value]
    found = [as_decimal(entry) for entry in entries]
    return [float(entry) for entry in found if entry is not None]


def has_few_digits(value: Json) -> bool:
    """Tell whether every number of a field is one of float32, or has at most seven digits.

    A float counts with the digits that Python writes, not with those of its binary value.
    """
    spelled = [
        repr(entry) if isinstance(entry, float) else entry
        for entry in (value if isinstance(value, list) else [value])
    ]
    entries = [as_decimal(entry) for entry in spelled]
    return all(
        entry is None
        or len(entry.normalize().as_tuple().digits) <= _SINGLE_DIGITS
        or _is_single(float(entry))
        for entry in entries
    )


def _is_single(number: float) -> bool:
    try:
        return bool(struct.unpack("f", struct.pack("f", number))[0] == number)
    except OverflowError:
        return False


def in_order(value: Json) -> Json:
    """Sort the entries of a list of numbers; anything else comes back as it is."""
    entries = value if isinstance(value, list) else []
    found = numbers(value)
    return cast(list[Json], sorted(found)) if entries and len(found) == len(entries) else value


def is_well_formed(case: Case, answer: Mapping[str, Json]) -> bool:
    """Tell whether each field of an answer has the shape of the expected one, so that they compare."""
    given = {name: value for name, value in answer.items() if value is not None}
    return all(_has_shape(given[name], right) for name, right in case.expected.items() if name in given)


def _has_shape(given: Json, right: Json) -> bool:
    if isinstance(right, list):
        return (
            isinstance(given, list)
            and len(given) == len(right)
            and all(_has_shape(entry, goal) for entry, goal in zip(given, right, strict=True))
        )
    if as_decimal(right) is None and right not in NON_FINITE:
        # A name, a truth value, null or an object: what is answered instead is no matter of digits.
        return not isinstance(given, list)
    return as_decimal(given) is not None or given in NON_FINITE


def wrong_places(answer: Json, right: Json, closeness: float) -> list[int]:
    """Return the positions where two lists differ by more than a relative closeness."""
    if not isinstance(answer, list) or not isinstance(right, list) or len(answer) != len(right):
        return []
    pairs = zip(answer, right, strict=True)
    return [i for i, (given, goal) in enumerate(pairs) if not _close(given, goal, Decimal(closeness))]


def _close(given: Json, goal: Json, closeness: Decimal) -> bool:
    x, y = as_decimal(given), as_decimal(goal)
    if x is None or y is None:
        return given == goal
    return EXACT.subtract(x, y).copy_abs() <= EXACT.multiply(closeness, y.copy_abs())


def table(case: Case, field: str) -> list[list[float]]:
    """Return the rows of a request's field; empty where they are not numbers."""
    rows = case.request.get(field)
    return [numbers(row) for row in rows] if isinstance(rows, list) else []


def parameter(case: Case, owner: str, name: str) -> float | None:
    """Return a parameter of the request's kernel or loss."""
    fields = case.request.get(owner)
    value = as_decimal(fields.get(name)) if isinstance(fields, dict) else None
    return None if value is None else float(value)


def member(case: Case, owner: str) -> str:
    """Return the name of the request's kernel or loss."""
    fields = case.request.get(owner)
    return str(fields.get("name") if isinstance(fields, dict) else fields)


def _mapped(value: Json, change: Callable[[float], float]) -> Json:
    if isinstance(value, list):
        return [_mapped(entry, change) for entry in value]
    number = as_decimal(value)
    if number is None:
        return value
    try:
        return change(float(number))
    except (OverflowError, ValueError):
        return None

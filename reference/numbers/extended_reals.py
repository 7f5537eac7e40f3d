"""Series of numbers that may be infinite, compared exactly, and their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from mpmath import MPContext

from rkde.errors import InvalidInput, InvalidType
from rkde.reference.numbers.context import Number, to_mpf
from rkde.reference.numbers.inputs import exact_value, is_scalar

Extended = tuple[int, Fraction]
"""An extended real number: (0, its value), or (1, 0) and (-1, 0) for the infinities. Tuples order rightly."""

PLUS_INFINITY: Final[Extended] = (1, Fraction(0))
MINUS_INFINITY: Final[Extended] = (-1, Fraction(0))

_GIVE_NUMBERS: Final = "pass a sequence of numbers"


def extended_numbers(values: Sequence[Number], where: str) -> list[Extended]:
    """Read a sequence of numbers, infinities included, exactly.

    Shapes: values (m,); result (m,).
    """
    if isinstance(values, (str, bytes)) or is_scalar(values):
        raise InvalidType("must be a sequence of numbers", where=where, value=values, remedy=_GIVE_NUMBERS)
    return [_extended(entry, f"{where}, row {index}") for index, entry in enumerate(values)]


def magnitude(value: Extended) -> Extended:
    """Return the absolute value."""
    return abs(value[0]), abs(value[1])


def doubled_ranks(values: Sequence[Extended]) -> list[int]:
    """Return twice the mid-rank of each entry, an integer: equal entries share the mean of their ranks.

    Examples
    --------
    >>> doubled_ranks([(0, Fraction(7)), (0, Fraction(5)), (0, Fraction(7))])
    [5, 2, 5]
    """
    first: dict[Extended, int] = {}
    count: dict[Extended, int] = {}
    for position, value in enumerate(sorted(values)):
        first.setdefault(value, position)
        count[value] = count.get(value, 0) + 1
    return [2 * first[value] + count[value] + 1 for value in values]


# Only classifies numbers, whose conversion is exact where it matters: its precision is of no consequence.
_READER: Final = MPContext()


def _extended(entry: Number, where: str) -> Extended:
    if not is_scalar(entry):
        raise InvalidType(
            "must be a number", where=where, value=entry, remedy="pass one number for each entry"
        )
    number = to_mpf(_READER, entry, where)
    if _READER.isnan(number):
        raise InvalidInput("must not be NaN", where=where, remedy="drop the row that gives NaN")
    if _READER.isinf(number):
        return PLUS_INFINITY if number > 0 else MINUS_INFINITY
    return 0, exact_value(entry, where)

"""The numbers of the protocol: a JSON number, a decimal string, or the name of a non-finite value."""

from __future__ import annotations

import re
from typing import Final

from rkde.adapter.strict_json import MAX_NUMBER_TEXT, Json, kind_of
from rkde.errors import InvalidInput, InvalidType

NON_FINITE: Final = ("inf", "-inf", "nan")
# Reading 10**exponent exactly takes memory in proportion; float64 ends at 1e308.
MAX_EXPONENT: Final = 100_000

_DECIMAL: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE]([+-]?[0-9]+))?")
_SHOWN: Final = 40


def read_number(value: Json, where: str) -> int | str:
    """Check that a JSON value spells a number and return its exact text.

    Result: the number as it was written; an implementation rounds it, or does not.
    """
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise InvalidType(
            f"must be a number or a decimal string, got {kind_of(value)}",
            where=where,
            remedy='write it like -1.5e-3 or "-1.5e-3"',
        )
    if isinstance(value, int) or value in NON_FINITE:
        return value
    if len(value) > MAX_NUMBER_TEXT:
        raise InvalidInput(
            f"must have at most {MAX_NUMBER_TEXT} characters, got {len(value)}",
            where=where,
            remedy="write a shorter decimal",
        )
    match = _DECIMAL.fullmatch(value)
    if match is None:
        remedy = 'write it like -1.5e-3, or "inf", "-inf", "nan"'
        raise InvalidInput("must be a decimal number", where=where, value=value[:_SHOWN], remedy=remedy)
    if match[1] is not None and abs(int(match[1])) > MAX_EXPONENT:
        raise InvalidInput(
            f"must have an exponent of at most {MAX_EXPONENT} in size",
            where=where,
            value=value[:_SHOWN],
            remedy="rescale the data",
        )
    return str(value)

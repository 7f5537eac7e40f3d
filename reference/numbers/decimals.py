"""Which strings are read as decimal numbers."""

from __future__ import annotations

import re
from typing import Final

from rkde.errors import InvalidInput, InvalidType

MAX_DECIMAL_EXPONENT: Final = 100_000
"""Largest decimal exponent read from a string: far past float64, short of hours inside one power of ten."""

_DECIMAL: Final = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE](?P<exponent>[+-]?\d{1,9}))?\s*", re.ASCII)


def is_decimal(text: str) -> bool:
    """Tell whether a string spells a finite decimal number, such as ``"-1.5e-3"``."""
    return _DECIMAL.fullmatch(text) is not None


def checked_decimal(text: str, where: str) -> str:
    """Return a string that spells a decimal, without surrounding space.

    Raises
    ------
    InvalidType
        If it spells none.
    InvalidInput
        If its exponent exceeds `MAX_DECIMAL_EXPONENT` in magnitude.
    """
    match = _DECIMAL.fullmatch(text)
    if match is None:
        raise InvalidType(
            "not a decimal number", where=where, value=text, remedy='write it as in "-1.5" or "2e-3"'
        )
    if abs(int(match["exponent"] or 0)) > MAX_DECIMAL_EXPONENT:
        raise InvalidInput(
            f"decimal exponent beyond {MAX_DECIMAL_EXPONENT}",
            where=where,
            value=text,
            remedy="rescale the data",
        )
    return text.strip()

"""Numbers of rows, as an option spells them."""

from __future__ import annotations

import re
from typing import Final

from rkde.errors import InvalidInput

_ROWS: Final = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?", re.ASCII)


def parse_rows(text: str | None) -> tuple[range, ...]:
    """Return the numbers that a list of rows and ranges means.

    Examples
    --------
    >>> parse_rows("70, 61-64"), parse_rows(None)
    ((range(70, 71), range(61, 65)), ())
    """
    return () if text is None else tuple(_range(item.strip()) for item in text.split(","))


def _range(item: str) -> range:
    numbers = _ROWS.fullmatch(item)
    low, high = (int(numbers[1]), int(numbers[2] or numbers[1])) if numbers else (0, 0)
    if not 1 <= low <= high:
        raise InvalidInput(
            "must be row numbers from 1, or ranges from low to high",
            where="--drop-rows",
            value=item,
            remedy="give numbers such as 70 or 61-64,70",
        )
    return range(low, high + 1)

"""Whole numbers that are no measurements: identifiers, told by their names, and dates such as 20240131."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.signs.evidence import Evidence
from rkde.signs import Sign

# Words with which the name of an identifier ends, and with which it may begin instead.
_LAST: Final = frozenset(
    {
        *("id", "ids", "uid", "uuid", "guid", "identifier", "nr", "rownames", "code", "codes", "fips"),
        *("zip", "zipcode", "postcode", "postalcode", "postal", "plz", "phone", "telephone", "fax"),
        *("sku", "isbn", "issn", "ean", "gtin", "upc", "ssn"),
    }
)
_FIRST: Final = frozenset({"id"})
# Written as one word.
_COMPOUND: Final = re.compile(
    r"(?:account|case|client|customer|device|employee|hh|household|item|member|object|order|part|participant|"
    r"patient|person|product|record|resp|respondent|row|sample|school|shop|site|station|store|student|subj|"
    r"subject|tract|user)(?:id|nr|code)"
)
# In names such as RespID, a word begins where a capital follows a small letter.
_WORD: Final = re.compile(r"[A-Z]*[a-z]+|[A-Z]+")
# Whole numbers are whole up to this, as data moved to other coordinates and back.
_SLACK: Final = 1e-6
# Years in which dates are looked for, and the largest months and days.
_YEARS: Final = (1900, 2100)
_MONTHS: Final = 12
_DAYS: Final = 31
# Two values tell groups apart, and fewer rows than ten get a sign of their own.
_FEWEST_VALUES: Final = 3
_FEWEST_ROWS: Final = 10


def is_identifier(name: str) -> bool:
    """Return whether a column is named like an identifier.

    Examples
    --------
    >>> [is_identifier(name) for name in ("resp_id", "RespID", "ID", "zip code", "PLZ", "userid", "id.1")]
    [True, True, True, True, True, True, True]
    >>> [is_identifier(name) for name in ("humid", "acid", "zip_income", "lines of code", "grid", "codec")]
    [False, False, False, False, False, False]
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or "of" in words:
        return False
    return words[-1] in _LAST or words[0] in _FIRST or _COMPOUND.fullmatch(words[-1]) is not None


def identifiers(evidence: Evidence, names: Sequence[str]) -> tuple[int, ...]:
    """Return the columns of whole numbers, none negative, that are named like identifiers.

    None are where all columns would be.
    """
    if len(evidence.rows) < _FEWEST_ROWS:
        return ()
    found = tuple(
        column
        for column, (name, values) in enumerate(zip(names, evidence.rows.T, strict=False))
        if is_identifier(name) and values.min() >= -_SLACK and _are_whole(values)
    )
    return found if len(found) < evidence.rows.shape[1] else ()


def _are_whole(values: Floats) -> bool:
    """Tell whether values are whole numbers, and more than two different ones."""
    whole = np.round(values)
    return bool(np.abs(values - whole).max() <= _SLACK) and len(np.unique(whole)) >= _FEWEST_VALUES


def dates_as_numbers(evidence: Evidence) -> Sign | None:
    """Return the sign for columns of dates written as numbers, year, month and day in eight digits."""
    if len(evidence.rows) < _FEWEST_ROWS:
        return None
    found = [column for column, values in enumerate(evidence.rows.T) if _are_dates(values)]
    if not found:
        return None
    example = f"{evidence.rows[0, found[0]]:.0f}"
    only = found == list(range(evidence.rows.shape[1]))
    return Sign(
        "counter-column",
        f"{{column}} {'hold' if len(found) > 1 else 'holds'} dates written as numbers, such as {example}: "
        "two days may be 1 or 8870 apart",
        "write them as days since the first" + ("" if only else ", or fit to the other columns only"),
        column=found[0],
        others=tuple(found[1:]),
    )


def _are_dates(values: Floats) -> bool:
    years, rest = np.divmod(np.round(values), 10_000)
    months, days = np.divmod(rest, 100)
    parts = ((years, *_YEARS), (months, 1, _MONTHS), (days, 1, _DAYS))
    return _are_whole(values) and all(low <= part.min() and part.max() <= high for part, low, high in parts)


def identifier_columns(columns: Sequence[int]) -> Sign | None:
    """Return the sign for columns of identifiers."""
    if not columns:
        return None
    hold = "hold" if len(columns) > 1 else "holds"
    whose = "their names" if len(columns) > 1 else "its name"
    return Sign(
        "counter-column",
        f"{{column}} {hold} identifiers, by {whose}: whole numbers whose differences mean nothing",
        "fit to the other columns only",
        column=columns[0],
        others=tuple(columns[1:]),
    )

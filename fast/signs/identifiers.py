"""Columns of identifiers, such as postal codes, which only their names tell from measurements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

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
        if is_identifier(name)
        and values.min() >= -_SLACK
        and np.abs(values - np.round(values)).max() <= _SLACK
        and len(np.unique(np.round(values))) >= _FEWEST_VALUES
    )
    return found if len(found) < evidence.rows.shape[1] else ()


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

"""One cell of a table: the number it holds, or what is wrong with it and what to do."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final

# Longer texts are cut in messages, which are one line.
_SHOWN_LENGTH: Final = 40
_MISSING: Final = frozenset({"nan", "na", "n/a", "#n/a", "null", "none", "nil", "missing", "?", "-", "."})
_INFINITE: Final = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
# Usual delimiters, as `--delimiter` spells them in a shell.
_USUAL_DELIMITERS: Final = {";": "';'", "\t": "tab", "|": "'|'", ",": "','"}
_NO_ROW_DROPPED: Final = "correct the cell or delete the line (no row is dropped silently)"


@dataclass(frozen=True, slots=True)
class BadCell:
    """Why a cell is no finite number, and what to do about it."""

    problem: str
    remedy: str


def parse_number(cell: str) -> float | BadCell:
    """Read a finite decimal number.

    Parameters
    ----------
    cell : str
        The text of a cell; white space around the number is ignored.

    Returns
    -------
    float or BadCell
        The nearest float64, or what is wrong. Only ASCII decimals count: what Python alone
        accepts (``1_000``, other digits, ``nan``, ``inf``) is a problem.
    """
    try:
        number = float(cell)
    except ValueError:
        return _diagnosis(cell.strip())
    if not math.isfinite(number) or "_" in cell or not cell.isascii():
        return _diagnosis(cell.strip())
    return number


def looks_numeric(cell: str) -> bool:
    """Return whether a cell is meant as a number, be it missing, infinite or with a decimal comma.

    A first line of such cells is data with a mistake, not a header.
    """
    text = cell.strip()
    if not isinstance(parse_number(text), BadCell) or text.lower() in _INFINITE or text.lower() == "nan":
        return True
    return _DECIMAL_COMMA.fullmatch(text) is not None or _is_too_large(text)


def other_delimiter(text: str, delimiter: str) -> str | None:
    """Return the spelling of a usual delimiter, other than the given one, that occurs in the text.

    White space counts only between numbers: a name may contain it.
    """
    for character, spelling in _USUAL_DELIMITERS.items():
        if character != delimiter and character in text:
            return spelling
    words = text.split()
    if delimiter != " " and len(words) > 1 and all(looks_numeric(word) for word in words):
        return "' ' (exactly one space between cells)"
    return None


def delimiter_hint(cell: str) -> str:
    """Return a remedy if a single cell contains a delimiter other than the comma, else nothing."""
    other = other_delimiter(cell, ",")
    return f"if that is the delimiter, use --delimiter {other}" if other else ""


def abbreviated(text: str) -> str:
    """Return the text, cut where it is too long for a one-line message."""
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "..."


def _is_too_large(text: str) -> bool:
    try:
        return math.isinf(float(text)) and text.lower() not in _INFINITE
    except ValueError:
        return False


def _diagnosis(text: str) -> BadCell:
    if not text:
        return BadCell("empty cell", _NO_ROW_DROPPED)
    if text.lower() in _MISSING:
        return BadCell("missing value", _NO_ROW_DROPPED)
    if text.lower() in _INFINITE:
        return BadCell("not a finite number", _NO_ROW_DROPPED)
    if _is_too_large(text):
        return BadCell("larger than any float64", "rescale the column")
    if _DECIMAL_COMMA.fullmatch(text):
        return BadCell("a decimal comma", "write decimals with a point")
    return BadCell("not a number", "correct the cell, or choose the numeric columns with --columns")

"""One cell of a table: the number it holds, or what is wrong with it and what to do."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Final, Literal

DecimalMark = Literal[".", ","]
# Longer texts are cut in messages, which are one line.
_SHOWN_LENGTH: Final = 40
_MISSING: Final = frozenset({"nan", "na", "n/a", "#n/a", "null", "none", "nil", "missing", "?", "-", "."})
_INFINITE: Final = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
# What word processors make of a minus sign: U+2212, the en dash, the em dash.
_OTHER_MINUS: Final = ("\u2212", "\u2013", "\u2014")
# Usual delimiters, as `--delimiter` spells them in a shell.
_USUAL_DELIMITERS: Final = {";": "';'", "\t": "tab", "|": "'|'", ",": "','"}
_NO_ROW_DROPPED: Final = "correct the cell or delete the line (no row is dropped silently)"


@dataclass(frozen=True, slots=True)
class BadCell:
    """Why a cell is no finite number, and what to do about it."""

    problem: str
    remedy: str


def parse_number(cell: str, decimal: DecimalMark = ".") -> float | BadCell:
    """Read a finite decimal number.

    Parameters
    ----------
    cell : str
        The text of a cell; white space around the number is ignored.
    decimal : {".", ","}
        The decimal mark; the other one is then a problem, since nothing else separates digits.

    Returns
    -------
    float or BadCell
        The nearest float64, or what is wrong. Only ASCII decimals count: what Python alone
        accepts (``1_000``, other digits, ``nan``, ``inf``) is a problem.

    Examples
    --------
    >>> parse_number(" 1.5 "), parse_number("1,5", ","), parse_number("1,5").problem
    (1.5, 1.5, 'a decimal comma, or one between thousands')
    """
    if decimal == "," and "." in cell:
        return _other_mark(cell.strip())
    pointed = cell.replace(decimal, ".")
    try:
        number = float(pointed)
    except ValueError:
        return _diagnosis(cell.strip(), decimal)
    if not math.isfinite(number) or "_" in cell or not cell.isascii():
        return _diagnosis(cell.strip(), decimal)
    return number


def looks_numeric(cell: str) -> bool:
    """Return whether a cell is meant as a number, be it missing, infinite or with a decimal comma.

    A first line of such cells is data with a mistake, not a header.
    """
    text = cell.strip()
    if not isinstance(parse_number(text), BadCell) or text.lower() in _INFINITE or text.lower() == "nan":
        return True
    return _DECIMAL_COMMA.fullmatch(text) is not None or _is_too_large(text)


def other_delimiter(text: str, delimiter: str, decimal: DecimalMark = ".") -> str | None:
    """Return the spelling of a usual delimiter, other than the given one, that occurs in the text.

    The decimal mark is none, and white space counts only between numbers: a name may contain it.
    """
    for character, spelling in _USUAL_DELIMITERS.items():
        if character not in (delimiter, decimal) and character in text:
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


def _other_mark(text: str) -> BadCell:
    if isinstance(parse_number(text), BadCell):
        return BadCell("not a number", "write it with a decimal comma and without separators of thousands")
    return BadCell("a decimal point, with --decimal ,", "leave out --decimal or write decimals with a comma")


def _diagnosis(text: str, decimal: DecimalMark) -> BadCell:
    if not text:
        return BadCell("empty cell", _NO_ROW_DROPPED)
    if text.lower() in _MISSING:
        return BadCell("missing value", _NO_ROW_DROPPED)
    if text.lower() in _INFINITE:
        return BadCell("not a finite number", _NO_ROW_DROPPED)
    if _is_too_large(text.replace(decimal, ".")):
        return BadCell("larger than any float64", "rescale the column")
    if _DECIMAL_COMMA.fullmatch(text):
        remedy = "use --decimal , for the one; take the other out"
        return BadCell("a decimal comma, or one between thousands", remedy)
    if text.startswith(_OTHER_MINUS) and not isinstance(parse_number(text[1:], decimal), BadCell):
        return BadCell("a minus sign that is no hyphen", "write it as -")
    return BadCell("not a number", "correct the cell, or choose the numeric columns with --columns")

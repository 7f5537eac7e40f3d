"""One cell of a table: the number it holds, or what is wrong with it and what to do."""

import math
import re
from dataclasses import dataclass
from typing import Final, Literal

DecimalMark = Literal[".", ","]
ThousandsMark = Literal[".", ",", "'", "space"]
# Longer texts are cut in messages, which are one line.
_SHOWN_LENGTH: Final = 40
_MISSING: Final = frozenset(
    {
        *("nan", "na", "n/a", "null", "none", "nil", "missing", "?", "-", "."),
        # What spreadsheets write for a formula without a value.
        *("#n/a", "#div/0!", "#null!", "#num!", "#ref!", "#value!", "#name?"),
    }
)
_INFINITE: Final = frozenset({"inf", "+inf", "-inf", "infinity", "+infinity", "-infinity"})
_DECIMAL_COMMA: Final = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?", re.ASCII)
# Digits in groups of three, as in 1,234,567 or 8.516: a mark that stands once may as well be a decimal one.
_GROUPED: Final = {
    mark: re.compile(rf"[+-]?\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+", re.ASCII)
    for mark in (",", ".", "'", " ")
}
# The same with decimals: 1.204,5 and 1,204.5, 1'204,5 and 1'204.5, 1 204,5 and 1 204.5.
_ANY_GROUPED: Final = re.compile(
    r"[+-]?\d{1,3}(?:(?:\.\d{3})+(?:,\d+)?|(?:,\d{3})+(?:\.\d+)?|([' ])\d{3}(?:\1\d{3})*(?:[.,]\d+)?)",
    re.ASCII,
)
# 2024-05-01, 07.10.2000, 5/1/24, each with a time or without one; 12:30, 12:30:05, 12:30 PM.
_TIME: Final = r"\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2}| ?[AaPp]\.?[Mm]\.?)?"
_DAY: Final = r"(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2}(?:\d{2})?)"
_DATE: Final = re.compile(rf"{_DAY}(?:[ T]{_TIME})?|{_TIME}", re.ASCII)
# A name that numbers something, such as #7, 12-4 or 2024/07.
_LABEL: Final = re.compile(r"[#\u2116]\s*\d+|\d+(?:[-/#]\d+)+", re.ASCII)
# A number and a unit, such as 12 kg; or anything else that begins with a digit.
_MEASURED: Final = re.compile(r"[+-]?[.,]?\d", re.ASCII)
# What word processors make of a minus sign: U+2212, the en dash, the em dash.
_OTHER_MINUS: Final = ("\u2212", "\u2013", "\u2014")
# Usual delimiters, as `--delimiter` spells them in a shell.
_USUAL_DELIMITERS: Final = {";": "';'", "\t": "tab", "|": "'|'", ",": "','"}
# What separates thousands only, as `--thousands` spells it in a shell.
_NO_DECIMAL_MARKS: Final = {"'": '"\'"', " ": "space"}
INCOMPLETE: Final = "correct the cell, delete the line, or use --drop-missing to leave out all such lines"
# What a list of columns may follow.
CHOOSE_COLUMNS: Final = "correct the cell, or choose the numeric columns with --columns"
_CORRECT: Final = "correct the cell or delete the line"


@dataclass(frozen=True, slots=True)
class BadCell:
    """Why a cell is not a finite number, and what to do about it."""

    problem: str
    remedy: str


def parse_number(
    cell: str, decimal: DecimalMark = ".", thousands: ThousandsMark | None = None
) -> float | BadCell:
    """Read a finite decimal number.

    Result: the nearest float64, or what is wrong. Only ASCII decimals count: what Python alone accepts
    (``1_000``, other digits, ``nan``, ``inf``) is a problem.

    Examples
    --------
    >>> parse_number(" 1.5 "), parse_number("1,5", ","), parse_number("1,5").problem
    (1.5, 1.5, 'must be a number without a comma')
    >>> parse_number("1,234.5", thousands=","), parse_number("8.516", ",", ".")
    (1234.5, 8516.0)
    """
    text = _with_plain_spaces(cell).strip()
    if thousands is not None:
        mark = " " if thousands == "space" else thousands
        whole, point, fraction = text.partition(decimal)
        if mark in text:
            if _GROUPED[mark].fullmatch(whole) is None or mark in fraction:
                problem = f"must have {mark!r} only between groups of three digits"
                return BadCell(problem, "correct the cell, or leave out --thousands")
            text = whole.replace(mark, "") + point + fraction
    if decimal == "," and "." in text:
        return _point_beside_commas(text)
    pointed = text.replace(decimal, ".")
    try:
        number = float(pointed)
    except ValueError:
        return _diagnosis(text, decimal)
    if not math.isfinite(number) or "_" in text or not text.isascii():
        return _diagnosis(text, decimal)
    return number


def _with_plain_spaces(cell: str) -> str:
    """Return a cell with plain spaces for those that spreadsheets put between thousands: U+00A0, U+202F."""
    return cell if cell.isascii() else cell.replace("\u00a0", " ").replace("\u202f", " ")


def is_date(cell: str) -> bool:
    """Return whether a cell is a date or a time of the day, in one of the usual spellings.

    Examples
    --------
    >>> [is_date(cell) for cell in ("2024-05-01", "07.10.2000", "1/2/24 12:30", "12:30:05.5", "1.5", "-3")]
    [True, True, True, True, False, False]
    """
    return _DATE.fullmatch(cell.strip()) is not None


def is_missing(cell: str) -> bool:
    """Return whether a cell is empty or one of the usual words for a missing value."""
    text = cell.strip().lower()
    return not text or text in _MISSING


def looks_numeric(cell: str) -> bool:
    """Return whether a cell is meant as a number, be it infinite, with a decimal comma or grouped digits.

    A first line of such cells is data with a mistake, not a header.
    """
    text = _with_plain_spaces(cell).strip()
    if not isinstance(parse_number(text), BadCell) or text.lower() in _INFINITE or text.lower() == "nan":
        return True
    spellings = (_ANY_GROUPED, _DECIMAL_COMMA)
    return any(pattern.fullmatch(text) for pattern in spellings) or _is_too_large(text)


def is_meant_as_number(cell: str) -> bool:
    """Return whether a cell is a number, be it misspelled or with a unit, and neither text nor a label.

    Examples
    --------
    >>> [is_meant_as_number(cell) for cell in ("1,5", "12 %", "12 kg", "#7", "12-4", "2024-05-01", "p015")]
    [True, True, True, False, False, False, False]
    """
    text = cell.strip()
    if looks_numeric(text):
        return True
    if is_date(text) or _LABEL.fullmatch(text):
        return False
    return not any(map(str.isalpha, text)) or _MEASURED.match(text) is not None


def other_delimiter(text: str, delimiter: str, marks: str = ".") -> str | None:
    """Return the spelling of a usual delimiter, other than the given one, that occurs in the text.

    The marks within numbers are none, and white space counts only between numbers, behind a name or none: a
    name may contain it.
    """
    words = text.split()
    are_numbers = len(words) > 1 and all(map(looks_numeric, words[int(len(words) > 2) :]))
    for character, spelling in _USUAL_DELIMITERS.items():
        if character not in delimiter + marks and character in text:
            cells = text.split(character)
            is_part = character == "\t" and are_numbers and len(words) > len(cells) > 1
            return "whitespace" if is_part and not all(map(looks_numeric, cells)) else spelling
    return "whitespace" if " " not in delimiter + marks and are_numbers else None


def delimiter_hint(cell: str) -> str:
    """Return a remedy if a single cell contains a delimiter other than the comma, else nothing."""
    other = other_delimiter(cell, ",")
    return f"use --delimiter {other} if that is the delimiter" if other else ""


def abbreviated(text: str) -> str:
    """Return the text, cut where it is too long for a one-line message."""
    return text if len(text) <= _SHOWN_LENGTH else text[:_SHOWN_LENGTH] + "..."


def _is_grouped_with_comma(text: str, mark: str) -> bool:
    """Tell whether digits stand in groups of three, and a decimal comma comes after them, if any."""
    whole, _, fraction = text.partition(",")
    return _GROUPED[mark].fullmatch(whole) is not None and (not fraction or fraction.isdecimal())


def _is_too_large(text: str) -> bool:
    try:
        return math.isinf(float(text)) and text.lower() not in _INFINITE
    except ValueError:
        return False


def _point_beside_commas(text: str) -> BadCell:
    """Say what a point may be where commas are decimal marks: a separator of thousands, or a mistake."""
    if _GROUPED["."].fullmatch(text.partition(",")[0]):
        return BadCell(
            "must not contain a point with --decimal ,",
            "use --thousands . if it separates thousands; otherwise write every decimal mark as a comma",
        )
    if isinstance(parse_number(text), BadCell) and _ANY_GROUPED.fullmatch(text) is None:
        return BadCell("must be a number", "correct the cell")
    return BadCell("must not contain a decimal point with --decimal ,", "write every decimal mark as a comma")


def _diagnosis(text: str, decimal: DecimalMark) -> BadCell:
    if is_missing(text):
        return BadCell("must not be missing" if text else "must not be empty", INCOMPLETE)
    if text.lower() in _INFINITE:
        return BadCell("must be finite", _CORRECT)
    if _is_too_large(text.replace(decimal, ".")):
        return BadCell("must be within the range of float64", "rescale the column")
    return _thousands(text, decimal) or _mistaken_mark(text, decimal)


def _thousands(text: str, decimal: DecimalMark) -> BadCell | None:
    """Say how to read a number with marks between thousands, if it is one."""
    if "." in text and ("," in text or text.count(".") > 1) and _is_grouped_with_comma(text, "."):
        return BadCell("must not have '.' between thousands", "use --thousands .")
    for mark, spelling in _NO_DECIMAL_MARKS.items():
        if decimal == "." and "," in text and _is_grouped_with_comma(text, mark):
            return BadCell(
                f"must not have {mark!r} between thousands", f"use --decimal , --thousands {spelling}"
            )
    for mark, spelling in ((",", ","), *_NO_DECIMAL_MARKS.items()):
        grouped = decimal != mark and _GROUPED[mark].fullmatch(text.partition(decimal)[0])
        if grouped and (mark != "," or decimal in text or text.count(mark) > 1):
            return BadCell(f"must not have {mark!r} between thousands", f"use --thousands {spelling}")
    return None


def _mistaken_mark(text: str, decimal: DecimalMark) -> BadCell:
    """Say what is wrong with a cell that is not even a number with other marks between thousands."""
    if _DECIMAL_COMMA.fullmatch(text):
        remedy = "use --decimal , where it is the decimal mark"
        if _GROUPED[","].fullmatch(text):
            remedy += ", --thousands , where it separates thousands"
        return BadCell("must be a number without a comma", remedy)
    if text.startswith(_OTHER_MINUS) and not isinstance(parse_number(text[1:], decimal), BadCell):
        return BadCell("must have a hyphen as its minus sign", "write the sign as -")
    if text.startswith("'") and looks_numeric(text.strip("'")):
        remedy = "write double quotation marks around cells instead of single ones"
        return BadCell("must be a number without quotation marks", remedy)
    return BadCell("must be a number", CHOOSE_COLUMNS)

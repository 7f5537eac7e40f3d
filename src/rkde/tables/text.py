"""The text of a table: its bytes decoded, its delimiter, and its records with their line numbers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Final

from rkde.errors import InvalidInput
from rkde.tables.cells import DecimalMark, ThousandsMark, looks_numeric, other_delimiter

# Characters that numbers and quoting need for themselves.
_RESERVED: Final = frozenset("0123456789+-.eE\"'\r\n\0")
# What Excel writes, or asks for, above a table: not a row, but a note of the delimiter.
_EXCEL_NOTE: Final = re.compile(r'"?sep=(.)"?[ \t]*(?:\r\n?|\n|$)', re.IGNORECASE)
# More lines than this, in front of a blank one, are rows.
_MOST_TITLES: Final = 5
# The word for runs of spaces and tabs, which are the cells' only separator.
WHITESPACE: Final = "whitespace"
# Such a run, unless it is within a quoted cell, or around a line.
_RUN: Final = re.compile(r'((?<!\S)"(?:[^"]|"")*")|(?:(?<![^\r\n])[ \t]+|[ \t]+(?=[\r\n]|\Z))()|[ \t]+')
# Leading bytes of files that are often taken for CSV, with what they are.
_SIGNATURES: Final = {
    b"PK\x03\x04": "a zip archive (an Excel workbook, or a numpy or model file)",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF": "a PDF document",
}
# The longer marks first, since one of UTF-16 begins one of UTF-32.
_MARKS: Final = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_UTF_8: Final = "utf-8"
# What Windows writes in the west, for which other programs have no mark.
_WINDOWS: Final = "cp1252"
# How a page of the web begins, which a browser may have stored instead of the table.
_PAGE: Final = re.compile(r"\s*<(?:!doctype html|html|\?xml)", re.IGNORECASE)


def parse_separator(delimiter: str) -> str:
    r"""Return the delimiter character that a user's spelling means.

    Examples
    --------
    >>> parse_separator("tab"), parse_separator(";"), parse_separator("whitespace")
    ('\t', ';', ' ')
    """
    if delimiter.lower() in {"tab", "\\t"}:
        return "\t"
    if delimiter.lower() == WHITESPACE:
        return " "
    if len(delimiter) != 1 or delimiter in _RESERVED:
        remedy = "give a character such as ',' or ';', or one of the words tab and whitespace"
        raise InvalidInput(
            "must be one character that no number contains", where="delimiter", value=delimiter, remedy=remedy
        )
    return delimiter


def with_single_spaces(text: str) -> str:
    r"""Return the text with one space for each run of spaces and tabs, and none around a line.

    Examples
    --------
    >>> with_single_spaces(' x  y\n"a  b"\t 2 \n')
    'x y\n"a  b" 2\n'
    """

    def single(found: re.Match[str]) -> str:
        return found[1] or ("" if found[2] is not None else " ")

    return _RUN.sub(single, text)


def refuse_one_mark(
    text: str, delimiter: str, decimal: DecimalMark | None, thousands: ThousandsMark | None
) -> None:
    """Refuse one character for two purposes, unless quoted cells tell a delimiter from a mark in a number.

    A decimal mark that nobody chose is none.
    """
    if thousands is not None and thousands == decimal:
        raise InvalidInput(
            "must differ from the decimal mark",
            where="--thousands",
            value=thousands,
            remedy="leave out --decimal, or leave out --thousands",
        )
    separator = " " if thousands == "space" else thousands or ""
    for mark, name in ((decimal or "", "decimal mark"), (separator, "separator of thousands")):
        if delimiter == mark and not re.search(rf'"[^"]*{re.escape(mark)}[^"]*"', text):
            raise InvalidInput(
                f"must differ from the {name} unless cells are quoted",
                where="delimiter",
                value=delimiter,
                remedy="set the delimiter that separates the cells, such as --delimiter ';'",
            )


def decoded(content: bytes, source: str, encoding: str = _UTF_8) -> str:
    """Return the text that the bytes of a table are, without a byte order mark."""
    if encoding.lower() not in {_UTF_8, "utf8"}:
        return _decoded_otherwise(content, source, encoding)
    remedy = "save the table as CSV text in UTF-8"
    for signature, kind in _SIGNATURES.items():
        if content.startswith(signature):
            raise InvalidInput(f"must be CSV text, got {kind}", where=source, remedy=remedy)
    for mark, name in _MARKS.items():
        if content.startswith(mark):
            remedy = f"use --encoding {name.lower()}"
            raise InvalidInput(f"must be UTF-8 text, got {name}", where=source, remedy=remedy)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        where = f"{source}, line {line}"
        raise InvalidInput("must be CSV text, got a binary file", where=where, remedy=remedy)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"must be UTF-8 text, got byte 0x{content[error.start]:02x}"
        if _is_text(content, _WINDOWS):
            remedy = f"use --encoding {_WINDOWS} if the table comes from Windows; otherwise {remedy}"
        raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy) from error
    if _PAGE.match(text):
        remedy = "get the table itself as CSV text; the page may say why it was not sent"
        raise InvalidInput("must be CSV text, got a page of HTML or XML", where=source, remedy=remedy)
    return text


def _decoded_otherwise(content: bytes, source: str, encoding: str) -> str:
    """Return the text of bytes in the encoding that was asked for."""
    try:
        text = content.decode(encoding)
    except LookupError as error:
        raise InvalidInput(
            "must be the name of an encoding",
            where="--encoding",
            value=encoding,
            remedy="write a name such as utf-8, cp1252, latin-1 or utf-16",
        ) from error
    except UnicodeError as error:
        remedy = "choose another --encoding, or save the table as CSV text in UTF-8"
        problem = f"must be text in {encoding}, got bytes that cannot be decoded"
        raise InvalidInput(problem, where=source, remedy=remedy) from error
    if "\0" in text:
        remedy = "choose another --encoding, or save the table as CSV text in UTF-8"
        raise InvalidInput(f"must be text in {encoding}, got a zero byte", where=source, remedy=remedy)
    return text.removeprefix("\ufeff")


def _is_text(content: bytes, encoding: str) -> bool:
    """Tell whether bytes have a meaning in an encoding."""
    try:
        content.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _delimiter_between_quotes(line: str, delimiter: str) -> str | None:
    """Return the spelling of another usual delimiter, behind the first quoted cell of a line."""
    found = re.match(r'\s*"[^"\n]*"([ \t]*)(\S)', line)
    if found is None or found[2] == delimiter:
        return None
    other = other_delimiter(found[2], delimiter)
    if other is None and found[1]:
        return "tab" if found[1] == "\t" and delimiter != "\t" else WHITESPACE
    return other


def records_of(
    text: str, delimiter: str, source: str, *, skip_lines: int = 0, comment: str | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each record; blank lines are allowed at the end only."""
    if not skip_lines:
        _refuse_excel_note(text, source)
    lines = _Lines(text, comment)
    for _ in range(skip_lines):
        next(lines, None)
    # A space behind a delimiter is none of the cell, whose quotation marks would count for nothing there.
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=delimiter != " ")
    blank_line = 0
    above: list[list[str]] = []
    while True:
        line = lines.at_record()
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            remedy = "close every quotation mark, and double those within a quoted cell"
            other = _delimiter_between_quotes(lines.last, delimiter)
            if other is not None:
                remedy = f"try --delimiter {other}, which stands between quoted cells"
            problem = f"the quoting is broken: {error}"
            if "field limit" in str(error):
                problem = f"must have at most {csv.field_size_limit()} characters in a cell, got more"
            raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy) from error
        if not cells or (len(cells) == 1 and lines.last.isspace()):
            blank_line = blank_line or line
            continue
        if blank_line:
            _refuse_blank(blank_line, above, line, cells, source)
        above = [*above, cells][: _MOST_TITLES + 1]
        yield line, cells


def _refuse_blank(blank_line: int, above: list[list[str]], line: int, cells: list[str], source: str) -> None:
    """Refuse a blank line, which may separate titles from the table."""
    remedy = "delete the line"
    if _are_titles(above, cells):
        remedy = f"use --skip-lines {line - 1} if the table begins below it; otherwise {remedy}"
    raise InvalidInput(
        "must not be blank before the end of the table", where=f"{source}, line {blank_line}", remedy=remedy
    )


def _are_titles(above: list[list[str]], names: list[str]) -> bool:
    """Tell whether the first lines are few, and stand above names or have other numbers of cells."""
    has_rows = any(map(looks_numeric, (cell for cells in above[1:] for cell in cells)))
    if has_rows or not 0 < len(above) <= _MOST_TITLES:
        return False
    return not any(map(looks_numeric, names)) or all(len(cells) != len(names) for cells in above)


class _Lines:
    """The lines of a text one by one, counted, and without those that are comments between records."""

    def __init__(self, text: str, comment: str | None) -> None:
        self._lines = io.StringIO(text, newline="")
        self._comment = comment
        self._next = next(self._lines, None)
        self._number = 1
        self.last = ""

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = self._next
        if line is None:
            raise StopIteration
        self._next = next(self._lines, None)
        self._number += 1
        self.last = line
        return line

    def at_record(self) -> int:
        """Return the number of the line on which the next record begins, behind the comments before it."""
        while self._comment and self._next is not None and self._next.startswith(self._comment):
            next(self)
        return self._number


def _refuse_excel_note(text: str, source: str) -> None:
    note = _EXCEL_NOTE.match(text)
    if note:
        spelling = {"\t": "tab", " ": WHITESPACE}.get(note[1], repr(note[1]))
        remedy = f"use --skip-lines 1 and --delimiter {spelling}"
        raise InvalidInput(
            "must be a row of the table, got a line that names the delimiter",
            where=f"{source}, line 1",
            remedy=remedy,
        )

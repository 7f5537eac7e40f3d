"""Numeric tables from CSV text: read strictly, refused with place and remedy, nothing guessed silently.

A row is never dropped and a cell is never filled in. The reader is the standard library's `csv` in strict
mode; what this module adds is the header rule, the choice of columns and messages that name line, column and
value.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final

from rkde.errors import InvalidInput
from rkde.table_cells import (
    BadCell,
    abbreviated,
    delimiter_hint,
    looks_numeric,
    other_delimiter,
    parse_number,
)
from rkde.table_columns import HeaderMode, choose_columns, spell_positions

# Characters that numbers and quoting need for themselves.
_RESERVED: Final = frozenset("0123456789+-.eE\"'\r\n\0")
# Leading bytes of files that are often taken for CSV, with what they are.
_SIGNATURES: Final = {
    b"PK\x03\x04": "a zip archive (an Excel workbook, or a numpy or model file)",
    b"\x1f\x8b": "a gzip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
    b"%PDF": "a PDF document",
}


@dataclass(frozen=True, slots=True)
class Table:
    """The chosen columns of a table, as finite numbers.

    Attributes
    ----------
    rows : tuple of tuple of float, **(n, d)**
        The numbers; n >= 1, d >= 1.
    names : tuple of str, **(d,)** or **(0,)**
        Names of the chosen columns; empty where the table has no header.
    positions : tuple of int, **(d,)**
        1-based positions of the chosen columns in the file.
    lines : tuple of int, **(n,)**
        1-based line of the file on which each row begins.
    source : str
        Where the table came from, as messages name it.
    """

    rows: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    positions: tuple[int, ...]
    lines: tuple[int, ...]
    source: str


def read_table(
    content: bytes,
    *,
    source: str,
    header: HeaderMode = "auto",
    delimiter: str = ",",
    columns: str | None = None,
    expected: Sequence[str] = (),
) -> Table:
    r"""Read a numeric table from the bytes of a CSV file.

    Parameters
    ----------
    content : bytes
        UTF-8 text, with or without a byte order mark; lines may end in LF, CRLF or CR.
    source : str
        What messages call the table: a path, ``standard input``.
    header : {"auto", "yes", "no"}
        Whether the first line holds names. ``auto``: it does if no chosen cell of it is a number, it does
        not if all are, and anything between is an error.
    delimiter : str
        One character, or ``tab``.
    columns : str, optional
        Comma-separated names or 1-based numbers; ``2-4`` means 2,3,4. Default: the expected names where
        there is a header, else every column.
    expected : sequence of str
        Names that the columns should have, in this order; used only where there is a header and no `columns`.

    Returns
    -------
    Table

    Raises
    ------
    InvalidInput
        For text that is no such table; the message names the line, the column, the value and what to do.

    Examples
    --------
    >>> table = read_table(b"x;label;y\n1;a;2.5\n3;b;4\n", source="demo", delimiter=";", columns="x,y")
    >>> table.rows, table.names, table.lines
    (((1.0, 2.5), (3.0, 4.0)), ('x', 'y'), (2, 3))
    """
    separator = parse_delimiter(delimiter)
    records = _records(_decoded(content, source), separator, source)
    head = list(islice(records, 2))
    if not head:
        raise InvalidInput("the table is empty", where=source, remedy="give one line of numbers a row")
    _refuse_wrong_delimiter(head, separator, source)
    first_line, first = head[0]
    place = f"{source}, line {first_line}"
    has_header, positions = choose_columns(first, place, header, columns, expected)
    names = tuple(first[position - 1].strip() for position in positions) if has_header else ()
    rows: list[tuple[float, ...]] = []
    lines: list[int] = []
    for line, cells in chain(head[1:] if has_header else head, records):
        _refuse_ragged(cells, line, len(first), first_line, source)
        rows.append(_numbers(cells, line, positions, first if has_header else None, source))
        lines.append(line)
    if not rows:
        raise InvalidInput("a header and no row of numbers below it", where=place, remedy="add the data")
    return Table(tuple(rows), names, positions, tuple(lines), source)


def parse_delimiter(delimiter: str) -> str:
    r"""Return the delimiter character that a user's spelling means.

    Parameters
    ----------
    delimiter : str
        One character, or ``tab`` (also spelled ``\t``).

    Raises
    ------
    InvalidInput
        For anything else, and for characters that numbers or quoting need.
    """
    if delimiter.lower() in {"tab", "\\t"}:
        return "\t"
    if len(delimiter) != 1 or delimiter in _RESERVED:
        remedy = "give one character that no number contains, such as ',', ';', or tab"
        raise InvalidInput("not a delimiter", where="delimiter", value=delimiter, remedy=remedy)
    return delimiter


def _decoded(content: bytes, source: str) -> str:
    remedy = "save the table as CSV text in UTF-8"
    for signature, kind in _SIGNATURES.items():
        if content.startswith(signature):
            raise InvalidInput(f"this is {kind}, not CSV text", where=source, remedy=remedy)
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        where = f"{source}, line {line}"
        raise InvalidInput("this is a binary file, not CSV text", where=where, remedy=remedy)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        problem = f"not UTF-8 text: byte 0x{content[error.start]:02x}"
        raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy) from error


def _records(text: str, delimiter: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and cells of each record; blank lines are allowed at the end only."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    blank_line = 0
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            remedy = "close every quotation mark, and double those inside a quoted cell"
            problem = f"the quoting is broken: {error}"
            raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy) from error
        if not cells or (len(cells) == 1 and cells[0].isspace()):
            blank_line = blank_line or line
            continue
        if blank_line:
            where = f"{source}, line {blank_line}"
            raise InvalidInput(
                "a blank line before the end of the table", where=where, remedy="delete the line"
            )
        yield line, cells


def _refuse_wrong_delimiter(head: list[tuple[int, list[str]]], delimiter: str, source: str) -> None:
    """Refuse a table of one column whose cells contain another usual delimiter.

    The second line is asked where there is one, since a quoted name in the header may contain anything.
    """
    line, cells = head[-1]
    text = delimiter.join(cells)
    other = other_delimiter(text, delimiter)
    if len(head[0][1]) == 1 and other is not None:
        problem = f"only one column found with delimiter {delimiter!r}"
        remedy = f"try --delimiter {other}"
        if "," in text:
            remedy += "; decimals are written with a point"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=abbreviated(text), remedy=remedy)


def _refuse_ragged(cells: list[str], line: int, width: int, first_line: int, source: str) -> None:
    if len(cells) == width:
        return
    extent = "few" if len(cells) < width else "many"
    problem = f"too {extent} cells: {len(cells)}, where line {first_line} has {width}"
    if len(cells) == width + 1 and not cells[-1].strip():
        remedy = "remove the delimiter at the end of the line"
    elif len(cells) > width:
        remedy = "remove the extra cells, or quote a cell that contains the delimiter"
    else:
        remedy = "complete the line"
    raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy)


def _numbers(
    cells: list[str], line: int, positions: tuple[int, ...], header: list[str] | None, source: str
) -> tuple[float, ...]:
    """Read the chosen cells of one record."""
    numbers: list[float] = []
    for position in positions:
        outcome = parse_number(cells[position - 1])
        if isinstance(outcome, BadCell):
            name = f" ({abbreviated(header[position - 1].strip())!r})" if header else ""
            raise InvalidInput(
                outcome.problem,
                where=f"{source}, line {line}, column {position}{name}",
                value=abbreviated(cells[position - 1]),
                remedy=_remedy(cells, position, positions, header, outcome),
            )
        numbers.append(outcome)
    return tuple(numbers)


def _remedy(
    cells: list[str], position: int, positions: tuple[int, ...], header: list[str] | None, bad: BadCell
) -> str:
    """Return what to do about a bad cell; the cells beside it may tell more than the cell does."""
    cell = cells[position - 1]
    if not cell.strip() and position == len(cells) and len(positions) > 1:
        others = spell_positions([other for other in positions if other != position])
        return f"if every line ends with the delimiter, choose the others with --columns {others}"
    if header is None and not any(looks_numeric(other) for other in cells):
        return "if this line holds names, use --header yes"
    return delimiter_hint(cell) or bad.remedy

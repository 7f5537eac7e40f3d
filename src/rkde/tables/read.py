"""Numeric tables from CSV text: read strictly, refused with place and remedy, nothing guessed silently.

A row is never dropped and a cell is never filled in. The reader is the standard library's `csv` in strict
mode; what this module adds is the header rule, the choice of columns and messages that name line, column and
value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

from rkde.errors import InvalidInput
from rkde.tables.cells import (
    BadCell,
    DecimalMark,
    abbreviated,
    delimiter_hint,
    looks_numeric,
    other_delimiter,
    parse_number,
)
from rkde.tables.columns import HeaderMode, choose_columns, spell_positions
from rkde.tables.text import decoded, parse_separator, records_of


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
    decimal: DecimalMark = ".",
    trailing_delimiter: bool = False,
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
    decimal : {".", ","}
        The decimal mark of every number; not the delimiter.
    trailing_delimiter : bool
        Whether every row ends with a delimiter, after which nothing comes; the header may end with one.
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
    separator = parse_separator(delimiter, decimal)
    records = records_of(decoded(content, source), separator, source)
    head = list(islice(records, 2))
    if not head:
        raise InvalidInput("the table is empty", where=source, remedy="give one line of numbers a row")
    _refuse_wrong_delimiter(head, separator, decimal, source)
    first_line, first = head[0]
    place = f"{source}, line {first_line}"
    if trailing_delimiter:
        first = first[:-1] if len(first) > 1 and not first[-1].strip() else first
    has_header, positions = choose_columns(first, place, header, columns, expected)
    names = tuple(first[position - 1].strip() for position in positions) if has_header else ()
    rows: list[tuple[float, ...]] = []
    lines: list[int] = []
    for line, cells in chain(head[1:] if has_header else head, records):
        if trailing_delimiter:
            cells = _without_last(cells, line, source)
        _refuse_ragged(cells, line, len(first), first_line, separator, source)
        rows.append(_numbers(cells, line, positions, first if has_header else None, decimal, source))
        lines.append(line)
    if not rows:
        raise InvalidInput("a header and no row of numbers below it", where=place, remedy="add the data")
    return Table(tuple(rows), names, positions, tuple(lines), source)


def _refuse_wrong_delimiter(
    head: list[tuple[int, list[str]]], delimiter: str, decimal: DecimalMark, source: str
) -> None:
    """Refuse a table of one column whose cells contain another usual delimiter.

    The second line is asked where there is one, since a quoted name in the header may contain anything.
    """
    line, cells = head[-1]
    text = delimiter.join(cells)
    other = other_delimiter(text, delimiter, decimal)
    if len(head[0][1]) == 1 and other is not None:
        problem = f"only one column found with delimiter {delimiter!r}"
        remedy = f"try --delimiter {other}"
        if "," in text:
            remedy += ", and --decimal , where numbers have a comma for the decimal point"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=abbreviated(text), remedy=remedy)


def _without_last(cells: list[str], line: int, source: str) -> list[str]:
    if cells[-1].strip():
        remedy = "leave out --trailing-delimiter, or complete the line"
        problem = "the line does not end with the delimiter"
        raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy)
    return cells[:-1]


def _refuse_ragged(
    cells: list[str], line: int, width: int, first_line: int, separator: str, source: str
) -> None:
    if len(cells) == width:
        return
    extent = "few" if len(cells) < width else "many"
    problem = f"too {extent} cells: {len(cells)}, where line {first_line} has {width}"
    if len(cells) == width + 1 and not cells[-1].strip():
        remedy = "remove the delimiter at the end of the line; if every row has one, --trailing-delimiter"
    elif len(cells) > width:
        remedy = "remove the extra cells, or quote a cell that contains the delimiter"
        if separator == ",":
            remedy += "; decimal commas need --decimal , and another --delimiter"
    else:
        remedy = "complete the line"
    raise InvalidInput(problem, where=f"{source}, line {line}", remedy=remedy)


def _numbers(
    cells: list[str],
    line: int,
    positions: tuple[int, ...],
    header: list[str] | None,
    decimal: DecimalMark,
    source: str,
) -> tuple[float, ...]:
    """Read the chosen cells of one record."""
    numbers: list[float] = []
    for position in positions:
        outcome = parse_number(cells[position - 1], decimal)
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
        return f"if every line ends with the delimiter, use --trailing-delimiter or --columns {others}"
    if header is None and not any(looks_numeric(other) for other in cells):
        return "if this line holds names, use --header yes"
    return delimiter_hint(cell) or bad.remedy

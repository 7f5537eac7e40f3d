"""Numeric tables from CSV text: read strictly, refused with place and remedy, nothing guessed silently.

A row is never dropped and a cell is never filled in. The reader is the standard library's `csv` in strict
mode; what this module adds is the header rule, the choice of columns and messages that name line, column and
value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final

from rkde.errors import InvalidInput
from rkde.tables.cells import (
    CHOOSE_COLUMNS,
    BadCell,
    DecimalMark,
    ThousandsMark,
    abbreviated,
    delimiter_hint,
    is_missing,
    looks_numeric,
    other_delimiter,
    parse_number,
)
from rkde.tables.columns import HeaderMode, choose_columns, spell_positions
from rkde.tables.marks import PointWatch
from rkde.tables.text import decoded, parse_separator, records_of, refuse_one_mark

Records = Iterator[tuple[int, list[str]]]


# More lines than this are not listed in a note.
_LISTED_LINES: Final = 8
# What a representation shows of a table.
_SHOWN_ROWS: Final = 5
_SHOWN_COLUMNS: Final = 8
# What a line that is not part of the table usually begins with.
_COMMENT_MARKS: Final = ("#", "%", "//", "!")


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How the text of a table is to be read.

    Attributes
    ----------
    columns : str, optional
        Comma-separated names or 1-based numbers; ``2-4`` means 2,3,4, and ``name:2`` or ``number:2`` says
        which of the two is meant. Default: the expected names where there is a header, else every column.
    header : {"auto", "yes", "no"}
        Whether the first line holds names. ``auto``: it does if no chosen cell of it is a number, or if text
        stands above a number in another column; it does not if all chosen cells are numbers; anything
        between is an error.
    delimiter : str
        One character, or ``tab``.
    decimal : {".", ","}, optional
        The decimal mark of every number; it may be the delimiter where cells are quoted. Default: the point,
        unless that separates thousands.
    thousands : {".", ",", "'", "space"}, optional
        What stands between groups of three digits.
    comment : str, optional
        Lines that begin with it are not part of the table.
    skip_lines : int
        Lines at the top that are not part of the table.
    drop_missing : bool
        Leave out rows with a chosen cell that is empty or a word for a missing value, and say so.
    trailing_delimiter : bool
        Whether every row ends with a delimiter, after which nothing comes; the header may end with one.
    """

    columns: str | None = None
    header: HeaderMode = "auto"
    delimiter: str = ","
    decimal: DecimalMark | None = None
    thousands: ThousandsMark | None = None
    comment: str | None = None
    skip_lines: int = 0
    drop_missing: bool = False
    trailing_delimiter: bool = False

    @property
    def decimal_mark(self) -> DecimalMark:
        """The decimal mark that was chosen, or that goes with the separator of thousands."""
        return self.decimal or ("," if self.thousands == "." else ".")

    @property
    def marks(self) -> str:
        """The characters that may stand between the digits of a number."""
        return self.decimal_mark + (" " if self.thousands == "space" else self.thousands or "")


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
    first_line : int
        The line of the header, or of the first row if there is none.
    dropped : tuple of int
        The lines that were left out because a chosen cell is missing; none unless that was requested.
    text_columns : tuple of str
        The names of the columns that were left out because none of their cells is a number; none unless that
        was asked for.
    kept_names : tuple of str, **(m,)**
        The names of the columns that were kept as text beside the numbers.
    kept : tuple of tuple of str, **(n, m)** or **(0,)**
        Their cells, without spaces around them.
    weights : tuple of float, **(n,)** or **(0,)**
        What each row counts; empty where no column says so.
    doubtful_points : tuple of str
        The sentences about columns whose numbers, such as 2.310, were read with a decimal point where it may
        separate thousands; none where `decimal` or `thousands` was chosen.
    """

    rows: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    positions: tuple[int, ...]
    lines: tuple[int, ...]
    source: str
    first_line: int = 1
    dropped: tuple[int, ...] = ()
    text_columns: tuple[str, ...] = ()
    kept_names: tuple[str, ...] = ()
    kept: tuple[tuple[str, ...], ...] = ()
    weights: tuple[float, ...] = ()
    doubtful_points: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Name the columns and show the first rows; `rows` has all."""
        count, width = len(self.rows), len(self.positions)
        title = f"table {self.source}: {count} row{'s'[: count != 1]}, {width} column{'s'[: width != 1]}"
        names = [abbreviated(name) for name in self.names or map(str, self.positions)][:_SHOWN_COLUMNS]
        cells = [[f"{value:.6g}" for value in row[:_SHOWN_COLUMNS]] for row in self.rows[:_SHOWN_ROWS]]
        widths = [max(map(len, column)) for column in zip(names, *cells, strict=True)]
        lines = ["  ".join(map(str.rjust, row, widths)) for row in (names, *cells)]
        more = "  ..." if width > _SHOWN_COLUMNS else ""
        ending = [f"  ... and {count - _SHOWN_ROWS} more"] if count > _SHOWN_ROWS else []
        return "\n".join([title, *(f"  {line}{more}" for line in lines), *ending])

    def note_of_text(self) -> str | None:
        """Return the sentence that says which columns were left out, None where all were read."""
        if not self.text_columns:
            return None
        shown = ", ".join(repr(abbreviated(name)) for name in self.text_columns[:_LISTED_LINES])
        more = ", ..." if len(self.text_columns) > _LISTED_LINES else ""
        ending = "s" if len(self.text_columns) > 1 else ""
        return f"text column{ending} left out: {shown}{more}"

    def note_of_dropped(self) -> str | None:
        """Return the sentence that says which lines were left out, None where all were read."""
        if not self.dropped:
            return None
        shown = ", ".join(map(str, self.dropped[:_LISTED_LINES]))
        more = ", ..." if len(self.dropped) > _LISTED_LINES else ""
        total = len(self.dropped) + len(self.rows)
        return f"{len(self.dropped)} of {total} rows are left out for missing values: line {shown}{more}"


def read_table(
    content: bytes,
    options: TableOptions | None = None,
    *,
    source: str,
    expected: Sequence[str] = (),
    leave_out_text: bool = False,
    keep: str | None = None,
    weights: str | None = None,
) -> Table:
    r"""Read a numeric table from the bytes of a CSV file.

    Parameters
    ----------
    content : bytes
        UTF-8 text, with or without a byte order mark; lines may end in LF, CRLF or CR.
    options : TableOptions, optional
        How the text is read.
    source : str
        What messages call the table: a path, ``standard input``.
    expected : sequence of str
        Names that the columns should have, in this order; used only where there is a header and no `columns`.
    leave_out_text : bool
        Where there is a header and no `columns`: leave out the columns in which no cell is a number.
    keep : str, optional
        Columns whose cells are kept as text, spelled like `columns`; where there is no `columns`, they are
        not among the numbers.
    weights : str, optional
        The column that says what each row counts, by name or number; never among the numbers.

    Returns
    -------
    Table

    Raises
    ------
    InvalidInput
        For text that is no such table; the message names the line, the column, the value and what to do.

    Examples
    --------
    >>> options = TableOptions(delimiter=";", columns="x,y")
    >>> table = read_table(b"x;label;y\n1;a;2.5\n3;b;4\n", options, source="demo")
    >>> table.rows, table.names, table.lines
    (((1.0, 2.5), (3.0, 4.0)), ('x', 'y'), (2, 3))
    """
    reading = options or TableOptions()
    separator = parse_separator(reading.delimiter)
    text = decoded(content, source)
    refuse_one_mark(text, separator, reading.decimal, reading.thousands)
    records = partial(
        records_of, text, separator, source, skip_lines=reading.skip_lines, comment=reading.comment
    )
    head = list(islice(records(), 2))
    if not head:
        raise InvalidInput("must not be empty", where=source, remedy="add one line of numbers for each row")
    _refuse_wrong_delimiter(head, separator, reading.marks, source)
    first_line, first = head[0]
    place = f"{source}, line {first_line}"
    if reading.trailing_delimiter and len(first) > 1 and not first[-1].strip():
        first = first[:-1]
    below = [cells for _, cells in head[1:]]
    has_header, positions = choose_columns([first, *below], place, reading.header, reading.columns, expected)
    look_up = partial(_columns_beside, [first, *below], place, "yes" if has_header else "no")
    beside = look_up(keep, "--keep")
    counting = _one_column(
        look_up(weights, "--weights"), positions, weights, is_chosen=reading.columns is not None
    )
    if reading.columns is None and not expected:
        positions = tuple(position for position in positions if position not in (*beside, *counting))
        _refuse_nothing_left(positions, place, keep, weights)
    text_columns: tuple[str, ...] = ()
    if leave_out_text and has_header and reading.columns is None and not expected:
        numeric = _with_numbers(islice(records(), 1, None), positions)
        text_columns = tuple(first[position - 1].strip() for position in positions if position not in numeric)
        # Where no column holds a number the first cell is refused with its place.
        positions = numeric or positions
    layout = _Layout(first, first_line, has_header, (*positions, *counting), separator, source, reading)
    rows: list[tuple[float, ...]] = []
    lines: list[int] = []
    dropped: list[int] = []
    kept: list[tuple[str, ...]] = []
    counts: list[float] = []
    watch = PointWatch(len(positions)) if reading.decimal is reading.thousands is None else None
    for line, cells in islice(records(), int(has_header), None):
        chosen = layout.chosen(line, cells)
        if reading.drop_missing and any(map(is_missing, chosen)):
            dropped.append(line)
            continue
        numbers = layout.numbers(line, cells, chosen, records)
        if watch is not None:
            watch.see(chosen)
        rows.append(numbers[: len(positions)])
        counts += [_count(number, line, source) for number in numbers[len(positions) :]]
        lines.append(line)
        kept += [tuple(cells[position - 1].strip() for position in beside)] if beside else []
    if not rows and dropped:
        raise InvalidInput(
            "must have a row without missing values, got none",
            where=source,
            remedy="choose other columns with --columns",
        )
    if not rows:
        raise InvalidInput(
            "must have a row of numbers below the header, got none", where=place, remedy="add the data"
        )
    names = tuple(first[position - 1].strip() for position in positions) if has_header else ()
    return Table(
        tuple(rows),
        names,
        positions,
        tuple(lines),
        source,
        first_line,
        tuple(dropped),
        text_columns,
        tuple(first[position - 1].strip() if has_header else f"column {position}" for position in beside),
        tuple(kept),
        tuple(counts),
        _doubtful_points(watch, names or positions) if watch is not None else (),
    )


def _doubtful_points(watch: PointWatch, columns: Sequence[str | int]) -> tuple[str, ...]:
    """Return one sentence for each column whose points may separate thousands."""
    return tuple(
        f"column {_called(columns[column])}: {number} numbers such as {example} are read with a decimal "
        "point, which may separate thousands; use --thousands . if it does, or --decimal . if it does not"
        for column, (number, example) in watch.ambiguous().items()
    )


def _called(column: str | int) -> str:
    return repr(abbreviated(column)) if isinstance(column, str) else str(column)


def _columns_beside(
    head: list[list[str]], place: str, header: HeaderMode, columns: str | None, option: str
) -> tuple[int, ...]:
    """Return the positions of columns that are not about the density, as an option names them."""
    if columns is None:
        return ()
    try:
        return choose_columns(head, place, header, columns, ())[1]
    except InvalidInput as error:
        where, remedy = (text.replace("--columns", option) for text in (error.where, error.remedy))
        raise error.restated(where=where, remedy=remedy) from error


def _one_column(
    counting: tuple[int, ...], positions: tuple[int, ...], weights: str | None, *, is_chosen: bool
) -> tuple[int, ...]:
    """Refuse weights in several columns, and in one that the density is about."""
    if len(counting) > 1:
        raise InvalidInput(
            "must be a single column", where="--weights", value=weights, remedy="name one column"
        )
    if is_chosen and set(counting) & set(positions):
        raise InvalidInput(
            "must not be one of --columns",
            where="--weights",
            value=weights,
            remedy="leave it out of --columns, or leave out --weights",
        )
    return counting


def _refuse_nothing_left(
    positions: tuple[int, ...], place: str, keep: str | None, weights: str | None
) -> None:
    """Refuse a table whose every column is kept as text, or counts."""
    if not positions:
        options = " and ".join(
            option for option, given in (("--keep", keep), ("--weights", weights)) if given is not None
        )
        raise InvalidInput(
            f"must have a column besides those of {options}, got none",
            where=place,
            remedy="name the columns of the density with --columns",
        )


def _count(number: float, line: int, source: str) -> float:
    """Refuse a row that counts less than nothing."""
    if number < 0:
        raise InvalidInput(
            "must be at least 0",
            where=f"{source}, line {line}, --weights",
            value=number,
            remedy="correct the weight; 0 leaves the row out",
        )
    return number


def _with_numbers(records: Records, positions: tuple[int, ...]) -> tuple[int, ...]:
    """Return the columns in which some cell is meant as a number, or every cell is missing.

    A cell without a letter is meant as a number, however it is spelled: it is refused, not left out.
    """
    found: set[int] = set()
    filled: set[int] = set()
    for _, cells in records:
        for position in positions:
            cell = cells[position - 1] if position <= len(cells) else ""
            if is_missing(cell):
                continue
            filled.add(position)
            if looks_numeric(cell) or not any(map(str.isalpha, cell)):
                found.add(position)
    return tuple(position for position in positions if position in found or position not in filled)


@dataclass(frozen=True, slots=True)
class _Layout:
    """What the first line decided about all others."""

    first: list[str]
    first_line: int
    has_header: bool
    positions: tuple[int, ...]
    separator: str
    source: str
    reading: TableOptions

    def chosen(self, line: int, cells: list[str]) -> list[str]:
        """Return the chosen cells of a record, which must have as many cells as the first line."""
        if self.reading.trailing_delimiter:
            cells = _without_last(cells, line, self.source)
        if len(cells) != len(self.first):
            self._refuse_ragged(line, cells)
        return [cells[position - 1] for position in self.positions]

    def numbers(
        self, line: int, cells: list[str], chosen: list[str], records: Callable[[], Records]
    ) -> tuple[float, ...]:
        """Read the chosen cells of one record."""
        numbers: list[float] = []
        for position, cell in zip(self.positions, chosen, strict=True):
            outcome = parse_number(cell, self.reading.decimal_mark, self.reading.thousands)
            if isinstance(outcome, BadCell):
                name = f" ({abbreviated(self.first[position - 1].strip())!r})" if self.has_header else ""
                raise InvalidInput(
                    outcome.problem,
                    where=f"{self.source}, line {line}, column {position}{name}",
                    value=abbreviated(cell),
                    remedy=self._remedy(cells, position, outcome, records),
                )
            numbers.append(outcome)
        return tuple(numbers)

    def _refuse_ragged(self, line: int, cells: list[str]) -> None:
        """Refuse a record of another width, with the remedy that the lines suggest."""
        width, at = len(self.first), self.first_line
        problem = f"must have as many cells as line {at} ({width}), got {len(cells)}"
        mark = next((mark for mark in _COMMENT_MARKS if self.first[0].lstrip().startswith(mark)), None)
        is_next = line == at + 1
        if len(cells) == width + 1 and not cells[-1].strip():
            remedy = "remove the delimiter at the end of the line, or use --trailing-delimiter"
        elif mark and is_next:
            remedy = f"use --comment '{mark}' if line {at} is a comment"
        elif width == 1 and is_next and not any(map(looks_numeric, cells)):
            remedy = f"use --skip-lines {at} if line {at} is a title"
        elif len(cells) == width + 1 and self.has_header and is_next and width > 1:
            remedy = (
                "complete the line of names: if row names precede the numbers, add a name for them, such as "
                "row, and choose the others with --columns"
            )
        elif len(cells) > width:
            remedy = "remove the extra cells, or quote a cell that contains the delimiter"
            if self.separator == ",":
                remedy += "; use --decimal , and another --delimiter for decimal commas"
        else:
            remedy = "complete the line"
        raise InvalidInput(problem, where=f"{self.source}, line {line}", remedy=remedy)

    def _remedy(self, cells: list[str], position: int, bad: BadCell, records: Callable[[], Records]) -> str:
        """Return what to do about a bad cell; the cells around it may tell more than the cell does."""
        cell = cells[position - 1]
        if not cell.strip() and position == len(cells) and len(self.positions) > 1:
            rows = islice(records(), int(self.has_header), None)
            if all(not others[-1].strip() for _, others in rows):
                others = spell_positions([other for other in self.positions if other != position])
                return f"use --trailing-delimiter or --columns {others}, because no row has a cell there"
        if not self.has_header and not any(looks_numeric(other) for other in cells):
            return "use --header yes if this line holds names"
        remedy = bad.remedy if "use --" in bad.remedy else delimiter_hint(cell) or bad.remedy
        if not remedy.endswith(CHOOSE_COLUMNS):
            return remedy
        numeric = _with_numbers(islice(records(), int(self.has_header), None), self.positions)
        some = 0 < len(numeric) < len(self.positions) and position not in numeric
        return f"{remedy} {spell_positions(list(numeric))}" if some else remedy


def _refuse_wrong_delimiter(
    head: list[tuple[int, list[str]]], delimiter: str, marks: str, source: str
) -> None:
    """Refuse a table of one column whose cells contain another usual delimiter.

    The second line is asked where there is one, since a quoted name in the header may contain anything.
    """
    line, cells = head[-1]
    text = delimiter.join(cells)
    other = other_delimiter(text, delimiter, marks)
    if len(head[0][1]) == 1 and other is not None:
        problem = f"must have several columns with the delimiter {delimiter!r}"
        remedy = f"try --delimiter {other}"
        if "," in text and other != "','":
            remedy += ", and --decimal , if numbers have a decimal comma"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=abbreviated(text), remedy=remedy)


def _without_last(cells: list[str], line: int, source: str) -> list[str]:
    if cells[-1].strip():
        remedy = "leave out --trailing-delimiter, or complete the line"
        problem = "must end with the delimiter"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=cells[-1], remedy=remedy)
    return cells[:-1]

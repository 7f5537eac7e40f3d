"""Numeric tables from CSV text: read strictly, refused with place and remedy; no number is guessed silently.

A row is dropped on request only, and a cell is never filled in. The reader is the standard library's `csv`
in strict mode; what this module adds is the header rule, the choice of columns and messages that name line,
column and value.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import Final

from rkde.errors import InvalidInput
from rkde.tables.cells import BadCell, abbreviated, is_missing, looks_numeric, other_delimiter, parse_number
from rkde.tables.columns import HeaderMode, choose_columns, places_called, spell_positions
from rkde.tables.head import ROW_NAMES, have_row_names, read_head
from rkde.tables.layout import Layout, Records, with_numbers
from rkde.tables.marks import CodeWatch, PointWatch
from rkde.tables.numbers import are_within, parse_rows
from rkde.tables.table import Table, TableOptions
from rkde.tables.text import (
    WHITESPACE,
    decoded,
    parse_separator,
    records_of,
    refuse_one_mark,
    with_single_spaces,
)

# Where a line shows a delimiter, it is among so many.
_SEEN_ROWS: Final = 20


def read_table(
    content: bytes,
    options: TableOptions | None = None,
    *,
    source: str,
    expected: Sequence[str] = (),
    keep: str | None = None,
    weights: str | None = None,
) -> Table:
    r"""Read a numeric table from the bytes of a CSV file.

    Parameters
    ----------
    content : bytes
        Text in UTF-8, or in the encoding of `options`, with or without a byte order mark; lines may end in
        LF, CRLF or CR.
    options : TableOptions, optional
        How the text is read.
    source : str
        What messages call the table: a path, ``standard input``.
    expected : sequence of str
        Names that the columns should have, in this order; used only where there is a header and no `columns`.
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

    Notes
    -----
    Where there is a header, and neither `columns` nor `expected`, columns of text are left out: those in
    which no cell is meant as a number. `Table.text_columns` has their names.

    Examples
    --------
    >>> options = TableOptions(delimiter=";", columns="x,y")
    >>> table = read_table(b"x;label;y\n1;a;2.5\n3;b;4\n", options, source="demo")
    >>> table.rows, table.names, table.lines
    (((1.0, 2.5), (3.0, 4.0)), ('x', 'y'), (2, 3))
    """
    reading = options or TableOptions()
    separator = parse_separator(reading.delimiter)
    text = decoded(content, source, reading.encoding)
    if reading.delimiter.lower() == WHITESPACE:
        text = with_single_spaces(text)
    refuse_one_mark(text, separator, reading.decimal, reading.thousands)
    records = partial(
        records_of, text, separator, source, skip_lines=reading.skip_lines, comment=reading.comment
    )
    head = read_head(records(), reading, separator, source)
    has_row_names = have_row_names(head, records, reading, separator)
    if has_row_names:
        head[0] = (head[0][0], [ROW_NAMES, *head[0][1]])
    place = f"{source}, line {head[0][0]}"
    try:
        roles = _roles([cells for _, cells in head], place, reading, expected, keep, weights)
    except InvalidInput as error:
        raise _with_delimiter(error, head, records(), separator, reading.marks) from error
    if reading.columns is None and not expected:
        if has_row_names:
            roles = replace(roles, positions=tuple(position for position in roles.positions if position > 1))
        roles = _without_text(roles, records())
    layout = Layout(
        roles.first,
        head[0][0],
        roles.has_header,
        (*roles.positions, *roles.counting),
        separator,
        source,
        reading,
    )
    gathered = _gathered(layout, roles, records)
    _refuse_no_rows(gathered, layout, records)
    return replace(_table(layout, roles, gathered), has_row_names=has_row_names)


@dataclass(frozen=True, slots=True)
class _Roles:
    """What each column is for, by its 1-based position."""

    first: list[str]
    has_header: bool
    positions: tuple[int, ...]
    beside: tuple[int, ...]
    counting: tuple[int, ...]
    text: tuple[int, ...] = ()

    def names(self, positions: Sequence[int]) -> tuple[str, ...]:
        """Return what the first line calls some columns, if it is a header."""
        return tuple(self.first[position - 1].strip() for position in positions) if self.has_header else ()


@dataclass(slots=True)
class _Gathered:
    """The rows that were read, and those that were left out."""

    watch: PointWatch | None
    codes: CodeWatch | None
    rows: list[tuple[float, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    removed_for: dict[str, int] = field(default_factory=dict)
    kept: list[tuple[str, ...]] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)


def _with_delimiter(
    error: InvalidInput, head: list[tuple[int, list[str]]], records: Records, separator: str, marks: str
) -> InvalidInput:
    """Return the error about columns, with the delimiter that makes several of a table that has one."""
    if len(head[0][1]) > 1:
        return error
    below = islice(records, _SEEN_ROWS)
    found = (other_delimiter(cells[0], separator, marks) for _, cells in below if len(cells) == 1)
    other = next((one for one in found if one is not None), None)
    return error if other is None else error.restated(remedy=f"try --delimiter {other}")


def _roles(
    head: list[list[str]],
    place: str,
    reading: TableOptions,
    expected: Sequence[str],
    keep: str | None,
    weights: str | None,
) -> _Roles:
    """Decide on the header, and on the columns that are numbers, kept as text, and counts."""
    has_header, positions = choose_columns(head, place, reading.header, reading.columns, expected)
    look_up = partial(_columns_beside, head, place, "yes" if has_header else "no")
    beside = look_up(keep, "--keep")
    counting = _one_column(
        look_up(weights, "--weights"), positions, weights, is_chosen=reading.columns is not None
    )
    if reading.columns is None and not expected:
        positions = tuple(position for position in positions if position not in (*beside, *counting))
        _refuse_nothing_left(positions, place, keep, weights)
    return _Roles(head[0], has_header, positions, beside, counting)


def _without_text(roles: _Roles, records: Records) -> _Roles:
    """Leave out the columns without a number; where all are such, the first cell will be refused."""
    if not roles.has_header:
        return roles
    numeric = with_numbers(islice(records, 1, None), roles.positions)
    text = tuple(position for position in roles.positions if position not in numeric)
    return replace(roles, positions=numeric or roles.positions, text=text)


def _gathered(layout: Layout, roles: _Roles, records: Callable[[], Records]) -> _Gathered:
    """Read the rows one after another."""
    reading, width = layout.reading, len(roles.positions)
    is_open = reading.decimal is None and reading.thousands is None
    codes = CodeWatch(width) if reading.columns is None and width > 1 else None
    found = _Gathered(PointWatch(width) if is_open else None, codes)
    unwanted = parse_rows(reading.drop_rows)
    fillers = _fillers(roles, reading.drop_values)
    texts = [(place, value, text) for place, value, text in fillers if isinstance(value, str)]
    numbers_left_out = [(place, value, text) for place, value, text in fillers if isinstance(value, float)]
    found.removed_for = dict.fromkeys(map(str, reading.drop_values), 0)
    number = 0
    below = islice(records(), int(layout.has_header), None)
    for number, ((line, cells), is_unwanted) in enumerate(zip(below, are_within(unwanted), strict=False), 1):
        if is_unwanted:
            found.removed.append(number)
            continue
        chosen = layout.chosen(line, cells, records)
        if reading.drop_missing and any(map(is_missing, chosen)):
            found.missing.append(line)
            continue
        reasons = {text for place, value, text in texts if chosen[place].strip() == value}
        numbers = () if reasons else layout.numbers(line, cells, chosen, records)
        if numbers:
            reasons = {text for at, value, text in numbers_left_out if math.isclose(numbers[at], value)}
        if reasons:
            found.removed.append(number)
            for text in reasons:
                found.removed_for[text] += 1
            continue
        if found.watch is not None:
            found.watch.see(chosen, cells)
        if found.codes is not None:
            found.codes.see(chosen)
        found.rows.append(numbers[:width])
        found.counts += [_count(number, line, layout.source) for number in numbers[width:]]
        found.lines.append(line)
        found.numbers.append(number)
        found.kept += [tuple(cells[at - 1].strip() for at in roles.beside)] if roles.beside else []
    _refuse_rows_beyond(unwanted, number)
    return found


def _fillers(roles: _Roles, values: Sequence[float | str]) -> list[tuple[int, float | str, str]]:
    """Return each number or text whose rows are left out, behind the place of its column; and the option."""
    names = roles.names(roles.positions)
    found: list[tuple[int, float | str, str]] = []
    for text in map(str, values):
        column, _, number = text.rpartition("=")
        value: float | str | BadCell = parse_number(number)
        is_name = not column and number.strip() in names
        if isinstance(value, BadCell) and number.strip() and not (is_name or looks_numeric(number)):
            value = number.strip()
        places = (
            places_called(column, names, roles.positions) if column else list(range(len(roles.positions)))
        )
        if len(places) == 2 and column.isdecimal():
            raise InvalidInput(
                f"must say whether {column} is the name of column {roles.positions[places[0]]} or the number "
                "of a column",
                where="--drop-value",
                value=text,
                remedy=f"write name:{names[places[0]]}={number} or number:{text}",
            )
        if isinstance(value, BadCell) or not places or text.startswith("=") or (column and len(places) > 1):
            raise InvalidInput(
                "must be a number or text, or COLUMN=VALUE with a chosen column",
                where="--drop-value",
                value=text,
                remedy="write -999 or age=-999",
            )
        found += [(place, value, text) for place in places]
    return found


def _refuse_rows_beyond(unwanted: Sequence[range], size: int) -> None:
    last = max((rows[-1] for rows in unwanted), default=0)
    if last > size:
        raise InvalidInput(
            f"must be row numbers from 1 to {size}",
            where="--drop-rows",
            value=last,
            remedy="give numbers from the column 'row' that rkde outliers writes",
        )


def _refuse_no_rows(found: _Gathered, layout: Layout, records: Callable[[], Records]) -> None:
    if found.rows:
        return
    source = layout.source
    place = f"{source}, line {layout.first_line}"
    if found.removed:
        raise InvalidInput(
            "must have a row that is not left out, got none", where=source, remedy="leave out fewer rows"
        )
    if found.missing:
        raise layout.without_complete_rows(records)
    raise InvalidInput(
        "must have a row of numbers below the header, got none", where=place, remedy="add the data"
    )


def _table(layout: Layout, roles: _Roles, found: _Gathered) -> Table:
    names = roles.names(roles.positions)
    kept_names = roles.names(roles.beside) or tuple(f"column {position}" for position in roles.beside)
    return Table(
        rows=tuple(found.rows),
        names=names,
        positions=roles.positions,
        lines=tuple(found.lines),
        numbers=tuple(found.numbers),
        source=layout.source,
        first_line=layout.first_line,
        dropped=tuple(found.missing),
        removed=tuple(found.removed),
        removed_for=tuple(found.removed_for.items()),
        text_columns=roles.names(roles.text),
        kept_names=kept_names,
        kept=tuple(found.kept),
        weights=tuple(found.counts),
        doubtful_points=_doubtful_points(found.watch, names or roles.positions),
        doubtful_codes=_doubtful_codes(found.codes, names, roles.positions),
    )


def _doubtful_points(watch: PointWatch | None, columns: Sequence[str | int]) -> tuple[str, ...]:
    """Return one sentence for each column whose points may separate thousands."""
    if watch is None:
        return ()
    return tuple(
        f"column {_called(columns[column])}: {number} numbers such as {example} are read with a decimal "
        "point, which may separate thousands; use --thousands . if it does, or --decimal . if it does not"
        for column, (number, example) in watch.ambiguous().items()
    )


def _doubtful_codes(
    watch: CodeWatch | None, names: Sequence[str], positions: Sequence[int]
) -> tuple[str, ...]:
    """Return the sentence about columns of codes, if there are others."""
    found = {} if watch is None else watch.found()
    if not 0 < len(found) < len(positions):
        return ()
    others = spell_positions([position for place, position in enumerate(positions) if place not in found])
    columns = names or positions
    called = ", ".join(f"{_called(columns[place])} (such as {example})" for place, example in found.items())
    ending = "s" if len(found) > 1 else ""
    return (
        f"column{ending} {called}: leading zeros, as in codes, are lost in numbers; use --columns {others} "
        f"if {'they are not measurements' if ending else 'it is not a measurement'}",
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

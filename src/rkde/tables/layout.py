"""The layout that the first line of a table sets for all others, and messages about lines that break it."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final

from rkde.errors import InvalidInput
from rkde.signs import spelled_rows
from rkde.tables.cells import (
    CHOOSE_COLUMNS,
    INCOMPLETE,
    BadCell,
    abbreviated,
    delimiter_hint,
    is_meant_as_number,
    is_missing,
    looks_numeric,
    parse_number,
)
from rkde.tables.columns import spell_positions
from rkde.tables.numbers import are_within, parse_rows
from rkde.tables.table import TableOptions
from rkde.tables.text import WHITESPACE

Records = Iterator[tuple[int, list[str]]]
# What a line that is not part of the table usually begins with.
_COMMENT_MARKS: Final = ("#", "%", "//", "!")
# Beside fewer numbers, text in a column is not seen as the exception.
_FEWEST_ROWS: Final = 3
# More markers than this, or more repeated lines of names, are not listed in a message.
_MOST_LISTED: Final = 8
# A sign of money, or any other sign or unit, in front of a number or behind it.
_BESIDE: Final = re.compile(r"([^\d.,+-]*)[+-]?[\d.,' ]*\d([^\d.,+-]*)")


def with_numbers(records: Records, positions: tuple[int, ...]) -> tuple[int, ...]:
    """Return the columns in which some cell is meant as a number, or every cell is missing.

    Such a cell is refused if it is misspelled; the other columns are text, and may be left out.
    """
    unseen, filled = set(positions), set[int]()
    for _, cells in records:
        for position in tuple(unseen):
            cell = _cell(cells, position)
            if not is_missing(cell):
                filled.add(position)
                if is_meant_as_number(cell):
                    unseen.discard(position)
        if not unseen:
            break
    return tuple(position for position in positions if position not in unseen & filled)


def _of_numbers(records: Records, positions: tuple[int, ...]) -> tuple[int, ...]:
    """Return the columns in which each cell is spelled as a number, or missing, but not all are missing."""
    left, filled = set(positions), set[int]()
    for _, cells in records:
        for position in tuple(left):
            cell = _cell(cells, position)
            if looks_numeric(cell) and not is_missing(cell):
                filled.add(position)
            elif not is_missing(cell):
                left.discard(position)
    return tuple(position for position in positions if position in left & filled)


def _with_complete_rows(
    rows: list[tuple[int, list[str]]], positions: tuple[int, ...]
) -> tuple[tuple[int, ...], int, int]:
    """Return columns that have a complete row; and the column with the most missing cells, and their number.

    Those with the most are left out first.
    """
    gaps = [frozenset(at for at in positions if is_missing(_cell(cells, at))) for _, cells in rows]
    counts = {at: sum(at in gap for gap in gaps) for at in positions}
    left = sorted(positions, key=counts.__getitem__)
    while left and all(gap & set(left) for gap in gaps):
        left.pop()
    first = max(positions, key=counts.__getitem__)
    return tuple(at for at in positions if at in left), first, counts[first]


def _cell(cells: list[str], position: int) -> str:
    return cells[position - 1] if position <= len(cells) else ""


@dataclass(frozen=True, slots=True)
class Layout:
    """What the first line decided about all others."""

    first: list[str]
    first_line: int
    has_header: bool
    positions: tuple[int, ...]
    separator: str
    source: str
    reading: TableOptions

    def chosen(self, line: int, cells: list[str], records: Callable[[], Records]) -> list[str]:
        """Return the chosen cells of a record, which must have as many cells as the first line."""
        if self.reading.trailing_delimiter:
            cells = _without_last(cells, line, self.source)
        if len(cells) != len(self.first):
            self._refuse_ragged(line, cells, records)
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
                    remedy=self._remedy(line, cells, position, outcome, records),
                )
            numbers.append(outcome)
        return tuple(numbers)

    def _refuse_ragged(self, line: int, cells: list[str], records: Callable[[], Records]) -> None:
        """Refuse a record of another width, with the remedy that the lines suggest."""
        width, at = len(self.first), self.first_line
        problem = f"must have as many cells as line {at} ({width}), got {len(cells)}"
        begun = comment_mark(cells)
        mark = self._mark_above(line, records)
        remedy = (
            ("complete the line" if begun and not mark and line == at + 1 else None)
            or (f"use --comment '{mark}' if line {at} is a comment" if mark else None)
            or self._remedy_of_width(line, cells)
            or self._remedy_of_end(line, records)
            or ("remove the extra cells" if len(cells) > width else "complete the line")
        )
        if remedy == "remove the extra cells":
            remedy += ", or quote a cell that contains the delimiter"
            if self.separator == ",":
                remedy += "; use --decimal , and another --delimiter for decimal commas"
        if begun and not mark:
            remedy = f"use --comment '{begun}' if this line is a comment; otherwise {remedy}"
        raise InvalidInput(problem, where=f"{self.source}, line {line}", remedy=remedy)

    def without_complete_rows(self, records: Callable[[], Records]) -> InvalidInput:
        """Return the error for a table whose every row has a missing value."""
        rows = list(islice(records(), int(self.has_header), None))
        left, worst, number = _with_complete_rows(rows, self.positions)
        left = _of_numbers(iter(rows), left)
        name = f" ({abbreviated(self.first[worst - 1].strip())!r})" if self.has_header else ""
        gaps = "every row" if number == len(rows) else f"{number} of {len(rows)} rows"
        return InvalidInput(
            "must have a row without missing values, got none",
            where=self.source,
            remedy=f"use --columns {spell_positions(left)}, because column {worst}{name} is empty in {gaps}"
            if left
            else "add the data",
        )

    def _mark_above(self, line: int, records: Callable[[], Records]) -> str | None:
        """Return the mark of comments with which each line above a line begins."""
        mark = comment_mark(self.first)
        above = iter(()) if mark is None else takewhile(lambda record: record[0] < line, records())
        return mark if all(comment_mark(cells) == mark for _, cells in above) else None

    def _remedy_of_width(self, line: int, cells: list[str]) -> str | None:
        """Return what to do where the first line, or the delimiter, is at fault for the number of cells."""
        width, at = len(self.first), self.first_line
        if any(len(cell.split("'")) == 2 and cell.strip().startswith("'") for cell in cells):
            return "write double quotation marks around cells instead of single ones"
        if len(cells) == width + 1 and not cells[-1].strip():
            return "remove the delimiter at the end of the line, or use --trailing-delimiter"
        if line != at + 1:
            return self._remedy_of_spaces(cells)
        if (width == 1 or all(map(str.strip, cells))) and not any(map(looks_numeric, cells)):
            return f"use --skip-lines {line - 1} if line {at} is a title; otherwise complete it"
        of_spaces = self._remedy_of_spaces(cells)
        if of_spaces is None and len(cells) == width + 1 and self.has_header and width > 1:
            others = spell_positions(range(2, width + 2))
            return (
                f"use --skip-lines {at} --columns {others} if the first cells are names of rows; "
                f"otherwise add the name that line {at} lacks"
            )
        return of_spaces

    def _remedy_of_spaces(self, cells: list[str]) -> str | None:
        """Return the word for runs of spaces where they cut this line and the first one alike."""
        if self.separator not in " \t" or self.reading.delimiter == WHITESPACE:
            return None
        here, first = (len(self.separator.join(part).split()) for part in (cells, self.first))
        return f"use --delimiter {WHITESPACE} if runs of spaces separate cells" if here == first > 1 else None

    def _remedy_of_end(self, line: int, records: Callable[[], Records]) -> str | None:
        """Return what to do where this line and all below are no rows, such as a total or a note."""
        rows = list(islice(records(), int(self.has_header), None))
        number = [at for at, _ in rows].index(line) + 1
        if number == 1 or not self._are_no_rows(rows, number):
            return None
        cells = rows[number - 1][1]
        if all(map(looks_numeric, cells)):
            left_out = f"complete the line, or use {self._drop_rows(number)} to leave it out"
            return left_out if number == len(rows) and len(cells) < len(self.first) else None
        otherwise = "complete the line" if len(cells) < len(self.first) else "remove the extra cells"
        return (
            f"use {self._drop_rows(number, len(rows))} if {_ends(number, len(rows))}; otherwise {otherwise}"
        )

    def _are_no_rows(self, rows: list[tuple[int, list[str]]], number: int) -> bool:
        """Tell whether each row from a number on has another width, or text where numbers stand above."""
        unwanted = self._unwanted(len(rows))
        above = [cells for row, (_, cells) in enumerate(rows[: number - 1], 1) if row not in unwanted]
        return all(
            len(cells) != len(self.first) + int(self.reading.trailing_delimiter) or self._is_odd(cells, above)
            for _, cells in rows[number - 1 :]
        )

    def _unwanted(self, size: int) -> set[int]:
        """Return the numbers of the rows that are left out by number."""
        within = are_within(parse_rows(self.reading.drop_rows))
        return {row for row, is_unwanted in zip(range(1, size + 1), within, strict=False) if is_unwanted}

    def _drop_rows(self, first: int, last: int = 0) -> str:
        """Return the option that leaves out rows beside those that are left out already."""
        return self._drop(range(first, max(first, last) + 1))

    def _drop(self, numbers: Sequence[int]) -> str:
        dropped = f"{self.reading.drop_rows}," if self.reading.drop_rows else ""
        return f"--drop-rows {dropped}{','.join(spelled_rows(numbers))}"

    def _remedy(
        self, line: int, cells: list[str], position: int, bad: BadCell, records: Callable[[], Records]
    ) -> str:
        """Return what to do about a bad cell; the cells around it may tell more than the cell does."""
        cell = cells[position - 1]
        of_spaces = self._remedy_of_spaces(cells) if not cell.strip() else None
        if of_spaces:
            return of_spaces
        if not cell.strip() and position == len(cells) and len(self.positions) > 1:
            rows = islice(records(), int(self.has_header), None)
            if all(not others[-1].strip() for _, others in rows):
                others = spell_positions([other for other in self.positions if other != position])
                return f"use --trailing-delimiter or --columns {others}, because no row has a cell there"
        begun = comment_mark(cells)
        # Where no other line begins with a number, labels may begin with the mark.
        if begun and any(looks_numeric(others[0]) for _, others in records()):
            return f"use --comment '{begun}' if this line is a comment"
        if begun and self._mark_above(line, records) and not all(comment_mark(row) for _, row in records()):
            return f"use --comment '{begun}' if lines {self.first_line} to {line} are comments"
        repeated = self._remedy_of_names(cells, records) if self.has_header else None
        if repeated:
            return repeated
        of_line = self._remedy_of_line(line, cells, position, records)
        if of_line:
            return of_line
        if line == self.first_line and not self.has_header and not any(map(looks_numeric, cells)):
            return "use --header yes if this line holds names"
        remedy = bad.remedy if "use --" in bad.remedy else delimiter_hint(cell) or bad.remedy
        if bad.remedy == INCOMPLETE:
            return self._remedy_of_gap(position, records) or remedy
        return self._remedy_of_text(cell, position, records) if remedy.endswith(CHOOSE_COLUMNS) else remedy

    def _remedy_of_gap(self, position: int, records: Callable[[], Records]) -> str | None:
        """Return the columns to choose where the one with a missing cell has no other."""
        rows = list(islice(records(), int(self.has_header), None))
        if len(rows) < 2 or not all(is_missing(_cell(row, position)) for _, row in rows):
            return None
        numeric = _of_numbers(iter(rows), self.positions)
        if not numeric:
            return None
        return f"use --columns {spell_positions(numeric)}, because no row has a value in column {position}"

    def _remedy_of_names(self, cells: list[str], records: Callable[[], Records]) -> str | None:
        """Return what to do about the line of names where it stands once more among the rows."""
        names = [name.strip() for name in self.first]
        if [cell.strip() for cell in cells] != names:
            return None
        below = islice(records(), 1, None)
        same = [row for row, (_, other) in enumerate(below, 1) if [cell.strip() for cell in other] == names]
        which = f"line {self.first_line}, which holds the names"
        rows, repeat = ("rows", "repeat") if len(same) > 1 else ("row", "repeats")
        return f"use {self._drop(same)}, because {rows} {', '.join(spelled_rows(same))} {repeat} {which}"

    def _remedy_of_text(self, cell: str, position: int, records: Callable[[], Records]) -> str:
        """Return what to do about text in a column: markers, signs and units, or a column of its own kind."""
        rows = list(islice(records(), int(self.has_header), None))
        numeric = _of_numbers(iter(rows), self.positions)
        chosen = f"{CHOOSE_COLUMNS} {spell_positions(numeric)}" if numeric else "correct the cell"
        found = [text for _, row in rows if not is_missing(text := _cell(row, position).strip())]
        markers = list(dict.fromkeys(text for text in found if not looks_numeric(text)))
        numbers = sum(map(looks_numeric, found))
        is_marker = not any(set("=,") & set(text) for text in markers) and len(markers) <= _MOST_LISTED
        if is_marker and numbers >= _FEWEST_ROWS and 2 * numbers > len(found):
            options = " ".join(f"--drop-value {shlex.quote(text)}" for text in markers)
            return f"use {options} to leave out the rows with such text; otherwise {chosen}"
        beside = _BESIDE.fullmatch(cell.strip())
        if beside and (beside[1] or beside[2]) and not numeric:
            signs = " and ".join(repr(part.strip()) for part in beside.groups() if part.strip())
            return (
                f"remove {signs} from the cells by search and replace, because no column holds only numbers"
            )
        if not numeric and not any(map(is_meant_as_number, found)):
            return "check that the file is the right one, because no column holds numbers"
        return chosen

    def _remedy_of_line(
        self, line: int, cells: list[str], position: int, records: Callable[[], Records]
    ) -> str | None:
        """Return what to do where a first or last line is no row, such as a title, units or a total."""
        if _has_digits(cells[position - 1]):
            return None
        rows = list(islice(records(), int(self.has_header), None))
        number = [at for at, _ in rows].index(line) + 1
        unwanted = self._unwanted(len(rows))
        others = [other for row, (_, other) in enumerate(rows, 1) if row not in unwanted | {number}]
        is_first = self.has_header and unwanted.issuperset(range(1, number))
        if is_first and self._is_title_or_units(cells, position, others):
            above = comment_mark(self.first)
            if above:
                return f"use --comment '{above}' if line {self.first_line} is a comment"
            if len(cells) == 1:
                return f"use --skip-lines {self.first_line} if line {self.first_line} is a title"
            return f"use {self._drop_rows(number)} if this line holds units"
        if is_first and self._is_odd(cells, others):
            return f"use {self._drop_rows(number)} if this line holds units; otherwise correct the cell"
        if is_first or not self._are_no_rows(rows, number):
            return None
        last = len(rows)
        return f"use {self._drop_rows(number, last)} if {_ends(number, last)}; otherwise correct the cell"

    def _is_title_or_units(self, cells: list[str], position: int, below: list[list[str]]) -> bool:
        """Tell whether the first row has no number, and numbers come below."""
        chosen = [cells[column - 1] for column in self.positions]
        if any(_has_digits(cell) or is_missing(cell) for cell in chosen):
            return False
        return any(looks_numeric(_cell(others, position)) for others in below)

    def _is_odd(self, cells: list[str], others: list[list[str]]) -> bool:
        """Tell whether a row has text in a column where all others, but for the last one, have numbers."""
        for position in self.positions:
            cell = _cell(cells, position)
            filled = [other for row in others if not is_missing(other := _cell(row, position))]
            is_text = not (is_missing(cell) or _has_digits(cell))
            if is_text and len(filled) >= _FEWEST_ROWS and all(map(looks_numeric, filled[:-1])):
                return True
        return False


def _ends(first: int, last: int) -> str:
    """Return what the lines at the end of a table may be."""
    return "this line is a total or a note" if first == last else "these lines are totals or notes"


def _has_digits(cell: str) -> bool:
    """Tell whether a cell is meant as a number rather than as a unit, such as %."""
    return is_meant_as_number(cell) and (looks_numeric(cell) or any(map(str.isdigit, cell)))


def comment_mark(cells: list[str]) -> str | None:
    """Return the mark with which a line begins that is not part of the table.

    Examples
    --------
    >>> comment_mark(["# made by hand", "x"]), comment_mark(["x"])
    ('#', None)
    """
    if is_missing(cells[0]):  # such as #N/A
        return None
    return next((mark for mark in _COMMENT_MARKS if cells[0].lstrip().startswith(mark)), None)


def _without_last(cells: list[str], line: int, source: str) -> list[str]:
    if cells[-1].strip():
        remedy = "leave out --trailing-delimiter, or complete the line"
        problem = "must end with the delimiter"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=cells[-1], remedy=remedy)
    return cells[:-1]

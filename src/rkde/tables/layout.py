"""What the first line of a table decided about all others, and what is said of a line that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from rkde.errors import InvalidInput
from rkde.tables.cells import (
    CHOOSE_COLUMNS,
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
    """Return the columns in which each cell is spelled as a number, or missing."""
    left = set(positions)
    for _, cells in records:
        cells_of = {position: _cell(cells, position) for position in left}
        left -= {at for at, cell in cells_of.items() if not (is_missing(cell) or looks_numeric(cell))}
    return tuple(position for position in positions if position in left)


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
        mark, begun = _comment_mark(self.first), _comment_mark(cells)
        remedy = (
            ("complete the line" if begun and not mark and line == at + 1 else None)
            or self._remedy_of_width(line, cells, mark)
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

    def _remedy_of_width(self, line: int, cells: list[str], mark: str | None) -> str | None:
        """Return what to do where the first line, or the delimiter, is at fault for the number of cells."""
        width, at = len(self.first), self.first_line
        if any(len(cell.split("'")) == 2 and cell.strip().startswith("'") for cell in cells):
            return "write double quotation marks around cells instead of single ones"
        if len(cells) == width + 1 and not cells[-1].strip():
            return "remove the delimiter at the end of the line, or use --trailing-delimiter"
        if line != at + 1:
            return self._remedy_of_spaces(cells)
        if mark:
            return f"use --comment '{mark}' if line {at} is a comment"
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
        dropped = f"{self.reading.drop_rows}," if self.reading.drop_rows else ""
        return f"--drop-rows {dropped}{first}{f'-{last}' if last > first else ''}"

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
        begun = _comment_mark(cells)
        # Where no other line begins with a number, labels may begin with the mark.
        if begun and any(looks_numeric(others[0]) for _, others in records()):
            return f"use --comment '{begun}' if this line is a comment"
        of_line = self._remedy_of_line(line, cells, position, records)
        if of_line:
            return of_line
        if not self.has_header and not any(looks_numeric(other) for other in cells):
            return "use --header yes if this line holds names"
        remedy = bad.remedy if "use --" in bad.remedy else delimiter_hint(cell) or bad.remedy
        if not remedy.endswith(CHOOSE_COLUMNS):
            return remedy
        numeric = _of_numbers(islice(records(), int(self.has_header), None), self.positions)
        some = 0 < len(numeric) < len(self.positions) and position not in numeric
        return f"{remedy} {spell_positions(list(numeric))}" if some else remedy

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
            above = _comment_mark(self.first)
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


def _comment_mark(cells: list[str]) -> str | None:
    """Return the mark with which a line begins that is not part of the table."""
    if is_missing(cells[0]):  # such as #N/A
        return None
    return next((mark for mark in _COMMENT_MARKS if cells[0].lstrip().startswith(mark)), None)


def _without_last(cells: list[str], line: int, source: str) -> list[str]:
    if cells[-1].strip():
        remedy = "leave out --trailing-delimiter, or complete the line"
        problem = "must end with the delimiter"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=cells[-1], remedy=remedy)
    return cells[:-1]

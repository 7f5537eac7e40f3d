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
from rkde.tables.numbers import parse_rows
from rkde.tables.table import TableOptions

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
                    remedy=self._remedy(line, cells, position, outcome, records),
                )
            numbers.append(outcome)
        return tuple(numbers)

    def _refuse_ragged(self, line: int, cells: list[str]) -> None:
        """Refuse a record of another width, with the remedy that the lines suggest."""
        width, at = len(self.first), self.first_line
        problem = f"must have as many cells as line {at} ({width}), got {len(cells)}"
        mark = _comment_mark(self.first)
        is_next = line == at + 1
        if len(cells) == width + 1 and not cells[-1].strip():
            remedy = "remove the delimiter at the end of the line, or use --trailing-delimiter"
        elif mark and is_next:
            remedy = f"use --comment '{mark}' if line {at} is a comment"
        elif is_next and (width == 1 or all(map(str.strip, cells))) and not any(map(looks_numeric, cells)):
            remedy = f"use --skip-lines {line - 1} if line {at} is a title; otherwise complete it"
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
        begun = _comment_mark(cells)
        if begun and not mark:
            remedy = f"use --comment '{begun}' if this line is a comment; otherwise {remedy}"
        raise InvalidInput(problem, where=f"{self.source}, line {line}", remedy=remedy)

    def _remedy(
        self, line: int, cells: list[str], position: int, bad: BadCell, records: Callable[[], Records]
    ) -> str:
        """Return what to do about a bad cell; the cells around it may tell more than the cell does."""
        cell = cells[position - 1]
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
        dropped = self.reading.drop_rows
        unwanted = {row for part in parse_rows(dropped) for row in part if row <= len(rows)}
        others = [other for row, (_, other) in enumerate(rows, 1) if row not in unwanted | {number}]
        is_first = self.has_header and unwanted.issuperset(range(1, number))
        remedy = f"use --drop-rows {dropped + ',' if dropped else ''}{number}"
        if is_first and self._is_title_or_units(cells, position, others):
            above = _comment_mark(self.first)
            if above:
                return f"use --comment '{above}' if line {self.first_line} is a comment"
            if len(cells) == 1:
                return f"use --skip-lines {self.first_line} if line {self.first_line} is a title"
            return f"{remedy} if this line holds units"
        if not (is_first or number == len(rows)) or not self._is_odd(cells, others):
            return None
        what = "is a total" if number == len(rows) else "holds units"
        return f"{remedy} if this line {what}; otherwise correct the cell"

    def _is_title_or_units(self, cells: list[str], position: int, below: list[list[str]]) -> bool:
        """Tell whether the first row has no number, and numbers come below."""
        chosen = [cells[column - 1] for column in self.positions]
        if any(_has_digits(cell) or is_missing(cell) for cell in chosen):
            return False
        return any(looks_numeric(_cell(others, position)) for others in below)

    def _is_odd(self, cells: list[str], others: list[list[str]]) -> bool:
        """Tell whether a row has text in a column where all others, but for the last one, have numbers."""
        for position in self.positions:
            cell = cells[position - 1]
            filled = [other for row in others if not is_missing(other := _cell(row, position))]
            is_text = not (is_missing(cell) or _has_digits(cell))
            if is_text and len(filled) >= _FEWEST_ROWS and all(map(looks_numeric, filled[:-1])):
                return True
        return False


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

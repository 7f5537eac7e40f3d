"""Columns that look like numbers of another kind: 2.310 may be thousands, and 01234 is a code."""

import re
from collections.abc import Sequence
from typing import Final

# One group of three digits behind one to three others: 2.310 is a number about 2, or 2310.
_EITHER: Final = re.compile(r"[+-]?[1-9]\d{0,2}\.\d{3}", re.ASCII)
# From a thousand on, whoever separates thousands does; below, nobody has anything to separate.
_UNGROUPED: Final = re.compile(r"[+-]?\d{4,}", re.ASCII)
_SHORT: Final = re.compile(r"[+-]?[1-9]\d{0,2}", re.ASCII)
# What nobody writes who has decimal points: 1.234.567, 1.234,5 and 0,5; but 1,234 may be a thousand.
_NO_DECIMAL_POINT: Final = re.compile(
    r"[+-]?(?:\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:\.\d{3})+,\d+|\d+,(?!\d{3}$)\d+)", re.ASCII
)
# Months and hours have zeros in front, too, and are measurements.
_SHORTEST: Final = 3
# Fewer such numbers are an accident.
_FEWEST: Final = 3


class PointWatch:
    """Sees the cells of a table one row after another, and says which columns can be read in two ways.

    One number such as 0.123, 1.5 or 12.3456, in whichever column, tells that the point is a decimal mark; a
    number such as 2310 tells it of its column only. For a separator of thousands speaks a number such as 970,
    which is written like the others only then: with three decimals everywhere it would be 970.000. What
    speaks for it in one column, or beside the chosen ones as 1.234.567 or 0,5 does, speaks for it in all.
    Without it, both readings differ by a unit only, and the point is a decimal mark.
    """

    def __init__(self, columns: int) -> None:
        self._seen = [0] * columns
        self._examples = [""] * columns
        self._open = set(range(columns))
        self._short: set[int] = set()
        self._separates = False

    def see(self, cells: Sequence[str], record: Sequence[str]) -> None:
        """Look at the cells of a row that are numbers, and at all its cells."""
        if self._open and not self._separates:
            self._separates = any(
                _NO_DECIMAL_POINT.fullmatch(cell.strip()) for cell in record if "," in cell or "." in cell
            )
        for column in tuple(self._open):
            text = cells[column].strip()
            if "." not in text:
                if _UNGROUPED.fullmatch(text):
                    self._open.discard(column)
                elif _SHORT.fullmatch(text):
                    self._short.add(column)
            elif _EITHER.fullmatch(text):
                self._seen[column] += 1
                self._examples[column] = self._examples[column] or text
            else:
                self._open.clear()
                return

    def ambiguous(self) -> dict[int, tuple[int, str]]:
        """Return the columns that can be read in two ways: how many such numbers each has, and the first."""
        found = [column for column in sorted(self._open) if self._seen[column] >= _FEWEST]
        if not self._separates and self._short.isdisjoint(found):
            return {}
        return {column: (self._seen[column], self._examples[column]) for column in found}


class CodeWatch:
    """Sees the cells of a table one row after another, and says which columns hold codes with zeros in front.

    Those have as many digits in every row: postal codes, numbers of articles, times such as 0930.
    """

    def __init__(self, columns: int) -> None:
        self._widths = [0] * columns
        self._examples = [""] * columns
        self._open = set(range(columns))

    def see(self, cells: Sequence[str]) -> None:
        """Look at the cells of a row, all of which are numbers."""
        for column in tuple(self._open):
            text = cells[column].strip()
            width = self._widths[column] or len(text)
            if not text.isdecimal() or len(text) != width or width < _SHORTEST:
                self._open.discard(column)
                continue
            self._widths[column] = width
            if text[0] == "0":
                self._examples[column] = self._examples[column] or text

    def found(self) -> dict[int, str]:
        """Return the columns of codes, with the first that begins with a zero."""
        return {column: self._examples[column] for column in sorted(self._open) if self._examples[column]}

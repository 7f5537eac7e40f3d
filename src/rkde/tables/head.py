"""The first lines of a table: titles, a delimiter that does not fit, and rows with names in front of them."""

from collections.abc import Callable
from itertools import islice
from typing import Final

from rkde.errors import InvalidInput
from rkde.tables.cells import abbreviated, is_meant_as_number, is_missing, looks_numeric, other_delimiter
from rkde.tables.layout import Records, comment_mark
from rkde.tables.table import TableOptions
from rkde.tables.text import WHITESPACE

# What the names of rows are called, for which the line of names has none.
ROW_NAMES: Final = "row.names"


def read_head(
    records: Records, reading: TableOptions, separator: str, source: str
) -> list[tuple[int, list[str]]]:
    """Return the first two records, the first one without the empty cell of a delimiter at its end."""
    head = list(islice(records, 2))
    if not head:
        raise InvalidInput("must not be empty", where=source, remedy="check the export")
    below = head[-1]
    if comment_mark(head[0][1]):
        # Below comments, the line of names or the first row tells what is between the cells.
        below = next((one for one in (below, *records) if not comment_mark(one[1])), below)
    _refuse_wrong_delimiter([head[0], below], separator, reading.marks, source)
    _refuse_space_in_front(head[0], reading.delimiter, source)
    is_open = reading.header == "auto" and reading.columns is None
    if is_open or len(head[0][1]) != len(head[-1][1]):
        _refuse_title(head, source)
    line, first = head[0]
    if reading.trailing_delimiter and len(first) > 1 and not first[-1].strip():
        head[0] = (line, first[:-1])
    return head


def have_row_names(
    head: list[tuple[int, list[str]]], records: Callable[[], Records], reading: TableOptions, separator: str
) -> bool:
    """Tell whether each row begins with a name for which the line of names has none, as R writes it.

    Such names are text, and all different, or count the rows from 1. Between commas a count might as well be
    what is in front of decimal commas, unless some number has a decimal point.
    """
    width = len(head[0][1])
    if len(head) < 2 or reading.header == "no" or reading.trailing_delimiter or len(head[1][1]) != width + 1:
        return False
    if reading.header == "auto" and any(is_missing(cell) or looks_numeric(cell) for cell in head[0][1]):
        return False
    rows = [cells for _, cells in islice(records(), 1, None)]
    names = [cells[0].strip() for cells in rows]
    if {len(cells) for cells in rows} != {width + 1} or all(is_missing(cells[-1]) for cells in rows):
        return False
    if names == [str(number) for number in range(1, len(rows) + 1)]:
        return separator != "," or any("." in cell for cells in rows for cell in cells)
    return len(set(names)) == len(names) and not any(map(is_meant_as_number, names))


def _refuse_title(head: list[tuple[int, list[str]]], source: str) -> None:
    """Refuse a first line that has text and a number, or one cell among empty ones, above a line of names."""
    (line, first), (below, names) = head[0], head[-1]
    filled = [cell for cell in first if cell.strip()]
    is_mixed = len({looks_numeric(cell) for cell in filled}) == 2
    is_alone = len(filled) == 1 and len(first) > 2
    are_names = len(names) > 1 and not any(is_missing(cell) or looks_numeric(cell) for cell in names)
    is_title_too = is_alone and len(names) == len(first) and sum(map(bool, names)) == 1
    others = "use --header yes if it holds names" if is_mixed and len(names) == len(first) else "correct it"
    if not first[0].startswith("#") and (((is_mixed or is_alone) and are_names) or is_title_too):
        raise InvalidInput(
            "must hold a name or a number for each column",
            where=f"{source}, line {line}",
            value=abbreviated(",".join(first)),
            remedy=f"use --skip-lines {below - 1} if it is a title; otherwise {others}",
        )


def _refuse_space_in_front(first: tuple[int, list[str]], delimiter: str, source: str) -> None:
    """Refuse a first line that a single space as delimiter gives an empty cell, and runs of spaces do not."""
    line, cells = first
    if delimiter == " " and len(cells) > 1 and not cells[0].strip():
        raise InvalidInput(
            "must begin with a filled cell, got a space",
            where=f"{source}, line {line}",
            remedy=f"use --delimiter {WHITESPACE} if runs of spaces separate cells; otherwise fill the cell",
        )


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
        mark = comment_mark(head[0][1])
        if mark and other_delimiter(head[0][1][0], delimiter, marks) != other:
            remedy = f"use --comment '{mark}' if line {head[0][0]} is a comment, and {remedy}"
        raise InvalidInput(problem, where=f"{source}, line {line}", value=abbreviated(text), remedy=remedy)

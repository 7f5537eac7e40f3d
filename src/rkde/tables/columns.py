"""Which columns of a table are read, and whether its first line is a header."""

import csv
import difflib
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Final, Literal

from rkde.errors import InvalidInput
from rkde.tables.cells import (
    abbreviated,
    delimiter_hint,
    is_meant_as_number,
    is_missing,
    looks_numeric,
    parse_number,
)

HeaderMode = Literal["auto", "yes", "no"]

# More names than this are not listed in a message.
_LISTED_NAMES: Final = 8
# What tells a name that looks like a number from a number.
_NAME: Final = "name:"
_NUMBER: Final = "number:"
# Without text beside them, two numbers such as 0 and 1 are as likely a row as two names.
_FEWEST_NUMBERED: Final = 3
_IF_NAMES: Final = "use --header yes if the line holds names"
# So many numbers that need not be whole are names of equal distance rather than a row.
_FEWEST_SPACED: Final = 4
_DECIMAL: Final = re.compile(r"\d{1,30}(?:\.\d{1,30})?", re.ASCII)
_NUMBERS: Final = re.compile(r"(\d+)(?:-(\d+))?", re.ASCII)


def choose_columns(
    head: Sequence[Sequence[str]],
    where: str,
    header: HeaderMode,
    columns: str | None,
    expected: Sequence[str],
) -> tuple[bool, tuple[int, ...]]:
    """Decide on the header and the columns from the first lines of a table.

    Result: 1-based, in the order asked for.
    """
    first = head[0]
    names = [cell.strip() for cell in first]
    wanted = None if columns is None else _parse_choice(columns, names, header)
    if wanted is not None and any(isinstance(item, str) for item in wanted):
        return _choose_by_name(names, wanted, columns or "", where, header)
    positions = tuple(range(1, len(first) + 1)) if wanted is None else _existing(wanted, len(first), where)
    has_header = _decide_header(head, positions, where) if header == "auto" else header == "yes"
    if has_header and wanted is None and expected:
        return True, tuple(_position(name, names, where) for name in expected)
    if has_header and columns is not None:
        _refuse_two_meanings(columns, names, where)
    if has_header:
        _refuse_unnamed(names, positions, where)
    return has_header, positions


def _parse_choice(columns: str, names: list[str], header: HeaderMode) -> list[str | int]:
    """Split ``a,b`` or ``1,3-5``; a name that contains a comma is quoted as in CSV.

    ``name:`` and ``number:`` say which of the two is meant; a number beyond the last column is a name where
    the first line holds it.
    """
    wanted: list[str | int] = []
    for item in next(csv.reader([columns]), []) or [""]:
        text = item.strip()
        if text.startswith(_NAME):
            wanted.append(text.removeprefix(_NAME))
            continue
        numbers = _NUMBERS.fullmatch(text.removeprefix(_NUMBER))
        if not text:
            remedy = "give names or 1-based numbers, such as 1,3 or 2-4"
            raise InvalidInput(
                "must not contain an empty entry", where="--columns", value=columns, remedy=remedy
            )
        is_no_place = numbers is not None and not 1 <= int(numbers[1]) <= len(names)
        at = _named(text, names) if header != "no" and is_no_place else None
        if numbers is None or at is not None:
            wanted.append(text if at is None else names[at])
            if at is not None and header == "auto" and all(map(looks_numeric, names)):
                _refuse_number_without_place(text, names[at], len(names))
        else:
            if header != "no" and is_no_place:
                _refuse_range_of_names(numbers, names)
            low, high = int(numbers[1]), int(numbers[2] or numbers[1])
            if not 1 <= low <= high:
                remedy = "give numbers from 1, and ranges as low-high"
                raise InvalidInput(
                    "must be numbers from 1, or ranges from low to high",
                    where="--columns",
                    value=text,
                    remedy=remedy,
                )
            # One column beyond the last is enough to be refused.
            wanted.extend(range(low, min(high, max(low, len(names) + 1)) + 1))
    return wanted


def _named(number: str, names: Sequence[str]) -> int | None:
    """Return the place of the name that is a number, spelled like it or as 03 or 3.0 for 3."""
    if number in names:
        return names.index(number)
    if not number.isdecimal():
        return None
    return next((place for place, name in enumerate(names) if parse_number(name) == int(number)), None)


def _refuse_number_without_place(number: str, name: str, width: int) -> None:
    """Refuse a number beyond the last column that is in the first line, which may hold names or a row."""
    remedy = f"write {_NAME}{name} if the first line holds names; otherwise choose columns from 1 to {width}"
    raise InvalidInput(
        f"must be numbers up to {width}, or names", where="--columns", value=number, remedy=remedy
    )


def _refuse_range_of_names(numbers: re.Match[str], names: list[str]) -> None:
    """Refuse a range from one name to another, where no column has such a number."""
    ends = [names.index(end) + 1 for end in numbers.groups() if end in names]
    if len(ends) == 2 and ends[0] < ends[1]:
        raise InvalidInput(
            "must give a range by position, not by name",
            where="--columns",
            value=numbers[0],
            remedy=f"write {ends[0]}-{ends[1]}",
        )


def _refuse_two_meanings(columns: str, names: list[str], where: str) -> None:
    """Refuse a number that is also the name of another column, and a range whose ends are such names."""
    for item in next(csv.reader([columns])):
        text = item.strip()
        ends = [end for end in text.split("-") if end.isdecimal()]
        ats = [at for end in ends if (at := _named(end, names)) is not None]
        if len(ats) != text.count("-") + 1 or not all(1 <= int(end) <= len(names) for end in ends):
            continue
        moved = [(at + 1, int(end)) for at, end in zip(ats, ends, strict=True) if at + 1 != int(end)]
        if not moved:
            continue
        named = _NAME + names[ats[0]] if len(ats) == 1 else _range_of_names(ats)
        raise InvalidInput(
            f"must say whether {moved[0][1]} is the name of column {moved[0][0]} or the number of a column",
            where=f"{where}, --columns",
            value=text,
            remedy=f"write {named} or {_NUMBER}{text}",
        )


def _range_of_names(ats: list[int]) -> str:
    low, high = (at + 1 for at in ats)
    return f"{_NUMBER}{low}-{high}" if low < high else f"{_NAME} before each name"


def places_called(column: str, names: Sequence[str], positions: Sequence[int]) -> list[int]:
    """Return the places, among chosen columns, of those that a name or a 1-based number means.

    Both are returned where a number is the name of one column and the position of another.

    Examples
    --------
    >>> [places_called(column, ("x", "3"), (3, 4)) for column in ("x", "3", "name:3", "number:3", "y")]
    [[0], [1, 0], [1], [0], []]
    """
    text = column.removeprefix(_NAME).removeprefix(_NUMBER)
    named = [] if column.startswith(_NUMBER) else [place for place, name in enumerate(names) if name == text]
    at = None if named or column.startswith((_NAME, _NUMBER)) else _named(text, names)
    found = named if at is None else [at]
    if not column.startswith(_NAME):
        found += [place for place, at in enumerate(positions) if str(at) == text and place not in found]
    return found


def _choose_by_name(
    names: list[str], wanted: list[str | int], columns: str, where: str, header: HeaderMode
) -> tuple[bool, tuple[int, ...]]:
    if header == "no":
        remedy = "use 1-based numbers, or --header yes"
        raise InvalidInput(
            "must not contain names for a table without a header", where="--columns", remedy=remedy
        )
    positions = [
        _position(item, names, where) if isinstance(item, str) else _existing([item], len(names), where)[0]
        for item in wanted
    ]
    _refuse_two_meanings(columns, names, where)
    _refuse_repeated(positions)
    return True, tuple(positions)


def _position(name: str, names: list[str], where: str) -> int:
    found = names.count(name)
    if found == 1:
        return names.index(name) + 1
    if found > 1:
        remedy = "choose by 1-based number with --columns"
        raise InvalidInput(
            f"must contain the column name once, got {found} columns named {name!r}",
            where=where,
            remedy=remedy,
        )
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        remedy = f"try {close[0]!r}"
    elif any(looks_numeric(other) for other in names):
        remedy = "use 1-based numbers if the line is not a header"
    else:
        listed = ", ".join(repr(abbreviated(other)) for other in names[:_LISTED_NAMES])
        listed += ", ..." if len(names) > _LISTED_NAMES else ""
        remedy = f"choose from {listed} with --columns"
    raise InvalidInput(
        f"must have a column named {abbreviated(name)!r}, got none", where=where, remedy=remedy
    )


def _existing(wanted: Sequence[str | int], width: int, where: str) -> tuple[int, ...]:
    positions = [int(item) for item in wanted]
    if max(positions) > width:
        remedy = f"choose columns from 1 to {width}" if width > 1 else "choose column 1"
        problem = f"must have at least {max(positions)} columns"
        raise InvalidInput(problem, where=where, value=width, remedy=remedy)
    _refuse_repeated(positions)
    return tuple(positions)


def _refuse_repeated(positions: Sequence[int]) -> None:
    ordered = sorted(positions)
    for low, high in pairwise(ordered):
        if low == high:
            remedy = "name each column once"
            raise InvalidInput(f"must not contain column {low} twice", where="--columns", remedy=remedy)


def _decide_header(head: Sequence[Sequence[str]], positions: Sequence[int], where: str) -> bool:
    """Apply the rule of ``auto``: a header has no number in a chosen cell, a row has nothing else.

    Where the chosen cells are numbers, text above numbers in another column is a header all the same; and
    equally spaced whole numbers, such as years, above others that are not whole may be one.
    """
    first, below = head[0], head[1] if len(head) > 1 else ()
    numeric = [position for position in positions if looks_numeric(first[position - 1])]
    if not numeric:
        return True
    _refuse_names_beside_an_index(first, below, where)
    for position in positions:
        cell = first[position - 1].strip()
        if cell and position not in numeric:
            under = below[position - 1] if position <= len(below) else ""
            raise InvalidInput(
                f"must hold a number in column {position} as in column {numeric[0]}, or names in both",
                where=where,
                value=abbreviated(cell),
                remedy=delimiter_hint(cell) or _remedy_of_mixture(cell, under, numeric),
            )
    above = [cell.strip() for cell, under in zip(first, below, strict=False) if looks_numeric(under)]
    texts = [cell for cell in above if cell and not looks_numeric(cell)]
    if not all(is_missing(cell) or is_meant_as_number(cell) for cell in texts):
        return True
    if texts:
        _refuse_either(texts, where)
    names = [cell.strip() and not looks_numeric(cell) for cell in first]
    _refuse_numbered_names(first, below, where, needed=2 if any(names) else _FEWEST_NUMBERED)
    return False


def _remedy_of_mixture(cell: str, under: str, numeric: list[int]) -> str:
    """Return what to do about text in a first line with numbers, which may hold names or be a row."""
    if is_missing(cell):
        return f"{_IF_NAMES}, --header no --drop-missing if it is a row"
    if is_meant_as_number(cell):
        columns = spell_positions(numeric)
        return f"correct the cell, or choose the numeric columns with --header no --columns {columns}"
    if looks_numeric(under):
        return f"{_IF_NAMES}; otherwise correct the cell"
    return f"{_IF_NAMES}, --header no --columns {spell_positions(numeric)} if it is a row"


def _refuse_names_beside_an_index(first: Sequence[str], below: Sequence[str], where: str) -> None:
    """Refuse a first line that has no cell where the next one has its label, and counts the other columns."""
    others = [cell.strip() for cell in first[1:]]
    is_labelled = len(below) == len(first) > 1 and not first[0].strip() and below[0].strip()
    if is_labelled and (_are_evenly_spaced(others) or (len(others) == 1 and others[0].isdecimal())):
        columns = spell_positions(range(2, len(first) + 1))
        raise InvalidInput(
            "must be recognisable as names or as numbers",
            where=where,
            value=abbreviated(",".join(first)),
            remedy=f"use --header yes --columns {columns} if it holds names; otherwise fill its first cell",
        )


def _refuse_numbered_names(first: Sequence[str], below: Sequence[str], where: str, needed: int) -> None:
    """Refuse a first line of equally spaced numbers above others, which may be names: years, wavelengths.

    Whole numbers are spaced so by chance less often than others are.
    """
    numbered = [place for place, cell in enumerate(first) if looks_numeric(cell)]
    above = [first[place].strip() for place in numbered]
    if len(below) != len(first) or not _are_evenly_spaced(above, whole=False):
        return
    under = [below[place].strip() for place in numbered]
    are_whole = _are_evenly_spaced(above) and len(above) >= needed and not all(map(str.isdecimal, under))
    if are_whole or (len(above) >= _FEWEST_SPACED and not _are_evenly_spaced(under, whole=False)):
        _refuse_either(above, where)


def _refuse_either(cells: Sequence[str], where: str) -> None:
    """Refuse a first line with cells that may be names or belong to a row."""
    raise InvalidInput(
        "must be recognisable as names or as numbers",
        where=where,
        value=abbreviated(", ".join(cells)),
        remedy=f"{_IF_NAMES}, --header no if it is a row",
    )


def _are_evenly_spaced(cells: Sequence[str], *, whole: bool = True) -> bool:
    """Tell whether two cells or more are numbers of one difference, as years and counters are."""
    texts = [cell.strip() for cell in cells]
    spelled: Callable[[str], object] = str.isdecimal if whole else _DECIMAL.fullmatch
    if len(texts) < 2 or not all(map(spelled, texts)):
        return False
    steps = {Decimal(high) - Decimal(low) for low, high in pairwise(texts)}
    return len(steps) == 1 and steps != {Decimal(0)}


def _refuse_unnamed(names: list[str], positions: Sequence[int], where: str) -> None:
    """Refuse a chosen column without a name: row labels in front, or a delimiter at the end of each line."""
    for position in positions:
        if not names[position - 1]:
            others = spell_positions([other for other in positions if other != position])
            problem = (
                f"must name column {position}, got an empty name (row labels, or delimiters at the line ends)"
            )
            remedy = f"add a name, or choose with --columns {others}"
            if position == len(names):
                remedy += ", or use --trailing-delimiter"
            raise InvalidInput(problem, where=where, remedy=remedy)


def spell_positions(positions: Sequence[int]) -> str:
    """Return column numbers as ``--columns`` takes them: a range where they are one, else a list.

    Examples
    --------
    >>> spell_positions([2, 3, 4]), spell_positions([1, 3])
    ('2-4', '1,3')
    """
    if not positions:
        return "NUMBER"
    low, high = positions[0], positions[-1]
    if high - low > 1 and list(positions) == list(range(low, high + 1)):
        return f"{low}-{high}"
    return ",".join(str(position) for position in positions)

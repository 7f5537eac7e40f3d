"""Numbers of rows, as an option spells them."""

import re
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Final

from rkde.errors import InvalidInput

# What stands in front of the name of a file.
_FILE: Final = "@"
_ROWS: Final = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?", re.ASCII)


def parse_rows(text: str | None) -> tuple[range, ...]:
    """Return the numbers that a list of rows and ranges means; ``@FILE`` stands for the lists in a file.

    In a file, each line is a list, and what follows ``#`` a comment.

    Examples
    --------
    >>> parse_rows("70, 61-64"), parse_rows(None)
    ((range(70, 71), range(61, 65)), ())
    """
    return () if text is None else tuple(rows for item in text.split(",") for rows in _ranges(item.strip()))


def are_within(ranges: Sequence[range]) -> Iterator[bool]:
    """Yield for 1, 2, 3 and so on, without end, whether some range holds it.

    Examples
    --------
    >>> from itertools import islice
    >>> list(islice(are_within(parse_rows("4,2-3")), 5))
    [False, True, True, True, False]
    """
    left = sorted(ranges, key=lambda rows: rows.start, reverse=True)
    end = 0
    for number in count(1):
        while left and left[-1].start <= number:
            end = max(end, left.pop().stop)
        yield number < end


def files_of_rows(text: str | None) -> tuple[str, ...]:
    """Return the files that a list of rows names.

    Examples
    --------
    >>> files_of_rows("70, @rows.txt"), files_of_rows(None)
    (('rows.txt',), ())
    """
    items = [item.strip() for item in (text or "").split(",")]
    return tuple(item.removeprefix(_FILE) for item in items if item.startswith(_FILE))


def _ranges(item: str) -> tuple[range, ...]:
    if not item.startswith(_FILE):
        return (_range(item),)
    path = item.removeprefix(_FILE)
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InvalidInput(
            f"must name a readable file of row numbers after @ ({reason})",
            where="--drop-rows",
            value=item,
            remedy="write the file with --sign-rows, or give numbers such as 61-64,70",
        ) from error
    lists = [line.partition("#")[0].strip() for line in lines]
    return tuple(_range(number.strip()) for text in lists if text for number in text.split(","))


def _range(item: str) -> range:
    numbers = _ROWS.fullmatch(item)
    low, high = (int(numbers[1]), int(numbers[2] or numbers[1])) if numbers else (0, 0)
    if not 1 <= low <= high:
        raise InvalidInput(
            "must be row numbers from 1, or ranges from low to high",
            where="--drop-rows",
            value=item,
            remedy="give numbers such as 70 or 61-64,70",
        )
    return range(low, high + 1)

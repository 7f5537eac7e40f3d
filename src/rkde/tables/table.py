"""What a table is, once read, and how its text is to be read."""

from dataclasses import dataclass
from typing import Final

from rkde.signs import spelled_rows
from rkde.tables.cells import DecimalMark, ThousandsMark, abbreviated
from rkde.tables.columns import HeaderMode

# More lines than this are not listed in a note.
_LISTED_LINES: Final = 8
# Fewer rows may have one value in common by chance.
_FEWEST_ROWS: Final = 10
# What a representation shows of a table.
_SHOWN_ROWS: Final = 5
_SHOWN_COLUMNS: Final = 8
# What a column is called that says how often each row counts.
_COUNTING: Final = frozenset(
    {"count", "counts", "copies", "freq", "frequency", "multiplicity", "n", "weight", "weights", "wt"}
)


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
        One character, or ``tab``, or ``whitespace`` for runs of spaces and tabs.
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
    drop_rows : str, optional
        Rows to leave out, by their numbers among the rows of the file, from 1: ``61-64,70``, or ``@FILE``
        with such numbers.
    drop_values : tuple of float or str
        Leave out rows in which a chosen cell is one of these numbers, to nine digits: fillers such as -999;
        or is one of these texts, such as ``<5``; ``age=-9`` means a single column, by its name or 1-based
        number.
    trailing_delimiter : bool
        Whether every row ends with a delimiter, after which nothing comes; the header may end with one.
    encoding : str
        The encoding of the text, as Python names it.
    """

    columns: str | None = None
    header: HeaderMode = "auto"
    delimiter: str = ","
    decimal: DecimalMark | None = None
    thousands: ThousandsMark | None = None
    comment: str | None = None
    skip_lines: int = 0
    drop_missing: bool = False
    drop_rows: str | None = None
    drop_values: tuple[float | str, ...] = ()
    trailing_delimiter: bool = False
    encoding: str = "utf-8"

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
    numbers : tuple of int, **(n,)**
        1-based number of each row among the rows of the file, those that are left out included.
    source : str
        Where the table came from, as messages name it.
    first_line : int
        The line of the header, or of the first row if there is none.
    dropped : tuple of int
        The lines that were left out because a chosen cell is missing; none unless that was requested.
    removed : tuple of int
        The numbers of the rows that were left out by number or for a value.
    removed_for : tuple of (str, int)
        Each number or text for which rows were to be left out, and how many were.
    text_columns : tuple of str
        The names of the columns that were left out because none of their cells is meant as a number; none
        where the columns were chosen.
    kept_names : tuple of str, **(m,)**
        The names of the columns that were kept as text beside the numbers.
    kept : tuple of tuple of str, **(n, m)** or **(0,)**
        Their cells, without spaces around them.
    weights : tuple of float, **(n,)** or **(0,)**
        What each row counts; empty where no column says so.
    doubtful_points : tuple of str
        The sentences about columns whose numbers, such as 2.310, were read with a decimal point where it may
        separate thousands; none where `decimal` or `thousands` was chosen.
    doubtful_codes : tuple of str
        The sentence about columns of codes with zeros in front, such as 01234; none where the columns were
        chosen.
    has_row_names : bool
        Whether the first cells are names of rows, for which the line of names has none.
    """

    rows: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    positions: tuple[int, ...]
    lines: tuple[int, ...]
    numbers: tuple[int, ...]
    source: str
    first_line: int = 1
    dropped: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()
    removed_for: tuple[tuple[str, int], ...] = ()
    text_columns: tuple[str, ...] = ()
    kept_names: tuple[str, ...] = ()
    kept: tuple[tuple[str, ...], ...] = ()
    weights: tuple[float, ...] = ()
    doubtful_points: tuple[str, ...] = ()
    doubtful_codes: tuple[str, ...] = ()
    has_row_names: bool = False

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

    def names_of_counts(self) -> tuple[str, ...]:
        """Return the columns that look as if they said how often each row counts, and others are left."""
        if len(self.names) < 2:
            return ()
        return tuple(
            name
            for name, column in zip(self.names, zip(*self.rows, strict=True), strict=True)
            if name.lower() in _COUNTING and all(value >= 1 and value.is_integer() for value in column)
        )

    def note_of_row_names(self) -> str | None:
        """Return the sentence that says that the first cells are no column, None where they are."""
        if not self.has_row_names:
            return None
        problem = f"line {self.first_line} has one name fewer than the rows have cells"
        return f"{problem}; the first cell of each row is taken for its name"

    def note_of_text(self) -> str | None:
        """Return the sentence that says which columns were left out, None where all were read."""
        if not self.text_columns:
            return None
        shown = ", ".join(repr(abbreviated(name)) for name in self.text_columns[:_LISTED_LINES])
        more = ", ..." if len(self.text_columns) > _LISTED_LINES else ""
        ending = "s" if len(self.text_columns) > 1 else ""
        return f"text column{ending} left out: {shown}{more}"

    def note_of_constant(self) -> str | None:
        """Return the sentence about columns that have one value, None where there are none, or a few rows."""
        if len(self.rows) < _FEWEST_ROWS or len(self.positions) < 2:
            return None
        columns = zip(self.names or map(str, self.positions), zip(*self.rows, strict=True), strict=True)
        found = [(name, values[0]) for name, values in columns if min(values) == max(values)]
        if not 0 < len(found) < len(self.positions):
            return None
        shown = ", ".join(f"{abbreviated(name)!r} ({value:g})" for name, value in found[:_LISTED_LINES])
        more = ", ..." if len(found) > _LISTED_LINES else ""
        are, it = ("s have", "them") if len(found) > 1 else (" has", "it")
        return f"column{are} one value in every row, so no row stands out by {it}: {shown}{more}"

    def note_of_dropped(self) -> str | None:
        """Return the sentence that says which lines were left out, None where all were read."""
        if not self.dropped:
            return None
        shown = ", ".join(map(str, self.dropped[:_LISTED_LINES]))
        more = ", ..." if len(self.dropped) > _LISTED_LINES else ""
        total = len(self.dropped) + len(self.removed) + len(self.rows)
        verb, lines = ("is", "line") if len(self.dropped) == 1 else ("are", "lines")
        left = f"{len(self.dropped)} of {total} rows {verb} left out"
        return f"{left} for missing values: {lines} {shown}{more}"

    def note_of_removed(self) -> str | None:
        """Return the sentence that says how many rows were left out on request, None where there are none."""
        counted = ", ".join(f"{number} with {abbreviated(text)!r}" for text, number in self.removed_for)
        if not self.removed:
            return f"--drop-value leaves out no row: {counted}" if counted else None
        spelled = spelled_rows(self.removed)
        shown = ", ".join(spelled[:_LISTED_LINES]) + (", ..." if len(spelled) > _LISTED_LINES else "")
        total = len(self.dropped) + len(self.removed) + len(self.rows)
        verb, rows = ("is", "row") if len(self.removed) == 1 else ("are", "rows")
        reasons = f" ({counted})" if counted else ""
        return f"{len(self.removed)} of {total} rows {verb} left out as requested: {rows} {shown}{reasons}"

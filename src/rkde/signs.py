"""Signs: what in a table or its fit should make its user look again, in words that every surface prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rkde.errors import (
    ColumnSpreadWarning,
    CounterColumnWarning,
    FewRowsWarning,
    IsolatedRowsWarning,
    ModeCollapseWarning,
    RankingWarning,
    RepeatedRowsWarning,
    SignWarning,
    ZeroWeightWarning,
)

SignName = Literal[
    "repeated-rows",
    "column-spread",
    "counter-column",
    "ranking",
    "isolated-rows",
    "zero-weight",
    "mode-collapse",
    "few-rows",
]
WARNINGS: Final[dict[SignName, type[SignWarning]]] = {
    "repeated-rows": RepeatedRowsWarning,
    "column-spread": ColumnSpreadWarning,
    "counter-column": CounterColumnWarning,
    "ranking": RankingWarning,
    "isolated-rows": IsolatedRowsWarning,
    "zero-weight": ZeroWeightWarning,
    "mode-collapse": ModeCollapseWarning,
    "few-rows": FewRowsWarning,
}
# Of more rows than these a sentence shows the first ones; `Sign.rows` holds all.
_SHOWN_ROWS: Final = 4


@dataclass(frozen=True, slots=True)
class Sign:
    """Something seen in a table or its fit, and what to do about it.

    Attributes
    ----------
    name : str
        What it is; `WARNINGS` has the class of warning of each name.
    seen : str
        What was seen, a clause with the fields {rows} and {column} where it names rows or a column.
    remedy : str
        What to do, in the imperative, with the same fields.
    rows : tuple of int
        The rows concerned, from 0.
    column : int or None
        The column concerned, from 0.

    Examples
    --------
    >>> sign = Sign("repeated-rows", "{rows} are equal", "remove those that are no measurements", (3, 7))
    >>> sign.text()
    'rows 3, 7 (counted from 0) are equal; remove those that are no measurements'
    >>> sign.text(first_row=1)
    'rows 4, 8 are equal; remove those that are no measurements'
    """

    name: SignName
    seen: str
    remedy: str
    rows: tuple[int, ...] = ()
    column: int | None = None

    def text(self, *, first_row: int = 0, columns: Sequence[str | int] = ()) -> str:
        """Return the sentence, with rows counted from a number and columns called by their names."""
        shown = ", ".join(str(row + first_row) for row in self.rows[:_SHOWN_ROWS])
        rows = ("rows " if len(self.rows) > 1 else "row ") + shown
        rows += ", ..." if len(self.rows) > _SHOWN_ROWS else ""
        rows += " (counted from 0)" if first_row == 0 else ""
        column = self.column if self.column is not None else 0
        label = repr(columns[column]) if len(columns) else str(column + first_row)
        return f"{self.seen}; {self.remedy}".format(rows=rows, column=f"column {label}")

    def warning(self, *, first_row: int = 0, columns: Sequence[str | int] = ()) -> SignWarning:
        """Return the warning that says it and carries the sign."""
        return WARNINGS[self.name](self.text(first_row=first_row, columns=columns), self)

"""Signs: what in a table or its fit needs a second look, in words that every interface prints."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from rkde.errors import (
    ColumnSpreadWarning,
    CounterColumnWarning,
    FewRowsWarning,
    IsolatedRowsWarning,
    MixedUnitsWarning,
    ModeCollapseWarning,
    RankingWarning,
    RepeatedRowsWarning,
    SignWarning,
    StuckColumnWarning,
    ZeroWeightWarning,
)

SignName = Literal[
    "repeated-rows",
    "stuck-column",
    "mixed-units",
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
    "stuck-column": StuckColumnWarning,
    "mixed-units": MixedUnitsWarning,
    "column-spread": ColumnSpreadWarning,
    "counter-column": CounterColumnWarning,
    "ranking": RankingWarning,
    "isolated-rows": IsolatedRowsWarning,
    "zero-weight": ZeroWeightWarning,
    "mode-collapse": ModeCollapseWarning,
    "few-rows": FewRowsWarning,
}
# Of more rows, or runs of them, than these a sentence shows the first ones; `Sign.rows` holds all.
_SHOWN_ROWS: Final = 4
# Shorter runs are written out.
_SHORTEST_RUN: Final = 3


def spelled_rows(rows: Sequence[int]) -> list[str]:
    """Return ascending row numbers one by one, and runs of three or more as ranges.

    Examples
    --------
    >>> spelled_rows([4, 5, 9, 61, 62, 63, 64])
    ['4', '5', '9', '61-64']
    """
    spelled: list[str] = []
    start = 0
    for end in range(1, len(rows) + 1):
        if end < len(rows) and rows[end] == rows[end - 1] + 1:
            continue
        run = [str(row) for row in rows[start:end]]
        spelled += run if len(run) < _SHORTEST_RUN else [f"{run[0]}-{run[-1]}"]
        start = end
    return spelled


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
    others : tuple of int
        Further columns of which the same is seen.

    Examples
    --------
    >>> sign = Sign("repeated-rows", "{rows} are equal", "remove those that are not measurements", (3, 7))
    >>> sign.text()
    'rows 3, 7 (counted from 0) are equal; remove those that are not measurements'
    >>> sign.text(first_row=1)
    'rows 4, 8 are equal; remove those that are not measurements'
    """

    name: SignName
    seen: str
    remedy: str
    rows: tuple[int, ...] = ()
    column: int | None = None
    others: tuple[int, ...] = ()

    def text(self, *, first_row: int = 0, columns: Sequence[str | int] = ()) -> str:
        """Return the sentence, with rows counted from a number and columns called by their names."""
        spelled = spelled_rows([row + first_row for row in self.rows])
        rows = ("rows " if len(self.rows) > 1 else "row ") + ", ".join(spelled[:_SHOWN_ROWS])
        rows += ", ..." if len(spelled) > _SHOWN_ROWS else ""
        rows += " (counted from 0)" if first_row == 0 else ""
        places = (self.column or 0, *self.others)
        labels = [repr(columns[place]) if len(columns) else str(place + first_row) for place in places]
        column = f"column{'s'[: len(labels) > 1]} {', '.join(labels)}"
        return f"{self.seen}; {self.remedy}".format(rows=rows, column=column)

    def warning(self, *, first_row: int = 0, columns: Sequence[str | int] = ()) -> SignWarning:
        """Return the warning that says it and carries the sign."""
        return WARNINGS[self.name](self.text(first_row=first_row, columns=columns), self)

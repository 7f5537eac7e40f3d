"""The column that makes a row of a table an outlier, for `rkde outliers --explain`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from rkde.fast import Rkde
    from rkde.tables import Table


@dataclass(frozen=True, slots=True)
class Told:
    """The most surprising column of a row, given the others, and by how many nats."""

    column: str
    surprise: float


def column_titles(table: Table) -> tuple[str, ...]:
    """Return the names of the columns that a density is about, or their positions in words."""
    return table.names or tuple(f"column {position}" for position in table.positions)


def refuse_other_kernels(fitted: Rkde) -> None:
    """Refuse a density that has no closed marginals."""
    from rkde.fast import Gaussian, Student

    if not isinstance(fitted.kernel, (Gaussian, Student)):
        raise InvalidInput(
            "must not be combined with a kernel other than gaussian or student",
            where="--explain",
            value=fitted.kernel.name,
            remedy="fit with --kernel gaussian, or leave out --explain",
        )


def told_columns(fitted: Rkde, table: Table, rows: Sequence[int], places: Mapping[int, int]) -> list[Told]:
    """Return the most surprising column of some rows of a table, by their numbers from 0.

    Rows to which the density was fitted, whose places in the fit are given, are explained without themselves.
    """
    import numpy as np

    from rkde.fast import explain

    refuse_other_kernels(fitted)
    own = [row for row in rows if row in places]
    new = [row for row in rows if row not in places]
    queries = np.array([table.rows[row] for row in new]).reshape(-1, len(table.positions))
    titles = column_titles(table)
    told: dict[int, Told] = {}
    for group, found in (
        (own, explain(fitted, rows=np.array([places[row] for row in own], dtype=np.intp))),
        (new, explain(fitted, queries)),
    ):
        told |= {
            row: Told(titles[order[0]], float(surprises[order[0]]))
            for row, order, surprises in zip(group, found.order, found.surprise, strict=True)
        }
    return [told[row] for row in rows]

"""The rows of a table that a fit uses: all of them, or a random sample; answers cover all rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rkde.cli.failures import complain
from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from rkde.fast import Rkde
    from rkde.fast._float64 import Floats
    from rkde.tables import Table

DEFAULT_SEED: Final = 0
# No rule finds a bandwidth for one row; a table of one row can have a bandwidth given.
_FEWEST: Final = 2


@dataclass(frozen=True, slots=True)
class Part:
    """The rows of a table that a fit uses, and the `whole` table.

    `rows` has the number of each row of the fit among all rows, from 0 and rising; it is None, as is the
    `seed` that drew them, where the fit uses all. `asked` is how many rows were asked for, if any number was.
    """

    table: Table
    whole: Table
    rows: tuple[int, ...] | None
    seed: int | None
    asked: int | None

    def weights_of(self, fitted: Rkde) -> list[float | None]:
        """Return the weight of each row of the whole table, None for those that the fit did not use."""
        weights: list[float | None] = fitted.weights.tolist()
        if self.rows is None:
            return weights
        spread: list[float | None] = [None] * len(self.whole.rows)
        for row, weight in zip(self.rows, weights, strict=True):
            spread[row] = weight
        return spread

    def places(self) -> dict[int, int]:
        """Return the place among the rows of the fit of each of them, by its number in the whole table."""
        rows = range(len(self.whole.rows)) if self.rows is None else self.rows
        return {row: place for place, row in enumerate(rows)}

    def tell(self) -> None:
        """Say on standard error how many rows the fit used, where somebody asked for a number."""
        total = len(self.whole.rows)
        if self.rows is not None:
            complain(f"fitted to {len(self.rows)} of {total} rows (seed {self.seed})")
        elif self.asked is not None:
            complain(f"fitted to all {total} rows, because --sample {self.asked} asks for at least as many")


def counts_of(table: Table) -> Floats | None:
    """Return what each row counts, None where each counts once."""
    import numpy as np

    return np.array(table.weights) if table.weights else None


def part_for(table: Table, sample: int | None, seed: int | None) -> Part:
    """Return the rows that the options --sample and --seed choose, drawn without replacement."""
    if sample is None:
        if seed is not None:
            raise InvalidInput(
                "must not be given without --sample",
                where="--seed",
                value=seed,
                remedy="add --sample with a number of rows, or leave out --seed",
            )
        return Part(table, table, None, None, None)
    if sample < _FEWEST:
        raise InvalidInput(
            f"must be at least {_FEWEST}",
            where="--sample",
            value=sample,
            remedy="give a larger number, or leave out --sample to fit all rows",
        )
    total = len(table.rows)
    if sample >= total:
        return Part(table, table, None, None, sample)
    import numpy as np

    seed = DEFAULT_SEED if seed is None else seed
    drawn = np.random.default_rng(seed).choice(total, sample, replace=False)
    # In the order of the table, which ties and messages keep.
    rows = tuple(sorted(drawn.tolist()))
    some = replace(
        table,
        rows=tuple(table.rows[row] for row in rows),
        lines=tuple(table.lines[row] for row in rows),
        numbers=tuple(table.numbers[row] for row in rows),
        kept=tuple(table.kept[row] for row in rows) if table.kept else (),
        weights=tuple(table.weights[row] for row in rows) if table.weights else (),
    )
    return Part(some, table, rows, seed, sample)

"""Not in the paper: the mass of each row, given as sample weights: counts of copies, or relative weights.

With masses m_i of sum M the objective is J(g) = (1/M) sum_i m_i rho(|Phi(X_i) - g|), and a row of mass m
stands for m equal rows of mass 1. Whole numbers are therefore counts, and M is the number N of the rows with
all of their copies. Other weights s_i matter by their ratios only. They are scaled to the sum

    N = (sum_i s_i)^2 / sum_i s_i^2,

Kish's effective number of rows. Equal weights then have the mass 1 each and mean the rows alone, so that N
stands for n wherever a rule asks for the number of rows; it changes continuously with the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeVar

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.numbers.context import Number
from rkde.reference.numbers.inputs import Matrix, Row, checked_sequence, exact_value

LARGEST_COUNT: Final = 2**53
"""Counts stay below it in sum, so that the float64 package reads the same numbers as counts."""

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Masses:
    """The masses of the rows that have one, and the places of these rows among the given ones.

    Attributes
    ----------
    values : tuple of mpf, shape (k,)
        m_i, not 0: counts, or relative weights scaled to the sum N.
    total : mpf
        Their sum N.
    is_counted : bool
        Whether they are counts of copies.
    kept : tuple of int, shape (k,)
        The places of the rows with a mass; the others are removed.
    size : int
        n, the number of rows that are given.
    """

    values: Row
    total: mpf
    is_counted: bool
    kept: tuple[int, ...]
    size: int

    @property
    def shares(self) -> Row:
        """The masses over their sum, shape (k,): the weights of the kernel mean, and the uniform start."""
        return tuple(value / self.total for value in self.values)

    @property
    def are_positive(self) -> bool:
        """Whether no mass is negative, as that of a contaminating point may be."""
        return min(self.values) > 0

    def at(self, ctx: MPContext, rows: Sequence[int]) -> mpf:
        """Return the mass of some of the k rows together."""
        return ctx.fsum(self.values[row] for row in rows)

    def count_of(self, ctx: MPContext, rows: Sequence[int] | None = None) -> int:
        """Return the number of some of the k rows, or of all, with their copies where there are counts."""
        rows = range(len(self.kept)) if rows is None else rows
        return int(self.at(ctx, rows)) if self.is_counted else len(rows)

    def rows_of(self, values: Sequence[Entry]) -> tuple[Entry, ...]:
        """Return the entries of the kept rows among those of all rows: shape (n, ...) to (k, ...)."""
        return tuple(values[place] for place in self.kept)

    def block_of(self, matrix: Matrix) -> Matrix:
        """Return the rows and columns of the kept rows: shape (n, n) to (k, k)."""
        return matrix if len(self.kept) == self.size else tuple(map(self.rows_of, self.rows_of(matrix)))

    def spread(self, ctx: MPContext, values: Row) -> Row:
        """Put the entries of the kept rows to their places, 0 to those of the removed ones."""
        result = [ctx.mpf(0)] * self.size
        for place, value in zip(self.kept, values, strict=True):
            result[place] = value
        return tuple(result)


def unit_masses(ctx: MPContext, count: int) -> Masses:
    """Return the mass 1 for each row."""
    return Masses(
        (ctx.mpf(1),) * count, ctx.mpf(count), is_counted=True, kept=tuple(range(count)), size=count
    )


def row_masses(ctx: MPContext, sample_weight: Sequence[Number] | None, count: int) -> Masses:
    """Read one sample weight for each row.

    Shapes: sample_weight (n,).

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> counts = row_masses(ctx, [2, 0, 1], 3)
    >>> print(*counts.values, counts.total, counts.kept)
    2.0 1.0 3.0 (0, 2)
    >>> relative = row_masses(ctx, ["0.2", "0.1", "0.1"], 3)
    >>> print(ctx.nstr(relative.total, 5), ctx.nstr(relative.values[0], 5))
    2.6667 1.3333
    """
    if sample_weight is None:
        return unit_masses(ctx, count)
    given = _exact_weights(sample_weight, count)
    kept = tuple(place for place, weight in enumerate(given) if weight)
    weights = [given[place] for place in kept]
    total = sum(weights, start=Fraction())
    is_counted = all(weight.denominator == 1 for weight in weights) and total < LARGEST_COUNT
    scale = (
        Fraction(1) if is_counted else total / sum((weight * weight for weight in weights), start=Fraction())
    )
    values = tuple(_rounded(ctx, weight * scale) for weight in weights)
    return Masses(values, _rounded(ctx, total * scale), is_counted, kept, count)


def _exact_weights(sample_weight: Sequence[Number], count: int) -> list[Fraction]:
    entries = checked_sequence(sample_weight, "sample_weight", "pass one weight for each row")
    if len(entries) != count:
        raise InvalidInput(
            f"must have as many entries as there are rows ({count})",
            where="sample_weight",
            value=len(entries),
            remedy="pass one weight for each row",
        )
    weights = [exact_value(entry, f"sample_weight, index {index}") for index, entry in enumerate(entries)]
    for index, weight in enumerate(weights):
        if weight < 0:
            raise InvalidInput(
                "must be at least 0",
                where=f"sample_weight, index {index}",
                value=entries[index],
                remedy="pass weights of at least 0",
            )
    if not any(weights):
        raise InvalidInput(
            "must have at least one entry above 0, got only zeros",
            where="sample_weight",
            remedy="pass a positive weight for each row that counts",
        )
    return weights


def _rounded(ctx: MPContext, value: Fraction) -> mpf:
    return ctx.mpf(value.numerator) / value.denominator

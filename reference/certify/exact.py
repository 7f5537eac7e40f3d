"""Exact rational numbers from what a caller passes: the proofs hold for these, not for a rounding of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from rkde.reference.numbers import (
    Number,
    Rows,
    exact_value,
    make_context,
    normalised_weights,
    points,
    queries,
)

ExactRow = tuple[Fraction, ...]

# Only checks what is passed and names the fault; the numbers are read again, exactly.
_CHECKER: Final = make_context()


def exact_points(X: Rows) -> list[ExactRow]:
    """Read a table of n >= 1 rows exactly; raises as `rkde.reference.numbers.inputs.points`."""
    points(_CHECKER, X)
    return _read(X)


def exact_queries(Y: Rows, dim: int, where: str = "queries") -> list[ExactRow]:
    """Read a table of points, possibly none, exactly; raises as `rkde.reference.numbers.inputs.queries`."""
    queries(_CHECKER, Y, dim, where)
    return _read(Y)


def exact_weights(weights: Sequence[Number], count: int) -> list[Fraction]:
    """Read weights and divide by their sum, exactly; raise as `rkde.reference.numbers` does."""
    normalised_weights(_CHECKER, weights, count)
    numbers = [exact_value(weight) for weight in weights]
    total = sum(numbers, start=Fraction(0))
    return [number / total for number in numbers]


def _read(table: Rows) -> list[ExactRow]:
    return [tuple(_exact(cell) for cell in row) for row in table]


def _exact(cell: Number) -> Fraction:
    """Read a checked number; ints and floats, which are most, by a short way."""
    return Fraction(cell) if isinstance(cell, (int, float)) else exact_value(cell)

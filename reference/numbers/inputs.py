"""Checks of the arguments of public functions: tables, weights, counts, parameters.

Every message names the argument, the 0-based row and column, the value, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral, Real
from typing import Final, TypeVar, cast

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.reference.numbers.context import Number, is_mpf, to_mpf
from rkde.vocabulary import WEIGHT_SUM_SLACK

Rows = Sequence[Sequence[Number]]
"""A table as it is given: a sequence of rows of numbers (nested lists, tuples, a two-dimensional array)."""

Row = tuple[mpf, ...]
Matrix = tuple[Row, ...]
Entry = TypeVar("Entry")

_GIVE_ROWS: Final = "pass a sequence of rows of numbers"


def points(ctx: MPContext, X: Rows, where: str = "X") -> Matrix:
    """Read a table of n >= 1 rows and d >= 1 columns of finite numbers.

    Shapes: X (n, d); result (n, d).

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> len(points(ctx, [[0, 1], [2, "0.5"]]))
    2
    """
    rows = _rows(X, where)
    if not rows:
        raise InvalidInput("must have at least one row, got none", where=where, remedy=_GIVE_ROWS)
    dim = len(_cells(rows[0], where, 0))
    if dim == 0:
        raise InvalidInput(
            "must have at least one column, got none", where=f"{where}, row 0", remedy=_GIVE_ROWS
        )
    return tuple(_row(ctx, row, where, index, dim) for index, row in enumerate(rows))


def queries(ctx: MPContext, Y: Rows, dim: int, where: str = "queries") -> Matrix:
    """Read a table of query points, possibly none, with as many columns as the data.

    Shapes: Y (m, d); result (m, d).

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> queries(make_context(20), [], 3)
    ()
    """
    rows = _rows(Y, where)
    if rows and len(_cells(rows[0], where, 0)) != dim:
        raise InvalidInput(
            f"must have as many columns as the data ({dim})",
            where=where,
            value=len(_cells(rows[0], where, 0)),
            remedy=f"pass rows of {dim} numbers",
        )
    return tuple(_row(ctx, row, where, index, dim) for index, row in enumerate(rows))


def normalised_weights(ctx: MPContext, weights: Sequence[Number], count: int, where: str = "weights") -> Row:
    """Read one weight for each row and divide by the sum.

    Shapes: weights (n,), finite, >= 0, with |sum - 1| at most `WEIGHT_SUM_SLACK`; result (n,). Result:
    weights with sum 1 (up to rounding).

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> print(*normalised_weights(make_context(20), [0.5, "0.25", 0.25], 3))
    0.5 0.25 0.25
    """
    entries = checked_sequence(weights, where, "pass one number for each row")
    if len(entries) != count:
        raise InvalidInput(
            f"must have as many entries as there are rows ({count})",
            where=where,
            value=len(entries),
            remedy="pass one weight for each row",
        )
    read = number_list(ctx, weights, where)
    for index, entry in enumerate(read):
        if entry < 0:
            raise InvalidInput(
                "must be at least 0",
                where=f"{where}, row {index}",
                value=weights[index],
                remedy="pass weights of at least 0",
            )
    total = ctx.fsum(read)
    if abs(total - 1) > to_mpf(ctx, WEIGHT_SUM_SLACK):
        remedy = "divide the weights by their sum" if total else "give some row a weight above 0"
        raise InvalidInput(f"must sum to 1, got {ctx.nstr(total, 17)}", where=where, remedy=remedy)
    return tuple(entry / total for entry in read)


def checked_sequence(values: Sequence[Entry], where: str, remedy: str) -> Sequence[Entry]:
    """Return a sequence as it is; raise `InvalidType` for a text or a single value."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise InvalidType("must be a sequence", where=where, value=values, remedy=remedy)
    return values


def number_list(ctx: MPContext, values: Sequence[Number], where: str) -> Row:
    """Read a sequence of finite numbers; raises as `points` does, naming the row."""
    entries = checked_sequence(values, where, "pass a sequence of numbers")
    return tuple(
        _cell(ctx, entry, f"{where}, row {index}", "pass a finite number")
        for index, entry in enumerate(entries)
    )


def uniform_weights(ctx: MPContext, count: int) -> Row:
    """Return the weights 1/n of the KDE."""
    return (1 / ctx.mpf(count),) * count


def nonnegative_count(value: object, where: str) -> int:
    """Check an integer >= 0."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise InvalidType(
            "must be an integer", where=where, value=value, remedy="pass an integer of at least 0"
        )
    if int(value) < 0:
        raise InvalidInput(
            "must be at least 0", where=where, value=value, remedy="pass an integer of at least 0"
        )
    return int(value)


def dimension(dim: int) -> int:
    """Check a dimension, an integer >= 1; raises as `nonnegative_count`, and for 0."""
    if nonnegative_count(dim, "dim") == 0:
        raise InvalidInput("must be at least 1", where="dim", value=dim, remedy="pass the number of columns")
    return int(dim)


def positive_number(number: Number, where: str) -> None:
    """Check a finite number > 0, without a context."""
    if exact_value(number, where) <= 0:
        raise InvalidInput(
            "must be a finite number above 0", where=where, value=number, remedy="pass a positive number"
        )


def exact_value(number: Number, where: str = "number") -> Fraction:
    """Return the exact rational value of a number; raises as `to_mpf`, and `InvalidInput` if not finite."""
    value = to_mpf(_READER, number, where)
    if not _READER.isfinite(value):
        raise InvalidInput("must be finite", where=where, value=number, remedy="pass a finite number")
    if isinstance(number, str):
        return Fraction(number.strip())
    sign, mantissa, exponent, _ = value._mpf_
    magnitude = int(mantissa) * Fraction(2) ** exponent
    return -magnitude if sign else magnitude


def is_scalar(value: object) -> bool:
    """Tell whether a value is one number or one text rather than a sequence."""
    return isinstance(value, (str, bytes, Real)) or is_mpf(value) or not hasattr(value, "__len__")


# Checks numbers apart from any computation; its precision is of no consequence, since conversion is exact.
_READER: Final = MPContext()


def _rows(X: Rows, where: str) -> list[Sequence[Number]]:
    if isinstance(X, (str, bytes)):
        raise InvalidType("must be a table of numbers, not text", where=where, value=X, remedy=_GIVE_ROWS)
    rows: list[Sequence[Number]] = list(checked_sequence(X, where, _GIVE_ROWS))
    if rows and all(is_scalar(row) for row in rows):
        # A flat sequence is one column.
        return [(cast("Number", row),) for row in rows]
    return rows


def _cells(row: Sequence[Number], where: str, index: int) -> Sequence[Number]:
    if is_scalar(row):
        raise InvalidType(
            "must be a row of numbers", where=f"{where}, row {index}", value=row, remedy=_GIVE_ROWS
        )
    return row


def _row(ctx: MPContext, row: Sequence[Number], where: str, index: int, dim: int) -> Row:
    cells = _cells(row, where, index)
    if len(cells) != dim:
        raise InvalidInput(
            f"must have as many columns as row 0 ({dim})",
            where=f"{where}, row {index}",
            value=len(cells),
            remedy="pass rows of equal length",
        )
    return tuple(
        _cell(ctx, cell, f"{where}, row {index}, column {column}") for column, cell in enumerate(cells)
    )


def _cell(
    ctx: MPContext, cell: Number, where: str, remedy: str = "remove the row, or fill in a finite number"
) -> mpf:
    if not is_scalar(cell):
        raise InvalidType("must be a number", where=where, value=cell, remedy="pass one number for each cell")
    value = to_mpf(ctx, cell, where)
    if not ctx.isfinite(value):
        raise InvalidInput("must be finite", where=where, value=cell, remedy=remedy)
    return value


LARGEST_COUNT: Final = 2**53
"""Counts stay below it in sum, so that the float64 package reads the same numbers as counts."""


@dataclass(frozen=True, slots=True)
class Masses:
    """The masses of the rows that have one, and the places of these rows among the given ones.

    Not in the paper. With masses m_i of sum M the objective is J(g) = (1/M) sum_i m_i rho(|Phi(X_i) - g|),
    and a row of mass m stands for m equal rows of mass 1. Masses are given as sample weights: whole numbers
    are counts of copies, and M is the number N of the rows with all of their copies. Other weights s_i matter
    by their ratios only. They are scaled to the sum

        N = (sum_i s_i)^2 / sum_i s_i^2,

    Kish's effective number of rows. Equal weights then have the mass 1 each and mean the rows alone, so that
    N stands for n wherever a rule asks for the number of rows; it changes continuously with the weights.

    Attributes
    ----------
    values : tuple of mpf, shape (k,)
        m_i, not 0: counts, or relative weights scaled to the sum N.
    total : mpf
        Their sum N.
    total_less_one : mpf
        N - 1 with all digits, which a difference loses where one row has nearly all of the mass.
    is_counted : bool
        Whether they are counts of copies.
    kept : tuple of int, shape (k,)
        The places of the rows with a mass; the others are removed.
    size : int
        n, the number of rows that are given.
    """

    values: Row
    total: mpf
    total_less_one: mpf
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
    ones, places = (ctx.mpf(1),) * count, tuple(range(count))
    return Masses(ones, ctx.mpf(count), ctx.mpf(count - 1), is_counted=True, kept=places, size=count)


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
    number = total * scale
    return Masses(values, _rounded(ctx, number), _rounded(ctx, number - 1), is_counted, kept, count)


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

"""Checks of the arguments of public functions: tables, weights, counts, parameters.

Every message names the argument, the 0-based row and column, the value, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
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
        raise InvalidInput(
            f"must sum to 1, got {ctx.nstr(total, 17)}", where=where, remedy="divide the weights by their sum"
        )
    return tuple(entry / total for entry in read)


def checked_sequence(values: Sequence[Entry], where: str, remedy: str) -> Sequence[Entry]:
    """Return a sequence as it is; raise `InvalidType` for a text or a single value."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise InvalidType("must be a sequence", where=where, value=values, remedy=remedy)
    return values


def number_list(ctx: MPContext, values: Sequence[Number], where: str) -> Row:
    """Read a sequence of finite numbers; raises as `points` does, naming the row."""
    entries = checked_sequence(values, where, "pass a sequence of numbers")
    return tuple(_cell(ctx, entry, f"{where}, row {index}") for index, entry in enumerate(entries))


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


def _cell(ctx: MPContext, cell: Number, where: str) -> mpf:
    if not is_scalar(cell):
        raise InvalidType("must be a number", where=where, value=cell, remedy="pass one number for each cell")
    value = to_mpf(ctx, cell, where)
    if not ctx.isfinite(value):
        raise InvalidInput(
            "must be finite", where=where, value=cell, remedy="remove the row, or fill in a finite number"
        )
    return value

"""Checks of what comes in at the public edge: tables, weights, counts, parameters.

Every message names the argument, the 0-based row and column, the value, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Real
from typing import Final, TypeVar

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
_RESHAPE: Final = "one column is X.reshape(-1, 1), or [[value] for value in X]; one row is X.reshape(1, -1)"


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
        raise InvalidInput("no rows", where=where, remedy=_GIVE_ROWS)
    dim = len(_cells(rows[0], where, 0))
    if dim == 0:
        raise InvalidInput("a row has no column", where=f"{where}, row 0", remedy=_GIVE_ROWS)
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
            f"{len(_cells(rows[0], where, 0))} columns where the data have {dim}",
            where=where,
            remedy="pass as many columns as the data have",
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
    entries = checked_sequence(weights, where, "pass one number a row")
    if len(entries) != count:
        raise InvalidInput(
            f"{len(entries)} weights for {count} rows", where=where, remedy="pass one number a row"
        )
    read = number_list(ctx, weights, where)
    for index, entry in enumerate(read):
        if entry < 0:
            raise InvalidInput(
                "a negative weight",
                where=f"{where}, row {index}",
                value=weights[index],
                remedy="weights are >= 0",
            )
    total = ctx.fsum(read)
    if abs(total - 1) > to_mpf(ctx, WEIGHT_SUM_SLACK):
        raise InvalidInput(
            "the weights do not sum to 1",
            where=where,
            value=ctx.nstr(total, 17),
            remedy="divide them by their sum",
        )
    return tuple(entry / total for entry in read)


def checked_sequence(values: Sequence[Entry], where: str, remedy: str) -> Sequence[Entry]:
    """Return a sequence as it is; raise `InvalidType` for a text or a single value."""
    if isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
        raise InvalidType("not a sequence", where=where, value=values, remedy=remedy)
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
        raise InvalidType("not an integer", where=where, value=value, remedy="pass an integer >= 0")
    if int(value) < 0:
        raise InvalidInput("negative", where=where, value=value, remedy="pass an integer >= 0")
    return int(value)


def dimension(dim: int) -> int:
    """Check a dimension, an integer >= 1; raises as `nonnegative_count`, and for 0."""
    if nonnegative_count(dim, "dim") == 0:
        raise InvalidInput(
            "a dimension is at least 1", where="dim", value=dim, remedy="pass the number of columns"
        )
    return int(dim)


def positive_number(number: Number, where: str) -> None:
    """Check a finite number > 0, without a context."""
    if exact_value(number, where) <= 0:
        raise InvalidInput("not positive", where=where, value=number, remedy="pass a finite number > 0")


def exact_value(number: Number, where: str = "number") -> Fraction:
    """Return the exact rational value of a number; raises as `to_mpf`, and `InvalidInput` if not finite."""
    value = to_mpf(_READER, number, where)
    if not _READER.isfinite(value):
        raise InvalidInput("not finite", where=where, value=number, remedy="pass a finite number")
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
        raise InvalidType("text is no table", where=where, value=X, remedy=_GIVE_ROWS)
    rows = list(checked_sequence(X, where, _GIVE_ROWS))
    if rows and is_scalar(rows[0]):
        if isinstance(rows[0], (str, bytes)) or rows[0] is None:
            raise InvalidType(
                "not a row of numbers", where=f"{where}, row 0", value=rows[0], remedy=_GIVE_ROWS
            )
        raise InvalidInput("one-dimensional data; rows and columns are needed", where=where, remedy=_RESHAPE)
    return rows


def _cells(row: Sequence[Number], where: str, index: int) -> Sequence[Number]:
    if is_scalar(row):
        raise InvalidType("not a row of numbers", where=f"{where}, row {index}", value=row, remedy=_GIVE_ROWS)
    return row


def _row(ctx: MPContext, row: Sequence[Number], where: str, index: int, dim: int) -> Row:
    cells = _cells(row, where, index)
    if len(cells) != dim:
        raise InvalidInput(
            f"ragged: {len(cells)} columns where {dim} are expected",
            where=f"{where}, row {index}",
            remedy="give every row the same number of columns",
        )
    return tuple(
        _cell(ctx, cell, f"{where}, row {index}, column {column}") for column, cell in enumerate(cells)
    )


def _cell(ctx: MPContext, cell: Number, where: str) -> mpf:
    if not is_scalar(cell):
        raise InvalidType("not a number", where=where, value=cell, remedy="pass one number a cell")
    value = to_mpf(ctx, cell, where)
    if not ctx.isfinite(value):
        raise InvalidInput("not finite", where=where, value=cell, remedy="remove the row or fill the cell")
    return value

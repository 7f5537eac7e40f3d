"""What an answer claims to have proved about its limit, compared with the limit itself."""

import math
from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from functools import reduce
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import as_decimal
from rkde.conformance.vectors import Case, Expected

# Of a sum of products of so many small numbers; far above what rounding does, far below what a claim is for.
_ROUNDING: Final = 2.0**-44
# More than the golden vectors have.
_DIGITS: Final = Context(prec=60, traps=[])


def distance_to_limit(case: Case, weights: Json, right: Expected) -> float | None:
    """Return |f_w - f_w*| in tau for weights w and the right ones, less what rounding may do.

    Result: none where an answer, a kernel or rows leave nothing to compute; infinite where the weights do not
    let themselves be compared in floats. With v = w / sum w - w*, of sum
    0, the square is -v'D v / 2 with D_ij = 2 (1 - kappa_ij).
    """
    change = _change(weights, right.values.get("weights"))
    rows = [_numbers(row) for row in cast(list[Json], case.request.get("X") or [])]
    kernel = cast(Mapping[str, Json], case.request.get("kernel") or {})
    width = _number(kernel.get("bandwidth", right.values.get("bandwidth")))
    if not change or len(rows) != len(change) or not width or not width > 0:
        return None
    square = sum(
        -change[i] * change[j] * _unlikeness(kernel, rows[i], rows[j], width)
        for i in range(len(rows))
        for j in range(i)
    )
    size = sum(map(abs, change))
    if not math.isfinite(square) or not math.isfinite(size * size):
        return math.inf
    return math.sqrt(max(0.0, square * 2 - _ROUNDING * size * size))


def _change(weights: Json, right: Json) -> list[float]:
    """Return the difference of the weights, in decimals, where floats would leave little of it."""
    given, goal = (
        [as_decimal(value) for value in values] if isinstance(values, list) else []
        for values in (weights, right)
    )
    if len(given) != len(goal) or None in given or None in goal:
        return []
    ours, theirs = cast(list[Decimal], given), cast(list[Decimal], goal)
    total = reduce(_DIGITS.add, ours, Decimal(0))
    if not total > 0:
        return []
    return [
        float(_DIGITS.subtract(_DIGITS.divide(one, total), other))
        for one, other in zip(ours, theirs, strict=True)
    ]


def radius_of_limit(right: Expected) -> Decimal:
    """Return how far from the limit in tau the right weights themselves may be, by their radius.

    Each of n weights is off by the radius at most, and |Phi_i - Phi_j|^2 <= 2.
    """
    weights = right.values.get("weights")
    return right.radii.get("weights", Decimal(0)) * (2 * len(weights) if isinstance(weights, list) else 0)


def _unlikeness(
    kernel: Mapping[str, Json], left: Sequence[float], right: Sequence[float], width: float
) -> float:
    """Return 1 - kappa of two rows."""
    apart = math.dist([x / width for x in left], [x / width for x in right])
    name = kernel.get("name", "gaussian")
    if name == "laplacian":
        return -math.expm1(-apart)
    if name == "student":
        dof = _number(kernel.get("dof")) or math.inf
        return -math.expm1(-(dof + len(left)) / 2 * math.log1p(apart * apart / dof))
    return -math.expm1(-apart * apart / 2)


def _numbers(values: Json) -> list[float]:
    """Return a list of numbers as floats, empty where some entry is none."""
    found = [_number(value) for value in values] if isinstance(values, list) else []
    return [] if None in found else cast(list[float], found)


def _number(value: Json) -> float | None:
    number = as_decimal(value)
    return None if number is None else float(number)

"""How an error is measured: vectors against their largest entry, scalars relatively.

The numbers may be floats of one implementation and multiprecision numbers of the other: a difference is
taken in the wider of the two types and rounded to a float at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mpmath import mpf


def scalar_error(actual: float | mpf, expected: float | mpf) -> float:
    """Return |actual - expected| / |expected|.

    0 where both are equal (infinities of one sign are), infinite where only `expected` is 0 or only one is
    infinite; NaN agrees with nothing.
    """
    return vector_error([actual], [expected])


def vector_error(actual: Iterable[float | mpf], expected: Iterable[float | mpf]) -> float:
    """Return max|actual - expected| / max|expected|; NaN is infinitely far.

    Lengths that differ raise ValueError.
    """
    pairs = [(_operand(left), _operand(right)) for left, right in zip(actual, expected, strict=True)]
    differences = [abs(right - left) for left, right in pairs if left != right]
    if not differences:
        return 0.0
    scale = max(abs(right) for _, right in pairs)
    if scale == 0 or not all(math.isfinite(float(difference)) for difference in differences):
        return math.inf
    return float(max(differences) / scale)


def absolute_errors(actual: Iterable[float | mpf], expected: Iterable[float | mpf]) -> list[float]:
    """Return |actual - expected| entry by entry, 0 for equal infinities; unequal lengths raise ValueError."""
    pairs = [(_operand(left), _operand(right)) for left, right in zip(actual, expected, strict=True)]
    return [0.0 if left == right else float(abs(right - left)) for left, right in pairs]


def _operand(number: float | mpf) -> float:
    # float() strips numpy's scalar types, which turn a multiprecision operand into an array of objects; the
    # cast says to the type checker what arithmetic needs: both types add, subtract and compare alike.
    return float(number) if isinstance(number, float | int) else cast("float", number)

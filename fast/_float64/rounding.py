"""Constants of float64 arithmetic, and sums and products whose rounding error is bounded."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]

UNIT_ROUNDOFF: Final = 2.0**-53
# Terms up to which math.fsum takes less than a millisecond.
FEW_TERMS: Final = 2**12
# Columns a block of a product: the error of a sum is then (BLOCK + n / BLOCK) roundings instead of n.
BLOCK: Final = 64
# Roundings in one entry of D beside the d squares of a distance: scaling, division, expm1, log1p, sqrt and
# products, each elementary function taken at its documented worst of 4 ulp. The condition of 1 - kappa with
# respect to the squared distance is at most 1 for a completely monotone profile, so nothing is amplified.
ENTRY_ROUNDINGS: Final = 24
# D is a subnormal number only where kappa = 1 to the last bit; its absolute error is then below this.
TINY: Final = 2.0**-1022


def sum_factor(count: int) -> float:
    """Return gamma_m = m u / (1 - m u), the worst relative error of a sum of m terms.

    Result: the factor, without a unit.
    """
    return count * UNIT_ROUNDOFF / (1 - count * UNIT_ROUNDOFF)


def accurate_sum(values: Vector) -> float:
    """Return a sum that is off by at most one rounding of itself and a billionth of one of the sum of sizes.

    Shapes: values (n,).

    Notes
    -----
    `math.fsum`, correctly rounded, for short sums. Long ones are folded in halves; what each addition loses
    is itself a float64 (Knuth's TwoSum) and is added up apart, so that only second-order terms are lost:
    at most log2(n)^2 u^2 of the sum of sizes.

    Examples
    --------
    >>> accurate_sum(np.array([1.0, 1e100, 1.0, -1e100])), accurate_sum(np.full(2**15, 0.1))
    (2.0, 3276.8)
    """
    if values.size <= FEW_TERMS or not np.isfinite(values).all():
        return math.fsum(values)
    lost = 0.0
    while values.size > FEW_TERMS:
        half = values.size // 2
        rest = float(values[-1]) if values.size % 2 else 0.0
        left, right = values[:half], values[half : 2 * half]
        total = left + right
        shift = total - left
        lost += float(((left - (total - shift)) + (right - shift)).sum())
        if rest:
            total[0], error = _two_sum(float(total[0]), rest)
            lost += error
        values = total
    return math.fsum((*values.tolist(), lost))


def _two_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b rounded, and what the rounding lost."""
    total = a + b
    shift = total - a
    return total, (a - (total - shift)) + (b - shift)


def blocked_product(differences: Matrix, coefficients: Vector) -> Vector:
    """Multiply D by a vector, summing short blocks first so that the proved error stays small.

    Reads the blocks of D on and above the diagonal, each of which serves twice.

    Shapes: differences (n, n), D = 2(1 - kappa), nonnegative, symmetric; coefficients (n,); result (n,).
    Result: D @ coefficients, with error at most ``product_factor(n, m) * (D @ abs(coefficients))``, where m
    counts the roundings in the square of a distance.
    """
    total = np.zeros(len(coefficients))
    for first in range(0, len(total), BLOCK):
        last = min(first + BLOCK, len(total))
        panel, right = differences[first:last, first:], coefficients[first:]
        whole = len(right) - len(right) % BLOCK
        blocks = panel[:, :whole].reshape(len(panel), -1, BLOCK)
        total[first:last] += np.einsum("rbk,bk->rb", blocks, right[:whole].reshape(-1, BLOCK)).sum(axis=1)
        total[first:last] += panel[:, whole:] @ right[whole:]
        total[last:] += coefficients[first:last] @ panel[:, last - first :]
    return total


def product_factor(size: int, distance_roundings: int) -> float:
    """Return the relative error of `blocked_product`, entries of D included.

    Result: gamma_m with m = BLOCK + n / BLOCK + the roundings in the square of a distance and in an entry.
    """
    return sum_factor(BLOCK + math.ceil(size / BLOCK) + distance_roundings + ENTRY_ROUNDINGS)

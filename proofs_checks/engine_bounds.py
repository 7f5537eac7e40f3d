"""Tolerances for comparing engines: how far two ways to apply one matrix may differ.

An engine states two numbers for its proved products with D = 2(1 - kappa): a relative error against D|c| and
an absolute one against sum |c|, which holds its rounding and the kernel values that it leaves out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from rkde.proofs_checks.roundings import sum_bound, unit_roundoff
from rkde.proofs_checks.step_bounds import residual_sq_bound


def product_bounds(
    relative: float, absolute: float, magnitudes: Sequence[float], coefficients: Sequence[float]
) -> list[float]:
    """Absolute bound of each entry of a proved product, `magnitudes` being D|c|.

    The stated bound itself; the magnitudes and sum |c| carry n + d + 32 roundings at most where they were
    computed in float64, for which half as many roundings again as n + 64 leave room.
    """
    total = math.fsum(map(abs, coefficients))
    room = 1 + sum_bound(2 * len(magnitudes) + 64)
    return [(relative * magnitude + absolute * total) * room for magnitude in magnitudes]


def gram_bounds(product_errors: Sequence[float], coefficients: Sequence[float]) -> list[float]:
    """Absolute bound of each entry of K c = sum c - D c / 2 from that of D c.

    The sum has n - 1 roundings of sum |c|, the difference one, of at most that size again.
    """
    own = sum_bound(len(coefficients) + 1) * math.fsum(map(abs, coefficients))
    return [error + own for error in product_errors]


def engine_residual_bounds(
    residual_norms: Sequence[float], weights: Sequence[float], dim: int, absolute: float
) -> list[float]:
    """Absolute bound of each r_i by an engine whose products with D have the absolute error e.

    For weights of sum 1 the error e moves (D w)_i by e, w'D w / 2 by e / 2, and r_i^2 by their sum at most:
    2 e covers it with the roundings of the sum of weights. The rest is the bound of sums of nonnegative
    terms, and |r' - r| <= min(x / r, sqrt x) for |r'^2 - r^2| <= x; the root adds one rounding.
    """
    squares = [bound + 2 * absolute for bound in residual_sq_bound(residual_norms, weights, dim)]
    return [
        min(math.sqrt(square), square / norm if norm > 0 else math.inf) + unit_roundoff() * norm
        for square, norm in zip(squares, residual_norms, strict=True)
    ]


def left_out_bound() -> float:
    """Absolute bound of log f from leaving out a share of at most 2^-53 of f: log(1 - 2^-53) to first order.

    Twice that covers the second order and the rounding of the radius beyond which rows are left out.
    """
    return 2 * unit_roundoff()


def common_limit_bounds(first: float, second: float) -> float:
    """Bound of the difference of two answers that are each within a stated bound of one exact limit."""
    return (first + second) * (1 + sum_bound(2))


def sum_order_bound(n_terms: int) -> float:
    """Absolute bound between log sums of the same n nonnegative terms added in two orders.

    Each sum is off by at most sum_bound(n) relatively, hence its logarithm by that to first order; the
    shift that is added back and the logarithm itself are rounded as they are in both.
    """
    return 2 * sum_bound(n_terms + 8)

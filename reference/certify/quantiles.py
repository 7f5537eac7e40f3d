"""Order statistics and quantiles over balls, by numpy's thirteen named rules.

Every rule gives a mean of two neighbouring order statistics whose ranks and shares depend on n and the level
alone; they are computed in rational arithmetic. The k-th smallest of numbers known only as balls lies between
the k-th smallest lower end and the k-th smallest upper end, whatever the order of overlapping balls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import exact_ball
from rkde.vocabulary import QuantileRule

HALF: Final = Fraction(1, 2)
# Parameters (alpha, beta) of the continuous rules: Hyndman and Fan, "Sample quantiles in statistical
# packages" (1996).
PLOTTING_POSITIONS: Final[dict[str, tuple[Fraction, Fraction]]] = {
    "interpolated_inverted_cdf": (Fraction(0), Fraction(1)),
    "hazen": (HALF, HALF),
    "weibull": (Fraction(0), Fraction(0)),
    "linear": (Fraction(1), Fraction(1)),
    "median_unbiased": (Fraction(1, 3), Fraction(1, 3)),
    "normal_unbiased": (Fraction(3, 8), Fraction(3, 8)),
}


def enclose_quantile(values: Sequence[arb], level: Fraction, rule: QuantileRule) -> arb:
    """Enclose a quantile of numbers known as balls.

    Shapes: values (n,), at least one.
    """
    if not 0 <= level <= 1:
        raise InvalidInput(
            "must be levels between 0 and 1",
            where="quantiles",
            value=float(level),
            remedy="pass levels such as (0.5, 0.75, 0.85)",
        )
    position = quantile_position(len(values), level, rule)
    below = math.floor(position)
    share = exact_ball(position - below)
    low = order_statistic(values, below)
    if position == below:
        return low
    return low + share * (order_statistic(values, below + 1) - low)


def order_statistic(values: Sequence[arb], rank: int) -> arb:
    """Enclose the number of a rank, 0 for the smallest."""
    lower = sorted(value.lower() for value in values)[rank]
    upper = sorted(value.upper() for value in values)[rank]
    return lower.union(upper) if lower != upper else lower


def quantile_position(count: int, level: Fraction, rule: QuantileRule) -> Fraction:
    """Give the exact rank of a quantile, between 0 and count - 1; a fraction means linear interpolation."""
    if rule in PLOTTING_POSITIONS:
        alpha, beta = PLOTTING_POSITIONS[rule]
        position = count * level + alpha + level * (1 - alpha - beta) - 1
    elif rule in _STEP_RULES:
        position = _STEP_RULES[rule](count, level)
    else:
        raise InvalidInput(
            "must be the name of a quantile rule",
            where="quantile_rule",
            value=rule,
            remedy=f"use one of {', '.join((*PLOTTING_POSITIONS, *_STEP_RULES))}",
        )
    return min(max(position, Fraction(0)), Fraction(count - 1))


def _inverted_cdf(count: int, level: Fraction) -> Fraction:
    return Fraction(math.ceil(count * level) - 1)


def _averaged_inverted_cdf(count: int, level: Fraction) -> Fraction:
    position = count * level - 1
    return position + HALF if position.denominator == 1 else Fraction(math.ceil(position))


def _closest_observation(count: int, level: Fraction) -> Fraction:
    position = count * level - 1 - HALF
    below = math.floor(position)
    stays = position == below and below % 2 == 1
    return Fraction(below if stays else below + 1)


def _midpoint(count: int, level: Fraction) -> Fraction:
    position = (count - 1) * level
    return Fraction(math.floor(position) + math.ceil(position), 2)


_STEP_RULES: Final[dict[str, Callable[[int, Fraction], Fraction]]] = {
    "inverted_cdf": _inverted_cdf,
    "averaged_inverted_cdf": _averaged_inverted_cdf,
    "closest_observation": _closest_observation,
    "lower": lambda count, level: Fraction(math.floor((count - 1) * level)),
    "higher": lambda count, level: Fraction(math.ceil((count - 1) * level)),
    "midpoint": _midpoint,
    "nearest": lambda count, level: Fraction(round((count - 1) * level)),  # ties to even, as numpy
}

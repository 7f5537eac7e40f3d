"""The 13 definitions of a sample quantile, by numpy's names.

Nine are Hyndman and Fan's (1996); "lower", "higher", "midpoint" and "nearest" round the position of "linear".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mpmath import MPContext, mpf

from rkde.vocabulary import QuantileRule

Rule = Callable[[MPContext, Sequence[mpf], mpf], mpf]


def _interpolated(alpha: tuple[int, int], beta: tuple[int, int]) -> Rule:
    """Return the rule that interpolates linearly at the 1-based position n p + alpha + p (1 - alpha - beta).

    The parameters are fractions (numerator, denominator), so that 1/3 and 3/8 are exact up to one rounding.
    """

    def rule(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
        first, last = (ctx.mpf(top) / bottom for top, bottom in (alpha, beta))
        return _at_position(ctx, ordered, len(ordered) * level + first + level * (1 - first - last))

    return rule


def _inverted_cdf(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    """Return the smallest entry with at least n p entries up to it."""
    return _entry(ordered, _ceiling(ctx, len(ordered) * level))


def _averaged_inverted_cdf(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    """As `_inverted_cdf`; where n p is an integer, the mean of that entry and the next."""
    position = len(ordered) * level
    return (_entry(ordered, _ceiling(ctx, position)) + _entry(ordered, int(ctx.floor(position)) + 1)) / 2


def _closest_observation(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    """Return the entry whose number is nearest to n p; half-way, the even one."""
    return _entry(ordered, _nearest_even(ctx, len(ordered) * level))


def _lower(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    return _entry(ordered, int(ctx.floor(_linear_position(ordered, level))))


def _higher(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    return _entry(ordered, _ceiling(ctx, _linear_position(ordered, level)))


def _midpoint(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    return (_lower(ctx, ordered, level) + _higher(ctx, ordered, level)) / 2


def _nearest(ctx: MPContext, ordered: Sequence[mpf], level: mpf) -> mpf:
    """Round the position of "linear", counted from 0, to the nearest integer; half-way, to the even one."""
    return _entry(ordered, _nearest_even(ctx, _linear_position(ordered, level) - 1) + 1)


# The parameters (alpha, beta) of Hyndman and Fan's definitions 4 to 9.
QUANTILE_RULES: Final[dict[QuantileRule, Rule]] = {
    "inverted_cdf": _inverted_cdf,
    "averaged_inverted_cdf": _averaged_inverted_cdf,
    "closest_observation": _closest_observation,
    "interpolated_inverted_cdf": _interpolated((0, 1), (1, 1)),
    "hazen": _interpolated((1, 2), (1, 2)),
    "weibull": _interpolated((0, 1), (0, 1)),
    "linear": _interpolated((1, 1), (1, 1)),
    "median_unbiased": _interpolated((1, 3), (1, 3)),
    "normal_unbiased": _interpolated((3, 8), (3, 8)),
    "lower": _lower,
    "higher": _higher,
    "midpoint": _midpoint,
    "nearest": _nearest,
}


def _linear_position(ordered: Sequence[mpf], level: mpf) -> mpf:
    """Return the 1-based position (n - 1) p + 1 of the rule "linear"."""
    return (len(ordered) - 1) * level + 1


def _at_position(ctx: MPContext, ordered: Sequence[mpf], position: mpf) -> mpf:
    """Interpolate linearly at a 1-based position, clamped to the entries."""
    below = ctx.floor(position)
    share = position - below
    lower, upper = _entry(ordered, int(below)), _entry(ordered, int(below) + 1)
    return lower + share * (upper - lower)


def _entry(ordered: Sequence[mpf], number: int) -> mpf:
    """Return the entry of a 1-based number, clamped to the entries."""
    return ordered[min(max(number, 1), len(ordered)) - 1]


def _ceiling(ctx: MPContext, position: mpf) -> int:
    return -int(ctx.floor(-position))


def _nearest_even(ctx: MPContext, position: mpf) -> int:
    below = int(ctx.floor(position))
    excess = 2 * (position - below) - 1
    up = excess > 0 or (excess == 0 and below % 2 == 1)
    return below + 1 if up else below

"""The 13 definitions of a sample quantile, by numpy's names, for numbers with masses.

Nine are Hyndman and Fan's (1996); "lower", "higher", "midpoint" and "nearest" round the position of "linear".

Let the numbers have the masses m_i of sum N, and let F^-1(t) be the smallest number up to which the masses
sum to t at least. A rule that interpolates has a position h among N numbers, and its quantile is the mean of
F^-1 between h - 1 and h. Where the masses are counts this is the rule itself on the repeated numbers; for
other masses it is continuous in them, and in the level. "inverted_cdf" and "averaged_inverted_cdf" ask where
the masses reach N p, which needs no position. The others take the number at a whole position, and only counts
have such positions: they refuse relative weights.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Self

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.numbers.context import rounding_level
from rkde.reference.numbers.inputs import Masses, Row, unit_masses
from rkde.vocabulary import QuantileRule


@dataclass(frozen=True, slots=True)
class Ordered:
    """Numbers in increasing order with masses.

    Attributes
    ----------
    values : tuple of mpf, shape (k,)
    reached : tuple of mpf, shape (k,)
        The sum of the masses up to each number.
    total : mpf
        The sum N of all masses.
    is_counted : bool
        Whether the masses are counts, so that there are N numbers.
    """

    values: Row
    reached: Row
    total: mpf
    is_counted: bool

    @classmethod
    def of(cls, ctx: MPContext, values: Sequence[mpf], masses: Masses | None = None) -> Self:
        """Sort numbers, which carry the mass 1 each unless masses are given."""
        masses = masses or unit_masses(ctx, len(values))
        pairs = sorted(zip(values, masses.values, strict=True))
        *inner, _ = accumulate(mass for _, mass in pairs)
        in_order = tuple(value for value, _ in pairs)
        return cls(in_order, (*inner, masses.total), masses.total, masses.is_counted)

    @classmethod
    def in_order(cls, ctx: MPContext, values: Sequence[mpf]) -> Self:
        """Take numbers of mass 1 in the order in which they are given."""
        reached = tuple(ctx.mpf(place + 1) for place in range(len(values)))
        return cls(tuple(values), reached, reached[-1], is_counted=True)

    def entry(self, number: int) -> mpf:
        """Return the entry of a 1-based number among N, clamped to them."""
        return self._inverse(max(number, 1))

    def at_position(self, position: mpf) -> mpf:
        """Return the mean of F^-1 between h - 1 and h, for a 1-based position h that is clamped to [1, N]."""
        clamped = position if position >= 1 else self.total * 0 + 1
        end = clamped if clamped <= self.total else self.total
        first = bisect_left(self.reached, end - 1)
        if self.reached[first] == end - 1:
            first += 1
        last = bisect_left(self.reached, end)
        lowest = self.values[first]
        value = lowest
        for place in range(first + 1, last + 1):
            value += (min(self.reached[place], end) - self.reached[place - 1]) * (self.values[place] - lowest)
        return value

    def limit(self, ctx: MPContext, mass: mpf, side: int) -> mpf:
        """Return the limit of F^-1 at a mass, but for rounding, from the left (side -1) or the right (1)."""
        return self._inverse(mass + side * rounding_level(ctx) * self.total)

    def _inverse(self, mass: mpf | int) -> mpf:
        return self.values[min(bisect_left(self.reached, mass), len(self.values) - 1)]


Rule = Callable[[MPContext, Ordered, mpf], mpf]


def _interpolated(alpha: tuple[int, int], beta: tuple[int, int]) -> Rule:
    """Return the rule that interpolates linearly at the 1-based position n p + alpha + p (1 - alpha - beta).

    The parameters are fractions (numerator, denominator), so that 1/3 and 3/8 are exact up to one rounding.
    """

    def rule(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
        first, last = (ctx.mpf(top) / bottom for top, bottom in (alpha, beta))
        return ordered.at_position(ordered.total * level + first + level * (1 - first - last))

    return rule


def _inverted_cdf(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    """Return the smallest entry with a mass of at least n p up to it."""
    if ordered.is_counted:
        return ordered.entry(_ceiling(ctx, ordered.total * level))
    return ordered.limit(ctx, ordered.total * level, -1)


def _averaged_inverted_cdf(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    """As `_inverted_cdf`; where the mass n p is reached exactly, the mean of that entry and the next."""
    reached = ordered.total * level
    if ordered.is_counted:
        return (ordered.entry(_ceiling(ctx, reached)) + ordered.entry(int(ctx.floor(reached)) + 1)) / 2
    return (ordered.limit(ctx, reached, -1) + ordered.limit(ctx, reached, 1)) / 2


def _closest_observation(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    """Return the entry whose number is nearest to n p; half-way, the even one."""
    return ordered.entry(_nearest_even(ctx, ordered.total * level))


def _lower(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    return ordered.entry(int(ctx.floor(_linear_position(ordered, level))))


def _higher(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    return ordered.entry(_ceiling(ctx, _linear_position(ordered, level)))


def _midpoint(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    return (_lower(ctx, ordered, level) + _higher(ctx, ordered, level)) / 2


def _nearest(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
    """Round the position of "linear", counted from 0, to the nearest integer; half-way, to the even one."""
    return ordered.entry(_nearest_even(ctx, _linear_position(ordered, level) - 1) + 1)


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

# Those that take the number at a whole position.
_BY_PLACE: Final = ("closest_observation", "lower", "higher", "midpoint", "nearest")


def check_rule_for(masses: Masses, rule: QuantileRule) -> None:
    """Refuse relative weights under a rule that takes the number at a whole position."""
    if rule in _BY_PLACE and not masses.is_counted:
        raise InvalidInput(
            "must be a rule that is defined for fractional weights",
            where="quantile_rule",
            value=rule,
            remedy='use "linear" or "inverted_cdf", or pass whole numbers as sample_weight',
        )


def _linear_position(ordered: Ordered, level: mpf) -> mpf:
    """Return the 1-based position (n - 1) p + 1 of the rule "linear"."""
    return (ordered.total - 1) * level + 1


def _ceiling(ctx: MPContext, position: mpf) -> int:
    return -int(ctx.floor(-position))


def _nearest_even(ctx: MPContext, position: mpf) -> int:
    below = int(ctx.floor(position))
    excess = 2 * (position - below) - 1
    up = excess > 0 or (excess == 0 and below % 2 == 1)
    return below + 1 if up else below

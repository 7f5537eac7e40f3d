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

from bisect import bisect_left, bisect_right
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
    masses : tuple of mpf, shape (k,)
    reached : tuple of mpf, shape (k,)
        The sum of the masses up to each number.
    beyond : tuple of mpf, shape (k,)
        The sum of the masses after each number.
    total : mpf
        The sum N of all masses.
    total_less_one : mpf
        N - 1, not by a difference.
    is_counted : bool
        Whether the masses are counts, so that there are N numbers.
    """

    values: Row
    masses: Row
    reached: Row
    beyond: Row
    total: mpf
    total_less_one: mpf
    is_counted: bool

    @classmethod
    def of(cls, ctx: MPContext, values: Sequence[mpf], masses: Masses | None = None) -> Self:
        """Sort numbers, which carry the mass 1 each unless masses are given."""
        masses = masses or unit_masses(ctx, len(values))
        pairs = sorted(zip(values, masses.values, strict=True))
        return cls._of(ctx, [value for value, _ in pairs], [mass for _, mass in pairs], masses)

    @classmethod
    def in_order(cls, ctx: MPContext, values: Sequence[mpf]) -> Self:
        """Take numbers of mass 1 in the order in which they are given."""
        masses = unit_masses(ctx, len(values))
        return cls._of(ctx, values, masses.values, masses)

    @classmethod
    def _of(cls, ctx: MPContext, values: Sequence[mpf], in_order: Sequence[mpf], masses: Masses) -> Self:
        *inner, _ = accumulate(in_order)
        *beyond, _ = accumulate(reversed(in_order), initial=ctx.mpf(0))
        return cls(
            tuple(values),
            tuple(in_order),
            (*inner, masses.total),
            tuple(reversed(beyond)),
            masses.total,
            masses.total_less_one,
            masses.is_counted,
        )

    def entry(self, number: int) -> mpf:
        """Return the entry of a 1-based number among N, clamped to them."""
        return self._inverse(max(number, 1))

    def mean_from(self, start: mpf) -> mpf:
        """Return the mean of F^-1 between t and t + 1, for a mass t that is clamped to [0, N - 1].

        The window ends N - 1 - t before N. That has digits which t + 1 loses where N is nearly 1, because one
        number has nearly all of the mass.
        """
        zero = self.total * 0
        start = min(max(start, zero), self.total_less_one)
        rest = self.total_less_one - start
        first = bisect_right(self.reached, start)
        lowest = value = self.values[first]
        for place in range(first + 1, len(self.values)):
            inside = self.masses[place] - max(rest - self.beyond[place], zero)
            if inside <= 0:
                break
            value += inside * (self.values[place] - lowest)
        return value

    def limit(self, ctx: MPContext, mass: mpf, side: int) -> mpf:
        """Return the limit of F^-1 at a mass, but for rounding, from the left (side -1) or the right (1)."""
        return self._inverse(mass + side * rounding_level(ctx) * self.total)

    def _inverse(self, mass: mpf | int) -> mpf:
        return self.values[min(bisect_left(self.reached, mass), len(self.values) - 1)]


Rule = Callable[[MPContext, Ordered, mpf], mpf]


def _interpolated(alpha: tuple[int, int], beta: tuple[int, int]) -> Rule:
    """Return the rule that interpolates linearly at the 1-based position n p + alpha + p (1 - alpha - beta).

    Counted from 0 it is (n - 1) p + alpha - 1 + p (2 - alpha - beta). The parameters are fractions
    (numerator, denominator), so that 1/3 and 3/8 are exact up to one rounding.
    """

    def rule(ctx: MPContext, ordered: Ordered, level: mpf) -> mpf:
        first, last = (ctx.mpf(top) / bottom for top, bottom in (alpha, beta))
        apart = (first - 1) + level * (2 - first - last)
        return ordered.mean_from(ordered.total_less_one * level + apart)

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
    return ordered.total_less_one * level + 1


def _ceiling(ctx: MPContext, position: mpf) -> int:
    return -int(ctx.floor(-position))


def _nearest_even(ctx: MPContext, position: mpf) -> int:
    below = int(ctx.floor(position))
    excess = 2 * (position - below) - 1
    up = excess > 0 or (excess == 0 and below % 2 == 1)
    return below + 1 if up else below

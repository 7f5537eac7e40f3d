"""The exact Wilcoxon signed-rank test of section 6.1.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from mpmath import MPContext, mpf

from rkde.reference.numbers import (
    Extended,
    Number,
    doubled_ranks,
    extended_numbers,
    guarded,
    magnitude,
    rounded,
)

_ZERO: Final[Extended] = (0, Fraction(0))


@dataclass(frozen=True, slots=True)
class SignedRank:
    """The outcome of a signed-rank test (section 6.1.3).

    Attributes
    ----------
    rank_sum_1, rank_sum_2 : mpf
        R_1 and R_2: the sums of the ranks of the positive and of the negative differences.
    statistic : mpf
        T, the smaller of the two.
    zeros : int
        Number of differences that are 0 and have no rank.
    p_value : mpf
        Two-sided, between 0 and 1.

    Examples
    --------
    >>> from rkde.reference import make_context, signed_rank
    >>> test = signed_rank(make_context(20), [1, 2, 3])
    >>> print(test.statistic, test.p_value)
    0.0 0.25
    """

    rank_sum_1: mpf
    rank_sum_2: mpf
    statistic: mpf
    zeros: int
    p_value: mpf


@guarded
def signed_rank(ctx: MPContext, differences: Sequence[Number]) -> SignedRank:
    """Test whether differences are symmetric about 0, by the exact conditional distribution of their ranks.

    Parameters
    ----------
    ctx : mpmath.MPContext
    differences : sequence of numbers, shape (m,)
        Performance differences h_i, positive where method 1 is better, in any unit. Infinite ones rank
        highest and tie with one another; zeros are dropped and counted.

    Returns
    -------
    SignedRank
        With p = min(1, 2 P(R <= T)), R being the sum of the ranks that get a fair coin's head.

    Raises
    ------
    InvalidType
        If `differences` is not a sequence of numbers.
    InvalidInput
        If one of them is NaN.

    Notes
    -----
    Ties of |h_i| share the mean of their ranks, and the distribution is the one given these mid-ranks. The
    number of sign patterns with each rank sum is a coefficient of the product of (1 + z^(2 r_i)). It is
    multiplied out in one integer with enough bits for each coefficient, so nothing is rounded; that takes m
    shifts and additions of m^3 bits.

    References
    ----------
    Section 6.1.3 and Tables 1 to 3.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> test = signed_rank(make_context(20), [1, 2, -3, 4, 0])
    >>> print(test.rank_sum_1, test.rank_sum_2, test.statistic, test.zeros, test.p_value)
    7.0 3.0 3.0 1 0.625
    """
    values = extended_numbers(differences, "differences")
    signs = [value for value in values if value != _ZERO]
    doubled = doubled_ranks([magnitude(value) for value in signs])
    above = sum(rank for rank, value in zip(doubled, signs, strict=True) if value > _ZERO)
    below = sum(doubled) - above
    statistic = min(above, below)
    share = min(Fraction(1), 2 * Fraction(_patterns_up_to(doubled, statistic), 2 ** len(doubled)))
    return SignedRank(
        rank_sum_1=ctx.mpf(above) / 2,
        rank_sum_2=ctx.mpf(below) / 2,
        statistic=ctx.mpf(statistic) / 2,
        zeros=len(values) - len(signs),
        p_value=ctx.mpf(share.numerator) / share.denominator,
    )


def _patterns_up_to(doubled: Sequence[int], limit: int) -> int:
    """Count the subsets of the doubled ranks whose sum is at most `limit`."""
    # No coefficient exceeds 2^m, and neither does a sum of them.
    width = len(doubled) + 1
    mask = (1 << width * (limit + 1)) - 1
    product = 1
    for rank in doubled:
        product += (product << width * rank) & mask
    one = (1 << width) - 1
    return sum((product >> width * total) & one for total in range(limit + 1))


@rounded.register(SignedRank)
def _rounded_test(test: SignedRank, ctx: MPContext) -> SignedRank:
    return replace(
        test,
        rank_sum_1=ctx.mpf(test.rank_sum_1),
        rank_sum_2=ctx.mpf(test.rank_sum_2),
        statistic=ctx.mpf(test.statistic),
        p_value=ctx.mpf(test.p_value),
    )

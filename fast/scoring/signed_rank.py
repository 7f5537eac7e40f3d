"""The exact Wilcoxon signed-rank test of section 6.1.3."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.fast._float64 import as_extended, doubled_ranks


@dataclass(frozen=True, slots=True)
class SignedRank:
    """The outcome of a signed-rank test (section 6.1.3).

    Attributes
    ----------
    rank_sum_1, rank_sum_2 : float
        R_1 and R_2: the sums of the ranks of the positive and of the negative differences.
    statistic : float
        T, the smaller of the two.
    zeros : int
        Number of differences that are 0 and have no rank.
    p_value : float
        Two-sided, between 0 and 1.

    Examples
    --------
    >>> from rkde.fast import signed_rank
    >>> test = signed_rank([1.0, 2.0, 3.0])
    >>> test.statistic, test.p_value
    (0.0, 0.25)
    """

    rank_sum_1: float
    rank_sum_2: float
    statistic: float
    zeros: int
    p_value: float


def signed_rank(differences: ArrayLike) -> SignedRank:
    """Test whether differences are symmetric about 0, by the exact conditional distribution of their ranks.

    Parameters
    ----------
    differences : array_like, shape (m,)
        Performance differences h_i, positive where method 1 is better, in any unit. Infinite ones rank
        highest and tie with one another; zeros are dropped and counted.

    Returns
    -------
    SignedRank
        With p = min(1, 2 P(R <= T)), R being the sum of the ranks that get a fair coin's head.

    Raises
    ------
    InvalidType, InvalidInput
        The differences are not a flat list of numbers, or one is NaN.

    Notes
    -----
    Ties of |h_i| share the mean of their ranks, and the distribution is the one given these mid-ranks. One
    rank after another is added: the probability of a sum is half of that without the rank, at the sum and at
    the sum less the rank. Halving is exact and nothing is subtracted, so the relative error is at most m
    roundings; for up to 53 ranks every probability is a float64 and p is exact. About m^3/2 additions.

    Examples
    --------
    >>> signed_rank([1.0, 2.0, -3.0, 4.0, 0.0])
    SignedRank(rank_sum_1=7.0, rank_sum_2=3.0, statistic=3.0, zeros=1, p_value=0.625)
    """
    values = as_extended(differences, where="differences")
    signed = values[values != 0]
    doubled = doubled_ranks(np.abs(signed))
    above, below = int(doubled[signed > 0].sum()), int(doubled[signed < 0].sum())
    lower = min(above, below)
    return SignedRank(
        rank_sum_1=above / 2,
        rank_sum_2=below / 2,
        statistic=lower / 2,
        zeros=len(values) - len(signed),
        p_value=min(1.0, 2 * _chance_up_to(doubled, lower)),
    )


def _chance_up_to(doubled: NDArray[np.int64], limit: int) -> float:
    """Return the probability that the chosen ones among the doubled ranks sum to at most `limit`."""
    chance = np.zeros(limit + 1)
    chance[0] = 1.0
    for rank in doubled:
        chance /= 2
        if rank <= limit:
            # The right side is evaluated before anything is written.
            chance[rank:] = chance[rank:] + chance[: limit + 1 - rank]
    return float(chance.sum())

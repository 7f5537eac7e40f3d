"""Highest-density regions: the smallest set that holds a share of an estimate (Hyndman 1996)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import TableLike, as_count, as_number, linear_quantile
from rkde.fast.estimates import Rkde

# The share of a region is then within 0.005 of its level, or half a standard error less.
_DRAWS: Final = 10_000


@dataclass(frozen=True, slots=True, eq=False)
class HighestDensityRegion:
    """The points at which an estimate is at least as dense as a threshold.

    Attributes
    ----------
    estimate : Rkde
        The estimate.
    level : float
        The share of the estimate that the region is to hold.
    log_threshold : float
        The natural logarithm of the threshold.
    standard_error : float
        That of the share that the region holds, since the threshold comes from random draws.

    Examples
    --------
    >>> import rkde
    >>> region = highest_density_region(rkde.fit([[k / 10] for k in range(40)]), 0.5)
    >>> region.contains([[2.0], [0.0]]), region.standard_error
    (array([ True, False]), 0.005)
    """

    estimate: Rkde
    level: float
    log_threshold: float
    standard_error: float

    def contains(self, queries: TableLike) -> NDArray[np.bool_]:
        """Tell which rows of queries, shape (m, d), lie in the region, shape (m,)."""
        return np.asarray(self.estimate.log_density(queries) >= self.log_threshold)


def highest_density_region(
    estimate: Rkde, level: float, *, n_draws: int = _DRAWS, rng: np.random.Generator | int = 0
) -> HighestDensityRegion:
    """Return the region of highest density that holds a share of an estimate.

    Parameters
    ----------
    estimate : Rkde
        The estimate f.
    level : float
        The share, above 0 and below 1.
    n_draws : int
        How many points are drawn from f.
    rng : Generator or int
        A generator or a seed.

    Returns
    -------
    HighestDensityRegion
        With t the quantile of f(Y), Y drawn from f, at 1 - level: f is at least t with probability `level`,
        and no smaller set has this probability.

    Raises
    ------
    InvalidInput
        The level is outside of (0, 1), or there are no draws.

    Notes
    -----
    Cost: `n_draws` draws, and `log_density` at them. The same seed gives the same region.

    References
    ----------
    Hyndman (1996), Computing and graphing highest density regions, Am. Stat. 50, 120-126.

    Examples
    --------
    >>> import rkde
    >>> estimate = rkde.fit([[k / 10] for k in range(40)] + [[30.0]])
    >>> highest_density_region(estimate, 0.9).contains([[2.0], [9.0], [30.0]])
    array([ True, False, False])
    """
    share = as_number(level, where="level")
    if not 0 < share < 1:
        raise InvalidInput(
            "must be above 0 and below 1", where="level", value=level, remedy="pass a share such as 0.95"
        )
    count = as_count(n_draws, where="n_draws", minimum=1)
    logs = estimate.log_density(estimate.sample(count, rng))
    return HighestDensityRegion(
        estimate, share, linear_quantile(logs, 1 - share), math.sqrt(share * (1 - share) / count)
    )

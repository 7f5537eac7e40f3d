"""A variable kernel density estimate with bandwidths from k-th nearest neighbours (section 6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mpmath import MPContext

from rkde.errors import InvalidInput
from rkde.reference._kernel import Kernel, checked_kernel, squared_distance
from rkde.reference._variable_estimate import VariableEstimate
from rkde.reference.context import guarded, rounded, to_mpf
from rkde.reference.inputs import Rows, points


@dataclass(frozen=True, slots=True)
class NearestVkde(VariableEstimate):
    """Equal weights, bandwidths in proportion to distances to the k-th neighbour (section 6.1.2).

    Attributes
    ----------
    X : tuple of tuple of mpf, shape (n, d)
    kernel : Kernel
        Its bandwidth is the median of `bandwidths`.
    neighbours : int
        k.
    bandwidths : tuple of mpf, shape (n,)
        sigma_i, in the unit of the data.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context, nearest_vkde
    >>> ctx = make_context(20)
    >>> estimate = nearest_vkde(ctx, [[0], [1], [5]], Gaussian(2), 1)
    >>> print(estimate.neighbours, ctx.nstr(estimate.log_density(ctx, [["0.5"]])[0], 12))
    1 -1.94435354032
    """

    neighbours: int


@guarded
def nearest_vkde(ctx: MPContext, X: Rows, kernel: Kernel, neighbours: int) -> NearestVkde:
    """Return the estimate with bandwidths sigma_i = sigma d_i / median(d), d_i the k-th nearest distance.

    Section 6.1.2 mentions such a variant and gives no formula. With this one k = 1 and the paper's bandwidth
    rule give each row the distance to its own nearest neighbour.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
        Its bandwidth sigma becomes the median of the bandwidths.
    neighbours : int
        k: d_i is the k-th smallest of the positive distances from row i to the others.

    Returns
    -------
    NearestVkde

    Raises
    ------
    InvalidInput, InvalidType
        If X is no table of finite numbers, `kernel` no kernel, or some row has fewer than k others at a
        positive distance.

    Notes
    -----
    n^2 distances, each sorted with the others of its row.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context
    >>> ctx = make_context(20)
    >>> estimate = nearest_vkde(ctx, [[0], [1], [5]], Gaussian(2), 1)
    >>> print(*(ctx.nstr(bandwidth, 6) for bandwidth in estimate.bandwidths))
    2.0 2.0 8.0
    """
    checked_kernel(kernel)
    rows = points(ctx, X)
    distances = []
    for index, row in enumerate(rows):
        squares = sorted(square for other in rows if (square := squared_distance(ctx, row, other)) > 0)
        if not 0 < neighbours <= len(squares):
            raise InvalidInput(
                f"row {index} has {len(squares)} others at a positive distance",
                where="neighbours",
                value=neighbours,
                remedy="give a number from 1 on that is at most this",
            )
        distances.append(ctx.sqrt(squares[neighbours - 1]))
    ordered = sorted(distances)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    sigma = to_mpf(ctx, kernel.bandwidth)
    bandwidths = tuple(sigma * distance / middle for distance in distances)
    return NearestVkde(rows, kernel, bandwidths, neighbours)


@rounded.register(NearestVkde)
def _rounded_nearest_vkde(estimate: NearestVkde, ctx: MPContext) -> NearestVkde:
    return replace(estimate, bandwidths=tuple(ctx.mpf(bandwidth) for bandwidth in estimate.bandwidths))

"""A variable kernel density estimate with bandwidths from k-th nearest neighbours (section 6.1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial.distance import cdist

from rkde.errors import InvalidInput
from rkde.fast._variable_estimate import VariableEstimate
from rkde.fast.inputs import Floats, TableLike, as_count, as_table, read_only
from rkde.fast.kernels import Kernel, checked_kernel

# Pairs compared at once: 2**20 float64 are 8 MiB.
_BLOCK_PAIRS: Final = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class NearestVkde(VariableEstimate):
    """Equal weights, bandwidths in proportion to distances to the k-th neighbour (section 6.1.2).

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        Its bandwidth is the median of `bandwidths`.
    neighbours : int
        k.
    bandwidths : ndarray, shape (n,)
        sigma_i, in units of the data.

    Examples
    --------
    >>> from rkde.fast import Gaussian, nearest_vkde
    >>> estimate = nearest_vkde([[0.0], [1.0], [5.0]], Gaussian(2.0), 1)
    >>> estimate.neighbours, estimate.density([[0.5]]).round(6)
    (1, array([0.14308]))
    """

    neighbours: int


def nearest_vkde(X: TableLike, kernel: Kernel, neighbours: int) -> NearestVkde:
    """Return the estimate with bandwidths sigma_i = sigma d_i / median(d), d_i the k-th nearest distance.

    Section 6.1.2 mentions such a variant and gives no formula. With this one k = 1 and the paper's bandwidth
    rule give each row the distance to its own nearest neighbour.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        Its bandwidth sigma becomes the median of the bandwidths.
    neighbours : int
        k: d_i is the k-th smallest of the positive distances from row i to the others, so that rows at the
        same place do not count and no bandwidth is 0.

    Returns
    -------
    NearestVkde

    Raises
    ------
    InvalidType, InvalidInput
        X is no table of finite numbers, `kernel` no kernel, or some row has fewer than k others at a positive
        distance.

    Notes
    -----
    n^2 d operations. Distances are square roots of sums of squared differences; the data must not be so
    large or small that these overflow or vanish.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> nearest_vkde([[0.0], [1.0], [5.0]], Gaussian(2.0), 1).bandwidths
    array([2., 2., 8.])
    """
    checked_kernel(kernel)
    count = as_count(neighbours, where="neighbours", minimum=1)
    rows = read_only(as_table(X))
    distances = _neighbour_distances(rows, count)
    lacking = np.flatnonzero(~np.isfinite(distances))
    if len(lacking):
        raise InvalidInput(
            f"row {int(lacking[0])} has fewer than {count} others at a positive distance",
            where="neighbours",
            value=count,
            remedy="give a smaller number",
        )
    bandwidths = kernel.bandwidth * (distances / np.median(distances))
    return NearestVkde(rows, kernel, read_only(bandwidths), count)


def _neighbour_distances(rows: Floats, count: int) -> Floats:
    """Return the `count`-th smallest positive distance of each row to the others; inf where there is none.

    Rows that share a place other than the row's own count each.
    """
    if count >= len(rows):
        return np.full(len(rows), np.inf)
    found = np.empty(len(rows))
    step = max(1, _BLOCK_PAIRS // len(rows))
    for start in range(0, len(rows), step):
        block = cdist(rows[start : start + step], rows)
        block[block == 0] = np.inf
        block.partition(count - 1, axis=1)
        found[start : start + step] = block[:, count - 1]
    return found

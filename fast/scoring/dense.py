"""The nearest row of a fit that lies in a dense place, found without the density at every row."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, scale_rows, separations
from rkde.fast.kernels import Kernel
from rkde.fast.operators import BLOCK_PAIRS
from rkde.fast.rkhs import mixture_log_density

# So many nearest rows are looked at first, and then four times as many until one of them is dense.
_FIRST_LOOK: Final = 2**5
_WIDENING: Final = 4


class DenseRows:
    """The rows of a fit at least as dense as the one at which the densest hold half of the weight.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The rows.
    weights : ndarray, shape (n,)
        At least 0, some above it; rows of weight 0 are not dense.
    kernel : Kernel
        Of the density, which is computed where it is asked for.
    sampled : int
        From so many rows of positive weight, spread evenly over their order, that one is found.

    Attributes
    ----------
    lowest : float
        The log density from which on a row is dense, in the coordinates of the rows.

    Examples
    --------
    >>> from rkde.fast import Gaussian
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0]])
    >>> DenseRows(X, np.full(4, 0.25), Gaussian(0.5), 4).nearest(np.array([[4.5]]))
    array([2])
    """

    def __init__(self, X: Floats, weights: Floats, kernel: Kernel, sampled: int) -> None:
        self._X, self._weights, self._kernel = X, weights, kernel
        self._kept = np.flatnonzero(weights > 0)
        self._rows = scale_rows(X[self._kept], kernel.bandwidth)
        self._logs = np.full(len(self._kept), np.nan)
        self.lowest = self._found_lowest(sampled)

    def nearest(self, places: Floats) -> NDArray[np.intp]:
        """Return the nearest dense row of each place, the first of ties: shape (m, d) to (m,)."""
        queries = scale_rows(places, self._kernel.bandwidth)
        step = max(1, BLOCK_PAIRS // len(self._kept))
        result = np.empty(len(places), dtype=np.intp)
        for start in range(0, len(places), step):
            apart = separations(
                queries.part(start, start + step), self._rows, self._kernel.bandwidth, squared=False
            )
            result[start : start + step] = [self._first_dense(distances) for distances in apart]
        return self._kept[result]

    def _found_lowest(self, sampled: int) -> float:
        """Return the log density from which on a row is dense, less what rounding may do to equal ones."""
        count = min(len(self._kept), sampled)
        chosen = np.arange(count) * len(self._kept) // count
        logs = self._densities(chosen)
        falling = np.argsort(-logs, kind="stable")
        held = np.cumsum(self._weights[self._kept[chosen[falling]]])
        # Equal weights of an even number of rows reach a half exactly, but for the roundings of their sum.
        half = held[-1] / 2 * (1 - count * UNIT_ROUNDOFF)
        lowest = float(logs[falling[int(np.searchsorted(held, half))]])
        return lowest - 2 * len(self._kept) * UNIT_ROUNDOFF * (1 + abs(lowest))

    def _densities(self, chosen: NDArray[np.intp]) -> Floats:
        """Return the log density at some of the kept rows, computed once."""
        missing = chosen[np.isnan(self._logs[chosen])]
        if len(missing):
            places = self._X[self._kept[missing]]
            self._logs[missing] = mixture_log_density(self._X, self._kernel, self._weights, places)
        return self._logs[chosen]

    def _first_dense(self, distances: Floats) -> int:
        count = len(distances)
        look = _FIRST_LOOK
        while True:
            near = np.arange(count) if look >= count else np.sort(np.argpartition(distances, look - 1)[:look])
            dense = near[self._densities(near) >= self.lowest]
            if len(dense):
                return int(dense[distances[dense].argmin()])
            look *= _WIDENING

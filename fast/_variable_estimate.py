"""Estimates with equal weights and one bandwidth a row (section 6.1.2), whatever the bandwidths come from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rkde.fast._sampling import draw_mixture
from rkde.fast.inputs import Floats, TableLike
from rkde.fast.kernels import Kernel
from rkde.fast.rkhs import exp_log_density, mixture_log_density


@dataclass(frozen=True, slots=True, eq=False)
class VariableEstimate:
    """The mean of kernels of different bandwidths.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    kernel : Kernel
        With the bandwidth that the others are multiples of.
    bandwidths : ndarray, shape (n,)
        sigma_i, in units of the data.
    """

    X: Floats
    kernel: Kernel
    bandwidths: Floats

    def log_density(self, queries: TableLike) -> Floats:
        """Return log of (1/n) sum_i k_{sigma_i}(x, X_i) at queries of shape (m, d), shape (m,)."""
        return mixture_log_density(self.X, self.kernel, self._weights(), queries, stretch=self._stretch())

    def density(self, queries: TableLike) -> Floats:
        """Return the estimate at queries of shape (m, d), shape (m,); infinite or 0 beyond float64."""
        return exp_log_density(self.log_density(queries))

    def sample(self, n: int, rng: np.random.Generator | int) -> Floats:
        """Draw n points from the estimate, shape (n, d), with a generator or a seed."""
        return draw_mixture(self.X, self.kernel, self._weights(), n, rng, self._stretch())

    def _weights(self) -> Floats:
        return np.full(len(self.X), 1 / len(self.X))

    def _stretch(self) -> Floats:
        return self.bandwidths / self.kernel.bandwidth

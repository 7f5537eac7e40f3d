"""The profile of k * k at very many distances: a table of its logarithm, interpolated.

For the Student and the Laplacian kernel a value of k * k costs some hundred times one of k. As a function of
the logarithm of the distance its logarithm is smooth, so a cubic spline through a few thousand values serves
millions of distances, and every bandwidth: only the distance over the bandwidth matters.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from rkde.fast._float64 import Floats
from rkde.fast.kernels.protocol import Kernel

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

# Its profile of k*k costs no more than that of k.
_ELEMENTARY: Final = "gaussian"
# Neighbours are less than 0.01 apart in the logarithm; the fourth derivative of the logarithm of the profile
# stays below 50, so the relative error stays below 50 * 0.01^4 / 384, about 1e-9, and is itself smooth.
NODES: Final = 2**14
# Closer than this, in squared distances over the bandwidth's square, the profile is 1 but for rounding.
_NEAR: Final = 2.0**-53
# Logarithms below this are of profiles that add nothing to any sum.
_NEGLIGIBLE: Final = -700.0


class OverlapProfile:
    """(k*k)(z) / (k*k)(0) of a kernel at all of its bandwidths.

    Parameters
    ----------
    kernel : Kernel
        With any bandwidth.
    dim : int
        The number of columns.
    largest : float
        The largest squared distance over the square of a bandwidth that will be asked for.
    """

    def __init__(self, kernel: Kernel, dim: int, largest: float) -> None:
        self._dim = dim
        self._spline: CubicSpline | None = None
        self._far = math.log(min(max(largest, 1.0), np.finfo(np.float64).max))
        if kernel.name == _ELEMENTARY:
            return
        unit = kernel.with_bandwidth(1.0)
        # Where the profile is negligible nodes would be wasted: the first table finds how far it reaches.
        for _ in range(2):
            nodes = np.linspace(math.log(_NEAR), self._far, NODES)
            values = unit.self_convolution(np.exp(nodes), dim)
            shown = values > math.exp(_NEGLIGIBLE)
            self._far = float(nodes[shown][-1])
        # A third of the time that `import rkde.fast` would take, and only "lscv" comes here.
        from scipy.interpolate import CubicSpline

        self._spline = CubicSpline(nodes[shown], np.log(values[shown]))

    def at(self, squares: Floats, kernel: Kernel) -> Floats:
        """Return the profile at squared distances, any shape, for one bandwidth of the kernel."""
        if self._spline is None:
            return kernel.self_convolution(squares, self._dim)
        with np.errstate(divide="ignore"):
            logs = np.log(squares) - 2 * math.log(kernel.bandwidth)
        values: Floats = np.exp(self._spline(np.clip(logs, math.log(_NEAR), self._far)))
        return np.where(logs > self._far, 0.0, values)

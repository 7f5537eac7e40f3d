"""The protocol of kernels; `rkde.fast.kernels` has the three of the paper."""

from __future__ import annotations

from typing import ClassVar, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

from rkde.facts import KernelFacts
from rkde.fast._float64 import Floats, TableLike


@runtime_checkable
class Kernel(Protocol):
    """The protocol of kernels: any object with these members will do.

    Examples
    --------
    >>> from rkde.fast import Gaussian
    >>> isinstance(Gaussian(1.0), Kernel), isinstance("gaussian", Kernel)
    (True, False)
    """

    name: ClassVar[str]
    facts: ClassVar[KernelFacts]
    squared: ClassVar[bool]

    @property
    def bandwidth(self) -> float:
        """Scale of the distances, above 0, in units of the data."""

    def profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return kappa at squared distances."""

    def complement(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return 1 - kappa without cancellation."""

    def log_profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return log kappa."""

    def self_convolution(self, sqdist: ArrayLike, dim: int) -> Floats:
        """Return (k*k)(z) / (k*k)(0) at squared distances."""

    def log_normaliser(self, dim: int) -> float:
        """Return log k(0, 0) in `dim` dimensions."""

    def log_feature_norm(self, dim: int) -> float:
        """Return log tau."""

    def log_kernel(self, x: ArrayLike, Y: TableLike) -> Floats:
        """Return log k(x, y) for each row y of Y."""

    def with_bandwidth(self, bandwidth: float) -> Self:
        """Return the same kernel with another bandwidth."""

    def unit_complement(self, separation: Floats, dim: int) -> Floats:
        """Return 1 - kappa at distances over the bandwidth."""

    def unit_self_complement(self, separation: Floats, dim: int) -> Floats:
        """Return 1 - (k*k)(z) / (k*k)(0) at distances over the bandwidth."""

    def unit_log_profile(self, separation: Floats, dim: int) -> Floats:
        """Return log kappa at distances over the bandwidth."""

    def far_log_profile(self, log_distance: Floats, dim: int) -> Floats:
        """Return log kappa at logarithms of distances over the bandwidth."""

    def unit_noise(self, rng: np.random.Generator, count: int, dim: int) -> Floats:
        """Draw from the kernel of bandwidth 1 at the origin."""

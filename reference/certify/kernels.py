"""The kernels of section 2 over balls: the bandwidth itself may be a ball, as in the recipe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import exact_ball
from rkde.reference.kernels import Gaussian, Kernel, Laplacian, Student, checked_kernel
from rkde.reference.numbers import exact_value

# What the recipe takes: a bandwidth gives a kernel.
KernelFamily = Callable[[int], Kernel]

# Any admissible bandwidth: the recipe asks the family for its name and dof before it knows the bandwidth.
_PROBE_BANDWIDTH: Final = 1


@dataclass(frozen=True, slots=True)
class BallKernel:
    """A kernel whose parameters are balls.

    Attributes
    ----------
    name : {"gaussian", "student", "laplacian"}
    bandwidth : flint.arb
        In the unit of the data, positive.
    dof : flint.arb or None
        Degrees of freedom of the Student kernel, None for the others.
    """

    name: str
    bandwidth: arb
    dof: arb | None

    def log_profile(self, sqdist: arb, dim: int) -> arb:
        """Give log(k(x, y) / k(0, 0)) at a squared distance (eq. (2) and the two kernels after it)."""
        bandwidth = self.bandwidth
        if self.name == "gaussian":
            return -sqdist / (2 * bandwidth**2)
        if self.dof is not None:
            return -(self.dof + dim) / 2 * (sqdist / (self.dof * bandwidth**2)).log1p()
        return -sqdist.sqrt() / bandwidth

    def feature_sqdist(self, sqdist: arb, dim: int) -> arb:
        """Give |Phi(x) - Phi(y)|^2 = 2 (1 - k(x, y) / k(0, 0)) in tau^2, without cancellation."""
        return -2 * self.log_profile(sqdist, dim).expm1()

    def self_convolution(self, sqdist: arb, dim: int) -> arb:
        """Give (k * k)(z) / (k * k)(0) at |z|^2 = sqdist (see `rkde.reference.kernels.convolution`)."""
        if sqdist.is_zero():
            return arb(1)
        half_dim = exact_ball(dim) / 2
        if self.name == "gaussian":
            return (-sqdist / (4 * self.bandwidth**2)).exp()
        if self.dof is not None:
            exponent = (self.dof + dim) / 2
            ratio = sqdist / (4 * self.dof * self.bandwidth**2)
            return (-ratio).hypgeom_2f1(self.dof + half_dim, exponent, exponent + arb(1) / 2)
        distance, order = sqdist.sqrt() / self.bandwidth, half_dim + 1
        return distance**order * distance.bessel_k(order) / (arb(2) ** (order - 1) * order.gamma())

    def log_normaliser(self, dim: int) -> arb:
        """Give log k(0, 0), with the constant that makes the kernel integrate to one.

        Notes
        -----
        The factor of the Student kernel printed in section 2 lacks nu^(-d/2); this is the right one.
        """
        half_dim = exact_ball(dim) / 2
        log_bandwidth = self.bandwidth.log()
        if self.name == "gaussian":
            return -half_dim * (2 * arb.pi()).log() - dim * log_bandwidth
        if self.dof is not None:
            ratio = ((self.dof + dim) / 2).lgamma() - (self.dof / 2).lgamma()
            return ratio - half_dim * (self.dof * arb.pi()).log() - dim * log_bandwidth
        surface = half_dim.lgamma() - arb(2).log() - half_dim * arb.pi().log()
        return surface - exact_ball(dim).lgamma() - dim * log_bandwidth


def ball_kernel(kernel: Kernel) -> BallKernel:
    """Read a kernel of the reference, its numbers exactly."""
    return _at_bandwidth(kernel, exact_ball(exact_value(checked_kernel(kernel).bandwidth)))


def ball_kernel_family(family: KernelFamily, bandwidth: arb) -> BallKernel:
    """Read a family of kernels at a bandwidth that is a ball."""
    probe = checked_kernel(family(_PROBE_BANDWIDTH))
    if exact_value(probe.bandwidth) != _PROBE_BANDWIDTH:
        raise InvalidInput(
            "must have the bandwidth that it is given, got a function that changes it",
            where="kernel",
            remedy="pass a function that uses its argument as the bandwidth",
        )
    return _at_bandwidth(probe, bandwidth)


def _at_bandwidth(kernel: Kernel, bandwidth: arb) -> BallKernel:
    if not isinstance(kernel, (Gaussian, Student, Laplacian)):
        raise InvalidInput(
            "must be Gaussian, Student or Laplacian to be enclosed",
            where="kernel",
            value=kernel,
            remedy="use one of these kernels",
        )
    dof = exact_ball(exact_value(kernel.dof)) if isinstance(kernel, Student) else None
    return BallKernel(kernel.name, bandwidth, dof)

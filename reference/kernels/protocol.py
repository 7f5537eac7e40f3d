"""What a kernel offers (section 2), and what the three kernels share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol, runtime_checkable

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.facts import KernelFacts
from rkde.reference.numbers import Number, Row, Rows, dimension, points, queries, to_mpf


@runtime_checkable
class Kernel(Protocol):
    """What every kernel offers. `dim` is the dimension d; only a profile that depends on it needs it.

    Examples
    --------
    >>> from rkde.reference import Gaussian
    >>> isinstance(Gaussian(1), Kernel), isinstance("gaussian", Kernel)
    (True, False)
    """

    name: ClassVar[str]
    facts: ClassVar[KernelFacts]

    @property
    def bandwidth(self) -> Number:
        """The bandwidth h, in the unit of the data, as it was given."""

    def with_bandwidth(self, ctx: MPContext, bandwidth: Number) -> Kernel:
        """Return the same kernel with another bandwidth."""

    def profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return kappa = k/k(0, 0) at a squared distance."""

    def complement(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return 1 - kappa without cancellation."""

    def log_profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return log kappa."""

    def self_convolution(self, ctx: MPContext, sqdist: Number, dim: int) -> mpf:
        """Return (k * k)(z) / (k * k)(0) at |z|^2 = sqdist."""

    def log_normaliser(self, ctx: MPContext, dim: int) -> mpf:
        """Return log k(0, 0) = log tau^2, the constant that makes the kernel integrate to 1."""

    def log_feature_norm(self, ctx: MPContext, dim: int) -> mpf:
        """Return log tau = log |Phi(x)|."""

    def log_kernel(self, ctx: MPContext, x: Sequence[Number], Y: Rows) -> Row:
        """Return log k(x, y) for each row y of Y."""


def squared_distance(ctx: MPContext, x: Row, y: Row) -> mpf:
    """Return |x - y|^2 by differences, which keeps the relative precision far from the origin.

    Shapes: x, y (d,).
    """
    return ctx.fsum((left - right for left, right in zip(x, y, strict=True)), squared=True)


def neg_expm1(ctx: MPContext, exponent: mpf) -> mpf:
    """Return 1 - exp(exponent) for exponent <= 0 with full relative precision.

    Notes
    -----
    Where |exponent| < 2^-k, the first k bits of exp(exponent) are those of 1 and cancel, so k bits are added
    to the precision first.
    """
    cancelling = -ctx.mag(exponent) if exponent else 0
    if cancelling > ctx.prec:
        return -exponent
    if cancelling <= 0:
        return 1 - ctx.exp(exponent)
    with ctx.workprec(ctx.prec + cancelling):
        difference = 1 - ctx.exp(exponent)
    return ctx.mpf(difference)


def log_kernel_row(ctx: MPContext, kernel: Kernel, x: Sequence[Number], Y: Rows) -> Row:
    """Return the logarithm of k(x, y) for each row y of Y."""
    (point,) = points(ctx, [x], "x")
    dim = len(point)
    log_normaliser = kernel.log_normaliser(ctx, dim)
    return tuple(
        log_normaliser + kernel.log_profile(ctx, squared_distance(ctx, point, y), dim)
        for y in queries(ctx, Y, dim, "Y")
    )


def checked_squared_distance(ctx: MPContext, sqdist: Number, dim: int | None) -> mpf:
    """Convert a squared distance, and refuse a negative one."""
    if dim is not None:
        dimension(dim)
    value = to_mpf(ctx, sqdist, "sqdist")
    if ctx.isnan(value) or value < 0:
        raise InvalidInput(
            "must be at least 0, as a squared distance is",
            where="sqdist",
            value=sqdist,
            remedy="pass |x - y|^2",
        )
    return value


def checked_kernel(kernel: Kernel) -> Kernel:
    """Return a kernel; raises `InvalidType` for anything else, such as a kernel's class or name."""
    if isinstance(kernel, type) or not isinstance(kernel, Kernel):
        raise InvalidType(
            "must be a kernel object",
            where="kernel",
            value=kernel,
            remedy="pass an object such as Gaussian(1)",
        )
    return kernel

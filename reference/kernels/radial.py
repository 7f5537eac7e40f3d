"""The three kernels of section 2: Gaussian (equation (2)), multivariate Student, Laplacian.

A kernel is k(x, y) = k(0, 0) kappa(|x - y|^2): its *profile* kappa is 1 at 0 and has no unit; its normaliser
k(0, 0) = tau^2 makes it integrate to 1 and appears as a logarithm only, since in high dimension it leaves
every number format. A kernel keeps its parameters as given and reads them at the precision of the context
that a method receives. The bandwidth is h; the paper calls it sigma.

Section 2 takes k >= 0, int k(x, x') dx = 1 and k(x, x') = g(|x - x'|^2), and says that k is positive
semi-definite if and only if g is completely monotone,

    (-1)^k d^k/dt^k g(t) >= 0 for all k >= 1, t > 0,    lim_{t -> 0} g(t) = g(0),

and if and only if k(x, x') = int exp(-t^2 |x - x'|^2) dmu(t) with a finite Borel measure mu on [0, inf). The
sign condition has to hold for k = 0 too (misprint: `semidefinite.completely_monotone`), and k has to be
positive semi-definite in every dimension (repaired: `semidefinite.equivalence`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.facts import KERNEL_FACTS, KernelFacts
from rkde.reference.kernels.convolution import laplacian_convolution, log_gamma_ratio, student_convolution
from rkde.reference.kernels.protocol import (
    Kernel,
    checked_squared_distance,
    log_kernel_row,
    neg_expm1,
)
from rkde.reference.numbers import Number, Row, Rows, dimension, guarded, positive_number, to_mpf
from rkde.settings import check_choice
from rkde.vocabulary import KERNEL_NAMES, KernelName

__all__ = ["Gaussian", "Kernel", "Laplacian", "Student"]


@dataclass(frozen=True, slots=True)
class Gaussian:
    """The Gaussian kernel, equation (2).

    In dimension d it is k(x, y) = (1/((2 pi)^(1/2) h))^d exp(-|x - y|^2/(2 h^2)).

    Parameters
    ----------
    bandwidth : int, float, str or mpf
        h, finite, > 0, in the unit of the data.

    Raises
    ------
    InvalidInput
        If the bandwidth is not finite and positive.
    InvalidType
        If it is not a number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(Gaussian(1).profile(ctx, 2))
    0.3678794411714423216
    """

    name: ClassVar[str] = "gaussian"
    facts: ClassVar[KernelFacts] = KERNEL_FACTS["gaussian"]
    bandwidth: Number

    def __post_init__(self) -> None:
        positive_number(self.bandwidth, "bandwidth")

    @guarded
    def with_bandwidth(self, ctx: MPContext, bandwidth: Number) -> Gaussian:
        """Return the Gaussian kernel with another bandwidth."""
        return Gaussian(to_mpf(ctx, bandwidth, "bandwidth"))

    @guarded
    def profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return exp(-sqdist / (2 h^2)) (equation (2))."""
        return ctx.exp(self.log_profile(ctx, sqdist, dim))

    @guarded
    def complement(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return 1 - kappa = 1 - exp(log kappa), no digit lost where kappa is near 1."""
        return neg_expm1(ctx, self.log_profile(ctx, sqdist, dim))

    @guarded
    def log_profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return -sqdist / (2 h^2)."""
        h = to_mpf(ctx, self.bandwidth)
        return -checked_squared_distance(ctx, sqdist, dim) / (2 * h * h)

    @guarded
    def self_convolution(self, ctx: MPContext, sqdist: Number, dim: int) -> mpf:
        """Return (k * k)(z) / (k * k)(0) at |z|^2 = sqdist: exp(-sqdist / (4 h^2))."""
        h = to_mpf(ctx, self.bandwidth)
        return ctx.exp(-checked_squared_distance(ctx, sqdist, dim) / (4 * h * h))

    @guarded
    def log_normaliser(self, ctx: MPContext, dim: int) -> mpf:
        """Return -(d/2) log(2 pi h^2) (equation (2))."""
        h = to_mpf(ctx, self.bandwidth)
        return -ctx.mpf(dimension(dim)) / 2 * ctx.log(2 * ctx.pi * h * h)

    @guarded
    def log_feature_norm(self, ctx: MPContext, dim: int) -> mpf:
        """Return log tau, half of the log normaliser."""
        return self.log_normaliser(ctx, dim) / 2

    @guarded
    def log_kernel(self, ctx: MPContext, x: Sequence[Number], Y: Rows) -> Row:
        """Return log k(x, y) for each row y of Y."""
        return log_kernel_row(ctx, self, x, Y)


@dataclass(frozen=True, slots=True)
class Student:
    """The multivariate Student kernel of section 2, with the constant that makes it integrate to 1.

    In dimension d it is k(x, y) = C (1 + |x - y|^2/(nu h^2))^(-(nu + d)/2), where the constant is
    C = (1/((nu pi)^(1/2) h))^d Gamma((nu + d)/2)/Gamma(nu/2). The one that the paper prints lacks the factor
    nu^(-d/2). The profile depends on the dimension, so the methods need `dim`.

    Parameters
    ----------
    bandwidth : int, float, str or mpf
        h, finite, > 0, in the unit of the data.
    dof : int, float, str or mpf
        Degrees of freedom nu, finite, > 0.

    Raises
    ------
    InvalidInput
        If a parameter is not finite and positive.
    InvalidType
        If one is not a number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(Student(1, 1).profile(ctx, 3, dim=1))
    0.25
    """

    name: ClassVar[str] = "student"
    facts: ClassVar[KernelFacts] = KERNEL_FACTS["student"]
    bandwidth: Number
    dof: Number

    def __post_init__(self) -> None:
        positive_number(self.bandwidth, "bandwidth")
        positive_number(self.dof, "dof")

    @guarded
    def with_bandwidth(self, ctx: MPContext, bandwidth: Number) -> Student:
        """Return the Student kernel of the same degrees of freedom with another bandwidth."""
        return Student(to_mpf(ctx, bandwidth, "bandwidth"), self.dof)

    @guarded
    def profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return (1 + sqdist / (nu h^2))^(-(nu + d)/2)."""
        return ctx.exp(self.log_profile(ctx, sqdist, dim))

    @guarded
    def complement(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return 1 - kappa = 1 - exp(log kappa), no digit lost where kappa is near 1."""
        return neg_expm1(ctx, self.log_profile(ctx, sqdist, dim))

    @guarded
    def log_profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return -((nu + d)/2) log(1 + sqdist / (nu h^2)); `dim` is required."""
        if dim is None:
            raise InvalidInput(
                "must be given for the Student kernel, whose profile depends on it",
                where="dim",
                remedy="pass dim, the number of columns of the data",
            )
        h, nu = to_mpf(ctx, self.bandwidth), to_mpf(ctx, self.dof)
        ratio = checked_squared_distance(ctx, sqdist, dim) / (nu * h * h)
        return -(nu + dim) / 2 * ctx.log1p(ratio)

    @guarded
    def self_convolution(self, ctx: MPContext, sqdist: Number, dim: int) -> mpf:
        """Return (k * k)(z) / (k * k)(0) at |z|^2 = sqdist: a hypergeometric function."""
        h, nu = to_mpf(ctx, self.bandwidth), to_mpf(ctx, self.dof)
        ratio = checked_squared_distance(ctx, sqdist, dim) / (4 * nu * h * h)
        return student_convolution(ctx, ratio, nu, dim)

    @guarded
    def log_normaliser(self, ctx: MPContext, dim: int) -> mpf:
        """Return log Gamma((nu + d)/2) - log Gamma(nu/2) - (d/2) log(nu pi h^2)."""
        h, nu, dim = to_mpf(ctx, self.bandwidth), to_mpf(ctx, self.dof), dimension(dim)
        log_gammas = log_gamma_ratio(ctx, nu, dim)
        return log_gammas - ctx.mpf(dim) / 2 * ctx.log(nu * ctx.pi * h * h)

    @guarded
    def log_feature_norm(self, ctx: MPContext, dim: int) -> mpf:
        """Return log tau, half of the log normaliser."""
        return self.log_normaliser(ctx, dim) / 2

    @guarded
    def log_kernel(self, ctx: MPContext, x: Sequence[Number], Y: Rows) -> Row:
        """Return log k(x, y) for each row y of Y."""
        return log_kernel_row(ctx, self, x, Y)


@dataclass(frozen=True, slots=True)
class Laplacian:
    """The Laplacian kernel of section 2.

    In dimension d it is k(x, y) = (c_d/h^d) exp(-|x - y|/h) with c_d = Gamma(d/2)/(2 pi^(d/2) Gamma(d)).

    Parameters
    ----------
    bandwidth : int, float, str or mpf
        h, finite, > 0, in the unit of the data.

    Raises
    ------
    InvalidInput
        If the bandwidth is not finite and positive.
    InvalidType
        If it is not a number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(Laplacian(2).profile(ctx, 4))
    0.3678794411714423216
    """

    name: ClassVar[str] = "laplacian"
    facts: ClassVar[KernelFacts] = KERNEL_FACTS["laplacian"]
    bandwidth: Number

    def __post_init__(self) -> None:
        positive_number(self.bandwidth, "bandwidth")

    @guarded
    def with_bandwidth(self, ctx: MPContext, bandwidth: Number) -> Laplacian:
        """Return the Laplacian kernel with another bandwidth."""
        return Laplacian(to_mpf(ctx, bandwidth, "bandwidth"))

    @guarded
    def profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return exp(-sqrt(sqdist) / h)."""
        return ctx.exp(self.log_profile(ctx, sqdist, dim))

    @guarded
    def complement(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return 1 - kappa = 1 - exp(log kappa), no digit lost where kappa is near 1."""
        return neg_expm1(ctx, self.log_profile(ctx, sqdist, dim))

    @guarded
    def log_profile(self, ctx: MPContext, sqdist: Number, dim: int | None = None) -> mpf:
        """Return -sqrt(sqdist) / h."""
        return -ctx.sqrt(checked_squared_distance(ctx, sqdist, dim)) / to_mpf(ctx, self.bandwidth)

    @guarded
    def self_convolution(self, ctx: MPContext, sqdist: Number, dim: int) -> mpf:
        """Return (k * k)(z) / (k * k)(0) at |z|^2 = sqdist: zeta^p K_p(zeta), normalised."""
        distance = ctx.sqrt(checked_squared_distance(ctx, sqdist, dim))
        return laplacian_convolution(ctx, distance / to_mpf(ctx, self.bandwidth), dim)

    @guarded
    def log_normaliser(self, ctx: MPContext, dim: int) -> mpf:
        """Return log c_d - d log h."""
        dim = dimension(dim)
        half = ctx.mpf(dim) / 2
        log_constant = ctx.loggamma(half) - ctx.log(2) - half * ctx.log(ctx.pi) - ctx.loggamma(ctx.mpf(dim))
        return log_constant - dim * ctx.log(to_mpf(ctx, self.bandwidth))

    @guarded
    def log_feature_norm(self, ctx: MPContext, dim: int) -> mpf:
        """Return log tau, half of the log normaliser."""
        return self.log_normaliser(ctx, dim) / 2

    @guarded
    def log_kernel(self, ctx: MPContext, x: Sequence[Number], Y: Rows) -> Row:
        """Return log k(x, y) for each row y of Y."""
        return log_kernel_row(ctx, self, x, Y)


KernelOfBandwidth = Callable[[mpf], Kernel]
_CLASSES: Final[dict[str, type[Gaussian] | type[Laplacian]]] = {"gaussian": Gaussian, "laplacian": Laplacian}


def kernel_family(kernel: KernelOfBandwidth | KernelName, dof: Number | None = None) -> KernelOfBandwidth:
    """Return the function from a bandwidth to a kernel that is meant; "student" needs its degrees of freedom.

    Examples
    --------
    >>> kernel_family("gaussian").__name__
    'Gaussian'
    """
    if kernel == "student":
        if dof is None:
            raise InvalidInput(
                "must be given for the Student kernel", where="dof", remedy="pass a number above 0, such as 3"
            )
        return lambda h: Student(h, dof)
    if dof is not None:
        raise InvalidInput(
            'must be None for a kernel other than "student"', where="dof", value=dof, remedy="leave it out"
        )
    if isinstance(kernel, str):
        check_choice(kernel, KERNEL_NAMES, "kernel")
        return _CLASSES[kernel]
    candidate: object = kernel
    if isinstance(candidate, Kernel) and not isinstance(candidate, type):
        raise InvalidType(
            "must be a kernel class, its name, or a function that takes a bandwidth and returns a kernel",
            where="kernel",
            value=kernel,
            remedy="pass the class of this kernel, whose bandwidth is fixed already",
        )
    if not callable(kernel):
        raise InvalidType(
            "must be a kernel class, its name, or a function that takes a bandwidth and returns a kernel",
            where="kernel",
            value=kernel,
            remedy='pass the class, such as Gaussian, or a name such as "gaussian"',
        )
    return kernel

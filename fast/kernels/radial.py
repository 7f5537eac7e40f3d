"""The kernels of section 2 in float64, their profiles between rows, and a kernel by its name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Self

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput, InvalidType
from rkde.facts import KERNEL_FACTS, KernelFacts
from rkde.fast._float64 import (
    LOG_TWO_PI,
    Floats,
    ScaledRows,
    TableLike,
    as_arguments,
    as_count,
    as_positive,
    as_queries,
    as_vector,
    at_many,
    exact_separations,
    laplacian_log_constant,
    log_separations,
    neg_expm1,
    scale_rows,
    scaled_square,
    separations,
    student_log_constant,
)
from rkde.fast.kernels.convolution import laplacian_self, laplacian_self_complement, student_self
from rkde.fast.kernels.protocol import Kernel
from rkde.settings import check_choice
from rkde.vocabulary import KERNEL_NAMES, KernelName

# Above this many degrees of freedom t / dof may be subnormal, or 0, where the profile still depends on t.
_MANY_DOF: Final = 2.0**40
# log1p(s) = s to the last bit below this.
_LINEAR_LOG1P: Final = 2.0**-54


def log_profiles(
    kernel: Kernel, left: ScaledRows, right: ScaledRows, stretch: Floats | None = None
) -> Floats:
    """Return log kappa of each left row against each right row.

    Shapes: stretch (n,); result (m, n). Result: natural logarithms, at most 0; -inf only where the value
    itself is beyond float64.
    """
    dim = left.rows.shape[1]
    separation = separations(left, right, kernel.bandwidth, squared=kernel.squared)
    if stretch is not None:
        with np.errstate(over="ignore"):
            separation /= stretch * stretch if kernel.squared else stretch
    result = kernel.unit_log_profile(separation, dim)
    # Looking for single entries takes longer than all that is done with them.
    infinite = np.isinf(result)
    if infinite.any():
        rows, columns = np.nonzero(infinite)
        log_distance = log_separations(
            *exact_separations(left.rows, right.rows, rows, columns, kernel.bandwidth)
        )
        if stretch is not None:
            log_distance -= np.log(stretch[columns])
        result[rows, columns] = kernel.far_log_profile(log_distance, dim)
    return result


def log_kernel_row(kernel: Kernel, x: ArrayLike, Y: TableLike) -> Floats:
    """Return log k(x, y) for each row y of Y: the log normaliser plus the log profile.

    Shapes: x (d,), one point; Y (n, d); result (n,).
    """
    point = as_vector(x, where="x").reshape(1, -1)
    rows = as_queries(Y, point.shape[1], where="Y")
    left, right = scale_rows(point, kernel.bandwidth), scale_rows(rows, kernel.bandwidth)
    log_profile: Floats = log_profiles(kernel, left, right)[0]
    return kernel.log_normaliser(point.shape[1]) + log_profile


@dataclass(frozen=True, slots=True)
class Gaussian:
    """The Gaussian kernel (equation 2): kappa = exp(-|x - y|^2 / (2 h^2)).

    Parameters
    ----------
    bandwidth : float
        h, finite and above 0, in units of the data.

    Examples
    --------
    >>> Gaussian(1.0).profile([0.0, 2.0])
    array([1.        , 0.36787944])
    """

    bandwidth: float
    name: ClassVar[str] = "gaussian"
    facts: ClassVar[KernelFacts] = KERNEL_FACTS["gaussian"]
    squared: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", as_positive(self.bandwidth, where="bandwidth"))

    def profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return kappa at squared distances (any shape, >= 0); relative error about t/2 roundings."""
        return _exp(self.log_profile(sqdist, dim))

    def complement(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return 1 - kappa, accurate relative to itself down to distance 0."""
        _checked_dim(dim, 1)
        return self.unit_complement(scaled_square(as_arguments(sqdist, where="sqdist"), self.bandwidth), 1)

    def log_profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return -|x - y|^2 / (2 h^2), -inf where that is beyond float64."""
        _checked_dim(dim, 1)
        return self.unit_log_profile(scaled_square(as_arguments(sqdist, where="sqdist"), self.bandwidth), 1)

    def self_convolution(self, sqdist: ArrayLike, dim: int) -> Floats:
        """Return (k*k)(z) / (k*k)(0) = exp(-|z|^2 / (4 h^2)) at squared distances (any shape, >= 0)."""
        as_count(dim, where="dim", minimum=1)
        return _exp(scaled_square(as_arguments(sqdist, where="sqdist"), self.bandwidth) / -4)

    def log_normaliser(self, dim: int) -> float:
        """Return log k(0, 0) = -(d/2) log(2 pi h^2)."""
        return -as_count(dim, where="dim", minimum=1) * (math.log(self.bandwidth) + LOG_TWO_PI / 2)

    def log_feature_norm(self, dim: int) -> float:
        """Return log tau, half of `log_normaliser`."""
        return self.log_normaliser(dim) / 2

    def log_kernel(self, x: ArrayLike, Y: TableLike) -> Floats:
        """Return log k(x, y) for each row y of Y (n, d) and a point x (d,), shape (n,); right far out too."""
        return log_kernel_row(self, x, Y)

    def with_bandwidth(self, bandwidth: float) -> Self:
        """Return the kernel with another bandwidth."""
        return replace(self, bandwidth=bandwidth)

    def unit_complement(self, separation: Floats, dim: int) -> Floats:  # noqa: ARG002 (one interface for all)
        """Return 1 - kappa at t = |x - y|^2 / h^2; overwrites t."""
        separation /= 2
        return neg_expm1(separation)

    def unit_self_complement(self, separation: Floats, dim: int) -> Floats:  # noqa: ARG002
        """Return 1 - (k*k)(z) / (k*k)(0) = 1 - exp(-t / 4); overwrites t."""
        separation /= 4
        return neg_expm1(separation)

    def unit_log_profile(self, separation: Floats, dim: int) -> Floats:  # noqa: ARG002
        """Return -t / 2; overwrites t."""
        return np.divide(separation, -2, out=separation)

    def far_log_profile(self, log_distance: Floats, dim: int) -> Floats:  # noqa: ARG002
        """Return log kappa where only the logarithm of |x - y| / h is within range."""
        return np.asarray(-_exp(2 * log_distance - math.log(2)))

    def unit_noise(self, rng: np.random.Generator, count: int, dim: int) -> Floats:
        """Draw `count` standard normal vectors, shape (count, dim)."""
        return rng.standard_normal((count, dim))


@dataclass(frozen=True, slots=True)
class Student:
    """The multivariate Student kernel of section 2: kappa = (1 + |x - y|^2 / (nu h^2))^(-(nu + d)/2).

    The normaliser printed in the paper misses the factor nu^(-d/2); here it integrates to 1.

    Parameters
    ----------
    bandwidth : float
        h, finite and above 0, in units of the data.
    dof : float
        nu, the degrees of freedom, finite and above 0.

    Examples
    --------
    >>> Student(1.0, 3.0).profile([0.0, 3.0], dim=1)
    array([1.  , 0.25])
    """

    bandwidth: float
    dof: float
    name: ClassVar[str] = "student"
    facts: ClassVar[KernelFacts] = KERNEL_FACTS["student"]
    squared: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", as_positive(self.bandwidth, where="bandwidth"))
        object.__setattr__(self, "dof", as_positive(self.dof, where="dof"))

    def profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return kappa at squared distances (any shape, >= 0); `dim` is required."""
        return _exp(self.log_profile(sqdist, dim))

    def complement(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return 1 - kappa, accurate relative to itself down to distance 0; `dim` is required."""
        square = scaled_square(as_arguments(sqdist, where="sqdist"), self.bandwidth)
        return self.unit_complement(square, _checked_dim(dim, None))

    def log_profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return -(nu + d)/2 log(1 + |x - y|^2 / (nu h^2)); `dim` is required."""
        checked = _checked_dim(dim, None)
        values = as_arguments(sqdist, where="sqdist")
        result = self.unit_log_profile(scaled_square(values, self.bandwidth), checked)
        # The square over h^2 may be beyond float64 where its logarithm is not.
        far = np.isinf(result) & np.isfinite(values)
        if far.any():
            log_distance = np.log(values[far]) / 2 - math.log(self.bandwidth)
            result[far] = self.far_log_profile(log_distance, checked)
        return result

    def self_convolution(self, sqdist: ArrayLike, dim: int) -> Floats:
        """Return (k*k)(z) / (k*k)(0) = 2F1(nu + d/2, (nu + d)/2; (nu + d + 1)/2; -|z|^2 / (4 nu h^2))."""
        checked = as_count(dim, where="dim", minimum=1)
        square = scaled_square(as_arguments(sqdist, where="sqdist"), self.bandwidth)
        return student_self(square, self.dof, checked, complement=False)

    def log_normaliser(self, dim: int) -> float:
        """Return log k(0, 0) = log Gamma((nu + d)/2) - log Gamma(nu/2) - (d/2) log(nu pi h^2)."""
        checked = as_count(dim, where="dim", minimum=1)
        return student_log_constant(self.dof, checked) - checked * math.log(self.bandwidth)

    def log_feature_norm(self, dim: int) -> float:
        """Return log tau, half of `log_normaliser`."""
        return self.log_normaliser(dim) / 2

    def log_kernel(self, x: ArrayLike, Y: TableLike) -> Floats:
        """Return log k(x, y) for each row y of Y (n, d) and a point x (d,), shape (n,); right far out too."""
        return log_kernel_row(self, x, Y)

    def with_bandwidth(self, bandwidth: float) -> Self:
        """Return the kernel with another bandwidth and the same degrees of freedom."""
        return replace(self, bandwidth=bandwidth)

    def unit_complement(self, separation: Floats, dim: int) -> Floats:
        """Return 1 - kappa at t = |x - y|^2 / h^2; overwrites t."""
        return neg_expm1(self._exponent(separation, dim))

    def unit_self_complement(self, separation: Floats, dim: int) -> Floats:
        """Return 1 - (k*k)(z) / (k*k)(0) at t = |z|^2 / h^2, to some roundings of itself."""
        return at_many(lambda t: student_self(t, self.dof, dim, complement=True), separation)

    def unit_log_profile(self, separation: Floats, dim: int) -> Floats:
        """Return log kappa at t = |x - y|^2 / h^2; overwrites t."""
        exponent = self._exponent(separation, dim)
        return np.negative(exponent, out=exponent)

    def far_log_profile(self, log_distance: Floats, dim: int) -> Floats:
        """Return log kappa where only the logarithm of |x - y| / h is within range."""
        with np.errstate(over="ignore", under="ignore"):
            logarithm = np.logaddexp(0.0, 2 * log_distance - math.log(self.dof))
            return np.asarray(-(self.dof + dim) / 2 * logarithm)

    def unit_noise(self, rng: np.random.Generator, count: int, dim: int) -> Floats:
        """Draw `count` vectors of the multivariate t distribution, shape (count, dim)."""
        scale = np.sqrt(rng.chisquare(self.dof, size=(count, 1)) / self.dof)
        # With few degrees of freedom a draw can be beyond float64; infinity is then the nearest answer.
        with np.errstate(divide="ignore", over="ignore"):
            return rng.standard_normal((count, dim)) / scale

    def _exponent(self, square: Floats, dim: int) -> Floats:
        linear = square * ((1 + dim / self.dof) / 2) if self.dof > _MANY_DOF else None
        with np.errstate(under="ignore", over="ignore"):
            square /= self.dof
        if linear is None:
            np.log1p(square, out=square)
            square *= (self.dof + dim) / 2
            return square
        return np.where(square < _LINEAR_LOG1P, linear, np.log1p(square) * ((self.dof + dim) / 2))


@dataclass(frozen=True, slots=True)
class Laplacian:
    """The Laplacian kernel of section 2: kappa = exp(-|x - y| / h) with the Euclidean norm.

    Parameters
    ----------
    bandwidth : float
        h, finite and above 0, in units of the data.

    Examples
    --------
    >>> Laplacian(2.0).profile([0.0, 4.0])
    array([1.        , 0.36787944])
    """

    bandwidth: float
    name: ClassVar[str] = "laplacian"
    facts: ClassVar[KernelFacts] = KERNEL_FACTS["laplacian"]
    squared: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "bandwidth", as_positive(self.bandwidth, where="bandwidth"))

    def profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return kappa at squared distances (any shape, >= 0)."""
        return _exp(self.log_profile(sqdist, dim))

    def complement(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return 1 - kappa, accurate relative to itself down to distance 0."""
        return self.unit_complement(self._unit(sqdist, dim), 1)

    def log_profile(self, sqdist: ArrayLike, dim: int | None = None) -> Floats:
        """Return -|x - y| / h."""
        return self.unit_log_profile(self._unit(sqdist, dim), 1)

    def self_convolution(self, sqdist: ArrayLike, dim: int) -> Floats:
        """Return (k*k)(z) / (k*k)(0), with p = d/2 + 1 and u = |z| / h: u^p K_p(u) / (2^(p-1) Gamma(p))."""
        return laplacian_self(self._unit(sqdist, dim), as_count(dim, where="dim", minimum=1))

    def log_normaliser(self, dim: int) -> float:
        """Return log k(0, 0) = log(Gamma(d/2) / (2 pi^(d/2) Gamma(d))) - d log h."""
        checked = as_count(dim, where="dim", minimum=1)
        return laplacian_log_constant(checked) - checked * math.log(self.bandwidth)

    def log_feature_norm(self, dim: int) -> float:
        """Return log tau, half of `log_normaliser`."""
        return self.log_normaliser(dim) / 2

    def log_kernel(self, x: ArrayLike, Y: TableLike) -> Floats:
        """Return log k(x, y) for each row y of Y (n, d) and a point x (d,), shape (n,); right far out too."""
        return log_kernel_row(self, x, Y)

    def with_bandwidth(self, bandwidth: float) -> Self:
        """Return the kernel with another bandwidth."""
        return replace(self, bandwidth=bandwidth)

    def unit_complement(self, separation: Floats, dim: int) -> Floats:  # noqa: ARG002
        """Return 1 - kappa at u = |x - y| / h; overwrites u."""
        return neg_expm1(separation)

    def unit_self_complement(self, separation: Floats, dim: int) -> Floats:
        """Return 1 - (k*k)(z) / (k*k)(0) at u = |z| / h, to some roundings of itself."""
        with np.errstate(over="ignore", under="ignore"):
            square = separation * separation
        return at_many(lambda t: laplacian_self_complement(np.sqrt(t), dim), square)

    def unit_log_profile(self, separation: Floats, dim: int) -> Floats:  # noqa: ARG002
        """Return -u; overwrites u."""
        return np.negative(separation, out=separation)

    def far_log_profile(self, log_distance: Floats, dim: int) -> Floats:  # noqa: ARG002
        """Return log kappa where only the logarithm of |x - y| / h is within range."""
        return np.asarray(-_exp(log_distance))

    def unit_noise(self, rng: np.random.Generator, count: int, dim: int) -> Floats:
        """Draw `count` vectors, shape (count, dim): a uniform direction, a radius of law Gamma(dim)."""
        direction: Floats = rng.standard_normal((count, dim))
        direction /= np.linalg.norm(direction, axis=1, keepdims=True)
        return direction * rng.standard_gamma(dim, size=(count, 1))

    def _unit(self, sqdist: ArrayLike, dim: int | None) -> Floats:
        _checked_dim(dim, 1)
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(np.sqrt(as_arguments(sqdist, where="sqdist")) / self.bandwidth)


def _checked_dim(dim: int | None, default: int | None) -> int:
    if dim is None and default is not None:
        return default
    if dim is None:
        raise InvalidInput(
            "must be given for the Student kernel, whose profile depends on it",
            where="dim",
            remedy="pass dim=X.shape[1]",
        )
    return as_count(dim, where="dim", minimum=1)


def _exp(exponent: Floats) -> Floats:
    # Underflow to 0 and overflow to infinity are the right limits.
    with np.errstate(under="ignore", over="ignore"):
        return np.asarray(np.exp(exponent))


KernelOfBandwidth = Callable[[float], Kernel]
_CLASSES: Final[dict[str, type[Gaussian] | type[Laplacian]]] = {"gaussian": Gaussian, "laplacian": Laplacian}


def kernel_family(kernel: KernelOfBandwidth | KernelName, dof: float | None = None) -> KernelOfBandwidth:
    """Return the function from a bandwidth to a kernel that is meant; "student" needs its degrees of freedom.

    Examples
    --------
    >>> kernel_family("student", 3)(0.5), kernel_family("gaussian")
    (Student(bandwidth=0.5, dof=3.0), <class 'rkde.fast.kernels.radial.Gaussian'>)
    """
    if kernel == "student":
        if dof is None:
            raise InvalidInput(
                "must be given for the Student kernel", where="dof", remedy="pass a number above 0, such as 3"
            )
        degrees = as_positive(dof, where="dof")
        return lambda h: Student(h, degrees)
    if dof is not None:
        raise InvalidInput(
            'must be None for a kernel other than "student"', where="dof", value=dof, remedy="leave it out"
        )
    if isinstance(kernel, str):
        check_choice(kernel, KERNEL_NAMES, "kernel")
        return _CLASSES[kernel]
    if not callable(kernel):
        raise InvalidType(
            "must be a kernel class, its name, or a function that takes a bandwidth and returns a kernel",
            where="kernel",
            value=kernel,
            remedy='pass the class, such as Gaussian, or a name such as "gaussian"',
        )
    return kernel


def checked_kernel(kernel: object) -> Kernel:
    """Return `kernel` if it is one."""
    if isinstance(kernel, type) or not isinstance(kernel, Kernel):
        raise InvalidType(
            "must be a kernel object",
            where="kernel",
            value=kernel,
            remedy="pass an object such as Gaussian(bandwidth)",
        )
    return kernel

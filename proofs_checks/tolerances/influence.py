"""The influence function: Theorem 5's system, difference quotients, and integrals."""

import math
from collections.abc import Sequence
from typing import Final

from rkde.proofs_checks.tolerances.roundings import (
    ELEMENTARY_ULP,
    SQDIST_EXTRA,
    amplified,
    reference_bound,
    sum_bound,
    unit_roundoff,
)

# Roundings of an entry of the system beside those of distances: r_i^2 (two sums of n terms each, and their
# difference, which cancels by a factor of 2 at most where no location is heavy), roots, quotients, products.
_PER_ROW: Final = 4


_FIXED: Final = 64


# A fixed factor for the entries of system, right side and scales, which err together.
_PARTS: Final = 3


# How well the condition number itself is known: the largest eigenvalue of G by Lanczos' method to 2^-20.
_EIGENVALUE: Final = 2.0**-20


# From here on the iteration of a contaminated problem may stop, if its steps no longer shrink.
_STATIONARY: Final = 1e-12


_LARGEST_CONDITION: Final = 4


# Terms of the self-convolution's mixtures, of the polynomial that stands for them, and of their exponents.
_MIXTURE_TERMS: Final = 32


def influence_bound(size: int, dim: int, condition: float) -> float:
    """Bound of the coefficients, relative to the largest, where residual norms do not cancel.

    Each entry of gamma I - G, of its right side and of the scales carries 4 n + d + 64 roundings at most,
    relative to gamma; the solution of a system amplifies them by its condition number, and three such parts
    meet in a coefficient. IF, alpha(x') and beta are sums of n + 1 coefficients of sum 0 with factors between
    0 and 1, so the same bound holds for them up to the n roundings that it contains already.
    """
    return _PARTS * condition * sum_bound(_PER_ROW * size + dim + _FIXED)


def equation_bound(digits: int, size: int, condition: float, cancellation: float) -> float:
    """Bound of what is left of equation (12), relative to gamma times the sum of all |coefficients|.

    No term of the equation exceeds gamma times that sum by more than n, as the pull of a convex loss is at
    most gamma. Each of the (n + 1)^2 products of an inner product carries a rounding at that many digits;
    residual norms lose a factor where r^2 cancels, and a coefficient the condition of its system.
    """
    return amplified(reference_bound(digits, (size + 1) ** 2), size * condition * cancellation)


def condition_bound(condition: float) -> float:
    """Absolute bound of the condition number gamma / (gamma - lambda): lambda is known to a share."""
    return condition * condition * _EIGENVALUE


def self_convolution_bound(value: float, dim: int) -> float:
    """Relative bound of (k*k)(z) / (k*k)(0) at a squared distance, from its value.

    A mixture of profiles exp(-E): an error of d + 6 roundings of the squared distance, and of the elementary
    functions behind E, is one of E times as many in exp(-E); averaged with exp(-E) itself that is at most
    (1 + |log of the value|) times as many, and the mixture's weights add theirs. The Bessel recurrence of the
    Laplacian kernel adds d/2 steps of three roundings.
    """
    logarithm = -math.log(value) if value > 0 else 0.0
    return (1 + logarithm) * self_complement_bound(dim)


def self_complement_bound(dim: int) -> float:
    """Relative bound of 1 - (k*k)(z) / (k*k)(0): an average of 1 - exp(-E), each of condition number 1."""
    return sum_bound(2 * (dim + SQDIST_EXTRA + 2 * ELEMENTARY_ULP + _MIXTURE_TERMS))


def stopped_bound() -> float:
    """Relative bound of weights of a contaminated problem, stopped where a step moves none by 1e-12.

    Near its limit a step contracts by at most 1 - 1/c, c the condition number of the problem; what is left is
    then at most c times the last move. In the tests' problems c is below 4.
    """
    return _LARGEST_CONDITION * _STATIONARY


def influence_error(
    coefficients: Sequence[float], dim: int, condition: float, factor: float, digits: int | None = None
) -> float:
    """Absolute bound of the sum of the errors of coefficients, hence of the error of their element in tau.

    Each has that of `influence_bound`, where residual norms cancel times the factor of `cancellation`; at so
    many digits the same roundings are smaller by the quotient of the two units. The weights, themselves
    rounded, move the norms by no more.
    """
    size = len(coefficients)
    unit = 1.0 if digits is None else reference_bound(digits) / unit_roundoff()
    return size * factor * unit * influence_bound(size, dim, condition) * max(map(abs, coefficients))


# -------------------------------------------------------------------- difference quotients and quadratures


# Two shares s and s/10 whose error/s may differ by this much, relatively.
_TENTH: Final = 0.1


_QUADRATURE_TERMS: Final = 100_000


def first_order_band() -> float:
    """Relative change of error/s between s and s/10 that a first-order error may show.

    The error of a difference quotient of a twice differentiable function is A s + B s^2 + ..., so error/s
    changes by 0.9 (B/A) s: a tenth is granted, which at s = 1e-5 allows |B/A| up to 1e4. Had the quotient
    another limit, the error would stay as it is and error/s would change by a factor of ten.
    """
    return _TENTH


def quotient_rounding(digits: int, share: float, n_rows: int) -> float:
    """Bound of a difference quotient of weights that is exactly right, at `digits` digits.

    Each of the n + 1 weights, at most 1, is rounded in both estimates, and so is each coefficient: three
    roundings over s. Summed over the rows this bounds the norm in the feature space, where |Phi| = 1.
    """
    return reference_bound(digits, 3 * (n_rows + 1)) / share


def refinement_bound(coarse: float, fine: float) -> float:
    """Absolute bound of the finer of two quadratures by rules of n and 2n points.

    Where doubling the points at least halves the error, the finer one's is at most their difference; the
    rounding of 1e5 terms, each a few units in the last place off, is added.
    """
    return abs(fine - coarse) + sum_bound(_QUADRATURE_TERMS) * abs(fine)


def shrunk(error: float, noise: float, ratio: float = 1 / 2) -> float:
    """Bound of the error of a difference quotient at `ratio` times s from that at s.

    The error of a quotient with the right limit is A s + B s^2 + ..., half as large at s/2 where |B/A| s is
    below the band of `first_order_band`, and a quarter where A = 0. Had it another limit it would stay. Both
    are known to within `noise`.
    """
    return (ratio + first_order_band()) * error + 2 * noise


_KERNEL_ROUNDINGS: Final = 64


def integral_rounding(n_nodes: int) -> float:
    """Bound of the rounding of a quadrature of that many nodes whose magnitudes integrate to 1.

    Each value is a sum of a few terms with the rounding of a kernel; the nodes are summed.
    """
    return sum_bound(n_nodes + _KERNEL_ROUNDINGS)


# See kernel_quadrature.
_SLOWEST: Final = 1 / 100


_OF_A_KERNEL: Final = 1 / 2000


def kernel_quadrature(dof: float | None, dim: int) -> float:
    """Bound of a kernel's integral less 1, by Gauss's rules of 16 nodes between neighbouring coordinates.

    Of the kernels the Student kernel with one degree of freedom has the slowest tail in the plane: the mass
    beyond R bandwidths is about 1/R. The last node of a half line is 188 bandwidths out, so 0.0053 of the
    mass lies beyond; about twice that is granted. Every other kernel has at most 0.00003 there (three degrees
    of freedom in the plane: (1 + R^2/3)^(-3/2), far less), and what the nodes miss between neighbouring
    coordinates is below 0.0001 for kernels without a corner inside a piece.
    """
    return _SLOWEST if dof is not None and dof <= 1 and dim > 1 else _OF_A_KERNEL

"""Tolerances of the influence function: Theorem 5's system and what is made of its solution."""

from __future__ import annotations

import math
from typing import Final

from rkde.proofs_checks.roundings import (
    ELEMENTARY_ULP,
    SQDIST_EXTRA,
    amplified,
    reference_bound,
    sum_bound,
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
    each = dim + SQDIST_EXTRA + 2 * ELEMENTARY_ULP + _MIXTURE_TERMS
    return (1 + logarithm) * sum_bound(2 * each)


def self_complement_bound(dim: int) -> float:
    """Relative bound of 1 - (k*k)(z) / (k*k)(0): an average of 1 - exp(-E), each of condition number 1."""
    return sum_bound(2 * (dim + SQDIST_EXTRA + 2 * ELEMENTARY_ULP + _MIXTURE_TERMS))


def stopped_bound() -> float:
    """Relative bound of weights of a contaminated problem, stopped where a step moves none by 1e-12.

    Near its limit a step contracts by at most 1 - 1/c, c the condition number of the problem; what is left is
    then at most c times the last move. In the tests' problems c is below 4.
    """
    return _LARGEST_CONDITION * _STATIONARY

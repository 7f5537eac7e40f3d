"""Roundings of one operation, of a sum, and of a result at many digits."""

import math
from collections.abc import Iterable
from typing import Final

_SIGNIFICAND_BITS: Final = 53  # IEEE 754 binary64


# Accuracy assumed of exp, expm1, log, log1p, lgamma: the largest error numpy states for its vector loops.
ELEMENTARY_ULP: Final = 4


# Roundings of a scaled squared distance beside its d - 1 additions: difference (it enters twice), square,
# square of the bandwidth, quotient.
SQDIST_EXTRA: Final = 6


# Roundings from the scaled squared distance to 2(1 - kappa): Student's quotient by nu, log1p, exponent
# (nu + d)/2, product, expm1; the Gaussian and the Laplacian need fewer.
COMPLEMENT_EXTRA: Final = 3 + 2 * (2 * ELEMENTARY_ULP)


# Roundings of rho, psi, phi at a given argument: Hampel's ramp a(c - t)/((c - b)t) has six, rho on it nine.
LOSS_ROUNDINGS: Final = 9


# Roundings of the final subtraction and of the division that makes the weights.
LAST_ROUNDINGS: Final = 2


DECIMAL_BASE: Final = 10.0


# Backward error of a symmetric eigenvalue solver: a small multiple of n u in norm, n entries a row.
_SOLVER_ROUNDINGS: Final = 10


def unit_roundoff() -> float:
    """Return u = 2^-53: rounding to nearest moves a binary64 number by at most u of its value."""
    return math.ldexp(1.0, -_SIGNIFICAND_BITS)


def sum_bound(n_terms: int) -> float:
    """Bound |theta| in prod_{i <= m} (1 + delta_i)^(+-1) = 1 + theta: m u / (1 - m u).

    It bounds the relative error of a sum of m nonnegative terms in any order, of a dot product of length m
    against the sum of magnitudes, and of a product of m factors (induction over m).
    """
    total = n_terms * unit_roundoff()
    return math.inf if total >= 1 else total / (1 - total)


def elementwise(n_ulp: float) -> float:
    """Relative bound of `n_ulp` units in the last place: one unit is at most 2u of the value."""
    return 2 * n_ulp * unit_roundoff()


def amplified(bound: float, factor: float) -> float:
    """First-order bound of f(x + e) - f(x) for |e| <= bound when f has condition number `factor`."""
    return bound * factor


def reference_bound(digits: int, n_terms: int = 1) -> float:
    """Relative bound of a result of `n_terms` roundings at `digits` decimal digits.

    A context of D digits has at least D log2(10) + 1 bits, hence a unit roundoff below 10^-D; m roundings
    give m 10^-D up to second order. A denominator or a difference is the caller's factor (`amplified`).
    """
    return n_terms * math.pow(DECIMAL_BASE, -digits)


def quadrature_bound(digits: int) -> float:
    """Relative bound of an integral by mpmath's double-exponential rule at `digits` digits.

    The rule refines until its own estimate of the error is below the working precision, and each refinement
    doubles the correct digits; half of the digits is what is granted to an estimate without proof.
    """
    return reference_bound(digits // 2)


def eigenvalue_bound(size: int, entry_error: float, largest: float) -> float:
    """Absolute bound of an eigenvalue of a computed symmetric matrix of that many rows.

    By Weyl an eigenvalue moves by at most the spectral norm of the perturbation, which is at most size times
    its largest entry; a backward stable eigenvalue solver adds 10 size^2 roundings of the largest entry.
    """
    return size * entry_error + sum_bound(_SOLVER_ROUNDINGS * size * size) * largest


# The least positive float64 is 2^-1074.
_LEAST_EXPONENT: Final = -1074


def least_positive(n_roundings: int = 1) -> float:
    """Absolute bound where results underflow: each rounding of a subnormal is off by at most 2^-1075.

    Twice that a rounding, so that a flush of the last bit in an intermediate step is covered as well.
    """
    return n_roundings * math.ldexp(1.0, _LEAST_EXPONENT)


def printed_digits(digits: int) -> float:
    """Absolute bound of a number that is stated to `digits` decimals: half a unit of the last one, twice.

    The second half is for the computed number's own rounding, which must be smaller than the last decimal.
    """
    return math.pow(DECIMAL_BASE, -digits)


def largest(values: Iterable[float]) -> float:
    """Return the largest of some bounds, 0 if there is none; infinite or NaN bounds pass through."""
    found = 0.0
    for value in values:
        if math.isnan(value):
            return value
        found = max(found, value)
    return found

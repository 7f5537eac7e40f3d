"""The self-convolution of the Student and the Laplacian kernel, k*k over its value at 0, and 1 minus it.

Both are mixtures of profiles whose logarithm is elementary, with positive weights that sum to 1:

    Student:    S(t) = E[(1 + x s)^-(nu + d/2)],   x = t / (4 nu),   s = 1 / cosh^2 v
    Laplacian:  S(t) = E[exp(-t / (4 u))],         u of law Gamma(d/2 + 1)

with t = |x - y|^2 / h^2. The density of v is proportional to cosh(v)^-(nu + d): this is Euler's integral of
the hypergeometric function 2F1(nu + d/2, (nu + d)/2; (nu + d + 1)/2; -x) with its variable 1/cosh^2 v.
The trapezoidal rule on the real line (for v, and for log u) converges geometrically, since the integrands are
analytic in a strip; its sum has no cancellation, neither for S nor for 1 - S. The Laplacian's S alone, whose
closed form is a Bessel function, is cheaper by the recurrence of that function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from scipy.special import k0e, k1e, loggamma

from rkde.fast._float64 import Floats, neg_expm1

# Terms below exp(-45) < 2^-64 of the largest change no sum of some hundred terms.
_NEGLIGIBLE: Final = 45.0
# exp(-745.2) is below half of the smallest subnormal number.
_UNDERFLOW: Final = 746.0
# Orders from which log(Gamma(m) / |Gamma(m + i y)|) is y^2 / (2 m) up to y^4 / (12 m^3).
_LARGE_ORDER: Final = 1000.0
# Halvings of an interval [y, 2 y]: the step is right to 1 %.
_BISECTIONS: Final = 7
# log cosh v = v - log 2 to the last bit from here on.
_ASYMPTOTIC: Final = 20.0
# Above this many degrees of freedom x = t / (4 nu) may be subnormal where t / 4 still counts.
_MANY_DOF: Final = 2.0**40
_LINEAR_LOG1P: Final = 2.0**-54
_LARGEST: Final = float(np.finfo(np.float64).max)
# The Bessel function's order from which Debye's expansion is used instead of the recurrence.
DEBYE_ORDER: Final = 30.0
# Terms of that expansion: the next is below 2^-56 at the order above.
_DEBYE_TERMS: Final = 9
# Distances above which k0e, k1e of scipy and the recurrence are not needed: S underflows for every order.
_FAR: Final = 1400.0


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """Nodes and weights of one of the laws.

    Attributes
    ----------
    rates : ndarray, shape (k,)
        s, or 1 / (4 u).
    weights : ndarray, shape (k,)
        Positive, of sum 1.
    """

    rates: Floats
    weights: Floats


def student_self(square: Floats, dof: float, dim: int, *, complement: bool) -> Floats:
    """Return S, or 1 - S, of the Student kernel at t = |x - y|^2 / h^2.

    Result: relative error about (1 - log S) times some roundings, for 1 - S some roundings.

    Notes
    -----
    2 (log(1 + x) / 2 + 45 / (nu + d)) / step terms an entry: about 100 for few degrees of freedom.
    """
    power, half = dof + dim / 2, (dof + dim) / 2
    with np.errstate(over="ignore", under="ignore"):
        # At the largest float64 S is 0 to all digits that anybody can use, and no infinity times 0 arises.
        ratio = np.minimum(square / 4 / dof, _LARGEST)
    # Beyond this S, which falls as x^-half, is 0.
    largest = min(float(np.log1p(ratio.max(initial=0.0))), _UNDERFLOW / half)
    law = _student_law(half, math.ceil(largest))
    total = np.zeros_like(ratio)
    for rate, weight in zip(law.rates, law.weights, strict=True):
        with np.errstate(over="ignore", under="ignore"):
            exponent = np.log1p(ratio * rate) * power
            if dof > _MANY_DOF:
                linear = np.minimum(square, _LARGEST) / 4 * ((1 + dim / dof / 2) * rate)
                exponent = np.where(ratio < _LINEAR_LOG1P, linear, exponent)
            total += weight * (neg_expm1(exponent) if complement else np.exp(-exponent))
    total[np.isinf(square)] = 1.0 if complement else 0.0
    return total


@lru_cache(maxsize=64)
def _student_law(half: float, largest: int) -> Mixture:
    step = math.pi / _negligible_frequency(half, _NEGLIGIBLE / 2)
    if half > _LARGE_ORDER:
        # There S is above exp(-_UNDERFLOW), and what is beyond cosh(v) = exp(level) below exp(-2 half level).
        level = (_UNDERFLOW / 2 + _NEGLIGIBLE) / half
        reach = level + math.log1p(math.sqrt(-math.expm1(-2 * level)))
    else:
        reach = largest / 2 + math.log(2) + math.sqrt(_NEGLIGIBLE / half) + _NEGLIGIBLE / half / 2
    nodes = step * np.arange(math.ceil(reach / step) + 1)
    # log cosh v without cancellation at 0 and without overflow.
    near = np.log1p(np.sinh(np.minimum(nodes, _ASYMPTOTIC)) ** 2) / 2
    log_cosh = np.where(nodes < _ASYMPTOTIC, near, nodes - math.log(2))
    with np.errstate(under="ignore"):
        weights = np.exp(-2 * half * log_cosh)
        weights[1:] *= 2
        return Mixture(np.exp(-2 * log_cosh), weights / math.fsum(weights))


def _negligible_frequency(order: float, level: float) -> float:
    """Return y where log(Gamma(order) / |Gamma(order + i y)|) = level, to 1 % or above.

    The trapezoidal rule of step h errs by the Fourier transform of the integrand at 2 pi / h. For the
    density of v that is |Gamma(m + i pi / h)|^2 / Gamma(m)^2 with m = (nu + d)/2, for a power of u of law
    Gamma it is Gamma(m + 2 pi i / h) / Gamma(m); the factors of the mixtures only make them fall faster.
    """
    if order > _LARGE_ORDER:
        return math.sqrt(2 * level * order)
    floor, low, high = float(loggamma(order).real) - level, 0.0, 1.0
    while loggamma(complex(order, high)).real > floor:
        low, high = high, 2 * high
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if loggamma(complex(order, middle)).real > floor else (low, middle)
    return high


def laplacian_self(distance: Floats, dim: int) -> Floats:
    """Return S of the Laplacian kernel at z = |x - y| / h: z^p K_p(z) / (2^(p-1) Gamma(p)), p = d/2 + 1.

    Result: relative error about (d + z) roundings.

    Notes
    -----
    S_(p+1) = S_p + z^2 / (4 p (p - 1)) S_(p-1), a sum of positive terms, from the closed forms at p = 1/2 and
    3/2 or from K_0 and K_1; from p = 30 on Debye's expansion, which is uniform in z.
    """
    order = dim / 2 + 1
    if order >= DEBYE_ORDER:
        return _debye(distance, order)
    near = np.minimum(distance, _FAR)
    square = near * near
    if dim % 2:
        below, value, at = np.ones_like(near), 1 + near, 3 / 2
    else:
        safe = np.where(near > 0, near, 1.0)
        below = np.where(near > 0, safe * k1e(safe), 1.0)
        value, at = below + np.where(near > 0, square / 2 * k0e(safe), 0.0), 2.0
    while at < order:
        below, value, at = value, value + square / (4 * at * (at - 1)) * below, at + 1
    # In two steps, since exp(-z) leaves the range before S does.
    with np.errstate(under="ignore"):
        half = np.exp(-near / 2)
        return np.asarray(value * half * half)


def _debye(distance: Floats, order: float) -> Floats:
    # Far beyond the distances where S underflows for every order below 2^20.
    ratio = np.minimum(distance, _UNDERFLOW * (order + _UNDERFLOW)) / order
    root = np.hypot(1.0, ratio)
    # root - 1 = ratio^2 / (1 + root) does not cancel; the difference below is at least half of it.
    excess = ratio / (1 + root) * ratio
    exponent = -order * (excess - np.log1p(excess / 2)) - np.log1p(excess) / 2
    series, at_zero = np.zeros_like(root), 0.0
    for coefficients in reversed(_debye_polynomials()):
        polynomial = np.polynomial.Polynomial(coefficients)
        series = series / -order + polynomial(1 / root)
        at_zero = at_zero / -order + float(polynomial(1.0))
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(exponent) * (series / at_zero))


@lru_cache(maxsize=1)
def _debye_polynomials() -> tuple[tuple[float, ...], ...]:
    """U_0 .. of Debye's expansion: U_(k+1) = p^2 (1 - p^2) U_k' / 2 + (1/8) int_0^p (1 - 5 t^2) U_k dt."""
    current = np.polynomial.Polynomial([1.0])
    polynomials = [current]
    outer, inner = np.polynomial.Polynomial([0, 0, 1 / 2, 0, -1 / 2]), np.polynomial.Polynomial([1, 0, -5])
    for _ in range(_DEBYE_TERMS):
        current = outer * current.deriv() + (inner * current).integ() / 8
        polynomials.append(current)
    return tuple(tuple(float(value) for value in polynomial.coef) for polynomial in polynomials)


def laplacian_self_complement(distance: Floats, dim: int) -> Floats:
    """Return 1 - S of the Laplacian kernel at z = |x - y| / h, accurate relative to itself."""
    result = 1 - laplacian_self(distance, dim)
    close = result < 1 / 2
    if close.any():
        quarter = distance[close] ** 2 / 4
        law = _gamma_law(dim / 2 + 1)
        total = np.zeros_like(quarter)
        for rate, weight in zip(law.rates, law.weights, strict=True):
            with np.errstate(over="ignore"):
                total += weight * neg_expm1(quarter * rate)
        result[close] = total
    return result


@lru_cache(maxsize=64)
def _gamma_law(shape: float) -> Mixture:
    # 1 - S involves the moment of 1/u, so the lower tail falls as u^(shape - 1) only.
    rate = shape - 1
    step = 2 * math.pi / _negligible_frequency(rate, _NEGLIGIBLE)
    low = -math.sqrt(2 * _NEGLIGIBLE / rate) - _NEGLIGIBLE / rate
    high = math.log1p(math.sqrt(2 * _NEGLIGIBLE / shape) + 2 * _NEGLIGIBLE / shape)
    # log(u / shape), so that the exponent is a small difference from the mode and not one of large numbers.
    nodes = np.arange(math.floor(low / step), math.ceil(high / step) + 1) * step
    with np.errstate(under="ignore"):
        weights = np.exp(shape * (nodes - np.expm1(nodes)))
    return Mixture(np.exp(-nodes) / shape, weights / math.fsum(weights))

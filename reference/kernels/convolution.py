"""Not in the paper: the kernels convolved with themselves, from which beta(x') of section 6.2.1 follows.

The profiles are (k * k)(z) / (k * k)(0) as functions of |z|^2. Since the L2 norm of sum_i z_i k(., Z_i) is
the root of sum_ij z_i z_j (k * k)(Z_i - Z_j), they give beta(x') in closed form.

Gaussian: variances add, so k * k is the Gaussian of bandwidth sqrt(2) h.

Laplacian: the Fourier transform of k is (1 + h^2 |u|^2)^(-(d + 1)/2), that of k * k its square, which is
the transform of a Matern function of order p = d/2 + 1: zeta^p K_p(zeta) with zeta = |z|/h.

Student: with e = (nu + d)/2 and c = nu h^2, Feynman's parametrisation joins the two factors,

    1/(A^e B^e) = integral over 0 < v < 1 of (v (1 - v))^(e - 1) / (v A + (1 - v) B)^(2 e) dv / B(e, e),

and for A = 1 + |x|^2/c, B = 1 + |x - z|^2/c the denominator is 1 + v (1 - v) |z|^2/c + |x - (1 - v) z|^2/c.
The integral over x leaves (1 + v (1 - v) |z|^2/c)^(-(nu + d/2)), averaged over a Beta(e, e) variable v. Since
the mean of (v (1 - v))^k is (e)_k / (4^k (e + 1/2)_k), the average is
2F1(nu + d/2, e; e + 1/2; -|z|^2/(4 c)). For nu = 1 it is the Cauchy kernel of bandwidth 2 h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mpmath import MPContext, mpf

SLOW_FROM: Final = 1
SLOW_TO: Final = 2000
"""Between these arguments mpmath's K of integer order takes up to a second at 80 digits."""

POWER_BITS: Final = 32
"""Bits that at most 2^16 successive products, each to one rounding, may lose, and as many again."""

LARGEST_PARAMETER: Final = 2000
"""Largest nu + d/2 for which mpmath's 2F1 takes any argument: tried up to 10^4, arguments up to 10^30."""

LARGEST_CANCELLATION: Final = 200
"""Beyond that parameter its alternating series has terms up to exp((nu + d/2) ratio); this many e-folds."""


def laplacian_convolution(ctx: MPContext, ratio: mpf, dim: int) -> mpf:
    """Return zeta^p K_p(zeta) / (2^(p - 1) Gamma(p)), p = d/2 + 1, at zeta = |z|/h >= 0; 1 at 0."""
    if not ratio:
        return ctx.mpf(1)
    order = ctx.mpf(dim) / 2 + 1
    # Elementary for odd d; for even d mpmath takes a limit of orders, which is slow between its two series.
    is_slow = not dim % 2 and SLOW_FROM < ratio < SLOW_TO
    bessel = bessel_k(ctx, dim // 2 + 1, ratio) if is_slow else ctx.besselk(order, ratio)
    return ratio**order * bessel / (ctx.mpf(2) ** (order - 1) * ctx.gamma(order))


def bessel_k(ctx: MPContext, order: int, z: mpf) -> mpf:
    """Return K_p(z) for an integer order p >= 1 by the trapezoidal rule.

    Notes
    -----
    K_p(z) is the integral of exp(-z cosh t) cosh(p t) over t > 0. In the strip |Im t| <= c = pi/3 the
    integrand is at most that for z cos c = z/2, and K_p(z/2) <= 2^p exp(z/2) K_p(z); so a step h leaves a
    relative error below 2 exp(p log 2 + z/2 - 2 pi c/h). Beyond their maximum the terms fall faster than
    geometrically.
    """
    bits = ctx.prec
    # 300 powers of e^h are multiplied up.
    with ctx.workprec(bits + POWER_BITS):
        log_two = ctx.log(2)
        step = 2 * ctx.pi**2 / (3 * ((bits + 2 + order) * log_two + z / 2))
        base, power = ctx.exp(step), ctx.exp(order * step)
        total, forward, outward = ctx.mpf(1) / 2, ctx.mpf(1), ctx.mpf(1)
        smallest = ctx.mpf(2) ** -bits
        while True:
            forward, outward = forward * base, outward * power
            height = (forward + 1 / forward) / 2
            term = ctx.exp(z * (1 - height)) * (outward + 1 / outward) / 2
            total += term
            if term <= smallest * total and z * (forward - 1 / forward) > 2 * order:
                break
        value = step * total * ctx.exp(-z)
    return ctx.mpf(value)


def student_convolution(ctx: MPContext, ratio: mpf, nu: mpf, dim: int) -> mpf:
    """Return 2F1(nu + d/2, (nu + d)/2; (nu + d + 1)/2; -ratio) at ratio = |z|^2/(4 nu h^2) >= 0."""
    if not ratio:
        return ctx.mpf(1)
    power, exponent = nu + ctx.mpf(dim) / 2, (nu + dim) / 2
    if power <= LARGEST_PARAMETER or power * ratio <= LARGEST_CANCELLATION:
        return ctx.hyp2f1(power, exponent, exponent + ctx.mpf(1) / 2, -ratio)
    # Logarithms of the size of `power` are exponentiated.
    with ctx.workprec(ctx.prec + max(0, int(ctx.mag(power))) + max(0, int(ctx.mag(ctx.log1p(ratio))))):
        value = _beta_average(ctx, ratio, power, exponent)
    return ctx.mpf(value)


def _beta_average(ctx: MPContext, ratio: mpf, power: mpf, exponent: mpf) -> mpf:
    """Return the Beta average by quadrature, where the series of 2F1 has too many terms.

    With 4 v (1 - v) = e^y it is the integral over y < 0 of exp(h(y)) (1 - e^y)^(-1/2) over B(e, 1/2), where
    h(y) = e y - (nu + d/2) log(1 + ratio e^y) is concave: one peak, and beyond the points where exp(h) has
    fallen by the working precision nothing is left. With y = -x^2 the integrand is smooth at 0.
    """

    def log_weight(y: mpf) -> mpf:
        return exponent * y - power * ctx.log1p(ratio * ctx.exp(y))

    peak = min(ctx.mpf(0), ctx.log(exponent / ((power - exponent) * ratio)))
    top = log_weight(peak)
    depth = ctx.prec * ctx.log(2)
    low, high = (_edge(ctx, lambda y: top - log_weight(y) - depth, peak, ctx.mpf(side)) for side in (-1, 1))
    ends = sorted({ctx.sqrt(-y) for y in (low, peak, min(high, ctx.mpf(0)))})

    def integrand(x: mpf) -> mpf:
        y = -x * x
        return ctx.exp(log_weight(y) - top) * 2 * x / ctx.sqrt(-ctx.expm1(y)) if y else ctx.mpf(2)

    log_beta = ctx.log(ctx.pi) / 2 - log_gamma_ratio(ctx, 2 * exponent, 1)
    return ctx.exp(top - log_beta) * ctx.quad(integrand, ends)


def _edge(ctx: MPContext, excess: Callable[[mpf], mpf], peak: mpf, side: mpf) -> mpf:
    """Return a point on one side of the peak where a convex function, negative at the peak, is positive."""
    reach = ctx.mpf(2) ** -ctx.prec
    while excess(peak + side * reach) < 0:
        reach *= 2
    return peak + side * reach


def log_gamma_ratio(ctx: MPContext, nu: mpf, dim: int) -> mpf:
    """Return log Gamma((nu + d)/2) - log Gamma(nu/2) to the precision of a context, for nu of any size.

    Notes
    -----
    With a = nu/2 and s = d/2 = k + f, k an integer and 0 <= f < 1, the ratio of the two Gamma functions is
    prod_(j<k) (a + f + j) times Gamma(a + f) / Gamma(a). The logarithm of the product exceeds k log a by 0 to
    (k f + k (k - 1)/2)/a <= s^2/(2 a); that of the quotient falls short of f log a by at most f (1 - f)/a
    <= 1/(4 a), since log Gamma is convex. So (d/2) log(nu/2) is off by less than d^2/(2 nu).
    """
    # log2 of nu, rounded up.
    size = max(0, int(ctx.mag(nu)))
    if size > ctx.prec + 2 * dim.bit_length():
        # nu > d^2 2^prec: the limit is off by less than the last bit of 1.
        return ctx.mpf(dim) / 2 * ctx.log(nu / 2)
    # Both terms are below nu log nu < 2^(size + bit_length(size)), and their leading bits cancel.
    with ctx.workprec(ctx.prec + size + size.bit_length() + 2 * dim.bit_length()):
        return ctx.loggamma((nu + dim) / 2) - ctx.loggamma(nu / 2)

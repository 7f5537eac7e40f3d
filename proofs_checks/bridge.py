"""From a specification to the objects of either implementation, with their types."""

import itertools
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, cast

from mpmath import MPContext, mpf

import rkde.fast.kernels
import rkde.fast.losses
import rkde.reference.kernels
import rkde.reference.losses
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Rows, build_kernel, build_loss
from rkde.reference.numbers import Number, make_context

DIGITS: Final = 40
"""Decimal digits at which the claims run the reference: a violation of float64's size shows in full."""


FINE_DIGITS: Final = 100
"""Digits for a relation whose terms may be 1e30 times smaller than what they are differences of."""


def context() -> MPContext:
    """Return a fresh context of `DIGITS` digits."""
    return make_context(DIGITS)


def fine_context() -> MPContext:
    """Return a fresh context of `FINE_DIGITS` digits."""
    return make_context(FINE_DIGITS)


def fine_bound(scale: float, n_roundings: int) -> float:
    """Bound a relation evaluated in the fine context: `DIGITS` digits of its terms' size `scale`.

    The weights, rounded at `FINE_DIGITS` digits, move every inner product (at most 1) by that much, whatever
    the size of the terms.
    """
    relative = tolerances.reference_bound(DIGITS, n_roundings)
    floor = tolerances.reference_bound(FINE_DIGITS, n_roundings)
    return relative * scale + floor


def reference_kernel(spec: KernelSpec) -> rkde.reference.kernels.Kernel:
    """Build a kernel of the reference."""
    return cast("rkde.reference.kernels.protocol.Kernel", build_kernel(rkde.reference.kernels, spec))


def fast_kernel(spec: KernelSpec) -> rkde.fast.kernels.Kernel:
    """Build a kernel of the fast implementation."""
    return cast("rkde.fast.kernels.protocol.Kernel", build_kernel(rkde.fast.kernels, spec))


def reference_loss(spec: LossSpec) -> rkde.reference.losses.Loss:
    """Build a loss of the reference."""
    return cast("rkde.reference.losses.Loss", build_loss(rkde.reference.losses, spec))


def fast_loss(spec: LossSpec) -> rkde.fast.losses.Loss:
    """Build a loss of the fast implementation."""
    return cast("rkde.fast.losses.protocol.Loss", build_loss(rkde.fast.losses, spec))


def fraction(value: mpf) -> Fraction:
    """Return the exact rational value of a finite multiprecision number of moderate exponent."""
    sign, mantissa, exponent, _ = value._mpf_
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** exponent


def feature_distance(
    ctx: MPContext, rows: Rows, spec: KernelSpec, weights: Sequence[Number], others: Sequence[Number]
) -> mpf:
    """Return |f - g| in tau for two elements with weights on the same rows."""
    kernel, dim = reference_kernel(spec), len(rows[0])
    points = [[ctx.convert(value) for value in row] for row in rows]
    moves = [ctx.convert(left) - ctx.convert(right) for left, right in zip(weights, others, strict=True)]
    # The moves sum to 0, so |sum_i m_i Phi_i|^2 = -sum_{i<j} m_i m_j D_ij, exact where rows coincide.
    terms = [
        -2 * left * right * kernel.complement(ctx, _squared_distance(ctx, x, y), dim)
        for (x, left), (y, right) in itertools.combinations(zip(points, moves, strict=True), 2)
    ]
    return ctx.sqrt(max(ctx.fsum(terms), ctx.mpf(0)))


def _squared_distance(ctx: MPContext, x: Sequence[mpf], y: Sequence[mpf]) -> mpf:
    return ctx.fsum((left - right) ** 2 for left, right in zip(x, y, strict=True))

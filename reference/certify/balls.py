"""Balls: real numbers as a midpoint and a proven radius, by Arb through python-flint.

Every operation on balls returns a ball that holds the exact result for every choice of the operands, so a
comparison that holds between balls holds between the numbers. The working precision belongs to python-flint's
global context; `working_bits` sets it for a block and puts it back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rkde.errors import InvalidInput

try:
    from flint import arb, arb_mat, ctx, fmpq
except ImportError as missing:  # pragma: no cover (the extra verify has python-flint)
    raise ModuleNotFoundError(
        "rkde.reference.certify computes with balls and needs python-flint, which is not installed; "
        'run: python -m pip install "rkde[verify]"'
    ) from missing

# Decimal digits of a printed midpoint unless asked otherwise: what the golden vectors keep at least.
DECIMAL_DIGITS: Final = 40
# Decimal digits of a printed radius: it is rounded up, so few will do.
RADIUS_DIGITS: Final = 2
# Precision of a proof unless asked otherwise: 77 digits, so that 60 remain after any sensible conditioning.
DEFAULT_BITS: Final = 256
# Least precision that the proofs are written for: that of a double.
MIN_BITS: Final = 53


@dataclass(frozen=True, slots=True)
class DecimalBall:
    """A ball in decimals: the exact number lies within `radius` of `midpoint`.

    Attributes
    ----------
    midpoint, radius : str
        Decimal numbers, the radius rounded up; ``"0"`` for zero.
    """

    midpoint: str
    radius: str


def working_bits(bits: int) -> AbstractContextManager[None]:
    """Set the precision of ball arithmetic for a block.

    Result: restores the former precision at its end. The precision is global to the process, not to a thread.
    """
    if isinstance(bits, bool) or not isinstance(bits, int) or bits < MIN_BITS:
        raise InvalidInput(
            f"must be an integer of at least {MIN_BITS}",
            where="bits",
            value=bits,
            remedy=f"pass a precision of at least {MIN_BITS} bits",
        )
    return ctx.workprec(bits)


def exact_ball(value: Fraction | int) -> arb:
    """Give the ball around a rational number: exact if it fits the precision, else with the rounding."""
    if isinstance(value, int):
        return +arb(value)
    return arb(fmpq(value.numerator, value.denominator))


def square_root(ball: arb) -> arb:
    """Take the root of a number known to be nonnegative, even where its ball reaches below zero."""
    if ball.is_zero():
        return arb(0)
    if ball > 0:
        return ball.sqrt()
    upper = ball.upper()
    return arb(0).union(upper.sqrt()) if upper >= 0 else arb.nan()


def ball_sum(balls: Iterable[arb]) -> arb:
    """Add balls."""
    return sum(balls, start=arb(0))


def hull(balls: Sequence[arb]) -> arb:
    """Give one ball that holds all of `balls` (at least one)."""
    joined = balls[0]
    for ball in balls[1:]:
        joined = joined.union(ball)
    return joined


def magnitude(balls: Iterable[arb]) -> arb:
    """Bound the largest absolute value from above; 0 for none."""
    bound = arb(0)
    for ball in balls:
        bound = bound.max(ball.abs_upper())
    return bound


def all_finite(balls: Iterable[arb]) -> bool:
    """Tell whether every ball is bounded, hence a statement about a number."""
    return all(ball.is_finite() for ball in balls)


def column(balls: Sequence[arb]) -> arb_mat:
    """Stack balls to a matrix of one column."""
    return arb_mat(len(balls), 1, balls)


def entries(matrix: arb_mat) -> list[arb]:
    """Read the entries of a matrix of one column."""
    return [matrix[i, 0] for i in range(matrix.nrows())]


def inside(inner: Iterable[arb], outer: Iterable[arb]) -> bool:
    """Tell whether every ball lies in the interior of its counterpart."""
    return all(box.contains_interior(ball) for ball, box in zip(inner, outer, strict=True))


def decimal_ball(ball: arb, digits: int = DECIMAL_DIGITS) -> DecimalBall:
    """Write a ball in decimals that contain it.

    Result: A decimal ball that contains `ball`.
    """
    if not ball.is_finite():
        raise InvalidInput(
            "must be finite to be written in decimals", where="ball", value=ball, remedy="use more bits"
        )
    midpoint = ball.mid().str(digits, radius=False)
    with ctx.workprec(ball.mid().bits() + 4 * digits + MIN_BITS):  # a decimal digit needs less than four bits
        reach = (ball - arb(midpoint)).abs_upper()
    significand, spread, exponent = reach.mid_rad_10exp(RADIUS_DIGITS)
    return DecimalBall(midpoint, f"{significand + spread}e{exponent}" if reach > 0 else "0")

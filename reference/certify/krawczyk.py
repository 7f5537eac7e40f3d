"""Krawczyk's test: a box of weights that holds exactly one fixed point of KIRWLS.

With G(w) = gamma(w) w - phi(r(w)), a midpoint w0, a box W around it, C near the inverse of DG(w0) and M(W) a
matrix of balls that holds every (generalised) derivative of G on W, the operator is K(W) = w0 - C G(w0) + (I
- C M(W)) (W - w0). If K(W) lies in the interior of W, then G has exactly one zero in W, it lies in K(W), and
every matrix in M(W) is regular. Thresholds and distances that are balls are held fixed, each at any value in
its ball, so the statement is true for all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flint import arb, arb_mat, ctx

from rkde.reference.certify.balls import all_finite, column, entries, inside, magnitude, working_bits
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.results import UnprovedError
from rkde.reference.certify.weight_state import evaluate, jacobian, stationarity_gap

# The inverse and M(W) mostly need no more than double precision: they only steer a contraction, each pass of
# which gains about as many bits as they carry.
SLOPE_BITS: Final = 64
# Newton's method doubles the digits at each new matrix; from a start with a few right digits this is ample.
MAX_MATRICES: Final = 12
MAX_CHORD_STEPS: Final = 200
# A chord step that shrinks the last one by less than this factor asks for a new matrix.
CHORD_FACTOR: Final = 16
# Steps below this many units in the last place of the largest weight are rounding.
ROUNDING_BITS: Final = 8
# How far the box reaches beyond the midpoint's residual, in bits, at each attempt.
INFLATION_BITS: Final = (2, 10, 20)


def enclose_zero(groups: Groups, loss: BallLoss, start: Sequence[arb]) -> list[arb]:
    """Enclose the fixed point of KIRWLS near an approximate one.

    Shapes: start (m,); result (m,). Result: balls that hold exactly one fixed point.

    Notes
    -----
    Cost: one inverse and one product of m by m matrices at 64 bits, and matrix-vector products at full
    precision.
    """
    reason = ""
    for slope_bits in (SLOPE_BITS, max(SLOPE_BITS, ctx.prec)):
        try:
            return _attempt(groups, loss, start, slope_bits)
        except UnprovedError as failure:
            reason = failure.problem
    raise UnprovedError(reason)


def _attempt(groups: Groups, loss: BallLoss, start: Sequence[arb], slope_bits: int) -> list[arb]:
    midpoint, inverse = polish(groups, loss, start, slope_bits)
    residual = stationarity_gap(groups, loss, evaluate(groups, loss, midpoint))
    image = [
        centre - step for centre, step in zip(midpoint, entries(inverse * column(residual)), strict=True)
    ]
    for extra in INFLATION_BITS:
        box = _box(midpoint, image, extra)
        contraction = _contraction(groups, loss, inverse, box, slope_bits)
        if contraction is None:
            continue
        enclosure = _krawczyk(midpoint, image, contraction, box)
        if all_finite(enclosure) and inside(enclosure, box):
            refined = _krawczyk(midpoint, image, contraction, enclosure)
            return [new.intersection(old) for new, old in zip(refined, enclosure, strict=True)]
    raise UnprovedError(
        "Krawczyk's test failed, so the matrix of Theorem 5 may be singular on the box; try more bits"
    )


def polish(
    groups: Groups, loss: BallLoss, start: Sequence[arb], slope_bits: int = SLOPE_BITS
) -> tuple[list[arb], arb_mat]:
    """Refine approximate weights by Newton's method with an inverse of `slope_bits`.

    Result: an approximate inverse of the derivative there, exact midpoints.
    """
    weights = [weight.mid() for weight in start]
    for _ in range(MAX_MATRICES):
        inverse = _approximate_inverse(groups, loss, weights, slope_bits)
        weights, settled = _chord(groups, loss, weights, inverse)
        if settled:
            return weights, inverse
    raise UnprovedError("Newton's method does not converge; start from weights closer to the limit")


def _chord(groups: Groups, loss: BallLoss, weights: list[arb], inverse: arb_mat) -> tuple[list[arb], bool]:
    """Step with a fixed matrix while the steps keep shrinking; tell whether rounding is reached."""
    last: arb | None = None
    for _ in range(MAX_CHORD_STEPS):
        residual = stationarity_gap(groups, loss, evaluate(groups, loss, weights))
        steps = [step.mid() for step in entries(inverse * column([value.mid() for value in residual]))]
        size = magnitude(steps)
        if not size.is_finite():
            raise UnprovedError(
                "Newton's method left the region where phi is finite; start from weights closer to the limit"
            )
        moved = [(weight - step).mid() for weight, step in zip(weights, steps, strict=True)]
        if size <= magnitude(weights) * arb(2) ** (ROUNDING_BITS - ctx.prec):
            return moved, True
        if last is not None and not size * CHORD_FACTOR < last:
            floor = magnitude(residual_radii(residual)) > magnitude(value.mid() for value in residual)
            return weights, bool(floor)
        weights, last = moved, size
    return weights, False


def residual_radii(balls: Sequence[arb]) -> list[arb]:
    """Give the radii as numbers."""
    return [ball.rad() for ball in balls]


def _approximate_inverse(groups: Groups, loss: BallLoss, weights: Sequence[arb], slope_bits: int) -> arb_mat:
    with working_bits(slope_bits):
        matrix = jacobian(groups, loss, evaluate(groups, loss, weights)).mid()
        try:
            return matrix.inv().mid()
        except (ZeroDivisionError, ValueError):
            raise UnprovedError(
                "the matrix of Theorem 5 is singular at the approximate weights; move a threshold slightly"
            ) from None


def _box(midpoint: Sequence[arb], image: Sequence[arb], extra_bits: int) -> list[arb]:
    """Put one radius around all weights: the correction still due, enlarged."""
    due = magnitude(new - old for new, old in zip(image, midpoint, strict=True))
    radius = due.max(magnitude(midpoint) * arb(2) ** -ctx.prec) * arb(2) ** extra_bits
    return [arb(centre, radius) for centre in midpoint]


def _contraction(
    groups: Groups, loss: BallLoss, inverse: arb_mat, box: Sequence[arb], slope_bits: int
) -> arb_mat | None:
    """Give I - C M(W), or None where M is unbounded on the box."""
    with working_bits(slope_bits):
        slopes = jacobian(groups, loss, evaluate(groups, loss, box))
        if not all_finite(slopes.entries()):
            return None
        identity = arb_mat(groups.count, groups.count, _identity_entries(groups.count))
        return identity - inverse * slopes


def _identity_entries(count: int) -> list[int]:
    return [int(i == j) for i in range(count) for j in range(count)]


def _krawczyk(
    midpoint: Sequence[arb], image: Sequence[arb], contraction: arb_mat, box: Sequence[arb]
) -> list[arb]:
    offsets = column([ball - centre for ball, centre in zip(box, midpoint, strict=True)])
    return [new + shift for new, shift in zip(image, entries(contraction * offsets), strict=True)]

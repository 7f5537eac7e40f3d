"""Single values over balls: kernels, losses and log densities at exact arguments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import DEFAULT_BITS, ball_sum, exact_ball, working_bits
from rkde.reference.certify.exact import ExactRow, exact_points, exact_queries, exact_weights
from rkde.reference.certify.kernels import BallKernel, ball_kernel
from rkde.reference.certify.losses import (
    PIECES,
    Piece,
    ball_loss,
    curvature,
    exact_thresholds,
    phi,
    piece_range,
    psi,
    psi_prime,
    rho,
)
from rkde.reference.certify.sample import exact_sqdist
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Number, Rows, exact_value


@dataclass(frozen=True, slots=True)
class LossValues:
    """A loss at one point, decided exactly against the kinks.

    Attributes
    ----------
    rho, psi, phi : flint.arb
        phi is infinite for the absolute loss at 0.
    psi_prime, q : flint.arb
        Limits from the right at a kink and at 0.
    q_left : flint.arb or None
        The limit from the left; None at 0.
    """

    rho: arb
    psi: arb
    phi: arb
    psi_prime: arb
    q: arb
    q_left: arb | None


def enclose_log_kernel(
    kernel: Kernel, x: Sequence[Number], Y: Rows, *, bits: int = DEFAULT_BITS
) -> list[arb]:
    """Enclose log k(x, y) for each row y of Y.

    Shapes: x (d,); Y (m, d); result (m,).
    """
    with working_bits(bits):
        point = exact_points([x])[0]
        dim = len(point)
        ball = ball_kernel(kernel)
        normaliser = ball.log_normaliser(dim)
        return [
            normaliser + ball.log_profile(exact_ball(exact_sqdist(point, y)), dim)
            for y in exact_queries(Y, dim, "Y")
        ]


def enclose_loss(loss: Loss, t: Number, *, bits: int = DEFAULT_BITS) -> LossValues:
    """Enclose every function of a loss at an exact argument; on a kink the pieces are told apart exactly."""
    norm = exact_value(t, "t")
    if norm < 0:
        raise InvalidInput(
            "must be at least 0, as a distance is", where="t", value=t, remedy="pass norms, not differences"
        )
    with working_bits(bits):
        name, thresholds = exact_thresholds(loss)
        ball, decided = exact_ball(norm), ball_loss(loss)
        right = PIECES[name][piece_range(thresholds, norm).start]
        left = PIECES[name][sum(1 for kink in thresholds if kink < norm)]
        at_pole = right is Piece.ABSOLUTE and norm == 0
        return LossValues(
            rho=rho(decided, right, ball),
            psi=psi(decided, right, ball),
            phi=arb.pos_inf() if at_pole else phi(decided, right, ball),
            psi_prime=psi_prime(decided, right),
            q=curvature(decided, right),
            q_left=None if norm == 0 else curvature(decided, left),
        )


def enclose_log_density(
    X: Rows, kernel: Kernel, weights: Sequence[Number], queries: Rows, *, bits: int = DEFAULT_BITS
) -> list[arb]:
    """Enclose the log density of sum_i w_i k(., X_i) at each query, however far from the data.

    Shapes: X (n, d); weights (n,); queries (m, d); result (m,).
    """
    points = exact_points(X)
    shares = exact_weights(weights, len(points))
    dim = len(points[0])
    with working_bits(bits):
        ball = ball_kernel(kernel)
        normaliser = ball.log_normaliser(dim)
        kept = [
            (point, exact_ball(share).log()) for point, share in zip(points, shares, strict=True) if share
        ]
        return [
            normaliser + log_sum_exp([share + _log_profile(ball, query, point) for point, share in kept])
            for query in exact_queries(queries, dim)
        ]


def _log_profile(kernel: BallKernel, x: ExactRow, y: ExactRow) -> arb:
    return kernel.log_profile(exact_ball(exact_sqdist(x, y)), len(x))


def log_sum_exp(logs: Sequence[arb]) -> arb:
    """Give log(sum(exp)); where the ratios of the terms are unknown, bound it by 1 and their count."""
    largest = logs[0]
    for value in logs[1:]:
        largest = largest.max(value)
    pivot = largest.mid()
    total = pivot + ball_sum((value - pivot).exp() for value in logs).log()
    return total if total.is_finite() else largest + arb(0).union(exact_ball(len(logs)).log())

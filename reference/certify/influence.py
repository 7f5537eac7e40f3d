"""The influence of one contaminating point over balls: Theorem 5's system at exactly the given weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb, arb_mat

from rkde.errors import AllWeightsZero, InvalidInput, NotDifferentiable
from rkde.reference.certify.balls import (
    DEFAULT_BITS,
    ball_sum,
    column,
    entries,
    exact_ball,
    square_root,
    working_bits,
)
from rkde.reference.certify.exact import ExactRow, exact_points, exact_queries, exact_weights
from rkde.reference.certify.kernels import BallKernel, ball_kernel
from rkde.reference.certify.losses import BallLoss, ball_loss, curvature, over_pieces, phi
from rkde.reference.certify.results import UnprovedError
from rkde.reference.certify.sample import exact_sqdist
from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Number, Rows
from rkde.vocabulary import INFLUENCE_RESIDUAL, KINK_SLACK

HALF: Final = 2


@dataclass(frozen=True, slots=True)
class InfluenceEnclosure:
    """Balls around the fields of an `Influence` at one point x'.

    Attributes
    ----------
    if_coef : tuple of flint.arb, shape (n,)
    if_coef_new, if_at_new, if_l2_norm : flint.arb
    influence : tuple of flint.arb, shape (q,)
    """

    if_coef: tuple[arb, ...]
    if_coef_new: arb
    influence: tuple[arb, ...]
    if_at_new: arb
    if_l2_norm: arb


@dataclass(frozen=True, slots=True)
class _Point:
    """Weights with all that they determine; D_ij in tau^2, the last row and column those of x'."""

    weights: list[arb]
    sqdist: list[list[arb]]
    norms: list[arb]
    phis: list[arb]
    bends: list[arb]
    phi_new: arb


def enclose_influence(
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    weights: Sequence[Number] | Sequence[arb],
    x_new: Sequence[Number],
    queries: Rows = (),
    *,
    bits: int = DEFAULT_BITS,
) -> InfluenceEnclosure:
    """Enclose the influence function at one contaminating point (Theorem 5).

    Shapes: X (n, d); weights (n,); x_new (d,); queries (q, d).

    Notes
    -----
    Cost: (n + 1)^2/2 kernel values and one solution of a system of size n.
    """
    with working_bits(bits):
        rows = exact_points(X)
        dim = len(rows[0])
        (new,) = exact_queries([x_new], dim, "x_new")
        asked = exact_queries(queries, dim)
        shape, decided = ball_kernel(kernel), ball_loss(loss)
        shares = _shares(weights, len(rows))
        point = _point(shape, decided, [*rows, new], shares)
        coefficients = _coefficients(point)
        places = [*rows, new]
        return InfluenceEnclosure(
            if_coef=tuple(coefficients[:-1]),
            if_coef_new=coefficients[-1],
            influence=tuple(_value(shape, places, coefficients, x) for x in asked),
            if_at_new=_value(shape, places, coefficients, new),
            if_l2_norm=_l2_norm(shape, places, coefficients),
        )


def _shares(weights: Sequence[Number] | Sequence[arb], count: int) -> list[arb]:
    """Give the weights as balls of sum 1."""
    balls = [weight for weight in weights if isinstance(weight, arb)]
    if len(balls) == len(weights) == count:
        return balls
    numbers = [weight for weight in weights if not isinstance(weight, arb)]
    return [exact_ball(weight) for weight in exact_weights(numbers, count)]


def _point(kernel: BallKernel, loss: BallLoss, places: Sequence[ExactRow], weights: list[arb]) -> _Point:
    dim = len(places[0])
    sqdist = [[kernel.feature_sqdist(exact_ball(exact_sqdist(x, y)), dim) for y in places] for x in places]
    means = [ball_sum(w * d for w, d in zip(weights, row, strict=False)) for row in sqdist]
    spread = ball_sum(w * mean for w, mean in zip(weights, means, strict=False))
    norms = [square_root(mean - spread / HALF) for mean in means]
    if loss.name == "absolute" and any(norm.is_zero() for norm in norms):
        raise NotDifferentiable(
            "a residual is 0, where phi is infinite",
            where="weights or x_new",
            remedy="use a loss with a finite phi(0), such as Huber",
        )
    pieces = [loss.pieces(norm) for norm in norms]
    phis = [over_pieces(phi, loss, *pair) for pair in zip(pieces, norms, strict=True)]
    for kink in loss.kinks:
        if not all(abs(norm - kink) > arb(KINK_SLACK) * kink for norm in norms[:-1]):
            raise UnprovedError("a residual may lie on a kink of the loss; move a threshold slightly")
    _check_stationary(weights, phis[:-1])
    bends = [curvature(loss, piece) for (piece, *_) in pieces[:-1]]
    return _Point(weights, sqdist, norms[:-1], phis[:-1], bends, phis[-1])


def _check_stationary(weights: list[arb], phis: list[arb]) -> None:
    total = ball_sum(phis)
    if total.is_zero():
        raise AllWeightsZero(
            "phi is 0 at every residual",
            where="weights",
            remedy="start closer to the data, or raise the threshold c",
        )
    largest = weights[0]
    for weight in weights[1:]:
        largest = largest.max(weight)
    allowed = arb(INFLUENCE_RESIDUAL) * largest
    moved = [abs(value / total - weight) for value, weight in zip(phis, weights, strict=True)]
    if any(move > allowed for move in moved):
        raise InvalidInput(
            "must be a fixed point of KIRWLS, got weights that move",
            where="weights",
            remedy="pass the weights of certify_limit",
        )
    if not all(move <= allowed for move in moved):
        raise UnprovedError(
            "it could not be decided whether the weights are a fixed point to 1e-6; try more bits"
        )


def _coefficients(point: _Point) -> list[arb]:
    """Give alpha and, last, alpha': (gamma I + P'QPK) alpha = -n phi(r') w - alpha' P'QP k'."""
    count = len(point.weights)
    if point.phi_new.is_zero():
        return [arb(0)] * (count + 1)
    gamma = ball_sum(point.phis)
    n_phi_new = count * point.phi_new
    alpha_new = n_phi_new / gamma
    scales = [
        bend if bend.is_zero() else bend / norm**3
        for bend, norm in zip(point.bends, point.norms, strict=True)
    ]
    columns = [_ptqp_times(point, scales, row) for row in point.sqdist]
    matrix = arb_mat([[columns[j][i] + (gamma if i == j else 0) for j in range(count)] for i in range(count)])
    right = [-n_phi_new * w - alpha_new * entry for w, entry in zip(point.weights, columns[-1], strict=True)]
    try:
        return [*entries(matrix.solve(column(right))), alpha_new]
    except ZeroDivisionError:
        raise UnprovedError("the matrix of Theorem 5 may be singular; try more bits") from None


def _ptqp_times(point: _Point, scales: Sequence[arb], sqdist: Sequence[arb]) -> list[arb]:
    """Give P'Q P k for k = 1 - D/2 and P = I - 1 w': P k = -P D/2."""
    mean = ball_sum(w * d for w, d in zip(point.weights, sqdist, strict=False))
    qp_k = [scale * (mean - entry) / HALF for scale, entry in zip(scales, sqdist, strict=False)]
    total = ball_sum(qp_k)
    return [entry - w * total for entry, w in zip(qp_k, point.weights, strict=True)]


def _value(kernel: BallKernel, places: Sequence[ExactRow], coefficients: Sequence[arb], x: ExactRow) -> arb:
    profiles = (kernel.log_profile(exact_ball(exact_sqdist(x, y)), len(x)).exp() for y in places)
    return ball_sum(c * value for c, value in zip(coefficients, profiles, strict=True))


def _l2_norm(kernel: BallKernel, places: Sequence[ExactRow], coefficients: Sequence[arb]) -> arb:
    """Give (z'B z)^(1/2); the exact z sums to 0, so z'B z = 2 sum over i < j of z_i z_j (B_ij - 1)."""
    dim = len(places[0])
    terms = (
        HALF * left * right * (kernel.self_convolution(exact_ball(exact_sqdist(x, y)), dim) - 1)
        for i, (x, left) in enumerate(zip(places, coefficients, strict=True))
        for y, right in zip(places[:i], coefficients[:i], strict=True)
    )
    return square_root(ball_sum(terms))

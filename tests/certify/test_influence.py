"""Enclosures of the influence function hold what the reference computes."""

from typing import Any, Final

import pytest

import rkde.reference as rr
from rkde.errors import AllWeightsZero, InvalidInput, NotDifferentiable
from tests.support.balls import certify, flint

LINE: Final = [[-1], [0], [0.75], [1.5], [4]]
PLANE: Final = [[0, 0], [1, 0.5], [3, -1], [1, 0.5]]
KERNELS: Final = (rr.Gaussian(1), rr.Laplacian("0.75"), rr.Student(1, "2.5"))
LOSSES: Final = (rr.Quadratic(), rr.Absolute(), rr.Huber("0.6"), rr.Hampel("0.5", "0.75", "1.1"))
# The reference's digits here; the balls are narrower than its last one.
DIGITS: Final = 40
CTX: Final = rr.make_context(DIGITS)
BITS: Final = 256


def near(ball: Any, found: Any) -> bool:
    """Tell whether a number lies in the ball up to its last digit, and whether the ball is that small."""
    with certify.working_bits(BITS):
        text = flint.arb(rr.make_context(3 * DIGITS).nstr(found, 2 * DIGITS))
        allowed = (abs(text) + 1) * flint.arb(10) ** (1 - DIGITS)
        return bool(abs(ball - text) < allowed) and bool(ball.rad() < allowed)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_enclosures_hold_the_reference(kernel: Any, loss: Any) -> None:
    for X, x_new, queries in ((LINE, [2], [[0.5], [9]]), (PLANE, [1, 0.5], [[0, 1]]), (LINE, [50], [])):
        weights = rr.fixed_point(CTX, X, kernel, loss).weights
        if loss.name == "absolute" and not min(rr.residual_norms(CTX, X, kernel, weights)):
            continue
        found = rr.influence(CTX, X, kernel, loss, weights, [x_new], queries)
        balls = certify.enclose_influence(X, kernel, loss, weights, x_new, queries, bits=BITS)
        pairs = [
            *zip(balls.if_coef, found.if_coef[0], strict=True),
            *zip(balls.influence, found.influence[0], strict=True),
            (balls.if_coef_new, found.if_coef_new[0]),
            (balls.if_at_new, found.if_at_new[0]),
            (balls.if_l2_norm, found.if_l2_norm[0]),
        ]
        assert all(near(ball, value) for ball, value in pairs)


def test_balls_as_weights() -> None:
    loss, x_new = rr.Huber("0.6"), [2]
    end = certify.certify_limit(LINE, KERNELS[0], loss)
    balls = certify.enclose_influence(LINE, KERNELS[0], loss, end.weights, x_new)
    weights = rr.fixed_point(CTX, LINE, KERNELS[0], loss).weights
    found = rr.influence(CTX, LINE, KERNELS[0], loss, weights, [x_new])
    pairs = [*zip(balls.if_coef, found.if_coef[0], strict=True), (balls.if_coef_new, found.if_coef_new[0])]
    assert all(near(ball, value) for ball, value in pairs)
    for other in (end.weights[1:], [*end.weights, end.weights[0]]):
        with pytest.raises(InvalidInput):
            certify.enclose_influence(LINE, KERNELS[0], loss, other, x_new)


def test_what_is_refused() -> None:
    third = [CTX.mpf(1) / 3] * 3
    X = [[0], [1], [3]]
    a = max(rr.residual_norms(CTX, X, KERNELS[0], third))
    refused = [
        (certify.UnprovedError, X, rr.Huber(a), third),
        (InvalidInput, X, rr.Quadratic(), [0.5, 0.25, 0.25]),
        (NotDifferentiable, [[0], [0]], rr.Absolute(), [0.5, 0.5]),
        (AllWeightsZero, [[0], [100]], rr.Hampel(0.25, 0.5, 0.625), [0.5, 0.5]),
        (certify.UnprovedError, [[0], [3]], rr.Huber("0.1"), [0.5, 0.5]),
    ]
    for error, rows, loss, weights in refused:
        with pytest.raises(error):
            certify.enclose_influence(rows, KERNELS[0], loss, weights, [2])


def test_weights_that_move_by_just_what_is_allowed_need_bits() -> None:
    # To the uniform ones, by 1e-6 of the largest and one unit of the last of 19 digits.
    weights = ["0.5000005000005000006", "0.4999994999994999994"]
    with pytest.raises(certify.UnprovedError, match="more bits"):
        certify.enclose_influence([[0], [1]], KERNELS[0], rr.Quadratic(), weights, [2], bits=53)
    with pytest.raises(InvalidInput, match="fixed point"):
        certify.enclose_influence([[0], [1]], KERNELS[0], rr.Quadratic(), weights, [2], bits=BITS)

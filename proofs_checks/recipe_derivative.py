"""Huber's recipe on the rows 0, 1 and 3 and its derivative towards a point x' = 2, enclosed in balls."""

from collections.abc import Sequence
from typing import Final

from flint import arb

from rkde.reference.certify import certify_median, enclose_influence
from rkde.reference.certify.balls import DEFAULT_BITS, ball_sum, column, entries, working_bits
from rkde.reference.certify.groups import Groups, location_groups
from rkde.reference.certify.kernels import ball_kernel
from rkde.reference.certify.krawczyk import enclose_zero
from rkde.reference.certify.losses import BallLoss, over_pieces, phi
from rkde.reference.certify.sample import read_sample
from rkde.reference.certify.weight_state import State, evaluate, jacobian, phi_slopes, phi_values
from rkde.reference.kernels import Gaussian
from rkde.reference.losses import Absolute

ROWS: Final = ((0,), (1,), (3,))
X_NEW: Final = 2
_KERNEL: Final = Gaussian(1)
_TABLE: Final = [list(row) for row in ROWS]


def both_derivatives() -> tuple[list[arb], list[arb]]:
    """Enclose the coefficients on the rows and x' of the recipe's derivative and of Theorem 5's."""
    with working_bits(DEFAULT_BITS):
        a, change = _threshold()
        locations, loss = _groups(_TABLE), BallLoss("huber", (a,))
        state = evaluate(locations, loss, enclose_zero(locations, loss, [arb(1) / 3] * 3))
        # Off the kink, and one piece for each residual.
        assert all(len(found) == 1 for found in state.pieces)
        whole, fixed = (_solved(locations, loss, state, speed) for speed in (change, arb(0)))
        return whole, fixed


def relative_gap(left: Sequence[arb], right: Sequence[arb]) -> arb:
    """Enclose the norm of the difference of two elements over that of the second."""
    with working_bits(DEFAULT_BITS):
        gap = [one - other for one, other in zip(left, right, strict=True)]
        return _norm(gap) / _norm(right)


def _threshold() -> tuple[arb, arb]:
    """Enclose a, the median of f_med's residual norms, and its derivative: that of the row in the middle."""
    median = certify_median(_TABLE, _KERNEL)
    norms = median.residual_norms
    order = sorted(range(len(ROWS)), key=lambda row: float(norms[row].mid()))
    middle = order[1]
    assert norms[order[0]] < norms[middle] < norms[order[2]]
    found = enclose_influence(_TABLE, _KERNEL, Absolute(), median.weights, [X_NEW])
    products = _products([*found.if_coef, found.if_coef_new])
    mean = ball_sum(w * entry for w, entry in zip(median.weights, products, strict=False))
    return norms[middle], -(products[middle] - mean) / norms[middle]


def _solved(locations: Groups, loss: BallLoss, state: State, speed: arb) -> list[arb]:
    """Solve Theorem 5's system, with P' times d phi(r_i)/da times the speed of a added to the right side."""
    a = loss.thresholds[0]
    new = [_groups([*_TABLE, [X_NEW]]).sqdist[len(ROWS), row] for row in range(len(ROWS))]
    mean = ball_sum(map(arb.__mul__, state.weights, new))
    norm = (mean - ball_sum(map(arb.__mul__, state.weights, state.mean_sqdist)) / 2).sqrt()
    pull = len(ROWS) * over_pieces(phi, loss, loss.pieces(norm), norm)
    alpha_new = pull / ball_sum(phi_values(loss, state))
    # Q_ii (P k')_i with Q_ii twice the slope of phi in r^2, and P k' = -P D'/2.
    bent = [slope * (mean - entry) for slope, entry in zip(phi_slopes(loss, state), new, strict=True)]
    moved = [speed / norm if norm > a else arb(0) for norm in state.norms]
    pushes = [shift - alpha_new * entry for shift, entry in zip(moved, bent, strict=True)]
    total = ball_sum(pushes)
    right = [push - w * (total + pull) for push, w in zip(pushes, state.weights, strict=True)]
    return [*entries(jacobian(locations, loss, state).solve(column(right))), alpha_new]


def _groups(table: list[list[int]]) -> Groups:
    return location_groups(read_sample(table), ball_kernel(_KERNEL))


def _products(coefficients: Sequence[arb]) -> list[arb]:
    """Enclose the values at the rows and x' of an element whose coefficients sum to 0: K c = -D c/2."""
    sqdist = _groups([*_TABLE, [X_NEW]]).sqdist
    return [-entry / 2 for entry in entries(sqdist * column(list(coefficients)))]


def _norm(coefficients: Sequence[arb]) -> arb:
    return ball_sum(map(arb.__mul__, coefficients, _products(coefficients))).sqrt()

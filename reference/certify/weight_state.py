"""One weight vector over balls: residual norms, pieces, phi, the step of KIRWLS, and Theorem 5's matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import arb, arb_mat

from rkde.errors import AllWeightsZero
from rkde.reference.certify.balls import all_finite, ball_sum, column, entries, hull, square_root
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.losses import BallLoss, Piece, curvature, over_pieces, phi, rho
from rkde.reference.certify.results import UnprovedError


@dataclass(frozen=True, slots=True)
class State:
    """What the weights of the groups determine.

    Attributes
    ----------
    weights : list of flint.arb, shape (m,)
        The total weight of each group.
    mean_sqdist : list of flint.arb, shape (m,)
        Weighted mean squared feature distance from each group to all, in tau^2.
    norms : list of flint.arb, shape (m,)
        |Phi(X_i) - f| for a row of each group, in tau.
    pieces : list of tuple of Piece, shape (m,)
        The pieces of the loss that the norm may lie in.
    """

    weights: list[arb]
    mean_sqdist: list[arb]
    norms: list[arb]
    pieces: list[tuple[Piece, ...]]


def evaluate(groups: Groups, loss: BallLoss, weights: Sequence[arb]) -> State:
    """Compute residual norms and pieces of weights with sum 1.

    Notes
    -----
    r_i^2 = (D w)_i - w'Dw / 2 with D the squared feature distances: equal to the expansion of section 4 where
    the weights sum to 1, exactly 0 at a location that has all the weight, and without cancellation for close
    points.
    """
    mean_sqdist = entries(groups.sqdist * column(weights))
    spread = ball_sum(weight * mean for weight, mean in zip(weights, mean_sqdist, strict=True))
    norms = [square_root(mean - spread / 2) for mean in mean_sqdist]
    return State(list(weights), mean_sqdist, norms, [loss.pieces(norm) for norm in norms])


def phi_values(loss: BallLoss, state: State) -> list[arb]:
    """Give phi of each residual norm (for one row of each group)."""
    return [over_pieces(phi, loss, *pair) for pair in zip(state.pieces, state.norms, strict=True)]


def objective(groups: Groups, loss: BallLoss, state: State) -> arb:
    """Give J, eq. (6), in tau^2 (absolute loss: tau)."""
    values = (over_pieces(rho, loss, *pair) for pair in zip(state.pieces, state.norms, strict=True))
    return ball_sum(size * value for size, value in zip(groups.size, values, strict=True)) / groups.n_rows


def kirwls_step(groups: Groups, loss: BallLoss, state: State) -> list[arb]:
    """Give the weights after one step of KIRWLS (section 4).

    Notes
    -----
    With the absolute loss, residuals that are exactly 0 share the weight: the limit of phi from the right.
    """
    if loss.name == "absolute" and any(norm.is_zero() for norm in state.norms):
        shares = [
            arb(size if norm.is_zero() else 0) for size, norm in zip(groups.size, state.norms, strict=True)
        ]
    else:
        shares = [size * value for size, value in zip(groups.size, phi_values(loss, state), strict=True)]
    total = ball_sum(shares)
    if total.is_zero():
        raise AllWeightsZero(
            "phi is 0 at every residual",
            where="weights",
            remedy="start closer to the data, or raise the threshold c",
        )
    if not (all_finite(shares) and total > 0):
        raise UnprovedError(
            "a step of KIRWLS may be undefined on the ball (a sum of phi of 0 or infinity); try more bits"
        )
    return [share / total for share in shares]


def stationarity_gap(groups: Groups, loss: BallLoss, state: State) -> list[arb]:
    """Give gamma w - phi for each group: zero exactly at the fixed points of KIRWLS with gamma > 0."""
    shares = [size * value for size, value in zip(groups.size, phi_values(loss, state), strict=True)]
    phi_sum = ball_sum(shares)
    return [phi_sum * weight - share for weight, share in zip(state.weights, shares, strict=True)]


def phi_slopes(loss: BallLoss, state: State) -> list[arb]:
    """Give d phi / d(r^2) = q / (2 r^3), exactly 0 on constant pieces."""
    slopes = []
    for pieces, norm in zip(state.pieces, state.norms, strict=True):
        bend = hull([curvature(loss, piece) for piece in pieces])
        slopes.append(bend if bend.is_zero() else bend / (2 * norm**3))
    return slopes


def jacobian(groups: Groups, loss: BallLoss, state: State) -> arb_mat:
    """Give the derivative of `stationarity_gap` with respect to the weights: the matrix of Theorem 5.

    Notes
    -----
    The squared norm of group i has the derivative D_ij - (Dw)_j with respect to weight j. Over balls, and
    with hulls at the kinks, the result holds every generalised derivative on the ball, which is what the
    Krawczyk test needs.
    """
    count = groups.count
    phi_sum = ball_sum(size * value for size, value in zip(groups.size, phi_values(loss, state), strict=True))
    slopes = [size * slope for size, slope in zip(groups.size, phi_slopes(loss, state), strict=True)]
    slope_sum = ball_sum(slopes)
    products = entries(groups.sqdist * column(slopes))  # D is symmetric
    phi_sum_slopes = [
        product - slope_sum * mean for product, mean in zip(products, state.mean_sqdist, strict=True)
    ]
    rows = []
    for i in range(count):
        row = [state.weights[i] * slope for slope in phi_sum_slopes]
        if not slopes[i].is_zero():
            for j in range(count):
                row[j] -= slopes[i] * (groups.sqdist[i, j] - state.mean_sqdist[j])
        row[i] += phi_sum
        rows.append(row)
    return arb_mat(rows)

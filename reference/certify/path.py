"""Which stationary point KIRWLS reaches: the iterates over balls, until one can no longer leave its ball.

Let f* be an enclosed stationary point and let n times the Hessian of J be at least lambda I at f*. As long as
no residual norm crosses a kink, the form of each row moves by at most (2 / sqrt 3) A e / (r (r - e)) within
distance e of f*, where A is a on the linear piece, a c / (c - b) on the ramp and 0 elsewhere; so on some ball
of radius e the form stays above lambda / 2, and J >= J(f*) + lambda e^2 / (4 n) on its sphere. If an iterate
lies inside the ball with J below that level, all later ones do: on the segment from an iterate to the next, J
is at most the surrogate, which falls there, so the segment cannot reach the sphere. Limit points are
stationary (Theorem 3), and f* is the only stationary point in the ball.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from flint import arb

from rkde.reference.certify.balls import ball_sum, column, entries, magnitude
from rkde.reference.certify.convex_limit import relative_change
from rkde.reference.certify.curvature import hessian_form
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.krawczyk import enclose_zero
from rkde.reference.certify.losses import BallLoss, Piece
from rkde.reference.certify.results import UnprovedError
from rkde.reference.certify.weight_state import State, evaluate, kirwls_step, objective

# More steps than the slowest Hampel run seen needs (some hundreds).
MAX_STEPS: Final = 2000
# The stationary point ahead is sought when a step changes the weights by less than 2^-FIRST_TRY_BITS
# relatively, and again each time the change has fallen by 2^-RETRY_BITS more.
FIRST_TRY_BITS: Final = 10
RETRY_BITS: Final = 10
# A path whose balls are wider than this share of the largest weight needs more bits.
WIDEST_BITS: Final = 16


@dataclass(frozen=True, slots=True)
class Basin:
    """A ball around an enclosed local minimum that KIRWLS cannot leave once it is low enough inside.

    Attributes
    ----------
    weights : list of flint.arb, shape (m,)
        The enclosed minimum.
    level : flint.arb
        J must be below this.
    sq_radius : flint.arb
        The squared distance in the RKHS must be below this, in tau^2.
    """

    weights: list[arb]
    level: arb
    sq_radius: arb


@dataclass(frozen=True, slots=True)
class Reached:
    """Where a path leads: an enclosed stationary point, and whether the path is proved to end there."""

    weights: list[arb]
    proved: bool


def follow(groups: Groups, loss: BallLoss, start: Sequence[arb]) -> Reached:
    """Follow KIRWLS over balls to the stationary point that it converges to.

    Shapes: start (m,), enclosed weights of the groups. Result: not proved if the balls grew too wide, the cap
    was met, or the point ahead is not a local minimum among the elements that are constant on the groups.
    """
    weights, basin, ahead = list(start), None, None
    threshold = arb(2) ** -FIRST_TRY_BITS
    reason = f"KIRWLS does not settle in {MAX_STEPS} steps, or before the balls grow too wide; try more bits"
    for _ in range(MAX_STEPS):
        state = evaluate(groups, loss, weights)
        if basin is not None and is_caught(groups, loss, basin, state):
            return Reached(basin.weights, proved=True)
        following = kirwls_step(groups, loss, state)
        if _too_wide(following):
            break
        change = relative_change(weights, following)
        weights = following
        if change < threshold:
            threshold = change * arb(2) ** -RETRY_BITS
            try:
                ahead = enclose_zero(groups, loss, weights)
            except UnprovedError as failure:
                reason = str(failure)
            else:
                basin = find_basin(groups, loss, ahead)
    if ahead is None:
        raise UnprovedError(f"the end of the path: {reason}")
    return Reached(ahead, proved=False)


def find_basin(groups: Groups, loss: BallLoss, weights: list[arb]) -> Basin | None:
    """Find the ball around an enclosed minimum that the module's argument needs; None if there is none."""
    state = evaluate(groups, loss, weights)
    form = hessian_form(groups, loss, state)
    margin = form.lower_bound() if form else None
    clearance = _clearance(loss, state)
    if form is None or margin is None or not clearance > 0:
        return None
    lower = margin * form.phi_sum
    parts = _tangential_parts(groups, loss, state)
    radius = clearance / 2
    while not _form_change(parts, radius) < lower / 2:
        radius /= 2
    level = objective(groups, loss, state).lower() + lower * radius**2 / (4 * groups.n_rows)
    return Basin(weights, level, radius**2)


def is_caught(groups: Groups, loss: BallLoss, basin: Basin, state: State) -> bool:
    """Tell whether one iterate is proved to be low enough and near enough to stay in the basin for ever."""
    if not objective(groups, loss, state) < basin.level:
        return False
    return bool(sq_distance(groups, state.weights, basin.weights) < basin.sq_radius)


def sq_distance(groups: Groups, left: Sequence[arb], right: Sequence[arb]) -> arb:
    """Give the squared distance in the RKHS of two elements whose weights both sum to 1, in tau^2."""
    gaps = [p - q for p, q in zip(left, right, strict=True)]
    products = entries(groups.sqdist * column(gaps))
    return -ball_sum(gap * product for gap, product in zip(gaps, products, strict=True)) / 2


def _clearance(loss: BallLoss, state: State) -> arb:
    """Bound from below how far the norms are from every kink."""
    clearance = arb(2)  # no norm exceeds sqrt 2 tau
    for norm in state.norms:
        for kink in loss.kinks:
            clearance = clearance.min((norm - kink).abs_lower())
    return clearance


def _tangential_parts(groups: Groups, loss: BallLoss, state: State) -> list[tuple[arb, arb]]:
    """Give (rows times A, norm) for each group whose form has a tangential part A (I - u u') / r."""
    a, b, c = loss.thresholds
    parts = []
    for size, pieces, norm in zip(groups.size, state.pieces, state.norms, strict=True):
        piece = pieces[0]  # the only one: every kink is decided where the clearance is positive
        if piece is Piece.RAMP:
            parts.append((size * a * c / (c - b), norm))
        elif piece is Piece.LINEAR:
            parts.append((size * a, norm))
    return parts


def _form_change(parts: Sequence[tuple[arb, arb]], radius: arb) -> arb:
    """Bound how much the form of all rows moves within `radius`, which is below every norm less a.

    Notes
    -----
    2 / sqrt 3 is the largest operator norm of the derivative of u -> (I - u u' / |u|^2) / |u| at |u| = 1.
    """
    change = arb(0)
    for strength, norm in parts:
        change += strength * radius / (norm * (norm - radius))
    return change * 2 / arb(3).sqrt()


def _too_wide(weights: Sequence[arb]) -> bool:
    widest = magnitude(weight.rad() for weight in weights)
    return not widest * arb(2) ** WIDEST_BITS < magnitude(weights)

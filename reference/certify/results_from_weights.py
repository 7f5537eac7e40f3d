"""From enclosed weights to a full result: norms, pieces, J and the kind of point, row by row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from rkde.reference.certify.balls import ball_sum
from rkde.reference.certify.curvature import hessian_form
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.results import Enclosure, ProofStatus, Solution
from rkde.reference.certify.weight_state import State, evaluate, objective, phi_values
from rkde.vocabulary import Certificate


def assemble(
    groups: Groups,
    locations: Groups,
    loss: BallLoss,
    solution: Solution,
    *,
    branch_proved: bool,
    bits: int,
) -> Enclosure:
    """Describe an enclosed stationary point."""
    state = evaluate(groups, loss, solution.weights)
    tight = _tightened(loss, state)
    certificate, margin = _kind(locations, loss, _on_locations(groups, locations, tight))
    phi_sum = ball_sum(size * value for size, value in zip(groups.size, phi_values(loss, state), strict=True))
    return Enclosure(
        status=ProofStatus.EXACT if solution.exact else ProofStatus.ENCLOSED,
        reason="" if margin is not None or loss.convex else "the sign of the Hessian's form is undecided",
        certificate=certificate,
        branch_proved=branch_proved,
        weights=groups.row_weights(tight),
        exact_weights=_exact_rows(groups, solution),
        residual_norms=groups.per_row(state.norms),
        pieces=tuple(state.pieces[group] for group in groups.group_of),
        objective=objective(groups, loss, state),
        phi_sum=phi_sum if phi_sum.is_finite() else None,
        curvature_margin=margin,
        bits=bits,
    )


def _exact_rows(groups: Groups, solution: Solution) -> tuple[Fraction, ...] | None:
    if solution.exact is None:
        return None
    return tuple(solution.exact[group] / groups.size[group] for group in groups.group_of)


def _tightened(loss: BallLoss, state: State) -> list[arb]:
    """Set the weights of rejected rows to exactly 0, which is what phi = 0 makes them."""
    pairs = zip(phi_values(loss, state), state.weights, strict=True)
    return [arb(0) if value.is_zero() else weight for value, weight in pairs]


def _on_locations(groups: Groups, locations: Groups, weights: Sequence[arb]) -> list[arb]:
    """Share the weight of each group among its locations."""
    if groups is locations:
        return list(weights)
    shared = [arb(0)] * locations.count
    for row, location in enumerate(locations.group_of):
        group = groups.group_of[row]
        shared[location] = weights[group] * locations.size[location] / groups.size[group]
    return shared


def _kind(locations: Groups, loss: BallLoss, weights: Sequence[arb]) -> tuple[Certificate, arb | None]:
    """Decide the kind of a stationary point, with the proved bound of the Hessian's smallest eigenvalue."""
    form = hessian_form(locations, loss, evaluate(locations, loss, weights))
    lower = form.lower_bound() if form else None
    if loss.convex or locations.count == 1:  # J = 0 at a single location
        return Certificate.GLOBAL, lower
    if lower is not None:
        return Certificate.LOCAL_MINIMUM, lower
    negative = form.negative_bound() if form else None
    if negative is not None:
        return Certificate.SADDLE, negative
    return Certificate.STATIONARY, None

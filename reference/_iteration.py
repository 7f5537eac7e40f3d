"""One iterate of KIRWLS (section 4) and the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mpmath import MPContext, mpf

from rkde.errors import AllWeightsZero, InvalidType
from rkde.reference._geometry import norms_from_distances
from rkde.reference._loss import Loss
from rkde.reference.context import Number
from rkde.reference.inputs import (
    Matrix,
    Row,
    nonnegative_count,
    normalised_weights,
    positive_number,
    uniform_weights,
)
from rkde.vocabulary import FixedSteps, RelativeObjective, Stationarity, StopRule


def mean_loss(ctx: MPContext, loss: Loss, norms: Row) -> mpf:
    """Return (1/n) sum_i rho(r_i) for residual norms in tau: equation (6) where the norms are known."""
    return ctx.fsum(loss.rho(ctx, norm) for norm in norms) / len(norms)


def next_weights(ctx: MPContext, loss: Loss, norms: Row) -> Row:
    """Return the weights proportional to phi(r_i), equation (8) (`eqn:w_i_proto`).

    Where phi(0) is infinite (absolute loss) and m >= 1 norms are exactly 0, each of those gets 1/m: the limit
    from the right.

    Raises
    ------
    AllWeightsZero
        If phi vanishes at every norm.
    """
    phis = [loss.phi(ctx, norm) for norm in norms]
    infinite = [ctx.isinf(phi) for phi in phis]
    if any(infinite):
        return tuple(1 / ctx.mpf(sum(infinite)) if chosen else ctx.mpf(0) for chosen in infinite)
    phi_sum = ctx.fsum(phis)
    if phi_sum == 0:
        raise AllWeightsZero(
            "phi is 0 at every residual, so the next weights are 0/0",
            where=f"loss {loss!r}",
            value=f"smallest residual {ctx.nstr(min(norms), 6)} tau",
            remedy="start from other weights (f_med), or raise the threshold c",
        )
    return tuple(phi / phi_sum for phi in phis)


@dataclass(frozen=True, slots=True)
class State:
    """Weights with the residual norms and the objective that belong to them."""

    weights: Row
    norms: Row
    objective: mpf


def state_at(ctx: MPContext, distances: Matrix, loss: Loss, weights: Row) -> State:
    """Return the state at weights of sum 1: one product with D."""
    norms = norms_from_distances(ctx, distances, weights)
    return State(weights, norms, mean_loss(ctx, loss, norms))


def fixed_point_residual(ctx: MPContext, loss: Loss, state: State) -> mpf:
    """Return max|T(w) - w| / max w, infinite where T is undefined."""
    try:
        after = next_weights(ctx, loss, state.norms)
    except AllWeightsZero:
        return ctx.inf
    changes = [abs(new - old) for new, old in zip(after, state.weights, strict=True)]
    return max(changes) / max(state.weights)


def initial_weights(ctx: MPContext, weights_init: Sequence[Number] | None, count: int) -> Row:
    """Return the given initial weights divided by their sum; uniform ones where none are given."""
    if weights_init is None:
        return uniform_weights(ctx, count)
    return normalised_weights(ctx, weights_init, count, "weights_init")


def is_single_location(distances: Matrix) -> bool:
    """Tell whether all rows lie at one location."""
    return not any(distances[0])


def checked_stop(stop: StopRule) -> StopRule:
    """Return a stopping rule whose parameter is admissible.

    Raises
    ------
    InvalidType
        If it is no stopping rule, or its parameter no number.
    InvalidInput
        If a tolerance is not finite and positive, or a count negative.
    """
    if isinstance(stop, FixedSteps):
        return FixedSteps(nonnegative_count(stop.count, "stop, count"))
    if isinstance(stop, (RelativeObjective, Stationarity)):
        positive_number(stop.tol, "stop, tol")
        return stop
    raise InvalidType(
        "not a stopping rule",
        where="stop",
        value=stop,
        remedy="pass RelativeObjective(tol), FixedSteps(count) or Stationarity(tol)",
    )

"""The one fixed point of a convex loss: KIRWLS on midpoints until Krawczyk's test succeeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from flint import arb

from rkde.reference.certify.balls import magnitude
from rkde.reference.certify.groups import Groups
from rkde.reference.certify.krawczyk import enclose_zero
from rkde.reference.certify.losses import BallLoss
from rkde.reference.certify.results import Solution, UnprovedError
from rkde.reference.certify.weight_state import State, evaluate, kirwls_step

# KIRWLS needs few steps to come near; where it crawls (a location with |R| near its multiplicity) it is
# stopped here.
MAX_STEPS: Final = 2000
# Krawczyk's test is tried when a step changes the weights by at most 2^-k, relatively, for these k in turn.
TRY_BITS: Final = (12, 24, 36, 48)


def settle(
    groups: Groups,
    loss: BallLoss,
    start: Sequence[arb],
    exact_answer: Callable[[State], Solution | None] = lambda _: None,
) -> Solution:
    """Enclose the fixed point that KIRWLS comes to."""
    attempts = list(TRY_BITS)
    reason = f"KIRWLS does not settle within {MAX_STEPS} steps"
    for _, (state, change) in zip(range(MAX_STEPS), midpoint_path(groups, loss, start), strict=False):
        exact = exact_answer(state)
        if exact is not None:
            return exact
        if not change <= arb(2) ** -attempts[0]:
            continue
        try:
            return Solution(enclose_zero(groups, loss, state.weights))
        except UnprovedError as failure:
            reason = str(failure)
        attempts.pop(0)
        if not attempts:
            break
    raise UnprovedError(f"{loss.name} loss: {reason}")


def midpoint_path(groups: Groups, loss: BallLoss, start: Sequence[arb]) -> Iterator[tuple[State, arb]]:
    """Iterate KIRWLS on midpoints: each state, with the relative change of the step to it (infinite first).

    Notes
    -----
    Nothing is proved by it; it supplies approximate fixed points.
    """
    weights, change = [weight.mid() for weight in start], arb.pos_inf()
    while True:
        state = evaluate(groups, loss, weights)
        yield state, change
        following = [weight.mid() for weight in kirwls_step(groups, loss, state)]
        change = relative_change(weights, following)
        weights = following


def relative_change(old: Sequence[arb], new: Sequence[arb]) -> arb:
    """Give the largest change of a midpoint against the largest weight."""
    moved = magnitude(q.mid() - p.mid() for p, q in zip(old, new, strict=True))
    return (moved / magnitude(new)).mid()

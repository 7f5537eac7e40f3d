"""Planted faults for the claims about the stopping rule."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

ZERO: Final = ("stopping.zero_objective",)

FAULTS: Final = (
    Fault(
        name="The start is far from even",
        claims=("stopping.near_a_saddle", "stopping.changes_may_grow"),
        plant=replaced("rkde.proofs_checks.witnesses.NEARLY_EVEN", lambda _: ["0.5", "0.5", "0", "0"]),
        caught_by=("check_the_rule_stops_far_from_the_limit", "check_decreases_grow"),
    ),
    Fault(
        name="The fast code never says that the rule holds",
        claims=("stopping.near_a_saddle",),
        plant=replaced("rkde.fast.solvers.kirwls._reached", lambda _: lambda *_arguments: False),
        caught_by=("check_implementations_stop_there_too",),
    ),
    Fault(
        name="The descent is twice what is proved",
        claims=("stopping.what_it_bounds",),
        plant=restated(
            "stopping", "descent = 2 * count * (before - after)", "descent = 4 * count * (before - after)"
        ),
        caught_by=("check_step_is_bounded",),
    ),
    Fault(
        name="rho(0) is not 0, in the balls",
        claims=ZERO,
        plant=replaced("rkde.reference.certify.losses.rho", lambda right: lambda *given: right(*given) + 1),
        caught_by=("check_objective_is_exactly_zero",),
    ),
    Fault(
        name="rho(0) is not 0, reference",
        claims=ZERO,
        plant=replaced(
            "rkde.reference.losses.Huber.rho", lambda right: lambda self, ctx, t: right(self, ctx, t) + 1
        ),
        caught_by=("check_equal_rows_have_zero_objective",),
    ),
    Fault(
        name="rho(0) is not 0, fast",
        claims=ZERO,
        plant=replaced("rkde.fast.losses.robust.Huber.rho", lambda right: lambda self, t: right(self, t) + 1),
        caught_by=("check_equal_rows_have_zero_objective",),
    ),
)

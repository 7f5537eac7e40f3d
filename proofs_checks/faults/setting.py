"""Planted faults for the claims of the introduction."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="Huber's outer piece is quadratic",
        claims=("setting.necessary_conditions",),
        plant=restated("setting", "(a * norm - a**2 / 2 for norm", "(norm**2 / 2 for norm"),
        caught_by=("check_linear_far_out",),
    ),
    Fault(
        name="Features may be twice the diameter apart",
        claims=("setting.necessary_conditions",),
        plant=restated("setting", "a * a >= _DISTANCE_BOUND,", "4 * a * a >= _DISTANCE_BOUND,"),
        caught_by=("check_one_step_reaches_the_minimiser",),
    ),
    Fault(
        name="The mixture weights sum to 1 + 2p",
        claims=("setting.not_identifiable", "setting.less_than_half"),
        plant=restated("setting", "return (1 - p) * nominal", "return (1 + p) * nominal"),
        caught_by=("check_another_nominal_density", "check_exchange_of_names"),
    ),
)

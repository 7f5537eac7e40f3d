"""Planted faults for the comparisons in AUC, run again."""

from __future__ import annotations

from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced
from rkde.proofs_checks.faults.experiments import exchanged, one_sided, turned

_CLAIMS: Final = (
    "auc.rkde_against_kde",
    "auc.rkde_against_vkde",
    "auc.vkde_against_kde",
    "auc.depth",
)
_CHECKS: Final = (
    "check_rkde_against_kde",
    "check_mnist_decides",
    "check_program_and_class_decide",
    "check_ties_by_the_printed_rule",
    "check_rkde_against_vkde",
    "check_lead_over_the_vkde_hangs_on_the_readings",
    "check_vkde_against_kde",
    "check_vkde_under_other_readings",
    "check_depth",
    "check_depth_under_other_readings",
)


def _dropped(right: Any) -> Any:
    """Leave zero differences out, where the printed rule counts them."""
    return lambda values: [value for value in right(values) if value in values]


FAULTS: Final = (
    Fault(
        name="The fast signed-rank test exchanges the two sums",
        claims=_CLAIMS,
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", exchanged),
        caught_by=_CHECKS,
    ),
    Fault(
        name="The signed-rank test of the reference is one-sided",
        claims=_CLAIMS,
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", one_sided),
        caught_by=_CHECKS,
    ),
    Fault(
        name="A small AUC is better",
        claims=_CLAIMS,
        plant=replaced("rkde.proofs_checks.measured_tables.differences", turned),
        caught_by=_CHECKS,
    ),
    Fault(
        name="A data set without a difference counts for neither method",
        claims=("auc.rkde_against_kde",),
        plant=replaced("rkde.proofs_checks.rank_outcomes.for_method_2", _dropped),
        caught_by=("check_ties_by_the_printed_rule",),
    ),
)

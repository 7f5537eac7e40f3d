"""Planted faults for the comparisons of sections 6.1.2, 6.2.1 and 6.2.2, run again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced

_CLAIMS: Final = (
    "experiments.influence",
    "experiments.kl_against_kde",
    "experiments.kl_against_vkde",
    "experiments.nearest_neighbour",
    "experiments.held_out",
    "experiments.low_alarms",
)
_CHECKS: Final = (
    "check_influence",
    "check_influence_under_other_readings",
    "check_kl_against_kde",
    "check_kl_under_other_readings",
    "check_vkde_is_worst_in_kl",
    "check_nearest_neighbours",
    "check_nearest_neighbours_without_one_set",
    "check_held_out_density",
    "check_held_out_density_of_other_estimates",
    "check_low_false_alarm_rates",
)


def one_sided(right: Any) -> Any:
    """Make a signed-rank test halve its p-value."""

    def signed_rank(*given: Any) -> Any:
        test = right(*given)
        return replace(test, p_value=test.p_value / 2)

    return signed_rank


def exchanged(right: Any) -> Any:
    """Make a signed-rank test exchange its rank sums."""

    def signed_rank(*given: Any) -> Any:
        test = right(*given)
        return replace(test, rank_sum_1=test.rank_sum_2, rank_sum_2=test.rank_sum_1)

    return signed_rank


def turned(right: Any) -> Any:
    """Make differences positive where method 2 is better."""

    def differences(*given: Any, **options: Any) -> Any:
        return {name: -gap for name, gap in right(*given, **options).items()}

    return differences


FAULTS: Final = (
    Fault(
        name="The fast signed-rank test is one-sided",
        claims=_CLAIMS,
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", one_sided),
        caught_by=_CHECKS,
    ),
    Fault(
        name="The signed-rank test of the reference exchanges the two sums",
        claims=_CLAIMS,
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", exchanged),
        caught_by=_CHECKS,
    ),
    Fault(
        name="A large divergence or influence is better",
        claims=_CLAIMS,
        plant=replaced("rkde.proofs_checks.measured_tables.differences", turned),
        caught_by=_CHECKS,
    ),
)

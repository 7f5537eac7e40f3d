"""Planted faults for the claims that the paper draws from its tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced
from rkde.proofs_checks.faults.experiments import exchanged, one_sided
from rkde.proofs_checks.printed_tables import Comparison

_CLAIMS: Final = (
    "tables.influence",
    "tables.kl_against_kde",
    "tables.kl_against_vkde",
    "tables.auc_against_kde",
    "tables.auc_against_vkde",
    "tables.auc_vkde_against_kde",
)
_CHECKS: Final = (
    "check_no_rank_is_left_for_the_kde",
    "check_kl_against_kde",
    "check_vkde_is_worst_in_kl",
    "check_auc_against_kde",
    "check_auc_against_vkde",
    "check_auc_of_the_vkde_against_kde",
)


def _one_rank_moved(right: Any) -> Any:
    """Move the smallest rank from the second method to the first in every printed cell."""

    def tested(comparison: Comparison) -> Any:
        cells = tuple(
            replace(cell, rank_sum_1=cell.rank_sum_1 + 1, rank_sum_2=cell.rank_sum_2 - 1)
            for cell in comparison.cells
        )
        return right(replace(comparison, cells=cells))

    return tested


FAULTS: Final = (
    Fault(
        name="The fast signed-rank test is one-sided, for printed rank sums",
        claims=_CLAIMS,
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", one_sided),
        caught_by=_CHECKS,
    ),
    Fault(
        name="The signed-rank test of the reference exchanges the two sums, for printed rank sums",
        claims=_CLAIMS,
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", exchanged),
        caught_by=_CHECKS,
    ),
    Fault(
        name="Every printed R_1 is too large by one",
        claims=("tables.kl_against_vkde", "tables.auc_against_kde"),
        plant=replaced("rkde.proofs_checks.check_tables.tested", _one_rank_moved),
        caught_by=("check_vkde_is_worst_in_kl", "check_auc_against_kde"),
    ),
)

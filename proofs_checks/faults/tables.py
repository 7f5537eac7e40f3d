"""Planted faults for the claims that the paper draws from its tables."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The smaller rank sum leads",
        claims=(
            "tables.influence",
            "tables.kl_against_kde",
            "tables.kl_against_vkde",
            "tables.auc_against_vkde",
        ),
        plant=restated("tables", "cell.rank_sum_1 > cell.rank_sum_2", "cell.rank_sum_1 < cell.rank_sum_2"),
        caught_by=(
            "check_no_rank_is_left_for_the_kde",
            "check_kl_against_kde",
            "check_vkde_is_worst_in_kl",
            "check_auc_against_vkde",
        ),
    ),
    Fault(
        name="Significance at level 0.04",
        claims=("tables.auc_against_kde",),
        plant=restated("tables", "Fraction(5, 100)", "Fraction(4, 100)"),
        caught_by=("check_auc_against_kde",),
    ),
)

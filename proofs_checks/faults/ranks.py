"""Planted faults for the claims about the signed-rank test and the printed tables."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The ranks sum to n(n - 1)/2",
        claims=("ranks.total",),
        plant=restated("ranks", "count * (count + 1) / 2)", "count * (count - 1) / 2)"),
        caught_by=("check_total_of_the_ranks",),
    ),
    Fault(
        name="A one-sided p-value",
        claims=("ranks.critical_value", "ranks.p_values_kl", "ranks.p_values_auc"),
        plant=restated("ranks", "Fraction(2 * below, 2**n_sets)", "Fraction(below, 2**n_sets)"),
        caught_by=("check_critical_value", "check_p_values_of_table_2", "check_p_values_of_table_3"),
    ),
    Fault(
        name="A rank may be used twice in a sum",
        claims=("ranks.critical_value",),
        plant=restated("ranks", "range(len(counts) - 1, rank - 1, -1)", "range(rank, len(counts))"),
        caught_by=("check_counts_by_enumeration",),
    ),
    Fault(
        name="P(R >= T) in the place of P(R <= T)",
        claims=("ranks.p_values_influence",),
        plant=restated("ranks", "(n_sets)[: statistic + 1])", "(n_sets)[statistic:])"),
        caught_by=("check_p_values_of_table_1",),
    ),
    Fault(
        name="The variance of T without its factor 1/6",
        claims=("ranks.normal_approximation",),
        plant=restated("ranks", "(2 * _N_SETS + 1) / 6", "(2 * _N_SETS + 1)"),
        caught_by=("check_how_many_cells_the_approximation_misses",),
    ),
)

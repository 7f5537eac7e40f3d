"""Planted faults for the claims about the signed-rank test and the printed tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults.experiments import one_sided


def _zeros_for_method_2(right: Any) -> Any:
    """Give the lowest ranks to zero differences, and count them for the second method."""

    def signed_rank(*given: Any) -> Any:
        test = right(*given)
        wins = sum(value > 0 for value in given[-1])
        first = test.rank_sum_1 + test.zeros * wins
        count = len(given[-1])
        return replace(test, rank_sum_1=first, rank_sum_2=count * (count + 1) / 2 - first)

    return signed_rank


def _wrong_sum(right: Any) -> Any:
    return lambda table=None: [replace(cell, rank_sum_2=cell.rank_sum_2 + 1) for cell in right(table)]


_ZEROS: Final = ("check_dropping_zeros_breaks_the_total", "check_exchanged_methods")

FAULTS: Final = (
    Fault(
        name="The ranks sum to n(n - 1)/2",
        claims=("ranks.total",),
        plant=restated("ranks", "count * (count + 1) / 2)", "count * (count - 1) / 2)"),
        caught_by=("check_total_of_the_ranks",),
    ),
    Fault(
        name="The printed sums add up to 121",
        claims=("ranks.total",),
        plant=replaced("rkde.proofs_checks.printed_tables.cells", _wrong_sum),
        caught_by=("check_printed_rank_sums",),
    ),
    Fault(
        name="The fast test counts zero differences for method 2",
        claims=("ranks.total", "ranks.zero_differences"),
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", _zeros_for_method_2),
        caught_by=_ZEROS,
    ),
    Fault(
        name="The test of the reference counts zero differences for method 2",
        claims=("ranks.total", "ranks.zero_differences"),
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", _zeros_for_method_2),
        caught_by=_ZEROS,
    ),
    Fault(
        name="A one-sided p-value",
        claims=("ranks.critical_value", "ranks.p_values"),
        plant=restated("ranks", "Fraction(2 * below, 2**n_sets)", "Fraction(below, 2**n_sets)"),
        caught_by=("check_critical_value", "check_printed_p_values"),
    ),
    Fault(
        name="A one-sided p-value in the fast code",
        claims=("ranks.critical_value",),
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", one_sided),
        caught_by=("check_p_values_of_both_implementations",),
    ),
    Fault(
        name="A one-sided p-value in the reference",
        claims=("ranks.critical_value",),
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", one_sided),
        caught_by=("check_p_values_of_both_implementations",),
    ),
    Fault(
        name="A rank may be used twice in a sum",
        claims=("ranks.critical_value",),
        plant=restated("ranks", "range(len(counts) - 1, rank - 1, -1)", "range(rank, len(counts))"),
        caught_by=("check_counts_by_enumeration",),
    ),
    Fault(
        name="P(R >= T) in the place of P(R <= T)",
        claims=("ranks.p_values",),
        plant=restated("ranks", "(n_sets)[: statistic + 1])", "(n_sets)[statistic:])"),
        caught_by=("check_printed_p_values",),
    ),
    Fault(
        name="The variance of T without its factor 1/6",
        claims=("ranks.normal_approximation",),
        plant=restated("ranks", "(2 * _N_SETS + 1) / 6", "(2 * _N_SETS + 1)"),
        caught_by=(
            "check_normal_approximation_of_one_cell",
            "check_how_many_cells_the_approximation_misses",
        ),
    ),
    Fault(
        name="The continuity correction has the wrong sign",
        claims=("ranks.normal_approximation",),
        plant=restated(
            "ranks", "cell.statistic - arb(correction) / 2", "cell.statistic + arb(correction) / 2"
        ),
        caught_by=(
            "check_normal_approximation_of_one_cell",
            "check_how_many_cells_the_approximation_misses",
        ),
    ),
)

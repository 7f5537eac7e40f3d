"""Planted faults for the claims about the design of the experiments."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The share is taken of the nominal points",
        claims=("design.proportion",),
        plant=restated(
            "design", "ratio * nominal / (nominal + ratio * nominal)", "ratio * nominal / nominal"
        ),
        caught_by=("check_share",),
    ),
    Fault(
        name="p is epsilon",
        claims=("design.largest_share",),
        plant=restated("design", "return epsilon / (1 + epsilon)", "return epsilon"),
        caught_by=("check_shares_of_the_columns",),
    ),
    Fault(
        name="n_0 = 40",
        claims=("design.rounding",),
        plant=restated("design", '(Fraction("0.05") * 30)', '(Fraction("0.05") * 40)'),
        caught_by=("check_one_and_a_half_points",),
    ),
    Fault(
        name="Three distinct rows",
        claims=("design.bandwidth_positive",),
        plant=restated("design", "_ROWS: Final = [[0], [0], [1]]", "_ROWS: Final = [[0], [2], [1]]"),
        caught_by=("check_duplicates_make_it_zero",),
    ),
)

"""Planted faults for the claims about the experiments that were run again."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The smaller of our rank sums leads",
        claims=(
            "experiments.influence",
            "experiments.kl_against_kde",
            "experiments.kl_against_vkde",
            "experiments.auc_against_kde",
            "experiments.depth",
        ),
        plant=restated(
            "experiments", "cell.rank_sum_1 > cell.rank_sum_2", "cell.rank_sum_1 < cell.rank_sum_2"
        ),
        caught_by=(
            "check_influence",
            "check_kl_against_kde",
            "check_vkde_is_worst_in_kl",
            "check_auc_against_kde",
            "check_auc_of_the_depth",
        ),
    ),
    Fault(
        name="The row of the divergence is read for that of the AUC",
        claims=("experiments.auc_against_vkde",),
        plant=restated("experiments", 'measured("auc", "rkde", "vkde")', 'measured("kl", "rkde", "vkde")'),
        caught_by=("check_auc_against_vkde",),
    ),
    Fault(
        name="19 of 20 runs take less than 10 steps",
        claims=("experiments.iterations",),
        plant=restated("experiments", "_MOST_WITHIN: Final = 50", "_MOST_WITHIN: Final = 10"),
        caught_by=("check_iterations",),
    ),
    Fault(
        name="Most divergences are infinite",
        claims=("experiments.infinite_kl",),
        plant=restated(
            "experiments",
            '0 < fact("underflowing_samples") < fact("samples") / 2',
            '0 < fact("samples") / 2 < fact("underflowing_samples")',
        ),
        caught_by=("check_divergences_that_underflow",),
    ),
    Fault(
        name="All contaminating rows have less than 1/n",
        claims=("experiments.outlying_weights",),
        plant=restated(
            "experiments",
            'Fraction(1, 2) > fact("below_uniform_lowest")',
            'fact("below_uniform_lowest") == 1',
        ),
        caught_by=("check_weights_of_contaminating_rows",),
    ),
    Fault(
        name="The share is the ratio",
        claims=("experiments.contamination",),
        plant=restated("experiments", "ratio / (1 + ratio) ==", "ratio =="),
        caught_by=("check_largest_share",),
    ),
    Fault(
        name="The contaminating rows have less than their share",
        claims=("experiments.concentrated",),
        plant=restated("experiments", 'fact("concentrated_weight") > 1', 'fact("concentrated_weight") < 1'),
        caught_by=("check_concentrated_contamination",),
    ),
)

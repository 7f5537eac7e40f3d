"""Planted faults for the claims about the design of the experiments."""

from __future__ import annotations

from typing import Final

import rkde.fast
import rkde.reference
from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults.experiments import exchanged

UNPLANTED: Final[dict[str, str]] = {
    "design.check_number_of_names": "counts the names of the printed list",
    "design.check_number_of_partitions": "belongs to an open claim and counts the partitions of a past run",
}
_READINGS: Final = ("design.nominal_class", "design.kernel_pca")
_READ: Final = ("check_classes_exchanged", "check_two_kernels_of_the_pca")

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
        name="The fast rank sums are exchanged, for two classes and two kernels",
        claims=_READINGS,
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", exchanged),
        caught_by=_READ,
    ),
    Fault(
        name="The rank sums of the reference are exchanged, for two classes and two kernels",
        claims=_READINGS,
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", exchanged),
        caught_by=_READ,
    ),
    Fault(
        name="The fast rule takes distances to the nearest other location",
        claims=("design.bandwidth_positive",),
        plant=replaced("rkde.fast.bandwidth.rules.median_nn", lambda _: rkde.fast.median_nn_distinct),
        caught_by=("check_duplicates_make_it_zero",),
    ),
    Fault(
        name="The rule of the reference takes distances to the nearest other location",
        claims=("design.bandwidth_positive",),
        plant=replaced("rkde.reference.bandwidth.median_nn", lambda _: rkde.reference.median_nn_distinct),
        caught_by=("check_duplicates_make_it_zero",),
    ),
)

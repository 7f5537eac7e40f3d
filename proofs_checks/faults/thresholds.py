"""Planted faults for the claims about the thresholds of the recipe."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults.descent import uniform_where_undefined

FAULTS: Final = (
    Fault(
        name="Every rule for percentiles is numpy's",
        claims=("thresholds.percentile_rule",),
        plant=restated("thresholds", "FOUR_BANDWIDTH, quantile_rule=rule)", "FOUR_BANDWIDTH)"),
        caught_by=("check_two_rules_give_two_estimates",),
    ),
    Fault(
        name="The rows of a triangle in general position",
        claims=("thresholds.coincide",),
        plant=restated(
            "thresholds", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]", "[[2, 0, 0], [0, 1, 0], [0, 0, 1]]"
        ),
        caught_by=("check_symmetric_rows_have_one_threshold",),
    ),
    Fault(
        name="The majority is a minority",
        claims=("thresholds.zero",),
        plant=restated("thresholds", "[[0], [0], [0], [1], [5]]", "[[0], [0], [2], [1], [5]]"),
        caught_by=("check_a_majority_makes_a_zero",),
    ),
    Fault(
        name="Interpolation beyond the right neighbour",
        claims=("thresholds.order",),
        plant=restated(
            "thresholds", "first = low + left * (middle - low)", "first = low + 2 * left * (middle - low)"
        ),
        caught_by=("check_quantiles_are_ordered",),
    ),
    Fault(
        name="Thresholds of 0 have a median above 0",
        claims=("thresholds.order",),
        plant=restated("thresholds", "*known, loss.a == 0, inside", "*known, loss.a >= 0, inside"),
        caught_by=("check_a_median_of_zero_leaves_no_psi",),
    ),
    Fault(
        name="phi is positive at c as well",
        claims=("thresholds.order",),
        plant=restated("thresholds", "t > 0, t < loss.c, part.psi <= 0", "t > 0, t <= loss.c, part.psi <= 0"),
        caught_by=("check_phi_is_positive_below_c",),
    ),
    Fault(
        name="The reference turns the 0/0 of equal residuals into uniform weights",
        claims=("thresholds.order",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", uniform_where_undefined),
        caught_by=("check_equal_thresholds_leave_no_weight",),
    ),
    Fault(
        name="The fast code turns the 0/0 of equal residuals into uniform weights",
        claims=("thresholds.order",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", uniform_where_undefined),
        caught_by=("check_equal_thresholds_leave_no_weight",),
    ),
)

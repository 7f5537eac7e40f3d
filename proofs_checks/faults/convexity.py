"""Planted faults for the claims about strict convexity."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The norm in between is compared with half the mean of the norms",
        claims=("convexity.strict_rho",),
        plant=restated(
            "convexity", "mean > share * p + (1 - share) * q", "2 * mean > share * p + (1 - share) * q"
        ),
        caught_by=("check_norm_in_between",),
    ),
    Fault(
        name="rho is convex, but not strictly, between different norms",
        claims=("convexity.strict_rho",),
        plant=restated("convexity", "at_chord < share * at_p", "at_chord <= share * at_p"),
        caught_by=("check_each_row_is_strict",),
    ),
    Fault(
        name="The two norms of the witness differ",
        claims=("convexity.second_inequality",),
        plant=restated("convexity", "sympy.Abs(sympy.Integer(-1))", "sympy.Abs(sympy.Integer(-2))"),
        caught_by=("check_equal_norms_make_it_an_equality",),
    ),
    Fault(
        name="The mixed term of the triangle equality counts once",
        claims=("convexity.triangle_equality",),
        plant=restated(
            "convexity",
            "- 2 * share * (1 - share) * (p * q - inner)",
            "- share * (1 - share) * (p * q - inner)",
        ),
        caught_by=("check_equality_means_parallel",),
    ),
    Fault(
        name="Phi_i is g plus a multiple of h, not of h - g",
        claims=("convexity.triangle_equality",),
        plant=restated(
            "convexity", "right = s * (h - g), g + t * (h - g) - h", "right = s * (h - g), g + t * h - h"
        ),
        caught_by=("check_any_two_indices_are_dependent_then",),
    ),
    Fault(
        name="Only two of the three rows are distinct",
        claims=("convexity.huber_example",),
        plant=restated("convexity", "_gap([[0], [1], [3]])", "_gap([[0], [0], [0]])"),
        caught_by=("check_three_rows_have_a_gap",),
    ),
    Fault(
        name="Huber's threshold lies between the residuals of the two rows",
        claims=("convexity.huber_example",),
        plant=restated("convexity", '_HUBER: Final = Huber("0.1")', '_HUBER: Final = Huber("0.5")'),
        caught_by=("check_two_rows_have_no_gap",),
    ),
)

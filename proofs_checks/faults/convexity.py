"""Planted faults for the claims about strict convexity."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The mean of equal norms shortens by s, not s (1 - s)",
        claims=("convexity.strict_rho",),
        plant=restated("convexity", "- share * (1 - share) * apart", "- share * apart"),
        caught_by=("check_equal_norms_shorten_the_mean",),
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
        name="Definiteness by the diagonal alone",
        claims=("convexity.independent_features",),
        plant=restated("convexity", "k_00 * k_11 > k_01 * k_01", "k_11 > 0"),
        caught_by=("check_norm_is_the_quadratic_form",),
    ),
    Fault(
        name="lambda_1 without its sign",
        claims=("convexity.three_point_algebra",),
        plant=restated("convexity", "lambda_1 = -a[1]", "lambda_1 = a[1]"),
        caught_by=("check_printed_coefficients",),
    ),
    Fault(
        name="beta_2 = 0 in the place of alpha_2 = 0",
        claims=("convexity.first_case",),
        plant=restated("convexity", "(f_2 - h)).subs(a, 0)", "(f_2 - h)).subs(b, 0)"),
        caught_by=("check_second_equation_has_no_g",),
    ),
    Fault(
        name="Only two of the three rows are distinct",
        claims=("convexity.huber_example",),
        plant=restated("convexity", "_gap([[0], [1], [3]])", "_gap([[0], [0], [0]])"),
        caught_by=("check_three_rows_have_a_gap",),
    ),
    Fault(
        name="Both inequalities of Lemma 2 may be equalities",
        claims=("convexity.strict_rho",),
        plant=restated(
            "convexity",
            "*known, at_mean < chord, middle >= chord",
            "*known, at_mean <= chord, middle >= chord",
        ),
        caught_by=("check_both_cases_are_strict",),
    ),
    Fault(
        name="A convex rho that is not strictly so may not be flat",
        claims=("convexity.strict_rho",),
        plant=restated(
            "convexity", "low == high, 2 * middle < low + high", "low == high, 2 * middle <= low + high"
        ),
        caught_by=("check_strict_convexity_forbids_a_flat_piece",),
    ),
    Fault(
        name="alpha_1 + beta_1 may be 0",
        claims=("convexity.three_point_algebra",),
        plant=restated("convexity", "denominator != 0, total != 0]", "denominator != 0]"),
        caught_by=("check_contradiction",),
    ),
)

"""Planted faults for the claims about independent features."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The Gram matrix counts each product twice",
        claims=("features.independent",),
        plant=restated(
            "features",
            "gram, combination = vectors * vectors.T,",
            "gram, combination = 2 * vectors * vectors.T,",
        ),
        caught_by=("check_norm_is_the_quadratic_form",),
    ),
    Fault(
        name="Two equal points with factors of one sign",
        claims=("features.independent",),
        plant=restated("features", "sympy.Matrix([1, -1])", "sympy.Matrix([1, 1])"),
        caught_by=("check_equal_points_are_dependent",),
    ),
    Fault(
        name="lambda_1 without its sign",
        claims=("features.three_points",),
        plant=restated("features", "lambda_1 = -a[1]", "lambda_1 = a[1]"),
        caught_by=("check_printed_coefficients",),
    ),
    Fault(
        name="The combination of three points of a line has its indices in one order only",
        claims=("features.three_points",),
        plant=restated("features", "(t[(i + 1) % 3] - t[(i + 2) % 3])", "(t[(i + 1) % 3] - t[i])"),
        caught_by=("check_points_of_a_line_are_dependent",),
    ),
    Fault(
        name="g lies on the line from the second feature through the third",
        claims=("features.three_points",),
        plant=restated("features", "g, h = (first + 2 * second) / 3,", "g, h = first + 2 * second,"),
        caught_by=("check_two_features_do_not_suffice",),
    ),
    Fault(
        name="alpha_1 + beta_1 may be 0",
        claims=("features.three_points", "features.denominator"),
        plant=restated("features", "denominator != 0, total != 0]", "denominator != 0]"),
        caught_by=("check_contradiction",),
    ),
    Fault(
        name="The witness has equal pairs alpha and beta",
        claims=("features.denominator",),
        plant=restated("features", "(beta_1, beta_2) = (1, 1), (0, 1)", "(beta_1, beta_2) = (1, 1), (1, 1)"),
        caught_by=("check_a_denominator_that_is_not_zero",),
    ),
    Fault(
        name="beta_2 = 0 in the place of alpha_2 = 0",
        claims=("features.first_case", "features.three_points"),
        plant=restated("features", "(f[1] - h)).subs(alpha_2, 0)", "(f[1] - h)).subs(beta_2, 0)"),
        caught_by=("check_second_equation_has_no_g",),
    ),
)

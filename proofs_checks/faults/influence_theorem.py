"""Planted faults of the claims about Theorem 5's system."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="the sign of Q in Theorem 5's matrix",
        claims=("influence_theorem.jacobian",),
        plant=restated("influence_theorem", "base + bend / 2 * square", "base - bend / 2 * square"),
        caught_by=("check_derivative_of_the_fixed_point_equation",),
    ),
    Fault(
        name="w and 1 exchanged in the centring",
        claims=("influence_theorem.jacobian", "influence_theorem.coefficients"),
        plant=restated(
            "influence_theorem",
            "    mean = _dot(weights, vector)\n    bent",
            "    mean = weights[0] * sum(vector, sympy.Integer(0))\n    bent",
        ),
        caught_by=("check_derivative_of_the_fixed_point_equation", "check_coefficients_are_compared"),
    ),
    Fault(
        name="the factor n is missing in alpha'",
        claims=("influence_theorem.coefficients",),
        plant=restated(
            "influence_theorem",
            "    alpha_new = n * phi_new / gamma\n    # <df",
            "    alpha_new = phi_new / gamma\n    # <df",
        ),
        caught_by=("check_coefficients_are_compared",),
    ),
    Fault(
        name="the centring on the left is left out",
        claims=("influence_theorem.sum_rule",),
        plant=restated("influence_theorem", "entry - weight * total for", "entry + weight * total for"),
        caught_by=("check_rows_add_up",),
    ),
    Fault(
        name="q is t psi' + psi",
        claims=("influence_theorem.q_is_slope",),
        plant=restated(
            "influence_theorem", "q = t * part.psi_prime - part.psi", "q = t * part.psi_prime + part.psi"
        ),
        caught_by=("check_q_is_the_slope_of_phi",),
    ),
    Fault(
        name="alpha' divides by the sum of phi, not by its mean",
        claims=("influence_theorem.proportional",),
        plant=restated(
            "influence_theorem", "alpha_new - phi_new / (gamma / n)", "alpha_new - phi_new / gamma"
        ),
        caught_by=("check_right_side_over_alpha_new",),
    ),
    Fault(
        name="Q without r^3",
        claims=("influence_theorem.zero_residual",),
        plant=restated("influence_theorem", "bend * r == slope,", "bend == slope * (r + 1),"),
        caught_by=("check_term_of_a_small_residual",),
    ),
)

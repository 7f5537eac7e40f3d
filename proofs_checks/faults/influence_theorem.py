"""Planted faults of the claims about Theorem 5's system."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAMILY: Final = "influence_theorem"
JACOBIAN: Final = (f"{FAMILY}.jacobian",)


def _restated(name: str, claim: str, old: str, new: str, *checks: str) -> Fault:
    return Fault(name, (f"{FAMILY}.{claim}",), restated(FAMILY, old, new), checks)


FAULTS: Final = (
    _restated(
        "the sign of Q in the derivative of phi",
        "jacobian",
        "base + _Q * (diagonal",
        "base - _Q * (diagonal",
        "check_derivative_for_every_number_of_rows",
    ),
    _restated(
        "w and 1 exchanged in the centring",
        "jacobian",
        "_P, _P_T = 1 - _ONE * _W_T, 1 - _W * _ONE_T",
        "_P, _P_T = 1 - _W * _ONE_T, 1 - _ONE * _W_T",
        "check_derivative_for_every_number_of_rows",
        "check_coefficients_are_compared",
    ),
    _restated(
        "the centring on the left is left out",
        "sum_rule",
        "_P, _P_T = 1 - _ONE * _W_T, 1 - _W * _ONE_T",
        "_P, _P_T = 1 - _ONE * _W_T, sympy.Integer(1)",
        "check_rows_add_up",
    ),
    _restated(
        "Q_ii is q/r^2",
        "jacobian",
        "q / (2 * r**3)",
        "q / (2 * r**2)",
        "check_slope_of_phi_in_the_squared_norm",
    ),
    Fault(
        # Three rows cannot show it, because it takes four different indices.
        name="the matrix has one more sum, over four distinct indices, of w_i Q_pp w_l k_lj",
        claims=JACOBIAN,
        plant=replaced(
            "rkde.proofs_checks.check_influence_theorem._entry",
            lambda right: (
                lambda gram, weights, bends, i, j: (
                    right(gram, weights, bends, i, j)
                    + sum(
                        weights[i] * bends[p] * weights[index] * gram[index][j]
                        for p in range(len(weights))
                        for index in range(len(weights))
                        if len({i, j, p, index}) == 4
                    )
                )
            ),
        ),
        caught_by=("check_derivative_by_entries",),
    ),
    _restated(
        "the weights of the system count the features of the estimate twice",
        "coefficients",
        "pull * (new - estimate)",
        "pull * (new - 2 * estimate)",
        "check_coefficients_are_compared",
    ),
    _restated(
        "q is t psi' + psi",
        "q_is_slope",
        "q = t * psi(t).diff(t) - psi(t)",
        "q = t * psi(t).diff(t) + psi(t)",
        "check_q_is_the_slope_of_phi",
    ),
    _restated(
        "alpha' divides by the sum of phi, not by its mean",
        "proportional",
        "alpha_new - phi_new / (gamma / n)",
        "alpha_new - phi_new / gamma",
        "check_solution_over_alpha_new",
    ),
    _restated(
        "weights of any sum",
        "sum_rule",
        "_sum_of_rows(), [(_ONE_T * _W, sympy.Integer(2))]",
        "_sum_of_rows(), [(_ONE_T * _W, sympy.Integer(1))]",
        "check_sum_needs_weights_of_sum_one",
    ),
    _restated(
        "Q without r^3",
        "zero_residual",
        "bend * r == slope,",
        "bend == slope * (r + 1),",
        "check_term_of_a_small_residual",
    ),
)

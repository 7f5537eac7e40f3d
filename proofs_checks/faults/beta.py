"""Planted faults for the claims about beta."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The bandwidth doubles instead of growing by sqrt(2)",
        claims=("beta.gaussian",),
        plant=restated("beta", "sympy.exp(-(z**2) / (4 * sigma**2))", "sympy.exp(-(z**2) / (8 * sigma**2))"),
        caught_by=("check_gaussian_product",),
    ),
    Fault(
        name="The piece between the points is left out",
        claims=("beta.laplacian",),
        plant=restated("beta", "(left + between + right)", "(left + right)"),
        caught_by=("check_laplacian_product",),
    ),
    Fault(
        name="Mixed products count half",
        claims=("beta.quadratic_form",),
        plant=restated("beta", "(1, 1): b_01", "(1, 1): b_01 / 2"),
        caught_by=("check_square_of_a_sum",),
    ),
)

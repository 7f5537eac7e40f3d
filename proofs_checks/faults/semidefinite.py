"""Planted faults of the claims about positive semi-definite kernels."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="the series of the inner product alternates",
        claims=("semidefinite.psd",),
        plant=restated("semidefinite", "(2 * s) ** rank / sympy", "(-2 * s) ** rank / sympy"),
        caught_by=("check_gaussian_is_a_product",),
    ),
    Fault(
        name="the Levy density has 2 sigma^2 for 4 sigma^2",
        claims=("semidefinite.psd",),
        plant=restated("semidefinite", "1 / (4 * sigma**2 * s)", "1 / (2 * sigma**2 * s)"),
        caught_by=("check_laplacian_is_a_mixture",),
    ),
    Fault(
        name="the Gamma density is divided by Gamma(shape + 1)",
        claims=("semidefinite.psd",),
        plant=restated("semidefinite", "sympy.gamma(shape)", "sympy.gamma(shape + 1)"),
        caught_by=("check_student_is_a_mixture",),
    ),
    Fault(
        name="the transform is that of a box",
        claims=("semidefinite.finite_support",),
        plant=restated("semidefinite", "(1 - x) * sympy.cos(u * x)", "sympy.cos(u * x)"),
        caught_by=("check_triangle_is_positive_semidefinite",),
    ),
    Fault(
        name="the witness is nonnegative",
        claims=("semidefinite.completely_monotone",),
        plant=restated("semidefinite", "sympy.exp(-t) - sympy.Rational(1, 2)", "sympy.exp(-t)"),
        caught_by=("check_derivatives_alone_do_not_suffice",),
    ),
)

"""Planted faults of the claims about positive semi-definite kernels."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults.kernels import biweight, fast_biweight

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
        name="the intervals overlap by 1 + shift",
        claims=("semidefinite.finite_support",),
        plant=restated("semidefinite", "(x, shift, 1)) - (1 - shift)", "(x, shift, 1)) - (1 + shift)"),
        caught_by=("check_triangle_is_positive_semidefinite",),
    ),
    Fault(
        name="the transform is that of a box",
        claims=("semidefinite.finite_support",),
        plant=restated("semidefinite", "(1 - x) * sympy.cos(u * x)", "sympy.cos(u * x)"),
        caught_by=("check_transform_of_the_triangle",),
    ),
    Fault(
        name="the witness is nonnegative",
        claims=("semidefinite.completely_monotone",),
        plant=restated("semidefinite", "sympy.exp(-t) - sympy.Rational(1, 2)", "sympy.exp(-t)"),
        caught_by=("check_derivatives_alone_do_not_suffice",),
    ),
    Fault(
        name="a derivative has the factor s",
        claims=("semidefinite.equivalence",),
        plant=restated("semidefinite", "size = s ** (2 * k)", "size = s**k"),
        caught_by=("check_mixtures_are_completely_monotone",),
    ),
    Fault(
        name="the fast Gaussian is a biweight, for Gram matrices",
        claims=("semidefinite.psd",),
        plant=replaced("rkde.fast.kernels.radial.Gaussian.profile", fast_biweight),
        caught_by=("check_gram_matrices",),
    ),
    Fault(
        name="the Gaussian of the reference is a biweight, for Gram matrices",
        claims=("semidefinite.psd",),
        plant=replaced("rkde.reference.kernels.radial.Gaussian.profile", biweight),
        caught_by=("check_gram_matrices",),
    ),
)

"""Planted faults for the claims about completely monotone profiles."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The Levy law without the 2 of its constant",
        claims=("monotone_kernels.mixture_mass",),
        plant=restated(
            "monotone_kernels", "/ (2 * sigma * sympy.sqrt(sympy.pi))", "/ (sigma * sympy.sqrt(sympy.pi))"
        ),
        caught_by=("check_mixing_laws_have_mass_one",),
    ),
    Fault(
        name="The Laplacian profile is exp(-t)",
        claims=("monotone_kernels.infinite_moment",),
        plant=restated("monotone_kernels", "sympy.exp(-sympy.sqrt(t))", "sympy.exp(-t)"),
        caught_by=("check_laplacian_has_no_slope_at_zero",),
    ),
    Fault(
        name="The rising factorial is a falling one",
        claims=("monotone_kernels.all_derivatives",),
        plant=restated(
            "monotone_kernels",
            "sympy.gamma(power + k) / sympy.gamma(power)",
            "sympy.gamma(power) / sympy.gamma(power + k)",
        ),
        caught_by=("check_student_derivatives",),
    ),
    Fault(
        name="The Gaussian profile falls with the distance to the fourth",
        claims=("monotone_kernels.all_derivatives",),
        plant=restated(
            "monotone_kernels", "sympy.exp(-t / (2 * sigma**2))", "sympy.exp(-(t**2) / (2 * sigma**2))"
        ),
        caught_by=("check_gaussian_derivatives",),
    ),
    Fault(
        name="A derivative under the integral keeps its sign",
        claims=("monotone_kernels.all_derivatives",),
        plant=restated("monotone_kernels", "factor.diff(t) + s * factor", "factor.diff(t) - s * factor"),
        caught_by=("check_derivatives_under_the_integral",),
    ),
)

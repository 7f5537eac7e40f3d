"""Planted faults of the claims about normalisers and profiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced, restated


def _as_printed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, dim: right(self, dim) + dim / 2 * math.log(self.dof)


def _as_printed_in_the_reference(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, dim: right(self, ctx, dim) + dim / 2 * ctx.log(self.dof)


def _of_one_dimension(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, sqdist, _dim: right(self, ctx, sqdist, 1)


def _fast_of_one_dimension(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, sqdist, _dim: right(self, sqdist, 1)


def biweight(_: Callable[..., Any]) -> Callable[..., Any]:
    """Make a profile the biweight of three bandwidths, which is not positive semi-definite."""
    return lambda self, _ctx, sqdist, _dim: max(0, 1 - sqdist / (3 * self.bandwidth) ** 2) ** 2


def fast_biweight(_: Callable[..., Any]) -> Callable[..., Any]:
    """Do the same in the fast code."""
    return lambda self, sqdist, _dim: np.maximum(0, 1 - np.asarray(sqdist) / (3 * self.bandwidth) ** 2) ** 2


def _doubled_mass(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given) + math.log(2)


def _rising(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: -right(*given)


def _rising_profile(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: 1 / right(*given)


def _off_at_the_row(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: tuple(value + 1 for value in right(*given))


def _fast_off_at_the_row(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given) + 1


def _of_absolute_values(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: [abs(form) for form in right(*given)]


FAULTS: Final = (
    Fault(
        name="the Gaussian constant has sigma for sigma^2",
        claims=("kernels.gaussian_normaliser",),
        plant=restated(
            "kernels", "(2 * sympy.pi * sigma**2) ** (-d / 2)", "(2 * sympy.pi * sigma) ** (-d / 2)"
        ),
        caught_by=("check_gaussian_integral",),
    ),
    Fault(
        name="the Student constant is the printed one",
        claims=("kernels.student_normaliser",),
        plant=restated("kernels", "(nu * sympy.pi) ** (-d / 2)", "sympy.pi ** (-d / 2)"),
        caught_by=("check_student_integral",),
    ),
    Fault(
        name="the fast Student normaliser is the printed one",
        claims=("kernels.student_normaliser",),
        plant=replaced("rkde.fast.kernels.radial.Student.log_normaliser", _as_printed),
        caught_by=("check_both_normalisers",),
    ),
    Fault(
        name="c_d has Gamma(d + 1) for Gamma(d)",
        claims=("kernels.laplacian_normaliser",),
        plant=restated(
            "kernels",
            "(2 * sympy.pi ** (d / 2) * sympy.gamma(d))",
            "(2 * sympy.pi ** (d / 2) * sympy.gamma(d + 1))",
        ),
        caught_by=("check_laplacian_integral",),
    ),
    Fault(
        name="the Student exponent lost its sign",
        claims=("kernels.feature_norm",),
        plant=restated(
            "kernels",
            "(1 + t / (nu * sigma**2)) ** (-(nu + d) / 2)",
            "(1 + t / (nu * sigma**2)) ** ((nu + d) / 2)",
        ),
        caught_by=("check_profile_falls_from_1_to_0",),
    ),
    Fault(
        name="the Student profile of the reference ignores the dimension",
        claims=("kernels.facts",),
        plant=replaced("rkde.reference.kernels.radial.Student.profile", _of_one_dimension),
        caught_by=("check_declared_facts",),
    ),
    Fault(
        name="the fast Student profile ignores the dimension",
        claims=("kernels.facts",),
        plant=replaced("rkde.fast.kernels.radial.Student.profile", _fast_of_one_dimension),
        caught_by=("check_declared_facts",),
    ),
    Fault(
        name="the Gaussian of the reference is a biweight",
        claims=("kernels.facts",),
        plant=replaced("rkde.reference.kernels.radial.Gaussian.profile", biweight),
        caught_by=("check_declared_facts",),
    ),
    Fault(
        name="the fast Gaussian is a biweight",
        claims=("kernels.facts",),
        plant=replaced("rkde.fast.kernels.radial.Gaussian.profile", fast_biweight),
        caught_by=("check_declared_facts",),
    ),
    Fault(
        name="the fast Laplacian kernel has the mass 2",
        claims=("kernels.facts", "kernels.laplacian_normaliser"),
        plant=replaced("rkde.fast.kernels.radial.Laplacian.log_normaliser", _doubled_mass),
        caught_by=("check_declared_facts", "check_both_normalisers"),
    ),
    Fault(
        name="the Laplacian kernel of the reference has the mass 2",
        claims=("kernels.facts", "kernels.laplacian_normaliser"),
        plant=replaced("rkde.reference.kernels.radial.Laplacian.log_normaliser", _doubled_mass),
        caught_by=("check_declared_facts", "check_both_normalisers"),
    ),
    Fault(
        name="the Student normaliser of the reference is the printed one",
        claims=("kernels.student_normaliser",),
        plant=replaced("rkde.reference.kernels.radial.Student.log_normaliser", _as_printed_in_the_reference),
        caught_by=("check_both_normalisers",),
    ),
    Fault(
        name="the forms are taken in absolute value",
        claims=("kernels.facts",),
        plant=replaced("rkde.proofs_checks.kernel_measures.equidistant_forms", _of_absolute_values),
        caught_by=("check_forms_tell_the_biweight",),
    ),
    Fault(
        name="the Gaussian profile of the reference rises",
        claims=("kernels.feature_norm",),
        plant=replaced("rkde.reference.kernels.radial.Gaussian.log_profile", _rising),
        caught_by=("check_profile_falls",),
    ),
    Fault(
        name="the fast Gaussian profile rises",
        claims=("kernels.feature_norm",),
        plant=replaced("rkde.fast.kernels.radial.Gaussian.profile", _rising_profile),
        caught_by=("check_profile_falls",),
    ),
    Fault(
        name="the Gaussian kernel of the reference is e times as large at a row",
        claims=("kernels.feature_norm",),
        plant=replaced("rkde.reference.kernels.radial.Gaussian.log_kernel", _off_at_the_row),
        caught_by=("check_constant_feature_norm",),
    ),
    Fault(
        name="the fast Gaussian kernel is e times as large at a row",
        claims=("kernels.feature_norm",),
        plant=replaced("rkde.fast.kernels.radial.Gaussian.log_kernel", _fast_off_at_the_row),
        caught_by=("check_constant_feature_norm",),
    ),
)

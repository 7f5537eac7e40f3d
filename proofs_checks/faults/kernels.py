"""Planted faults of the claims about normalisers and profiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _as_printed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, dim: right(self, dim) + dim / 2 * math.log(self.dof)


def _of_one_dimension(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, sqdist, _dim: right(self, ctx, sqdist, 1)


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
        plant=replaced("rkde.fast.kernels.Student.log_normaliser", _as_printed),
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
        name="the Student profile ignores the dimension",
        claims=("kernels.facts",),
        plant=replaced("rkde.reference.kernels.Student.profile", _of_one_dimension),
        caught_by=("check_declared_facts",),
    ),
)

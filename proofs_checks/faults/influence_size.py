"""Planted faults of the claims about the size of the influence."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="alpha' is phi(r')",
        claims=("influence_size.less_inlying",),
        plant=replaced(
            "rkde.reference._influence.theorem_5_coefficients",
            lambda right: lambda ctx, site, new, *rest: replace(right(ctx, site, new, *rest), new=new.phi),
        ),
        caught_by=("check_less_inlying_and_more_influential",),
    ),
    Fault(
        name="the convolution of the Gaussian kernel has the kernel's own bandwidth",
        claims=("influence_size.smaller_for_outliers",),
        plant=replaced(
            "rkde.reference.kernels.Gaussian.self_convolution",
            lambda _: lambda self, ctx, sqdist, dim: self.profile(ctx, sqdist, dim),
        ),
        caught_by=("check_larger_than_the_kde",),
    ),
    Fault(
        name="the robust estimate's weights and influence are the KDE's",
        claims=("influence_size.figure_3",),
        plant=restated(
            "influence_size",
            "(X, kernel, fitted.loss, limit.weights, [[_TAIL]])",
            "(X, kernel, fast.Quadratic(), even, [[_TAIL]])",
        ),
        caught_by=("check_a_point_in_the_tail",),
    ),
    Fault(
        name="the bound lacks the factor n",
        claims=("influence_size.bound",),
        plant=restated("influence_size", "bound = size * loss.psi", "bound = loss.psi"),
        caught_by=("check_bound_by_the_hessian",),
    ),
)

"""Planted faults for the claims that the estimates are densities."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="The mean divides by n + 1",
        claims=("densities.kde",),
        plant=restated("densities", "sympy.summation(1 / count,", "sympy.summation(1 / (count + 1),"),
        caught_by=("check_mean_of_densities",),
    ),
    Fault(
        name="The weights sum to 2",
        claims=("densities.rkde", "densities.vkde"),
        plant=restated("densities", "1 - first - second]", "2 - first - second]"),
        caught_by=("check_mixture_of_densities",),
    ),
    Fault(
        name="The Gaussian's constant lacks the dimension",
        claims=("densities.rkde",),
        plant=replaced(
            "rkde.reference.kernels.Gaussian.log_normaliser",
            lambda right: lambda self, ctx, dim: right(self, ctx, dim + 1),
        ),
        caught_by=("check_weighted_estimate_integrates_to_one", "check_variable_estimate_integrates_to_one"),
    ),
    Fault(
        name="The geometric mean is the arithmetic one",
        claims=("densities.vkde_mean",),
        plant=restated("densities", "/ sympy.sqrt(one * four))", "/ ((one + four) / 2))"),
        caught_by=("check_two_means_give_two_bandwidths",),
    ),
)

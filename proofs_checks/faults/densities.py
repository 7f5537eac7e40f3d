"""Planted faults for the claims that the estimates are densities."""

from __future__ import annotations

from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _one_rule_for_both(right: Any) -> Any:
    """Make a VKDE ignore its rule."""
    return lambda *given, **_: right(*given)


def _geometric(right: Any) -> Any:
    """Make a VKDE take the geometric mean."""
    return lambda *given, **_: right(*given, rule="geometric")


FAULTS: Final = (
    Fault(
        name="The mean divides by n + 1",
        claims=("densities.kde",),
        plant=restated("densities", "sympy.summation(1 / count,", "sympy.summation(1 / (count + 1),"),
        caught_by=("check_mean_of_densities",),
    ),
    Fault(
        name="A weight counts twice in the mass",
        claims=("densities.kde", "densities.rkde", "densities.vkde"),
        plant=restated("densities", "[sympy.Integer(1), share]", "[sympy.Integer(1), 2 * share]"),
        caught_by=("check_one_more_density",),
    ),
    Fault(
        name="The printed constant has nu in it",
        claims=("densities.kde",),
        plant=restated(
            "densities",
            "/ sympy.gamma(nu / 2) / sympy.sqrt(sympy.pi)",
            "/ sympy.gamma(nu / 2) / sympy.sqrt(nu * sympy.pi)",
        ),
        caught_by=("check_a_printed_normaliser_breaks_the_integral",),
    ),
    Fault(
        name="The Gaussian's constant lacks the dimension",
        claims=("densities.rkde",),
        plant=replaced(
            "rkde.reference.kernels.radial.Gaussian.log_normaliser",
            lambda right: lambda self, ctx, dim: right(self, ctx, dim + 1),
        ),
        caught_by=("check_weighted_estimate_integrates_to_one", "check_variable_estimate_integrates_to_one"),
    ),
    Fault(
        name="The geometric mean is the arithmetic one",
        claims=("densities.vkde_mean",),
        plant=restated("densities", "/ sympy.sqrt(one * four)", "/ ((one + four) / 2)"),
        caught_by=("check_means_are_ordered",),
    ),
    Fault(
        name="The fast VKDE has one rule",
        claims=("densities.vkde_mean",),
        plant=replaced("rkde.fast.estimates.variable.vkde", _one_rule_for_both),
        caught_by=("check_both_rules_in_the_implementations",),
    ),
    Fault(
        name="The VKDE of the reference has one rule",
        claims=("densities.vkde_mean",),
        plant=replaced("rkde.reference.estimates.variable.vkde", _one_rule_for_both),
        caught_by=("check_both_rules_in_the_implementations",),
    ),
    Fault(
        name="The influence of the mean pilot density counts half",
        claims=("densities.vkde_influence",),
        plant=restated("densities", "own * (there / eta -", "own * (there / (2 * eta) -"),
        caught_by=("check_derivative_of_a_bandwidth",),
    ),
    Fault(
        name="The fast VKDE takes the geometric mean",
        claims=("densities.vkde_influence",),
        plant=replaced("rkde.fast.estimates.variable.vkde", _geometric),
        caught_by=("check_bandwidths_with_one_more_row",),
    ),
    Fault(
        name="The VKDE of the reference takes the geometric mean",
        claims=("densities.vkde_influence",),
        plant=replaced("rkde.reference.estimates.variable.vkde", _geometric),
        caught_by=("check_bandwidths_with_one_more_row",),
    ),
)

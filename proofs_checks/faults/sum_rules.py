"""Planted faults of the claims about norms and inner products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _negative(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: -right(*given)


FAULTS: Final = (
    Fault(
        name="the quadratic form keeps its factor 2",
        claims=("sum_rules.residual_norm",),
        plant=restated("sum_rules", "half = _dot(weights, product) / 2", "half = _dot(weights, product)"),
        caught_by=("check_both_forms_are_one",),
    ),
    Fault(
        name="residual norms are bounded by 1",
        claims=("sum_rules.hull_diameter",),
        plant=restated("sum_rules", "== 1, mean > 2)", "== 1, mean > 1)"),
        caught_by=("check_a_mean_of_distances_is_bounded",),
    ),
    Fault(
        name="the coefficients of V forget the sum of phi",
        claims=("sum_rules.gradient_coefficients",),
        plant=restated("sum_rules", "(phi[i] - weights[i] * total)", "(phi[i] - weights[i])"),
        caught_by=("check_coefficients_of_the_gradient",),
    ),
    Fault(
        name="the Gateaux differential lost its sign",
        claims=("sum_rules.gateaux",),
        plant=replaced("rkde.reference.objective.objective_differential", _negative),
        caught_by=("check_remainder_is_quadratic",),
    ),
)

"""Planted faults of the claims about equation (12)."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="q/r^2 in equation (12)",
        claims=("influence_equation.any_distribution",),
        plant=restated("influence_equation", "(q / t**3)", "(q / t**2)"),
        caught_by=("check_differential_of_a_pull",),
    ),
    Fault(
        name="the old distribution keeps all of its mass",
        claims=("influence_equation.any_distribution",),
        plant=restated("influence_equation", "is_zero(((1 - s) * at_f", "is_zero((at_f"),
        caught_by=("check_quotient_of_stationarity",),
    ),
)

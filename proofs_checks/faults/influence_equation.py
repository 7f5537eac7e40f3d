"""Planted faults of the claims about equation (12)."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, changed, replaced, restated

FAMILY: Final = "influence_equation"

FAULTS: Final = (
    Fault(
        name="q/r^2 in equation (12)",
        claims=(f"{FAMILY}.any_distribution",),
        plant=restated(FAMILY, "(q / t**3)", "(q / t**2)"),
        caught_by=("check_differential_of_a_pull",),
    ),
    Fault(
        name="Cauchy's inequality without tau",
        claims=(f"{FAMILY}.inner_product",),
        plant=restated(
            FAMILY, "inner * inner <= tau * tau * length * length]", "inner <= tau * tau * length]"
        ),
        caught_by=("check_values_follow_the_norm",),
    ),
    Fault(
        name="psi rises with slope 2 below a",
        claims=(f"{FAMILY}.closed_form",),
        plant=replaced(
            "rkde.proofs_checks.pieces.huber", changed(0, psi_prime=lambda part: 2 * part.psi_prime)
        ),
        caught_by=("check_solution_below_a",),
    ),
)

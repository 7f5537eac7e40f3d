"""Planted faults for the claims about the cost of KIRWLS."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="|f|^2 is computed anew for each row",
        claims=("iterates.cost",),
        plant=restated(
            "iterates", "value + square for j, value", "value + _dot(weights, inner) for j, value"
        ),
        caught_by=("check_products_of_an_iteration",),
    ),
    Fault(
        name="Fewer than 3 iterations",
        claims=("iterates.fewer_than_100",),
        plant=restated("iterates", "_TYPICAL: Final = 100", "_TYPICAL: Final = 3"),
        caught_by=("check_number_of_iterations",),
    ),
)

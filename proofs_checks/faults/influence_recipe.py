"""Planted faults of the claims about the influence on the whole recipe."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced

FAULTS: Final = (
    Fault(
        name="the thresholds' derivatives are left out",
        claims=("influence_recipe.thresholds_move",),
        plant=replaced("rkde.reference._total._drift", lambda _: lambda *_arguments: None),
        caught_by=("check_recipe_is_not_theorem_5",),
    ),
)

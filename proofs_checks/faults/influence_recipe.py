"""Planted faults of the claims about the influence on the whole recipe."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced

CLAIM: Final = ("influence_recipe.thresholds_move",)

FAULTS: Final = (
    Fault(
        name="the threshold stays where it is, in the balls",
        claims=CLAIM,
        plant=replaced(
            "rkde.proofs_checks.recipe_derivative._threshold",
            lambda right: lambda: (right()[0], 0 * right()[1]),
        ),
        caught_by=("check_recipe_is_not_theorem_5",),
    ),
    Fault(
        name="the thresholds' derivatives are left out, reference",
        claims=CLAIM,
        plant=replaced(
            "rkde.reference.influence.total._threshold_motion", lambda _: lambda *_arguments: None
        ),
        caught_by=("check_quotients_of_the_recipe",),
    ),
    Fault(
        name="the thresholds move the wrong way, fast",
        claims=CLAIM,
        plant=replaced(
            "rkde.fast.influence.total._threshold_changes",
            lambda right: lambda *given, **named: -right(*given, **named),
        ),
        caught_by=("check_quotients_of_the_recipe",),
    ),
)

"""Planted faults of the claims about singular systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="the singular threshold is a thousandth larger",
        claims=("influence_singular.always_solvable",),
        plant=restated("influence_singular", '_CENTRE: Final = "1.2726', '_CENTRE: Final = "1.2736'),
        caught_by=("check_determinant_changes_sign",),
    ),
    Fault(
        name="Q = S^2 in the determinant",
        claims=("influence_singular.spectrum",),
        plant=restated("influence_singular", "bends = [-root * root", "bends = [root * root"),
        caught_by=("check_determinants",),
    ),
    Fault(
        name="alpha' divides by the mean of phi",
        claims=("influence_singular.convex",),
        plant=replaced(
            "rkde.reference._influence.theorem_5_coefficients",
            lambda right: (
                lambda ctx, site, *rest: (lambda found: replace(found, new=found.new * len(site.weights)))(
                    right(ctx, site, *rest)
                )
            ),
        ),
        caught_by=("check_convex_losses_have_an_influence",),
    ),
)

"""Planted faults of the claims about singular systems."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="the singular threshold is a thousandth larger",
        claims=("influence_singular.hampel",),
        plant=restated("influence_singular", '_CENTRE: Final = "1.4907', '_CENTRE: Final = "1.4917'),
        caught_by=("check_determinant_changes_sign",),
    ),
    Fault(
        name="the witness has a slope of 1 where it should be flat",
        claims=("influence_singular.always_solvable",),
        plant=restated(
            "influence_singular", "(1 + (2 * t - 1) ** 3) / 2, sympy", "(1 + (2 * t - 1)) / 2, sympy"
        ),
        caught_by=("check_strictly_convex_without_a_solution",),
    ),
    Fault(
        name="the right side weighs x' as if it were as far from both rows",
        claims=("influence_singular.always_solvable",),
        plant=restated("influence_singular", "[[first], [second]]", "[[first], [first]]"),
        caught_by=("check_strictly_convex_without_a_solution",),
    ),
    Fault(
        name="Hampel's ramp starts beyond the outer residuals",
        claims=("influence_singular.hampel",),
        plant=restated(
            "influence_singular", '_KINKS: Final = ("0.6", "0.8")', '_KINKS: Final = ("0.6", "0.81")'
        ),
        caught_by=("check_singular_system_is_refused",),
    ),
    Fault(
        name="Q = S^2 in the determinant",
        claims=("influence_singular.spectrum",),
        plant=restated("influence_singular", "bends = [-root * root", "bends = [root * root"),
        caught_by=("check_determinants",),
    ),
    Fault(
        name="alpha' counts the rows twice",
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

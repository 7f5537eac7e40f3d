"""Planted faults for the claims about the feature space."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="The unit vector is the first one",
        claims=("rkhs.reproducing",),
        plant=restated("rkhs", "sympy.KroneckerDelta(i, m)", "sympy.KroneckerDelta(i, 1)"),
        caught_by=("check_inner_product_with_a_feature",),
    ),
    Fault(
        name="Evaluation is off by a factor 2",
        claims=("rkhs.reproducing", "rkhs.iterate_inner_products", "rkhs.evaluation_is_bounded"),
        plant=replaced(
            "rkde.reference.rkhs.elements.RkhsElement.evaluate",
            lambda right: lambda self, ctx, x: 2 * right(self, ctx, x),
        ),
        caught_by=("check_reference_elements", "check_reference_values_are_lipschitz"),
    ),
    Fault(
        name="Cauchy-Schwarz with a factor 1/2",
        claims=("rkhs.evaluation_is_bounded",),
        plant=restated("rkhs", "ph * ph > pp * hh)", "2 * ph * ph > pp * hh)"),
        caught_by=("check_cauchy_schwarz",),
    ),
    Fault(
        name="The mixed term of Pythagoras counts once",
        claims=("rkhs.least_squares",),
        plant=restated("rkhs", "mixed = 2 * (row - mean)", "mixed = (row - mean)"),
        caught_by=("check_pythagoras",),
    ),
    Fault(
        name="J has the wrong sign",
        claims=("rkhs.least_squares",),
        plant=replaced(
            "rkde.reference.rkhs.objective.objective", lambda right: lambda *given: -right(*given)
        ),
        caught_by=("check_no_weights_beat_the_kde",),
    ),
    Fault(
        name="The mixed term of one more row counts once",
        claims=("rkhs.iterate_inner_products",),
        plant=restated("rkhs", "2 * weight * new * f", "weight * new * f"),
        caught_by=("check_one_more_row",),
    ),
)

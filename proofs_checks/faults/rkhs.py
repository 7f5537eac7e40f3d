"""Planted faults for the claims about the feature space."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="The right factor of an inner product is ignored",
        claims=("rkhs.reproducing",),
        plant=restated(
            "rkhs",
            "return _dot(left, [_dot(row, right) for row in gram])",
            "return _dot(left, [_dot(row, left) for row in gram])",
        ),
        caught_by=("check_inner_product_with_a_feature",),
    ),
    Fault(
        name="The mixed term of a residual counts once",
        claims=("rkhs.iterate_inner_products",),
        plant=restated("rkhs", "gram[0][0] - 2 * _dot", "gram[0][0] - _dot"),
        caught_by=("check_expansion_of_a_residual",),
    ),
    Fault(
        name="Evaluation is off by a factor 2",
        claims=("rkhs.reproducing", "rkhs.iterate_inner_products"),
        plant=replaced(
            "rkde.reference.rkhs.RkhsElement.evaluate",
            lambda right: lambda self, ctx, x: 2 * right(self, ctx, x),
        ),
        caught_by=("check_reference_elements",),
    ),
    Fault(
        name="Cauchy-Schwarz with a factor 1/2",
        claims=("rkhs.evaluation_is_bounded",),
        plant=restated("rkhs", "ph * ph > pp * hh)", "2 * ph * ph > pp * hh)"),
        caught_by=("check_cauchy_schwarz",),
    ),
    Fault(
        name="The minimiser divides by n + 1",
        claims=("rkhs.least_squares",),
        plant=restated("rkhs", "points[2]) / _SIZE", "points[2]) / (_SIZE + 1)"),
        caught_by=("check_pythagoras",),
    ),
)

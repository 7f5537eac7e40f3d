"""Planted faults of the claims about the matrix of Theorem 5."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

CLAIM: Final = ("influence_matrix.spectrum",)

FAULTS: Final = (
    Fault(
        name="Q = S S' in the determinant",
        claims=CLAIM,
        plant=restated("influence_matrix", "bends = -roots * roots_t", "bends = roots * roots_t"),
        caught_by=("check_determinants_for_every_size",),
    ),
    Fault(
        name="the factor gamma of the inactive rows is left out",
        claims=CLAIM,
        plant=restated("influence_matrix", "gamma ** (_SIZE - len(_ACTIVE)) * active.det()", "active.det()"),
        caught_by=("check_determinants_of_one_matrix",),
    ),
)

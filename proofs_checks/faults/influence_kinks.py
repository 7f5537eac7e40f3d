"""Planted faults of the claims about residuals on kinks."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="psi' from the left at every kink",
        claims=("influence_kinks.as_printed", "influence_kinks.one_sided"),
        plant=replaced("rkde.reference._kinks._is_consistent", lambda _: lambda *_arguments: True),
        caught_by=("check_either_convention_fails", "check_huber_at_a"),
    ),
    Fault(
        name="the sides are exchanged",
        claims=("influence_kinks.one_sided",),
        plant=replaced(
            "rkde.reference._kinks._is_consistent",
            lambda right: (
                lambda ctx, site, new, kinked, pattern, direction, *rest: right(
                    ctx, site, new, kinked, pattern, -direction, *rest
                )
            ),
        ),
        caught_by=("check_huber_at_a", "check_two_residuals_on_one_kink"),
    ),
    Fault(
        name="the ratio of the determinants upside down",
        claims=("influence_kinks.one_residual",),
        plant=restated("influence_kinks", "right.det() / left.det()", "left.det() / right.det()"),
        caught_by=("check_ratio_of_the_motions",),
    ),
    Fault(
        name="the ratio of the motions has the other sign",
        claims=("influence_kinks.one_residual",),
        plant=restated("influence_kinks", "left == right * ratio", "left == -right * ratio"),
        caught_by=("check_motions_have_one_sign",),
    ),
)

"""Planted faults of the claims about residuals on kinks."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAMILY: Final = "influence_kinks"
AS_PRINTED: Final = (f"{FAMILY}.as_printed",)
SIDES: Final = (f"{FAMILY}.one_sided",)
ONE_RESIDUAL: Final = (f"{FAMILY}.one_residual",)
QUOTIENTS: Final = ("check_huber_at_a", "check_two_residuals_on_one_kink", "check_hampel_at_a_and_at_c")

FAULTS: Final = (
    Fault(
        name="psi' from the right falls half as much, in the balls",
        claims=AS_PRINTED,
        plant=replaced(
            "rkde.proofs_checks.kink_sides._solution",
            lambda right: lambda sqdist, pull, a, bend: right(sqdist, pull, a, bend / 2),
        ),
        caught_by=("check_either_convention_fails",),
    ),
    Fault(
        name="psi' from the left at every kink, reference",
        claims=(*SIDES, *AS_PRINTED),
        plant=replaced(
            "rkde.reference.influence.one_sided._is_consistent", lambda _: lambda *_arguments: True
        ),
        caught_by=QUOTIENTS[:2],
    ),
    Fault(
        name="the sides are exchanged, reference",
        claims=SIDES,
        plant=replaced(
            "rkde.reference.influence.one_sided._is_consistent",
            lambda right: (
                lambda ctx, site, new, kinked, pattern, direction, *rest: right(
                    ctx, site, new, kinked, pattern, -direction, *rest
                )
            ),
        ),
        caught_by=QUOTIENTS,
    ),
    Fault(
        name="the sides are exchanged, fast",
        claims=SIDES,
        plant=replaced(
            "rkde.fast.influence.one_sided._consistent",
            lambda right: (
                lambda site, new, kinked, pattern, direction, *rest: right(
                    site, new, kinked, pattern, -direction, *rest
                )
            ),
        ),
        caught_by=QUOTIENTS,
    ),
    Fault(
        name="a choice of sides that contradicts its motion is taken, reference",
        claims=SIDES,
        plant=replaced(
            "rkde.reference.influence.one_sided.kinked_locations", lambda _: lambda *_arguments: []
        ),
        caught_by=("check_no_unique_choice",),
    ),
    Fault(
        name="a choice of sides that contradicts its motion is taken, fast",
        claims=SIDES,
        plant=replaced("rkde.fast.influence.one_sided.kinked_locations", lambda _: lambda *_arguments: []),
        caught_by=("check_no_unique_choice",),
    ),
    Fault(
        name="the motions differ by 1 - D C",
        claims=ONE_RESIDUAL,
        plant=restated(FAMILY, "factor = 1 + gap", "factor = 1 - gap"),
        caught_by=("check_motions_for_every_number_of_rows",),
    ),
    Fault(
        name="the ratio of the determinants upside down",
        claims=ONE_RESIDUAL,
        plant=restated(FAMILY, "right.det() / left.det()", "left.det() / right.det()"),
        caught_by=("check_ratio_of_the_motions",),
    ),
    Fault(
        name="the ratio of the motions has the other sign",
        claims=ONE_RESIDUAL,
        plant=restated(FAMILY, "left == right * ratio", "left == -right * ratio"),
        caught_by=("check_motions_have_one_sign",),
    ),
)

"""Planted faults for the claims about minimisers of J."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, changed, replaced, restated

FAULTS: Final = (
    Fault(
        name="The mixed term of a projection counts once",
        claims=("existence.minimiser", "existence.in_hull", "existence.any_distribution"),
        plant=restated("existence", "(p - g).square - 2 * mixed", "(p - g).square - mixed"),
        caught_by=("check_projection_shortens_distances",),
    ),
    Fault(
        name="A projection may make an acute angle",
        claims=("existence.minimiser", "existence.in_hull", "existence.any_distribution"),
        plant=restated("existence", "step * square <= -mixed", "step * square <= -3 * mixed"),
        caught_by=("check_projection_makes_an_obtuse_angle",),
    ),
    Fault(
        name="The falling loss has a limit above 0",
        claims=("existence.minimiser",),
        plant=restated("existence", "rho = 1 / (1 + t)", "rho = 1 + 1 / (1 + t)"),
        caught_by=("check_a_falling_loss_has_no_minimiser",),
    ),
    Fault(
        name="Norms fall by half in a weak limit",
        claims=("existence.any_distribution",),
        plant=restated("existence", "2 * g_k.inner(g) - g.square", "g_k.inner(g) - g.square"),
        caught_by=("check_norm_in_a_weak_limit",),
    ),
    Fault(
        name="The map from weights has half its constant",
        claims=("existence.compact_hull",),
        plant=restated(
            "existence", "square > (total + size) * (total + size)", "square > (total + size) * total"
        ),
        caught_by=("check_weights_to_elements_is_lipschitz",),
    ),
    Fault(
        name="rho(0) is the supremum",
        claims=("existence.positive_phi",),
        plant=restated("existence", "at_zero == 0, others", "at_zero == top, others"),
        caught_by=("check_a_data_point_undercuts_the_supremum",),
    ),
    Fault(
        name="The chord lies below the function",
        claims=("existence.sufficient",),
        plant=restated("existence", "between <= (1 - share) * at_f", "between >= (1 - share) * at_f"),
        caught_by=("check_convexity_turns_it_into_a_minimum",),
    ),
    Fault(
        name="Hampel's rho beyond c is twice its limit from the left",
        claims=("existence.sufficient",),
        plant=replaced("rkde.proofs_checks.pieces.hampel", changed(3, rho=lambda part: part.rho + part.rho)),
        caught_by=("check_a_stationary_point_that_is_no_minimum",),
    ),
)

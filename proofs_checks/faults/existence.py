"""Planted faults for the claims about minimisers of J."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The mixed term of a projection counts once",
        claims=("existence.minimiser", "existence.in_hull"),
        plant=restated("existence", "- near - moved - 2 * mixed", "- near - moved - mixed"),
        caught_by=("check_projection_shortens_distances",),
    ),
    Fault(
        name="A projection may make an acute angle",
        claims=("existence.minimiser",),
        plant=restated("existence", "step * square <= -mixed", "step * square <= -3 * mixed"),
        caught_by=("check_projection_makes_an_obtuse_angle",),
    ),
    Fault(
        name="The map from weights has half its constant",
        claims=("existence.compact_hull",),
        plant=restated(
            "existence", "square > (size_0 + size_1) * (size_0 + size_1)", "square > (size_0 + size_1)"
        ),
        caught_by=("check_weights_to_elements_is_lipschitz",),
    ),
    Fault(
        name="rho(0) is the supremum",
        claims=("existence.positive_phi",),
        plant=restated(
            "existence", "0 + values[0] + values[1] >= 3 * top", "top + values[0] + values[1] >= 3 * top"
        ),
        caught_by=("check_a_data_point_undercuts_the_supremum",),
    ),
    Fault(
        name="Weights proportional to phi, of sum 2",
        claims=("existence.sufficient",),
        plant=restated("existence", "weights = [value / total", "weights = [2 * value / total"),
        caught_by=("check_representation_makes_the_gradient_vanish",),
    ),
    Fault(
        name="The chord lies below the function",
        claims=("existence.sufficient",),
        plant=restated("existence", "between <= (1 - share) * at_f", "between >= (1 - share) * at_f"),
        caught_by=("check_convexity_turns_it_into_a_minimum",),
    ),
    Fault(
        name="A weight is at most 1/2",
        claims=("existence.compact_hull",),
        plant=restated("existence", "*known, weights[0] > 1)", "*known, 2 * weights[0] > 1)"),
        caught_by=("check_simplex_is_bounded",),
    ),
    Fault(
        name="phi may rise again",
        claims=("existence.positive_phi",),
        plant=restated(
            "existence", "beyond >= 0, beyond <= at_zero, beyond > 0)", "beyond >= 0, beyond > 0)"
        ),
        caught_by=("check_a_zero_of_phi_stays_zero",),
    ),
    Fault(
        name="The midpoint need not be lower",
        claims=("existence.sufficient",),
        plant=restated("existence", "middle < (lowest + lowest) / 2", "middle <= (lowest + lowest) / 2"),
        caught_by=("check_strictness_gives_uniqueness",),
    ),
)

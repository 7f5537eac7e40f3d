"""Planted faults for the claims about limit points of KIRWLS."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="The slope along V is +|V|^2",
        claims=("limit_points.nonempty",),
        plant=restated("limit_points", "slope == -norm * norm", "slope == norm * norm"),
        caught_by=("check_a_minimiser_is_stationary",),
    ),
    Fault(
        name="|g| >= c suffices",
        claims=("limit_points.hampel_far",),
        plant=restated("limit_points", "size >= loss.c + tau", "size >= loss.c"),
        caught_by=("check_psi_vanishes_far_away",),
    ),
    Fault(
        name="The surrogate lies below J",
        claims=("limit_points.chain",),
        plant=restated("limit_points", "next_value <= next_surrogate", "next_value >= next_surrogate"),
        caught_by=("check_chain_of_inequalities",),
    ),
    Fault(
        name="The limit point is nearer than 2 e",
        claims=("limit_points.distance_to_zero",),
        plant=restated("limit_points", "step < bound / 2", "step < bound * 2"),
        caught_by=("check_no_distance_is_below_its_half",),
    ),
    Fault(
        name="Convexity from above",
        claims=("limit_points.corollary",),
        plant=restated("limit_points", "2 * middle < at_f + at_g", "2 * middle > at_f + at_g"),
        caught_by=("check_one_stationary_point",),
    ),
    Fault(
        name="The gradient changes without bound",
        claims=("limit_points.whole_sequence",),
        plant=restated(
            "limit_points", "after - before <= lipschitz * step", "before - after <= lipschitz * step"
        ),
        caught_by=("check_gradient_after_a_step",),
    ),
    Fault(
        name="The rising phi is that of the cubic loss",
        claims=("limit_points.corollary",),
        plant=restated("limit_points", "rho = t**4 / 4", "rho = t**3 / 3"),
        caught_by=("check_a_rising_phi_runs_away",),
    ),
    Fault(
        name="Hampel's c is far beyond every residual in the stationary set",
        claims=("limit_points.corollary",),
        plant=replaced("rkde.proofs_checks.witnesses.PAIRS_LOSS", lambda right: type(right)("2", "3", "4")),
        caught_by=("check_two_stationary_points_without_it",),
    ),
)

"""Planted faults of the claims about convexity and limits."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="phi of the reference's Huber loss falls like 1/t^2",
        claims=("convergence.convex",),
        plant=replaced(
            "rkde.reference.losses.Huber.phi", lambda right: lambda self, ctx, t: right(self, ctx, t) ** 2
        ),
        caught_by=("check_limit_has_no_lower_neighbour",),
    ),
    Fault(
        name="three steps are claimed to suffice",
        claims=("convergence.stationary",),
        plant=restated("convergence", "_FAST_CAP: Final = 20_000", "_FAST_CAP: Final = 3"),
        caught_by=("check_steps_tend_to_zero",),
    ),
    Fault(
        name="a quadratic without its leading term counts as a sphere",
        claims=("convergence.three_distinct_rows",),
        plant=restated(
            "convergence",
            "leading > 0, roots[0] < roots[1], roots[1] < roots[2]",
            "leading >= 0, roots[0] < roots[1], roots[1] < roots[2]",
        ),
        caught_by=("check_a_line_meets_a_sphere_at_most_twice",),
    ),
    Fault(
        name="the two rows' distances are swapped",
        claims=("convergence.two_rows",),
        plant=restated(
            "convergence",
            "products = [(1 - weight) * square, weight * square]",
            "products = [weight * square, (1 - weight) * square]",
        ),
        caught_by=("check_two_rows_have_a_flat_objective",),
    ),
    Fault(
        name="g and h may be equal",
        claims=("convergence.three_distinct_rows",),
        plant=restated("convergence", "at_g < at_h)", "at_g <= at_h)"),
        caught_by=("check_dependence_puts_a_point_on_the_line",),
    ),
)

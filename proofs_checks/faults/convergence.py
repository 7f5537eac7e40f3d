"""Planted faults of the claims about convexity and limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _squared(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given) ** 2


def _reversed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given)[::-1]


def _three_steps(right: Callable[..., Any]) -> Callable[..., Any]:
    # Both packages pass the list of what was reached so far last.
    return lambda *given: len(given[-1]) > 3 or right(*given)


FAULTS: Final = (
    Fault(
        name="phi of the reference's Huber loss falls like 1/t^2",
        claims=("convergence.convex",),
        plant=replaced("rkde.reference.losses.Huber.phi", _squared),
        caught_by=("check_no_weights_are_lower",),
    ),
    Fault(
        name="phi of the fast Huber loss falls like 1/t^2",
        claims=("convergence.convex",),
        plant=replaced("rkde.fast.losses.robust.Huber.phi", _squared),
        caught_by=("check_no_weights_are_lower",),
    ),
    Fault(
        name="the reference's run ends after three steps, as if it were the limit",
        claims=("convergence.convex",),
        plant=replaced("rkde.reference.solvers.kirwls._reached", _three_steps),
        caught_by=("check_no_weights_are_lower",),
    ),
    Fault(
        name="the fast run ends after three steps, as if it were the limit",
        claims=("convergence.convex",),
        plant=replaced("rkde.fast.solvers.kirwls._reached", _three_steps),
        caught_by=("check_no_weights_are_lower",),
    ),
    Fault(
        name="the reference's Huber rho is the root of the right one",
        claims=("convergence.three_distinct_rows",),
        plant=replaced(
            "rkde.reference.losses.Huber.rho",
            lambda right: lambda self, ctx, t: ctx.sqrt(right(self, ctx, t)),
        ),
        caught_by=("check_the_midpoint_is_lower",),
    ),
    Fault(
        name="a step of the reference exchanges the weights of two rows",
        claims=("convergence.two_rows",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _reversed),
        caught_by=("check_every_weighting_of_two_rows_is_fixed",),
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

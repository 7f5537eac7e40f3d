"""Planted faults of the claims about one step of KIRWLS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rkde.errors import AllWeightsZero
from rkde.proofs_checks.faults import Fault, replaced, restated


def _reversed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given)[::-1]


def _summed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda ctx, X, *given: len(X) * right(ctx, X, *given)


def _without_ramp(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, t: right(self, ctx, t) if ctx.convert(t) <= ctx.convert(self.b) else ctx.mpf(0)


def _without_fast_ramp(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, t: np.where(np.asarray(t) <= self.b, right(self, t), 0.0)


def uniform_where_undefined(right: Callable[..., Any]) -> Callable[..., Any]:
    """Make a step that answers 0/0 with uniform weights."""

    def kirwls_step(*given: Any) -> Any:
        try:
            return right(*given)
        except AllWeightsZero:
            size = len(given[-1])
            return [1 / size] * size

    return kirwls_step


FAULTS: Final = (
    Fault(
        name="the completed square has half its coefficient",
        claims=("descent.step_minimises_surrogate",),
        plant=restated("descent", "- rows.total * distance", "- rows.total / 2 * distance"),
        caught_by=("check_square_is_completed",),
    ),
    Fault(
        name="one more row adds its squared norm without phi",
        claims=("descent.step_minimises_surrogate",),
        plant=restated("descent", "- phi * (point - g).square", "- (point - g).square"),
        caught_by=("check_sums_grow_row_by_row",),
    ),
    Fault(
        name="a step of the reference reverses the weights",
        claims=("descent.amount", "descent.step_minimises_surrogate"),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _reversed),
        caught_by=("check_amount_of_descent",),
    ),
    Fault(
        name="a step of the fast code reverses the weights",
        claims=("descent.in_floats",),
        plant=replaced("rkde.fast.solvers.iteration.next_weights", _reversed),
        caught_by=("check_descent_in_floats",),
    ),
    Fault(
        name="J of the reference is the sum over the rows",
        claims=("descent.in_floats",),
        plant=replaced("rkde.reference.rkhs.objective.objective", _summed),
        caught_by=("check_descent_in_floats",),
    ),
    Fault(
        name="phi may be a third of the bound",
        claims=("descent.no_zero_sum",),
        plant=restated(
            "descent", "*known, phi * x * x < 2 * (at_x - at_r)", "*known, phi * x * x < 3 * (at_x - at_r)"
        ),
        caught_by=("check_phi_bounds_the_rise",),
    ),
    Fault(
        name="J = sup rho counts as below sup rho",
        claims=("descent.no_zero_sum",),
        plant=restated("descent", "part.rho < top, part.psi <= 0", "part.rho <= top, part.psi <= 0"),
        caught_by=("check_below_the_supremum_phi_is_positive",),
    ),
    Fault(
        name="phi of the reference's Hampel loss is 0 on the ramp",
        claims=("descent.no_zero_sum",),
        plant=replaced("rkde.reference.losses.Hampel.phi", _without_ramp),
        caught_by=("check_steps_exist_below_the_supremum",),
    ),
    Fault(
        name="phi of the fast Hampel loss is 0 on the ramp",
        claims=("descent.no_zero_sum",),
        plant=replaced("rkde.fast.losses.robust.Hampel.phi", _without_fast_ramp),
        caught_by=("check_steps_exist_below_the_supremum",),
    ),
    Fault(
        name="the reference answers 0/0 with uniform weights",
        claims=("descent.no_zero_sum",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", uniform_where_undefined),
        caught_by=("check_no_step_at_the_supremum",),
    ),
    Fault(
        name="the fast code answers 0/0 with uniform weights",
        claims=("descent.no_zero_sum",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", uniform_where_undefined),
        caught_by=("check_no_step_at_the_supremum",),
    ),
)

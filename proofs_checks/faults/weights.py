"""Planted faults of the claims about the weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults.descent import uniform_where_undefined
from rkde.proofs_checks.pieces import Piece


def _ramp_goes_on(right: Callable[..., Sequence[Piece[Any]]]) -> Callable[..., Sequence[Piece[Any]]]:
    def hampel(*given: Any) -> Sequence[Piece[Any]]:
        first, second, third, last = right(*given)
        return first, second, third, replace(last, psi=third.psi)

    return hampel


def _not_normalised(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: tuple(len(given[1]) * weight for weight in right(*given))


def _fast_not_normalised(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: len(given[0]) * right(*given)


def _rounded(right: Callable[..., Any]) -> Callable[..., Any]:
    def fixed_point(ctx: Any, *given: Any, **options: Any) -> Any:
        end = right(ctx, *given, **options)
        return replace(end, weights=tuple(ctx.mpf(float(weight)) for weight in end.weights))

    return fixed_point


FAULTS: Final = (
    Fault(
        name="Hampel's ramp goes on below 0",
        claims=("weights.simplex",),
        plant=replaced("rkde.proofs_checks.pieces.hampel", _ramp_goes_on),
        caught_by=("check_phi_is_never_negative",),
    ),
    Fault(
        name="the weights are not normalised",
        claims=("weights.simplex",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", _not_normalised),
        caught_by=("check_step_stays_in_the_simplex",),
    ),
    Fault(
        name="the limit is rounded to float64",
        claims=("weights.representer",),
        plant=replaced("rkde.reference.solvers.fixed_point.fixed_point", _rounded),
        caught_by=("check_weights_at_the_limit",),
    ),
    Fault(
        name="the weights of the fast code are not normalised",
        claims=("weights.simplex",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", _fast_not_normalised),
        caught_by=("check_step_stays_in_the_simplex",),
    ),
    Fault(
        name="the reference steps from 0/0 to uniform weights",
        claims=("weights.simplex",),
        plant=replaced("rkde.reference.solvers.kirwls.kirwls_step", uniform_where_undefined),
        caught_by=("check_all_phi_zero_is_refused",),
    ),
    Fault(
        name="the fast code steps from 0/0 to uniform weights",
        claims=("weights.simplex",),
        plant=replaced("rkde.fast.solvers.kirwls.kirwls_step", uniform_where_undefined),
        caught_by=("check_all_phi_zero_is_refused",),
    ),
    Fault(
        name="the gradient is the step itself",
        claims=("weights.representer",),
        plant=restated("weights", "(rows.mean - f).times(rows.total)", "rows.mean - f"),
        caught_by=("check_gradient_is_the_step",),
    ),
    Fault(
        name="the witness has a psi that rises from 0 on",
        claims=("weights.representer_as_printed",),
        plant=restated(
            "weights", "(z3.And(t >= 0, t <= 1), zero, zero)", "(z3.And(t >= 0, t <= 1), zero, t)"
        ),
        caught_by=("check_minimisers_off_the_span", "check_the_witness_is_a_loss"),
    ),
    Fault(
        name="the witness has a rho that jumps at 2",
        claims=("weights.representer_as_printed",),
        plant=restated("weights", '("0", "1/2", "3/2")', '("0", "1/2", "1")'),
        caught_by=("check_the_witness_is_a_loss",),
    ),
)

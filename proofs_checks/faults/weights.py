"""Planted faults of the claims about the weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.pieces import Piece


def _ramp_goes_on(right: Callable[..., Sequence[Piece[Any]]]) -> Callable[..., Sequence[Piece[Any]]]:
    def hampel(*given: Any) -> Sequence[Piece[Any]]:
        first, second, third, last = right(*given)
        return first, second, third, replace(last, psi=third.psi)

    return hampel


def _not_normalised(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: tuple(len(given[1]) * weight for weight in right(*given))


def _rounded(right: Callable[..., Any]) -> Callable[..., Any]:
    def fixed_point(ctx: Any, *given: Any) -> Any:
        end = right(ctx, *given)
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
        plant=replaced("rkde.reference.kirwls.kirwls_step", _not_normalised),
        caught_by=("check_step_stays_in_the_simplex",),
    ),
    Fault(
        name="the limit is rounded to float64",
        claims=("weights.representer",),
        plant=replaced("rkde.reference.fixed_point.fixed_point", _rounded),
        caught_by=("check_weights_at_the_limit",),
    ),
    Fault(
        name="the two points are 2 apart",
        claims=("weights.representer_as_printed",),
        plant=restated(
            "weights", 'left + right >= z3.RealVal("26/10")', 'left + right >= z3.RealVal("20/10")'
        ),
        caught_by=("check_minimisers_off_the_span",),
    ),
    Fault(
        name="the witness has psi = t (1 - t)",
        claims=("weights.representer_as_printed",),
        plant=restated("weights", "psi = t * (1 - t) ** 2", "psi = t * (1 - t)"),
        caught_by=("check_the_witness_is_a_loss",),
    ),
    Fault(
        name="the stationary point is twice the weighted mean",
        claims=("weights.representer",),
        plant=restated("weights", "features[2]) / total", "features[2]) / total * 2"),
        caught_by=("check_stationarity_is_the_weighted_mean",),
    ),
    Fault(
        name="sup rho may be 0",
        claims=("weights.representer",),
        plant=restated("weights", "top > 0, others", "top >= 0, others"),
        caught_by=("check_a_data_point_undercuts_the_supremum",),
    ),
)

"""Planted faults of the claims about Huber's two extremes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.pieces import Piece


def _unbounded(right: Callable[..., Sequence[Piece[Any]]]) -> Callable[..., Sequence[Piece[Any]]]:
    def huber(t: Any, *arguments: Any) -> Sequence[Piece[Any]]:
        first, second = right(t, *arguments)
        return first, replace(second, psi=t)

    return huber


def _falling(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, t: right(self, t) / (1 + np.asarray(t))


def _reference_falling(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, t: right(self, ctx, t) / (1 + ctx.convert(t))


FAULTS: Final = (
    Fault(
        name="phi is 1 up to 2a",
        claims=("limits.huber_is_kde",),
        plant=restated("limits", "r > 0, r <= loss.a]", "r > 0, r <= 2 * loss.a]"),
        caught_by=("check_phi_is_one_up_to_the_threshold",),
    ),
    Fault(
        name="Huber's psi goes on rising beyond a",
        claims=(
            "limits.huber_is_median",
            "limits.huber_is_kde",
        ),
        plant=replaced("rkde.proofs_checks.pieces.huber", _unbounded),
        caught_by=(
            "check_phi_is_proportional_to_the_inverse",
            "check_phi_is_one_up_to_the_threshold",
        ),
    ),
    Fault(
        name="the tangent at a residual is twice as steep",
        claims=("limits.huber_is_kde",),
        plant=restated("limits", "tangent = r * r / 2 + inner", "tangent = r * r / 2 + 2 * inner"),
        caught_by=("check_no_element_is_lower",),
    ),
    Fault(
        name="phi of the fast Huber loss falls from 0 on",
        claims=("limits.huber_is_kde",),
        plant=replaced("rkde.fast.losses.robust.Huber.phi", _falling),
        caught_by=(
            "check_beyond_root_two_one_step_gives_the_kde",
            "check_beyond_the_residuals_the_kde_is_fixed",
        ),
    ),
    Fault(
        name="phi of the reference's Huber loss falls from 0 on",
        claims=("limits.huber_is_kde",),
        plant=replaced("rkde.reference.losses.Huber.phi", _reference_falling),
        caught_by=(
            "check_beyond_root_two_one_step_gives_the_kde",
            "check_beyond_the_residuals_the_kde_is_fixed",
        ),
    ),
    Fault(
        name="phi of the fast Huber loss falls faster than 1/r beyond a",
        claims=("limits.huber_is_median",),
        plant=replaced("rkde.fast.losses.robust.Huber.phi", _falling),
        caught_by=("check_below_the_residuals_the_median_is_fixed",),
    ),
    Fault(
        name="phi of the reference's Huber loss falls faster than 1/r beyond a",
        claims=("limits.huber_is_median",),
        plant=replaced("rkde.reference.losses.Huber.phi", _reference_falling),
        caught_by=("check_below_the_residuals_the_median_is_fixed",),
    ),
    Fault(
        name="the kernel is 0 between the two rows",
        claims=("limits.huber_is_kde",),
        plant=restated("limits", "kappa, weight = sympy.Integer(-1)", "kappa, weight = sympy.Integer(0)"),
        caught_by=("check_beyond_root_two_needs_a_nonnegative_kernel",),
    ),
)

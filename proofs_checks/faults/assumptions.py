"""Planted faults of the claims about (A1) to (A5) and declared facts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import rkde.fast.losses
import rkde.reference.losses
from rkde.proofs_checks.faults import Fault, changed, replaced, restated
from rkde.proofs_checks.pieces import Piece


def _steeper_ramp(right: Callable[..., Sequence[Piece[Any]]]) -> Callable[..., Sequence[Piece[Any]]]:
    def hampel(*arguments: Any) -> Sequence[Piece[Any]]:
        first, second, third, last = right(*arguments)
        return first, second, replace(third, psi=third.psi + third.psi), last

    return hampel


def _finite_at_zero(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, t: ctx.zero if t == 0 else right(self, ctx, t)


def _fast_finite_at_zero(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _self, t: [0.0 if value == 0 else 1 / value for value in t]


FAULTS: Final = (
    Fault(
        name="phi has half its Lipschitz constant 1/a",
        claims=("assumptions.hold",),
        plant=restated("assumptions", "lipschitz * loss.a >= 1", "2 * lipschitz * loss.a >= 1"),
        caught_by=("check_a5",),
    ),
    Fault(
        name="Hampel's third piece jumps at b",
        claims=("assumptions.hold",),
        plant=replaced("rkde.proofs_checks.pieces.hampel", _steeper_ramp),
        caught_by=(
            "check_a3",
            "check_a4",
        ),
    ),
    Fault(
        name="the absolute loss has phi(0) = 0",
        claims=("assumptions.absolute_outside",),
        plant=replaced("rkde.reference.losses.Absolute.phi", _finite_at_zero),
        caught_by=("check_absolute_loss_breaks_the_assumptions",),
    ),
    Fault(
        name="phi of the absolute loss is 1/(1 + t)",
        claims=("assumptions.absolute_outside",),
        plant=restated("assumptions", "sympy.limit(1 / t, t", "sympy.limit(1 / (1 + t), t"),
        caught_by=("check_absolute_loss_breaks_the_assumptions",),
    ),
    Fault(
        name="Huber's phi forgets to divide by t",
        claims=("assumptions.facts",),
        plant=replaced("rkde.fast.losses.robust.Huber.phi", lambda _: rkde.fast.losses.robust.Huber.psi),
        caught_by=("check_declared_facts",),
    ),
    Fault(
        name="Huber's phi of the reference forgets to divide by t",
        claims=("assumptions.facts",),
        plant=replaced("rkde.reference.losses.Huber.phi", lambda _: rkde.reference.losses.Huber.psi),
        caught_by=("check_declared_facts",),
    ),
    Fault(
        name="the absolute loss has phi(0) = 0 in the fast code",
        claims=("assumptions.absolute_outside",),
        plant=replaced("rkde.fast.losses.robust.Absolute.phi", _fast_finite_at_zero),
        caught_by=("check_absolute_loss_breaks_the_assumptions",),
    ),
    Fault(
        name="nobody measures whether rho is bounded",
        claims=("assumptions.facts",),
        plant=replaced(
            "rkde.proofs_checks.check_assumptions._MEASURES",
            lambda right: {name: measure for name, measure in right.items() if name != "rho_bounded"},
        ),
        caught_by=("check_every_fact_is_measured",),
    ),
    Fault(
        name="psi of Huber's first piece is 2t",
        claims=("assumptions.hold",),
        plant=replaced("rkde.proofs_checks.pieces.huber", changed(0, psi=lambda part: part.psi + part.psi)),
        caught_by=("check_a1_and_a2",),
    ),
)

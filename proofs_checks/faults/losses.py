"""Planted faults of the claims about rho, psi, phi and q."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, changed, replaced, restated


def _doubled(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: 2 * right(*given)


def _bounded(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _self, _ctx, t: t / (1 + t)


def _fast_bounded(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda _self, t: np.asarray(t) / (1 + np.asarray(t))


FAULTS: Final = (
    Fault(
        name="Huber's rho beyond a lacks its a^2/2",
        claims=("losses.huber_rho",),
        plant=replaced("rkde.proofs_checks.pieces.huber", changed(1, rho=lambda part: part.rho + part.rho)),
        caught_by=("check_huber_psi_is_the_derivative",),
    ),
    Fault(
        name="Hampel's rho ends at a (b + c - a)",
        claims=("losses.hampel_rho",),
        plant=replaced("rkde.proofs_checks.pieces.hampel", changed(3, rho=lambda part: part.rho + part.rho)),
        caught_by=("check_hampel_psi_is_the_derivative",),
    ),
    Fault(
        name="the reference's rho of Huber is doubled",
        claims=("losses.huber_rho",),
        plant=replaced("rkde.reference.losses.Huber.rho", _doubled),
        caught_by=("check_huber_in_both_implementations",),
    ),
    Fault(
        name="the reference's rho of Hampel is doubled",
        claims=("losses.hampel_rho",),
        plant=replaced("rkde.reference.losses.Hampel.rho", _doubled),
        caught_by=("check_hampel_in_both_implementations",),
    ),
    Fault(
        name="psi of Hampel's second piece is 2a",
        claims=(
            "losses.phi_nonincreasing",
            "losses.psi_bounded",
        ),
        plant=replaced("rkde.proofs_checks.pieces.hampel", changed(1, psi=lambda part: part.psi + part.psi)),
        caught_by=(
            "check_phi_never_increases",
            "check_psi_lies_between_0_and_a",
        ),
    ),
    Fault(
        name="psi' of Hampel's ramp lost its sign",
        claims=("losses.q_sign",),
        plant=replaced(
            "rkde.proofs_checks.pieces.hampel",
            changed(2, psi_prime=lambda part: part.psi_prime - part.psi_prime - part.psi_prime),
        ),
        caught_by=("check_q_is_never_positive",),
    ),
    Fault(
        name="phi is constant on the second piece",
        claims=("losses.phi_nonincreasing",),
        plant=restated("losses", "for piece in (0, -1)", "for piece in (1, -1)"),
        caught_by=("check_phi_is_not_strictly_decreasing",),
    ),
    Fault(
        name="the fast rho of Huber is doubled",
        claims=("losses.huber_rho",),
        plant=replaced("rkde.fast.losses.robust.Huber.rho", _doubled),
        caught_by=("check_huber_in_both_implementations",),
    ),
    Fault(
        name="the fast rho of Hampel is doubled",
        claims=("losses.hampel_rho",),
        plant=replaced("rkde.fast.losses.robust.Hampel.rho", _doubled),
        caught_by=("check_hampel_in_both_implementations",),
    ),
    Fault(
        name="the quadratic loss is linear far out",
        claims=("losses.psi_bounded",),
        plant=restated(
            "losses", "(t**2 / 2).diff(t), t, sympy.oo", "(t - sympy.log(1 + t)).diff(t), t, sympy.oo"
        ),
        caught_by=("check_quadratic_psi_tends_to_infinity",),
    ),
    Fault(
        name="psi of the quadratic loss is bounded in the reference",
        claims=("losses.psi_bounded",),
        plant=replaced("rkde.reference.losses.Quadratic.psi", _bounded),
        caught_by=("check_quadratic_psi_exceeds_any_bound",),
    ),
    Fault(
        name="psi of the quadratic loss is bounded in the fast code",
        claims=("losses.psi_bounded",),
        plant=replaced("rkde.fast.losses.robust.Quadratic.psi", _fast_bounded),
        caught_by=("check_quadratic_psi_exceeds_any_bound",),
    ),
)

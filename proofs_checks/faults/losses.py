"""Planted faults of the claims about rho, psi, phi and q."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, changed, replaced, restated


def _doubled(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda self, ctx, t: 2 * right(self, ctx, t)


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
        name="the sign of psi in q is turned",
        claims=("losses.q_sign",),
        plant=restated(
            "losses",
            ".diff(t) - (t * part.psi_prime - part.psi)",
            ".diff(t) - (t * part.psi_prime + part.psi)",
        ),
        caught_by=("check_q_is_the_slope_of_phi",),
    ),
    Fault(
        name="psi' of Hampel's ramp lost its sign",
        claims=("losses.q_sign",),
        plant=replaced(
            "rkde.proofs_checks.pieces.hampel",
            changed(2, psi_prime=lambda part: part.psi_prime - part.psi_prime - part.psi_prime),
        ),
        caught_by=(
            "check_q_is_the_slope_of_phi",
            "check_q_is_never_positive",
        ),
    ),
    Fault(
        name="phi is constant on the second piece",
        claims=("losses.phi_nonincreasing",),
        plant=restated(
            "losses", "at_s, at_t = loss.at(s)[0], loss.at(t)[0]", "at_s, at_t = loss.at(s)[1], loss.at(t)[1]"
        ),
        caught_by=("check_phi_is_not_strictly_decreasing",),
    ),
)

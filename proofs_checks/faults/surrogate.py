"""Planted faults of the claims about the surrogate of rho."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _lowered(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda ctx, loss, x, r: right(ctx, loss, x, r) - r * loss.psi(ctx, r)


def _fast_lowered(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda loss, x, r: right(loss, x, r) - r * loss.psi(r)


FAULTS: Final = (
    Fault(
        name="u subtracts r psi(r) for its half",
        claims=("surrogate.touches",),
        plant=restated(
            "surrogate", "surrogate = part.rho - r * part.psi / 2", "surrogate = part.rho - r * part.psi"
        ),
        caught_by=("check_surrogate_touches",),
    ),
    Fault(
        name="the surrogate is linear in x",
        claims=("surrogate.above",),
        plant=restated("surrogate", "phi / 2 + phi * x * x / 2", "phi / 2 + phi * x * r / 2"),
        caught_by=("check_surrogate_lies_above",),
    ),
    Fault(
        name="the reference's surrogate subtracts r psi(r) too often",
        claims=(
            "surrogate.above",
            "surrogate.monotone_phi",
        ),
        plant=replaced("rkde.reference.rkhs.objective.surrogate_loss", _lowered),
        caught_by=("check_surrogate_in_both_implementations",),
    ),
    Fault(
        name="the fast surrogate subtracts r psi(r) too often",
        claims=("surrogate.above", "surrogate.monotone_phi"),
        plant=replaced("rkde.fast.rkhs.objective.surrogate_loss", _fast_lowered),
        caught_by=("check_surrogate_in_both_implementations",),
    ),
    Fault(
        name="psi is continued evenly, like rho",
        claims=("surrogate.real_arguments",),
        plant=restated("surrogate", "z3.If(r >= 0, at_r.psi, -at_r.psi)", "at_r.psi"),
        caught_by=("check_even_continuation",),
    ),
    Fault(
        name="the integrand inequality is strict",
        claims=("surrogate.monotone_phi",),
        plant=restated(
            "surrogate", "phi_t <= phi_r, t * phi_t > t * phi_r", "phi_t <= phi_r, t * phi_t >= t * phi_r"
        ),
        caught_by=("check_integrand_inequality",),
    ),
    Fault(
        name="the witness has a constant phi",
        claims=("surrogate.needs_monotone_phi",),
        plant=restated("surrogate", "rho = t**4 / 4", "rho = t**2 / 2"),
        caught_by=("check_rising_phi_breaks_the_surrogate",),
    ),
    Fault(
        name="the surrogate at r = 0 is x^2/4",
        claims=("surrogate.above",),
        plant=restated("surrogate", "x * x / 2 < part.rho", "x * x / 4 < part.rho"),
        caught_by=("check_surrogate_lies_above_at_zero",),
    ),
    Fault(
        name="an exact phi is refuted",
        claims=("surrogate.above",),
        plant=restated("surrogate", '["0.99", "1.01"]', '["1", "1.01"]'),
        caught_by=("check_altered_surrogate_is_refuted",),
    ),
    Fault(
        name="the integral of t is r^2",
        claims=("surrogate.monotone_phi",),
        plant=restated("surrogate", "(r * phi) / 2", "(r * phi)"),
        caught_by=("check_integrated_bound_is_the_surrogate",),
    ),
)

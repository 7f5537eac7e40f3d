"""Planted faults for the claims about the Gateaux differential."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAULTS: Final = (
    Fault(
        name="The remainder may be three times as large",
        claims=("gateaux.necessary",),
        plant=restated("gateaux", "2 * remainder <= -slope * step", "remainder <= -2 * slope * step"),
        caught_by=("check_a_slope_gives_descent",),
    ),
    Fault(
        name="phi is psi, not psi(u)/u",
        claims=("gateaux.off_the_point",),
        plant=restated("gateaux", "(rho(u).diff(u) / u)", "(rho(u).diff(u))"),
        caught_by=("check_chain_rule",),
    ),
    Fault(
        name="rho(u) is twice what (A1) allows",
        claims=("gateaux.at_the_point",),
        plant=restated("gateaux", "small = value <= bound", "small = value <= 2 * bound"),
        caught_by=("check_quotient_at_the_point",),
    ),
    Fault(
        name="The norm keeps the sign of delta",
        claims=("gateaux.increment_sign",),
        plant=restated("gateaux", "norm = sympy.sqrt((delta * h) ** 2)", "norm = delta * h"),
        caught_by=("check_norm_of_a_negative_multiple",),
    ),
    Fault(
        name="A function of slope 1 stands for t^3",
        claims=("gateaux.necessary",),
        plant=restated("gateaux", "(t**3).diff(t).subs(t, 0)", "(t**3 + t).diff(t).subs(t, 0)"),
        caught_by=("check_it_is_not_sufficient",),
    ),
    Fault(
        name="|t| is t^2",
        claims=("gateaux.necessary",),
        plant=restated(
            "gateaux", "sympy.limit(sympy.Abs(t) / t, t, 0, side)", "sympy.limit(t * t / t, t, 0, side)"
        ),
        caught_by=("check_a_minimum_without_differential",),
    ),
    Fault(
        name="The absolute loss grows as t^2",
        claims=("gateaux.at_the_point",),
        plant=restated("gateaux", "sympy.Abs(delta) * h / delta", "sympy.Abs(delta) ** 2 * h / delta"),
        caught_by=("check_absolute_loss_has_no_differential",),
    ),
)

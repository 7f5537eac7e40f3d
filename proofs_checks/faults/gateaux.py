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
        name="V has the opposite sign",
        claims=("gateaux.off_the_point",),
        plant=restated("gateaux", "(phi_0 * u_0 + phi_1 * u_1) / 2", "-(phi_0 * u_0 + phi_1 * u_1) / 2"),
        caught_by=("check_mean_over_rows",),
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
)

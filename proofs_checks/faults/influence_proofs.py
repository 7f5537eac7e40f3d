"""Planted faults of the claims about the proofs of Theorems 4 and 5."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, restated

FAMILY: Final = "influence_proofs"


def _fault(name: str, claim: str, old: str, new: str, check: str) -> Fault:
    return Fault(name, (f"{FAMILY}.{claim}",), restated(FAMILY, old, new), (check,))


FAULTS: Final = (
    _fault(
        "the bound without |h|", "exchange", "(tau + g + h) * h)", "(tau + g) * h)", "check_exchange_bound"
    ),
    _fault(
        "psi is bounded by a/2",
        "bochner",
        "piece.psi > loss.a",
        "2 * piece.psi > loss.a",
        "check_psi_is_bounded",
    ),
    _fault(
        "the spike sits on a line",
        "chain_rule",
        "s * v == s * s * u * u, s * u != 0, other * v == other * other * u * u,",
        "s * v == s * u, s * u != 0, other * v == other * u,",
        "check_differential_without_chain_rule",
    ),
    _fault(
        "the ramp's slope is bounded by 1",
        "chain_rule_lipschitz",
        'loss.ramp if name == "hampel" else z3.RealVal(1)',
        "z3.RealVal(1)",
        "check_slopes_are_bounded",
    ),
    _fault(
        "the printed sign",
        "sign_of_slope",
        "slope + printed",
        "slope - 2 * printed",
        "check_sign_of_the_slope",
    ),
    _fault(
        "the slope lacks its norm",
        "sign_of_slope",
        "slope * inner / norm)",
        "slope * inner)",
        "check_slope_of_any_phi",
    ),
    _fault(
        "the dominating function without tau",
        "dominated",
        "lipschitz * h * (tau + g))",
        "lipschitz * h * g)",
        "check_dominating_function",
    ),
    _fault(
        "the two terms are subtracted",
        "uniform",
        "total = share * mean + share * new",
        "total = share * mean - share * new",
        "check_two_terms_cancel",
    ),
    _fault(
        "half the sharp constant",
        "uniform_bound",
        "z3.Or(change > share * top, -change > share * top)",
        "z3.Or(2 * change > share * top, -2 * change > share * top)",
        "check_bound_on_the_hull",
    ),
)

"""Planted faults of the claims about one step of KIRWLS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _reversed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given)[::-1]


FAULTS: Final = (
    Fault(
        name="the completed square has half its coefficient",
        claims=("descent.step_minimises_surrogate",),
        plant=restated("descent", "total * (other - mean) ** 2", "total / 2 * (other - mean) ** 2"),
        caught_by=("check_square_is_completed",),
    ),
    Fault(
        name="twice the amount of descent is claimed",
        claims=("descent.amount",),
        plant=restated("descent", "at_f - at_next < amount", "at_f - at_next < 2 * amount"),
        caught_by=("check_chain_of_inequalities",),
    ),
    Fault(
        name="a step of the reference reverses the weights",
        claims=(
            "descent.amount",
            "descent.step_minimises_surrogate",
        ),
        plant=replaced("rkde.reference.kirwls.kirwls_step", _reversed),
        caught_by=("check_amount_of_descent",),
    ),
    Fault(
        name="a step of the fast code reverses the weights",
        claims=("descent.in_floats",),
        plant=replaced("rkde.fast._iteration.next_weights", _reversed),
        caught_by=("check_descent_in_floats",),
    ),
    Fault(
        name="J = sup rho counts as below sup rho",
        claims=("descent.no_zero_sum",),
        plant=restated("descent", "part.rho < top, part.psi <= 0", "part.rho <= top, part.psi <= 0"),
        caught_by=("check_below_the_supremum_phi_is_positive",),
    ),
)

"""Planted faults for the claims about other losses."""

from __future__ import annotations

from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _doubled(right: Any) -> Any:
    return lambda *given: 2 * right(*given)


FAULTS: Final = (
    Fault(
        name="The pseudo-Huber loss is not 0 at 0",
        claims=("other_losses.pseudo_huber",),
        plant=restated(
            "other_losses",
            "_check_beginning(sympy.sqrt(1 + t**2) - 1,",
            "_check_beginning(sympy.sqrt(1 + t**2),",
        ),
        caught_by=("check_pseudo_huber",),
    ),
    Fault(
        name="The Cauchy loss without its 1/2",
        claims=("other_losses.cauchy",),
        plant=restated("other_losses", "sympy.log(1 + t**2) / 2", "sympy.log(1 + t**2)"),
        caught_by=("check_cauchy",),
    ),
    Fault(
        name="Welsch's exponent without its 1/2",
        claims=("other_losses.welsch",),
        plant=restated("other_losses", "sympy.exp(-(t**2) / 2)", "sympy.exp(-(t**2))"),
        caught_by=("check_welsch",),
    ),
    Fault(
        name="The quadratic loss is t^2",
        claims=("other_losses.quadratic",),
        plant=restated("other_losses", "_check_beginning(t**2 / 2,", "_check_beginning(t**2,"),
        caught_by=("check_quadratic",),
    ),
    Fault(
        name="phi of the quadratic loss is 2 in the reference",
        claims=("other_losses.quadratic",),
        plant=replaced("rkde.reference.losses.Quadratic.phi", _doubled),
        caught_by=("check_quadratic_in_both_implementations",),
    ),
    Fault(
        name="phi of the quadratic loss is 2 in the fast code",
        claims=("other_losses.quadratic",),
        plant=replaced("rkde.fast.losses.robust.Quadratic.phi", _doubled),
        caught_by=("check_quadratic_in_both_implementations",),
    ),
)

"""Planted faults of the claims about norms and inner products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAMILY: Final = "sum_rules"
RESIDUAL: Final = (f"{FAMILY}.residual_norm",)
DIAMETER: Final = (f"{FAMILY}.hull_diameter",)
COEFFICIENTS: Final = (f"{FAMILY}.gradient_coefficients",)
GATEAUX: Final = (f"{FAMILY}.gateaux",)
NORMS: Final = "rkde.reference.rkhs.elements.residual_norms"


def _negative(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: -right(*given)


def _scaled(factor: float) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Multiply all residual norms."""
    return lambda right: lambda *given: [factor * norm for norm in right(*given)]


def _first_doubled(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: (lambda found: [2 * found[0], *found[1:]])(list(right(*given)))


FAULTS: Final = (
    Fault(
        name="the quadratic form keeps its factor 2",
        claims=RESIDUAL,
        plant=restated(FAMILY, "w_t * sqdist * w / 2), rules", "w_t * sqdist * w), rules"),
        caught_by=("check_both_forms_are_one",),
    ),
    Fault(
        name="residual norms of the reference are a tenth too large",
        claims=(*RESIDUAL, *DIAMETER),
        plant=replaced(NORMS, _scaled(1.1)),
        caught_by=("check_residual_norms", "check_norms_stay_below_root_two", "check_root_two_is_sharp"),
    ),
    Fault(
        name="residual norms of the fast code are a millionth too large",
        claims=RESIDUAL,
        plant=replaced(
            "rkde.fast.rkhs.elements.residual_norms", lambda right: lambda *given: right(*given) * 1.000001
        ),
        caught_by=("check_residual_norms",),
    ),
    Fault(
        name="residual norms of the fast code are twice as large",
        claims=DIAMETER,
        plant=replaced(
            "rkde.fast.rkhs.elements.residual_norms", lambda right: lambda *given: right(*given) * 2
        ),
        caught_by=("check_norms_stay_below_root_two",),
    ),
    Fault(
        name="residual norms are bounded by 1",
        claims=DIAMETER,
        plant=restated(FAMILY, "weight * sqdist > 2 * weight", "weight * sqdist > weight"),
        caught_by=("check_each_term_is_bounded",),
    ),
    Fault(
        name="the coefficients of V forget the sum of phi",
        claims=COEFFICIENTS,
        plant=restated(FAMILY, "column = phi - w * (one_t * phi)", "column = phi - w"),
        caught_by=("check_coefficients_of_the_gradient",),
    ),
    Fault(
        name="the first row counts twice in V",
        claims=COEFFICIENTS,
        plant=replaced("rkde.reference.rkhs.objective.neg_gradient", _first_doubled),
        caught_by=("check_gradient_coefficients_sum_to_zero",),
    ),
    Fault(
        name="the remainder of the differential is s^2 L/3",
        claims=GATEAUX,
        plant=restated(
            FAMILY, "lipschitz * step**2 * length**2 / 2)", "lipschitz * step**2 * length**2 / 3)"
        ),
        caught_by=("check_remainder_of_a_lipschitz_slope",),
    ),
    Fault(
        name="the Gateaux differential lost its sign",
        claims=GATEAUX,
        plant=replaced("rkde.reference.rkhs.objective.objective_differential", _negative),
        caught_by=("check_remainder_is_quadratic",),
    ),
)

"""Planted faults of the claims about the size of the influence."""

from __future__ import annotations

from typing import Any, Final

from rkde.proofs_checks.faults import Fault, Plant, replaced, restated
from rkde.proofs_checks.faults import _influence as planted

FAMILY: Final = "influence_size"
SIZES: Final = (
    f"{FAMILY}.other_measures",
    f"{FAMILY}.smaller_for_outliers",
    f"{FAMILY}.smaller_decrease",
    f"{FAMILY}.at_the_new_point",
)


def _bends(change: Any) -> Plant:
    """Change the Q of Theorem 5 in the enclosures."""
    return replaced(
        "rkde.reference.certify.influence._swept",
        lambda right: lambda point, scales, sqdist: right(point, [change(entry) for entry in scales], sqdist),
    )


FAULTS: Final = (
    Fault(
        name="alpha' is a third more than the quotient",
        claims=(f"{FAMILY}.less_inlying",),
        plant=restated(FAMILY, "alpha_new * mean == pull", "3 * alpha_new * mean == pull * 4"),
        caught_by=("check_quotient_below_one",),
    ),
    Fault(
        name="alpha' is phi(r')",
        claims=SIZES[:1],
        plant=replaced(
            "rkde.reference.certify.influence._coefficients",
            lambda right: lambda point: [*right(point)[:-1], point.phi_new],
        ),
        caught_by=("check_less_inlying_and_more_influential",),
    ),
    Fault(
        name="the influence of Huber's estimate is enclosed with q = 0",
        claims=SIZES[1:],
        plant=_bends(lambda entry: 0 * entry),
        caught_by=(
            "check_larger_than_the_kde",
            "check_larger_decrease",
            "check_more_mass_and_a_lower_density",
        ),
    ),
    Fault(
        name="the sign of q in the enclosures",
        claims=SIZES[1:],
        plant=_bends(lambda entry: -entry),
        caught_by=(
            "check_larger_than_the_kde",
            "check_larger_decrease",
            "check_more_mass_and_a_lower_density",
        ),
    ),
    Fault(
        name="Huber's phi of the reference is that of the quadratic loss",
        claims=(f"{FAMILY}.figure_3",),
        plant=replaced("rkde.reference.losses.Huber.phi", lambda _: lambda _self, ctx, _t: ctx.mpf(1)),
        caught_by=("check_a_point_in_the_tail_of_twelve_rows",),
    ),
    Fault(
        name="alpha' of the fast code forgets n",
        claims=(f"{FAMILY}.figure_3",),
        plant=planted.alpha_new_changed("fast", lambda new, size: new / size),
        caught_by=("check_a_point_in_the_tail_of_twelve_rows",),
    ),
    Fault(
        name="Hampel's phi of the fast code does not end at c",
        claims=(f"{FAMILY}.figure_3",),
        plant=replaced(
            "rkde.fast.losses.robust.Hampel.phi",
            lambda right: lambda self, t: right(self, t) + 0.001,
        ),
        caught_by=("check_a_point_in_the_tail",),
    ),
    Fault(
        name="the bound divides by the square of the least eigenvalue",
        claims=(f"{FAMILY}.bound",),
        plant=restated(FAMILY, "least * length <= size]", "least * least * length <= size]"),
        caught_by=("check_bound_from_the_equation",),
    ),
    Fault(
        name="alpha' has a second factor n where the norm is bounded",
        claims=(f"{FAMILY}.bound",),
        plant=planted.alpha_new_changed("reference", lambda new, size: size * new),
        caught_by=("check_bound_by_the_hessian",),
    ),
)

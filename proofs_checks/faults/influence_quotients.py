"""Planted faults of the claims about difference quotients: mistakes in either package's Theorem 5."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults import _theorem_5 as theorem_5

_Made = Callable[..., Any]

_CONTAMINATE: Final = "rkde.reference.influence.function.contaminate"
_SIDE: Final = "rkde.reference.influence.one_sided.one_sided_coefficients"
_TABLE: Final = ("influence_quotients.theorem_4",)
_BOTH: Final = (*_TABLE, "influence_quotients.dependent_points")


def _by_a_share_of(share: str) -> Callable[[_Made], _Made]:
    """Make a contamination by one share whatever s is."""
    return lambda right: (
        lambda ctx, X, kernel, loss, weights, _s, x: right(ctx, X, kernel, loss, weights, share, x)
    )


def _fast_by_a_quarter(right: _Made) -> _Made:
    return lambda X, kernel, loss, weights, _s, x: right(X, kernel, loss, weights, 0.25, x)


FAULTS: Final = (
    Fault(
        name="the sign of q in the reference's system",
        claims=_TABLE,
        plant=replaced(theorem_5.SYSTEM, theorem_5.negative),
        caught_by=("check_table", "check_absolute_loss"),
    ),
    Fault(
        name="the sign of q in the fast code's system",
        claims=_TABLE,
        plant=replaced(theorem_5.FAST_SYSTEM, theorem_5.fast_negative),
        caught_by=("check_table", "check_absolute_loss"),
    ),
    Fault(
        name="Q is q/r^2 in the reference's system",
        claims=_BOTH,
        plant=replaced(theorem_5.SYSTEM, theorem_5.times_the_norm),
        caught_by=("check_table", "check_absolute_loss", "check_new_point_among_the_rows"),
    ),
    Fault(
        name="Q is q/r^2 in the fast code's system",
        claims=_BOTH,
        plant=replaced(theorem_5.FAST_SYSTEM, theorem_5.fast_times_the_norm),
        caught_by=("check_table", "check_absolute_loss", "check_new_point_among_the_rows"),
    ),
    Fault(
        name="w and 1 exchanged in the reference's centring",
        claims=_TABLE,
        plant=replaced(theorem_5.CENTRING, theorem_5.exchanged_in_the_centring),
        caught_by=("check_table", "check_absolute_loss"),
    ),
    Fault(
        name="alpha' without the factor n",
        claims=_TABLE,
        plant=replaced(theorem_5.COEFFICIENTS, theorem_5.without_n),
        caught_by=("check_table", "check_absolute_loss"),
    ),
    Fault(
        name="the fast code's alpha' without the factor n",
        claims=_TABLE,
        plant=replaced(theorem_5.FAST_COEFFICIENTS, theorem_5.without_n),
        caught_by=("check_table", "check_absolute_loss"),
    ),
    Fault(
        name="the table's Hampel loss ends beyond all residuals",
        claims=_TABLE,
        plant=restated("influence_quotients", "(0.5, 0.75, 1.125)", "(0.5, 0.75, 1.5)"),
        caught_by=("check_the_table_covers_every_piece",),
    ),
    Fault(
        name="nothing is contaminated whatever s is",
        claims=_TABLE,
        plant=replaced(_CONTAMINATE, _by_a_share_of("0")),
        caught_by=("check_quotients_at_a_saddle", "check_table"),
    ),
    Fault(
        name="the derivative from below is that from above",
        claims=_TABLE,
        plant=replaced(_SIDE, lambda right: lambda *given: right(*given[:-1], 1)),
        caught_by=("check_quotients_at_a_kink",),
    ),
    Fault(
        name="the reference's system has twice the curvature",
        claims=_TABLE,
        plant=replaced(
            theorem_5.SYSTEM, lambda right: lambda ctx, site, q: right(ctx, site, [2 * entry for entry in q])
        ),
        caught_by=("check_quotients_near_a_singular_system",),
    ),
    Fault(
        name="Hampel's psi does not end at c",
        claims=("influence_quotients.beyond_c",),
        plant=replaced(
            "rkde.reference.losses.Hampel.phi",
            lambda right: lambda self, ctx, t: max(right(self, ctx, t), ctx.mpf("0.01")),
        ),
        caught_by=("check_no_influence_beyond_c",),
    ),
    Fault(
        name="the fast Hampel loss's psi does not end at c",
        claims=("influence_quotients.beyond_c",),
        plant=replaced(
            "rkde.fast.losses.robust.Hampel.phi",
            lambda right: lambda self, t: np.maximum(right(self, t), 0.01),
        ),
        caught_by=("check_no_influence_beyond_c_in_floats",),
    ),
    Fault(
        name="the contamination is a quarter whatever s is",
        claims=("influence_quotients.continuity",),
        plant=replaced(_CONTAMINATE, _by_a_share_of("0.25")),
        caught_by=("check_contaminated_estimates_tend_to_f",),
    ),
    Fault(
        name="the fast code's contamination is a quarter whatever s is",
        claims=("influence_quotients.continuity",),
        plant=replaced("rkde.fast.influence.function.contaminate", _fast_by_a_quarter),
        caught_by=("check_contaminated_estimates_tend_to_f",),
    ),
)

"""Planted faults of the claims about difference quotients: mistakes in the reference's Theorem 5."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rkde.proofs_checks.faults import Fault, replaced

SYSTEM: Final = "rkde.reference._influence.theorem_5_system"
COEFFICIENTS: Final = "rkde.reference._influence.theorem_5_coefficients"

FAULTS: Final = (
    Fault(
        name="the sign of q in the reference's system",
        claims=("influence_quotients.theorem_4",),
        plant=replaced(SYSTEM, lambda right: lambda ctx, site, q: right(ctx, site, [-entry for entry in q])),
        caught_by=("check_absolute_loss",),
    ),
    Fault(
        name="Q is q/r^2 in the reference's system",
        claims=("influence_quotients.theorem_4", "influence_quotients.dependent_points"),
        plant=replaced(
            SYSTEM,
            lambda right: (
                lambda ctx, site, q: right(
                    ctx, site, [entry * norm for entry, norm in zip(q, site.norms, strict=True)]
                )
            ),
        ),
        caught_by=("check_absolute_loss", "check_new_point_among_the_rows"),
    ),
    Fault(
        name="w and 1 exchanged in the reference's centring",
        claims=("influence_quotients.theorem_4",),
        plant=replaced(
            "rkde.reference._influence._centred",
            lambda _: (
                lambda ctx, site, v: [
                    entry - weight * ctx.fsum(v) for entry, weight in zip(v, site.weights, strict=True)
                ]
            ),
        ),
        caught_by=("check_absolute_loss",),
    ),
    Fault(
        name="alpha' without the factor n",
        claims=("influence_quotients.theorem_4", "influence_quotients.integral"),
        plant=replaced(
            COEFFICIENTS,
            lambda right: (
                lambda ctx, site, *rest: (lambda found: replace(found, new=found.new / len(site.weights)))(
                    right(ctx, site, *rest)
                )
            ),
        ),
        caught_by=("check_absolute_loss", "check_integral_by_quadrature"),
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
        name="the contamination is a quarter whatever s is",
        claims=("influence_quotients.continuity",),
        plant=replaced(
            "rkde.reference.influence.contaminate",
            lambda right: (
                lambda ctx, X, kernel, loss, weights, _s, x: right(ctx, X, kernel, loss, weights, "0.25", x)
            ),
        ),
        caught_by=("check_contaminated_estimates_tend_to_f",),
    ),
)

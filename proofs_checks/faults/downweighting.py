"""Planted faults for the claims that outlying rows get small weights."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="phi rises with the residual",
        claims=("downweighting.order",),
        plant=restated(
            "downweighting",
            "z3.Implies(r_i >= r_j, phi_i <= phi_j)",
            "z3.Implies(r_i >= r_j, phi_i >= phi_j)",
        ),
        caught_by=("check_order_of_weights",),
    ),
    Fault(
        name="Huber's phi is upside down",
        claims=("downweighting.order", "downweighting.below_average"),
        plant=replaced(
            "rkde.reference.losses.Huber.phi", lambda right: lambda self, ctx, t: 1 / right(self, ctx, t)
        ),
        caught_by=("check_order_in_both_implementations", "check_an_outlier_in_both_implementations"),
    ),
    Fault(
        name="Huber's phi of the fast code is upside down",
        claims=("downweighting.order", "downweighting.below_average"),
        plant=replaced("rkde.fast.losses.robust.Huber.phi", lambda right: lambda self, t: 1 / right(self, t)),
        caught_by=("check_order_in_both_implementations", "check_an_outlier_in_both_implementations"),
    ),
    Fault(
        name="Below average means below the sum",
        claims=("downweighting.below_average",),
        plant=restated("downweighting", "below, weight = size * phi < total", "below, weight = phi < total"),
        caught_by=("check_below_the_mean",),
    ),
    Fault(
        name="Larger norms tau do not break the order",
        claims=("downweighting.order",),
        plant=restated(
            "downweighting",
            "size, r_j * r_j == tau_j - 2 * f_j + size]",
            "size, r_j * r_j == tau_i - 2 * f_j + size]",
        ),
        caught_by=("check_norms_that_differ_break_the_order",),
    ),
)

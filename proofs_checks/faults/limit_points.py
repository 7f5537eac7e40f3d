"""Planted faults for the claims about limit points of KIRWLS."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated


def _reversed(right: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given: right(*given)[::-1]


FAULTS: Final = (
    Fault(
        name="|g| >= c suffices",
        claims=("limit_points.hampel_far",),
        plant=restated("limit_points", "size >= loss.c + tau", "size >= loss.c"),
        caught_by=("check_psi_vanishes_far_away",),
    ),
    Fault(
        name="Q is not halved",
        claims=("limit_points.chain",),
        plant=restated("limit_points", "h.times(s)) / (2 * n)", "h.times(s)) / n"),
        caught_by=("check_slope_of_the_surrogate",),
    ),
    Fault(
        name="J bends downwards along the line",
        claims=("limit_points.strict_convexity",),
        plant=restated("limit_points", "at_g <= share * beyond", "at_g >= share * beyond"),
        caught_by=("check_convex_growth_along_a_line",),
    ),
    Fault(
        name="The rising phi is that of the cubic loss",
        claims=("limit_points.rising_phi",),
        plant=restated("limit_points", "rho = t**4 / 4", "rho = t**3 / 3"),
        caught_by=("check_a_rising_phi_runs_away",),
    ),
    Fault(
        name="A step in ball arithmetic reverses the weights",
        claims=("limit_points.whole_path",),
        plant=replaced("rkde.reference.certify.iterates.kirwls_step", _reversed),
        caught_by=("check_whole_path_converges",),
    ),
    Fault(
        name="Hampel's c is far beyond every residual of the four rows",
        claims=("limit_points.whole_path",),
        plant=replaced("rkde.proofs_checks.witnesses.PAIRS_LOSS", lambda right: type(right)("2", "3", "4")),
        caught_by=("check_whole_path_converges",),
    ),
)

"""Planted faults for the claims of the introduction."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="Huber's outer piece is quadratic",
        claims=("setting.necessary_conditions",),
        plant=restated("setting", "(a * norm - a**2 / 2 for norm", "(norm**2 / 2 for norm"),
        caught_by=("check_linear_far_out",),
    ),
    Fault(
        name="Features may be twice the diameter apart",
        claims=("setting.necessary_conditions",),
        plant=restated("setting", "a * a >= _DISTANCE_BOUND,", "4 * a * a >= _DISTANCE_BOUND,"),
        caught_by=("check_one_step_reaches_the_minimiser",),
    ),
    Fault(
        name="The mixture weights sum to 1 + 2p",
        claims=("setting.not_identifiable", "setting.less_than_half"),
        plant=restated("setting", "return (1 - p) * nominal", "return (1 + p) * nominal"),
        caught_by=("check_another_nominal_density", "check_exchange_of_names"),
    ),
    Fault(
        name="phi of Huber's loss is 1/(1 + t) in the fast code",
        claims=("setting.necessary_conditions",),
        plant=replaced("rkde.fast.losses.robust.Huber.phi", lambda _: lambda _self, t: 1 / (1 + t)),
        caught_by=("check_one_step_reaches_the_minimiser",),
    ),
    Fault(
        name="phi of Huber's loss is 1/(1 + t) in the reference",
        claims=("setting.necessary_conditions",),
        plant=replaced("rkde.reference.losses.Huber.phi", lambda _: lambda _self, _ctx, t: 1 / (1 + t)),
        caught_by=("check_one_step_reaches_the_minimiser",),
    ),
    Fault(
        name="f_med of the fast code belongs to the rows in reverse order, three of them equal",
        claims=("setting.assumptions_abc",),
        plant=replaced(
            "rkde.fast.estimates.thresholds.median_rkde",
            lambda right: lambda X, kernel: right(X[::-1], kernel),
        ),
        caught_by=("check_concentrated_minority",),
    ),
    Fault(
        name="f_med of the reference belongs to the rows in reverse order, three of them equal",
        claims=("setting.assumptions_abc",),
        plant=replaced(
            "rkde.reference.estimates.thresholds.median_rkde",
            lambda right: lambda ctx, X, kernel: right(ctx, X[::-1], kernel),
        ),
        caught_by=("check_concentrated_minority",),
    ),
    Fault(
        name="The kernel has the variance 1",
        claims=("setting.kde_bias",),
        plant=restated("setting", "wide = 1 + sigma**2", "wide = 1 + sigma"),
        caught_by=("check_mean_of_the_kde",),
    ),
    Fault(
        name="Bandwidths follow the inverse density",
        claims=("setting.variable_bandwidths",),
        plant=restated("setting", "sympy.sqrt(eta / density) ** 2", "(eta / density) ** 2"),
        caught_by=("check_square_root_law",),
    ),
)

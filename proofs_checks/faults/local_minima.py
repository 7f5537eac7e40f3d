"""Planted faults for the claims about Hampel's enclosed stationary points."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="The two pairs are one pair",
        claims=("local_minima.two_disjoint",),
        plant=replaced("rkde.proofs_checks.witnesses.RIGHT_PAIR", lambda _: ["0.5", "0.5", "0", "0"]),
        caught_by=("check_two_disjoint_local_minima",),
    ),
    Fault(
        name="The rows are nearer to each other",
        claims=("local_minima.two_disjoint",),
        plant=restated("local_minima", '("0.2", "3.8", "4", "4.2")', '("0.2", "0.8", "1", "1.2")'),
        caught_by=("check_mirror_images_of_themselves_are_higher",),
    ),
    Fault(
        name="Hampel's c is far beyond every residual",
        claims=("local_minima.limit_at_saddle", "local_minima.saddle_is_unstable"),
        plant=replaced("rkde.proofs_checks.witnesses.PAIRS_LOSS", lambda right: type(right)("2", "3", "4")),
        caught_by=("check_limit_from_uniform_weights_is_a_saddle", "check_a_millionth_leaves_the_saddle"),
    ),
    Fault(
        name="The start of the recipe is ignored",
        claims=("local_minima.start_decides", "local_minima.paper_bandwidth"),
        plant=replaced(
            "rkde.proofs_checks.check_local_minima._recipe",
            lambda right: lambda rows, _start: right(rows, "median"),
        ),
        caught_by=("check_uniform_start_ends_lower", "check_recipe_misses_the_minimiser"),
    ),
    Fault(
        name="Balls of 64 bits",
        claims=("local_minima.convex_stage",),
        plant=restated(
            "local_minima", "bandwidth=rule, start=start)", "bandwidth=rule, start=start, bits=64)"
        ),
        caught_by=("check_first_stage_is_global",),
    ),
)

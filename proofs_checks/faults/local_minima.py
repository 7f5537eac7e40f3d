"""Planted faults for the claims about Hampel's enclosed stationary points."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from rkde.proofs_checks.faults import Fault, replaced, restated

FAMILY: Final = "local_minima"

FAULTS: Final = (
    Fault(
        name="The two pairs are one pair",
        claims=(f"{FAMILY}.two_disjoint",),
        plant=replaced("rkde.proofs_checks.witnesses.RIGHT_PAIR", lambda _: ["0.5", "0.5", "0", "0"]),
        caught_by=("check_two_disjoint_local_minima",),
    ),
    Fault(
        name="The rows are nearer to each other",
        claims=(f"{FAMILY}.two_disjoint",),
        plant=restated(FAMILY, '("0.2", "3.8", "4", "4.2")', '("0.2", "0.8", "1", "1.2")'),
        caught_by=("check_mirror_images_of_themselves_are_higher",),
    ),
    Fault(
        name="Hampel's c is far beyond every residual",
        claims=(f"{FAMILY}.limit_at_saddle", f"{FAMILY}.saddle_is_unstable"),
        plant=replaced("rkde.proofs_checks.witnesses.PAIRS_LOSS", lambda right: type(right)("2", "3", "4")),
        caught_by=("check_limit_from_uniform_weights_is_a_saddle", "check_a_millionth_leaves_the_saddle"),
    ),
    Fault(
        name="Q is left out of the Hessian that the enclosures decide by",
        claims=(f"{FAMILY}.limit_at_saddle",),
        plant=replaced(
            "rkde.reference.certify.state.phi_slopes",
            lambda right: lambda loss, state: [0 * slope for slope in right(loss, state)],
        ),
        caught_by=("check_limit_from_uniform_weights_is_a_saddle",),
    ),
    Fault(
        name="The start of the recipe is ignored",
        claims=(f"{FAMILY}.start_decides",),
        plant=replaced(
            "rkde.proofs_checks.check_local_minima._recipe",
            lambda right: lambda rows, _start: right(rows, "median"),
        ),
        caught_by=("check_uniform_start_ends_lower",),
    ),
    Fault(
        name="The other start has its weights on all rows",
        claims=(f"{FAMILY}.paper_bandwidth",),
        plant=replaced(
            "rkde.proofs_checks.recipe_ends.end_from",
            lambda right: lambda case, recipe: right(replace(case, start=[1] * len(case.start)), recipe),
        ),
        caught_by=("check_recipe_misses_the_minimiser",),
    ),
    Fault(
        name="Hampel's phi of the fast code falls no faster than Huber's",
        claims=(f"{FAMILY}.paper_bandwidth",),
        plant=replaced(
            "rkde.fast.losses.robust.Hampel.phi", lambda _: lambda self, t: self.a / np.maximum(t, self.a)
        ),
        caught_by=("check_samples_of_this_kind",),
    ),
    Fault(
        name="Balls of 64 bits",
        claims=(f"{FAMILY}.convex_stage",),
        plant=restated(
            FAMILY,
            "certify_recipe(CASES[rows].rows, start=start)",
            "certify_recipe(CASES[rows].rows, start=start, bits=64)",
        ),
        caught_by=("check_first_stage_is_global",),
    ),
)

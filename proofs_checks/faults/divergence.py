"""Planted faults for the claims about the Kullback-Leibler divergence."""

from __future__ import annotations

from typing import Final

from rkde.proofs_checks.faults import Fault, replaced, restated

FAULTS: Final = (
    Fault(
        name="The sum in the place of the mean",
        claims=("divergence.sample_mean",),
        plant=restated("divergence", "mean = printed / n_draws", "mean = printed"),
        caught_by=("check_two_draws",),
    ),
    Fault(
        name="The logarithm of the ratio upside down",
        claims=("divergence.large_where_no_mass",),
        plant=restated("divergence", "share * sympy.log(share / rest)", "share * sympy.log(rest / share)"),
        caught_by=("check_two_cells",),
    ),
    Fault(
        name="The fast log density is a millionth off",
        claims=("divergence.infinite_by_underflow",),
        plant=replaced(
            "rkde.fast.rkhs.log_density",
            lambda right: lambda *given: right(*given) + 1e-6,
        ),
        caught_by=("check_log_density_is_finite",),
    ),
)

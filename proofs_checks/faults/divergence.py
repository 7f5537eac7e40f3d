"""Planted faults for the claims about the Kullback-Leibler divergence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from rkde.proofs_checks.faults import Fault, replaced, restated
from rkde.proofs_checks.faults.experiments import exchanged, one_sided


def _a_sum(right: Any) -> Any:
    """Make an estimate the sum of the log ratios."""

    def kl_divergence(*given: Any) -> Any:
        found = right(*given)
        return replace(found, kl_divergence=found.kl_divergence * len(given[-1]))

    return kl_divergence


def _infinite_left_out(right: Any) -> Any:
    """Make an estimate leave infinite ratios out without counting them."""

    def kl_divergence(*given: Any) -> Any:
        pairs = [pair for pair in zip(*given[-2:], strict=True) if abs(pair[1]) < float("inf")]
        first, second = zip(*pairs, strict=True)
        return right(*given[:-2], list(first), list(second))

    return kl_divergence


def _a_millionth_off(right: Any) -> Any:
    return lambda *given: right(*given) + 1e-6


def _of_the_reference_off(right: Any) -> Any:
    return lambda *given: tuple(value + 1e-6 for value in right(*given))


_READINGS: Final = ("divergence.reference_bandwidth", "divergence.infinite_averages")
_READ: Final = ("check_bandwidth_of_the_reference_density", "check_infinite_averages")

FAULTS: Final = (
    Fault(
        name="The sum in the place of the mean",
        claims=("divergence.sample_mean",),
        plant=restated("divergence", "mean = printed / n_draws", "mean = printed"),
        caught_by=("check_two_draws",),
    ),
    Fault(
        name="The fast divergence is the printed sum",
        claims=("divergence.sample_mean",),
        plant=replaced("rkde.fast.scoring.divergence.kl_divergence", _a_sum),
        caught_by=("check_implementations_divide",),
    ),
    Fault(
        name="The divergence of the reference is the printed sum",
        claims=("divergence.sample_mean",),
        plant=replaced("rkde.reference.scoring.divergence.kl_divergence", _a_sum),
        caught_by=("check_implementations_divide",),
    ),
    Fault(
        name="The logarithm of the ratio upside down",
        claims=("divergence.large_where_no_mass",),
        plant=restated("divergence", "share * sympy.log(share / rest)", "share * sympy.log(rest / share)"),
        caught_by=("check_two_shares",),
    ),
    Fault(
        name="log u <= u",
        claims=("divergence.large_where_no_mass",),
        plant=restated("divergence", "gap = u - 1 - sympy.log(u)", "gap = u - sympy.log(u)"),
        caught_by=("check_log_sum_inequality",),
    ),
    Fault(
        name="The fast log density is a millionth off",
        claims=("divergence.infinite_by_underflow",),
        plant=replaced("rkde.fast.rkhs.elements.log_density", _a_millionth_off),
        caught_by=("check_log_density_is_finite",),
    ),
    Fault(
        name="The log density of the reference is a millionth off",
        claims=("divergence.infinite_by_underflow",),
        plant=replaced("rkde.reference.rkhs.elements.log_density", _of_the_reference_off),
        caught_by=("check_log_density_is_finite",),
    ),
    Fault(
        name="The fast divergence leaves infinite ratios out",
        claims=("divergence.infinite_by_underflow",),
        plant=replaced("rkde.fast.scoring.divergence.kl_divergence", _infinite_left_out),
        caught_by=("check_estimate_stays_finite",),
    ),
    Fault(
        name="The divergence of the reference leaves infinite ratios out",
        claims=("divergence.infinite_by_underflow",),
        plant=replaced("rkde.reference.scoring.divergence.kl_divergence", _infinite_left_out),
        caught_by=("check_estimate_stays_finite",),
    ),
    Fault(
        name="The fast signed-rank test is one-sided, for two readings of the divergence",
        claims=_READINGS,
        plant=replaced("rkde.fast.scoring.signed_rank.signed_rank", one_sided),
        caught_by=_READ,
    ),
    Fault(
        name="The test of the reference exchanges its sums, for two readings of the divergence",
        claims=_READINGS,
        plant=replaced("rkde.reference.scoring.signed_rank.signed_rank", exchanged),
        caught_by=_READ,
    ),
)

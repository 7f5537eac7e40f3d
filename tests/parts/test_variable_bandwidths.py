"""The variable bandwidths in closed form: rational profiles, one place, and both means."""

import math
from typing import Any, Final

import pytest

import rkde.reference
from rkde.proofs_checks import tolerances
from rkde.reference.numbers import make_context
from tests.support.compare import assert_relative, assert_within
from tests.support.implementations import EXACT, Implementation, exact

# The Cauchy kernel of bandwidth 1 in one dimension: kappa = 1/2 at distance 1, k(0, 0) = 1/pi.
X: Final = [[0.0], [0.0], [1.0]]
# Pilot densities times 3 pi at 0 and at 1: 2 + 1/2 and 1 + 1.
AT_ZERO, AT_ONE = exact(5) / 2, exact(2)
MEANS: Final = {
    "abramson": (2 * AT_ZERO + AT_ONE) / 3,
    "geometric": EXACT.cbrt(AT_ZERO * AT_ZERO * AT_ONE),
}
each_rule = pytest.mark.parametrize("rule", MEANS)
QUERIES: Final = [[0.0], [0.5], [-3.0], [1e9]]


def cauchy(implementation: Implementation) -> Any:
    return implementation.get("Student")(1.0, 1.0)


def bandwidth_error() -> float:
    pilot = tolerances.log_density_bound(math.log(math.pi), math.log(math.pi), len(X), 1)
    return tolerances.vkde_bandwidth_bound(pilot, tolerances.log_mean_bound(pilot, len(X)))


@each_rule
def test_bandwidths_are_roots_of_rationals(implementation: Implementation, rule: str) -> None:
    estimate = implementation.call("vkde", X, cauchy(implementation), rule=rule)
    wanted = [EXACT.sqrt(MEANS[rule] / pilot) for pilot in (AT_ZERO, AT_ZERO, AT_ONE)]
    assert_relative(estimate.bandwidths, wanted, bandwidth_error(), rule)
    pilot = tolerances.log_density_bound(math.log(math.pi), math.log(math.pi), len(X), 1)
    log_eta = EXACT.log(MEANS[rule] / (3 * EXACT.pi))
    assert_within(estimate.log_eta, log_eta, tolerances.log_mean_bound(pilot, len(X)), "log eta")


@each_rule
def test_the_density_is_a_mixture_of_cauchy_densities(implementation: Implementation, rule: str) -> None:
    estimate = implementation.call("vkde", X, cauchy(implementation), rule=rule)
    widths = [EXACT.sqrt(MEANS[rule] / pilot) for pilot in (AT_ZERO, AT_ZERO, AT_ONE)]
    wanted = [
        EXACT.log(
            sum(
                1 / (3 * EXACT.pi * width * (1 + (exact(query) - exact(row)) ** 2 / width**2))
                for (row,), width in zip(X, widths, strict=True)
            )
        )
        for (query,) in QUERIES
    ]
    bound = [
        tolerances.vkde_log_density_bound(float(value), math.log(2 * math.pi), bandwidth_error(), len(X), 1)
        for value in wanted
    ]
    assert_within(implementation.method(estimate, "log_density", QUERIES), wanted, bound, rule)


@each_rule
@pytest.mark.parametrize("place", [[[0.25]], [[0.25]] * 4])
def test_one_place_keeps_the_pilot_s_bandwidth(implementation: Implementation, rule: str, place: Any) -> None:
    estimate = implementation.call("vkde", place, cauchy(implementation), rule=rule)
    assert_relative(estimate.bandwidths, [1.0] * len(place), bandwidth_error(), rule)


def test_the_two_rules_differ_by_the_root_of_the_ratio_of_the_means(implementation: Implementation) -> None:
    both = [implementation.call("vkde", X, cauchy(implementation), rule=rule).bandwidths for rule in MEANS]
    ratio = EXACT.sqrt(MEANS["abramson"] / MEANS["geometric"])
    for arithmetic, geometric in zip(*both, strict=True):
        assert_relative(exact(arithmetic) / exact(geometric), ratio, 2 * bandwidth_error(), "ratio")


def test_the_densities_of_the_reference_are_right_to_the_last_digit() -> None:
    """Their logarithm is large, so that its rounding alone would take four digits from them."""
    ctx, more = make_context(20), make_context(40)
    estimate = rkde.reference.vkde(ctx, X, rkde.reference.Gaussian(1.0))
    found, wanted = (estimate.density(one, [[-100.0], [130.0]]) for one in (ctx, more))
    for value, exactly in zip(found, wanted, strict=True):
        assert abs(more.mpf(value) / exactly - 1) <= more.mpf(2) ** -ctx.prec

"""Variable bandwidths by a pilot and by k-th neighbours: closed forms, ties, and the mixtures they make."""

import math
from collections.abc import Sequence
from typing import Any, Final

import pytest

import rkde.reference
from rkde.errors import InvalidInput
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec
from rkde.reference.numbers import make_context
from tests.support.compare import assert_relative, assert_within
from tests.support.implementations import EXACT, Implementation, exact

Rows = list[list[float]]


def assert_mixture(
    implementation: Implementation, estimate: Any, X: Rows, widths: Sequence[Any], queries: Rows, error: float
) -> None:
    """Compare the log densities with those of Cauchy densities of these widths, known up to an error."""
    wanted = [
        EXACT.log(
            sum(
                1 / (len(X) * EXACT.pi * width * (1 + (exact(query) - exact(row)) ** 2 / width**2))
                for (row,), width in zip(X, widths, strict=True)
            )
        )
        for (query,) in queries
    ]
    terms = math.log(math.pi * 4 * float(max(widths)))
    bound = [tolerances.vkde_log_density_bound(float(value), terms, error, len(X), 1) for value in wanted]
    assert_within(implementation.method(estimate, "log_density", queries), wanted, bound, "mixture")


# The Cauchy kernel of bandwidth 1 in one dimension: kappa = 1/2 at distance 1, k(0, 0) = 1/pi.
CAUCHY: Final = KernelSpec("student", 1.0, 1.0)
THREE: Final = [[0.0], [0.0], [1.0]]
# Pilot densities times 3 pi at 0 and at 1: 2 + 1/2 and 1 + 1.
AT_ZERO, AT_ONE = exact(5) / 2, exact(2)
MEANS: Final = {"abramson": (2 * AT_ZERO + AT_ONE) / 3, "geometric": EXACT.cbrt(AT_ZERO * AT_ZERO * AT_ONE)}
PILOT: Final = tolerances.log_density_bound(math.log(math.pi), math.log(math.pi), len(THREE), 1)
LOG_MEAN: Final = tolerances.log_mean_bound(PILOT, len(THREE))
ERROR: Final = tolerances.vkde_bandwidth_bound(PILOT, LOG_MEAN)
each_rule = pytest.mark.parametrize("rule", MEANS)


@each_rule
def test_bandwidths_are_roots_of_rationals(implementation: Implementation, rule: str) -> None:
    estimate = implementation.call("vkde", THREE, CAUCHY, rule=rule)
    widths = [EXACT.sqrt(MEANS[rule] / pilot) for pilot in (AT_ZERO, AT_ZERO, AT_ONE)]
    assert_relative(estimate.bandwidths, widths, ERROR, rule)
    assert_within(estimate.log_eta, EXACT.log(MEANS[rule] / (3 * EXACT.pi)), LOG_MEAN, "log eta")
    assert_mixture(implementation, estimate, THREE, widths, [[0.0], [0.5], [-3.0], [1e9], [1e200]], ERROR)


@each_rule
@pytest.mark.parametrize("place", [[[0.25]], [[0.25]] * 4])
def test_one_place_keeps_the_pilot_s_bandwidth(implementation: Implementation, rule: str, place: Any) -> None:
    estimate = implementation.call("vkde", place, CAUCHY, rule=rule)
    assert_relative(estimate.bandwidths, [1.0] * len(place), ERROR, rule)


def test_the_densities_of_the_reference_are_right_to_the_last_digit() -> None:
    """Their logarithm is large, so that its rounding alone would take four digits from them."""
    ctx, more = make_context(20), make_context(40)
    estimate = rkde.reference.vkde(ctx, THREE, rkde.reference.Gaussian(1.0))
    found, wanted = (estimate.density(one, [[-100.0], [130.0]]) for one in (ctx, more))
    for value, exactly in zip(found, wanted, strict=True):
        assert abs(more.mpf(value) / exactly - 1) <= more.mpf(2) ** -ctx.prec


# Positive distances: from 0 (twice) 1 3 7, from 1: 1 1 2 6, from 3: 2 3 3 4, from 7: 4 6 7 7.
FIVE: Final = [[0.0], [0.0], [1.0], [3.0], [7.0]]
BY_NEIGHBOUR: Final = {1: [1, 1, 1, 2, 4], 2: [3, 3, 1, 3, 6], 3: [7, 7, 2, 3, 7]}
SIGMA: Final = 2.0


def nearest(implementation: Implementation, neighbours: int, rows: Rows = FIVE) -> Any:
    return implementation.call("nearest_vkde", rows, KernelSpec("student", SIGMA, 1.0), neighbours)


def distance_error(dim: int = 1) -> float:
    # One distance over the median of others.
    return 2 * tolerances.bandwidth_bound(dim, len(FIVE))


@pytest.mark.parametrize(("neighbours", "distances"), BY_NEIGHBOUR.items())
def test_bandwidths_are_in_proportion_to_the_distances(
    implementation: Implementation, neighbours: int, distances: list[int]
) -> None:
    widths = [exact(SIGMA) * distance / sorted(distances)[len(distances) // 2] for distance in distances]
    estimate = nearest(implementation, neighbours)
    assert_relative(estimate.bandwidths, widths, distance_error(), "bandwidths")
    assert_mixture(implementation, estimate, FIVE, widths, [[0.0], [2.5], [-40.0]], distance_error())


def test_far_neighbours_among_many_rows_are_counted(implementation: Implementation) -> None:
    places, neighbours = [37 * i % 299 for i in range(299)], 150
    distances = [sorted(abs(place - other) for other in places)[neighbours] for place in places]
    widths = [exact(SIGMA) * distance / sorted(distances)[len(distances) // 2] for distance in distances]
    found = nearest(implementation, neighbours, [[float(place)] for place in places]).bandwidths
    assert_relative(found, widths, distance_error(), "bandwidths")


def test_columns_count_together(implementation: Implementation) -> None:
    # Distances to the second neighbour: 5, 5, 4.
    found = nearest(implementation, 2, [[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]]).bandwidths
    assert_relative(found, [SIGMA, SIGMA, exact(SIGMA) * 4 / 5], distance_error(2), "two columns")


@pytest.mark.parametrize("neighbours", [0, 4, 5])
def test_as_many_neighbours_as_there_are(implementation: Implementation, neighbours: int) -> None:
    # A row at 0 has three others at a positive distance.
    with pytest.raises(InvalidInput) as caught:
        nearest(implementation, neighbours)
    assert caught.value.where == "neighbours"

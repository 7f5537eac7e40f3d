"""Bandwidths from k-th neighbours: distances counted by hand, ties left out, and the mixture they make."""

import math
from typing import Any, Final

import pytest

from rkde.errors import InvalidInput
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_relative, assert_within
from tests.support.implementations import EXACT, Implementation, exact

# Positive distances: from 0 (twice) 1 3 7, from 1: 1 1 2 6, from 3: 2 3 3 4, from 7: 4 6 7 7.
X: Final = [[0.0], [0.0], [1.0], [3.0], [7.0]]
BY_NEIGHBOUR: Final = {1: [1, 1, 1, 2, 4], 2: [3, 3, 1, 3, 6], 3: [7, 7, 2, 3, 7]}
SIGMA: Final = 2.0


def estimate(implementation: Implementation, neighbours: int, rows: list[list[float]] = X) -> Any:
    return implementation.call("nearest_vkde", rows, implementation.get("Student")(SIGMA, 1.0), neighbours)


def bandwidth_error(dim: int = 1) -> float:
    # One distance over the median of others.
    return 2 * tolerances.bandwidth_bound(dim, len(X))


@pytest.mark.parametrize("neighbours", BY_NEIGHBOUR)
def test_bandwidths_are_in_proportion_to_the_distances(
    implementation: Implementation, neighbours: int
) -> None:
    distances = BY_NEIGHBOUR[neighbours]
    median = sorted(distances)[len(distances) // 2]
    wanted = [exact(SIGMA) * distance / median for distance in distances]
    found = estimate(implementation, neighbours).bandwidths
    assert_relative(found, wanted, bandwidth_error(), "bandwidths")


def test_columns_count_together(implementation: Implementation) -> None:
    # Distances to the second neighbour: 5, 5, 4.
    found = estimate(implementation, 2, [[0.0, 0.0], [3.0, 4.0], [3.0, 0.0]]).bandwidths
    wanted = [SIGMA, SIGMA, exact(SIGMA) * 4 / 5]
    assert_relative(found, wanted, bandwidth_error(2), "two columns")


def test_the_density_is_a_mixture_with_these_bandwidths(implementation: Implementation) -> None:
    queries = [[0.0], [2.5], [-40.0]]
    widths = [exact(SIGMA) * distance for distance in BY_NEIGHBOUR[1]]
    wanted = [
        EXACT.log(
            sum(
                1 / (len(X) * EXACT.pi * width * (1 + (exact(query) - exact(row)) ** 2 / width**2))
                for (row,), width in zip(X, widths, strict=True)
            )
        )
        for (query,) in queries
    ]
    terms = math.log(math.pi * 4 * SIGMA)
    bound = [
        tolerances.vkde_log_density_bound(float(value), terms, bandwidth_error(), len(X), 1)
        for value in wanted
    ]
    assert_within(
        implementation.method(estimate(implementation, 1), "log_density", queries), wanted, bound, "mixture"
    )


@pytest.mark.parametrize("neighbours", [0, 4])
def test_as_many_neighbours_as_there_are(implementation: Implementation, neighbours: int) -> None:
    # A row at 0 has three others at a positive distance.
    with pytest.raises(InvalidInput) as caught:
        estimate(implementation, neighbours)
    assert caught.value.where == "neighbours"

"""f_med: the limit itself, so the bound is the fixed point's condition times the rounding of one step."""

from functools import cache
from typing import Any

import pytest

from rkde.proofs_checks.strategies import LossSpec
from rkde.vocabulary import Status
from tests.support.compare import assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import ADVERSARIAL, NamedData, head
from tests.support.implementations import REFERENCE, Implementation, numbers

DATA = (*ADVERSARIAL, head("iris", 50), head("faithful", 40))
ABSOLUTE = LossSpec("absolute")

each_set = pytest.mark.parametrize("data", DATA, ids=repr)


@cache
def reference_median(name: str) -> Any:
    """f_med by the reference; computed once for all candidates."""
    data = next(data for data in DATA if data.name == name)
    return REFERENCE.call("median_rkde", data.X, data.kernel)


@each_set
def test_weights_and_distances(candidate: Implementation, data: NamedData) -> None:
    expected = reference_median(data.name)
    actual = candidate.call("median_rkde", data.X, data.kernel)
    weights = [float(weight) for weight in expected.weights]
    analysis = PathAnalysis(data.X, data.kernel, ABSOLUTE, weights_init=weights)
    reported = float(actual.fixed_point_residual) * max(weights)
    settled = analysis.stationary_bound(reported)
    assert_within(actual.weights, expected.weights, settled, f"f_med of {data.name}")
    moved = PathAnalysis(data.X, data.kernel, ABSOLUTE, weights_init=weights, init_error=settled)
    assert_within(actual.residual_norms, expected.residual_norms, moved.residual_bound(), "distances")
    assert_within(actual.objective, expected.objective, moved.objective_bound(), "J")
    assert actual.status is expected.status is Status.CONVERGED


# Data whose f_med is a data location, decided by |R_j| <= m: rows, kernel bandwidth, rows of that location.
AT_A_LOCATION = {
    "middle of three": ([[-0.5], [0.0], [0.5]], 1.0, [1]),
    "majority": ([[0.0]] * 6 + [[1.0], [2.0], [3.0], [5.0], [-4.0]], 1.0, [0, 1, 2, 3, 4, 5]),
    "exactly half": ([[0.0, 0.0]] * 3 + [[1.0, 0.0], [0.0, 3.0], [-2.0, 1.0]], 0.75, [0, 1, 2]),
    "majority of two locations": ([[1.0], [1.0], [4.0]], 2.0, [0, 1]),
}


@pytest.mark.parametrize("name", AT_A_LOCATION)
def test_a_data_location_is_exact(candidate: Implementation, name: str) -> None:
    X, bandwidth, at = AT_A_LOCATION[name]
    for implementation in (REFERENCE, candidate):
        result = implementation.call("median_rkde", X, implementation.get("Gaussian")(bandwidth))
        weights = numbers(result.weights)
        positive = [index for index, weight in enumerate(weights) if weight > 0]
        assert positive == at
        assert len({weights[index] for index in at}) == 1
        assert all(numbers(result.residual_norms)[index] == 0 for index in at)
        assert str(result.certificate) == "global"
        assert numbers(result.error_bound) == [0]


def test_two_locations_of_equal_weight_keep_the_start(candidate: Implementation) -> None:
    # Every point of the segment is stationary; the limit from uniform weights is the start itself.
    X = [[0.0], [3.0], [0.0], [3.0]]
    for implementation in (REFERENCE, candidate):
        result = implementation.call("median_rkde", X, implementation.get("Gaussian")(1.0))
        assert [float(weight) for weight in result.weights] == [0.25] * 4

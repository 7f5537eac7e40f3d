"""The limit of KIRWLS from uniform weights: both must find the same one, whatever accelerates them."""

from typing import Any

import pytest

from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.proofs_checks.tolerances import common_limit_bounds
from rkde.vocabulary import Certificate, Status
from tests.support.compare import assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import ADVERSARIAL, NamedData
from tests.support.implementations import REFERENCE, Implementation

each_set = pytest.mark.parametrize("data", ADVERSARIAL, ids=repr)
each_loss = pytest.mark.parametrize("which", [0, 2, 3], ids=["quadratic", "huber", "hampel"])


def _limit(implementation: Implementation, data: NamedData, loss: LossSpec) -> Any:
    arguments = (data.X, implementation.kernel(data.kernel), implementation.loss(loss))
    return implementation.call("fixed_point", *arguments)


@each_set
@each_loss
def test_limit(candidate: Implementation, data: NamedData, which: int) -> None:
    loss = data.losses[which]
    expected, actual = _limit(REFERENCE, data, loss), _limit(candidate, data, loss)
    weights = [float(weight) for weight in expected.weights]
    analysis = PathAnalysis(data.X, data.kernel, loss, weights_init=weights)
    settled = analysis.stationary_bound(float(actual.fixed_point_residual) * max(weights))
    assert_within(actual.weights, expected.weights, settled, f"limit of {data.name}, {loss.name}")
    moved = PathAnalysis(data.X, data.kernel, loss, weights_init=weights, init_error=settled)
    assert_within(actual.residual_norms, expected.residual_norms, moved.residual_bound(), "residual norms")
    assert_within(actual.objective, expected.objective, moved.objective_bound(), "J")
    assert actual.status is expected.status is Status.CONVERGED


@each_set
@each_loss
def test_a_limit_does_not_move(candidate: Implementation, data: NamedData, which: int) -> None:
    loss = data.losses[which]
    limit = _limit(candidate, data, loss)
    arguments = (data.X, candidate.kernel(data.kernel), candidate.loss(loss))
    moved = candidate.call("kirwls_step", *arguments, limit.weights)
    analysis = PathAnalysis(data.X, data.kernel, loss, weights_init=limit.weights).advance(1)
    reported = float(limit.fixed_point_residual) * max(limit.weights)
    bound = [entry + reported for entry in analysis.weights_bound]
    assert_within(moved, limit.weights, bound, "one more step")


@pytest.mark.parametrize("counts", [None, [2, 1, 1, 3, 1]], ids=["rows", "counts"])
@pytest.mark.parametrize("start", [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0]], ids=["a row", "one of two equal rows"])
def test_a_location_that_is_no_median_is_left(
    implementation: Implementation, counts: list[int] | None, start: list[float]
) -> None:
    def limit(**options: Any) -> Any:
        return implementation.call(
            "fixed_point",
            [[0.0], [0.0], [1.0], [1.5], [4.0]],
            KernelSpec("gaussian", 1.0),
            LossSpec("absolute"),
            sample_weight=counts,
            **options,
        )

    straight, left = limit(), limit(weights_init=start)
    assert left.certificate is straight.certificate is Certificate.GLOBAL
    assert min(left.weights) > 0
    bound = common_limit_bounds(float(left.weights_error_bound), float(straight.weights_error_bound))
    assert_within(left.weights, straight.weights, bound, "the median from a location")

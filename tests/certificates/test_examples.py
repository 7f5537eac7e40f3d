"""Worked examples: several minima, misleading stops, equal residuals, no 0/0, what a result records."""

from itertools import combinations
from typing import Any, Final

import numpy as np
import pytest

import rkde.fast
from rkde.errors import DegenerateThresholds
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate, FixedSteps, RelativeObjective, Stationarity, Status
from tests.support.balls import certify
from tests.support.compare import assert_relative_to_largest, assert_within
from tests.support.implementations import REFERENCE, Implementation, exact, numbers, rows

Gaussian, Hampel = (REFERENCE.get(name) for name in ("Gaussian", "Hampel"))
SEED: Final = 20_121_104
# Twelve and eight rows around points four standard deviations apart, with several minima of J.
TWO_MINIMA_SEED: Final = 11
THREE_MINIMA_SEED: Final = 1
# Found by a search over seeds: the paper's rule stops beside a saddle.
MISLEADING_SEED: Final = (20_121_105, 268)


def two_clusters(seed: int) -> list[list[float]]:
    X = np.random.default_rng([SEED, seed]).normal(size=(20, 2))
    X[12:, 0] += 4
    return rows(X)


def disjoint(left: Any, right: Any) -> bool:
    return any(not p.overlaps(q) for p, q in zip(left, right, strict=True))


def test_two_starts_of_the_recipe_end_in_two_proved_minima() -> None:
    X = two_clusters(TWO_MINIMA_SEED)
    ends = [certify.certify_recipe(X, start=start).final for start in ("median", "uniform")]
    assert all(end.certificate is Certificate.LOCAL_MINIMUM and end.branch_proved for end in ends)
    assert disjoint(ends[0].weights, ends[1].weights)
    assert not ends[0].objective.overlaps(ends[1].objective)


def test_the_start_that_the_paper_prescribes_is_not_the_best() -> None:
    X = two_clusters(THREE_MINIMA_SEED)
    model = rkde.fast.rkde(X)
    starts = [model.median.weights, np.repeat([1 / 12, 0.0], [12, 8]), np.repeat([0.0, 1 / 8], [12, 8])]
    kernel, loss = Gaussian(model.bandwidth), Hampel(*model.thresholds)
    ends = [certify.certify_limit(X, kernel, loss, start.tolist()) for start in starts]
    assert {end.certificate for end in ends} == {Certificate.LOCAL_MINIMUM}
    assert all(disjoint(one.weights, other.weights) for one, other in combinations(ends, 2))
    # The start on the larger cluster ends lower than the prescribed one.
    assert ends[1].objective < ends[0].objective
    for start, end in zip(starts, ends, strict=True):
        found = rkde.fast.fixed_point(X, model.kernel, model.loss, weights_init=start)
        assert found.certificate is Certificate.LOCAL_MINIMUM
        target = [float(weight.mid()) for weight in end.weights]
        assert_relative_to_largest(found.weights, target, tolerances.printed_digits(14), "weights")


def misleading_rows() -> list[list[float]]:
    rng = np.random.default_rng(MISLEADING_SEED)
    size = int(rng.integers(10, 41))
    X = rng.normal(size=(size, 1))
    X[: size // 3, 0] += rng.uniform(1, 4)
    return rows(X)


def test_the_rule_keeps_a_row_that_the_limit_rejects(implementation: Implementation) -> None:
    X = misleading_rows()
    model = implementation.call("rkde", X)
    assert (model.status, model.stop) == (Status.CONVERGED, RelativeObjective(1e-8))
    limit = certify.certify_recipe(X).final
    assert limit.branch_proved
    kept = [
        index
        for index, (weight, end) in enumerate(zip(numbers(model.weights), limit.weights, strict=True))
        if end.is_zero() and weight * len(X) > 1
    ]
    # Two rows have more than an average row's weight where the rule stops, and exactly none in the limit.
    assert len(kept) == 2
    # The run does not claim to be near the limit.
    assert model.error_bound is None


def test_the_limit_itself_rejects_them(implementation: Implementation) -> None:
    X = misleading_rows()
    model = implementation.call("rkde", X)
    found = implementation.call("fixed_point", X, model.kernel, model.loss, weights_init=model.median.weights)
    limit = certify.certify_recipe(X).final
    assert found.certificate is limit.certificate is Certificate.LOCAL_MINIMUM
    for weight, end in zip(numbers(found.weights), limit.weights, strict=True):
        assert (weight == 0) == end.is_zero()
    ends = [float(end.mid()) for end in limit.weights]
    # The thresholds are rounded, too.
    assert_relative_to_largest(found.weights, ends, tolerances.printed_digits(13), "weights")


EQUAL_RESIDUALS: Final = {
    "two rows": [[0.0], [1.0]],
    "triangle": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    "square": [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]],
}


@pytest.mark.parametrize("X", EQUAL_RESIDUALS.values(), ids=EQUAL_RESIDUALS)
def test_equal_residuals_leave_hampel_undefined(implementation: Implementation, X: Any) -> None:
    median = implementation.call("median_rkde", X, implementation.get("Gaussian")(1))
    assert median.certificate is Certificate.GLOBAL
    norms = [float(norm) for norm in median.residual_norms]
    slack = max(tolerances.residual_bound(norms, [1 / len(X)] * len(X), 3))
    abc = implementation.call("thresholds", median.residual_norms)
    assert_within(abc, [abc[0]] * 3, 2 * slack, "a = b = c")
    with pytest.raises(DegenerateThresholds, match="b = c"):
        implementation.call("rkde", X, bandwidth=1)
    with pytest.raises(DegenerateThresholds):
        certify.certify_recipe(X, bandwidth=1)


def test_the_recipe_never_divides_by_zero() -> None:
    for seed in range(40):
        X = two_clusters(seed)
        model = rkde.fast.rkde(X)
        assert model.objective_path[0] < model.loss.rho([model.thresholds[2]])[0]
        assert model.status is Status.CONVERGED


def test_stops_are_recorded_by_name_with_their_parameter(implementation: Implementation) -> None:
    X = two_clusters(0)
    kernel, loss = implementation.get("Gaussian")(1), implementation.get("Hampel")(0.5, 0.7, 1.0)
    for stop in (RelativeObjective(1e-8), FixedSteps(3), Stationarity(1e-6)):
        run = implementation.call("kirwls", X, kernel, loss, stop=stop)
        assert run.stop == stop
        assert run.status is Status.CONVERGED
        assert len(run.objective_path) == run.n_iter + 1
        assert_within(run.weights_init, [exact(1) / 20] * 20, tolerances.elementwise(1), "start")
        assert (run.error_bound is None) or not isinstance(stop, FixedSteps)
    assert implementation.call("kirwls", X, kernel, loss).stop == RelativeObjective(1e-8)
    # A limit records how it was reached.
    found = implementation.call("fixed_point", X, kernel, loss)
    assert found.status is Status.CONVERGED
    assert isinstance(found.stop, Stationarity)
    assert found.fixed_point_residual <= exact(found.stop.tol)
    assert len(found.objective_path) == found.n_iter + 1
    assert numbers(found.objective_path)[-1] == numbers(found.objective)[0]

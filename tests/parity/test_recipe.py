"""The whole recipe: bandwidth, f_med, thresholds, and a fixed number of steps of the second stage."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from rkde.errors import DegenerateThresholds
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.vocabulary import FixedSteps
from tests.support.compare import assert_relative, assert_relative_to_largest, assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import BY_NAME, NamedData, head, shipped
from tests.support.implementations import REFERENCE, Implementation
from tests.support.selection import one_in

STEPS = 8
LOSSES = ("Quadratic", "Absolute", "Huber", "Hampel")
DATA = (
    *(
        BY_NAME[name]
        for name in ("far-outliers", "offset-1e8", "heavy-tails", "near-duplicates", "dimension-1000")
    ),
    head("iris", 50),
    head("faithful", 40),
)
AUTHORS = "authors-program"
RECIPES = ("paper", AUTHORS)

each_set = pytest.mark.parametrize("data", one_in(4, DATA))
each_recipe = pytest.mark.parametrize("recipe", RECIPES)
each_loss = pytest.mark.parametrize("loss", LOSSES)


def _fit(implementation: Implementation, X: object, loss: str, recipe: str, bandwidth: object) -> Any:
    """The fitted model, or None where its thresholds leave no ramp."""
    named = {"loss": implementation.get(loss), "recipe": recipe, "stop": FixedSteps(STEPS)}
    try:
        return implementation.call("rkde", X, bandwidth=bandwidth, **named)
    except DegenerateThresholds:
        return None


@cache
def _reference_fit(name: str, loss: str, recipe: str, bandwidth: Any) -> Any:
    """The reference at the bandwidth that a candidate found: each stage is judged at the same input."""
    return _fit(REFERENCE, next(data for data in DATA if data.name == name).X, loss, recipe, bandwidth)


@each_set
@each_recipe
@each_loss
def test_recipe(candidate: Implementation, data: NamedData, recipe: str, loss: str) -> None:
    n = len(data.X)
    bandwidth = candidate.call("median_nn", data.X)
    exact_bandwidth = REFERENCE.call("median_nn", data.X)
    assert_relative(bandwidth, exact_bandwidth, tolerances.bandwidth_bound(len(data.X[0]), n), "h")
    actual = _fit(candidate, data.X, loss, recipe, "median_nn")
    expected = _reference_fit(data.name, loss, recipe, bandwidth)
    # Below 40 rows the authors' b and c are one order statistic: no ramp, and both must say so.
    assert (actual is None) == (expected is None)
    if actual is None:
        assert (loss, recipe) == ("Hampel", AUTHORS)
        return
    assert (loss, recipe) != ("Hampel", AUTHORS) or n >= 40
    assert_relative(actual.bandwidth, bandwidth, tolerances.sum_bound(1), "recorded h")
    assert (actual.recipe, actual.bandwidth_rule, actual.start) == (recipe, "median_nn", expected.start)
    errors = _FirstStage(data, expected, actual)
    assert_within(actual.median.weights, expected.median.weights, errors.weights, "f_med")
    if loss == "Quadratic":
        assert len(set(actual.weights)) == 1
        return
    if loss == "Absolute":
        assert_within(actual.weights, expected.weights, errors.weights, "weights")
        return
    assert_within(actual.thresholds, expected.thresholds, errors.threshold, "thresholds")
    analysis = errors.second_stage(loss)
    assert_within(actual.weights, expected.weights, analysis.weights_bound, "weights")
    assert_within(actual.objective, expected.objective, analysis.objective_bound(), "J")


class _FirstStage:
    """Bounds on what the first stage hands to the second."""

    def __init__(self, data: NamedData, expected: Any, actual: Any) -> None:
        self.data, self.expected = data, expected
        self.kernel = KernelSpec("gaussian", float(expected.bandwidth))
        self.start = np.array([float(weight) for weight in expected.median.weights])
        absolute = LossSpec("absolute")
        analysis = PathAnalysis(data.X, self.kernel, absolute, weights_init=self.start)
        self.weights = analysis.stationary_bound(float(actual.median.fixed_point_residual) * max(self.start))
        moved = PathAnalysis(data.X, self.kernel, absolute, weights_init=self.start, init_error=self.weights)
        norms = moved.residual_norms
        self.threshold = tolerances.quantile_bound(max(norms), max(moved.residual_bound()))

    def second_stage(self, loss: str) -> PathAnalysis:
        """The analysis of the steps from f_med (or uniform weights) with inexact thresholds."""
        thresholds = tuple(float(threshold) for threshold in self.expected.thresholds)
        uniform = self.expected.start == "uniform"
        return PathAnalysis(
            self.data.X,
            self.kernel,
            LossSpec("huber" if loss == "Huber" else "hampel", thresholds),
            weights_init=None if uniform else self.start,
            init_error=0.0 if uniform else self.weights,
            threshold_error=(self.threshold,) * len(thresholds),
        ).advance(STEPS)


def test_iris_far_from_the_origin(candidate: Implementation) -> None:
    X = np.array(shipped("iris"))
    here = candidate.call("rkde", X)
    there = candidate.call("rkde", X + 1e8)
    assert_relative_to_largest(there.weights, here.weights, tolerances.offset_bound(), "weights")

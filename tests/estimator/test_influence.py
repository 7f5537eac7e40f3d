"""The influence function of a fitted estimator: Theorem 5 at the limit, one coefficient a given row."""

import itertools

import numpy as np
import pytest

import rkde
from rkde.errors import InvalidInput
from rkde.fast import fixed_point, influence

DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
NEW = [[2.25], [-8.0]]
QUERIES = [[0.0], [3.0], [7.0]]
RKDE = rkde.RobustKernelDensity


@pytest.mark.parametrize("loss", ["huber", "hampel", "quadratic"])
def test_it_is_that_of_the_limit(loss: str) -> None:
    # A loose rule leaves the weights short of the limit, at which alone Theorem 5 holds.
    estimator = RKDE(bandwidth=1.0, loss=loss, tol=1e-3).fit(DATA)
    model = estimator.model_
    limit = fixed_point(model.X, model.kernel, model.loss, weights_init=model.weights)
    weights = limit.weights if loss != "quadratic" else model.weights
    exact = influence(model.X, model.kernel, model.loss, weights, NEW, QUERIES)
    found = estimator.influence(NEW, QUERIES)
    for name in ("if_coef", "if_coef_new", "influence", "if_at_new", "if_l2_norm"):
        np.testing.assert_array_equal(getattr(found, name), getattr(exact, name))
    assert found.if_coef.shape == (2, 6)
    assert found.influence.shape == (2, 3)
    assert estimator.influence(NEW).influence.shape == (2, 0)


def test_copies_have_one_coefficient_together() -> None:
    counts = np.array([1, 2, 0, 1, 3, 1])
    settings = {"bandwidth": 1.0, "loss": "huber", "thresholds": (0.5,)}
    weighted = RKDE(**settings).fit(DATA, sample_weight=counts).influence(NEW, QUERIES)
    copies = RKDE(**settings).fit(np.repeat(DATA, counts, axis=0)).influence(NEW, QUERIES)
    np.testing.assert_array_equal(weighted.influence, copies.influence)
    starts = np.concatenate(([0], np.cumsum(counts)))
    for row, (start, end) in enumerate(itertools.pairwise(starts)):
        np.testing.assert_array_equal(weighted.if_coef[:, row], copies.if_coef[:, start:end].sum(axis=1))


def test_relative_weights_have_no_influence_function_here() -> None:
    estimator = RKDE(bandwidth=1.0, loss="huber", thresholds=(0.5,))
    estimator.fit(DATA, sample_weight=[0.5, 1, 1, 1, 1, 1])
    with pytest.raises(InvalidInput, match="must be whole numbers"):
        estimator.influence(NEW)


def test_points_and_queries_have_the_columns_of_the_fit() -> None:
    estimator = RKDE(bandwidth=1.0, loss="huber").fit(DATA)
    for arguments in ([[[1.0, 2.0]]], [NEW, [[1.0, 2.0]]]):
        with pytest.raises(ValueError, match="X has 2 features"):
            estimator.influence(*arguments)

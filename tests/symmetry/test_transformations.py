"""Order, place and scale of the rows: what they change is known exactly; claims (`check_symmetry`) say more.

The transformations are exact in float64 (dyadic coordinates, powers of two, 3-4-5 rotations), so the only
difference left is rounding in another order, which the analysis of the path bounds.
"""

from typing import Any

import pytest

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.vocabulary import FixedSteps
from tests.support.compare import assert_relative, assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import ADVERSARIAL, NamedData, head
from tests.support.implementations import FAST, Implementation, numbers

STEPS = 3

each_loss = pytest.mark.parametrize("which", range(4), ids=["quadratic", "absolute", "huber", "hampel"])
each_set = pytest.mark.parametrize("data", ADVERSARIAL, ids=repr)


def _moved(X: Any, shift: float) -> Any:
    return [[cell + shift for cell in row] for row in X]


def _scaled(X: Any, factor: float) -> Any:
    return [[cell * factor for cell in row] for row in X]


def _weights(implementation: Implementation, X: Any, kernel: KernelSpec, loss: LossSpec) -> Any:
    arguments = (X, implementation.kernel(kernel), implementation.loss(loss))
    return implementation.call("kirwls", *arguments, stop=FixedSteps(STEPS)).weights


@each_set
@each_loss
def test_permuting_rows_permutes_weights(data: NamedData, which: int) -> None:
    loss, n = data.losses[which], len(data.X)
    order = [(7 * index + 3) % n for index in range(n)] if n % 7 else list(reversed(range(n)))
    here = _weights(FAST, data.X, data.kernel, loss)
    there = _weights(FAST, [data.X[index] for index in order], data.kernel, loss)
    # Each of the two runs may be off by the bound.
    bound = [2 * entry for entry in PathAnalysis(data.X, data.kernel, loss).advance(STEPS).weights_bound]
    assert_within(there, [here[index] for index in order], [bound[index] for index in order], data.name)


def _dyadic() -> NamedData:
    """The set whose coordinates are multiples of 1/16 near 1e8, moved to the origin."""
    data = next(data for data in ADVERSARIAL if data.name == "offset-1e8")
    return NamedData(data.name, data.why, _moved(data.X, -1e8), data.kernel, data.huber, data.hampel)


@pytest.mark.parametrize("rule", ["median_nn", "median_nn_distinct", "scott", "silverman"])
def test_bandwidths_follow_the_data(implementation: Implementation, rule: str) -> None:
    X = _dyadic().X
    here = implementation.call(rule, X)
    bound = 2 * tolerances.bandwidth_bound(len(X[0]), len(X))
    assert_relative(implementation.call(rule, X[::-1]), here, bound, "reversed")
    assert_relative(implementation.call(rule, _moved(X, 4096)), here, bound, "moved")
    assert_relative(implementation.call(rule, _scaled(X, 4)), here * 4, bound, "scaled")
    turned = [[3 * x - 4 * y, 4 * x + 3 * y] for x, y in X]
    assert_relative(implementation.call(rule, turned), here * 5, bound, "turned")


def test_log_density_follows_the_data(implementation: Implementation) -> None:
    data = _dyadic()
    n, dim = len(data.X), len(data.X[0])
    weights, queries = [1 / n] * n, [[0.5, 0.25], [7.0, -3.0]]
    here = implementation.call("log_density", data.X, data.kernel, weights, queries)
    bound = [2 * tolerances.log_density_bound(float(value), 2 * dim, n, dim) for value in here]
    arguments = (_moved(data.X, 4096), data.kernel, weights, _moved(queries, 4096))
    moved = implementation.call("log_density", *arguments)
    assert_within(moved, here, bound, "moved")
    arguments = (_scaled(data.X, 4), data.kernel.widened(4), weights, _scaled(queries, 4))
    wide = implementation.call("log_density", *arguments)
    shift = implementation.method(data.kernel, "log_normaliser", dim)
    scaled = implementation.method(data.kernel.widened(4), "log_normaliser", dim)
    assert_within(wide, [value + (scaled - shift) for value in here], bound, "scaled")


@pytest.mark.parametrize("recipe", ["paper", "authors-program"])
@pytest.mark.parametrize("loss", ["Huber", "Hampel"])
def test_the_recipe_follows_the_data(candidate: Implementation, recipe: str, loss: str) -> None:
    # Below 40 rows the authors' b and c are one order statistic, so their recipe has no ramp for Hampel.
    X = _dyadic().X if (recipe, loss) != ("authors-program", "Hampel") else head("iris", 50).X
    named = {"loss": candidate.get(loss), "recipe": recipe, "stop": FixedSteps(STEPS)}
    here = candidate.call("rkde", X, **named)
    there = candidate.call("rkde", _scaled(X, 8), **named)
    assert numbers(there.weights) == numbers(here.weights)
    assert numbers(there.thresholds) == numbers(here.thresholds)
    assert numbers(there.bandwidth) == [8 * number for number in numbers(here.bandwidth)]


def test_copies_have_distance_zero(implementation: Implementation) -> None:
    for n in (3, 10, 12, 49, 100):
        X = [[1234567890.1]] * n
        norms = implementation.call("residual_norms", X, implementation.get("Gaussian")(0.5), [1 / n] * n)
        assert numbers(norms) == [0] * n

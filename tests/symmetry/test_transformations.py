"""Order, place, direction, scale and repetition of the rows: what they change is known exactly.

The transformations are exact in float64 (dyadic coordinates, powers of two, 3-4-5 rotations), so the only
difference left is rounding in another order, which the analysis of the path bounds.
"""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rkde.errors import AllWeightsZero
from rkde.proofs_checks import strategies, symmetries, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.vocabulary import FixedSteps
from tests.support.compare import assert_relative, assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import ADVERSARIAL, NamedData, head
from tests.support.implementations import FAST, Implementation, numbers

STEPS = 3
SHIFTS = (1.0, -1024.0, 2.0**27)
SCALES = (2.0**-40, 4.0, 2.0**33)

each_loss = pytest.mark.parametrize("which", range(4), ids=["quadratic", "absolute", "huber", "hampel"])
each_set = pytest.mark.parametrize("data", ADVERSARIAL, ids=repr)


def _moved(X: Any, shift: float) -> Any:
    return [[cell + shift for cell in row] for row in X]


def _scaled(X: Any, factor: float) -> Any:
    return [[cell * factor for cell in row] for row in X]


def _weights(implementation: Implementation, X: Any, kernel: KernelSpec, loss: LossSpec) -> Any:
    arguments = (X, implementation.kernel(kernel), implementation.loss(loss))
    return implementation.call("kirwls", *arguments, stop=FixedSteps(STEPS)).weights


def _bound(X: Any, kernel: KernelSpec, loss: LossSpec) -> list[float]:
    """Each of two runs may be off by the bound."""
    return [2 * entry for entry in PathAnalysis(X, kernel, loss).advance(STEPS).weights_bound]


@each_set
@each_loss
def test_permuting_rows_permutes_weights(data: NamedData, which: int) -> None:
    loss, n = data.losses[which], len(data.X)
    order = [(7 * index + 3) % n for index in range(n)] if n % 7 else list(reversed(range(n)))
    here = _weights(FAST, data.X, data.kernel, loss)
    there = _weights(FAST, [data.X[index] for index in order], data.kernel, loss)
    bound = _bound(data.X, data.kernel, loss)
    assert_within(there, [here[index] for index in order], [bound[index] for index in order], data.name)


@given(problem=strategies.mild_problems(), loss=strategies.losses(), draw=st.data())
def test_permutation_on_random_data(problem: strategies.Problem, loss: LossSpec, draw: st.DataObject) -> None:
    order = draw.draw(symmetries.permutations(len(problem.X)))
    try:
        here = _weights(FAST, problem.X, problem.kernel, loss)
    except AllWeightsZero:
        with pytest.raises(AllWeightsZero):
            _weights(FAST, [problem.X[index] for index in order], problem.kernel, loss)
        return
    analysis = PathAnalysis(problem.X, problem.kernel, loss)
    assume(analysis.is_regular(STEPS))
    bound = [2 * entry for entry in analysis.weights_bound]
    there = _weights(FAST, [problem.X[index] for index in order], problem.kernel, loss)
    assert_within(there, [here[index] for index in order], [bound[index] for index in order], "weights")


@pytest.mark.parametrize("shift", SHIFTS)
@each_loss
def test_translation(shift: float, which: int) -> None:
    data = _dyadic()
    loss = data.losses[which]
    there = _weights(FAST, _moved(data.X, shift), data.kernel, loss)
    assert_within(
        there, _weights(FAST, data.X, data.kernel, loss), _bound(data.X, data.kernel, loss), "weights"
    )


@pytest.mark.parametrize("scale", SCALES)
@each_loss
def test_scaling_rows_and_bandwidth(scale: float, which: int) -> None:
    data = _dyadic()
    loss = data.losses[which]
    there = _weights(FAST, _scaled(data.X, scale), data.kernel.widened(scale), loss)
    assert numbers(there) == numbers(_weights(FAST, data.X, data.kernel, loss))


@given(draw=st.data(), loss=strategies.losses())
def test_rotation(draw: st.DataObject, loss: LossSpec) -> None:
    rows = draw.draw(strategies.scattered(3, 7, 3))
    stretched, turned, factor = draw.draw(symmetries.similarities(rows))
    kernel = KernelSpec("gaussian", 2.0 * factor)
    analysis = PathAnalysis(stretched, kernel, loss)
    assume(analysis.is_regular(STEPS))
    bound = [2 * entry for entry in analysis.weights_bound]
    assert_within(
        _weights(FAST, turned, kernel, loss), _weights(FAST, stretched, kernel, loss), bound, "weights"
    )


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


REPEATED = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0], [1.0, 0.5], [1.0, 0.5], [-2.0, 1.0], [0.5, 3.0]]
MULTIPLICITIES = [3, 2, 1, 1]
DISTINCT = [[0.0, 0.0], [1.0, 0.5], [-2.0, 1.0], [0.5, 3.0]]


@each_loss
def test_repeated_rows_share_one_weight(implementation: Implementation, which: int) -> None:
    loss = (
        LossSpec("quadratic"),
        LossSpec("absolute"),
        LossSpec("huber", (0.6,)),
        LossSpec("hampel", (0.5, 0.7, 1.2)),
    )[which]
    weights = numbers(_weights(implementation, REPEATED, KernelSpec("gaussian", 1.0), loss))
    bound = _bound(REPEATED, KernelSpec("gaussian", 1.0), loss)
    assert_within(weights[:3], [weights[0]] * 3, bound[:3], "three copies")
    assert_within(weights[3:5], [weights[3]] * 2, bound[3:5], "two copies")


def test_repetition_is_multiplicity_in_residuals_and_density(implementation: Implementation) -> None:
    kernel = implementation.get("Gaussian")(1.0)
    n, dim = len(REPEATED), 2
    merged = [multiplicity / n for multiplicity in MULTIPLICITIES]
    expanded = implementation.call("residual_norms", REPEATED, kernel, [1 / n] * n)
    first_rows = [expanded[0], expanded[3], expanded[5], expanded[6]]
    bound = tolerances.residual_bound([float(norm) for norm in first_rows], merged, dim)
    together = implementation.call("residual_norms", DISTINCT, kernel, merged)
    assert_within(together, first_rows, [2 * entry for entry in bound], "residual norms")
    queries = [[0.25, 0.25], [5.0, 5.0]]
    apart = implementation.call("log_density", REPEATED, kernel, [1 / n] * n, queries)
    joined = implementation.call("log_density", DISTINCT, kernel, merged, queries)
    limits = [2 * tolerances.log_density_bound(float(value), 2, n, dim) for value in apart]
    assert_within(joined, apart, limits, "log f")


def test_copies_have_distance_zero(implementation: Implementation) -> None:
    for n in (3, 10, 12, 49, 100):
        X = [[1234567890.1]] * n
        norms = implementation.call("residual_norms", X, implementation.get("Gaussian")(0.5), [1 / n] * n)
        assert numbers(norms) == [0] * n

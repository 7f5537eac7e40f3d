"""KIRWLS after 1, 5 and 20 steps from uniform weights, and one step from others."""

from typing import Any

import pytest

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import LossSpec
from rkde.vocabulary import FixedSteps, Status
from tests.support.compare import assert_relative_to_largest, assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import ADVERSARIAL, BY_NAME, EVERY_SET, NamedData
from tests.support.implementations import REFERENCE, Implementation, numbers
from tests.support.selection import one_in

LOSS_NAMES = ("quadratic", "absolute", "huber", "hampel")
each_set = pytest.mark.parametrize("data", EVERY_SET, ids=repr)
each_small_set = pytest.mark.parametrize("data", ADVERSARIAL, ids=repr)
each_loss = pytest.mark.parametrize("which", range(4), ids=LOSS_NAMES)
COUNTS = (1, 5, 20)


def _run(implementation: Implementation, data: NamedData, loss: LossSpec, count: int, start: object) -> Any:
    stop = FixedSteps(count)
    return implementation.call("kirwls", data.X, data.kernel, loss, weights_init=start, stop=stop)


@each_small_set
@each_loss
def test_weights_after_1_5_and_20_steps(candidate: Implementation, data: NamedData, which: int) -> None:
    _assert_paths_agree(candidate, data, data.losses[which])


@pytest.mark.parametrize("pair", one_in(4, [("iris", 2), ("iris", 1), ("iris", 3), ("faithful", 3)], str))
def test_weights_on_real_data(candidate: Implementation, pair: tuple[str, int]) -> None:
    name, which = pair
    # The reference needs n^2 / 2 kernels at 40 digits a run: seconds, so not every pair is run.
    _assert_paths_agree(candidate, BY_NAME[name], BY_NAME[name].losses[which])


def _assert_paths_agree(candidate: Implementation, data: NamedData, loss: LossSpec) -> None:
    analysis = PathAnalysis(data.X, data.kernel, loss)
    expected: Any = None
    done = 0
    for count in COUNTS:
        # The reference goes on from its own weights: 40 digits of them, so nothing is lost on the way.
        expected = _run(REFERENCE, data, loss, count - done, expected and expected.weights)
        analysis.advance(count - done)
        done = count
        actual = _run(candidate, data, loss, count, None)
        label = f"{data.name}, {loss.name}, {count} steps"
        assert_within(actual.weights, expected.weights, analysis.weights_bound, label)
        relative = tolerances.amplified(tolerances.contracting_path_bound(), max(1, analysis.amplification))
        assert_relative_to_largest(actual.weights, expected.weights, relative, label)
        assert_within(actual.residual_norms, expected.residual_norms, analysis.residual_bound(), label)
        assert_within(actual.objective, expected.objective, analysis.objective_bound(), label)


@each_set
@each_loss
def test_a_run_reports_what_it_did(candidate: Implementation, data: NamedData, which: int) -> None:
    result = _run(candidate, data, data.losses[which], 5, None)
    assert result.status is Status.CONVERGED
    assert (result.n_iter, result.stop) == (5, FixedSteps(5))
    assert len(numbers(result.objective_path)) == 6
    assert numbers(result.objective_path)[-1] == numbers(result.objective)[0]
    assert len(set(numbers(result.weights_init))) == 1


@each_small_set
@each_loss
def test_one_step_from_unequal_weights(candidate: Implementation, data: NamedData, which: int) -> None:
    loss, n = data.losses[which], len(data.X)
    raw = [1 + index % 3 for index in range(n)]
    start = [entry / sum(raw) for entry in raw]
    expected = _step(REFERENCE, data, loss, start)
    analysis = PathAnalysis(data.X, data.kernel, loss, weights_init=start).advance(1)
    assert_within(_step(candidate, data, loss, start), expected, analysis.weights_bound, "one step")


def _step(implementation: Implementation, data: NamedData, loss: LossSpec, start: Any) -> Any:
    return implementation.call("kirwls_step", data.X, data.kernel, loss, start)

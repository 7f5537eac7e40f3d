"""Residual norms and J at given weights."""

import math

import pytest
from hypothesis import given

from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.support.compare import assert_within
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import REFERENCE, Implementation

each_set = pytest.mark.parametrize("data", SMALL, ids=repr)
LOSS_INDEX = range(4)


def _weights(kind: str, n: int) -> list[float]:
    """Uniform, rising, one heavy row, or half of the rows without weight."""
    match kind:
        case "uniform":
            raw = [1.0] * n
        case "rising":
            raw = [float(index + 1) for index in range(n)]
        case "heavy":
            raw = [1e-9] * (n - 1) + [1.0]
        case _:
            raw = [float(index % 2) for index in range(n)]
    total = sum(raw)
    return [entry / total for entry in raw]


each_weighting = pytest.mark.parametrize("kind", ["uniform", "rising", "heavy", "sparse"])


@each_set
@each_weighting
def test_residual_norms(candidate: Implementation, data: NamedData, kind: str) -> None:
    _assert_residuals_agree(candidate, data.X, data.kernel, _weights(kind, len(data.X)))


def test_copies_with_nearly_all_weight(candidate: Implementation) -> None:
    # Kernel values are 0 and 1, and no order rounds the sums: |Phi(x) - f|^2 = 2 s^2 exactly, at the copies.
    # It is less than half of the last digit of the 1 in 1 - 2 K w + w'K w.
    share = 2.0**-30
    weights = [(1 - share) / 4] * 4 + [share]
    X = [[0.0]] * 4 + [[100.0]]
    kernel = KernelSpec("gaussian", 1.0)
    norms = candidate.call("residual_norms", X, kernel, weights)
    expected = [math.sqrt(2) * share] * 4 + [math.sqrt(2) * (1 - share)]
    assert_within(norms, expected, tolerances.residual_bound(expected, weights, 1), "residual norms")
    _assert_residuals_agree(candidate, X, kernel, weights)


@given(problem=strategies.problems())
def test_residual_norms_on_adversarial_data(candidate: Implementation, problem: strategies.Problem) -> None:
    _assert_residuals_agree(candidate, problem.X, problem.kernel, problem.weights)


@each_set
@pytest.mark.parametrize("which", LOSS_INDEX)
def test_objective(candidate: Implementation, data: NamedData, which: int) -> None:
    _assert_objective_agrees(
        candidate, data.X, data.kernel, data.losses[which], _weights("rising", len(data.X))
    )


def _assert_residuals_agree(
    candidate: Implementation, X: list[list[float]], kernel: KernelSpec, weights: list[float]
) -> None:
    expected = REFERENCE.call("residual_norms", X, kernel, weights)
    bound = tolerances.residual_bound([float(norm) for norm in expected], weights, len(X[0]))
    actual = candidate.call("residual_norms", X, kernel, weights)
    assert_within(actual, expected, bound, "residual norms")


def _assert_objective_agrees(
    candidate: Implementation, X: list[list[float]], kernel: KernelSpec, loss: LossSpec, weights: list[float]
) -> None:
    norms = [float(norm) for norm in REFERENCE.call("residual_norms", X, kernel, weights)]
    expected = REFERENCE.call("objective", X, kernel, loss, weights)
    rho = [float(value) for value in REFERENCE.at_each(loss, "rho", norms)]
    error = tolerances.residual_bound(norms, weights, len(X[0]))
    bound = tolerances.objective_bound(REFERENCE.loss(loss), norms, rho, error)
    actual = candidate.call("objective", X, kernel, loss, weights)
    assert_within(actual, expected, bound, "J")

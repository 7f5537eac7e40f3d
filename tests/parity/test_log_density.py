"""Log densities: near, far out, and by the three estimators."""

from typing import Any

import pytest
from hypothesis import given

from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec
from tests.parity.test_kernels import _normaliser_terms
from tests.support.compare import assert_within
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import REFERENCE, Implementation, numbers

each_set = pytest.mark.parametrize("data", SMALL, ids=repr)


def _queries(data: NamedData) -> list[list[float]]:
    """A row, the middle of two rows, beside a row, and further and further out."""
    first, second = data.X[0], data.X[1]
    scale = float(data.kernel.bandwidth)
    return [
        first,
        [(left + right) / 2 for left, right in zip(first, second, strict=True)],
        *([cell + factor * scale for cell in second] for factor in (0.5, 5.0, 500.0)),
    ]


@each_set
def test_weighted_log_density(candidate: Implementation, data: NamedData) -> None:
    raw = [float(index % 3) for index in range(len(data.X))]
    _assert_log_density_agrees(candidate, data.X, data.kernel, [w / sum(raw) for w in raw], _queries(data))


@given(problem=strategies.problems())
def test_log_density_on_adversarial_data(candidate: Implementation, problem: strategies.Problem) -> None:
    _assert_log_density_agrees(candidate, problem.X, problem.kernel, problem.weights, problem.X)


def _assert_log_density_agrees(
    candidate: Implementation,
    X: list[list[float]],
    kernel: KernelSpec,
    weights: list[float],
    queries: list[list[float]],
) -> None:
    expected = REFERENCE.call("log_density", X, kernel, weights, queries)
    bound = _bounds(kernel, expected, len(X), len(X[0]))
    actual = candidate.call("log_density", X, kernel, weights, queries)
    assert_within(actual, expected, bound, "log f")


def _bounds(kernel: KernelSpec, log_densities: Any, n: int, dim: int) -> list[float]:
    terms = _normaliser_terms(kernel, dim)
    return [tolerances.log_density_bound(float(value), terms, n, dim) for value in log_densities]


@each_set
def test_kde(candidate: Implementation, data: NamedData) -> None:
    queries = _queries(data)
    expected = REFERENCE.call("kde", data.X, data.kernel)
    wanted = REFERENCE.method(expected, "log_density", queries)
    actual = candidate.call("kde", data.X, data.kernel)
    bound = _bounds(data.kernel, wanted, len(data.X), len(data.X[0]))
    assert_within(candidate.method(actual, "log_density", queries), wanted, bound, "KDE")


@each_set
@pytest.mark.parametrize("rule", ["abramson", "geometric"])
def test_vkde(candidate: Implementation, data: NamedData, rule: str) -> None:
    n, dim = len(data.X), len(data.X[0])
    queries = _queries(data)
    expected = REFERENCE.call("vkde", data.X, data.kernel, rule=rule)
    actual = candidate.call("vkde", data.X, data.kernel, rule=rule)
    pilots = REFERENCE.call("log_density", data.X, data.kernel, [1 / n] * n, data.X)
    pilot_bound = max(_bounds(data.kernel, pilots, n, dim))
    eta_bound = tolerances.log_mean_bound(pilot_bound, n)
    assert_within(actual.log_eta, expected.log_eta, eta_bound, "log eta")
    widths = numbers(expected.bandwidths)
    relative = tolerances.vkde_bandwidth_bound(pilot_bound, eta_bound)
    assert_within(actual.bandwidths, widths, [float(width) * relative for width in widths], "bandwidths")
    wanted = REFERENCE.method(expected, "log_density", queries)
    terms = max(
        _normaliser_terms(KernelSpec(data.kernel.name, float(w), data.kernel.dof), dim) for w in widths
    )
    bound = [tolerances.vkde_log_density_bound(float(value), terms, relative, n, dim) for value in wanted]
    assert_within(candidate.method(actual, "log_density", queries), wanted, bound, "VKDE")

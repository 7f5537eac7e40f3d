"""The influence function of an implementation against that of the reference, at the same weights."""

from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.errors import RkdeError
from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem
from tests.support.compare import assert_relative_to_largest, assert_within
from tests.support.implementations import FAST, REFERENCE, Implementation, numbers
from tests.support.influence_conditioning import InfluenceAnalysis

ROWS: Final = 8
# With so many close rows f_med is none of them.
MORE_ROWS: Final = 12
# What is asked of well-conditioned problems.
WELL_CONDITIONED: Final = 1e-12
SEED: Final = 20120905
KERNELS: Final = (KernelSpec("gaussian", 1.0), KernelSpec("student", 1.0, 3.0), KernelSpec("laplacian", 0.75))
WIDE: Final = tuple(spec.widened(1e6) for spec in KERNELS)
LOSSES: Final = (
    LossSpec("quadratic"),
    LossSpec("absolute"),
    LossSpec("huber", (0.75,)),
    LossSpec("hampel", (0.5, 0.8, 1.4)),
)


def sample(size: int = ROWS, dim: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return rows, contaminating points (one far away, one beyond every kernel value) and queries."""
    rng = np.random.default_rng(SEED)
    X = rng.standard_normal((size, dim))
    x_new = np.vstack([rng.standard_normal((3, dim)), np.full((1, dim), 4.0), np.full((1, dim), 1e9)])
    return X, x_new, rng.standard_normal((4, dim))


def limit(X: Any, kernel: KernelSpec, loss: LossSpec) -> list[float]:
    found = FAST.call("fixed_point", X, kernel, loss)
    return [float(weight) for weight in found.weights]


def ask(implementation: Implementation, X: Any, kernel: KernelSpec, loss: LossSpec, *rest: Any) -> Any:
    arguments = (implementation.kernel(kernel), implementation.loss(loss))
    lists = [part.tolist() if isinstance(part, np.ndarray) else part for part in (X, *rest)]
    return implementation.call("influence", lists[0], *arguments, *lists[1:])


def assert_same(actual: Any, expected: Any, analysis: InfluenceAnalysis) -> None:
    assert actual.one_sided == expected.one_sided
    for index in range(len(expected.if_coef_new)):
        bounds = analysis.bounds(index)
        assert_within(actual.if_coef[index], expected.if_coef[index], bounds.if_coef, "alpha")
        assert_within(actual.if_coef_new[index], expected.if_coef_new[index], bounds.if_coef_new, "alpha'")
        assert_within(actual.influence[index], expected.influence[index], bounds.influence, "IF")
        assert_within(actual.if_at_new[index], expected.if_at_new[index], bounds.if_at_new, "alpha(x')")
        squares = [numbers([found.if_l2_norm[index]])[0] ** 2 for found in (actual, expected)]
        assert_within(*squares, analysis.squared_l2_bound(index), "beta squared")


def assert_same_digits(actual: Any, expected: Any, size: int) -> None:
    for name in ("if_coef", "influence", "if_at_new", "if_l2_norm"):
        bound = tolerances.influence_bound(size, 2, float(expected.condition))
        assert bound < WELL_CONDITIONED
        assert_relative_to_largest(getattr(actual, name), getattr(expected, name), bound, name)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda spec: spec.name)
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda spec: spec.name)
def test_influence(candidate: Implementation, kernel: KernelSpec, loss: LossSpec) -> None:
    X, x_new, queries = sample()
    weights = limit(X, kernel, loss)
    analysis = InfluenceAnalysis(X, kernel, loss, weights, x_new)
    assert analysis.is_regular()
    assert len(analysis.active) or loss.name == "quadratic"
    found, expected = (ask(each, X, kernel, loss, weights, x_new, queries) for each in (candidate, REFERENCE))
    assert_same(found, expected, analysis)
    assert_same_digits(found, expected, ROWS)
    assert_within(
        found.condition,
        expected.condition,
        tolerances.condition_bound(float(expected.condition)),
        "condition",
    )


@pytest.mark.parametrize("loss", [LossSpec("quadratic"), LossSpec("absolute")], ids=lambda spec: spec.name)
@pytest.mark.parametrize("kernel", WIDE, ids=lambda spec: spec.name)
def test_close_points(candidate: Implementation, kernel: KernelSpec, loss: LossSpec) -> None:
    """All kernel values are 1 but for 1e-6 or 1e-12: the fields keep their digits relative to themselves."""
    X, x_new, queries = sample(MORE_ROWS)
    weights = limit(X, kernel, loss)
    found, expected = (
        ask(each, X, kernel, loss, weights, x_new[:4], queries) for each in (candidate, REFERENCE)
    )
    assert_same_digits(found, expected, MORE_ROWS)


@st.composite
def requests(draw: st.DrawFn) -> tuple[Problem, LossSpec, list[list[float]]]:
    problem = draw(strategies.mild_problems(min_samples=1))
    dim = len(problem.X[0])
    point = st.lists(strategies.coordinates(), min_size=dim, max_size=dim)
    return problem, draw(strategies.losses()), draw(st.lists(point, min_size=1, max_size=3))


@given(request=requests())
def test_any_problem(candidate: Implementation, request: tuple[Problem, LossSpec, list[list[float]]]) -> None:
    problem, loss, x_new = request
    try:
        weights = limit(problem.X, problem.kernel, loss)
    except RkdeError:
        weights = [1 / len(problem.X)] * len(problem.X)
    expected, found = (
        answer_or_error(each, problem, loss, weights, x_new) for each in (REFERENCE, candidate)
    )
    analysis = InfluenceAnalysis(problem.X, problem.kernel, loss, weights, x_new)
    if analysis.is_regular():
        assert type(found) is type(expected) or not isinstance(found, RkdeError) | isinstance(
            expected, RkdeError
        )
        if not isinstance(expected, RkdeError):
            assert_same(found, expected, analysis)


def answer_or_error(
    implementation: Implementation, problem: Problem, loss: LossSpec, weights: Any, x_new: Any
) -> Any:
    try:
        return ask(implementation, problem.X, problem.kernel, loss, weights, x_new, x_new)
    except RkdeError as error:
        return error

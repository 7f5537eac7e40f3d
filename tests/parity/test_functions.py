"""Functions of rows, a kernel and weights: the same answers at named and at adversarial data, or refusals."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given

from rkde.errors import DegenerateBandwidth
from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem
from tests.support.compare import assert_within
from tests.support.conditioning import normaliser_terms
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import REFERENCE, Implementation, exact, numbers

FEW = 8  # rows among the queries
RULES = ("median_nn", "median_nn_distinct", "scott", "silverman")
WEIGHTS: dict[str, Callable[[int], list[float]]] = {
    "uniform": lambda n: [1.0] * n,
    "rising": lambda n: [float(index + 1) for index in range(n)],
    "heavy": lambda n: [1e-9] * (n - 1) + [1.0],
    "sparse": lambda n: [float(index % 2) for index in range(n)],
}


@dataclass(frozen=True)
class Function:
    """A public function, and by how much its answers may be off, from the right ones and the problem."""

    ask: Callable[[Implementation, Problem], Any]
    bounds: Callable[[Any, Problem], Any]


def queries(problem: Problem) -> list[list[float]]:
    """Return rows, the middle of two rows, a place beside a row, and places further and further out."""
    first, second = problem.X[0], problem.X[min(1, len(problem.X) - 1)]
    scale = float(problem.kernel.bandwidth)
    middle = [(left + right) / 2 for left, right in zip(first, second, strict=True)]
    return [
        *problem.X[:FEW],
        middle,
        *([cell + factor * scale for cell in second] for factor in (0.5, 5.0, 500.0)),
    ]


def kde_log_density(implementation: Implementation, problem: Problem) -> Any:
    estimate = implementation.call("kde", problem.X, problem.kernel)
    return implementation.method(estimate, "log_density", queries(problem))


def log_density_bounds(expected: Any, problem: Problem) -> list[float]:
    n, dim = len(problem.X), len(problem.X[0])
    terms = normaliser_terms(problem.kernel, dim)
    return [tolerances.log_density_bound(float(value), terms, n, dim) for value in expected]


def log_kernel_bounds(expected: Any, problem: Problem) -> list[float]:
    dim = len(problem.X[0])
    normaliser = float(REFERENCE.method(problem.kernel, "log_normaliser", dim))
    constant = tolerances.normaliser_bound(normaliser_terms(problem.kernel, dim), dim)
    return [
        abs(float(value) - normaliser) * tolerances.log_profile_bound(dim) + constant for value in expected
    ]


def residual_bounds(expected: Any, problem: Problem) -> list[float]:
    return tolerances.residual_bound([float(norm) for norm in expected], problem.weights, len(problem.X[0]))


def bandwidth_bound(expected: Any, problem: Problem) -> Any:
    return exact(tolerances.bandwidth_bound(len(problem.X[0]), len(problem.X))) * exact(expected)


def rule(name: str) -> Function:
    return Function(lambda implementation, problem: implementation.call(name, problem.X), bandwidth_bound)


FUNCTIONS = {
    "residual_norms": Function(
        lambda implementation, of: implementation.call("residual_norms", of.X, of.kernel, of.weights),
        residual_bounds,
    ),
    "log_density": Function(
        lambda implementation, of: implementation.call(
            "log_density", of.X, of.kernel, of.weights, queries(of)
        ),
        log_density_bounds,
    ),
    "kde": Function(kde_log_density, log_density_bounds),
    "log_kernel": Function(
        lambda implementation, of: implementation.method(of.kernel, "log_kernel", of.X[0], queries(of)),
        log_kernel_bounds,
    ),
    **{name: rule(name) for name in RULES},
}
# Of weights near each other, and of one that is nearly all, residual norms have other digits.
CASES = [("residual_norms", weighting) for weighting in WEIGHTS]
CASES += [(name, "sparse") for name in FUNCTIONS if name != "residual_norms"]

each_set = pytest.mark.parametrize("data", SMALL, ids=repr)


def weighted(data: NamedData, weighting: str) -> Problem:
    raw = WEIGHTS[weighting](len(data.X))
    return Problem(data.X, data.kernel, [entry / sum(raw) for entry in raw])


def assert_agree(candidate: Implementation, name: str, problem: Problem) -> None:
    function = FUNCTIONS[name]
    try:
        expected = function.ask(REFERENCE, problem)
    except DegenerateBandwidth:
        with pytest.raises(DegenerateBandwidth):
            function.ask(candidate, problem)
        return
    assert_within(function.ask(candidate, problem), expected, function.bounds(expected, problem), name)


@each_set
@pytest.mark.parametrize(("name", "weighting"), CASES)
def test_named_data(candidate: Implementation, data: NamedData, name: str, weighting: str) -> None:
    assert_agree(candidate, name, weighted(data, weighting))


@pytest.mark.parametrize("name", FUNCTIONS)
@given(problem=strategies.problems())
def test_adversarial_data(candidate: Implementation, name: str, problem: Problem) -> None:
    assert_agree(candidate, name, problem)


@each_set
@pytest.mark.parametrize("which", range(4))
def test_objective(candidate: Implementation, data: NamedData, which: int) -> None:
    of, loss = weighted(data, "rising"), REFERENCE.loss(data.losses[which])
    norms = [float(norm) for norm in FUNCTIONS["residual_norms"].ask(REFERENCE, of)]
    rho = [float(value) for value in REFERENCE.at_each(loss, "rho", norms)]
    bound = tolerances.objective_bound(loss, norms, rho, residual_bounds(norms, of))
    actual, expected = (
        implementation.call("objective", of.X, of.kernel, data.losses[which], of.weights)
        for implementation in (candidate, REFERENCE)
    )
    assert_within(actual, expected, bound, "J")


@each_set
@pytest.mark.parametrize("which", range(4))
def test_neg_gradient(candidate: Implementation, data: NamedData, which: int) -> None:
    of, loss = weighted(data, "rising"), REFERENCE.loss(data.losses[which])
    norms = [float(norm) for norm in FUNCTIONS["residual_norms"].ask(REFERENCE, of)]
    phi = [float(value) for value in REFERENCE.at_each(loss, "phi", norms)]
    errors = tolerances.phi_error(loss, norms, phi, residual_bounds(norms, of))
    actual, expected = (
        implementation.call("neg_gradient", of.X, of.kernel, data.losses[which], of.weights)
        for implementation in (candidate, REFERENCE)
    )
    assert_within(actual, expected, tolerances.neg_gradient_bound(phi, errors, of.weights), "V")


def test_known_differential_and_surrogate(implementation: Implementation) -> None:
    # D is 1 off the diagonal, so that the residual norms are 1/4 and 3/4, phi 1 and 1/2, and V (-1/16, 1/16).
    of = ([[0.0], [1.0]], KernelSpec("student", 1.0, 1.0), LossSpec("huber", (0.375,)), [0.75, 0.25])
    assert implementation.call("objective_differential", *of, [1.0, -2.0]) == 3 / 32
    # Where each norm is the other one's anchor: (11/128 + 9/32) / 2.
    assert implementation.call("surrogate_objective", *of, [0.25, 0.75]) == 47 / 256


def test_an_element_whose_square_is_rounded_below_zero_has_norm_zero(
    implementation: Implementation, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = implementation.kernel(KernelSpec("gaussian", 1.0))
    element = implementation.get("RkhsElement")([[0.0]] * 2, [1.0, -1.0], kernel)
    square = implementation.number(-tolerances.unit_roundoff())
    monkeypatch.setattr(type(element), "inner", lambda *_: square)
    assert implementation.method(element, "norm") == 0


def test_the_reference_keeps_what_coefficients_that_nearly_cancel_leave() -> None:
    # All kernel values are 1. The sum of the coefficients is half of a unit.
    unit = 2.0**-55
    coefficients = [1.0, -3 * unit, -1.0, 3.5 * unit]
    element = REFERENCE.get("RkhsElement")([[0.0]] * 4, coefficients, REFERENCE.get("Gaussian")(1))
    assert REFERENCE.method(element, "norm") == unit / 2


def test_copies_with_nearly_all_weight(candidate: Implementation) -> None:
    # Kernel values are 0 and 1, and no order rounds the sums: |Phi(x) - f|^2 = 2 s^2 exactly, at the copies.
    # It is less than half of the last digit of the 1 in 1 - 2 K w + w'K w.
    share = 2.0**-30
    problem = Problem([[0.0]] * 4 + [[100.0]], KernelSpec("gaussian", 1.0), [(1 - share) / 4] * 4 + [share])
    norms = FUNCTIONS["residual_norms"].ask(candidate, problem)
    expected = [math.sqrt(2) * share] * 4 + [math.sqrt(2) * (1 - share)]
    assert_within(norms, expected, residual_bounds(expected, problem), "residual norms")
    assert_agree(candidate, "residual_norms", problem)


@each_set
@pytest.mark.parametrize("rule", ["abramson", "geometric"])
def test_vkde(candidate: Implementation, data: NamedData, rule: str) -> None:
    of = weighted(data, "uniform")
    n, dim = len(of.X), len(of.X[0])
    expected, actual = (each.call("vkde", of.X, of.kernel, rule=rule) for each in (REFERENCE, candidate))
    pilots = REFERENCE.call("log_density", of.X, of.kernel, of.weights, of.X)
    pilot_bound = max(log_density_bounds(pilots, of))
    eta_bound = tolerances.log_mean_bound(pilot_bound, n)
    assert_within(actual.log_eta, expected.log_eta, eta_bound, "log eta")
    widths = numbers(expected.bandwidths)
    relative = tolerances.vkde_bandwidth_bound(pilot_bound, eta_bound)
    assert_within(actual.bandwidths, widths, [float(width) * relative for width in widths], "bandwidths")
    places = queries(of)[-5:]
    wanted = REFERENCE.method(expected, "log_density", places)
    terms = max(normaliser_terms(KernelSpec(of.kernel.name, float(w), of.kernel.dof), dim) for w in widths)
    bound = [tolerances.vkde_log_density_bound(float(value), terms, relative, n, dim) for value in wanted]
    assert_within(candidate.method(actual, "log_density", places), wanted, bound, "VKDE")


def test_known_bandwidths(implementation: Implementation) -> None:
    # Nearest other rows of 0, 0, 1, 3, 7 are at 0, 0, 1, 2, 4; nearest at a positive distance 1, 1, 1, 2, 4.
    X = [[0], [0], [1], [3], [7]]
    assert implementation.call("median_nn", X) == 1
    assert implementation.call("median_nn_distinct", X) == 1
    # Even n: the mean of the middle two of 1, 1, 3, 6.
    assert implementation.call("median_nn", [[0], [1], [4], [10]]) == 2

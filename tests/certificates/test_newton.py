"""Newton's method towards the limit: the number of right digits doubles, and the iteration ends there."""

from __future__ import annotations

import itertools
from typing import Final

import pytest
from mpmath import mpf

import rkde.reference
from rkde.proofs_checks import tolerances
from rkde.reference import make_context
from rkde.vocabulary import Stationarity
from tests.certificates.instances import Instance, instances
from tests.support.implementations import EXACT, FAST, REFERENCE, exact

DIGITS: Final = 100
CTX: Final = make_context(DIGITS)
FINER: Final = make_context(3 * DIGITS)
# Twelve rows or fewer of each loss, whose limits KIRWLS alone approaches slowly.
CHOSEN: Final = (13, 15, 80, 95, 96, 111)
PROBLEMS: Final = [instance for instance in instances() if instance.index in CHOSEN]
# Right digits of J between which the order is judged: past the first steps, before the precision ends.
JUDGED: Final = (10, DIGITS / 2 - 2)
# Twice the digits, but for the constant of the quadratic term.
ORDER: Final = 1.9

each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=repr)


def limit(context, problem: Instance):
    kernel, loss = REFERENCE.kernel(problem.kernel), REFERENCE.loss(problem.loss)
    return rkde.reference.fixed_point(context, problem.X, kernel, loss)


def right_digits(path: tuple[mpf, ...], end: mpf) -> list[float]:
    """Minus the logarithm of (J_k - J*) / J*, of the order of the squared distance from the limit."""
    errors = [abs(exact(value) - exact(end)) / exact(end) for value in path]
    return [float(-FINER.log10(FINER.convert(error))) for error in errors if error]


@each_problem
def test_the_number_of_right_digits_doubles(problem: Instance) -> None:
    found = limit(CTX, problem)
    digits = right_digits(found.objective_path, limit(FINER, problem).objective)
    judged = [(now, then) for now, then in itertools.pairwise(digits) if JUDGED[0] <= now <= JUDGED[1]]
    assert judged
    assert all(then >= ORDER * now for now, then in judged)


@each_problem
def test_a_hundred_digits_take_few_steps(problem: Instance) -> None:
    found = limit(CTX, problem)
    kernel, loss = REFERENCE.kernel(problem.kernel), REFERENCE.loss(problem.loss)
    plain = rkde.reference.kirwls(CTX, problem.X, kernel, loss, stop=Stationarity("1e-100"), max_iter=1000)
    assert found.n_iter <= 13
    assert plain.n_iter > 3 * found.n_iter
    assert found.fixed_point_residual <= tolerances.reference_bound(DIGITS)
    bound = exact(found.weights_error_bound) + exact(tolerances.printed_digits(DIGITS))
    for fast_path, slow_path in zip(found.weights, plain.weights, strict=True):
        # KIRWLS alone, stopped at a residual of 1e-100, is within that over its margin of the limit.
        assert abs(exact(fast_path) - exact(slow_path)) <= bound / exact(found.curvature_margin)


@each_problem
def test_float64_ends_at_the_last_digits(problem: Instance) -> None:
    found = FAST.call("fixed_point", problem.X, FAST.kernel(problem.kernel), FAST.loss(problem.loss))
    target = limit(CTX, problem).weights
    largest = max(exact(weight) for weight in target)
    assert EXACT.isfinite(exact(found.weights_error_bound))
    for weight, end in zip(found.weights, target, strict=True):
        assert abs(exact(weight) - exact(end)) <= largest * exact(tolerances.printed_digits(14))

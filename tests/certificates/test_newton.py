"""Newton's method towards the limit: the number of right digits doubles, and the iteration ends there."""

import dataclasses
import itertools
from typing import Final

import numpy as np
import pytest
from mpmath import mpf

import rkde.fast as rk
import rkde.reference
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import iteration, newton
from rkde.fast.solvers.fixed_point import LimitIteration
from rkde.proofs_checks import tolerances
from rkde.reference import make_context
from rkde.reference.numbers import rounding_level, unit_masses
from rkde.reference.solvers.fixed_point import LimitIteration as ReferenceIteration
from rkde.reference.solvers.kirwls import iterate_at, next_weights
from rkde.reference.solvers.newton import curvature, trust_region
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
    found = FAST.call("fixed_point", problem.X, problem.kernel, problem.loss)
    target = limit(CTX, problem).weights
    largest = max(exact(weight) for weight in target)
    assert EXACT.isfinite(exact(found.weights_error_bound))
    for weight, end in zip(found.weights, target, strict=True):
        assert abs(exact(weight) - exact(end)) <= largest * exact(tolerances.printed_digits(14))


@pytest.mark.parametrize("loss", [rk.Huber(0.3), rk.Hampel(0.5, 0.75, 1.1)], ids=lambda loss: loss.name)
def test_a_newton_step_that_raises_j_is_not_taken(loss: rk.Loss) -> None:
    X, kernel = [[0.0], [0.5], [1.25], [2.0], [6.0]], rk.Gaussian(1.0)
    iteration = LimitIteration(DenseOperator(X, kernel), loss, np.full(5, 1 / 5))
    before = iteration._state
    limit, _ = iteration._iterate_at(rk.fixed_point(X, kernel, loss).weights)
    raised = dataclasses.replace(limit, objective=before.objective * (1 + 2.0**-40))
    assert iteration._is_progress(before, limit)
    assert not iteration._is_progress(before, raised)


def test_newtons_method_is_tried_where_no_step_has_shown_a_rate() -> None:
    loss, rows, masses = rkde.reference.Huber("0.3"), [[0], ["0.5"], ["1.25"], [2], [6]], unit_masses(CTX, 5)
    distances = rkde.reference.distance_matrix(CTX, rows, rkde.reference.Gaussian(1))
    iteration = ReferenceIteration(CTX, distances, loss, masses.shares, masses, follows=False)
    assert rounding_level(CTX) < iteration.residual() < 1
    assert iteration._newton_pays()


@pytest.mark.parametrize(
    "loss", [rkde.reference.Huber("0.3"), rkde.reference.Hampel("0.3", "0.8", "1.4")], ids=repr
)
def test_a_trust_region_is_proved_near_a_limit_and_not_far_from_it(loss) -> None:
    kernel, rows = rkde.reference.Gaussian(1), [[0], ["0.5"], ["1.25"], [2], [6]]
    distances = rkde.reference.distance_matrix(CTX, rows, kernel)
    masses = unit_masses(CTX, len(rows))
    limit = rkde.reference.fixed_point(CTX, rows, kernel, loss).weights
    uniform = (CTX.mpf(1) / len(rows),) * len(rows)
    found = []
    for weights in (limit, uniform):
        iterate = iterate_at(CTX, distances, loss, weights, masses)
        at = curvature(CTX, distances, loss, iterate.norms, masses)
        after = next_weights(CTX, loss, iterate.norms, masses)
        region = trust_region(CTX, distances, loss, iterate, after, at, masses)
        found.append(region is not None)
    assert found == [True, False]


def test_no_ball_is_shown_where_a_step_is_long_for_the_curvature_that_is_asked_for() -> None:
    """All rows are quadratic, so that only kinks bound the radius."""
    loss, uneven = rk.Huber(1.3), np.array([0.15, 0.2, 0.25, 0.2, 0.2])
    operator = DenseOperator([[0.0], [0.5], [1.25], [2.0], [6.0]], rk.Gaussian(3.0))
    state = iteration.iterate_at(operator, loss, uneven)
    after, at = uneven + 2.0**-10 * (1 / 5 - uneven), newton.curvature(operator, loss, state)
    assert at is not None
    found = [
        newton.trust_region(operator, loss, state, after, at, margin) for margin in (at.phi_sum, 2.0**-30)
    ]
    assert [region is not None for region in found] == [True, False]


@pytest.mark.parametrize("share", [2.0, 0.5])
def test_a_newton_step_is_proposed_only_within_the_ball_of_its_branch(share: float) -> None:
    X, kernel, loss = [[0.0], [0.5], [1.25], [2.0], [6.0]], rk.Gaussian(1.0), rk.Hampel(0.5, 0.75, 1.1)
    operator = DenseOperator(X, kernel)
    near = rk.kirwls(X, kernel, loss, stop=Stationarity(1e-6)).weights
    step = newton.distance_between(operator, near, rk.fixed_point(X, kernel, loss).weights)
    follower = LimitIteration(operator, loss, near)
    # Newton's step ends at the limit but for a share of the way there that shrinks with it.
    follower._region = newton.TrustRegion(near, share * step)
    assert (follower._newton_proposal() is not None) == (share > 1)


def test_a_loss_that_is_not_convex_is_followed_to_the_limit_of_its_own_start() -> None:
    """Newton's method, free to go to any minimum, goes to the other one."""
    X, kernel, loss = [[1.75], [5.5], [2.0], [4.75]], rk.Gaussian(1.0), rk.Hampel(0.5, 1.0, 1.125)
    start = [0.25, 0.375, 0.25, 0.125]
    found = rk.fixed_point(X, kernel, loss, weights_init=start)
    plain = rk.kirwls(X, kernel, loss, weights_init=start, stop=Stationarity(1e-12))
    assert np.abs(found.weights - plain.weights).max() <= tolerances.printed_digits(6)


@pytest.mark.parametrize(
    ("loss", "rows", "masses", "is_unique"),
    [
        (rk.Huber(0.5), 3, None, True),
        (rk.Huber(0.5), 2, None, False),
        (rk.Huber(0.5), 3, [1.0, 1.2, -0.1], False),
        (rk.Hampel(0.5, 0.75, 1.25), 3, None, False),
    ],
    ids=["three places", "two places", "a negative mass", "a loss that is not convex"],
)
def test_a_descent_may_be_trusted_only_where_j_has_one_minimum(
    loss: rk.Loss, rows: int, masses: list[float] | None, is_unique: bool
) -> None:
    operator = DenseOperator([[0.0], [1.0], [3.0]][:rows], rk.Gaussian(1.0))
    operator = operator if masses is None else operator.with_masses(np.array(masses))
    assert LimitIteration(operator, loss, iteration.shares_of(operator))._is_unique == is_unique


def test_newton_steps_halve_the_way_to_a_limit_in_which_each_row_counts() -> None:
    X, kernel, loss = (
        np.random.default_rng(4).normal(size=(12, 1)),
        rk.Gaussian(1.5),
        rk.Hampel(0.25, 0.5, 1.2),
    )
    found = rk.fixed_point(X, kernel, loss)
    plain = rk.kirwls(X, kernel, loss, stop=Stationarity(1e-14), max_iter=1000)
    assert found.weights.min() > 0
    assert 2 * found.n_iter <= plain.n_iter

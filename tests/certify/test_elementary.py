"""Single values and fixed numbers of steps hold what the reference computes with many more digits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rkde.reference
from rkde.errors import AllWeightsZero, InvalidInput
from rkde.proofs_checks.strategies import (
    LossSpec,
    Problem,
    build_kernel,
    build_loss,
    examples,
    losses,
    problems,
)
from rkde.reference import Absolute, Gaussian, Hampel, Huber, Laplacian, Quadratic, Student, make_context
from rkde.reference.rkhs import log_density, residual_norms
from rkde.reference.solvers import kirwls
from rkde.vocabulary import FixedSteps
from tests.certify.holding import BITS, REFERENCE_DIGITS, hold_all, holds, scattered
from tests.support.balls import certify

CTX = make_context(REFERENCE_DIGITS)
KERNELS = [Gaussian("0.7"), Student("0.7", "2.5"), Laplacian("0.7"), Gaussian("1e-8"), Student("1e8", 1)]
LOSSES = [Quadratic(), Absolute(), Huber("0.3"), Hampel("0.3", "0.5", "1.1")]
# The kinks themselves, spelled in decimals that no binary number equals, and points around them.
ARGUMENTS = ["0", "1e-30", "0.2", "0.3", "0.4", "0.5", "0.75", "1.1", "1.2", "1e30"]


@pytest.mark.parametrize("t", ARGUMENTS)
@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
def test_losses_hold_the_reference(loss, t) -> None:
    values = certify.enclose_loss(loss, t, bits=BITS)
    for name in ("rho", "psi", "psi_prime", "q"):
        assert holds(getattr(values, name), getattr(loss, name)(CTX, t)), name
    if loss.name == "absolute" and t == "0":
        assert not values.phi.is_finite()
    else:
        assert holds(values.phi, loss.phi(CTX, t))
    left = loss.q_left(CTX, t)
    assert values.q_left is None if left is None else holds(values.q_left, left)


def test_a_loss_is_decided_exactly_at_a_kink() -> None:
    values = certify.enclose_loss(Hampel("0.1", "0.2", "0.3"), "0.2", bits=BITS)
    assert values.psi_prime.contains(-1)
    assert not values.psi_prime.contains(0)
    assert not values.q.overlaps(values.q_left)


@pytest.mark.parametrize("t", ["-1e-30", "nan", float("inf")])
def test_losses_refuse_what_is_no_norm(t) -> None:
    with pytest.raises(InvalidInput):
        certify.enclose_loss(Quadratic(), t)


@pytest.mark.parametrize("dim", [1, 2, 30])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_log_kernels_hold_the_reference(kernel, dim) -> None:
    Y = [*scattered(3, dim, seed=1), [0.0] * dim, [1e200] * dim]
    x = [0.0] * dim
    assert hold_all(certify.enclose_log_kernel(kernel, x, Y, bits=BITS), kernel.log_kernel(CTX, x, Y))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_log_densities_hold_the_reference(kernel) -> None:
    X = scattered(7, 2)
    weights = [0.25, 0.25, 0.5, 0.0, 0.0, 0.0, 0.0]
    queries = [X[0], [0.0, 0.0], [40.0, -3.0], [1e6, 1e6], [1e300, 0.0]]
    balls = certify.enclose_log_density(X, kernel, weights, queries, bits=BITS)
    assert hold_all(balls, log_density(CTX, X, kernel, weights, queries))
    assert certify.enclose_log_density(X, kernel, weights, []) == []


@examples(0.5)
@given(problem=problems(), loss=losses(), count=st.integers(0, 3))
def test_steps_hold_the_reference(problem: Problem, loss: LossSpec, count: int) -> None:
    kernel, built = build_kernel(rkde.reference, problem.kernel), build_loss(rkde.reference, loss)
    arguments = (problem.X, kernel, built, problem.weights)
    try:
        steps = certify.enclose_steps(*arguments, count, bits=BITS)
    except AllWeightsZero:
        with pytest.raises(AllWeightsZero):
            kirwls(CTX, *arguments[:3], weights_init=problem.weights, stop=FixedSteps(count))
        return
    except certify.UnprovedError:
        return  # balls that do not decide a step say so; test_most_steps_are_decided counts them
    if len({tuple(row) for row in problem.X}) == 1:
        return  # the reference answers 1/n without a step
    run = kirwls(CTX, *arguments[:3], weights_init=problem.weights, stop=FixedSteps(count))
    assert hold_all(steps.weights, run.weights)
    assert hold_all(steps.objectives, run.objective_path)


@examples(1)
@given(problem=problems())
def test_residual_norms_hold_the_reference(problem: Problem) -> None:
    kernel = build_kernel(rkde.reference, problem.kernel)
    balls = certify.enclose_residual_norms(problem.X, kernel, problem.weights, bits=BITS)
    assert hold_all(balls, residual_norms(CTX, problem.X, kernel, problem.weights))


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: loss.name)
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_most_steps_are_decided(kernel, loss) -> None:
    X = scattered(8, 2)
    steps = certify.enclose_steps(X, kernel, loss, [0.125] * 8, 5)
    run = kirwls(CTX, X, kernel, loss, stop=FixedSteps(5))
    assert hold_all(steps.weights, run.weights)
    assert certify.enclose_objective(X, kernel, loss, [0.125] * 8).overlaps(steps.objectives[0])


@pytest.mark.parametrize(
    ("X", "loss", "weights", "count", "expected"),
    [
        # Residuals that are exactly 0 share the weight.
        ([[0], [0], [1], [3]], Absolute(), [0.25, 0.75, 0, 0], 1, [0.5, 0.5, 0, 0]),
        ([[0], [0], [1]], Huber("0.5"), ["0.125", "0.375", "0.5"], 0, [0.125, 0.375, 0.5]),
    ],
    ids=["on a row", "no step"],
)
def test_steps_that_are_exact(X, loss, weights, count, expected) -> None:
    steps = certify.enclose_steps(X, Gaussian(1), loss, weights, count)
    assert [float(weight) for weight in steps.weights] == expected


def test_a_step_where_all_rows_are_rejected() -> None:
    with pytest.raises(AllWeightsZero):
        certify.enclose_steps([[0], [100]], Gaussian(1), Hampel("0.1", "0.2", "0.3"), [0.5, 0.5], 1)


def test_distances_of_weights() -> None:
    X, kernel = scattered(6, 2), Gaussian(1)
    target = certify.certify_median(X, kernel).weights
    uniform = [1 / 6] * 6
    norm, largest = certify.enclose_distance(X, kernel, uniform, target)
    assert norm > 0
    assert all(largest >= (weight - uniform[0]).abs_lower() for weight in target)
    own = certify.enclose_distance(X, kernel, [float(weight) for weight in target], target)
    assert own[0] < norm
    assert own[1] < largest

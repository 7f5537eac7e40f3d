"""Anderson acceleration follows KIRWLS: the same stationary point, J never above, one product a step."""

from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import rkde.fast as rk
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import Iterate, certify
from rkde.fast.solvers.iteration import AndersonStep, _mixing, _Pair
from rkde.proofs_checks import tolerances
from rkde.vocabulary import RelativeObjective, Stationarity, Status

SEED: Final = 20_121_106
STOP: Final = Stationarity(1e-12)
# Two stopped runs on the way to one limit agree to this share of the largest weight, others do not.
SAME_POINT: Final = tolerances.printed_digits(6)

Array = NDArray[np.float64]


def contaminated(size: int, dim: int, seed: int) -> Array:
    """Two clusters, and a tenth of the rows on a large cube."""
    rng = np.random.default_rng([SEED, seed])
    X = rng.normal(size=(size, dim))
    X[: size // 3, 0] += 4
    X[-(size // 10) :] = rng.uniform(-8, 8, size=(size // 10, dim))
    return X


def fit(X: Array, scale: float) -> tuple[DenseOperator, rk.Hampel, Array]:
    """The recipe's loss and start at a multiple of the median nearest-neighbour distance."""
    operator = DenseOperator(X, rk.Gaussian(scale * rk.median_nn(X)))
    median = rk.median_rkde(X, operator.kernel, operator=operator)
    return operator, rk.Hampel(*rk.thresholds(median.residual_norms)), median.weights


def run(operator: DenseOperator, loss: Any, start: Array, solver: Any, stop: Any = STOP) -> Any:
    named = {"weights_init": start, "stop": stop, "operator": operator, "solver": solver}
    return rk.kirwls(operator.X, operator.kernel, loss, **named)


SHAPES: Final = ((1, 8), (2, 1), (2, 4), (6, 1))
CASES: Final = [(size, dim, scale, seed) for size in (60, 150) for dim, scale in SHAPES for seed in range(2)]
each_case = pytest.mark.parametrize(("size", "dim", "scale", "seed"), CASES)


@each_case
def test_it_descends_to_the_point_that_kirwls_reaches(size: int, dim: int, scale: float, seed: int) -> None:
    operator, loss, start = fit(contaminated(size, dim, seed), scale)
    plain, fast = (run(operator, loss, start, solver) for solver in ("plain", "anderson"))
    assert plain.status is fast.status is Status.CONVERGED
    assert np.abs(plain.weights - fast.weights).max() <= SAME_POINT * plain.weights.max()
    assert fast.fixed_point_residual <= STOP.tol
    path = fast.objective_path
    assert (np.diff(path) <= tolerances.objective_slack(size, dim) * path[:-1]).all()


@each_case
def test_a_step_is_nonnegative_lies_not_above_plain_and_costs_one_product(
    size: int, dim: int, scale: float, seed: int
) -> None:
    operator, loss, start = fit(contaminated(size, dim, seed), scale)
    norms = operator.residual_norms(start)
    state = Iterate(start, norms, float(np.mean(loss.rho(norms))))
    step = AndersonStep(operator, loss)
    for count in range(12):
        plain = rk.kirwls_step(operator.X, operator.kernel, loss, state.weights, operator=operator)
        lowest = rk.objective(operator.X, operator.kernel, loss, plain, operator=operator)
        before = operator.products
        state = step(state, is_last=False)
        # The first call lacks the product of the given weights.
        assert operator.products - before == (2 if count == 0 else 1)
        assert (state.weights >= 0).all()
        assert state.weights.sum() == pytest.approx(1, rel=tolerances.sum_bound(8 * size))
        assert state.objective <= lowest * (1 + tolerances.objective_slack(size, dim))


def test_some_extrapolations_are_accepted_and_save_products() -> None:
    products = {}
    for solver in ("plain", "anderson"):
        total = 0
        for size, dim, scale, seed in CASES:
            operator, loss, start = fit(contaminated(size, dim, seed), scale)
            before = operator.products
            run(operator, loss, start, solver)
            total += operator.products - before
        products[solver] = total
    assert products["anderson"] < products["plain"]


def test_the_last_step_is_one_of_kirwls() -> None:
    operator, loss, start = fit(contaminated(150, 2, 0), 4)
    # With a loose rule an extrapolation is what the iteration ends in, unless a plain step follows.
    for tol in (1e-2, 1e-4, 1e-6):
        rule = Stationarity(tol)
        result = run(operator, loss, start, "anderson", rule)
        step = AndersonStep(operator, loss)
        norms = operator.residual_norms(start)
        state = Iterate(start, norms, float(np.mean(loss.rho(norms))))
        for _ in range(result.n_iter - 1):
            state = step(state, is_last=False)
        plain = rk.kirwls_step(operator.X, operator.kernel, loss, state.weights, operator=operator)
        bound = tolerances.sum_bound(8 * len(start)) * plain.max()
        np.testing.assert_allclose(result.weights, plain, rtol=0, atol=bound)
        assert len(result.objective_path) == result.n_iter + 1


@pytest.mark.parametrize("stop", [STOP, RelativeObjective(1e-8)], ids=lambda stop: type(stop).__name__)
def test_the_products_of_a_run(stop: Any) -> None:
    operator, loss, start = fit(contaminated(150, 2, 1), 4)
    before = operator.products
    result = run(operator, loss, start, "anderson", stop)
    done = operator.products - before
    certify(operator, loss, result.weights)
    of_the_bound = operator.products - before - done
    # One for the first residual norms, one for the start's own product, one a step.
    assert done - of_the_bound <= result.n_iter + 2
    assert result.solver == "anderson"


def test_the_recipe_passes_it_on() -> None:
    X = contaminated(150, 2, 0)
    plain, fast = (rk.rkde(X, stop=STOP, solver=solver) for solver in ("plain", "anderson"))
    assert (plain.solver, fast.solver) == ("plain", "anderson")
    assert plain.thresholds == fast.thresholds
    assert np.abs(plain.weights - fast.weights).max() <= SAME_POINT * plain.weights.max()


def test_an_extrapolation_has_the_least_change() -> None:
    """Between locations far from each other D e = -2 e; of e two orthogonal differences are taken off."""
    changes = np.array([[3.0, 0.0, -1.0, -2.0], [1.0, 2.0, -1.0, -2.0], [3.0, 0.0, -3.0, 0.0]])
    last, *earlier = (_Pair(each, each, each, -2 * each) for each in changes)
    assert _mixing(earlier, last).tolist() == [3 / 4, 1 / 4]


def test_other_losses_reach_their_only_minimum() -> None:
    operator, _, start = fit(contaminated(60, 2, 0), 2)
    for loss in (rk.Absolute(), rk.Huber(0.8)):
        plain, fast = (run(operator, loss, start, solver) for solver in ("plain", "anderson"))
        assert np.abs(plain.weights - fast.weights).max() <= SAME_POINT * plain.weights.max()


def test_a_cap_is_kept() -> None:
    operator, loss, start = fit(contaminated(150, 2, 0), 4)
    named = {"weights_init": start, "stop": STOP, "solver": "anderson", "operator": operator}
    result = rk.kirwls(operator.X, operator.kernel, loss, max_iter=3, **named)
    assert result.status is Status.MAX_ITER
    # The plain step at the end comes on top.
    assert result.n_iter <= 4

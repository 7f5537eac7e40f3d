"""One location, two, a majority, and three on a line: where weights, thresholds or bandwidths degenerate."""

import warnings
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde import errors
from rkde.errors import DegenerateBandwidth, DegenerateThresholds
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate, Status
from tests.support.compare import assert_within
from tests.support.implementations import Implementation, exact, numbers
from tests.support.soundness import assert_sound, assert_sound_model

LOSSES = ("Quadratic", "Absolute", "Huber", "Hampel")
PARAMETERS = {"Quadratic": (), "Absolute": (), "Huber": (0.5,), "Hampel": (0.5, 0.75, 1.0)}
SINGLE = {"n = 1": [[1.5, -2.0]], "n = 3, all equal": [[3.0]] * 3, "far away": [[1e300]] * 2}

each_loss = pytest.mark.parametrize("loss", LOSSES)
each_single = pytest.mark.parametrize("X", SINGLE.values(), ids=SINGLE)


def _loss(implementation: Implementation, name: str) -> Any:
    return implementation.get(name)(*PARAMETERS[name])


def _kernel(implementation: Implementation, bandwidth: float = 1.0) -> Any:
    return implementation.get("Gaussian")(bandwidth)


@each_single
@each_loss
def test_kirwls_at_a_single_location(implementation: Implementation, X: Any, loss: str) -> None:
    result = implementation.call("kirwls", X, _kernel(implementation), _loss(implementation, loss))
    assert_sound(result)
    assert (result.status, result.n_iter) == (Status.SINGLE_LOCATION, 0)
    assert numbers(result.residual_norms) == [0] * len(X)
    assert numbers(result.objective) == [0]
    assert len(set(numbers(result.weights))) == 1


@each_single
@each_loss
def test_the_limit_at_a_single_location(implementation: Implementation, X: Any, loss: str) -> None:
    result = implementation.call("fixed_point", X, _kernel(implementation), _loss(implementation, loss))
    assert_sound(result)
    assert result.status is Status.SINGLE_LOCATION
    assert result.certificate is Certificate.GLOBAL
    assert numbers(result.error_bound) == [0]


@each_single
@each_loss
def test_the_recipe_at_a_single_location(implementation: Implementation, X: Any, loss: str) -> None:
    model = implementation.call("rkde", X, bandwidth=2.0, loss=implementation.get(loss))
    assert_sound_model(model)
    assert model.status is Status.SINGLE_LOCATION
    assert set(numbers(model.thresholds or ())) <= {exact(0)}
    with pytest.raises(DegenerateBandwidth):
        implementation.call("rkde", X, loss=implementation.get(loss))
    with pytest.raises(DegenerateBandwidth):
        implementation.call("rkde", X, loss=implementation.get(loss), on_degenerate="warn")


@each_single
def test_one_step_at_a_single_location_stays(implementation: Implementation, X: Any) -> None:
    for loss in LOSSES:
        weights = implementation.call(
            "kirwls_step", X, _kernel(implementation), _loss(implementation, loss), [1 / len(X)] * len(X)
        )
        assert len(set(numbers(weights))) == 1


@each_single
def test_densities_at_a_single_location_are_one_kernel(implementation: Implementation, X: Any) -> None:
    kernel = _kernel(implementation)
    (alone,) = implementation.method(kernel, "log_kernel", X[0], X[:1])
    for estimator in ("kde", "vkde"):
        model = implementation.call(estimator, X, kernel)
        (value,) = implementation.method(model, "log_density", X[:1])
        bound = tolerances.vkde_log_density_bound(float(alone), 2, tolerances.sum_bound(8), len(X), len(X[0]))
        assert_within(value, alone, bound, estimator)


PAIRS = {"distinct": [[0.0], [3.0]], "twice each": [[0.0], [3.0], [3.0], [0.0]]}


@pytest.mark.parametrize("X", PAIRS.values(), ids=PAIRS)
def test_two_equal_locations(implementation: Implementation, X: Any) -> None:
    n = len(X)
    median = implementation.call("median_rkde", X, _kernel(implementation))
    assert_sound(median)
    assert_within(median.weights, [exact(1) / n] * n, tolerances.sum_bound(1), "f_med")
    with pytest.raises(DegenerateThresholds):
        implementation.call("rkde", X, bandwidth=1.0)


def test_two_unequal_locations(implementation: Implementation) -> None:
    X = [[0.0], [3.0], [0.0]]
    median = implementation.call("median_rkde", X, _kernel(implementation))
    assert [float(weight) for weight in median.weights] == [0.5, 0.0, 0.5]
    assert median.certificate is Certificate.GLOBAL
    with pytest.raises(DegenerateThresholds):
        implementation.call("rkde", X, bandwidth=1.0)


MAJORITY = [[0.0, 0.0]] * 6 + [[1.0, 0.0], [0.0, 2.0], [3.0, 1.0], [-1.0, 1.0], [4.0, 4.0]]


def test_a_majority_location_makes_a_zero(implementation: Implementation) -> None:
    median = implementation.call("median_rkde", MAJORITY, _kernel(implementation))
    assert_sound(median)
    assert [float(weight) > 0 for weight in median.weights] == [True] * 6 + [False] * 5
    for loss in ("Huber", "Hampel"):
        with pytest.raises(DegenerateThresholds):
            implementation.call("rkde", MAJORITY, bandwidth=1.0, loss=implementation.get(loss))
    with pytest.raises(DegenerateBandwidth):
        implementation.call("rkde", MAJORITY)


def test_a_majority_location_as_the_start_is_the_limit(implementation: Implementation) -> None:
    rows, start = [[0.0], [0.0], [-1.0], [1.25]], [0.5, 0.5, 0.0, 0.0]
    kernel, loss = implementation.get("Gaussian")(1), implementation.get("Absolute")()
    found = implementation.call("fixed_point", rows, kernel, loss, weights_init=start)
    assert (list(found.weights), found.n_iter) == (start, 0)


@pytest.mark.parametrize("scale", [1.0, 1e-3, 50.0])
def test_corners_of_a_square(implementation: Implementation, scale: float) -> None:
    # Every row sees the same: all distances to f_med are equal, a = b = c, and weights stay 1/4.
    X = [[0.0, 0.0], [0.0, scale], [scale, 0.0], [scale, scale]]
    median = implementation.call("median_rkde", X, _kernel(implementation))
    assert_within(median.weights, [0.25] * 4, tolerances.sum_bound(8), "f_med")
    with pytest.raises(DegenerateThresholds):
        implementation.call("rkde", X, bandwidth=1.0)
    with pytest.raises(DegenerateThresholds):
        implementation.call("rkde", X)


FALL_BACKS = {
    "two rows": [[0.0], [3.0]],
    "square": [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]],
    "isolated": [[0.0], [100.0], [200.0], [300.0], [400.0]],
    "majority": MAJORITY,
}


@pytest.mark.parametrize("X", FALL_BACKS.values(), ids=FALL_BACKS)
def test_the_fall_back_ends_after_f_med(implementation: Implementation, X: Any) -> None:
    with pytest.warns(errors.DegenerateThresholdsWarning):
        model = implementation.call("rkde", X, bandwidth=1.0, on_degenerate="warn")
    assert_sound_model(model)
    assert model.status is Status.DEGENERATE_THRESHOLDS
    assert numbers(model.weights) == numbers(model.median.weights)


def test_the_fall_back_of_the_bandwidth_is_recorded(implementation: Implementation) -> None:
    X = [[4.0], [4.0], [4.0], [4.0], [9.0], [1.0], [2.5], [3.5]]
    assert implementation.call("median_nn_distinct", X) > 0
    with pytest.raises(DegenerateBandwidth):
        implementation.call("rkde", [*X[:4], [9.0]])
    with pytest.warns(errors.DegenerateBandwidthWarning):
        model = implementation.call(
            "rkde", [*X[:4], [9.0]], on_degenerate="warn", loss=implementation.get("Absolute")
        )
    assert model.bandwidth_rule == "median_nn_distinct"
    assert float(model.bandwidth) == 5


@pytest.mark.parametrize(
    ("n", "abc"), [(5, (0.5, 0.75, 2.0)), (22, (0.3, 0.4, 1.2)), (40, (0.68, 0.79, 1.085))]
)
def test_isolated_rows_on_the_ramp(implementation: Implementation, n: int, abc: tuple[float, ...]) -> None:
    # All residuals are equal and on Hampel's ramp, so the curvature has one eigenvalue of multiplicity n - 1.
    X = [[float(index)] for index in range(n)]
    arguments = (X, _kernel(implementation, 0.015), implementation.get("Hampel")(*abc))
    result = implementation.call("fixed_point", *arguments)
    assert_sound(result)
    assert_within(result.weights, [exact(1) / n] * n, tolerances.sum_bound(n), "weights")
    assert result.certificate is Certificate.LOCAL_MINIMUM


def test_relative_weights_of_tied_rows_are_told_by_their_shares() -> None:
    rows = [[-1.0, 0.0]] * 5 + [[2.0, 1.0]] * 3 + [[0.5, 0.5], [3.0, 0.0]]
    weights = np.linspace(0.5, 1.5, 10) / 7
    with pytest.raises(DegenerateBandwidth, match=r"rows with a share of 0\.\d+ of the weight at \(-1, 0\)"):
        rk.median_nn(rows, sample_weight=weights)
    with pytest.raises(DegenerateBandwidth, match=r"8 of 10 rows are tied, 5 of them at \(-1, 0\)"):
        rk.median_nn(rows)


def test_single_outliers_are_no_cluster() -> None:
    rows = np.random.default_rng(20_120_903).normal(size=(40, 2))
    far = [[100.0 * index, -100.0 * index] for index in range(1, 8)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", errors.RkdeWarning)
        model = rk.rkde(np.vstack([rows, far]), bandwidth=2.0, loss=rk.Huber)
    assert (model.weights > 0).all()


def test_both_fall_backs_are_announced() -> None:
    with pytest.warns(errors.RkdeWarning) as caught:
        rk.rkde([[4.0]] * 9 + [[9.0]], on_degenerate="warn")
    kinds = {warning.category for warning in caught if not issubclass(warning.category, errors.SignWarning)}
    assert kinds == {errors.DegenerateBandwidthWarning, errors.DegenerateThresholdsWarning}

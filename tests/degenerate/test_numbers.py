"""Numbers at the end of what float64 holds, residuals on a kink or beyond c, and caps."""

import math
from typing import Any

import pytest

from rkde.errors import AllWeightsZero
from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.vocabulary import FixedSteps, RelativeObjective, Stationarity, Status
from tests.support.compare import assert_within, total
from tests.support.conditioning import PathAnalysis
from tests.support.implementations import FAST, REFERENCE, Implementation, numbers
from tests.support.soundness import assert_sound, assert_sound_model

KERNELS = strategies.KERNEL_NAMES
LOSSES = (
    LossSpec("quadratic"),
    LossSpec("absolute"),
    LossSpec("huber", (0.5,)),
    LossSpec("hampel", (0.5, 0.8, 1.2)),
)
EXTREMES = {
    "outlier at 1e300": ([[0.0], [1.0], [2.0], [1e300]], 1.0),
    "outliers on both sides": ([[-1.7e308], [0.0], [1.0], [1.7e308]], 1.0),
    "rows near 1e300": ([[1e300], [1.5e300], [3e300]], 1e300),
    "bandwidth 1e-300": ([[0.0], [1.0], [2.0], [4.0]], 1e-300),
    "bandwidth 1e120": ([[0.0], [1.0], [2.0], [4.0]], 1e120),
    "least bandwidth": ([[0.0], [1.0], [2.0], [4.0]], 5e-324),
    "subnormal rows": ([[0.0], [5e-324], [1e-323], [2e-323]], 1e-323),
    "every scale at once": ([[0.0], [5e-324], [1.0], [1e300]], 1e-8),
}

each_extreme = pytest.mark.parametrize(("X", "bandwidth"), EXTREMES.values(), ids=EXTREMES)
each_kernel = pytest.mark.parametrize("kernel", KERNELS)
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=str)


def _spec(kernel: Any, bandwidth: float) -> KernelSpec:
    return KernelSpec(kernel, bandwidth, 2.0 if kernel == "student" else None)


def _outcome(implementation: Implementation, X: Any, kernel: KernelSpec, loss: LossSpec) -> tuple[str, Any]:
    """A run of three steps, or the name of the refusal."""
    arguments = (X, implementation.kernel(kernel), implementation.loss(loss))
    try:
        result = implementation.call("kirwls", *arguments, stop=FixedSteps(3))
    except AllWeightsZero:
        return "AllWeightsZero", None
    assert_sound(result, max_iter=3)
    return str(result.status), result


@each_extreme
@each_kernel
@each_loss
def test_extreme_numbers(
    candidate: Implementation, X: Any, bandwidth: float, kernel: str, loss: LossSpec
) -> None:
    spec = _spec(kernel, bandwidth)
    expected_kind, expected = _outcome(REFERENCE, X, spec, loss)
    kind, actual = _outcome(candidate, X, spec, loss)
    assert kind == expected_kind
    if expected is not None:
        analysis = PathAnalysis(X, spec, loss).advance(3)
        assert_within(actual.weights, expected.weights, analysis.weights_bound, "weights")


@pytest.mark.parametrize("kernel", ["gaussian", "student"])
@each_loss
def test_distances_below_float64_are_one_location(
    candidate: Implementation, kernel: str, loss: LossSpec
) -> None:
    # |x - y|^2 / h^2 is below the least float64, so no float64 number tells the rows apart; the answer is
    # that of one location, with its status.
    X = [[0.0], [1.0], [2.0], [4.0]]
    for bandwidth in (1e300, 1.7e308):
        kind, result = _outcome(candidate, X, _spec(kernel, bandwidth), loss)
        assert kind == str(Status.SINGLE_LOCATION)
        assert len(set(numbers(result.weights))) == 1


@each_extreme
@each_kernel
def test_extreme_log_densities(candidate: Implementation, X: Any, bandwidth: float, kernel: str) -> None:
    spec, n = _spec(kernel, bandwidth), len(X)
    weights = [1 / n] * n
    expected = REFERENCE.call("log_density", X, REFERENCE.kernel(spec), weights, X)
    actual = candidate.call("log_density", X, candidate.kernel(spec), weights, X)
    terms = 3 + 2 * abs(math.log(bandwidth))
    bound = [tolerances.log_density_bound(float(value), terms, n, 1) for value in expected]
    assert_within(actual, expected, bound, "log f")


def test_a_log_density_beyond_float64_is_minus_infinity_or_finite_never_nan(
    candidate: Implementation,
) -> None:
    # (1e300/1e-8)^2/2 is no float64: its negative is -inf, the honest rounding of log f.
    (value,) = candidate.call("log_density", [[0.0]], candidate.get("Gaussian")(1e-8), [1.0], [[1e300]])
    assert value == float("-inf")


@each_extreme
def test_the_recipe_on_extreme_numbers(implementation: Implementation, X: Any, bandwidth: float) -> None:
    model = implementation.call("rkde", X, bandwidth=bandwidth, loss=implementation.get("Huber"))
    assert_sound_model(model)
    assert_sound(model.median)


# Student's kernel with nu = 1 in one dimension is 1/(1 + s): 0 and 1 have D = 1, both residuals are 1/2.
ON_A_KINK = ([[0.0], [1.0]], KernelSpec("student", 1.0, 1.0))


@pytest.mark.parametrize(
    "loss",
    [
        LossSpec("huber", (0.5,)),
        LossSpec("hampel", (0.5, 0.75, 1.0)),
        LossSpec("hampel", (0.25, 0.5, 1.0)),
        LossSpec("hampel", (0.5, 0.5, 1.0)),
    ],
    ids=str,
)
def test_a_residual_exactly_on_a_kink(candidate: Implementation, loss: LossSpec) -> None:
    X, kernel = ON_A_KINK
    norms = REFERENCE.call("residual_norms", X, REFERENCE.kernel(kernel), [0.5, 0.5])
    assert numbers(norms) == [0.5, 0.5]
    weights = candidate.call("kirwls_step", X, candidate.kernel(kernel), candidate.loss(loss), [0.5, 0.5])
    assert_within(weights, [0.5, 0.5], PathAnalysis(X, kernel, loss).advance(1).weights_bound, "weights")


def test_residuals_exactly_at_c_leave_nothing(implementation: Implementation) -> None:
    # In exact arithmetic phi(c) = 0; float64 may find 1/2 or its neighbour below, where phi is one rounding.
    X, kernel = ON_A_KINK
    arguments = (X, implementation.kernel(kernel), implementation.get("Hampel")(0.25, 0.375, 0.5), [0.5, 0.5])
    if implementation is FAST:
        try:
            weights = implementation.call("kirwls_step", *arguments)
        except AllWeightsZero:
            return
        assert_within(sum(numbers(weights)), 1, tolerances.sum_bound(2), "sum")
        return
    with pytest.raises(AllWeightsZero):
        implementation.call("kirwls_step", *arguments)


def test_all_residuals_beyond_c(implementation: Implementation) -> None:
    X, kernel = [[0.0], [10.0], [20.0]], implementation.get("Gaussian")(1.0)
    loss = implementation.get("Hampel")(0.1, 0.2, 0.3)
    for attempt in ("kirwls", "fixed_point"):
        with pytest.raises(AllWeightsZero) as caught:
            implementation.call(attempt, X, kernel, loss)
        assert caught.value.remedy
    # From a row's own weight the others are beyond c and the iteration stays where it is.
    result = implementation.call("kirwls", X, kernel, loss, weights_init=[1.0, 0.0, 0.0])
    assert_sound(result)
    assert [float(weight) for weight in result.weights] == [1, 0, 0]


def test_an_objective_of_zero_is_converged(implementation: Implementation) -> None:
    X = [[2.0]] * 4
    kernel, loss = implementation.get("Gaussian")(1.0), implementation.get("Quadratic")()
    for stop in (RelativeObjective(), FixedSteps(5), Stationarity()):
        result = implementation.call("kirwls", X, kernel, loss, stop=stop)
        assert result.status in (Status.CONVERGED, Status.SINGLE_LOCATION)
        assert numbers(result.objective) == [0]


def test_a_loss_of_ones_own_that_is_zero_at_every_row_is_converged(implementation: Implementation) -> None:
    class Flat(implementation.get("Huber")):
        def rho(self, *arguments: Any) -> Any:
            return 0 * super().rho(*arguments)

    result = implementation.call("kirwls", SPREAD, implementation.get("Gaussian")(1.0), Flat(0.5))
    assert (result.status, result.n_iter) == (Status.CONVERGED, 0)


SPREAD = [[0.0], [0.3], [1.1], [1.9], [4.0], [4.2]]


@pytest.mark.parametrize("cap", [0, 1, 3])
def test_the_cap_is_a_status(implementation: Implementation, cap: int) -> None:
    kernel, loss = implementation.get("Gaussian")(1.0), implementation.get("Hampel")(0.5, 0.7, 1.0)
    result = implementation.call("kirwls", SPREAD, kernel, loss, stop=Stationarity(1e-300), max_iter=cap)
    assert_sound(result, max_iter=cap)
    assert (result.status, result.n_iter) == (Status.MAX_ITER, cap)
    assert len(numbers(result.objective_path)) == cap + 1


def test_symmetric_data_may_rest_on_a_saddle_but_always_end(candidate: Implementation) -> None:
    X = [[-2.1], [-1.9], [1.9], [2.1]]
    kernel, loss = candidate.get("Gaussian")(1.0), candidate.get("Hampel")(0.3, 0.6, 1.2)
    result = candidate.call("kirwls", X, kernel, loss, stop=FixedSteps(200))
    assert_sound(result, max_iter=200)
    # The saddle gives each pair one half; rounding may leave it only towards one of the two pairs.
    left = float(total(result.weights[:2]))
    nearest = min((0, 0.5, 1), key=lambda mass: abs(left - mass))
    assert_within(left, nearest, tolerances.contracting_path_bound(), "weight of the left pair")

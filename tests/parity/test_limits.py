"""Limits from uniform weights: fixed points of KIRWLS and f_med, in flat valleys and at data locations too.

The bound is the condition of the limit times the rounding of one step. The wider the bandwidth, the flatter J
between the middle two of an even number of rows on a line: plain KIRWLS then needs many more steps, in number
as the square. The weights in such valleys were computed by Newton's method with 60 digits.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest

from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from rkde.proofs_checks.tolerances import common_limit_bounds
from rkde.vocabulary import Certificate, Status
from tests.support.compare import assert_within
from tests.support.conditioning import PathAnalysis
from tests.support.datasets import ADVERSARIAL, NamedData, head
from tests.support.implementations import REFERENCE, Implementation, numbers

ABSOLUTE = LossSpec("absolute")
MEDIAN_DATA = {data.name: data for data in (*ADVERSARIAL, head("iris", 50), head("faithful", 40))}
MOST_STEPS = 100

each_set = pytest.mark.parametrize("data", ADVERSARIAL, ids=repr)
each_loss = pytest.mark.parametrize("which", [0, 2, 3], ids=["quadratic", "huber", "hampel"])


def assert_same_limit(
    actual: Any, expected: Sequence[Any], X: Any, kernel: KernelSpec, loss: LossSpec, label: str
) -> PathAnalysis:
    """Compare weights with those of the limit; return the analysis there, with the errors allowed to them."""
    weights = [float(weight) for weight in expected]
    analysis = PathAnalysis(X, kernel, loss, weights_init=weights)
    settled = analysis.stationary_bound(float(actual.fixed_point_residual) * max(weights))
    assert_within(actual.weights, expected, settled, label)
    return PathAnalysis(X, kernel, loss, weights_init=weights, init_error=settled)


def assert_same_results(actual: Any, expected: Any, data: NamedData, loss: LossSpec) -> None:
    label = f"limit of {data.name}, {loss.name}"
    moved = assert_same_limit(actual, expected.weights, data.X, data.kernel, loss, label)
    assert_within(actual.residual_norms, expected.residual_norms, moved.residual_bound(), "residual norms")
    assert_within(actual.objective, expected.objective, moved.objective_bound(), "J")
    assert actual.status is expected.status is Status.CONVERGED


@each_set
@each_loss
def test_fixed_point(candidate: Implementation, data: NamedData, which: int) -> None:
    loss = data.losses[which]
    expected, actual = (
        each.call("fixed_point", data.X, data.kernel, loss) for each in (REFERENCE, candidate)
    )
    assert_same_results(actual, expected, data, loss)


@each_set
@each_loss
def test_a_limit_does_not_move(candidate: Implementation, data: NamedData, which: int) -> None:
    loss = data.losses[which]
    limit = candidate.call("fixed_point", data.X, data.kernel, loss)
    moved = candidate.call("kirwls_step", data.X, data.kernel, loss, limit.weights)
    analysis = PathAnalysis(data.X, data.kernel, loss, weights_init=limit.weights).advance(1)
    reported = float(limit.fixed_point_residual) * max(limit.weights)
    assert_within(moved, limit.weights, analysis.weights_bound + reported, "one more step")


@cache
def reference_median(name: str) -> Any:
    """f_med by the reference; computed once for all candidates."""
    return REFERENCE.call("median_rkde", MEDIAN_DATA[name].X, MEDIAN_DATA[name].kernel)


@pytest.mark.parametrize("name", MEDIAN_DATA)
def test_median(candidate: Implementation, name: str) -> None:
    data = MEDIAN_DATA[name]
    actual = candidate.call("median_rkde", data.X, data.kernel)
    assert_same_results(actual, reference_median(name), data, ABSOLUTE)


@pytest.mark.parametrize("counts", [None, [2, 1, 1, 3, 1]], ids=["rows", "counts"])
@pytest.mark.parametrize("start", [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0]], ids=["a row", "one of two equal rows"])
def test_a_location_that_is_no_median_is_left(
    implementation: Implementation, counts: list[int] | None, start: list[float]
) -> None:
    arguments = ([[0.0], [0.0], [1.0], [1.5], [4.0]], KernelSpec("gaussian", 1.0), ABSOLUTE)
    straight, left = (
        implementation.call("fixed_point", *arguments, sample_weight=counts, **options)
        for options in ({}, {"weights_init": start})
    )
    assert left.certificate is straight.certificate is Certificate.GLOBAL
    assert min(left.weights) > 0
    bound = common_limit_bounds(float(left.weights_error_bound), float(straight.weights_error_bound))
    assert_within(left.weights, straight.weights, bound, "the median from a location")


# Data whose f_med is a data location, decided by |R_j| <= m: rows, kernel bandwidth, rows of that location.
AT_A_LOCATION = {
    "middle of three": ([[-0.5], [0.0], [0.5]], 1.0, [1]),
    "majority": ([[0.0]] * 6 + [[1.0], [2.0], [3.0], [5.0], [-4.0]], 1.0, [0, 1, 2, 3, 4, 5]),
    "exactly half": ([[0.0, 0.0]] * 3 + [[1.0, 0.0], [0.0, 3.0], [-2.0, 1.0]], 0.75, [0, 1, 2]),
    "majority of two locations": ([[1.0], [1.0], [4.0]], 2.0, [0, 1]),
}


@pytest.mark.parametrize(("X", "bandwidth", "at"), AT_A_LOCATION.values(), ids=AT_A_LOCATION)
def test_a_data_location_is_exact(implementation: Implementation, X: Any, bandwidth: float, at: Any) -> None:
    result = implementation.call("median_rkde", X, KernelSpec("gaussian", bandwidth))
    weights = numbers(result.weights)
    assert [index for index, weight in enumerate(weights) if weight > 0] == at
    assert len({weights[index] for index in at}) == 1
    assert all(numbers(result.residual_norms)[index] == 0 for index in at)
    assert str(result.certificate) == "global"
    assert numbers(result.error_bound) == [0]


FLAT = [[0.0], [1.0], [2.0], [4.0]]
F_MED = {
    20.0: ("0.13378607758942344", "0.53273523540892380", "0.26652846617798529", "0.06695022082366745"),
    100.0: ("0.13335145861678504", "0.53330939326226219", "0.26666114065467179", "0.06667800746628097"),
    1000.0: ("0.13333351459252836", "0.53333309392599287", "0.26666661140739879", "0.06666678007407996"),
    10000.0: ("0.13333333514592591", "0.53333333093925926", "0.26666666611407407", "0.06666666780074074"),
}


@pytest.mark.parametrize("bandwidth", F_MED)
def test_a_flat_valley_is_crossed(implementation: Implementation, bandwidth: float) -> None:
    kernel = KernelSpec("gaussian", bandwidth)
    result = implementation.call("median_rkde", FLAT, kernel)
    assert_same_limit(result, F_MED[bandwidth], FLAT, kernel, ABSOLUTE, "f_med")
    assert result.n_iter <= MOST_STEPS
    assert result.certificate is Certificate.GLOBAL


# Two clusters of equal size, and rows on a line again: the way to f_med is long for plain steps, and a whole
# Newton step leaves the simplex or overshoots.
VALLEYS = {
    "two pairs": ([[0.1, -0.1], [0.0, -0.1], [4.1, 4.1], [4.0, 4.0]], KernelSpec("gaussian", 100.0)),
    "two pairs, wider": ([[0.1, -0.1], [0.0, -0.1], [4.1, 4.1], [4.0, 4.0]], KernelSpec("gaussian", 631.5)),
    "two clusters of six": (
        [[x] for x in (0.0, 0.1, -0.1, 0.02, 0.11, 0.05, 3.98, 3.94, 4.04, 4.02, 3.93, 3.91)],
        KernelSpec("gaussian", 5.3),
    ),
    "four in a row": ([[0.785], [1.391], [1.699], [1.647]], KernelSpec("student", 638.1, 1.0)),
}


@pytest.mark.parametrize("name", VALLEYS)
def test_a_valley_between_clusters(candidate: Implementation, name: str) -> None:
    expected, actual = (each.call("median_rkde", *VALLEYS[name]) for each in (REFERENCE, candidate))
    assert_same_limit(actual, expected.weights, *VALLEYS[name], ABSOLUTE, name)
    assert max(actual.n_iter, expected.n_iter) <= MOST_STEPS
    assert actual.certificate is expected.certificate is Certificate.GLOBAL

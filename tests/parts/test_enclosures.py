"""Enclosed variable bandwidths and depths hold the reference's values; limits hold the weights in vectors."""

from typing import Any, Final, cast

import pytest

from rkde.adapter import OPERATIONS, reference_implementation, spelled
from rkde.conformance import Case
from rkde.proofs_checks import tolerances
from rkde.reference import Gaussian, Laplacian, Student
from rkde.reference.certify import DEFAULT_BITS, certify_limit, decimal_ball, enclose_depth, enclose_vkde
from tests.support.compare import assert_relative, assert_within
from tests.support.implementations import FINE_REFERENCE, exact
from tests.support.vectors import shipped_cases

X: Final = [[0.0, 0.25], [1.0, -0.5], [-0.5, 1.5], [2.0, -1.0], [0.0, 0.25]]
QUERIES: Final = [[0.0, 0.25], [0.5, 0.5], [2.0**-40, 0.25], [30.0, -2.0]]
KERNELS: Final = [Gaussian(0.75), Student("0.75", 2.5), Laplacian(1)]
LIB: Final = reference_implementation()
# Theorem 5 holds at a stationary point; on a kink of the loss none is proved. One case for each problem.
AT_LIMITS: Final = [
    *{
        spelled([case.request[name] for name in ("X", "kernel", "loss", "weights")]): case
        for case in shipped_cases()
        if case.op == "influence" and not case.error and "KINK" not in case.flags
    }.values()
]
each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)


def assert_held(balls: Any, values: Any, label: str) -> None:
    """The reference's number is within the radius, and the radius is small: 60 of 77 digits."""
    for ball, value in zip(balls, values, strict=True):
        found = decimal_ball(ball, FINE_REFERENCE.context.dps + 10)
        # The value of sixty digits has its own rounding.
        size = 1 + abs(exact(value))
        slack = exact(found.radius) + size * exact(tolerances.reference_bound(FINE_REFERENCE.context.dps))
        assert_within(found.midpoint, value, slack, label)
        assert exact(found.radius) < size * exact(tolerances.reference_bound(FINE_REFERENCE.context.dps - 6))


@each_kernel
def test_depth(kernel: Any) -> None:
    assert_held(enclose_depth(X, kernel, QUERIES), FINE_REFERENCE.call("depth", X, kernel, QUERIES), "depth")


@each_kernel
def test_depth_of_one_place_is_exact(kernel: Any) -> None:
    found = enclose_depth([[1.0]] * 3, kernel, [[1.0], [2.0]])
    assert [(ball.is_exact(), float(ball.mid())) for ball in found] == [(True, 1.0), (True, 0.0)]


@each_kernel
@pytest.mark.parametrize("rule", ["abramson", "geometric"])
def test_variable_bandwidths(kernel: Any, rule: Any) -> None:
    found = enclose_vkde(X, kernel, QUERIES, rule)
    wanted = FINE_REFERENCE.call("vkde", X, kernel, rule=rule)
    assert_held(found.bandwidths, wanted.bandwidths, "bandwidths")
    assert_held(found.log_density, FINE_REFERENCE.method(wanted, "log_density", QUERIES), "log density")


@pytest.mark.parametrize("case", AT_LIMITS, ids=lambda case: case.id)
def test_an_influence_is_asked_at_a_limit_to_the_last_digit(case: Case) -> None:
    X, kernel, loss, weights = (
        cast(Any, OPERATIONS["influence"].required[name](LIB, case.request[name], name))
        for name in ("X", "kernel", "loss", "weights")
    )
    start = "median" if loss.name == "hampel" else "uniform"
    found = certify_limit(X, kernel, loss, start, bits=DEFAULT_BITS)
    assert found.branch_proved
    enclosed = [decimal_ball(weight).midpoint for weight in found.weights]
    assert_relative([float(weight) for weight in weights], enclosed, tolerances.elementwise(1.0), "weights")

"""Rows far nearer to each other than to an outlier: limits among them are found, with all their digits."""

from itertools import product
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import rkde.reference
from rkde.fast import Absolute, Gaussian, Laplacian, Student
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers.cancellation_free import (
    _log_quotient_units,
    _triples,
    enclosed_feature_products,
)
from rkde.fast.solvers.curvature import local_frame
from rkde.fast.solvers.fixed_point import LimitIteration
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import KERNEL_NAMES, KernelSpec, LossSpec, examples
from rkde.vocabulary import Certificate
from tests.certificates.enclosures import assert_near, ball, distances, enclosed
from tests.certificates.instances import Instance
from tests.support.implementations import FAST, Implementation, numbers

# Diameters of the cluster, in powers of 2, at bandwidth 1.
EXPONENTS: Final = (-12, -27, -33)
CLUSTER: Final = [[0.0, 0.0], [1.0, 0.25], [3.0, -0.5], [7.0, 1.0], [-2.0, 3.0]]
LINE: Final = [[0.0], [1.0], [3.0], [7.0]]
KERNELS: Final = [KernelSpec(name, 1.0, 3.0 if name == "student" else None) for name in KERNEL_NAMES]
# The last digits that are asked for, of weights whose largest is of the order of 1.
DIGITS: Final = 10
# Differences of kernel values near 1 cancel; what is left of this many digits is far beyond float64's.
DEEP: Final = Implementation("reference", rkde.reference, rkde.reference.make_context(120))


def scaled(rows: list[list[float]], exponent: int) -> list[list[float]]:
    return [[value * 2.0**exponent for value in row] for row in rows]


def with_outliers(exponent: int) -> list[list[float]]:
    return [*scaled(CLUSTER, exponent), [2.0, 0.0]]


def series() -> list[Instance]:
    """The three kernels and widths, both convex losses in turn; and a line."""
    found = []
    for number, (exponent, kernel) in enumerate(product(EXPONENTS, KERNELS)):
        loss = LossSpec("absolute") if number % 2 == 0 else LossSpec("huber", (2.0 ** (exponent + 1),))
        found.append(Instance(number, with_outliers(exponent), kernel, loss))
    line = [*scaled(LINE, -27), [2.0]]
    found.append(Instance(len(found), line, KERNELS[0], LossSpec("absolute")))
    return found


each_instance = pytest.mark.parametrize("instance", series(), ids=repr)


def limit(instance: Instance) -> Any:
    return FAST.call("fixed_point", instance.X, instance.kernel, instance.loss)


@each_instance
def test_the_limit_in_a_cluster_has_its_digits(instance: Instance) -> None:
    found = limit(instance)
    assert_near(found, distances(instance, found.weights))
    assert found.weights_error_bound <= tolerances.printed_digits(DIGITS)
    assert found.certificate is enclosed(instance).certificate is Certificate.GLOBAL
    if instance.loss.name == "absolute":
        # Relative to each of them, not to that of the outlier.
        pairs = zip(found.residual_norms.tolist(), enclosed(instance).residual_norms, strict=True)
        assert all(abs(ball(norm) / right - 1) <= tolerances.printed_digits(DIGITS) for norm, right in pairs)


@pytest.mark.parametrize("exponent", [-27, -50])
def test_a_row_of_a_cluster_that_is_the_median_is_told_from_one_that_is_not(exponent: int) -> None:
    # The outlier pulls with force 1 across the cluster's line, and the four others of the cluster cancel or
    # leave a force of 2 along it: |R| is 1 or more.
    symmetric = scaled([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [2.0, 0.0], [-2.0, 0.0]], exponent)
    held = FAST.call("median_rkde", [*symmetric, [0.0, 2.0]], FAST.get("Gaussian")(1.0))
    assert held.weights.tolist() == [0.5, 0.5, 0, 0, 0, 0, 0]
    assert (held.certificate, held.error_bound) == (Certificate.GLOBAL, 0)
    free = FAST.call(
        "median_rkde", [*symmetric[1:4], [3 * 2.0**exponent, 0.0], [0.0, 2.0]], FAST.get("Gaussian")(1.0)
    )
    assert free.residual_norms.min() > 0
    assert free.certificate is Certificate.GLOBAL


@examples(1)
@given(
    st.sampled_from([Gaussian(1.5), Student(0.75, 3.0), Laplacian(2.0)]),
    st.lists(st.tuples(*[st.floats(-1, 1, allow_subnormal=False)] * 6), min_size=1, max_size=1),
    st.tuples(st.integers(-40, -2), st.integers(-40, 4)),
)
@example(Gaussian(1.5), [(0.0, 0.0, 0.5, 0.5, 1.0, 1.0)], (-2, 10))  # the kernel at the row is 0
def test_products_of_feature_differences_are_as_exact_as_they_say(
    kernel: Gaussian | Student | Laplacian, draws: list[tuple[float, ...]], powers: tuple[int, int]
) -> None:
    table = np.array(draws[0]).reshape(3, 2)
    x = table[0]
    near, row = x + table[1] * 2.0 ** powers[0], x + table[2] * 2.0 ** powers[1]
    (found,), (error,) = enclosed_feature_products(kernel, x, near, row[np.newaxis])
    points = numbers(np.array([x, near, row]))
    square = [
        sum((points[2 * i + k] - points[2 * j + k]) ** 2 for k in range(2))
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    twin = getattr(rkde.reference, type(kernel).__name__)(
        kernel.bandwidth, *([kernel.dof] if isinstance(kernel, Student) else [])
    )
    to_near, to_row, between = (DEEP.method(twin, "complement", value, 2) for value in square)
    (exact,) = numbers(to_near + to_row - between)
    assert abs(numbers(float(found))[0] - exact) <= numbers(float(error))[0]
    if square[0] <= square[1]:
        # In proportion to both lengths, whatever their magnitudes.
        lengths = DEEP.context.sqrt(4 * to_near * to_row)
        assert error <= tolerances.printed_digits(13) * float(lengths) + 2.0**-900


def test_a_cluster_whose_squares_nearly_underflow_has_the_limit_of_a_wider_one() -> None:
    triangle, kernel = [[0.0, 0.0], [4.0, 0.0], [1.0, 3.0]], FAST.get("Gaussian")(1.0)
    wide, narrow = (FAST.call("median_rkde", scaled(triangle, exponent), kernel) for exponent in (-60, -360))
    assert narrow.certificate is wide.certificate is Certificate.GLOBAL
    assert np.abs(narrow.weights - wide.weights).max() <= tolerances.printed_digits(DIGITS)


@pytest.mark.parametrize("other", [0.75, 0.05])
def test_the_logarithm_of_a_quotient_is_off_by_what_the_smaller_of_its_arguments_loses(other: float) -> None:
    """(nu + d)/2 log of (nu + |x - y|^2) / (nu + |u - y|^2), from the difference of the two squares."""
    kernel = Student(1.0, 2.0**-10)
    parts = _triples(kernel, np.array([0.0]), np.array([0.7]), np.array([[other]]))
    smaller = kernel.dof + min(other**2, (other - 0.7) ** 2)
    units = _log_quotient_units(kernel, parts, 1)
    assert units >= (kernel.dof + 1) / 2 * parts.change_terms / smaller


def test_another_cluster_has_a_frame_of_its_own() -> None:
    operator = DenseOperator([*scaled([[0.0], [1.0]], -27), [2.0], [2.0 + 2.0**-27]], Gaussian(1.0))
    iteration = LimitIteration(operator, Absolute(), np.array([0.0, 2.0**-30, 0.5, 0.5 - 2.0**-30]))
    iteration._frame = local_frame(operator, 0)
    assert iteration._take_local_frame()
    assert iteration._frame is not None
    assert operator.X[iteration._frame.base, 0] >= 2
    assert not iteration._take_local_frame()

"""Numbers at the ends of float64's range."""

import math
import sys

import pytest

import rkde.fast as rk
from rkde.errors import DegenerateBandwidth
from rkde.reference import Gaussian, Laplacian, Student, make_context, to_mpf
from rkde.reference.numbers.context import to_float
from rkde.vocabulary import Status

CTX = make_context(40)
LARGEST, LEAST = sys.float_info.max, math.ulp(0.0)


@pytest.mark.parametrize(
    ("value", "nearest"),
    [
        (CTX.inf, math.inf),
        (CTX.mpf(LARGEST), LARGEST),
        (CTX.mpf(2) ** 1024, math.inf),
        (CTX.mpf(2) ** 2000, math.inf),
        (CTX.mpf(2) ** 1024 - CTX.mpf(2) ** 970, math.inf),
        (CTX.mpf(2) ** 1024 - CTX.mpf(2) ** 970 - CTX.mpf(2) ** 900, LARGEST),
        (CTX.mpf(LEAST), LEAST),
        (CTX.mpf(LEAST) / 2, 0.0),
        (CTX.mpf(LEAST) * 3 / 4, LEAST),
        (CTX.mpf(2) ** -5000, 0.0),
    ],
)
def test_the_nearest_float(value: object, nearest: float) -> None:
    for sign in (1, -1):
        found = to_float(CTX, sign * value)  # type: ignore[operator]
        assert (found, math.copysign(1.0, found)) == (sign * nearest, sign)


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([[LARGEST], [-LARGEST]], "exceeds the range of float64; divide the data by a constant"),
        ([[0.0], [LEAST]] * 40, "underflows to 0; multiply the data by a constant"),
    ],
    ids=["above", "below"],
)
def test_a_bandwidth_beyond_float64_is_refused(rows: list[list[float]], problem: str) -> None:
    with pytest.raises(DegenerateBandwidth, match=problem):
        rk.scott(rows)


def test_an_objective_that_underflows_ends_the_run() -> None:
    # The distance of these rows is a number, and half of its square is none but 0.
    found = rk.kirwls([[0.0], [4e-162]], rk.Gaussian(1.0), rk.Quadratic(), stop=rk.RelativeObjective(1e-8))
    assert found.residual_norms.min() > 0
    assert (found.objective, found.n_iter, found.status) == (0.0, 0, Status.CONVERGED)


@pytest.mark.parametrize("kernel", [Gaussian("0.5"), Student("0.5", 3), Laplacian("0.5")], ids=repr)
def test_tau_squared_is_the_kernel_at_a_point_itself(kernel: Gaussian | Student | Laplacian) -> None:
    x = [to_mpf(CTX, "1e300"), to_mpf(CTX, 0)]
    assert 2 * kernel.log_feature_norm(CTX, 2) == kernel.log_kernel(CTX, x, [x])[0]

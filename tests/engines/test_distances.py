"""Distances by products of centred rows: within their roundings of the exact ones, 0 for equal rows."""

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

import rkde.fast as rk
from rkde.fast._float64 import UNIT_ROUNDOFF, centre, scale_rows, separations, split_bandwidth
from rkde.fast._float64.distances import exact_separations
from rkde.fast.operators import DenseOperator, TiledOperator, TriangleOperator
from rkde.proofs_checks.tolerances import common_limit_bounds
from tests.engines.support import contaminated
from tests.support.compare import assert_within

Array = np.ndarray
ROWS = 300


def _rows(seed: int, dim: int, apart: int, offset: int) -> Array:
    """Return clusters of whole numbers, of which squares are exact in 64 bits, with equal rows among them."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-100, 101, (ROWS, dim)) + apart * rng.integers(-1, 2, (ROWS, 1)) + offset
    rows[::37] = rows[1]
    return rows


@example(seed=0, dim=6, apart=0, offset=0, exponent=0)
@example(seed=1, dim=20, apart=3_000, offset=0, exponent=-300)
@example(seed=2, dim=40, apart=150, offset=2**50, exponent=200)
@given(
    seed=st.integers(0, 2**32 - 1),
    dim=st.integers(6, 60),
    apart=st.sampled_from([0, 50, 150, 500, 10_000]),
    offset=st.sampled_from([0, 2**20, 2**50]),
    exponent=st.integers(-300, 300),
)
def test_squares_by_products_are_within_their_roundings(
    seed: int, dim: int, apart: int, offset: int, exponent: int
) -> None:
    whole = _rows(seed, dim, apart, offset)
    # 3 h^2 = 27/4, whose quotient with a whole number is not exact.
    bandwidth = 1.5 * 2.0**exponent
    rows = centre(scale_rows(whole * 2.0**exponent, bandwidth))
    assert rows.centred is not None
    assert rows.roundings > dim
    left, right = rows.part(0, 180), rows.part(120)
    squares = separations(left, right, bandwidth, squared=True)
    differences = whole[:180, np.newaxis] - whole[np.newaxis, 120:]
    exact = (differences.astype(np.int64) ** 2).sum(axis=2)
    # The quotient in more digits than float64 has: t / 2.25 as 4 t / 9.
    error = np.abs(squares.astype(np.longdouble) * 9 - 4 * exact) / np.maximum(4 * exact, 1)
    assert float(error.max()) <= (rows.roundings + 3) * UNIT_ROUNDOFF
    assert (squares[exact == 0] == 0).all()


def test_near_pairs_alone_are_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def counting(*arguments: object, **named: object) -> Array:
        counted.append(arguments)
        return cdist(*arguments, **named)

    monkeypatch.setattr(rk._float64.distances, "cdist", counting)
    for apart, falls_back in ((0, False), (100_000, True)):
        rows = centre(scale_rows(_rows(3, 20, apart, 0) * 1.0, 1.0))
        separations(rows.part(0, 150), rows.part(150), 1.0, squared=True)
        assert bool(counted) == falls_back


@pytest.mark.parametrize("case", ["few rows", "few columns", "far beyond", "near nothing"])
def test_rows_that_products_do_not_serve_are_left_alone(case: str) -> None:
    rng = np.random.default_rng(4)
    rows = rng.standard_normal((255 if case == "few rows" else 400, 5 if case == "few columns" else 8))
    if case == "far beyond":
        rows[0, 0] = 1e200
    if case == "near nothing":
        rows[0, 0] = 1e-200
    scaled = scale_rows(rows, 1.0)
    assert centre(scaled) is scaled
    assert scaled.roundings == rows.shape[1]


@pytest.mark.parametrize("kernel", [rk.Gaussian(3.0), rk.Student(3.0, 2.0), rk.Laplacian(3.0)])
def test_products_of_many_rows_in_many_columns_are_within_their_bound(kernel: rk.Kernel) -> None:
    X = contaminated(1100, 7)
    X[2] = 30.0
    X[:300] += 12.0
    wide = X.astype(np.longdouble)
    square = sum((wide[:, None, k] - wide[None, :, k]) ** 2 for k in range(7)) / np.longdouble(3.0) ** 2
    if isinstance(kernel, rk.Gaussian):
        D = -2 * np.expm1(-square / 2)
    elif isinstance(kernel, rk.Student):
        D = -2 * np.expm1(-np.longdouble(9) / 2 * np.log1p(square / 2))
    else:
        D = -2 * np.expm1(-np.sqrt(square))
    coefficients = np.random.default_rng(5).random(len(X))
    expected = D @ coefficients.astype(np.longdouble)
    for build in (DenseOperator, TriangleOperator, TiledOperator):
        operator = build(X, kernel)
        assert operator.distance_roundings > 7 * 24
        product = operator.proved_product(coefficients)
        assert (np.abs(product - expected) <= operator.relative_error * expected).all(), build
        slack = operator.product_error * coefficients.sum() + 4 * operator.relative_error * expected
        assert (np.abs(operator.product(coefficients) - expected) <= slack).all(), build


def test_near_pairs_take_no_more_memory_than_a_tile() -> None:
    X = np.random.default_rng(6).standard_normal((600, 2000))
    # Near each other are 5 % of the pairs, on the other side of the centre.
    X[:140] = 10.0 + X[:140] / 100
    rows = centre(scale_rows(X[np.random.default_rng(7).permutation(600)], 1.0))
    left, right, memory = rows.part(0, 256), rows.part(256), np.empty(256 * 344)
    tracemalloc.start()
    try:
        squares = separations(left, right, 1.0, squared=True, memory=memory)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert int((squares < 100.0).sum()) * 16 <= squares.size
    assert peak < 4 * memory.nbytes


def test_evaluations_of_a_triangle_are_those_of_its_strips() -> None:
    # Strips of 256 rows and of 44, whose squares on the diagonal are whole.
    operator = TriangleOperator(contaminated(300, 2), rk.Gaussian(1.0))
    assert operator.kernel_evaluations == 256 * 300 + 44 * 44
    operator.product(np.ones(300))
    assert operator.kernel_evaluations == 256 * 300 + 44 * 44


def test_rows_about_different_centres_are_measured_by_differences() -> None:
    X = np.random.default_rng(8).standard_normal((300, 8))
    one, other = centre(scale_rows(X, 1.0)), centre(scale_rows(X + 2.0, 1.0))
    expected = cdist(one.scaled, other.scaled, "sqeuclidean") / split_bandwidth(1.0)[0] ** 2
    assert np.array_equal(separations(one, other, 1.0, squared=True), expected)


@pytest.mark.parametrize("loss", [rk.Absolute(), rk.Hampel(0.3, 0.5, 0.9)], ids=lambda loss: loss.name)
def test_limits_by_half_of_the_matrix_are_those_by_all_of_it(loss: rk.Loss) -> None:
    X, kernel = contaminated(100, 2), rk.Gaussian(1.0)
    half, whole = (
        rk.fixed_point(X, kernel, loss, operator=build(X, kernel))
        for build in (TriangleOperator, DenseOperator)
    )
    bound = common_limit_bounds(half.weights_error_bound, whole.weights_error_bound)
    assert_within(half.weights, whole.weights, bound, "weights")


def test_a_difference_beyond_float64_is_separated_by_its_half() -> None:
    X, Y, place = np.array([[1.5e308, 1.0]]), np.array([[-1.7e308, 1.0]]), np.zeros(1, dtype=np.int64)
    unit, power = exact_separations(X, Y, place, place, 4.0)
    assert math.ldexp(unit[0], int(power[0])) == 1.5e308 / 4 + 1.7e308 / 4

"""Long sums without lost digits, and nearest rows found by matrix products."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import rkde.fast as rk
from rkde.fast._float64 import accurate_sum, neighbours
from rkde.fast._float64.neighbours import nearest_by_products
from rkde.fast._float64.rounding import FEW_TERMS
from rkde.proofs_checks import tolerances
from tests.support.compare import assert_relative, assert_within

LONG = 3 * FEW_TERMS + 1


@pytest.mark.parametrize(
    "fill",
    [
        lambda rng: rng.standard_normal(LONG),
        lambda rng: np.exp(rng.uniform(-300, 300, LONG)) * rng.choice([-1.0, 1.0], LONG),
        lambda _: np.concatenate([np.full(LONG, 0.1), np.full(LONG, -0.1), [1e-9]]),
    ],
    ids=["normal", "wide", "cancelling"],
)
def test_a_long_sum_is_rounded_once(fill: Callable[[np.random.Generator], np.ndarray]) -> None:
    values = fill(np.random.default_rng(11))
    right = math.fsum(values)
    # One rounding of the sum, and the second-order terms of at most 64 foldings of the sizes.
    second_order = 64 * tolerances.unit_roundoff() ** 2 * math.fsum(np.abs(values))
    assert_within(accurate_sum(values), right, tolerances.unit_roundoff() * abs(right) + second_order)


def test_a_sum_that_is_not_finite_is_not_finite() -> None:
    assert accurate_sum(np.full(LONG, np.inf)) == math.inf


@pytest.mark.parametrize("around", [700, 256], ids=["scattered", "around the first"])
@pytest.mark.parametrize("dim", [9, 64, 200])
def test_nearest_rows_by_products_are_measured_directly(dim: int, around: int) -> None:
    # More than a strip of tiles, and two tiles in a strip; rows 2 and 3 are as near to row 1 as one another.
    X = np.random.default_rng(2).standard_normal((700, dim)) * 7 + 100
    # Rows whose nearest ones are in the first strip find no nearer ones in the others.
    X[around:] = X[np.arange(around, 700) % around] + (X[around:] - 100) / 100
    X[2], X[3] = X[1], X[1]
    X[2, 0], X[3, 0] = X[1, 0] + 1e-3, X[1, 0] - 1e-3
    # A row whose nearest one, in another strip, has a nearer one itself.
    X[301], X[600] = X[300], X[300]
    X[301, 0], X[600, 0] = X[300, 0] + 1e-4, X[300, 0] - 1e-3
    found = nearest_by_products(X)
    bound = tolerances.bandwidth_bound(dim, 700)
    assert_relative(np.sqrt(found), np.sqrt(neighbours._nearest_by_pairs(X)), bound, "nearest")


def test_nearest_rows_whose_squares_underflow_have_their_distance() -> None:
    X = np.random.default_rng(2).standard_normal((30, 3))
    X[:2] = 1e-200
    X[1, 0] = 2e-200
    assert neighbours.nearest_distances(X)[:2].tolist() == [1e-200, 1e-200]


def test_products_that_cannot_tell_rows_apart_are_not_trusted() -> None:
    X = np.random.default_rng(2).standard_normal((300, 64))
    X[0] = 1e12
    assert nearest_by_products(X) is None
    wide = rk.median_nn(X)
    assert_relative(wide, rk.median_nn(X[:, ::-1]), tolerances.bandwidth_bound(64, 300), "bandwidth")

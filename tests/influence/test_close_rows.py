"""Rows close to one another and x' far from them: coefficients keep their digits."""

from typing import Any, Final

import numpy as np
import pytest

from rkde import fast, reference
from rkde.proofs_checks import tolerances
from tests.influence.subjects import CTX
from tests.support.compare import assert_relative_to_largest, assert_within

ROWS: Final = 12
SCALE: Final = 2.0**-16
SEED: Final = 20120905
# As far as the spread of the rows, as the bandwidth, and beyond every kernel value.
POINTS: Final = [[SCALE], [0.5], [3.0], [50.0], [1e300]]
KERNELS: Final = (
    (fast.Gaussian(1.0), reference.Gaussian(1)),
    (fast.Laplacian(1.0), reference.Laplacian(1)),
    (fast.Student(1.0, 3.0), reference.Student(1, 3)),
)


def pairs(X: np.ndarray, kernel: Any) -> list[tuple[Any, Any]]:
    """Return losses of both packages with residuals on several pieces."""
    a, b, _ = fast.thresholds(fast.median_rkde(X, kernel).residual_norms)
    return [
        (fast.Absolute(), reference.Absolute()),
        (fast.Huber(a), reference.Huber(a)),
        (fast.Hampel(a, b, 4.0), reference.Hampel(a, b, 4.0)),
    ]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda pair: pair[0].name)
def test_far_from_close_rows(kernel: tuple[Any, Any]) -> None:
    X = SCALE * np.random.default_rng(SEED).standard_normal((ROWS, 1))
    for loss, exact_loss in pairs(X, kernel[0]):
        weights = fast.fixed_point(X, kernel[0], loss).weights
        found = fast.influence(X, kernel[0], loss, weights, POINTS, POINTS)
        expected = reference.influence(
            CTX, X.tolist(), kernel[1], exact_loss, weights.tolist(), POINTS, POINTS
        )
        bound = tolerances.influence_bound(ROWS, 1, float(expected.condition))
        for index, row in enumerate(expected.if_coef):
            assert_relative_to_largest(found.if_coef[index], row, bound, "alpha")
            allowed = bound * max(map(abs, (*row, expected.if_coef_new[index])))
            assert_within(found.influence[index], expected.influence[index], float(allowed), "IF")


@pytest.mark.parametrize("count", [1, 3])
def test_each_point_by_itself(count: int) -> None:
    """Where some x' are far and others are not, each is what it is alone, whatever the others."""
    X = SCALE * np.random.default_rng(SEED).standard_normal((ROWS, 1))
    kernel, loss = KERNELS[0][0], pairs(X, KERNELS[0][0])[1][0]
    weights = fast.fixed_point(X, kernel, loss).weights
    together = fast.influence(X, kernel, loss, weights, POINTS)
    alone = fast.influence(X, kernel, loss, weights, POINTS[:count])
    bound = tolerances.influence_bound(ROWS, 1, together.condition)
    assert_relative_to_largest(alone.if_coef, together.if_coef[:count], bound, "alpha")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda pair: pair[0].name)
@pytest.mark.parametrize("apart", [30.0, 3000.0, 1e9])
def test_near_rows_that_are_far_from_close_rows(kernel: tuple[Any, Any], apart: float) -> None:
    """Where f is at a tight pair, x' may be near a row whose kernel with the pair underflows."""
    X = np.array([[0.0], [2.5], [3.25], [apart], [apart + SCALE]])
    loss, exact_loss = fast.Hampel(0.25, 0.625, 1.5), reference.Hampel("0.25", "0.625", "1.5")
    weights = fast.fixed_point(X, kernel[0], loss).weights
    points = [[0.375], [2.5], [-1.0]]
    found = fast.influence(X, kernel[0], loss, weights, points, points)
    expected = reference.influence(CTX, X.tolist(), kernel[1], exact_loss, weights.tolist(), points, points)
    bound = tolerances.influence_bound(len(X), 1, float(expected.condition))
    factor = tolerances.cancellation(fast.residual_norms(X, kernel[0], weights).tolist(), weights.tolist())
    assert min(expected.if_coef_new) > 0
    for index, row in enumerate(expected.if_coef):
        assert_relative_to_largest(found.if_coef[index], row, factor * bound, "alpha")

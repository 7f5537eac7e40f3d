"""Limits of rows with masses: each engine ends in one point; bounds cover the distance to those of copies."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.errors import NotConverged
from rkde.fast import Absolute, Gaussian, Hampel, Huber, Loss, bandwidth, contaminate, fixed_point
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers.curvature import BallCurvature, enclose_residuals
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate
from tests.support.implementations import Implementation, exact

KERNEL = Gaussian(1.5)
LOSSES: list[Loss] = [Absolute(), Huber(0.5), Hampel(0.5, 0.75, 1.25)]
each_loss = pytest.mark.parametrize("loss", LOSSES, ids=repr)


def _limit(X: Any, loss: Loss, **named: Any) -> Any:
    return fixed_point(X, KERNEL, loss, **named)


@each_loss
@given(
    middle=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=7),
    ends=st.tuples(st.integers(1, 5), st.integers(1, 5)),
)
def test_bounds_of_counts_and_of_copies_cover_their_distance(
    loss: Loss, middle: list[tuple[int, int]], ends: tuple[int, int]
) -> None:
    """Rows of a grid coincide, and some counts are 0; the first and the last row differ and stay."""
    X = np.array([[-1.0], *([float(place)] for place, _ in middle), [7.0]])
    counts = np.array([ends[0], *(count for _, count in middle), ends[1]])
    try:
        copies = _limit(np.repeat(X, counts, axis=0), loss)
    except NotConverged:
        # A branch that float64 cannot follow is refused in either form.
        with pytest.raises(NotConverged):
            _limit(X, loss, sample_weight=counts)
        return
    counted = _limit(X, loss, sample_weight=counts)
    assert counted.weights.shape == (len(X),)
    assert (counted.weights[counts == 0] == 0).all()
    assert counted.certificate is copies.certificate
    owners = np.repeat(np.arange(len(X)), counts)
    sums = np.bincount(owners, copies.weights, minlength=len(X))
    reach = counted.weights_error_bound + np.maximum(counts, 1) * copies.weights_error_bound
    rounding = np.finfo(float).eps * len(owners) * sums.max()
    proved = counted.certificate in (Certificate.GLOBAL, Certificate.LOCAL_MINIMUM)
    # A loss that is not convex may leave a saddle on either side.
    if proved and loss.facts.convex:
        assert (np.abs(counted.weights - sums) <= reach + rounding).all()


@each_loss
def test_the_engines_agree(loss: Loss) -> None:
    rng = np.random.default_rng(20_120_906)
    X = np.concatenate((rng.normal(size=(40, 2)), rng.normal(size=(6, 2)) + 6))
    X[5] = X[4]
    weights = rng.uniform(0.25, 3.0, size=len(X))
    weights[7] = 0
    dense, *others = (
        _limit(X, loss, sample_weight=weights, engine=engine)
        for engine in ("dense", "tiled", "sparse", "cells")
    )
    for other in others:
        assert other.certificate is dense.certificate
        residuals = dense.fixed_point_residual + other.fixed_point_residual + 2.0**-45
        bound = tolerances.limit_bound(residuals, dense.curvature_margin)
        np.testing.assert_allclose(other.weights, dense.weights, rtol=0, atol=bound * dense.weights.max())


@each_loss
def test_a_share_of_0_contaminates_nothing(loss: Loss) -> None:
    X, uniform = [[0.0], [1.0], [3.0], [4.5]], [0.25] * 4
    plain = _limit(X, loss, weights_init=uniform)
    unmoved = contaminate(X, KERNEL, loss, uniform, 0, [2.0])
    np.testing.assert_array_equal(unmoved.weights, [*plain.weights, 0.0])
    assert (unmoved.certificate, unmoved.error_bound) == (plain.certificate, plain.error_bound)


@each_loss
def test_a_lighter_mass_gives_a_lighter_row(loss: Loss) -> None:
    """A wrong mass is noticed: the limit moves when one row's mass does."""
    X, weights = [[0.0], [1.0], [3.0], [4.0]], np.array([1.3, 1.1, 1.2, 1.05])
    before = _limit(X, loss, sample_weight=weights).weights[1]
    weights[1] *= 0.9
    assert _limit(X, loss, sample_weight=weights).weights[1] < before


@pytest.mark.parametrize("rule", ["lscv", "lkcv"])
def test_cross_validation_of_counts_is_that_of_copies(rule: Any) -> None:
    X = np.random.default_rng(20_120_906).normal(size=(30, 1))
    counts = np.ones(30, dtype=int)
    counts[[3, 9]], counts[7] = 2, 0
    copies, counted = bandwidth(np.repeat(X, counts, axis=0), rule), bandwidth(X, rule, sample_weight=counts)
    assert counted == pytest.approx(copies, rel=tolerances.search_bound(0.0))
    assert bandwidth(X, rule, sample_weight=np.full(30, 0.3)) == bandwidth(X, rule)
    relative = np.linspace(0.5, 1.6, 30)
    scaled = bandwidth(X, rule, sample_weight=relative * 1e6)
    assert scaled == pytest.approx(
        bandwidth(X, rule, sample_weight=relative), rel=tolerances.search_bound(2.0**-40)
    )


@pytest.mark.parametrize("masses", [[1, 1, 1], [1, 2, 4]])
def test_the_bound_of_shares_of_one_location_covers_their_rounding(
    masses: list[int], implementation: Implementation
) -> None:
    kernel, loss = implementation.get("Gaussian")(1), implementation.get("Quadratic")()
    limit = implementation.call("fixed_point", [[1.0]] * 3, kernel, loss, sample_weight=masses)
    for weight, mass in zip(limit.weights, masses, strict=True):
        assert abs(exact(weight) * sum(masses) - mass) <= exact(limit.weights_error_bound) * sum(masses)


def test_the_curvature_of_quadratic_rows_is_no_more_than_their_mass() -> None:
    masses = np.array([0.5, 1.0, 1.5])
    operator = DenseOperator([[0.0], [1.0], [3.0]], KERNEL).with_masses(masses)
    residuals = enclose_residuals(operator, masses / masses.sum())
    assert 0 < BallCurvature(operator, Huber(2.0), residuals).lower_bound(2.0**-10) <= masses.sum()

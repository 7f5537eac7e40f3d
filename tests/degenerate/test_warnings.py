"""Warnings of the recipe: a collapse or a fall-back is said, by a class that can be filtered."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from rkde.errors import (
    DegenerateBandwidthWarning,
    DegenerateThresholdsWarning,
    ModeCollapseWarning,
    RkdeWarning,
)
from rkde.fast import Absolute, Huber, rkde
from rkde.settings import mode_collapse
from tests.support.implementations import Implementation, each_implementation

SEED = 20_120_903
RNG = np.random.default_rng(SEED)
LARGE = RNG.normal(size=(40, 2))
SMALL = RNG.normal(scale=0.2, size=(12, 2)) + 12.0


def test_a_cluster_without_weight_is_announced() -> None:
    with pytest.warns(ModeCollapseWarning, match="12 of 52") as caught:
        model = rkde(np.vstack([LARGE, SMALL]), bandwidth=2.0)
    assert not model.weights[-len(SMALL) :].any()
    assert len(caught) == 1


# Eight rows about the origin and a pair far off: of ten rows, two make a cluster.
TEN = [[0.0], [0.4], [-0.4], [0.9], [-0.8], [1.3], [-1.4], [0.2], [9.0], [9.25]]


@each_implementation
def test_a_pair_without_weight_is_announced_in_both_packages(implementation: Implementation) -> None:
    with pytest.warns(ModeCollapseWarning, match="2 of 10 rows form a cluster") as caught:
        model = implementation.call("rkde", TEN, bandwidth=1.0)
    assert [float(weight) for weight in model.weights[-2:]] == [0, 0]
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("cluster", "n_rows", "is_announced"),
    [(1, 2, False), (2, 3, True), (2, 20, True), (2, 21, False), (3, 30, True), (3, 31, False)],
)
def test_a_collapse_begins_at_two_rows_and_a_tenth_of_all(
    cluster: int, n_rows: int, *, is_announced: bool
) -> None:
    assert (mode_collapse(cluster, n_rows) is not None) is is_announced


@each_implementation
@pytest.mark.parametrize("apart", [1 + 2.0**-30, 1 - 2.0**-30])
def test_rows_are_joined_where_kappa_is_above_a_half(implementation: Implementation, apart: float) -> None:
    # The Student kernel with one degree of freedom is 1/2 at one bandwidth; just there, rounding decides.
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        X = [*TEN[:8], [9.0], [9.0 + apart]]
        implementation.call("rkde", X, bandwidth=1.0, kernel=lambda h: implementation.get("Student")(h, 1))
    assert [warning.category for warning in caught] == [ModeCollapseWarning] * (apart < 1)


def test_single_outliers_are_no_cluster() -> None:
    far = [[100.0 * index, -100.0 * index] for index in range(1, 8)]
    with warnings.catch_warnings():
        warnings.simplefilter("error", RkdeWarning)
        model = rkde(np.vstack([LARGE, far]), bandwidth=2.0, loss=Huber)
    assert (model.weights > 0).all()


def test_without_asking_there_is_no_fall_back() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RkdeWarning)
        with pytest.raises(ValueError, match="median_nn"):
            rkde([[4.0]] * 4 + [[9.0]])


def test_both_fall_backs_are_announced() -> None:
    with pytest.warns(RkdeWarning) as caught:
        rkde([[4.0]] * 4 + [[9.0]], on_degenerate="warn")
    kinds = {warning.category for warning in caught}
    assert kinds == {DegenerateBandwidthWarning, DegenerateThresholdsWarning}


def test_a_warning_points_at_the_caller() -> None:
    with pytest.warns(DegenerateBandwidthWarning) as caught:
        rkde([[4.0]] * 4 + [[9.0]], on_degenerate="warn", loss=Absolute)
    assert caught[0].filename == __file__

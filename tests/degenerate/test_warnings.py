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

SEED = 20_120_903
RNG = np.random.default_rng(SEED)
LARGE = RNG.normal(size=(40, 2))
SMALL = RNG.normal(scale=0.2, size=(12, 2)) + 12.0


def test_a_cluster_without_weight_is_announced() -> None:
    with pytest.warns(ModeCollapseWarning, match="12 of 52") as caught:
        model = rkde(np.vstack([LARGE, SMALL]), bandwidth=2.0)
    assert not model.weights[-len(SMALL) :].any()
    assert len(caught) == 1


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

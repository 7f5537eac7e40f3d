"""Warnings of the recipe: a collapse or a fall-back is said, by a class that can be filtered."""

import warnings

import numpy as np
import pytest

from rkde.errors import (
    DegenerateBandwidthWarning,
    DegenerateThresholdsWarning,
    RkdeWarning,
    SignWarning,
)
from rkde.fast import Absolute, Huber, rkde

LARGE = np.random.default_rng(20_120_903).normal(size=(40, 2))


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
        rkde([[4.0]] * 9 + [[9.0]], on_degenerate="warn")
    kinds = {warning.category for warning in caught if not issubclass(warning.category, SignWarning)}
    assert kinds == {DegenerateBandwidthWarning, DegenerateThresholdsWarning}


def test_a_warning_points_at_the_caller() -> None:
    with pytest.warns(DegenerateBandwidthWarning) as caught:
        rkde([[4.0]] * 4 + [[9.0]], on_degenerate="warn", loss=Absolute)
    assert caught[0].filename == __file__

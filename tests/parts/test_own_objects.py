"""Kernels and losses of others: any object with the members of the protocol will do."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import InvalidType, NotConverged
from rkde.proofs_checks.tolerances import common_limit_bounds
from tests.support.compare import assert_within

KERNELS = (rk.Gaussian(0.75), rk.Laplacian(0.75), rk.Student(0.75, 3.0))
X = np.random.default_rng(7).standard_normal((30, 2))


def own(of: Any) -> Any:
    """Return an object of a class of its own with the public members of another one."""
    return type("Own", (), {name: getattr(of, name) for name in dir(of) if not name.startswith("_")})()


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_a_limit_under_a_kernel_and_a_loss_of_ones_own(kernel: rk.Kernel) -> None:
    loss = rk.Hampel(0.5, 0.7, 0.95)
    found, wanted = rk.fixed_point(X, own(kernel), own(loss)), rk.fixed_point(X, kernel, loss)
    assert found.certificate == wanted.certificate
    bound = common_limit_bounds(found.weights_error_bound, wanted.weights_error_bound)
    assert_within(found.weights, wanted.weights, bound, "weights")


def test_close_rows_are_told_apart_only_under_a_kernel_of_known_roundings() -> None:
    close, kernel = [[0.0], [1e-9], [3e-9], [1.0], [-1.5]], rk.Gaussian(1.0)
    assert rk.median_rkde(close, kernel).certificate == "global"
    with pytest.raises(NotConverged, match=r"^weights: rounding moves the weights by more than .*; use "):
        rk.median_rkde(close, own(kernel))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (
            lambda model: replace(model, kernel=own(model.kernel)),
            "kernel must be Gaussian, Student or Laplacian",
        ),
        (
            lambda model: replace(model, loss=own(model.loss)),
            "loss must be Quadratic, Absolute, Huber or Hampel",
        ),
    ],
    ids=["kernel", "loss"],
)
def test_a_model_file_names_the_kernels_and_losses_of_the_package_only(
    change: Callable[[rk.Rkde], rk.Rkde], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(InvalidType, match=f"^model.{problem} to be saved, got .*; fit with one of these"):
        rk.save_model(tmp_path / "m.npz", change(rk.rkde(X, bandwidth=0.75, loss=rk.Huber)))
    assert list(tmp_path.iterdir()) == []

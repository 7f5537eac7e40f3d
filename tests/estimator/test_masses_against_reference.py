"""Rows with masses against the reference, in which (1 - s) F_n + s delta has masses."""

from typing import Any

import numpy as np
import pytest

import rkde
from rkde import reference
from rkde.proofs_checks import tolerances
from rkde.reference.numbers import make_context
from tests.support.compare import assert_relative_to_largest

DATA = [[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]]
NEW = [2.25]
SHARES = ["0.125", "0.5"]
LOSSES = {"huber": (0.5,), "hampel": (0.5, 0.625, 0.9375), "absolute": ()}


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("name", LOSSES)
def test_masses_have_the_limit_of_the_reference(name: Any, share: str) -> None:
    context = make_context(30)
    kernel = reference.Gaussian(1)
    kinds = {"huber": reference.Huber, "hampel": reference.Hampel, "absolute": reference.Absolute}
    loss = kinds[name](*LOSSES[name])
    uniform = [context.mpf(1) / 6] * 6
    exact = reference.contaminate(context, DATA, kernel, loss, uniform, share, NEW)
    masses = [(1 - float(share)) / 6] * 6 + [float(share)]
    estimator = rkde.RobustKernelDensity(
        bandwidth=1.0,
        loss=name,
        thresholds=LOSSES[name] or None,
        start="uniform",
        stop="stationarity",
        tol=1e-14,
    )
    estimator.fit([*DATA, NEW], sample_weight=masses)
    margin = exact.curvature_margin
    bound = tolerances.limit_bound(2e-12, 1.0 if margin is None else float(margin))
    assert_relative_to_largest(estimator.weights_, exact.weights, bound, "weights")
    assert np.argmax(estimator.weights_) == np.argmax([float(weight) for weight in exact.weights])

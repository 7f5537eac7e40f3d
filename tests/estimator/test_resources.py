"""Engine, memory, threads and progress: checked, passed on, and without an effect on the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import rkde
from rkde.errors import InvalidInput, MemoryLimit
from rkde.fast.sklearn import fit as _estimator_fit

SEED = 20_120_910
RKDE = rkde.RobustKernelDensity


def table() -> np.ndarray:
    return np.random.default_rng(SEED).normal(size=(60, 2))


@pytest.mark.parametrize(
    ("where", "value"),
    [("engine", "gpu"), ("threads", 0), ("threads", 1.5), ("memory_limit", "many"), ("verbose", "yes")],
)
def test_wrong_resources(where: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        RKDE(bandwidth=1.0, **{where: value}).fit(table())
    assert caught.value.where == where


def test_threads_are_limited_while_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    fit = _estimator_fit.rkde

    def watched(*arguments: Any, **named: Any) -> Any:
        seen.append([pool["num_threads"] for pool in threadpool_info()])
        return fit(*arguments, **named)

    monkeypatch.setattr(_estimator_fit, "rkde", watched)
    before = [pool["num_threads"] for pool in threadpool_info()]
    RKDE(bandwidth=1.0, loss="huber", threads=1).fit(table())
    assert seen == [[1] * len(before)]
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_copies_that_do_not_fit_into_memory() -> None:
    with pytest.raises(MemoryLimit):
        RKDE(memory_limit=1000).fit(table(), sample_weight=np.full(60, 2))

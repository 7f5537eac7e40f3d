"""Engine, memory, threads and progress: checked, passed on, and without an effect on the numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import rkde
from rkde.errors import MemoryLimit
from rkde.fast.estimates import results
from rkde.fast.influence import function as influence_module
from rkde.fast.sklearn import fit as fit_module

SEED = 20_120_910
RKDE = rkde.RobustKernelDensity


def table() -> np.ndarray:
    return np.random.default_rng(SEED).normal(size=(60, 2))


def threads_of_linear_algebra() -> list[int]:
    """Return the threads of each library that a fit computes by; other tests load others."""
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


def test_threads_are_limited_while_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    fit = fit_module.fit_places

    def watched(*arguments: Any, **named: Any) -> Any:
        seen.append(threads_of_linear_algebra())
        return fit(*arguments, **named)

    monkeypatch.setattr(fit_module, "fit_places", watched)
    before = threads_of_linear_algebra()
    RKDE(bandwidth=1.0, loss="huber", threads=1).fit(table())
    assert seen == [[1] * len(before)]
    assert threads_of_linear_algebra() == before


def test_copies_that_do_not_fit_into_memory() -> None:
    with pytest.raises(MemoryLimit):
        RKDE(memory_limit=1000).fit(table(), sample_weight=np.full(60, 2))


@pytest.mark.parametrize("engine", ["dense", "sparse", "tiled"])
def test_every_step_of_a_fit_uses_the_engine(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []
    log_density, operator_for = results.mixture_log_density, influence_module.operator_for

    def scored(*arguments: Any, **named: Any) -> Any:
        used.append(named["resources"].engine)
        return log_density(*arguments, **named)

    def applied(*arguments: Any) -> Any:
        operator = operator_for(*arguments)
        used.append(operator.engine)
        return operator

    monkeypatch.setattr(results, "mixture_log_density", scored)
    monkeypatch.setattr(influence_module, "operator_for", applied)
    fitted = RKDE(bandwidth=1.0, loss="huber", engine=engine).fit(table())
    fitted.predict(table()[:3])
    fitted.influence(table()[:3])
    # Of the offset, the prediction and the influence, in this order.
    assert used == [engine] * 3


ASKED: dict[str, Callable[[rkde.RobustKernelDensity], Any]] = {
    "influence": lambda fitted: fitted.influence(table()[:3]).if_coef,
    "score_samples": lambda fitted: fitted.score_samples(table()),
    "leave_one_out_log_density": lambda fitted: fitted.leave_one_out_log_density(),
    "tail_probabilities": lambda fitted: fitted.tail_probabilities(),
    "tail_probabilities of new rows": lambda fitted: fitted.tail_probabilities(table()[:3]),
}


@pytest.mark.parametrize("name", ASKED)
def test_what_is_asked_of_a_fit_keeps_within_the_memory_limit(name: str) -> None:
    fitted = RKDE(bandwidth=1.0, loss="huber").fit(table())
    assert len(ASKED[name](fitted)) in (3, 60)
    with pytest.raises(MemoryLimit):
        ASKED[name](fitted.set_params(memory_limit=1))

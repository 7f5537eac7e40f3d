"""Threads, forks and spawned processes at once give the bits of one alone, and leave nothing changed."""

import multiprocessing
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from rkde import RobustKernelDensity
from rkde.errors import NotConvergedWarning, RkdeWarning

THREADS = 8
TIED = np.repeat([[0.0], [0.1], [0.25], [9.0]], 5, axis=0)


def table(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((60 + 5 * seed, 2))


def fitted(seed: int) -> tuple[bytes, bytes]:
    """Return the weights and the scores of a fit, as bits."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        estimator = RobustKernelDensity(threads=1).fit(table(seed))
    return estimator.weights_.tobytes(), estimator.score_samples(table(seed + 1)).tobytes()


def at_once(work: Callable[[int], object]) -> list[object]:
    """Let several threads begin a piece of work at the same moment."""
    barrier = Barrier(THREADS)

    def begin(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_threads_share_one_fitted_estimator() -> None:
    estimator = RobustKernelDensity(threads=1).fit(table(0))

    def answers(number: int) -> tuple[bytes, bytes]:
        return estimator.score_samples(table(number)).tobytes(), estimator.predict(table(number)).tobytes()

    assert at_once(answers) == [answers(number) for number in range(THREADS)]


def test_threads_that_fit_at_once_give_the_bits_of_one_and_change_nothing() -> None:
    def fit(number: int) -> bytes:
        return RobustKernelDensity(threads=1).fit(table(number)).weights_.tobytes()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        alone = [fit(number) for number in range(THREADS)]
        before = list(warnings.filters), np.geterr()
        assert at_once(fit) == alone
        assert (list(warnings.filters), np.geterr()) == before


def test_each_thread_that_fits_is_warned() -> None:
    estimators = [
        RobustKernelDensity(bandwidth=0.2, loss="huber", max_iter=1, tol=1e-15, recipe="paper", threads=1)
        for _ in range(THREADS)
    ]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        at_once(lambda number: estimators[number].fit(TIED))
    assert sum(issubclass(one.category, NotConvergedWarning) for one in caught) == THREADS


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_processes_give_the_bits_of_one(method: str) -> None:
    # Before a fork, so that it inherits whatever this process has opened.
    alone = [fitted(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(fitted, range(4)).get(timeout=300) == alone

"""Threads, several fits at once, progress, and what an interruption leaves behind."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info

import rkde.fast as rk
from rkde.errors import InvalidType
from rkde.fast._resources import Progress, progress, silent, worker_count
from rkde.fast._resources.progress import PlainLines, TerminalBar, reporter
from rkde.fast._resources.threads import thread_limit
from rkde.fast.operators import DenseOperator, TiledOperator, log_density
from rkde.proofs_checks.tolerances import common_limit_bounds
from tests.engines.support import contaminated, each_name
from tests.support.compare import assert_within

FIT_FOREVER = """
import sys
import numpy as np
import rkde.fast as rk

def told(progress):
    print(progress.stage, flush=True)

X = np.random.default_rng(0).standard_normal((4000, 20))
print("ready", flush=True)
try:
    while True:
        rk.kirwls(X, rk.Gaussian(3.0), rk.Huber(0.5), stop=rk.FixedSteps(1000), engine="tiled", progress=told)
except KeyboardInterrupt:
    print("stopped", flush=True)
    sys.exit(130)
"""


def blas_threads() -> list[int]:
    return [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]


@each_name
def test_certified_minima_agree_for_every_number_of_threads(engine: Any) -> None:
    # The size of the known case, and less where each product costs n^2 kernels.
    shape = (500 if engine == "dense" else 120, 2 if engine == "cells" else 20)
    X = np.random.default_rng(7).standard_normal(shape)
    kernel = rk.Gaussian(rk.median_nn(X))
    limits = [rk.median_rkde(X, kernel, engine=engine, threads=count) for count in (1, 2, 3)]
    for limit in limits[1:]:
        bound = common_limit_bounds(limits[0].weights_error_bound, limit.weights_error_bound)
        assert_within(limit.weights, limits[0].weights, bound, engine)


def test_the_limit_of_threads_holds_and_ends() -> None:
    before = blas_threads()
    with thread_limit(2), thread_limit(1):
        assert set(blas_threads()) == {1}
    assert blas_threads() == before
    with thread_limit(None):
        assert blas_threads() == before


def test_limits_of_several_python_threads_overlap_in_any_order() -> None:
    before = blas_threads()
    first_in, second_out = threading.Event(), threading.Event()
    inside: list[set[int]] = []

    def outlasts() -> None:
        with thread_limit(1):
            first_in.set()
            second_out.wait()
            inside.append(set(blas_threads()))

    other = threading.Thread(target=outlasts)
    other.start()
    first_in.wait()
    with thread_limit(2):
        pass
    second_out.set()
    other.join()
    assert inside == [{1}]
    assert blas_threads() == before


@each_name
def test_fits_and_scores_of_several_python_threads(engine: Any) -> None:
    sets = [contaminated(120, 2, seed) for seed in range(4)]

    def fit(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        estimate = rk.rkde(X, engine=engine, threads=1)
        return estimate.weights, estimate.log_density(X, engine=engine, threads=1)

    alone = [fit(X) for X in sets]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(fit, sets * 2))
    for (weights, logs), (others, other_logs) in zip(together, alone * 2, strict=True):
        # One thread inside of each: the same additions in the same order.
        assert (weights == others).all()
        assert (logs == other_logs).all()


def test_progress_is_told_step_by_step() -> None:
    told: list[Progress] = []
    estimate = rk.rkde(contaminated(120, 2), progress=told.append, engine="sparse")
    stages = [one.stage for one in told]
    assert stages == sorted(stages, key=["matrix", "median", "kirwls"].index)
    steps = [one for one in told if one.stage == "kirwls"]
    assert [one.done for one in steps] == list(range(1, estimate.n_iter + 1))
    assert {type(one.done) for one in told} == {int}
    assert [one.objective for one in steps] == estimate.objective_path[1:].tolist()
    assert told[0] == Progress("matrix", 120, 120)
    scored: list[Progress] = []
    estimate.log_density(estimate.X, progress=scored.append)
    assert (scored[-1].stage, scored[-1].done, scored[-1].total) == ("score", 120, 120)


def test_no_bar_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    shown = reporter(True)
    assert isinstance(shown, PlainLines)
    shown(Progress("median", 1))
    assert capsys.readouterr().err == ""
    assert reporter(False) is silent
    with pytest.raises(InvalidType, match="progress"):
        rk.rkde([[0.0], [1.0], [3.0]], progress="yes")  # type: ignore[arg-type]


def test_a_bar_appears_on_a_terminal_where_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    bar = reporter(True)
    assert isinstance(bar, TerminalBar)
    bar(Progress("median", 1))
    assert bar._bar is None
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    bar(Progress("median", 2))
    bar(Progress("kirwls", 1))
    shown = bar._bar
    assert [task.description for task in shown.tasks] == ["kirwls"]
    bar.close()
    assert not shown.live.is_started


@each_name
def test_an_interruption_leaves_no_trace(engine: Any) -> None:
    X = contaminated(150, 2)
    whole = rk.rkde(X, engine=engine, threads=1)
    before = blas_threads()

    def interrupt(progress: Progress) -> None:
        if progress.stage == "kirwls":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rk.rkde(X, engine=engine, threads=1, progress=interrupt)
    assert blas_threads() == before
    assert (rk.rkde(X, engine=engine, threads=1).weights == whole.weights).all()


@pytest.mark.parametrize("engine", ["sparse", "dense"])
def test_an_error_that_is_kept_keeps_no_limit(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever keeps a traceback, as a debugger does, keeps its frames; threads are free all the same."""
    monkeypatch.setattr(log_density, "_FEW_PAIRS", 0)
    X = contaminated(3000, 2)
    before, alive = blas_threads(), threading.active_count()
    inside: list[list[int]] = []

    def stop(progress: Progress) -> None:
        inside.append(blas_threads())
        raise ZeroDivisionError

    kernel, weights = rk.Gaussian(0.05), np.full(3000, 1 / 3000)
    # A limit of 2, so that there are two workers, and a limit inside that could be left behind.
    with thread_limit(2):
        two = blas_threads()
        with pytest.raises(ZeroDivisionError) as kept:
            rk.log_density(X, kernel, weights, X, engine=engine, progress=stop)
        assert blas_threads() == two
    assert kept.tb is not None
    assert (blas_threads(), threading.active_count()) == (before, alive)
    assert inside == [[1] * len(before)]


def test_an_error_in_a_worker_stops_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(DenseOperator, "_fill_rows", fail)
    with pytest.raises(ZeroDivisionError):
        DenseOperator(contaminated(3000, 2), rk.Gaussian(1.0), threads=2)


def test_more_threads_than_there_is_work_for_take_nothing() -> None:
    X = contaminated(300, 2)
    few, many = (TiledOperator(X, rk.Gaussian(1.0), threads=count) for count in (2, 10**30))
    assert few.nbytes == many.nbytes
    assert worker_count(10**30) < 10**3
    with thread_limit(10**30):
        assert max(blas_threads()) <= (os.cpu_count() or 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_fork_ends_the_limits_of_other_threads() -> None:
    inside, done = threading.Event(), threading.Event()

    def hold() -> None:
        with thread_limit(1):
            inside.set()
            done.wait()

    other = threading.Thread(target=hold)
    with thread_limit(2):
        two = blas_threads()
        other.start()
        inside.wait()
        child = os.fork()
        if not child:
            os._exit(0 if blas_threads() == two else 1)
        status = os.waitpid(child, 0)[1]
        done.set()
        other.join()
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.skipif(os.name == "nt", reason="sends SIGINT to a process")
def test_control_c_stops_a_fit() -> None:
    restore = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    command = [sys.executable, "-c", restore + FIT_FOREVER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as fit:
        assert fit.stdout.readline() == "ready\n"
        # The first product tells of itself before the first step does.
        assert set(iter(fit.stdout.readline, "kirwls\n")) == {"product\n"}
        fit.send_signal(signal.SIGINT)
        out, err = fit.communicate()
    assert fit.returncode == 130, err
    assert out.splitlines()[-1] == "stopped"

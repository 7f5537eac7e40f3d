"""Forecasts and what is shown of a computation that lasts, under a clock that the test sets."""

import io
import re
import sys
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from unittest.mock import Mock

import numpy as np
import pytest

import rkde.fast as rk
from rkde.fast._resources import Progress, in_parallel, progress, silent, stop_if_ended
from rkde.fast._resources.progress import Forecast, PlainLines, TerminalBar, display_for, to_stderr
from rkde.fast.operators import TiledOperator


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "monotonic", made)
    monkeypatch.setattr(progress, "Forecast", lambda: Forecast(made))
    return made


def test_scores_take_as_long_as_their_rate_says() -> None:
    clock = Clock()
    forecast = Forecast(clock)
    assert forecast.left(Progress("score", 500, 8000)) is None
    clock.now += 4.0
    # 500 more rows in 4 seconds, and 7000 are left.
    assert forecast.left(Progress("score", 1000, 8000)) == 56.0


def test_nothing_is_said_after_too_short_a_look_or_without_an_advance() -> None:
    clock = Clock()
    forecast = Forecast(clock)
    forecast.left(Progress("score", 1, 8))
    clock.now += 0.01
    assert forecast.left(Progress("score", 2, 8)) is None
    clock.now += 10
    assert forecast.left(Progress("score", 1, 8)) is None


def test_a_fit_takes_more_than_its_first_stage() -> None:
    times: dict[str, float] = {}
    for stage in ("matrix", "product"):
        clock = Clock()
        forecast = Forecast(clock)
        forecast.left(Progress(stage, 0, 100))  # type: ignore[arg-type]
        clock.now += 3.0
        # Half of the rows have three quarters of the pairs: the stage takes 4 seconds.
        left = forecast.left(Progress(stage, 50, 100))  # type: ignore[arg-type]
        times[stage] = left
    assert 1.0 < times["matrix"] < times["product"]


def test_more_steps_than_usual_are_open_ended() -> None:
    clock = Clock()
    forecast = Forecast(clock)
    lefts = []
    for step in range(1, 40):
        lefts.append(forecast.left(Progress("kirwls", step)))
        clock.now += 2.0
    known = [left for left in lefts if left is not None]
    assert known == sorted(known, reverse=True)
    assert lefts[-1] is None


def feed(shown: Callable[[Progress], None], clock: Clock, pace: float, count: int) -> None:
    for done in range(1, count + 1):
        shown(Progress("score", done, count))
        clock.now += pace


def test_plain_lines_are_a_forecast_and_one_line_each_half_minute(clock: Clock) -> None:
    told: list[str] = []
    shown = display_for(told.append, lambda stage, seconds: f"; {stage}, {seconds:g}")
    assert isinstance(shown, PlainLines)
    feed(shown, clock, 1.0, 100)
    assert told == [
        "about 2 min for these scores; score, 99",
        "score: row 31 of 100, about 70 s left",
        "score: row 61 of 100, about 40 s left",
        "score: row 91 of 100, about 9 s left",
    ]


@pytest.mark.parametrize(("is_terminal", "pace"), [(False, 0.09), (True, 0.009)])
def test_what_is_soon_over_shows_nothing(
    is_terminal: bool, pace: float, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = io.StringIO()
    monkeypatch.setattr(written, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stderr", written)
    shown = display_for()
    feed(shown, clock, pace, 100)
    shown.close()
    assert written.getvalue() == ""


def test_a_step_shows_the_objective(clock: Clock) -> None:
    told: list[str] = []
    shown = display_for(told.append)
    # A first step that took long, from which nothing can be told of the others.
    clock.now += 31.0
    shown(Progress("median", 1, objective=0.75))
    assert told == ["median: step 1, J = 0.75"]
    told.clear()
    for step in range(1, 4):
        shown(Progress("median", step, objective=0.5))
        clock.now += 31.0
    assert re.fullmatch(r"about \d+ min for this fit", told[0])
    assert re.fullmatch(r"median: step 2, J = 0\.5, about \d+ min left", told[1])


def test_a_terminal_has_the_forecast_beside_the_bar(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    told: list[str] = []
    shown = display_for(told.append)
    assert isinstance(shown, TerminalBar)
    try:
        feed(shown, clock, 1.0, 100)
    finally:
        shown.close()
    assert told == ["about 2 min for these scores"]


@pytest.mark.parametrize(("passed", "appears"), [(0.75, False), (1.0, True), (1000.5, True)])
def test_a_bar_appears_after_a_second(
    passed: float, appears: bool, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Mock] = []
    monkeypatch.setattr(progress, "_new_bar", lambda: made.append(Mock(task_ids=[0])) or made[0])
    shown = TerminalBar()
    clock.now += passed
    shown(Progress("score", 1, 100))
    assert bool(made) == appears


def test_without_standard_error_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert display_for() is silent


def test_a_line_is_written_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stream(io.StringIO):
        flushed = ""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    stream = Stream()
    monkeypatch.setattr(sys, "stderr", stream)
    to_stderr("about 2 min for this fit")
    assert stream.flushed == "rkde: about 2 min for this fit\n"


def test_a_closed_standard_error_does_not_end_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)
    assert to_stderr("lost") is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_first_product_without_a_matrix_tells_of_its_rows(threads: int) -> None:
    told: list[Progress] = []
    X = np.random.default_rng(0).standard_normal((1500, 2))
    operator = TiledOperator(X, rk.Gaussian(1.0), threads=threads, report=told.append)
    operator.product(np.ones(1500))
    assert {one.stage for one in told} == {"product"}
    done = [one.done for one in told]
    assert done == sorted(set(done))
    told.clear()
    operator.product(np.ones(1500))
    assert told == []


def test_workers_end_when_their_caller_does() -> None:
    """An interruption of the caller must not wait for a long piece of work."""
    begun = threading.Event()
    ends: list[type[BaseException]] = []

    def work(item: int) -> int:
        if item == 0:
            return item
        begun.set()
        try:
            while True:
                stop_if_ended()
        except CancelledError as error:
            ends.append(type(error))
            raise

    def interrupted() -> None:
        with in_parallel(work, [0, 1], 2) as answers:
            next(answers)
            begun.wait()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert ends == [CancelledError]

"""The progress of a computation, how long it will take, and what users see of both."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from rich.progress import Progress as Bar


Stage = Literal["matrix", "product", "median", "kirwls", "score"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a computation is.

    Attributes
    ----------
    stage : {"matrix", "product", "median", "kirwls", "score"}
        What is going on: the kernel matrix is built, or multiplied for the first time where none is stored;
        f_med is sought, KIRWLS runs for the loss, queries are scored.
    done : int
        Rows, steps or queries so far.
    total : int or None
        How many there are; None for steps, whose number nobody knows beforehand.
    objective : float or None
        J after the last step.
    """

    stage: Stage
    done: int
    total: int | None = None
    objective: float | None = None


Report = Callable[[Progress], None]


def silent(progress: Progress) -> None:
    """Tell nothing."""


# Nothing is said from a shorter look: the first blocks wait for memory, and clocks tick.
_LOOK_SECONDS: Final = 0.5
# Steps of a median or of KIRWLS, counted on tables of 10 000 to 100 000 rows: 11 to 15.
_TYPICAL_STEPS: Final = 13
# What follows the steps for the median (certificate, start, thresholds, the last step), in steps; measured on
# the same tables where no matrix is stored, and every step is long. Where one is, steps are short.
_AFTER_MEDIAN: Final = 15
# What follows the first stage of a fit, in such stages: about twice the work to build a matrix, and a product
# for each step and for what comes after where none is stored.
_AFTER_STAGE: Final[dict[Stage, float]] = {"matrix": 2.0, "product": float(_TYPICAL_STEPS + _AFTER_MEDIAN)}
# Stages whose rows get cheaper from first to last, since each pair of rows is visited once.
_TRIANGULAR: Final = frozenset({"matrix", "product"})

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE


class Forecast:
    """The seconds that are left, told one advance after the other.

    Parameters
    ----------
    clock : callable
        Returns seconds.

    Examples
    --------
    >>> times = iter([0.0, 1.0])
    >>> forecast = Forecast(lambda: next(times))
    >>> forecast.left(Progress("score", 100, 1000)), forecast.left(Progress("score", 200, 1000))
    (None, 8.0)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._stage: Stage | None = None
        self._begun = 0.0
        self._first = 0.0

    def left(self, progress: Progress) -> float | None:
        """Return about how many seconds are left, None where nothing can be said yet, or at all.

        The rate is that since the first advance of the stage: what lies before it belongs to no block.
        """
        now = self._clock()
        if progress.stage != self._stage:
            self._stage, self._begun, self._first = progress.stage, now, _amount(progress)
            return None
        passed, gained = now - self._begun, _amount(progress) - self._first
        if passed < _LOOK_SECONDS or gained <= 0:
            return None
        one = passed / gained
        if progress.total is not None:
            return one * (1 - _amount(progress) + _AFTER_STAGE.get(progress.stage, 0.0))
        if progress.done >= _TYPICAL_STEPS:
            return None
        after = _AFTER_MEDIAN if progress.stage == "median" else 0
        return one * (_TYPICAL_STEPS - progress.done + after)


def _amount(progress: Progress) -> float:
    """Return the part of the stage that is done, or the number of steps."""
    if progress.total is None:
        return progress.done
    share = progress.done / progress.total if progress.total else 1.0
    return share * (2 - share) if progress.stage in _TRIANGULAR else share


def duration(seconds: float) -> str:
    """Return a time in one or two digits.

    Examples
    --------
    >>> [duration(seconds) for seconds in (0.3, 4.7, 43, 94, 372, 10_000)]
    ['1 s', '5 s', '40 s', '2 min', '6 min', '3 h']
    """
    if seconds < 1.5 * _MINUTE:
        step = 1 if seconds < 10 else 5 if seconds < 30 else 10
        return f"{max(1, round(seconds / step) * step)} s"
    if seconds < 1.5 * _HOUR:
        return f"{round(seconds / _MINUTE)} min"
    return f"{round(seconds / _HOUR)} h"


# A computation that is over sooner shows no bar.
_PATIENCE_SECONDS: Final = 1.0
# A computation of less is not worth a forecast.
_LONG_SECONDS: Final = 10.0
# Plain lines are no closer than this: a log is read later.
_PAUSE_SECONDS: Final = 30.0

Advice = Callable[[Stage, float], str]


def no_advice(stage: Stage, seconds: float) -> str:  # noqa: ARG001 (one form for all)
    """Advise nothing."""
    return ""


def to_stderr(text: str) -> None:
    """Print a line to standard error; one that is closed or full must not end the work."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"rkde: {text}\n")
        sys.stderr.flush()


def reporter(progress: bool | Report) -> Report:  # noqa: FBT001 (the public argument itself)
    """Return the function to call with every advance; what it raises ends the computation."""
    if not isinstance(progress, bool):
        return progress
    return display_for() if progress else silent


def display_for(write: Callable[[str], None] = to_stderr, advise: Advice = no_advice) -> Report:
    """Return what shows a computation on standard error: a bar on a terminal, elsewhere a few plain lines.

    Parameters
    ----------
    write : callable
        Takes a line.
    advise : callable
        Takes the stage and the seconds of a computation that will last; returns what is put behind the
        forecast, or nothing.
    """
    # Without a console there is no standard error at all.
    if sys.stderr is None:
        return silent
    return TerminalBar(write, advise) if sys.stderr.isatty() else PlainLines(write, advise)


class Display:
    """The forecast, once, where the whole takes long.

    Parameters
    ----------
    write, advise
        As for `display_for`.
    """

    def __init__(self, write: Callable[[str], None] = to_stderr, advise: Advice = no_advice) -> None:
        self._write, self._advise = write, advise
        self._start = monotonic()
        self._forecast = Forecast()
        self._is_told = False

    def __call__(self, progress: Progress) -> None:
        """Show an advance."""
        left = self._forecast.left(progress)
        if left is not None and not self._is_told:
            whole = monotonic() - self._start + left
            if whole > _LONG_SECONDS:
                self._is_told = True
                what = "these scores" if progress.stage == "score" else "this fit"
                self._write(f"about {duration(whole)} for {what}" + self._advise(progress.stage, whole))
        self._show(progress, left)

    def _show(self, progress: Progress, left: float | None) -> None:
        """Show an advance beside the forecast."""

    def close(self) -> None:
        """Leave standard error as it was."""


class PlainLines(Display):
    """Lines for a file or a pipe: none of a computation that does not last."""

    def __init__(self, write: Callable[[str], None] = to_stderr, advise: Advice = no_advice) -> None:
        super().__init__(write, advise)
        self._last = self._start

    def _show(self, progress: Progress, left: float | None) -> None:
        now = monotonic()
        if now - self._last < _PAUSE_SECONDS:
            return
        self._last = now
        of = "" if progress.total is None else f" of {progress.total}"
        parts = [f"{progress.stage}: {_UNITS[progress.stage]} {progress.done}{of}"]
        if progress.objective is not None:
            parts.append(f"J = {progress.objective:.6g}")
        if left is not None:
            parts.append(f"about {duration(left)} left")
        self._write(", ".join(parts))


_UNITS: Final[dict[Stage, str]] = {
    "matrix": "row",
    "product": "row",
    "median": "step",
    "kirwls": "step",
    "score": "row",
}


class TerminalBar(Display):
    """A bar on standard error that appears only where the computation lasts."""

    def __init__(self, write: Callable[[str], None] = to_stderr, advise: Advice = no_advice) -> None:
        super().__init__(write, advise)
        self._bar: Bar | None = None
        self._stage: Stage | None = None

    def _show(self, progress: Progress, left: float | None) -> None:  # noqa: ARG002 (the bar shows the time)
        if self._bar is None:
            if monotonic() - self._start < _PATIENCE_SECONDS:
                return
            self._bar = _new_bar()
        if progress.stage != self._stage:
            for task in self._bar.task_ids:
                self._bar.remove_task(task)
            self._bar.add_task(progress.stage, total=progress.total)
            self._stage = progress.stage
        self._bar.update(self._bar.task_ids[-1], completed=progress.done, total=progress.total)

    def close(self) -> None:
        """Take the bar off the terminal, which is left as it was."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def _new_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    bar.start()
    return bar

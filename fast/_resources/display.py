"""What people see of a computation that lasts: a forecast, then a bar on a terminal or a few plain lines."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Final

from rkde.fast._resources.forecast import Forecast, duration
from rkde.fast._resources.progress import Progress, Report, Stage, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

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

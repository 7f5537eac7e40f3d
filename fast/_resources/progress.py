"""Telling how far a long computation is: to a function of the caller, or as a bar on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from rich.progress import Progress as Bar

Stage = Literal["matrix", "median", "kirwls", "score"]
# A computation that is over sooner shows no bar.
_PATIENCE_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a computation is.

    Attributes
    ----------
    stage : {"matrix", "median", "kirwls", "score"}
        What is going on: the kernel matrix is built, f_med is sought, KIRWLS runs for the loss, queries are
        scored.
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


def reporter(progress: bool | Report) -> Report:  # noqa: FBT001 (the public argument itself)
    """Return the function to call with every advance; what it raises ends the computation."""
    if not isinstance(progress, bool):
        return progress
    # Without a console there is no standard error at all.
    is_shown = progress and sys.stderr is not None and sys.stderr.isatty()
    return TerminalBar() if is_shown else silent


class TerminalBar:
    """A bar on standard error that appears only where the computation lasts."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._bar: Bar | None = None
        self._stage: Stage | None = None

    def __call__(self, progress: Progress) -> None:
        """Show an advance."""
        if self._bar is None:
            if time.monotonic() - self._start < _PATIENCE_SECONDS:
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

"""How long a computation will probably take, from what it tells while it runs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from rkde.fast._resources.progress import Progress, Stage

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

"""Timing on a machine that others use too: processor time, the shortest, side by side with a yardstick."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import stats

Action = Callable[[], object]
CONFIDENCE = 0.95


@dataclass(frozen=True)
class Ratio:
    """Processor seconds of some work and of its yardstick, each the shortest of interleaved repetitions."""

    work: float
    yardstick: float

    @property
    def value(self) -> float:
        return self.work / self.yardstick


def processor_seconds(action: Action) -> float:
    """Return the processor time that one call takes, all threads together."""
    start = time.process_time()
    action()
    return time.process_time() - start


def side_by_side(work: Action, yardstick: Action, repetitions: int) -> Ratio:
    """Time two actions alternately, so that a neighbour's load meets both, and keep the shortest of each."""
    yardstick()
    times = [(processor_seconds(work), processor_seconds(yardstick)) for _ in range(repetitions)]
    return Ratio(min(first for first, _ in times), min(second for _, second in times))


@dataclass(frozen=True)
class Slope:
    """The slope of log time against log n by least squares, with a confidence interval."""

    slope: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.slope:.2f} ({self.low:.2f} to {self.high:.2f})"


def fitted_slope(sizes: list[int], seconds: list[float]) -> Slope:
    """Fit the slope; the interval holds it with probability 0.95 if errors of the logarithms are normal."""
    fit = stats.linregress(np.log(sizes), np.log(seconds))
    quantile = stats.t.ppf((1 + CONFIDENCE) / 2, max(1, len(sizes) - 2))
    half = float(quantile * fit.stderr)
    return Slope(float(fit.slope), float(fit.slope) - half, float(fit.slope) + half)

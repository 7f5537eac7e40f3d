"""How large a difference is: in points of AUC or detection, in nats, set by set and over the sets."""

import math
import statistics
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.paper.cells import CONFIDENCE, Chosen, Comparison
from benchmarks.paper.partitions import SEED
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.variants import BASE

RESAMPLES: Final = 10_000


@dataclass(frozen=True, slots=True)
class Gain:
    """What method 1 gains on one set, in units of the measure, and its standard error over the partitions."""

    name: str
    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class Size:
    """What method 1 gains over the data sets, in units of the measure.

    `low` and `high` bound the mean with 95 % confidence, by resampling the sets; `won` and `lost` count the
    sets on which it gains or loses a notable amount.
    """

    comparison: Comparison
    gains: tuple[Gain, ...]
    low: float
    high: float

    @property
    def mean(self) -> float:
        """The mean over the sets."""
        return statistics.fmean(gain.mean for gain in self.gains)

    @property
    def median(self) -> float:
        """The median over the sets."""
        return statistics.median(gain.mean for gain in self.gains)

    @property
    def won(self) -> int:
        """The number of sets with a notable gain."""
        return sum(gain.mean >= MEASURES[self.comparison.measure].notable for gain in self.gains)

    @property
    def lost(self) -> int:
        """The number of sets with a notable loss."""
        return sum(gain.mean <= -MEASURES[self.comparison.measure].notable for gain in self.gains)

    @property
    def best(self) -> Gain:
        """The set with the largest gain."""
        return max(self.gains, key=lambda gain: gain.mean)

    @property
    def worst(self) -> Gain:
        """The set with the largest loss."""
        return min(self.gains, key=lambda gain: gain.mean)


def size(
    results: Results, asked: Comparison, chosen: Chosen | None = None, variants: tuple[str, str] | None = None
) -> Size:
    """Return the gains of method 1 over method 2 on the partitions that both have.

    By default both are taken from the variants that `chosen` names; `variants` names one for each method.
    """
    chosen, measure = chosen or Chosen(), MEASURES[asked.measure]
    sign = measure.scale * (-1 if measure.smaller_is_better else 1)
    gains = []
    for name in chosen.names:
        first, second = (
            (method, variants[place] if variants else chosen.variant(name, method))
            for place, method in enumerate(asked.methods)
        )
        pairs = results.pairs(asked.measure, first, second, asked.epsilon, name)[: chosen.first]
        gaps = [sign * (one - two) for one, two in pairs]
        if gaps:
            error = statistics.stdev(gaps) / math.sqrt(len(gaps)) if len(gaps) > 1 else math.nan
            gains.append(Gain(name, statistics.fmean(gaps), error))
    return Size(asked, tuple(gains), *_interval([gain.mean for gain in gains]))


def _interval(means: list[float]) -> tuple[float, float]:
    """Return a percentile interval of the mean over resampled sets."""
    if not means:
        return math.nan, math.nan
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(len(means), RESAMPLES)))
    drawn = np.asarray(means)[rng.integers(0, len(means), (RESAMPLES, len(means)))].mean(axis=1)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail])
    return float(low), float(high)


def mean_value(results: Results, measure: str, method: str, epsilon: str, variant: str = BASE) -> float:
    """Return a method's measure averaged over partitions, then over the sets, in its unit."""
    values = [
        average
        for name in results.records.get(variant, {})
        if (average := results.average(measure, method, epsilon, name, variant)) is not None
    ]
    return MEASURES[measure].scale * statistics.fmean(values) if values else math.nan

"""Cells of the tables: signed ranks over the data sets, effect sizes, corrections, blocks of partitions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

import rkde.fast as rk
from benchmarks.paper.partitions import SEED
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.sets import SETS
from benchmarks.paper.variants import BASE, VARIANTS

RESAMPLES: Final = 500
CONFIDENCE: Final = 0.95
STANDARD_ERRORS: Final = 2
BLOCKS: Final = 5


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure, two methods and a contamination ratio: what the tables have a cell for."""

    measure: str
    method_1: str
    method_2: str
    epsilon: str

    @property
    def methods(self) -> tuple[str, str]:
        """Both methods."""
        return self.method_1, self.method_2


@dataclass(frozen=True, slots=True)
class Cell:
    """The outcome of a comparison over the data sets.

    `effect` is the matched-pairs rank-biserial correlation (R_1 - R_2) / (R_1 + R_2), 1 where method 1 is
    better everywhere; `low` and `high` bound it with 95 % confidence, by resampling the data sets. `p_holm`
    is corrected for the row's contamination ratios. `unclear` counts the sets whose divergences differ by
    less than two standard errors of their draws. `block_sums` and `block_effects` are R_1 and the effect
    over disjoint blocks of partitions, those that hold any.
    """

    comparison: Comparison
    sets: int
    wins: int
    rank_sum_1: float
    rank_sum_2: float
    statistic: float
    zeros: int
    p_value: float
    effect: float
    low: float
    high: float
    block_sums: tuple[float, ...]
    block_effects: tuple[float, ...]
    unclear: int = 0
    p_holm: float = math.nan

    @property
    def settled(self) -> bool:
        """Tell whether the same method leads in every block of partitions as in all of them."""
        return same_side(self.effect, self.block_effects)


Ties = Literal["method 2", "dropped"]


@dataclass(frozen=True, slots=True)
class Layer:
    """A variant, and the sets whose values are taken from it: by default all that it has."""

    variant: str
    names: tuple[str, ...] = tuple(SETS)

    def holds(self, name: str, method: str) -> bool:
        """Tell whether the values of a set and a method are those of the variant."""
        one = VARIANTS[self.variant]
        return name in self.names and name in one.sets and method in one.methods


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which values are averaged: variants, sets, how many partitions of each; and where a tie counts.

    A set and a method that several variants hold is taken from the last of them; what they leave as it is
    counts as in the paper's setting, over the same partitions; a set for which its variant has no result
    counts not at all. The paper counts a set without a difference for method 2 (section 6.1.3). A `relative`
    difference is over the value of method 2, and so without a scale.
    """

    layers: tuple[Layer, ...] = ()
    names: tuple[str, ...] = tuple(SETS)
    first: int | None = None
    ties: Ties = "method 2"
    relative: bool = False

    def variant(self, name: str, method: str) -> str:
        """Return the variant whose value of a set and a method counts."""
        held = [layer.variant for layer in self.layers if layer.holds(name, method)]
        return held[-1] if held else BASE


def row(
    results: Results,
    measure: str,
    methods: tuple[str, str],
    epsilons: Sequence[str],
    chosen: Chosen | None = None,
    *,
    interval: bool = True,
) -> list[Cell]:
    """Return a row of cells, one a contamination ratio, with Holm's correction along the row.

    Without `interval` that of the effect is left out: it costs as many tests as there are resamples.
    """
    asked = [Comparison(measure, *methods, epsilon) for epsilon in epsilons]
    made = [_cell(results, one, chosen or Chosen(), interval=interval) for one in asked]
    corrected = holm([cell.p_value for cell in made])
    return [replace(cell, p_holm=value) for cell, value in zip(made, corrected, strict=True)]


def gain_over(results: Results, first: Comparison, second: Comparison) -> Cell:
    """Test, set by set, how much more method 1 gains in one measure than in another one of the same unit."""

    def gained(block: slice) -> list[float]:
        both = (differences(results, asked, Chosen(), block) for asked in (first, second))
        return [one - other for one, other in zip(*both, strict=True)]

    return _tested(gained, first, Chosen(), interval=False)


def differences(results: Results, asked: Comparison, chosen: Chosen, block: slice) -> list[float]:
    """Return h_i for each data set that has both values, positive where method 1 is better.

    Two infinite averages are equal: a difference of 0.
    """
    found = []
    for name in chosen.names:
        first, second = (
            results.average(asked.measure, method, asked.epsilon, name, chosen.variant(name, method), block)
            for method in (asked.method_1, asked.method_2)
        )
        if first is None or second is None:
            continue
        gap = 0.0 if first == second else first - second
        if chosen.relative:
            gap /= abs(second)
        found.append(-gap if MEASURES[asked.measure].smaller_is_better else gap)
    return found


def ranked(differences: Sequence[float], ties: Ties = "method 2") -> rk.SignedRank:
    """Test differences; a 0 is dropped, or has the lowest rank and counts for method 2."""
    if ties == "dropped":
        return rk.signed_rank(differences)
    least = min((abs(value) for value in differences if value), default=1.0)
    ranks = rk.signed_rank([value or -least / 2 for value in differences])
    return replace(ranks, zeros=sum(value == 0 for value in differences))


def same_side(whole: float, parts: Sequence[float]) -> bool:
    """Tell whether the parts, one a block, differ from 0 to the side of the whole, each of them.

    Fewer parts than there should be blocks tell nothing.
    """
    return len(parts) == BLOCKS and all(math.copysign(1, whole) * part > 0 for part in parts)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's corrected p-values: the k-th smallest times the number of tests from it on, rising."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected, largest = [0.0] * len(p_values), 0.0
    for place, index in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - place) * p_values[index]))
        corrected[index] = largest
    return corrected


def _unclear(results: Results, asked: Comparison) -> int:
    """Return on how many sets the draws alone may have decided which divergence is the smaller one."""
    count = 0
    for name in SETS:
        values = [results.average("kl", method, asked.epsilon, name) for method in asked.methods]
        if None not in values:
            errors = [results.standard_error(method, asked.epsilon, name) for method in asked.methods]
            count += abs(values[0] - values[1]) < STANDARD_ERRORS * math.hypot(*errors)  # type: ignore[operator]
    return count


def _cell(results: Results, asked: Comparison, chosen: Chosen, *, interval: bool) -> Cell:
    cell = _tested(lambda block: differences(results, asked, chosen, block), asked, chosen, interval=interval)
    is_drawn = asked.measure == "kl" and chosen == Chosen()
    return replace(cell, unclear=_unclear(results, asked)) if is_drawn else cell


def _tested(
    gaps: Callable[[slice], list[float]], asked: Comparison, chosen: Chosen, *, interval: bool
) -> Cell:
    """Test the differences over all chosen partitions and over each block of them."""
    whole = gaps(slice(chosen.first))
    ranks = ranked(whole, chosen.ties)
    low, high = _interval(whole, chosen.ties) if interval else (math.nan, math.nan)
    parts = (gaps(slice(k, chosen.first, BLOCKS)) for k in range(BLOCKS))
    # Fewer partitions than blocks leave some blocks empty: they say nothing.
    blocks = [ranked(part, chosen.ties) for part in parts if part]
    return Cell(
        comparison=asked,
        sets=len(whole),
        wins=sum(value > 0 for value in whole),
        rank_sum_1=ranks.rank_sum_1,
        rank_sum_2=ranks.rank_sum_2,
        statistic=ranks.statistic,
        zeros=ranks.zeros,
        p_value=ranks.p_value,
        effect=_effect(ranks),
        low=low,
        high=high,
        block_sums=tuple(one.rank_sum_1 for one in blocks),
        block_effects=tuple(map(_effect, blocks)),
    )


def _effect(ranks: rk.SignedRank) -> float:
    total = ranks.rank_sum_1 + ranks.rank_sum_2
    return (ranks.rank_sum_1 - ranks.rank_sum_2) / total if total else 0.0


def _interval(whole: list[float], ties: Ties) -> tuple[float, float]:
    """Return a percentile interval of the effect over resampled data sets."""
    if not whole:
        return math.nan, math.nan
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(len(whole), RESAMPLES)))
    drawn = np.asarray(whole)[rng.integers(0, len(whole), (RESAMPLES, len(whole)))]
    effects = [_effect(ranked(sample.tolist(), ties)) for sample in drawn]
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(effects, [tail, 1 - tail])
    return float(low), float(high)

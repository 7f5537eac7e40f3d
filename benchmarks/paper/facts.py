"""What the fits reported: iterations, ends, lost clusters, degenerate cases, underflows, weights."""

import math
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks.paper.results import Entry, Results
from benchmarks.paper.sets import SETS
from benchmarks.paper.variants import BASE


@dataclass(frozen=True, slots=True)
class Iterations:
    """Steps of one method over all its fits, and how the fits ended."""

    method: str
    fits: int
    median: float
    high: float
    largest: int
    endings: dict[str, int]
    collapses: int


@dataclass(frozen=True, slots=True)
class Degenerate:
    """Cases of one set that a rule had to decide."""

    name: str
    fallback_bandwidths: int
    degenerate_thresholds: dict[str, int]
    samples: int
    failed_influences: dict[str, int]


_HIGH = 0.95


def entries(results: Results, name: str, variant: str = BASE) -> Iterator[tuple[str, Entry]]:
    """Yield the contamination ratio and the entry of each sample of a set."""
    for record in results.records.get(variant, {}).get(name, []):
        yield from record["epsilons"].items()


def iterations(results: Results, method: str) -> Iterations:
    """Return the iterations of a method over all samples of the paper's setting."""
    fits = [entry["fits"][method] for name in SETS for _, entry in entries(results, name)]
    counts = [fit["iterations"] for fit in fits]
    return Iterations(
        method,
        len(fits),
        statistics.median(counts),
        float(np.quantile(counts, _HIGH)),
        max(counts),
        dict(Counter(fit["status"] for fit in fits)),
        sum(fit.get("collapse", False) for fit in fits),
    )


def degenerate(results: Results, name: str) -> Degenerate:
    """Return how often a set needed the rule for a bandwidth of 0, or had no usable thresholds."""
    found = [entry for _, entry in entries(results, name)]
    thresholds = Counter(
        method
        for entry in found
        for method, fit in entry["fits"].items()
        if fit["status"] == "degenerate_thresholds"
    )
    failed = Counter(
        f"{method}: {values['failed']}"
        for entry in found
        for method, values in entry.get("influence", {}).items()
        if "failed" in values
    )
    fallbacks = sum(entry["rule"] != "median_nn" for entry in found)
    return Degenerate(name, fallbacks, dict(thresholds), len(found), dict(failed))


def failures(results: Results) -> dict[str, tuple[int, int, str]]:
    """Return for each variant with failed units: how many, of how many, and what the first one says."""
    found: dict[str, tuple[int, int, str]] = {}
    for variant, by_set in results.records.items():
        records = [record for of_set in by_set.values() for record in of_set]
        failed = [str(record["failed"]) for record in records if "failed" in record]
        if failed:
            found[variant] = (len(failed), len(records), failed[0])
    return found


def underflows(results: Results, method: str) -> dict[str, tuple[int, int, int]]:
    """Return for each ratio: samples with an underflow of the reference density, all samples, such draws."""
    found: dict[str, tuple[int, int, int]] = {}
    for name in SETS:
        for epsilon, entry in entries(results, name):
            number = entry["divergence"][method]["n_infinite"]
            before = found.get(epsilon, (0, 0, 0))
            found[epsilon] = (before[0] + (number > 0), before[1] + 1, before[2] + number)
    return found


@dataclass(frozen=True, slots=True)
class Weights:
    """What a robust estimate does to rows of one set, each number a mean over partitions.

    `over_share` is the weight of the contaminating rows over their share of the sample; the others are
    shares of the rows of a kind, those below 1/n and those without weight. NaN where there is no result.
    """

    over_share: float = math.nan
    below: float = math.nan
    below_nominal: float = math.nan
    zero: float = math.nan
    zero_nominal: float = math.nan


_SHARES = ("below_uniform", "below_uniform_nominal", "zero", "zero_nominal")


@dataclass(frozen=True, slots=True)
class Flagged:
    """Rows without weight as flags: the share of them that contaminate, and of the contaminating rows."""

    precision: float
    recall: float


def flagged(results: Results, method: str, epsilon: str) -> Flagged:
    """Return precision and recall of the rows without weight, means over partitions and then over sets.

    A sample without such a row has no precision.
    """
    precisions, recalls = [], []
    for name in results.partitions():
        found = [(record["n_nominal"], record["epsilons"][epsilon]) for record in results.records[BASE][name]]
        shares = [(nominal, entry["n"] - nominal, entry["weights"][method]) for nominal, entry in found]
        hits = [(outlying * of["zero"], nominal * of["zero_nominal"]) for nominal, outlying, of in shares]
        precise = [right / (right + wrong) for right, wrong in hits if right + wrong]
        precisions += [statistics.fmean(precise)] if precise else []
        recalls.append(statistics.fmean(of["zero"] for *_, of in shares))
    return Flagged(statistics.fmean(precisions) if precisions else math.nan, statistics.fmean(recalls))


def weights(results: Results, method: str, epsilon: str, name: str, variant: str = BASE) -> Weights:
    """Return what a method does to the rows of a set at one contamination ratio."""
    found = []
    for record in results.records.get(variant, {}).get(name, []):
        if epsilon not in record["epsilons"]:
            continue
        entry = record["epsilons"][epsilon]
        uniform = 1 - record["n_nominal"] / entry["n"]
        of = entry["weights"][method]
        found.append((of["contaminating"] / uniform, *(of[share] for share in _SHARES)))
    return Weights(*map(statistics.fmean, zip(*found, strict=True))) if found else Weights()

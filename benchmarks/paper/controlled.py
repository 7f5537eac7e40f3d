"""Contamination as two controlled axes, its ratio and how concentrated it is, about laws of known density."""

import json
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from time import process_time
from typing import Any, Final

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import chi2
from threadpoolctl import threadpool_limits

import rkde.fast as rk
from benchmarks.paper import rivals, tasks
from benchmarks.paper.made_with import made_with
from benchmarks.paper.methods import TITLES, Choices, Density, Fitted, fit
from benchmarks.paper.partitions import SEED
from benchmarks.paper.running import shown
from benchmarks.paper.sets import Labels, Table
from rkde.errors import RkdeWarning

# This experiment's place among the streams of the seed.
KEY: Final = 23
SEEDS: Final = 20
N_NOMINAL: Final = 300
# Rows of either kind that are held out.
N_TEST: Final = 200
# The paper's ratios, thinned, and larger ones.
RATIOS: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
# Draws from each of the two densities for one L1 distance.
DRAWS: Final = 250
# Centres of clusters lie so many nominal deviations from the outermost nominal centre, or farther.
AWAY: Final = 8.0
# Scattered rows fill a box that reaches so many deviations beyond the nominal centres.
BEYOND: Final = 10.0
# A row is outlying beyond the radius that holds all but this share of a nominal component.
INSIDE: Final = 1e-4
METHODS: Final = (
    "kde", "vkde", "rkde", "huber", "trimmed-10", "trimmed-25", "kept", "practical", "practical-plain",
)  # fmt: skip
NAMES: Final = TITLES | {name: rivals.DENSITIES[name][0] for name in METHODS if name in rivals.DENSITIES}
ROBUST: Final = "rkde"


@dataclass(frozen=True, slots=True)
class Law:
    """A mixture of round Gaussians of deviation 1: title, shares and centres.

    Scattered contamination is uniform in a box, or about 0 with the deviation `wide`.
    """

    title: str
    shares: tuple[float, ...]
    centres: tuple[tuple[float, ...], ...]
    wide: float | None = None

    @property
    def truth(self) -> rk.Kde:
        """The law: a mixture of equal widths is the density estimate of its centres."""
        return rk.kde(self.centres, rk.Gaussian(1.0), sample_weight=self.shares)

    def is_outlying(self, rows: Table) -> Labels:
        """Return which rows lie outside of the radius of every component."""
        radius = math.sqrt(chi2.isf(INSIDE, rows.shape[1]))
        return np.asarray(cdist(rows, np.asarray(self.centres)).min(axis=1) > radius)


COLUMNS: Final = 20
LAWS: Final[Mapping[str, Law]] = {
    "line": Law("1 column, two modes", (0.4, 0.6), ((3.0,), (8.0,))),
    "plane": Law("2 columns, two clusters", (0.7, 0.3), ((0.0, 0.0), (6.0, 0.0))),
    "five": Law("5 columns, a Gaussian", (1.0,), ((0.0,) * 5,), wide=4.0),
    # The classes of ringnorm: the compact one, and scattered the wide one.
    "twenty": Law(f"{COLUMNS} columns, N(a, I)", (1.0,), ((2 / math.sqrt(COLUMNS),) * COLUMNS,), wide=2.0),
}


@dataclass(frozen=True, slots=True)
class Kind:
    """Contamination in so many clusters, none where it is scattered, of a deviation."""

    title: str
    clusters: int
    deviation: float


KINDS: Final[Mapping[str, Kind]] = {
    "scattered": Kind("scattered", 0, 0.0),
    "clusters": Kind("5 clusters", 5, 1.0),
    "wide": Kind("1 cluster, as wide as a nominal one", 1, 1.0),
    "tight": Kind("1 cluster, a tenth as wide", 1, 0.1),
    "equal": Kind("equal rows", 1, 0.0),
}


def contamination(law: Law, kind: Kind, count: int, rng: np.random.Generator) -> Table:
    """Draw contaminating rows, shape (count, d); one that is not outlying is drawn again."""
    draw = _from_clusters(law, kind, rng) if kind.clusters else _scattered(law, rng)
    rows = draw(count)
    while len(inside := np.flatnonzero(~law.is_outlying(rows))):
        rows[inside] = draw(len(inside))
    return rows


def _scattered(law: Law, rng: np.random.Generator) -> Callable[[int], Table]:
    centres = np.asarray(law.centres)
    low, high = centres.min(axis=0) - BEYOND, centres.max(axis=0) + BEYOND
    if law.wide is None:
        return lambda count: rng.uniform(low, high, (count, len(low)))
    deviation = law.wide
    return lambda count: deviation * rng.standard_normal((count, len(low)))


def _from_clusters(law: Law, kind: Kind, rng: np.random.Generator) -> Callable[[int], Table]:
    centres = places(law, kind.clusters, rng)

    def draw(count: int) -> Table:
        noise = rng.standard_normal((count, centres.shape[1]))
        return np.asarray(centres[rng.integers(len(centres), size=count)] + kind.deviation * noise)

    return draw


def places(law: Law, count: int, rng: np.random.Generator) -> Table:
    """Return centres of clusters far from the nominal ones and from each other, in random directions."""
    centres = np.asarray(law.centres)
    middle = centres.mean(axis=0)
    reach = AWAY + float(cdist(centres, middle[np.newaxis]).max())
    width = len(middle)
    if width == 1:
        # On either side in turn, each next pair farther out.
        side = rng.choice([-1.0, 1.0])
        steps = [side * (-1) ** place * (1 + place // 2) for place in range(count)]
        return np.asarray(middle + reach * np.array(steps)[:, np.newaxis])
    if width < count:
        angles = rng.uniform(0, 2 * math.pi) + 2 * math.pi * np.arange(count) / count
        return np.asarray(middle + reach * np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.asarray(middle + reach * np.linalg.qr(rng.standard_normal((width, count)))[0].T)


def l1_distance(
    truth: Density, estimate: Density, draws: int, rng: np.random.Generator
) -> tuple[float, float]:
    """Return the integral of |f - g| and its standard error, from draws of (f + g) / 2, half of each.

    |f - g| / ((f + g) / 2) is at most 2, and 2 |tanh((log f - log g) / 2)|.
    """
    halves = [
        2 * np.abs(np.tanh((truth.log_density(points) - estimate.log_density(points)) / 2))
        for points in (truth.sample(draws, rng), estimate.sample(draws, rng))
    ]
    error = math.sqrt(sum(float(np.var(half, ddof=1)) for half in halves) / draws) / 2
    return float(np.mean(halves)), error


@dataclass(frozen=True, slots=True, eq=False)
class Mixture:
    """A mixture of k Gaussians: weights, centres (k, d), and variances, (1, d), or (k, 1) for round ones."""

    weights: Table
    centres: Table
    variances: Table


def mixture(estimate: Any) -> Mixture:
    """Return an estimate with Gaussian kernels as a mixture in the unit of the data."""
    if isinstance(estimate, rk.Vkde):
        size = len(estimate.X)
        return Mixture(np.full(size, 1 / size), estimate.X, estimate.bandwidths[:, np.newaxis] ** 2)
    used = estimate.weights > 0
    deviations = np.full(estimate.X.shape[1], estimate.kernel.bandwidth)
    rows = estimate.X
    if getattr(estimate, "scaling", None) is not None:
        rows, deviations = estimate.scaling.undo(rows), deviations * estimate.scaling.scale
    return Mixture(estimate.weights[used], rows[used], deviations[np.newaxis] ** 2)


def product(first: Mixture, second: Mixture) -> float:
    """Return the integral of the product of two mixtures; beside one of many widths both are round."""
    width = first.centres.shape[1]
    if len(first.variances) == len(second.variances) == 1:
        variances = first.variances + second.variances
        roots = np.sqrt(variances)
        squares = cdist(first.centres / roots, second.centres / roots, "sqeuclidean")
        logs = np.log(2 * math.pi * variances).sum()
    else:
        variances = first.variances[:, :1] + second.variances[:, 0]
        squares = cdist(first.centres, second.centres, "sqeuclidean") / variances
        logs = width * np.log(2 * math.pi * variances)
    with np.errstate(under="ignore"):
        return float(first.weights @ np.exp(-(squares + logs) / 2) @ second.weights)


def l2_distance(truth: Mixture, estimate: Mixture) -> float:
    """Return the L2 distance of two mixtures over the norm of the first."""
    norm = product(truth, truth)
    square = norm - 2 * product(truth, estimate) + product(estimate, estimate)
    return math.sqrt(max(square, 0.0) / norm)


Measured = dict[str, dict[str, float]]
# Measure -> whether smaller is better, and whether the seeds' median stands for them, not their mean.
MEASURES: Final[Mapping[str, tuple[bool, bool]]] = {
    "auc": (False, False),
    "detected_05": (False, False),
    "l1": (True, False),
    "l2": (True, True),
    "held_out": (False, True),
    "zero_nominal": (True, False),
    "excess": (True, False),
    "bandwidth": (True, True),
}
JUDGED: Final = ("auc", "detected_05", "l1", "l2", "held_out")


def fitted_to(X: Table, outlying: int) -> Fitted:
    """Fit every method; the practical plain estimate is the practical one with equal weights."""
    found = fit(X, METHODS[:-1], Choices(), outlying)
    robust = found.densities.get("practical")
    if isinstance(robust, rk.Rkde):
        equal = np.full(len(X), 1 / len(X))
        found.densities[METHODS[-1]] = replace(robust, run=replace(robust.run, weights=equal))
    return found


def of_density(law: Law, found: Fitted, nominal: Table, seed: tuple[int, ...]) -> Measured:
    """Return what does not depend on the contaminating rows held out."""
    truth = law.truth
    flat = mixture(truth)
    plain = float(np.mean(found.densities["kde"].log_density(nominal)))
    measured: Measured = {"truth": {"held_out": float(np.mean(truth.log_density(nominal))) - plain}}
    for name, estimate in found.densities.items():
        distance, error = l1_distance(truth, estimate, DRAWS, stream(*seed))
        measured[name] = {
            "l1": distance,
            "l1_error": error,
            "l2": l2_distance(flat, mixture(estimate)),
            "held_out": float(np.mean(estimate.log_density(nominal))) - plain,
        }
        if isinstance(estimate, rk.Rkde) and name != METHODS[-1]:
            measured[name] |= _weighed(estimate.weights)
    measured["kde"]["bandwidth"] = found.kernel.bandwidth
    return measured


def _weighed(weights: Table) -> dict[str, float]:
    """Return the share of nominal rows without weight, and the weight of the others over their share."""
    found = {"zero_nominal": float(np.mean(weights[:N_NOMINAL] == 0))}
    if len(weights) > N_NOMINAL:
        share = 1 - N_NOMINAL / len(weights)
        found["excess"] = float(weights[N_NOMINAL:].sum()) / share
    return found


def of_ranking(found: Fitted, nominal: Table, anomalous: Table) -> Measured:
    """Return what depends on the contaminating rows held out."""
    ranked = tasks.detection(found, nominal, anomalous, METHODS)
    return {
        name: {measure: entry[measure] for measure in ("auc", "detected_05")}
        for name, entry in ranked.items()
    }


def stream(*key: int) -> np.random.Generator:
    """Return the generator of a part of this experiment."""
    return np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(KEY, *key)))


def one_seed(law_name: str, seed: int) -> dict[tuple[str, int], Measured]:
    """Return the measures of one draw of the nominal rows, by kind and place of the ratio.

    A larger ratio keeps the rows of a smaller one, and all kinds and ratios share the nominal rows.
    """
    law, place = LAWS[law_name], list(LAWS).index(law_name)
    rows = law.truth.sample(N_NOMINAL + N_TEST, stream(place, seed, 0))
    train, nominal = rows[:N_NOMINAL], rows[N_NOMINAL:]
    clean = fitted_to(train, 0)
    without = of_density(law, clean, nominal, (place, seed, 1))
    results = {}
    for number, (name, kind) in enumerate(KINDS.items()):
        bad = contamination(law, kind, N_NOMINAL + N_TEST, stream(place, seed, 2, number))
        bad, anomalous = bad[:N_NOMINAL], bad[N_NOMINAL:]
        for step, ratio in enumerate(RATIOS):
            count = round(ratio * N_NOMINAL)
            found = fitted_to(np.vstack([train, bad[:count]]), count) if count else clean
            density = of_density(law, found, nominal, (place, seed, 3, number, step)) if count else without
            ranking = of_ranking(found, nominal, anomalous)
            results[name, step] = {each: density[each] | ranking.get(each, {}) for each in density}
    return results


Findings = dict[str, Any]


def run(seeds: int = SEEDS) -> Findings:
    """Return the whole experiment, summed up over the seeds."""
    started = process_time()
    summed = {}
    with threadpool_limits(1), warnings.catch_warnings(), shown("draws", seeds * len(LAWS)) as advance:
        warnings.simplefilter("ignore", RkdeWarning)
        for law in LAWS:
            records = []
            for seed in range(seeds):
                records.append(one_seed(law, seed))
                advance(f"{law} {seed + 1}")
            summed[law] = Summed(records)
    errors = [error for found in summed.values() for error in found.l1_errors()]
    seconds = process_time() - started
    return {
        "provenance": {
            "seed": SEED,
            "seeds": seeds,
            "l1_error": _rounded(max(errors)),
            "processor_seconds": round(seconds),
            "made_with": {name: made_with()[name] for name in ("rkde", "python", "numpy", "scipy")},
        },
        "ratios": list(RATIOS),
        "values": _collected(summed, MEASURES, lambda found, *asked: found.average(*asked)),
        "rkde_better": _collected(summed, JUDGED, lambda found, *asked: found.won(1, *asked)),
        "rkde_worse": _collected(summed, JUDGED, lambda found, *asked: found.won(-1, *asked)),
    }


@dataclass(frozen=True, slots=True)
class Summed:
    """The seeds of one law, and what they come to."""

    records: list[dict[tuple[str, int], Measured]] = field(default_factory=list)

    def seeds(self, measure: str, method: str, kind: str, step: int) -> list[float | None]:
        """Return a measure of each seed; None where the method refused the rows."""
        return [record[kind, step].get(method, {}).get(measure) for record in self.records]

    def average(self, measure: str, method: str, kind: str, step: int) -> float | None:
        """Return the mean, or of an unbounded measure the median, of the seeds that have one."""
        known = [value for value in self.seeds(measure, method, kind, step) if value is not None]
        if not known:
            return None
        return _rounded(float(np.median(known) if MEASURES[measure][1] else np.mean(known)))

    def won(self, sign: int, measure: str, method: str, kind: str, step: int) -> int | None:
        """Return in how many seeds the RKDE is better than a method, worse with the sign -1."""
        gaps = self._gaps(measure, method, kind, step)
        return None if gaps is None else sum(sign * gap > 0 for gap in gaps)

    def l1_errors(self) -> Iterator[float]:
        """Yield the Monte Carlo error of each average distance."""
        for kind, step in self.records[0]:
            for method in METHODS:
                errors = [e for e in self.seeds("l1_error", method, kind, step) if e is not None]
                if errors:
                    yield math.hypot(*errors) / len(errors)

    def _gaps(self, measure: str, method: str, kind: str, step: int) -> list[float] | None:
        if method == ROBUST:
            return None
        sign = -1 if MEASURES[measure][0] else 1
        pairs = zip(
            self.seeds(measure, ROBUST, kind, step), self.seeds(measure, method, kind, step), strict=True
        )
        gaps = [sign * (ours - theirs) for ours, theirs in pairs if ours is not None and theirs is not None]
        return gaps or None


Asked = Callable[[Summed, str, str, str, int], Any]


def _collected(summed: Mapping[str, Summed], measures: Any, asked: Asked) -> dict[str, Any]:
    """Return measure -> method -> law -> kind -> a value for each ratio, without what is never defined."""
    found: dict[str, Any] = {}
    for measure in measures:
        for method in ("truth", *METHODS):
            table = {
                law: {
                    kind: [asked(one, measure, method, kind, step) for step in range(len(RATIOS))]
                    for kind in KINDS
                }
                for law, one in summed.items()
            }
            if any(value is not None for kinds in table.values() for row in kinds.values() for value in row):
                found.setdefault(measure, {})[method] = table
    return found


# Significant digits that are stored.
DIGITS: Final = 4


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def as_text(found: Mapping[str, Any]) -> str:
    """Return the findings as JSON, a line for each row of ratios."""
    text = json.dumps(found, indent=1)
    return re.sub(r"\[[^\[\]{}]*\]", lambda row: " ".join(row.group().split()), text) + "\n"

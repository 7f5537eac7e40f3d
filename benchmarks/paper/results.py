"""The stored units as numbers: one measure of one method, averaged over partitions."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from benchmarks.paper.running import units
from benchmarks.paper.sets import SETS
from benchmarks.paper.store import Store, StoreError
from benchmarks.paper.variants import BASE, VARIANTS

Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number of one method at one contamination ratio of one partition; None where there is none.

    Sizes are told in a `unit` that is `scale` times as large as the number, with `digits` after the point;
    a difference counts from `notable` units on.
    """

    name: str
    table: str
    title: str
    read: Callable[[Entry, str], float | None]
    smaller_is_better: bool = True
    unit: str = ""
    scale: float = 1.0
    notable: float = 0.0
    digits: int = 2


def _influence(field: str, unit: str) -> Callable[[Entry, str], float | None]:
    def read(entry: Entry, method: str) -> float | None:
        found = entry["influence"].get(method, {})
        if field not in found:
            return None
        return float(found[field] * math.exp(entry["influence"]["units"][unit]))

    return read


def _divergence(value: Callable[[Entry], float | None]) -> Callable[[Entry, str], float | None]:
    def read(entry: Entry, method: str) -> float | None:
        found = entry.get("divergence", {}).get(method)
        return None if found is None else value(found)

    return read


def _detection(field: str) -> Callable[[Entry, str], float | None]:
    def read(entry: Entry, method: str) -> float | None:
        found: float | None = entry.get("auc", {}).get(method, {}).get(field)
        return found

    return read


_points = partial(Measure, smaller_is_better=False, unit="points", scale=100.0, notable=1.0, digits=1)
MEASURES: Final = {
    one.name: one
    for one in (
        Measure("alpha", "1", "median alpha(x')", _influence("alpha", "log_alpha_unit")),
        Measure("beta", "1", "median beta(x')", _influence("beta", "log_beta_unit")),
        Measure(
            "alpha-magnitude", "1", "median |alpha(x')|", _influence("alpha_magnitude", "log_alpha_unit")
        ),
        Measure(
            "kl", "2", "KL divergence", _divergence(lambda found: found["kl"]), unit="nats", notable=0.1
        ),
        Measure(
            "kl-shared", "2", "KL divergence from a reference density with the estimates' bandwidth",
            _divergence(lambda found: found["shared"]), unit="nats", notable=0.1,
        ),
        Measure(
            "kl-sum", "2", "sum of log ratios", _divergence(lambda found: found["kl"] * found["draws"])
        ),
        Measure(
            "kl-infinite", "2", "KL, infinite where a density underflows",
            _divergence(lambda found: math.inf if found["n_infinite"] else found["kl"]),
        ),
        Measure(
            "kl-finite", "2", "KL over the finite ratios", _divergence(lambda found: found["finite_mean"])
        ),
        _points("auc", "3", "AUC", _detection("auc")),
        _points("detected-01", "3", "detection rate at 1 % false alarms", _detection("detected_01")),
        _points("detected-05", "3", "detection rate at 5 % false alarms", _detection("detected_05")),
        _points("detected-10", "3", "detection rate at 10 % false alarms", _detection("detected_10")),
        Measure(
            "held-out", "3", "mean log density of nominal test rows", _detection("held_out"),
            smaller_is_better=False, unit="nats", notable=0.1,
        ),
        Measure(
            "auc-flushed", "3", "AUC of densities as plain float64", _detection("flushed"),
            smaller_is_better=False,
        ),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Records by variant and set, in the order of their partitions, without gaps."""

    records: dict[str, dict[str, list[Entry]]]

    def partitions(self, variant: str = BASE) -> dict[str, int]:
        """Return how many partitions of each set are there."""
        return {name: len(found) for name, found in self.records.get(variant, {}).items()}

    def values(
        self,
        measure: str,
        method: str,
        epsilon: str,
        name: str,
        variant: str = BASE,
        block: slice = slice(None),
    ) -> list[float]:
        """Return a measure's values over the chosen partitions that have one."""
        every = self._values(measure, method, epsilon, name, variant)[block]
        return [value for value in every if value is not None]

    def pairs(
        self, measure: str, first: tuple[str, str], second: tuple[str, str], epsilon: str, name: str
    ) -> list[tuple[float, float]]:
        """Return a measure of two methods, each with its variant, over the partitions that have both."""
        both = (self._values(measure, method, epsilon, name, variant) for method, variant in (first, second))
        return [(one, two) for one, two in zip(*both, strict=False) if one is not None and two is not None]

    def _values(self, measure: str, method: str, epsilon: str, name: str, variant: str) -> list[float | None]:
        """Return a measure's value in each partition, from the first on."""
        entries = (record["epsilons"].get(epsilon) for record in self.records.get(variant, {}).get(name, []))
        return [None if entry is None else MEASURES[measure].read(entry, method) for entry in entries]

    def average(
        self,
        measure: str,
        method: str,
        epsilon: str,
        name: str,
        variant: str = BASE,
        block: slice = slice(None),
    ) -> float | None:
        """Return the mean over the chosen partitions; None where no partition has a value."""
        values = self.values(measure, method, epsilon, name, variant, block)
        return math.fsum(values) / len(values) if values else None

    def standard_error(self, method: str, epsilon: str, name: str) -> float:
        """Return the standard error of an average divergence that comes from its draws alone."""
        errors = [
            record["epsilons"][epsilon]["divergence"][method]["standard_error"]
            for record in self.records[BASE][name]
        ]
        return math.hypot(*errors) / len(errors)


def read_results(store: Store, *, source: str = "auto", sets: Sequence[str] = tuple(SETS)) -> Results:
    """Read what the store has: whole rounds only, so that all methods and sets share their partitions.

    A set counts as many partitions as the set with the fewest, but none more than the paper gives it. A
    variant of which a set is missing is left out.
    """
    records: dict[str, dict[str, list[Entry]]] = {}
    for variant in VARIANTS:
        by_set: dict[str, list[Entry]] = {}
        ended: set[str] = set()
        for unit in units(variants=(variant,), source=source, sets=sets):
            if unit.set in ended or not store.has(unit):
                ended.add(unit.set)
                continue
            by_set.setdefault(unit.set, []).append(store.read(unit))
        wanted = [name for name in VARIANTS[variant].sets if name in sets]
        if wanted and all(name in by_set for name in wanted):
            records[variant] = _whole_rounds(by_set)
    if BASE not in records:
        raise StoreError(
            f"{store.folder} must hold a partition of every set in the paper's setting with all tables; "
            "run it first"
        )
    _refuse_gaps(records)
    _refuse_mixtures(records)
    return Results(records)


def _refuse_gaps(records: dict[str, dict[str, list[Entry]]]) -> None:
    """Refuse units that lack a contamination ratio, but for those that failed as a whole."""
    for variant, by_set in records.items():
        heads = {f"{epsilon:.2f}" for epsilon in VARIANTS[variant].epsilons}
        for name, found in by_set.items():
            for record in found:
                missing = heads.difference(record.get("epsilons", heads))
                if missing and "failed" not in record:
                    raise StoreError(
                        f"the unit {variant}, {name}, partition {record.get('partition')} lacks the ratios "
                        f"{', '.join(sorted(missing))}; delete it and run again"
                    )


def _refuse_mixtures(records: dict[str, dict[str, list[Entry]]]) -> None:
    """Refuse units of one set that were computed on different rows: their averages would mean nothing."""
    for name in records[BASE]:
        found = {
            (record.get("source"), record.get("content"))
            for by_set in records.values()
            for record in by_set.get(name, [])
        }
        if len(found) > 1:
            sources = " and ".join(sorted(str(source) for source, _ in found))
            raise StoreError(
                f"the store holds units of {name} from several sources ({sources}); use another store"
            )


def _whole_rounds(by_set: dict[str, list[Entry]]) -> dict[str, list[Entry]]:
    rounds = min(
        (len(found) for name, found in by_set.items() if len(found) < SETS[name].partitions),
        default=max(map(len, by_set.values())),
    )
    return {name: found[:rounds] for name, found in by_set.items()}

"""A unit of work: one variant, one data set, one partition, every contamination ratio and method."""

import warnings
from dataclasses import dataclass
from functools import lru_cache
from time import process_time

import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks.paper import tasks
from benchmarks.paper.data import load
from benchmarks.paper.loaded import Loaded
from benchmarks.paper.made_with import made_with
from benchmarks.paper.methods import TITLES, fit
from benchmarks.paper.partitions import EPSILONS, SEED, Partition, partition
from benchmarks.paper.pixels import NoComponentsError, reduced
from benchmarks.paper.sets import MNIST, SETS, Indices, Table
from benchmarks.paper.variants import VARIANTS, Variant
from rkde.errors import RkdeWarning


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """What decides one file of the store. Partitions count from 1; `tables` are the experiments to run."""

    partition: int
    set: str
    variant: str
    tables: tuple[str, ...]
    source: str = "auto"


Record = dict[str, object]


def compute(unit: Unit) -> Record:
    """Compute a unit; the same numbers in whatever process and order, with one thread."""
    started = process_time()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", RkdeWarning)
        record = _compute(unit)
    return record | {"made_with": made_with(), "seconds": process_time() - started}


def _compute(unit: Unit) -> Record:
    variant, loaded = VARIANTS[unit.variant], _loaded(unit.set, unit.source)
    one = SETS[unit.set]
    nominal = one.swapped if variant.swapped else one.nominal
    split = partition(loaded, unit.partition, nominal)
    record: Record = {
        "variant": unit.variant,
        "set": unit.set,
        "partition": unit.partition,
        "origin": split.origin,
        "source": loaded.source,
        "exactness": loaded.exactness,
        "content": loaded.content,
        "nominal": nominal,
        "seed": SEED,
        "n_nominal": len(split.train_nominal),
        "epsilons": {},
    }
    training = np.concatenate([split.train_nominal, split.train_contaminating])
    try:
        rows = _features(loaded, split, training, variant.reading)
    except NoComponentsError as error:
        return record | {"failed": str(error)}
    for place, epsilon in enumerate(EPSILONS):
        if epsilon not in variant.epsilons:
            continue
        if variant.components_of != "partition":
            fitted = (
                split.train_nominal if variant.components_of == "nominal" else split.training_rows(epsilon)
            )
            rows = _features(loaded, split, fitted, variant.reading)
        if epsilon == 0 or {"2", "3"} & set(unit.tables):
            entry = _at_ratio(unit, variant, split, rows, place)
            record["epsilons"][f"{epsilon:.2f}"] = entry  # type: ignore[index]
    return record


def _at_ratio(unit: Unit, variant: Variant, split: Partition, rows: Table, place: int) -> Record:
    names = variant.methods
    training = split.training_rows(EPSILONS[place])
    fitted = fit(rows[training], names, variant.choices, len(training) - len(split.train_nominal))
    nominal, anomalous = rows[split.test_nominal], rows[split.test_contaminating]
    entry: Record = {
        "n": len(fitted.X),
        "bandwidth": fitted.kernel.bandwidth,
        "rule": fitted.rule,
        "fits": fitted.facts,
        "weights": {
            name: _weight_of(found.weights, len(split.train_nominal)) for name, found in fitted.robust.items()
        },
    }
    if "1" in unit.tables and place == 0:
        entry["influence"] = tasks.influence(fitted, anomalous, names)
    if "2" in unit.tables:
        seeds = {
            name: [SEED, SETS[unit.set].number, unit.partition, place, i] for i, name in enumerate(TITLES)
        }
        entry["divergence"] = tasks.divergence(fitted, nominal, names, seeds)
    if "3" in unit.tables:
        entry["auc"] = tasks.detection(fitted, nominal, anomalous, names)
    return entry


def _weight_of(weights: Table, n_nominal: int) -> dict[str, float | None]:
    """Return the weight of the contaminating rows, and how many rows of each kind have little or none."""
    outlying = weights[n_nominal:]

    def share(found: Table, most: float) -> float | None:
        return float(np.mean(found <= most)) if len(found) else None

    below = float(np.nextafter(1 / len(weights), 0))
    return {
        "contaminating": float(outlying.sum()),
        "below_uniform": share(outlying, below),
        "below_uniform_nominal": share(weights[:n_nominal], below),
        "zero": share(outlying, 0.0),
        "zero_nominal": share(weights[:n_nominal], 0.0),
    }


def _features(loaded: Loaded, split: Partition, fitted: Indices, reading: str) -> Table:
    """Return the rows of a set as the estimators see them, placed so that the partition's indices hold.

    MNIST's are reduced by the components of the `fitted` rows.
    """
    if loaded.name != MNIST:
        return loaded.X
    every = np.concatenate([
        split.train_nominal, split.train_contaminating, split.test_nominal, split.test_contaminating
    ])  # fmt: skip
    others = every[~np.isin(every, fitted)]
    first, second = reduced(loaded.X, fitted, others, reading)
    rows = np.full((len(loaded.X), first.shape[1]), np.nan)
    rows[fitted], rows[others] = first, second
    return rows


@lru_cache(maxsize=len(SETS))
def _loaded(name: str, source: str) -> Loaded:
    return load(name, source)  # type: ignore[arg-type]

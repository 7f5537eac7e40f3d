"""What the report says, as numbers, and the part of them that the claim ledger reads."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

from benchmarks.paper import facts
from benchmarks.paper.cells import Cell, Chosen, Comparison, gain_over, row
from benchmarks.paper.claims import Readings, Row, Statement, statements
from benchmarks.paper.made_with import combined
from benchmarks.paper.methods import MAIN, TITLES
from benchmarks.paper.partitions import EPSILONS, SECOND_SOURCE, SEED
from benchmarks.paper.pixels import READINGS
from benchmarks.paper.results import Results
from benchmarks.paper.sensitivity import NARROW, WITHOUT_MNIST, Compared, compare_all
from benchmarks.paper.sets import MNIST, SETS
from benchmarks.paper.sizes import Size, size
from benchmarks.paper.variants import BASE, VARIANTS

HEADS: Final = tuple(f"{epsilon:.2f}" for epsilon in EPSILONS)
INFLUENCE_ROWS: Final[tuple[Row, ...]] = tuple(
    (measure, method, "kde") for measure in ("alpha", "beta") for method in ("rkde", "rkde-authors", "huber")
)
PAPER_ROWS: Final[tuple[Row, ...]] = tuple(
    (measure, *pair)
    for measure in ("kl", "auc")
    for pair in (("rkde", "kde"), ("rkde", "vkde"), ("vkde", "kde"))
)
OTHER_ROWS: Final[tuple[Row, ...]] = (
    *(
        (measure, method, "kde")
        for measure in ("kl", "auc")
        for method in ("rkde-authors", "huber", "median", "nearest")
    ),
    ("kl", "vkde", "nearest"),
    ("auc", "vkde", "nearest"),
    ("auc", "rkde-authors", "vkde"),
    ("auc", "kde", "depth"),
    ("auc", "rkde", "depth"),
    *((measure, "rkde", "kde") for measure in ("detected-01", "detected-05", "detected-10", "held-out")),
)
SIZED_ROWS: Final[tuple[Row, ...]] = tuple(
    (measure, *pair)
    for pair in (("rkde", "kde"), ("rkde", "vkde"), ("rkde-authors", "kde"), ("huber", "kde"))
    for measure in ("auc", "detected-01", "detected-05", "detected-10", "kl", "held-out")
)
"""What the pages tell in points and nats."""


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Everything that the report says, as numbers."""

    results: Results
    readings: Readings
    sizes: Mapping[Row, list[Size]]
    sensitivity: list[Compared]
    statements: list[Statement]
    facts: Mapping[str, object]
    provenance: Mapping[str, object]
    public: Results | None = None


def findings(results: Results, date: str) -> Findings:
    """Work out the tables, the sensitivity and the verdicts."""
    rows = {asked: row(results, asked[0], asked[1:], ("0.00",)) for asked in INFLUENCE_ROWS}
    rows |= {asked: row(results, asked[0], asked[1:], HEADS) for asked in PAPER_ROWS + OTHER_ROWS}
    readings = Readings(
        rows,
        _under(results, Chosen((NARROW,)), PAPER_ROWS, HEADS),
        _under(results, Chosen(names=WITHOUT_MNIST), PAPER_ROWS, HEADS),
        _under(results, Chosen(relative=True), INFLUENCE_ROWS, HEADS[:1]),
        [
            gain_over(
                results,
                Comparison("detected-01", "rkde", "kde", head),
                Comparison("detected-10", "rkde", "kde", head),
            )
            for head in HEADS
        ],
        summary(results),
    )
    return Findings(
        results,
        readings,
        {asked: [size(results, Comparison(*asked, head)) for head in HEADS] for asked in SIZED_ROWS},
        compare_all(results, HEADS),
        statements(readings),
        readings.facts,
        provenance(results, date),
    )


def _under(
    results: Results, chosen: Chosen, rows: tuple[Row, ...], epsilons: tuple[str, ...]
) -> dict[Row, list[Cell]]:
    """Return rows under other choices, without the intervals of their effects."""
    return {asked: row(results, asked[0], asked[1:], epsilons, chosen, interval=False) for asked in rows}


def summary(results: Results) -> dict[str, object]:
    """Return the few facts that the statements are judged by."""
    steps = facts.iterations(results, "rkde")
    weights = {name: facts.weights(results, "rkde", "0.20", name) for name in SETS}
    worst = min(weights, key=lambda name: weights[name].below)
    samples = [
        any(entry["divergence"][method]["n_infinite"] for method in MAIN)
        for name in SETS
        for _, entry in facts.entries(results, name)
    ]
    return {
        "influence_exceptions": ", ".join(_influence_exceptions(results)) or "none",
        "rkde_fits": steps.fits,
        "rkde_iterations_median": steps.median,
        "rkde_iterations_high": steps.high,
        "rkde_iterations_largest": steps.largest,
        "samples": len(samples),
        "underflowing_samples": sum(samples),
        "below_uniform": fmean(one.below for one in weights.values()),
        "below_uniform_nominal": fmean(one.below_nominal for one in weights.values()),
        "without_weight": fmean(one.zero for one in weights.values()),
        "without_weight_nominal": fmean(one.zero_nominal for one in weights.values()),
        "below_uniform_lowest": weights[worst].below,
        "below_uniform_worst": SETS[worst].title,
        "below_uniform_swapped": _swapped_share(results),
        "concentrated_weight": facts.weights(results, "rkde", "0.30", MNIST).over_share,
        "concentrated_weights": _by_reading(results),
    }


def _swapped_share(results: Results) -> str:
    """Return the share of contaminating rows below 1/n where the other class is nominal, in words."""
    if "swap" not in results.records:
        return "not run"
    shares = [facts.weights(results, "rkde", "0.20", name, "swap").below for name in SETS]
    return f"{np.mean(shares):.1%}"


def _by_reading(results: Results) -> dict[str, float]:
    """Return the weight of MNIST's contaminating rows over their share, for the other readings."""
    found = {
        VARIANTS[variant].text: facts.weights(results, "rkde", "0.30", MNIST, variant).over_share
        for variant in results.records
        if variant.startswith("mnist-")
    }
    return {text: value for text, value in found.items() if not math.isnan(value)}


def _influence_exceptions(results: Results) -> list[str]:
    """Return the sets on which a median of the RKDE is not the smaller one."""
    found = []
    for name in results.partitions():
        pairs = [
            [results.average(measure, method, "0.00", name) for method in ("rkde", "kde")]
            for measure in ("alpha", "beta")
        ]
        if any(None not in pair and pair[0] >= pair[1] for pair in pairs):  # type: ignore[operator]
            found.append(SETS[name].title)
    return found


def provenance(results: Results, date: str) -> dict[str, object]:
    """Return what the numbers were made from."""
    records = {name: found[0] for name, found in results.records[BASE].items()}
    seconds = sum(
        record["seconds"] for sets in results.records.values() for found in sets.values() for record in found
    )
    return {
        "command": "python -m benchmarks.paper run && python -m benchmarks.paper report",
        "date": date,
        "seed": SEED,
        "partitions": {variant: results.partitions(variant) for variant in results.records},
        "published_partitions": {
            name: sum(record["origin"].removeprefix("published ").isdigit() for record in found)
            for name, found in results.records[BASE].items()
        },
        "second_source_partitions": {
            name: sum(record["origin"] == SECOND_SOURCE for record in found)
            for name, found in results.records[BASE].items()
        },
        "choices": choices(),
        "sources": {name: f"{record['source']}, {record['exactness']}" for name, record in records.items()},
        "content_sha256": {name: record["content"] for name, record in records.items()},
        "nominal": {name: record["nominal"] for name, record in records.items()},
        "processor_seconds": round(seconds),
        "full_run_processor_seconds": round(full_cost(results)),
        "versions": combined(
            record["made_with"]
            for sets in results.records.values()
            for found in sets.values()
            for record in found
        ),
    }  # fmt: skip


def full_cost(results: Results) -> float:
    """Return the processor seconds that all partitions take, from the mean of those that were run."""
    return sum(
        fmean(record["seconds"] for record in found)
        * min(VARIANTS[variant].partitions, SETS[name].partitions)
        for variant, sets in results.records.items()
        for name, found in sets.items()
    )


def choices() -> dict[str, str]:
    """Return what the paper leaves open, as it is decided in the paper's setting."""
    base = VARIANTS[BASE]
    return {
        "bandwidth": f"{base.choices.bandwidth}; median_nn_distinct where that is 0",
        "percentiles": base.choices.quantile_rule,
        "reference density": "bandwidth by the rule on its own rows",
        "divergence": "mean of the log ratios over 2 n draws from each estimate",
        "contaminating rows": "epsilon n_0 to the nearest integer, halves to the even one",
        "MNIST": READINGS[base.reading].text,
        "k-th neighbour": "k = sqrt(n) to the nearest integer",
        "signed ranks": "ties of |h| share their mean rank, two-sided exact p",
    }


def ledger_data(found: Findings) -> dict[str, object]:
    """Return what the claim ledger reads: averages of each set, other readings, and facts.

    The rank sums of the paper's setting are left out, because they follow from the averages.
    """
    return {
        "provenance": {name: found.provenance[name] for name in ("date", "seed", "partitions", "command")},
        "ratios": list(HEADS),
        "averages": _averages(found.results),
        "readings": [
            {
                "choice": one.text,
                "measure": one.row[0],
                "methods": list(one.row[1:]),
                "R1": [cell.rank_sum_1 for cell in one.other],
                "R2": [cell.rank_sum_2 for cell in one.other],
                "zeros": [cell.zeros for cell in one.other],
            }
            for one in found.sensitivity
        ],
        "facts": dict(found.facts),
    }


def write_ledger(found: Findings, path: Path) -> None:
    """Write the numbers of the claim ledger."""
    text = json.dumps(ledger_data(found), indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


_AVERAGED: Final = ("alpha", "beta", "kl", "auc", "detected-01", "detected-05", "detected-10", "held-out")


def _averages(results: Results) -> dict[str, dict[str, dict[str, list[float | None]]]]:
    """Return averages over partitions by measure, method and set, a number for each ratio."""
    found: dict[str, dict[str, dict[str, list[float | None]]]] = {}
    for measure in _AVERAGED:
        heads = HEADS[:1] if measure in ("alpha", "beta") else HEADS
        for method in TITLES:
            for name in results.partitions():
                values = [results.average(measure, method, epsilon, name) for epsilon in heads]
                if any(value is not None for value in values):
                    found.setdefault(measure, {}).setdefault(method, {})[name] = values
    return found

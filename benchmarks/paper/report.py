"""The report: RESULTS.md with pictures, results.json, and the numbers that the claim ledger reads."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import numpy as np

from benchmarks.paper import facts
from benchmarks.paper.cells import BLOCKS, Cell, row
from benchmarks.paper.claims import Row, Statement, cell_verdict, printed_row, statements
from benchmarks.paper.made_with import combined
from benchmarks.paper.methods import MAIN
from benchmarks.paper.partitions import EPSILONS, SECOND_SOURCE, SEED
from benchmarks.paper.pixels import READINGS
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.sensitivity import Compared, compare_all
from benchmarks.paper.sets import MNIST, SETS
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
)


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Everything that the report says, as numbers."""

    results: Results
    rows: Mapping[Row, list[Cell]]
    sensitivity: list[Compared]
    statements: list[Statement]
    facts: Mapping[str, object]
    provenance: Mapping[str, object]


def findings(results: Results, *, date: str | None = None) -> Findings:
    """Work out the tables, the sensitivity and the verdicts."""
    rows = {asked: row(results, asked[0], asked[1:], ("0.00",)) for asked in INFLUENCE_ROWS}
    rows |= {asked: row(results, asked[0], asked[1:], HEADS) for asked in PAPER_ROWS + OTHER_ROWS}
    known = summary(results)
    return Findings(
        results,
        rows,
        compare_all(results, HEADS),
        statements(rows, known),
        known,
        provenance(results, date or dt.datetime.now(dt.UTC).date().isoformat()),
    )


def summary(results: Results) -> dict[str, object]:
    """Return the few facts that the statements are judged by."""
    steps = facts.iterations(results, "rkde")
    weights = {name: facts.outlying_weight(results, "rkde", "0.20", name)[1] for name in SETS}
    worst = min(weights, key=weights.__getitem__)
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
        "below_uniform": float(np.mean(list(weights.values()))),
        "below_uniform_lowest": weights[worst],
        "below_uniform_worst": SETS[worst].title,
        "below_uniform_swapped": _swapped_share(results),
        "concentrated_weight": facts.outlying_weight(results, "rkde", "0.30", MNIST)[0],
        "concentrated_weight_by_reading": _by_reading(results),
    }


def _swapped_share(results: Results) -> str:
    """Return the share of contaminating rows below 1/n where the other class is nominal, in words."""
    if "swap" not in results.records:
        return "not run"
    shares = [facts.outlying_weight(results, "rkde", "0.20", name, "swap")[1] for name in SETS]
    return f"{np.mean(shares):.1%}"


def _by_reading(results: Results) -> str:
    """Return the weight of MNIST's contaminating rows over their share for the other readings, in words."""
    found = {
        VARIANTS[variant].text: facts.outlying_weight(results, "rkde", "0.30", MNIST, variant)[0]
        for variant in results.records
        if variant.startswith("mnist-")
    }
    texts = [f"{value:.1f} with {text}" for text, value in found.items() if not math.isnan(value)]
    return ", ".join(texts) or "not run"


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
            name: sum(_is_numbered(record["origin"]) for record in found)
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
        "signed ranks": "zero differences dropped, ties share their mean rank, two-sided exact p",
    }


def _is_numbered(origin: str) -> bool:
    return origin.removeprefix("published ").isdigit()


def as_data(found: Findings) -> dict[str, object]:
    """Return the findings as they stand in results.json."""
    return {
        "provenance": dict(found.provenance),
        "cells": [_cell(cell, place) for cells in found.rows.values() for place, cell in enumerate(cells)],
        "statements": [asdict(one) for one in found.statements],
        "facts": dict(found.facts),
        "sensitivity": [
            {
                "choice": one.text,
                "measure": one.row[0],
                "methods": list(one.row[1:]),
                "moved": list(one.moved),
                "beyond_noise": list(one.beyond_noise),
                "ours": [_short(cell) for cell in one.ours],
                "other": [_short(cell) for cell in one.other],
            }
            for one in found.sensitivity
        ],
        "averages": _averages(found.results),
    }


def ledger_data(data: Mapping[str, Any]) -> dict[str, object]:
    """Return the part of `as_data` that the claim ledger reads: averages of each set, and other readings.

    The rank sums of the paper's setting are left out, because they follow from the averages.
    """
    averages: dict[str, dict[str, dict[str, list[float]]]] = {}
    for one in data["averages"]:
        by_method = averages.setdefault(one["measure"], {})
        by_method.setdefault(one["method"], {})[one["set"]] = list(one["values"].values())
    return {
        "provenance": {name: data["provenance"][name] for name in ("date", "seed", "partitions", "command")},
        "ratios": list(HEADS),
        "averages": averages,
        "readings": [
            {name: one[name] for name in ("choice", "measure", "methods")}
            | {name: [cell[name] for cell in one["other"]] for name in ("R1", "R2")}
            for one in data["sensitivity"]
        ],
        "facts": data["facts"],
    }


def write(found: Findings, folder: Path, ledger: Path | None) -> None:
    """Write results.json and, where asked, the ledger's numbers; text and pictures are the caller's."""
    _dump(as_data(found), folder / "results.json")
    if ledger is not None:
        _dump(ledger_data(as_data(found)), ledger)


def _dump(data: object, path: Path) -> None:
    path.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _cell(cell: Cell, place: int) -> dict[str, Any]:
    asked = cell.comparison
    data: dict[str, Any] = {
        "table": MEASURES[asked.measure].table,
        "measure": asked.measure,
        "method_1": asked.method_1,
        "method_2": asked.method_2,
        "epsilon": asked.epsilon,
        "R1": cell.rank_sum_1,
        "R2": cell.rank_sum_2,
        "T": cell.statistic,
        "p": cell.p_value,
        "p_holm": cell.p_holm,
        "zeros": cell.zeros,
        "sets": cell.sets,
        "wins": cell.wins,
        "effect": cell.effect,
        "effect_interval": [cell.low, cell.high],
        f"R1_in_{BLOCKS}_blocks": list(cell.block_sums),
    }
    printed = printed_row((asked.measure, asked.method_1, asked.method_2))
    if printed is not None:
        theirs = printed[place]
        data["printed"] = {
            "R1": theirs.rank_sum_1,
            "R2": theirs.rank_sum_2,
            "T": theirs.statistic,
            "p": theirs.p_value,
        }
        data["verdict"] = cell_verdict(cell, theirs)
    return data


def _short(cell: Cell) -> dict[str, object]:
    return {
        "epsilon": cell.comparison.epsilon,
        "R1": cell.rank_sum_1,
        "R2": cell.rank_sum_2,
        "p": cell.p_value,
        "blocks": list(cell.block_sums),
    }


def _averages(results: Results) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for name in results.partitions():
        methods = list(results.records[BASE][name][0]["epsilons"]["0.00"]["auc"])
        for measure in ("alpha", "beta", "kl", "auc"):
            for method in methods:
                values = {
                    epsilon: results.average(measure, method, epsilon, name)
                    for epsilon in (("0.00",) if measure in ("alpha", "beta") else HEADS)
                }
                if any(value is not None for value in values.values()):
                    found.append({"set": name, "measure": measure, "method": method, "values": values})
    return found

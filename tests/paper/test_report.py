"""Cells, verdicts and the written report, from made-up results whose ranks are known."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.paper import cells, facts
from benchmarks.paper.cells import Chosen, holm, row, same_side
from benchmarks.paper.claims import AGREES, DIRECTION, DISAGREES, cell_verdict, significant
from benchmarks.paper.document import document
from benchmarks.paper.methods import MAIN, TITLES
from benchmarks.paper.report import HEADS, as_data, findings, ledger_data
from benchmarks.paper.results import Results, read_results
from benchmarks.paper.running import units
from benchmarks.paper.sensitivity import compare_all, shifts
from benchmarks.paper.sets import SETS
from benchmarks.paper.store import Store, StoreError
from benchmarks.paper.variants import VARIANTS
from rkde.proofs_checks.check_ranks import exact_p_value
from rkde.proofs_checks.printed_tables import Cell as PrintedCell

PARTITIONS = 5
# The first partition is older than the rest: it does not record the instruction sets.
MADE_WITH = ({"revision": "def", "numpy": "2.0"}, {"revision": "abc", "numpy": "2.0", "simd": "X86_V3"})
ROOT = Path(__file__).resolve().parents[2]


def entry(rng: np.random.Generator, methods: tuple[str, ...]) -> dict[str, Any]:
    return {
        "n": 120,
        "bandwidth": 1.0,
        "rule": "median_nn",
        "fits": {
            name: {"iterations": int(rng.integers(2, 40)), "status": "converged", "collapse": False}
            for name in ("rkde", "rkde-authors", "huber", "median")
        },
        "weights": {"rkde": {"contaminating": 0.01, "below_uniform": 1.0}},
        "divergence": {
            name: {
                "kl": float(rng.random()), "draws": 240, "finite_mean": 1.0, "n_infinite": 0,
                "standard_error": 0.5,
            }
            for name in methods
            if name != "depth"
        },
        "auc": {name: {"auc": float(rng.random()), "flushed": float(rng.random())} for name in methods},
        "influence": {
            "units": {"log_alpha_unit": 0.0, "log_beta_unit": 0.0},
            **{
                name: {"alpha": float(rng.random()), "beta": float(rng.random()), "alpha_magnitude": 1.0}
                for name in ("kde", "rkde", "rkde-authors", "huber")
            },
        },
    }  # fmt: skip


def made_up(seed: int = 7) -> Results:
    rng = np.random.default_rng(seed)
    records: dict[str, dict[str, list[Any]]] = {}
    for variant in VARIANTS.values():
        methods = tuple(TITLES) if variant.name == "base" else MAIN
        records[variant.name] = {
            name: [
                {
                    "origin": "seeded permutation",
                    "source": "local",
                    "exactness": "exact",
                    "content": "0" * 64,
                    "nominal": 0,
                    "seconds": 1.0,
                    "made_with": MADE_WITH[min(number, 1)],
                    "n_nominal": 100,
                    "epsilons": {head: entry(rng, methods) for head in HEADS},
                }
                for number in range(PARTITIONS)
            ]
            for name in variant.sets
        }
    for record in records["mnist-byte-2s2"]["mnist01"]:
        record.update(epsilons={}, failed="no components")
    return Results(records)


def constant(values: dict[str, tuple[float, float]], measure: str = "kl") -> Results:
    """Make results in which the RKDE and the KDE have these values on each set, in every partition."""
    field = {"kl": "divergence", "auc": "auc"}[measure]
    return Results(
        {
            "base": {
                name: [
                    {
                        "epsilons": {
                            "0.00": {
                                field: {
                                    "rkde": {measure: first, "standard_error": 0.5},
                                    "kde": {measure: second, "standard_error": 0.5},
                                }
                            }
                        }
                    }
                ]
                * PARTITIONS
                for name, (first, second) in values.items()
            }
        }
    )


@pytest.fixture(autouse=True)
def _few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "RESAMPLES", 8)


def test_the_smaller_divergence_and_the_larger_area_win() -> None:
    values = {"banana": (1.0, 2.0), "heart": (5.0, 1.0), "iris": (0.0, 7.0)}
    (kl,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",))
    (area,) = row(constant(values, "auc"), "auc", ("rkde", "kde"), ("0.00",))
    assert (kl.rank_sum_1, kl.rank_sum_2, kl.wins, kl.sets) == (4, 2, 2, 3)
    assert (area.rank_sum_1, area.rank_sum_2) == (2, 4)
    assert kl.effect == 1 / 3
    assert kl.block_sums == (4.0,) * cells.BLOCKS
    assert -1 <= kl.low <= kl.high <= 1


def test_sets_within_the_noise_of_the_draws_are_counted() -> None:
    # 5 partitions with standard errors of 0.5 on both sides: two of the difference are 0.632.
    values = {"banana": (1.0, 1.64), "heart": (1.0, 1.62), "iris": (0.5, 0.0)}
    (kl,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",))
    (area,) = row(constant(values, "auc"), "auc", ("rkde", "kde"), ("0.00",))
    assert (kl.unclear, area.unclear) == (2, 0)


def test_a_unit_without_a_ratio_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for unit in units(partitions=1, sets=("heart",), variants=("base",)):
        store.write(unit, {"epsilons": {"0.00": {}}, "partition": 1})
    with pytest.raises(StoreError, match=r"base, heart, partition 1 lacks the ratios 0\.05"):
        read_results(store, sets=("heart",))


def test_two_infinite_divergences_are_a_tie() -> None:
    values = {"banana": (math.inf, math.inf), "heart": (1.0, math.inf), "iris": (3.0, 2.0)}
    (kl,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",))
    assert (kl.zeros, kl.rank_sum_1, kl.rank_sum_2) == (1, 2, 1)


def test_sets_can_be_left_out() -> None:
    values = {"banana": (1.0, 2.0), "heart": (5.0, 1.0)}
    (kl,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",), Chosen(names=("banana",)))
    assert (kl.sets, kl.rank_sum_1, kl.rank_sum_2) == (1, 1, 0)


def test_a_set_without_a_result_is_not_taken_from_the_paper_setting() -> None:
    results = made_up()
    (changed,) = row(results, "auc", ("rkde", "kde"), ("0.20",), Chosen("mnist-byte-2s2", first=5))
    assert changed.sets == len(SETS) - 1
    # Sets and methods that a variant leaves alone are those of the paper's setting.
    (ours,) = row(results, "auc", ("kde", "vkde"), ("0.20",))
    (same,) = row(results, "auc", ("kde", "vkde"), ("0.20",), Chosen("hazen", first=5))
    assert ours == same
    compared = compare_all(results, ("0.20",))
    texts = {one.text for one in compared}
    for name, variant in VARIANTS.items():
        if name.startswith("mnist-"):
            assert (f"MNIST: {variant.text}" in texts) == (name != "mnist-byte-2s2")
    assert facts.failures(results) == {"mnist-byte-2s2": (PARTITIONS, PARTITIONS, "no components")}


def test_fewer_partitions_than_blocks_leave_no_empty_block() -> None:
    values = {name: (1.0, 2.0 + k) for k, name in enumerate(SETS)}
    results = constant(values)
    short = Results({"base": {name: found[:2] for name, found in results.records["base"].items()}})
    (kl,) = row(short, "kl", ("rkde", "kde"), ("0.00",))
    assert kl.block_sums == (120.0, 120.0)
    assert kl.block_effects == (1.0, 1.0)
    assert not kl.settled


def test_a_leader_is_settled_where_no_block_has_another() -> None:
    for low, settled in ((1.0, True), (3.0, False)):
        records = constant(dict.fromkeys(SETS, (1.0, 2.0))).records["base"]
        for found in records.values():
            values = {"rkde": {"kl": low, "standard_error": 1.0}, "kde": {"kl": 2.0, "standard_error": 1.0}}
            found[0] = {"epsilons": {"0.00": {"divergence": values}}}
        (kl,) = row(Results({"base": records}), "kl", ("rkde", "kde"), ("0.00",))
        assert kl.rank_sum_1 == 120
        assert kl.settled is settled


def test_a_choice_is_told_from_noise_block_by_block() -> None:
    # Pima is the only set that the KDE wins, by the largest difference: without it the lead is significant.
    values = {name: (1.0, 2.0 + k) for k, name in enumerate(list(SETS)[:6])} | {"pima": (99.0, 1.0)}
    (ours,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",))
    (other,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",), Chosen(names=tuple(list(SETS)[:6])))
    assert (ours.rank_sum_1, ours.rank_sum_2, other.rank_sum_1) == (21, 7, 21)
    assert not significant(ours)
    assert significant(other)
    # The rank sum is the same and the effect is not.
    assert same_side(other.effect - ours.effect, shifts(ours, other))
    assert not same_side(0.0, shifts(ours, ours))
    assert not same_side(1.0, [1.0] * (cells.BLOCKS - 1) + [-1.0])
    assert not same_side(1.0, [1.0] * (cells.BLOCKS - 1))


def test_holm_by_hand() -> None:
    # Ordered: 1/16 * 4, 1/8 * 3, 1/4 * 2, 3/4 * 1.
    assert holm([0.75, 0.0625, 0.25, 0.125]) == [0.75, 0.25, 0.5, 0.375]
    # A later one is at least as large as an earlier one, and none exceeds 1.
    assert holm([0.375, 0.5, 0.75]) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("rank_sum", "statistic", "verdict"), [(101, 19, AGREES), (80, 40, DIRECTION), (40, 40, DISAGREES)]
)
def test_verdict_of_a_cell(rank_sum: int, statistic: int, verdict: str) -> None:
    values = {name: (1.0, 2.0 + k) for k, name in enumerate(SETS)}
    (ours,) = row(constant(values), "kl", ("rkde", "kde"), ("0.00",))
    printed = PrintedCell("0.00", rank_sum, 120 - rank_sum, statistic, "")
    assert cell_verdict(ours, printed) == verdict


def test_the_report_holds_what_the_results_do() -> None:
    results = made_up()
    found = findings(results, date="2000-01-01")
    text = document(found)
    written = as_data(found)
    for cell in written["cells"]:  # type: ignore[attr-defined]
        assert cell["R1"] + cell["R2"] == 120
        assert cell["T"] == min(cell["R1"], cell["R2"])
        assert cell["p"] == float(exact_p_value(int(cell["T"]), 15))
        assert f"**{cell['R1']:g}**" in text
    expected = np.mean([
        record["epsilons"]["0.20"]["auc"]["rkde"]["auc"] for record in results.records["base"]["heart"]
    ])  # fmt: skip
    (average,) = (
        one["values"]["0.20"]
        for one in written["averages"]  # type: ignore[attr-defined]
        if (one["set"], one["measure"], one["method"]) == ("heart", "auc", "rkde")
    )
    assert f"{average:.3f}" == f"{expected:.3f}"
    assert "**5 of the paper's 100 partitions of each set" in text
    assert "2000-01-01" in text
    assert "leading components in 5 of 5 units (no components)" in text
    # Units of two revisions in one store are not passed over.
    assert "(revision abc and def, numpy 2.0, simd X86_V3 and not recorded)" in text
    ledger = json.loads(json.dumps(ledger_data(written)))
    assert ledger["provenance"]["seed"] == 2012
    assert ledger["averages"]["auc"]["rkde"]["heart"][ledger["ratios"].index("0.20")] == average


def test_units_of_one_set_from_two_sources_are_refused(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for unit in units(partitions=2, sets=("heart",), variants=("base",)):
        store.write(unit, {"source": "pip" if unit.partition == 2 else "local", "content": "0"})
    with pytest.raises(StoreError, match=r"units of heart from several sources \(local and pip\)"):
        read_results(store, sets=("heart",))


def test_only_whole_rounds_are_read(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for unit in units(partitions=3, sets=("heart", "thyroid"), variants=("base",)):
        if (unit.set, unit.partition) != ("thyroid", 3):
            store.write(unit, {})
    read = read_results(store, sets=("heart", "thyroid"))
    assert read.partitions() == {"heart": 2, "thyroid": 2}

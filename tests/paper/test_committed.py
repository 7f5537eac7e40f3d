"""The committed results: tables, text and the ledger's numbers are one, and the p-values are exact."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.paper.report import ledger_data
from benchmarks.paper.results import MEASURES
from benchmarks.paper.sets import SETS
from rkde.fast import signed_rank
from rkde.proofs_checks.check_ranks import exact_p_value

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "paper"
MEGABYTE = 2**20


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return content


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return read(FOLDER / "results.json")


def test_cells_follow_from_the_averages(results: dict[str, Any]) -> None:
    averages = {
        (one["set"], one["measure"], one["method"], epsilon): value
        for one in results["averages"]
        for epsilon, value in one["values"].items()
    }
    for cell in results["cells"]:
        gaps = [
            averages[name, cell["measure"], cell["method_1"], cell["epsilon"]]
            - averages[name, cell["measure"], cell["method_2"], cell["epsilon"]]
            for name in SETS
        ]
        better = [-gap for gap in gaps] if MEASURES[cell["measure"]].smaller_is_better else gaps
        ranks = signed_rank(better)
        assert (cell["R1"], cell["R2"], cell["T"]) == (
            ranks.rank_sum_1, ranks.rank_sum_2, ranks.statistic
        )  # fmt: skip
        assert (cell["p"], cell["wins"]) == (ranks.p_value, sum(gap > 0 for gap in better))
        if not cell["zeros"] and float(cell["T"]).is_integer():
            assert cell["p"] == float(exact_p_value(int(cell["T"]), len(SETS)))


def test_the_ledger_reads_the_same_numbers(results: dict[str, Any]) -> None:
    assert read(ROOT / "proofs_checks" / "measured_tables.json") == ledger_data(results)


def test_the_exceptions_of_the_influence_are_those_that_the_ledger_names(results: dict[str, Any]) -> None:
    for measure in ("alpha", "beta"):
        found = {
            (one["set"], one["method"]): one["values"]["0.00"]
            for one in results["averages"]
            if one["measure"] == measure
        }
        assert [name for name in SETS if found[name, "rkde"] >= found[name, "kde"]] == ["german", "splice"]


def test_the_text_names_seed_date_and_verdicts(results: dict[str, Any]) -> None:
    text = (FOLDER / "RESULTS.md").read_text("utf-8")
    assert f"on {results['provenance']['date']} with seed {results['provenance']['seed']}" in text
    for one in results["statements"]:
        assert f"| {one['text']} | **{one['verdict']}** | {one['finding']} |" in text


def test_pictures_are_there_and_small() -> None:
    text = (FOLDER / "RESULTS.md").read_text("utf-8")
    pictures = sorted((FOLDER / "pictures").glob("*.png"))
    assert len(pictures) == 4
    for picture in pictures:
        assert f"(pictures/{picture.name})" in text
        assert picture.stat().st_size < MEGABYTE

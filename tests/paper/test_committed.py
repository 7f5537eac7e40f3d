"""The committed results: pages, packed numbers and the ledger are one, and the p-values are exact."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.paper import document, packed
from benchmarks.paper.cells import Chosen, row
from benchmarks.paper.public import public_results
from benchmarks.paper.report import HEADS, Findings, findings, ledger_data
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.running import units
from benchmarks.paper.sensitivity import NARROW
from benchmarks.paper.sets import SETS
from benchmarks.paper.tables_page import printed_sums
from benchmarks.paper.text import named
from rkde.fast import signed_rank
from rkde.proofs_checks.check_ranks import exact_p_value

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "benchmarks" / "paper"
PICTURES = FOLDER / "pictures"
LARGEST = 500_000
LARGEST_PICTURE = 300_000


@pytest.fixture(scope="module")
def made() -> tuple[Results, str]:
    return packed.unpack(FOLDER)


def page(name: str) -> str:
    return (FOLDER / name).read_text("utf-8")


def test_every_unit_of_a_full_run_is_packed(made: tuple[Results, str]) -> None:
    results, _ = made
    by_set = [(variant, *pair) for variant, sets in results.records.items() for pair in sets.items()]
    found = {(variant, name, one["partition"]) for variant, name, records in by_set for one in records}
    assert found == {(unit.variant, unit.set, unit.partition) for unit in units()}
    for path in (FOLDER / packed.FOLDER).glob("*.xz"):
        assert path.stat().st_size < LARGEST


def test_rank_sums_on_the_page_follow_from_the_averages(made: tuple[Results, str]) -> None:
    results, _ = made
    tables = page("TABLES.md")
    for asked in (("auc", "rkde", "kde"), ("kl", "rkde", "vkde")):
        sums, chances = [], []
        for head in HEADS:
            pairs = [[results.average(asked[0], method, head, name) for method in asked[1:]] for name in SETS]
            gaps = [first - second for first, second in pairs]  # type: ignore[operator]
            better = [-gap for gap in gaps] if MEASURES[asked[0]].smaller_is_better else gaps
            # A tie is the smallest difference, in favour of the second method.
            least = min(abs(gap) for gap in better if gap)
            ranks = signed_rank([gap or -least / 2 for gap in better])
            assert ranks.p_value == float(exact_p_value(int(ranks.statistic), len(SETS)))
            sums.append(f"**{ranks.rank_sum_1:g}**")
            chances.append(f"{ranks.p_value:.4f}")
        section = tables.split(f"{named(asked)}\n", 1)[1].split("</details>", 1)[0]
        assert "| R_1 | " + " | ".join(sums) + " |" in section
        assert "| p | " + " | ".join(chances) + " |" in section


def test_the_pages_and_the_ledger_have_the_same_verdicts(made: tuple[Results, str]) -> None:
    results, date = made
    ledger: dict[str, Any] = json.loads((ROOT / "proofs_checks" / "measured_tables.json").read_text("utf-8"))
    assert ledger["provenance"]["date"] == date
    assert f"on {date} with seed {ledger['provenance']['seed']}" in page("RESULTS.md")
    for measure, by_method in ledger["averages"].items():
        for method, by_set in by_method.items():
            for name, values in by_set.items():
                heads = HEADS[: len(values)]
                assert values == [results.average(measure, method, head, name) for head in heads]


@pytest.mark.slow
def test_every_page_is_what_the_packed_numbers_say(made: tuple[Results, str], tmp_path: Path) -> None:
    found: Findings = replace(findings(*made), public=public_results(FOLDER))
    for path in document.write_documents(found, tmp_path):
        assert path.read_text("utf-8") == page(path.name)
    ledger = json.loads((ROOT / "proofs_checks" / "measured_tables.json").read_text("utf-8"))
    assert ledger == json.loads(json.dumps(ledger_data(found)))


def test_the_exceptions_of_the_influence_are_those_that_the_ledger_names(made: tuple[Results, str]) -> None:
    results, _ = made
    for measure in ("alpha", "beta"):
        found = [
            name
            for name in SETS
            if results.average(measure, "rkde", "0.00", name)  # type: ignore[operator]
            >= results.average(measure, "kde", "0.00", name)
        ]
        assert found == ["german", "splice"]


def test_the_readme_and_the_comparison_say_what_the_first_page_says(made: tuple[Results, str]) -> None:
    results, _ = made
    for path in ("README.md", "docs/comparison.md"):
        assert document.in_brief(results) in " ".join((ROOT / path).read_text("utf-8").split())


def test_the_erratum_quotes_the_rank_sums(made: tuple[Results, str]) -> None:
    ours, narrow = (
        row(made[0], "auc", ("rkde", "kde"), HEADS[-3:], Chosen(layers), interval=False)
        for layers in ((), (NARROW,))
    )
    sums = [", ".join(f"{cell.rank_sum_1:g}" for cell in cells) for cells in (ours, narrow)]
    printed = ", ".join(f"{value:g}" for value in printed_sums(("auc", "rkde", "kde"))[-3:])
    text = " ".join((ROOT / "docs" / "errata.md").read_text("utf-8").replace("\n> ", " ").split())
    told = f"R_1 = {sums[0]} of 120 under our reading; with exp(-t/30) {sums[1]}; printed are {printed}."
    assert told in text


def test_pictures_are_shown_and_small() -> None:
    text = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.md"))
    pictures = sorted(PICTURES.glob("*.png"))
    assert len(pictures) >= 6
    for picture in pictures:
        assert f"(pictures/{picture.name})" in text
        assert picture.stat().st_size < LARGEST_PICTURE

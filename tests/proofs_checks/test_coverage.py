"""Coverage of the paper: every label, every numbered statement and every sentence that can be checked."""

import json
from pathlib import Path

import pytest

from rkde.proofs_checks.ledger import LedgerEntry, load_ledger
from rkde.proofs_checks.places import PRINTED_NAMES, cited_labels

# Labels of the paper with their sections, and passages without a label; each passage names its claims.
PLACES = json.loads(Path(__file__).with_name("paper_places.json").read_text(encoding="utf-8"))
HEADINGS = ("sec:", "ssec:", "sssec:")
WITHOUT_LABEL = frozenset({"abstract"})
ENTRIES = load_ledger()


CITED = frozenset(label for entry in ENTRIES for label in cited_labels(entry.label))


def test_the_list_is_that_of_a_whole_paper_and_names_every_section() -> None:
    labels = [place["label"] for place in PLACES["labels"]]
    assert PRINTED_NAMES.keys() == {*labels, *WITHOUT_LABEL}
    assert len(set(labels)) == len(labels) == 68
    assert len(PLACES["passages"]) >= 90
    known = {place["section"] for place in (*PLACES["labels"], *PLACES["passages"])}
    assert {entry.section for entry in ENTRIES} <= known


@pytest.mark.parametrize("place", PLACES["labels"], ids=lambda place: place["label"])
def test_every_label_has_a_claim(place: dict[str, str]) -> None:
    section = place["section"]
    within = [e for e in ENTRIES if e.section == section or e.section.startswith(f"{section}.")]
    is_heading = place["label"].startswith(HEADINGS)
    assert place["label"] in CITED or (is_heading and within), place["what"]


@pytest.mark.parametrize("passage", PLACES["passages"], ids=lambda place: place["what"])
def test_every_passage_has_a_claim(passage: dict[str, list[str]]) -> None:
    known = {entry.id for entry in ENTRIES}
    assert passage["claims"]
    assert [name for name in passage["claims"] if name not in known] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_every_claim_names_places_that_exist(entry: LedgerEntry) -> None:
    known = {place["label"] for place in PLACES["labels"]} | WITHOUT_LABEL
    assert [label for label in cited_labels(entry.label) if label not in known] == []

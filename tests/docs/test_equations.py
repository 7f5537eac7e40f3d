"""The page of the paper's equations is up to date, complete, and names what exists."""

import re
import runpy
import tomllib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2]
PROGRAM: Final = runpy.run_path(str(ROOT / "docs" / "building" / "equations.py"))
ENTRIES: Final = [
    entry
    for section in tomllib.loads(PROGRAM["TABLE"].read_text("utf-8"))["section"]
    for entry in section["entry"]
]
VERDICT: Final = re.compile(r"\b(holds|repaired|misprint|fails): `(\w+\.\w+)`")
COMPUTED: Final = [
    (package, name, entry)
    for entry in ENTRIES
    for package in PROGRAM["PACKAGES"]
    for name in PROGRAM["names_in"](package, entry)
]


def test_the_page_is_what_the_program_writes() -> None:
    assert PROGRAM["PAGE"].read_text("utf-8") == PROGRAM["page"](), "run python docs/building/equations.py"


def test_every_numbered_statement_has_one_entry() -> None:
    found = Counter(entry["place"] for entry in ENTRIES)
    assert PROGRAM["places_to_name"]() <= found.keys()
    assert not [place for place, count in found.items() if ":" in place and count > 1]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["says"][:40])
def test_every_entry_has_claims_that_exist(entry: dict[str, Any]) -> None:
    assert PROGRAM["claims_of"](entry, PROGRAM["load_ledger"]())


def test_every_name_of_the_reference_says_where_its_formula_is_printed() -> None:
    named = [(name, entry) for package, name, entry in COMPUTED if package == "reference"]
    assert len(named) > len(ENTRIES) / 2
    is_cited = PROGRAM["is_cited"]
    assert not [(name, entry["place"]) for name, entry in named if not is_cited("reference", name, entry)]


def test_every_lemma_and_theorem_is_stated_in_the_reference_by_a_file_that_names_its_place() -> None:
    stated = [(module, entry) for entry in ENTRIES for module in entry.get("stated", ())]
    names = PROGRAM["PRINTED_NAMES"]
    results = {label for label, name in names.items() if name.startswith(("Theorem", "Lemma"))}
    assert len(results) == 10
    assert results <= {entry["place"] for _, entry in stated}
    assert not [(module, entry["place"]) for module, entry in stated if not PROGRAM["states"](module, entry)]


def test_no_docstring_shows_a_label_that_is_not_printed_in_the_paper() -> None:
    labels = sorted(label for label in set(PROGRAM["PRINTED_NAMES"]) if ":" in label)
    assert "eqn:hampel" in labels
    sources = [path for folder in ("reference", "fast", "src") for path in (ROOT / folder).rglob("*.py")]
    texts = [(str(path), path.read_text("utf-8")) for path in sources]
    assert not [(path, label) for path, text in texts for label in labels if f"`{label}`" in text]


def test_a_name_on_the_page_leads_to_its_description() -> None:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    link_names = runpy.run_path(str(ROOT / "docs" / "building" / "names.py"))["link_names"]
    nodes = pytest.importorskip("docutils.nodes")
    cells = ("(5)", "Hampel's psi", "losses.Hampel.psi", "losses.robust.Hampel.psi")
    row = nodes.row("", *(nodes.entry("", nodes.literal(text, text)) for text in cells))
    document = pytest.importorskip("docutils.utils").new_document("")
    document += nodes.tbody("", row)
    link_names(SimpleNamespace(env=SimpleNamespace(docname="docs/reference/equations")), document)
    links = [node for node in document.findall() if node.tagname == "pending_xref"]
    assert [link["reftarget"] for link in links] == ["rkde.reference.Hampel.psi", "rkde.fast.Hampel.psi"]
    shown = [node for node in links[1].findall(nodes.Text) if node.parent.tagname == "literal"]
    assert "".join(shown) == cells[3]


def test_verdicts_in_the_reference_are_those_of_the_ledger() -> None:
    verdicts = {claim.id: str(claim.verdict).lower() for claim in PROGRAM["load_ledger"]()}
    texts = [" ".join(path.read_text("utf-8").split()) for path in (ROOT / "reference").rglob("*.py")]
    said = [(claim, verdict) for text in texts for verdict, claim in VERDICT.findall(text)]
    assert {"theorems.theorem_4", "theorems.lemma_5"} <= {claim for claim, _ in said}
    assert not [(claim, verdict) for claim, verdict in said if verdicts.get(claim) != verdict]


def test_what_the_reference_computes_the_fast_code_computes_too() -> None:
    named = PROGRAM["names_in"]
    assert not [e["place"] for e in ENTRIES if bool(named("reference", e)) != bool(named("fast", e))]


def test_mistakes_in_the_table_are_seen() -> None:
    ledger = PROGRAM["load_ledger"]()
    with pytest.raises(AttributeError):
        PROGRAM["located"]("fast", "solvers.no_such_function")
    with pytest.raises(KeyError):
        PROGRAM["claims_of"]({"place": "2", "claims": ["no.such_claim"]}, ledger)
    assert not PROGRAM["is_cited"]("reference", "kde", {"place": "eqn:hampel"})
    assert not PROGRAM["states"]("rkhs.elements", {"place": "thm:sufficient"})
    assert PROGRAM["located"]("reference", "Huber.psi") == "losses.Huber.psi"
    assert PROGRAM["printed_place"]({"place": "eqn:w_i_proto"}) == "(8)"
    assert PROGRAM["printed_place"]({"place": "6.1.2"}) == "section 6.1.2"

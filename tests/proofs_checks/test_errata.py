"""The page of errata agrees with the ledger: it links every claim that does not hold as printed."""

import re
import runpy
from collections import Counter
from pathlib import Path

import pytest

from rkde.proofs_checks.claim import Verdict
from rkde.proofs_checks.ledger import LedgerEntry, load_ledger

ROOT = Path(__file__).resolve().parents[2]
CORRECTED = (Verdict.FAILS, Verdict.MISPRINT, Verdict.REPAIRED, Verdict.NOT_REPRODUCED)
LINK = re.compile(r"\[`([^`]+)`\]\(\.\./proofs_checks/LEDGER\.md#([^)]+)\)")


@pytest.fixture(scope="module")
def page() -> str:
    path = ROOT / "docs" / "errata.md"
    if not path.is_file():
        pytest.skip("needs the checkout, not an installed package")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "entry", [e for e in load_ledger() if e.verdict in CORRECTED], ids=lambda entry: entry.id
)
def test_a_corrected_statement_is_linked(entry: LedgerEntry, page: str) -> None:
    assert f"../proofs_checks/LEDGER.md#{entry.id})" in page


def test_every_link_leads_to_a_claim(page: str) -> None:
    ledger = (ROOT / "proofs_checks" / "LEDGER.md").read_text(encoding="utf-8")
    links = LINK.findall(page)
    assert len(links) == page.count("LEDGER.md#")
    for shown, target in links:
        assert shown == target
        assert f'<a id="{target}"></a>' in ledger


def test_entries_are_numbered_in_turn(page: str) -> None:
    numbers = [int(number) for number in re.findall(r"^### (\d+)\. ", page, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 20


def test_each_entry_has_claims(page: str) -> None:
    entries = page.split("\n### ")[1:]
    assert all("<summary>Evidence: " in entry and LINK.search(entry) for entry in entries)
    assert max(Counter(LINK.findall(page)).values()) <= 3


KINDS = ("wrong", "silent", "overclaimed", "weaker will do", "not reproduced")
ROW = re.compile(r"^\| \[(\d+)\. (.+?)\]\(#([\w-]+)\) \| (.+?) \| (.+?) \| (yes|no) \|$", re.MULTILINE)


def test_the_summary_lists_every_entry_with_its_kind(page: str) -> None:
    heading_anchor = runpy.run_path(str(ROOT / "docs" / "building" / "anchors.py"))["heading_anchor"]
    entries = re.findall(r"^### (\d+)\. (.+) \((.+?)\)$", page, re.MULTILINE)
    rows = ROW.findall(page)
    assert [(number, title, place) for number, title, _, place, _, _ in rows] == entries
    for number, title, anchor, place, kind, _ in rows:
        assert kind in KINDS
        assert anchor == heading_anchor(f"{number}. {title} ({place})")

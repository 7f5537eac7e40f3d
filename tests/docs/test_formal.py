"""The page of the formal proofs: it is not stale, and names every theorem."""

import runpy
from pathlib import Path

from rkde.proofs_checks.formal.record import shipped

PROGRAM = runpy.run_path(str(Path(__file__).resolve().parents[2] / "docs" / "building" / "formal.py"))


def test_the_page_is_not_stale() -> None:
    assert PROGRAM["PAGE"].read_text("utf-8") == PROGRAM["page"](), "run python docs/building/formal.py"


def test_the_page_names_each_theorem_and_its_claim() -> None:
    head, text = PROGRAM["HEAD"].read_text("utf-8"), PROGRAM["page"]()
    for each in shipped().theorems:
        assert f"`{each.file}`, `{each.name}`" in text.removeprefix(head)
        assert f"LEDGER.md#{each.claim})" in text


def test_the_page_shows_each_definition_under_a_statement() -> None:
    text = PROGRAM["page"]()
    assert "float : R -> Prop;" in text
    for said in shipped().definitions.values():
        assert said in text

"""The shipped ledger: what it says, that it is not stale, and how the command line shows it."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import rkde.proofs_checks
from rkde.cli import cli
from rkde.proofs_checks.claim import Level, ProofClass, Source, Verdict
from rkde.proofs_checks.ledger import LedgerEntry, count_line, detail_lines, ledger_as_json, load_ledger
from rkde.proofs_checks.ledger_write import build_ledger, ledger_texts
from rkde.proofs_checks.places import PRINTED_NAMES

FOLDER = Path(rkde.proofs_checks.__file__).resolve().parent
KEYS = {
    "id", "label", "section", "statement", "source", "hypotheses", "verdict", "level", "proof_class",
    "follows_from", "cites", "otherwise", "theorems", "checks", "faults",
}  # fmt: skip


WHOSE = ("The paper says", "A reader might assume", "An implementer might assume")


@pytest.fixture(scope="module")
def shipped() -> list[LedgerEntry]:
    return load_ledger()


@pytest.fixture(scope="module")
def page() -> str:
    return (FOLDER / "LEDGER.md").read_text(encoding="utf-8")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["ledger", *arguments])


def test_the_shipped_files_are_not_stale() -> None:
    for name, text in ledger_texts(build_ledger()).items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, "run `rkde ledger --write`"


def test_the_table_for_programs_has_the_agreed_form() -> None:
    table = json.loads((FOLDER / "ledger.json").read_text(encoding="utf-8"))
    assert (table["format"], table["version"]) == ("rkde-ledger", 2)
    for claim in table["claims"]:
        assert claim.keys() >= KEYS
    assert table == json.loads(json.dumps(ledger_as_json(load_ledger())))


def test_there_is_evidence_for_enough_claims(shipped: list[LedgerEntry]) -> None:
    levels = Counter(entry.level for entry in shipped)
    verdicts = Counter(entry.verdict for entry in shipped)
    assert len(shipped) >= 102
    assert levels[Level.FORMAL] >= 30
    assert levels[Level.FORMAL] + levels[Level.PROVED] >= 25
    assert levels[Level.CERTIFIED] >= 15
    assert 20 * verdicts[Verdict.OPEN] <= len(shipped)
    assert all(entry.checks or entry.follows_from for entry in shipped)


def test_each_theorem_has_one_entry_that_names_its_parts(shipped: list[LedgerEntry]) -> None:
    composed = {entry.id: entry for entry in shipped if entry.id.startswith("theorems.")}
    theorems = [f"theorems.theorem_{number}" for number in range(1, 6)]
    lemmas = [f"theorems.lemma_{number}" for number in range(1, 6)]
    assert composed.keys() >= {*theorems, *lemmas, "theorems.corollary"}
    assert all(entry.follows_from for entry in composed.values())


def test_open_claims_have_no_level_and_failures_say_whose(shipped: list[LedgerEntry], page: str) -> None:
    assert all((entry.level is None) == (entry.verdict is Verdict.OPEN) for entry in shipped)
    for entry in shipped:
        if entry.verdict is Verdict.FAILS:
            said = page.split(f"### {entry.id}\n")[1].split("\n", maxsplit=5)[3]
            assert said.partition(": ")[0] in WHOSE


def test_the_page_opens_with_the_numbered_statements_and_has_no_label_of_the_latex_source(page: str) -> None:
    assert [label for label in PRINTED_NAMES if ":" in label and label in page] == []
    first = page.split("\n## ")[1]
    for name in ("Theorem 1", "Theorem 3 (corollary)", "Lemma 5"):
        assert f"| [{name}](#theorems." in first


def test_formal_claims_show_theorems_with_files_and_axioms(shipped: list[LedgerEntry], page: str) -> None:
    formal = [entry for entry in shipped if entry.level is Level.FORMAL]
    for number in ("theorem_1", "theorem_2", "theorem_3", "corollary"):
        assert f"theorems.{number}" in {entry.id for entry in formal}
    for entry in formal:
        text = page.split(f"### {entry.id}\n")[1].split("\n### ")[0]
        shown = run("--claim", entry.id).output
        assert entry.theorems or entry.follows_from
        for each in entry.theorems:
            assert f"`{each.name}` in `formal/{each.file}`, axioms: " in text
            assert f"Formal: {each.name} in formal/{each.file}" in shown or not each.whole
            assert all(f"`{axiom.rpartition('.')[2]}`" in text for axiom in each.axioms)


def test_failures_and_misprints_have_counterexamples(shipped: list[LedgerEntry]) -> None:
    judged = [entry for entry in shipped if entry.verdict in (Verdict.FAILS, Verdict.MISPRINT)]
    assert judged
    for entry in judged:
        names = {check.name.rpartition("::")[2] for check in entry.checks}
        assert entry.counterexample
        assert names >= set(entry.counterexample)


def test_the_table_is_shown_with_its_counts(shipped: list[LedgerEntry]) -> None:
    result = run()
    assert result.exit_code == 0
    for line in (count_line(shipped), *detail_lines(shipped)):
        assert " ".join(line.split()) in " ".join(result.output.split())
    assert "0 without evidence" in " ".join(result.output.split())


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (("--verdict", "FAILS"), lambda entry: entry.verdict == Verdict.FAILS),
        (("--level", "proved"), lambda entry: entry.level == Level.PROVED),
        (("--class", "a"), lambda entry: entry.proof_class == ProofClass.A),
        (("--source", "unspecified"), lambda entry: entry.source == Source.UNSPECIFIED),
        (("--section", "8"), lambda entry: entry.section.split(".")[0] == "8"),
        (("--section", "6.1.2"), lambda entry: entry.section == "6.1.2"),
        (
            ("--verdict", "HOLDS", "--section", "2"),
            lambda entry: entry.verdict == Verdict.HOLDS and entry.section == "2",
        ),
    ],
)
def test_the_table_is_filtered(arguments: tuple[str, ...], wanted, shipped: list[LedgerEntry]) -> None:
    table = json.loads(run("--json", *arguments).output)
    expected = [entry.id for entry in shipped if wanted(entry)]
    assert expected
    assert [claim["id"] for claim in table["claims"]] == expected


def test_one_claim_is_shown_in_full(shipped: list[LedgerEntry]) -> None:
    entry = next(entry for entry in shipped if entry.id == "median.never_a_data_point")
    output = " ".join(run("--claim", entry.id).output.split())
    for text in (entry.statement, entry.argument, *(check.name for check in entry.checks)):
        assert " ".join(text.split()) in output
    assert entry.faults[0].name in output
    assert f"--pyargs {entry.module}" in output


def test_reading_the_ledger_needs_no_test_tool() -> None:
    code = (
        "import sys; from rkde.cli import cli; cli(['ledger', '--json'], standalone_mode=False); "
        "print(sorted({'pytest', 'hypothesis', 'sympy', 'z3', 'numpy', 'mpmath'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_an_unknown_claim_is_refused() -> None:
    result = run("--claim", "no.such_claim")
    assert result.exit_code == 2
    assert "no.such_claim" in result.output


def test_writing_generates_both_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rkde.proofs_checks.ledger_write.FOLDER", tmp_path)
    assert run("--write").exit_code == 0
    for name in ("ledger.json", "LEDGER.md"):
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes()

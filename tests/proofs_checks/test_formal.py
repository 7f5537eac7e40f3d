"""The formal proofs: that their record belongs to them, and that a planted error is noticed."""

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rkde.errors import RkdeError
from rkde.proofs_checks import printed_tables
from rkde.proofs_checks.claim import Level
from rkde.proofs_checks.formal import __main__ as command
from rkde.proofs_checks.formal import coq, definitions, record, sources
from rkde.proofs_checks.formal.sources import Theorem
from rkde.proofs_checks.ledger import load_ledger

UNUSABLE = coq.unusable()
needs_coq = pytest.mark.skipif(bool(UNUSABLE), reason=UNUSABLE)
TOY = Theorem("two", "toy.v", "toy.sum", "One and one are two.")
SOUND = "(* Claim toy.sum. One and one are two. *)\nTheorem two : 1 + 1 = 2.\nProof. reflexivity. Qed.\n"


def put(folder: Path, text: str, theorem: Theorem = TOY) -> Path:
    """Write a folder with one file and its table."""
    (folder / theorem.file).write_text(text, encoding="utf-8")
    fields = ("name", "file", "claim", "says")
    rows = "\n".join(f'{name} = "{getattr(theorem, name)}"' for name in fields)
    (folder / sources.TABLE).write_text(f"[[theorem]]\n{rows}\n", encoding="utf-8")
    return folder


def checked(folder: Path, text: str) -> tuple[record.Record, list[str]]:
    """Check a folder with one text by Coq."""
    return command.check(put(folder, text), folder / "store")


def recorded(folder: Path, *axioms: str, **statements: str) -> record.Record:
    """Record the sound text as it was checked."""
    put(folder, SOUND)
    return record.made("8.16.1", folder, [TOY], {TOY.full_name: axioms}, statements)


def written(made: record.Record, folder: Path) -> record.Record:
    """Write a record, and check that it is read as it is."""
    record.write(made, folder)
    assert record.shipped(folder) == made
    return made


# ------------------------------------------------------------------------------------------ without Coq


def test_the_texts_are_in_order() -> None:
    assert sources.audit(sources.FOLDER, sources.theorems()) == []


def test_the_record_belongs_to_the_files() -> None:
    assert record.stale() == {}
    recorded = record.shipped()
    assert recorded.coq.startswith(coq.WANTED)
    listed = {(each.name, each.file, each.claim, each.whole) for each in sources.theorems()}
    assert {(each.name, each.file, each.claim, each.whole) for each in recorded.theorems} == listed
    assert not coq.forbidden({each.name: each.axioms for each in recorded.theorems})
    assert list(recorded.statements) == sorted({each.full_name for each in sources.theorems()})
    assert record.stated(recorded) == (sources.FOLDER / record.STATEMENTS).read_text("utf-8")


def test_the_formal_table_of_ranks_is_the_printed_one() -> None:
    text = (sources.FOLDER / "ranks.v").read_text(encoding="utf-8")
    found = re.findall(r"\((\d+), (\d+), (\d+), (\d+)\)", text)
    cells = [(c.rank_sum_1, c.rank_sum_2, c.statistic, c.p_value) for c in printed_tables.cells()]
    assert [(int(a), int(b), int(t), f"{int(p) / 100:.2f}") for a, b, t, p in found] == cells


def test_formal_claims_are_those_that_theorems_carry() -> None:
    carried = {entry.id for entry in load_ledger() if any(each.whole for each in entry.theorems)}
    formal = {entry.id for entry in load_ledger() if entry.level is Level.FORMAL and not entry.follows_from}
    assert carried == sources.formal_claims()
    assert formal <= carried


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (SOUND.replace("reflexivity. Qed", "Admitted"), "uses Admitted"),
        (SOUND.replace("reflexivity", "admit"), "uses admit"),
        (SOUND + "Axiom more : False.\n", "uses Axiom"),
        (SOUND + "Unset Guard Checking.\n", "uses Guard Checking"),
        (SOUND + "Unset Guard  Checking.\n", "uses Guard  Checking"),
        (SOUND + "Module M. End M.\n", "uses Module"),
        (SOUND.replace("Qed", "Abort") + "Lemma two : True. Proof. trivial. Qed.\n", "uses Abort"),
        (SOUND + "Definition two := 2.\n", "declares two more than once"),
        (SOUND + "Notation less := Nat.le.\n", "makes the notation less for other files"),
        (SOUND + "Section S. End S. Notation less := Nat.le.\n", "makes the notation less for other files"),
        (SOUND + "Lemma p : Prop. Proof. exact True. Defined.\n", "ends the proof of p with Defined"),
        (SOUND + "Let premise_subproof : Prop := True.\n", "lets premise_subproof stand for something"),
        (SOUND + 'Goal True. idtac "(*". trivial. Qed.\n', "contains a string"),
        (SOUND.replace("toy.sum", "toy.other"), "does not name the claim toy.sum"),
        (SOUND.replace("(* Claim", "(* *) Claim"), "does not name the claim toy.sum"),
        (SOUND.replace("two :", "three :"), "does not state the theorem two"),
        (SOUND.replace("two :", "three :"), "states the theorem three"),
    ],
)
def test_what_is_wrong_with_a_text_is_named(text: str, complaint: str, tmp_path: Path) -> None:
    problems = sources.audit(put(tmp_path, text), [TOY])
    assert any(complaint in problem for problem in problems)


@pytest.mark.parametrize(
    ("said", "axioms"),
    [
        ("\nClosed under the global context\n", ()),
        ("\nAxioms:\nM.b : forall x,\n  x = x\nM.a\n  : Prop\n", ("M.a", "M.b")),
    ],
)
def test_the_answer_of_coq_is_read(said: str, axioms: tuple[str, ...]) -> None:
    assert coq._axioms_in(said) == axioms


@pytest.mark.parametrize(
    "said",
    [
        "\nAxioms:\nM.a : Prop\ntoy.f is assumed to be guarded.\n",
        "\nAxioms:\nM.a : Prop\ntoy.t relies on an unsafe hierarchy.\n",
        "\nToo much\nAxioms:\nM.a : Prop\n",
        "\nAxioms:\n",
        "\nnot Closed under the global context\n",
    ],
)
def test_an_answer_that_says_more_than_axioms_is_refused(said: str) -> None:
    with pytest.raises(RkdeError, match="not an axiom, or its axioms cannot be read"):
        coq._axioms_in(said)


def test_a_sound_text_passes_and_a_missing_one_is_named(tmp_path: Path) -> None:
    comment = "(* A comment (* with another *) that says Admitted. *)\n"
    comment += "Section S. Notation one := 1. End S. Local Notation two_less := (2 - 1).\n"
    assert sources.audit(tmp_path, [TOY]) == ["toy.v: is listed in theorems.toml, but is not there"]
    assert sources.audit(put(tmp_path, comment + SOUND), sources.theorems(tmp_path)) == []


def test_files_come_after_those_that_they_require(tmp_path: Path) -> None:
    (tmp_path / "a.v").write_text("From Rkde Require Import c.\nFrom Coq Require Import Reals.\n", "utf-8")
    (tmp_path / "b.v").write_text("", "utf-8")
    (tmp_path / "c.v").write_text("Require Import b.\n(* Require Import a. *)\n", "utf-8")
    needed = sources.needed(tmp_path)
    assert list(needed) == ["b.v", "c.v", "a.v"]
    assert needed["a.v"] == ("b.v", "c.v")


def test_a_changed_file_is_seen(tmp_path: Path) -> None:
    made = written(recorded(tmp_path, "an axiom"), tmp_path)
    assert not record.differences(made, made)
    put(tmp_path, SOUND.replace("Qed", "Defined"))
    assert list(record.stale(tmp_path)) == ["toy.v"]
    fewer = record.made("8.16.1", tmp_path, [TOY], {TOY.full_name: ()}, {})
    problems = ["toy.v: is not the file that was checked", "two: is recorded otherwise"]
    assert record.differences(made, fewer) == problems


def test_a_statement_is_read_without_its_name_and_kept(tmp_path: Path) -> None:
    said = "@toy.two\n     : forall x : nat, \n         x = 2 ->\n       x + 1 = 3\n"
    assert coq._statement_in(said) == "forall x : nat,\n  x = 2 ->\nx + 1 = 3"
    with pytest.raises(RkdeError, match="cannot be read"):
        coq._statement_in("toy.two")
    statements = {TOY.full_name: coq._statement_in(said), "Rkde.toy.zero": "[/\\ True, True &\n  [1] = [1] ]"}
    written(recorded(tmp_path, **statements), tmp_path)


def test_definitions_are_followed_through_others_and_the_parts_of_records() -> None:
    known = {
        "Rkde.a.pair": "Record a.pair : Set := a.Pair { left : nat;  right : b.twice }",
        "Rkde.a.other": "a.other = nat : Set",
        "Rkde.b.twice": "b.twice = b.deep_subproof : nat",
    }
    kinds = {"Rkde.a.pair": "Record", "Rkde.a.other": "Definition", "Rkde.b.twice": "Definition"}
    assert definitions.under(["forall p, a.left p = c.free"], known, kinds) == {"Rkde.a.pair", "Rkde.b.twice"}
    with pytest.raises(RkdeError, match="cannot be found"):
        definitions.under(["a.unknown = 1"], known, kinds)


def test_a_definition_that_changed_is_named(tmp_path: Path) -> None:
    made = recorded(tmp_path)
    old = written(replace(made, definitions={"Rkde.toy.one": "one = 1\n     : nat"}), tmp_path)
    new = replace(made, definitions={"Rkde.toy.one": "one = 2\n     : nat"})
    assert record.differences(old, new) == ["Rkde.toy.one: is not defined as is recorded"]


def test_without_coq_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert command.main(["--skip"]) == 0
    assert capsys.readouterr().out == "skipped: coqc and coqchk cannot be found\n"
    with pytest.raises(RkdeError, match="apt-get install coq"):
        command.main([])


def test_another_version_of_coq_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(coq, "version", lambda: "8.20.0")
    assert "is 8.20.0" in coq.unusable()


# --------------------------------------------------------------------------------------------- with Coq


@needs_coq
def test_a_sound_folder_is_checked_and_compiled_once(tmp_path: Path) -> None:
    folder, store = put(tmp_path, SOUND), tmp_path / "store"
    found, problems = command.check(folder, store)
    assert (found.theorems[0].axioms, problems) == ((), [])
    assert coq.compile_files(folder, store) == []
    put(tmp_path, SOUND.replace("reflexivity", "exact (eq_refl 2)"))
    assert coq.compile_files(folder, store) == ["toy.v"]


@needs_coq
@pytest.mark.parametrize("text", [SOUND.replace("= 2", "= 3"), SOUND.replace("1 + 1", "1 - 1")])
def test_a_false_statement_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(RkdeError, match=r"toy\.v: coqc refuses"):
        checked(tmp_path, text)


@needs_coq
def test_an_axiom_of_ones_own_is_refused(tmp_path: Path) -> None:
    text = "Variable false : 1 = 3.\n" + SOUND.replace("= 2", "= 4").replace(
        "reflexivity", "change (1 + 1 = 1 + 3); rewrite <- false; reflexivity"
    )
    _, problems = checked(tmp_path, text)
    assert problems == ["Rkde.toy.two: rests on toy.false, which is not among the allowed axioms"]


@needs_coq
@pytest.mark.parametrize(
    ("section", "change"),
    [("Hypothesis even : n + n = 4.\n", "pose proof even; "), ("", "")],
    ids=["a hypothesis of a section", "a hypothesis that is dropped"],
)
def test_a_hypothesis_that_came_or_went_is_seen(section: str, change: str, tmp_path: Path) -> None:
    text = "(* Claim toy.sum. *)\nTheorem two : n = 2 -> n + 0 = n + 0.\nProof. reflexivity. Qed.\n"
    before = f"Section S.\nVariable n : nat.\n{text}End S.\n"
    old, _ = checked(tmp_path, before)
    assert old.statements == {TOY.full_name: "forall n : nat, n = 2 -> n + 0 = n + 0"}
    after = before.replace("Variable n : nat.\n", f"Variable n : nat.\n{section}")
    after = after.replace("Proof. ", f"Proof. {change}") if section else after.replace("n = 2 -> ", "")
    new, _ = checked(tmp_path, after)
    assert record.differences(old, new)[-1] == f"{TOY.full_name}: does not state what is recorded"


@needs_coq
@pytest.mark.parametrize(
    ("right", "wrong", "changed"),
    [
        ("0 <= size", "size < 0", "shape"),
        ("twice := 2", "twice := 3", "twice"),
        ("Definition twice", "Lemma twice_proof : 2 = 2. Proof. reflexivity. Qed.\nDefinition twice", ""),
    ],
    ids=["a hypothesis in a record", "a definition under a definition", "a lemma that no statement uses"],
)
def test_a_definition_under_a_statement_is_kept(right: str, wrong: str, changed: str, tmp_path: Path) -> None:
    text = (
        "Record shape := { size : nat; positive : 0 <= size }.\nDefinition twice := 2.\n"
        "Definition grown (s : shape) := twice * size s.\n(* Claim toy.sum. *)\n"
        "Theorem two : forall s, grown s = grown s.\nProof. reflexivity. Qed.\n"
    )
    old, _ = checked(tmp_path, text)
    assert list(old.definitions) == [f"Rkde.toy.{name}" for name in ("grown", "shape", "twice")]
    assert old.definitions["Rkde.toy.twice"] == "twice = 2\n     : nat"
    new, _ = checked(tmp_path, text.replace(right, wrong))
    changes = [f"Rkde.toy.{changed}: is not defined as is recorded"] if changed else []
    assert record.differences(old, new) == ["toy.v: is not the file that was checked", *changes]


@needs_coq
def test_the_command_finds_a_record_that_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    put(tmp_path, SOUND)
    right, _ = command.check(tmp_path, tmp_path / "store")
    wrong = replace(right, theorems=(replace(right.theorems[0], axioms=("more",)),))
    record.write(wrong, tmp_path)
    monkeypatch.setattr(sources, "FOLDER", tmp_path)
    monkeypatch.setattr(record, "shipped", lambda: wrong)
    assert command.main(["--store", str(tmp_path / "store")]) == 1
    monkeypatch.setattr(record, "shipped", lambda: right)
    assert command.main(["--write", "--store", str(tmp_path / "store")]) == 0
    assert (tmp_path / record.RECORD).read_text("utf-8") == record.written(right)


def test_the_command_runs_by_its_name() -> None:
    command = [sys.executable, "-m", "rkde.proofs_checks.formal", "--help"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "theorem, file and axioms" in " ".join(done.stdout.split())

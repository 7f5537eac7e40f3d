"""`rkde vectors`: export, lint, fmt, verify, edit and recompute."""

import json
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import Result

from rkde.conformance import Case, load_vectors, shipped_vectors, with_floats
from rkde.conformance.vectors import schema
from tests.cli.running import assert_found, assert_refused, run, succeeded
from tests.support.vectors import shipped_cases, spoil

vectors = partial(run, "vectors")


def test_what_is_exported_can_be_used(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder"
    succeeded(vectors("export", target))
    assert [case.id for case in load_vectors(target)] == [case.id for case in shipped_cases()]
    # Reading checked each file by this schema; a program that knows no more than JSON Schema can use it too.
    exported = json.loads((target / "schema" / "vectors.schema.json").read_text("utf-8"))
    assert exported == schema()
    jsonschema.validate(json.loads((target / "auc.json").read_text("ascii")), exported)
    assert_refused(vectors("export", target), ("exists already",))
    succeeded(vectors("export", target, "--force"))


def test_the_shipped_vectors_are_in_order() -> None:
    for command in (("lint",), ("fmt", "--check")):
        assert vectors(*command).exit_code == 0


def test_another_layout_is_seen_and_repaired(few: Path) -> None:
    path = few / "loss.json"
    before = path.read_text("ascii")
    path.write_text(before.replace('"cases": [\n', '"cases":   [', 1), "ascii")
    assert vectors("fmt", few, "--check").exit_code == 1
    assert "laid out differently" in vectors("lint", few).stdout
    succeeded(vectors("fmt", few))
    assert path.read_text("ascii") == before
    succeeded(vectors("lint", few))


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('"id": "loss/grid-huber"', '"id": "kernel/grid-huber"', "does not start with its operation"),
        ('"id": "loss/grid-huber"', '"id": "loss/grid-hampel"', "two cases have the id"),
        ('"rho": {"value"', '"roh": {"value"', "the field rho has no expected value"),
        ('"rho": {"value"', '"roh": {"value"', "the operation has no field roh"),
        ('"tolerance": "3.4e-15"', '"tolerance": "9.9e-1"', "a tolerance of 0.99 lets wrong answers pass"),
        ('"outcome": "value"', '"outcome": "values"', "breaks the schema"),
        ('"TIE": {', '"tie": {', "breaks the schema"),
        ('"flags": ["BASIC"]', '"flags": ["MUST_FAIL"]', "must come together"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(old: str, new: str, part: str, few: Path) -> None:
    path = few / "loss.json"
    path.write_text(path.read_text("ascii").replace(old, new, 1), "ascii")
    spoil(path, lambda _: None)
    vectors("fmt", few)
    assert_found(vectors("lint", few), part)


def with_wrong_digit(folder: Path) -> str:
    """Change a digit of `loss/grid-huber` under a fresh digest; return the text of the file before."""
    before = (folder / "loss.json").read_text("ascii")

    def change(content: dict[str, Any]) -> None:
        case = next(case for case in content["groups"][0]["cases"] if case["id"] == "loss/grid-huber")
        case["expected"]["rho"]["value"][-1] = "1.25" + 42 * "0" + "e+0"

    spoil(folder / "loss.json", change)
    succeeded(vectors("fmt", folder))
    return before


def test_a_value_that_a_fresh_computation_does_not_give_is_told_and_replaced(few: Path) -> None:
    before = with_wrong_digit(few)
    told = vectors("verify", few)
    assert_found(told, "loss/grid-huber: a fresh computation gives another case")
    assert told.stdout.count("\n") == 1
    assert vectors("recompute", "loss/grid-hampel", "--in", few).stdout == f"{few}: cases changed: 0\n"
    assert vectors("verify", few).exit_code == 1
    # By its name, and with all others.
    for names in (("loss/grid-huber",), ()):
        with_wrong_digit(few)
        result = vectors("recompute", *names, "--in", few)
        assert result.stdout == f"loss/grid-huber\n{few}: cases changed: 1\n"
        assert (few / "loss.json").read_text("ascii") == before


def test_an_unknown_case_is_not_computed_again(few: Path) -> None:
    with_wrong_digit(few)
    before = (few / "loss.json").read_bytes()
    told = vectors("recompute", "loss/grid-huber", "loss/lost", "--in", few)
    assert_refused(told, ("there is no case loss/lost",))
    assert (few / "loss.json").read_bytes() == before


def case_of(folder: Path, identity: str = "loss/grid-huber") -> Case:
    return next(case for case in load_vectors(folder) if case.id == identity)


def request_of(case: Case) -> dict[str, Any]:
    return {name: with_floats(value) for name, value in case.request.items() if name != "op"}


def request_file(folder: Path, request: object) -> tuple[str, Path]:
    (folder / "request.txt").write_text(json.dumps(request), "utf-8")
    return "--request", folder / "request.txt"


def test_an_edited_comment_changes_nothing_else(few: Path) -> None:
    before = case_of(few)
    others = [case for case in load_vectors(few) if case.id != before.id]
    succeeded(vectors("edit", before.id, "--in", few, "--comment", "Said better."))
    assert case_of(few) == replace(before, comment="Said better.")
    assert [case for case in load_vectors(few) if case.id != before.id] == others
    succeeded(vectors("edit", before.id, "--in", few, "--comment", before.comment))
    assert (few / "loss.json").read_bytes() == (shipped_vectors() / "loss.json").read_bytes()


def test_an_edited_request_has_a_new_answer(few: Path) -> None:
    before = case_of(few)
    request = {**request_of(before), "loss": {"name": "huber", "a": 0.375}}
    succeeded(vectors("edit", before.id, "--in", few, *request_file(few, request)))
    after = case_of(few)
    assert after.request["loss"] == {"name": "huber", "a": "0.375"}
    assert after.expected["rho"] != before.expected["rho"]
    for command in ("lint", "verify"):
        succeeded(vectors(command, few))


def test_an_error_can_be_announced_and_lifted(few: Path) -> None:
    def edit(loss: float, *more: str) -> Result:
        request = {**whole, "loss": {"name": "huber", "a": loss}}
        return vectors("edit", "loss/grid-huber", "--in", few, *request_file(few, request), *more)

    whole = request_of(case_of(few))
    assert edit(-1, "--error", "InvalidInput", "--flag", "MUST_FAIL").exit_code == 0
    assert (case_of(few).error, case_of(few).expected) == ("InvalidInput", {})
    assert edit(0.375, "--error", "none", "--flag", "BASIC").exit_code == 0
    assert case_of(few).error == ""
    succeeded(vectors("verify", few))


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ((), "No change was given"),
        (("--flag", "ODD"), "got ODD"),
        (("--flag", "MUST_FAIL"), "must come together"),
        (("--error", "InvalidInput", "--flag", "MUST_FAIL"), "the error InvalidInput was expected"),
        (("--comment", ""), "No change was given"),
        (("--end", "0.5,0.5"), "only a value of fixed_point"),
    ],
)
def test_an_edit_that_is_inconsistent_is_refused(more: tuple[str, ...], says: str, few: Path) -> None:
    before = (few / "loss.json").read_bytes()
    assert_refused(vectors("edit", "loss/grid-huber", "--in", few, *more), (says,))
    assert (few / "loss.json").read_bytes() == before


def test_an_edit_does_not_repeat_a_request(few: Path) -> None:
    repeated = request_file(few, request_of(case_of(few, "loss/grid-hampel")))
    told = "the case loss/grid-hampel has the same request"
    assert_refused(vectors("edit", "loss/grid-huber", "--in", few, *repeated), (told,))
    lost = vectors("edit", "loss/lost", "--in", few, "--comment", "c")
    assert_refused(lost, ("there is no case loss/lost",))


def test_the_other_ends_of_an_edited_saddle_are_named_again(tmp_path: Path) -> None:
    path = Path(shutil.copy(shipped_vectors() / "fixed_point.json", tmp_path))
    before = path.read_bytes()
    request = request_file(tmp_path, request_of(case_of(tmp_path, "fixed_point/saddle")))
    same = ("edit", "fixed_point/saddle", "--in", tmp_path, *request)
    assert_refused(vectors(*same), ("give the others again",))
    succeeded(vectors(*same, "--end", "0.5,0.5,0,0", "--end", "0,0,0.5,0.5"))
    assert path.read_bytes() == before


def test_flags_that_two_files_explain_differently_are_told(few: Path) -> None:
    text = (shipped_vectors() / "auc.json").read_text("ascii")
    (few / "auc.json").write_text(text, "ascii")
    succeeded(vectors("lint", few))
    (few / "auc.json").write_text(text.replace("An ordinary case.", "Any case."), "ascii")
    assert "must explain the flags as the first file does" in vectors("lint", few).stdout


@pytest.mark.parametrize("command", ["lint", "fmt", "verify"])
def test_nothing_to_check_is_not_in_order(command: str, tmp_path: Path) -> None:
    assert_refused(vectors(command, tmp_path), ("contains no vector file",))

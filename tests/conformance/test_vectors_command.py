"""`rkde vectors`: export, lint, fmt and verify."""

import json
import shutil
from pathlib import Path

import jsonschema
import pytest
from click.testing import Result

from rkde.cli import cli
from rkde.conformance import digest, load_vectors, shipped_vectors
from rkde.conformance.vectors import schema
from tests.support.commands import invoke


def run(*arguments: object) -> Result:
    return invoke(cli, ["vectors", *map(str, arguments)])


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with the vectors of one operation."""
    shutil.copy(shipped_vectors() / "loss.json", tmp_path)
    return tmp_path


def test_what_is_exported_can_be_used(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder"
    assert run("export", target).exit_code == 0
    assert [case.id for case in load_vectors(target)] == [case.id for case in load_vectors(shipped_vectors())]
    # Reading checked each file by this schema; a program that knows no more than JSON Schema can use it too.
    exported = json.loads((target / "schema" / "vectors.schema.json").read_text("utf-8"))
    assert exported == schema()
    jsonschema.validate(json.loads((target / "auc.json").read_text("ascii")), exported)
    again = run("export", target)
    assert again.exit_code == 2
    assert "already there" in again.stderr
    assert run("export", target, "--force").exit_code == 0


def test_the_shipped_vectors_are_in_order() -> None:
    result = run("lint")
    assert result.exit_code == 0, result.output
    result = run("fmt", "--check")
    assert result.exit_code == 0, result.output


def test_another_layout_is_seen_and_repaired(few: Path) -> None:
    path = few / "loss.json"
    before = path.read_text("ascii")
    path.write_text(before.replace('"cases": [\n', '"cases":   [', 1), "ascii")
    assert run("fmt", few, "--check").exit_code == 1
    assert "laid out differently" in run("lint", few).stdout
    assert run("fmt", few).exit_code == 0
    assert path.read_text("ascii") == before
    assert run("lint", few).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('"id": "loss/grid-huber"', '"id": "kernel/grid-huber"', "does not start with its operation"),
        ('"id": "loss/grid-huber"', '"id": "loss/grid-hampel"', "two cases have the id"),
        ('"rho": {"value"', '"roh": {"value"', "the field rho has no expected value"),
        ('"rho": {"value"', '"roh": {"value"', "the operation answers no field roh"),
        ('"tolerance": "3.4e-15"', '"tolerance": "9.9e-1"', "a tolerance of 0.99 lets wrong answers pass"),
        ('"outcome": "value"', '"outcome": "values"', "breaks the schema"),
        ('"TIE": {', '"tie": {', "breaks the schema"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(old: str, new: str, part: str, few: Path) -> None:
    path = few / "loss.json"
    content = json.loads(path.read_text("ascii").replace(old, new, 1))
    content["digest"] = digest(content["groups"])
    path.write_text(json.dumps(content), "ascii")
    run("fmt", few)
    result = run("lint", few)
    assert result.exit_code == 1
    assert part in result.stdout


def test_a_value_that_a_fresh_computation_does_not_give_is_told(
    few: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rkde.vectors.recomputing.stale_files", lambda _, *, full: ["loss.json"] * full)
    monkeypatch.setattr("rkde.vectors.recomputing.shipped_vectors", lambda: few)
    result = run("verify", few)
    assert result.exit_code == 1
    assert "loss.json: a fresh computation gives another file" in result.stdout


@pytest.mark.parametrize("command", ["lint", "fmt", "verify"])
def test_nothing_to_check_is_not_in_order(command: str, tmp_path: Path) -> None:
    result = run(command, tmp_path)
    assert result.exit_code == 2
    assert "holds no vector file" in result.stderr

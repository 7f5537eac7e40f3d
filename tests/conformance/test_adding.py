"""`rkde vectors add`: the request is given, the answer is computed; nothing is overwritten."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rkde.adapter import answer_request, fast_implementation
from rkde.cli import cli
from rkde.conformance import Outcome, check_cases, digest, load_vectors, shipped_vectors
from tests.support.commands import invoke

HUBER: dict[str, Any] = {"loss": {"name": "huber", "a": 0.5}, "t": [0, 0.1, 2.5]}


def add(folder: Path, request: object, *more: str, op: str = "loss", name: str = "mine") -> Result:
    source = folder / "request.txt"
    source.write_text(request if isinstance(request, str) else json.dumps(request), "utf-8")
    options = (
        "--request",
        str(source),
        "--id",
        name,
        "--comment",
        "Äußerst klein.",
        "--to",
        str(folder / "v"),
    )
    return invoke(cli, ["vectors", "add", op, *options, *more])


def run(*arguments: object) -> Result:
    return invoke(cli, ["vectors", *map(str, arguments)])


def test_added_cases_have_proved_values_and_pass_every_check(tmp_path: Path) -> None:
    assert add(tmp_path, {"id": 7, "op": "loss", **HUBER}).exit_code == 0
    assert add(tmp_path, {"X": [[0], [1], [3.5]], "rule": "median_nn"}, op="bandwidth").exit_code == 0
    assert add(tmp_path, {**HUBER, "t": [-1]}, "--error", "InvalidInput", name="below").exit_code == 0
    assert add(tmp_path, {**HUBER, "t": [0.25]}, "--flag", "BASIC", name="two").exit_code == 0
    folder = tmp_path / "v"
    cases = {case.id: case for case in load_vectors(folder)}
    assert list(cases) == ["bandwidth/mine", "loss/mine", "loss/below", "loss/two"]
    assert set(cases["loss/mine"].radii) == {"rho", "psi", "phi", "q", "q_left"}
    assert cases["bandwidth/mine"].expected["bandwidth"] == "1." + 44 * "0" + "e+0"
    assert cases["loss/below"].flags == ("MUST_FAIL",)
    results = check_cases(lambda request: answer_request(fast_implementation(), request), cases.values())
    assert {result.outcome for result in results} == {Outcome.PASSED}
    for command in (("lint",), ("fmt", "--check"), ("verify",)):
        assert run(*command, folder).exit_code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["bandwidth.json", "loss.json"]


@pytest.mark.parametrize(
    ("request_text", "more", "name", "says"),
    [
        (HUBER, (), "mine", "there is a case loss/mine already"),
        (HUBER, (), "other", "loss/mine has the same request"),
        ({**HUBER, "t": [-1]}, (), "below", "ends in the error InvalidInput"),
        ({**HUBER, "t": [1]}, ("--error", "InvalidInput"), "fine", "InvalidInput was expected"),
        ({**HUBER, "op": "kernel"}, (), "other", "another operation than loss"),
        ('{"t": [0.10000000000000001]}', (), "other", "write 0.1"),
        ('{"t": [1], "t": [2]}', (), "other", "twice"),
        ("[1]", (), "other", "one JSON object was expected"),
        ({**HUBER, "t": [3]}, (), "Upper", "lower-case"),
        ({**HUBER, "t": [3]}, ("--flag", "ODD"), "other", "--flag ODD"),
    ],
)
def test_what_cannot_be_added_is_refused_and_changes_nothing(
    request_text: object, more: tuple[str, ...], name: str, says: str, tmp_path: Path
) -> None:
    assert add(tmp_path, HUBER).exit_code == 0
    before = (tmp_path / "v" / "loss.json").read_bytes()
    result = add(tmp_path, request_text, *more, name=name)
    assert result.exit_code == 2
    assert says in result.stderr
    assert (tmp_path / "v" / "loss.json").read_bytes() == before


def test_the_shipped_vectors_are_not_added_to(tmp_path: Path) -> None:
    result = add(tmp_path, {**HUBER, "t": [3]}, "--to", str(shipped_vectors()))
    assert result.exit_code == 2
    assert "inventory" in result.stderr


def test_a_file_that_was_changed_by_hand_is_not_added_to(tmp_path: Path) -> None:
    assert add(tmp_path, HUBER).exit_code == 0
    path = tmp_path / "v" / "loss.json"
    path.write_text(path.read_text("ascii").replace("2.5", "2.25", 1), "ascii")
    result = add(tmp_path, {**HUBER, "t": [3]}, name="other")
    assert result.exit_code == 2
    assert "changed by hand" in result.stderr


def test_an_added_value_that_is_wrong_is_told(tmp_path: Path) -> None:
    assert add(tmp_path, HUBER).exit_code == 0
    path = tmp_path / "v" / "loss.json"
    content = json.loads(path.read_text("ascii"))
    content["groups"][0]["cases"][0]["expected"]["rho"]["value"][2] = "1.2" + 43 * "0" + "e+0"
    content["digest"] = digest(content["groups"])
    path.write_text(json.dumps(content), "ascii")
    result = run("verify", tmp_path / "v")
    assert result.exit_code == 1
    assert "loss/mine: a fresh computation gives another case" in result.stdout

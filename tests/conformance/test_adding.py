"""`rkde vectors add`: the request is given, the answer is computed; nothing is overwritten."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rkde.adapter import answer_request, fast_implementation
from rkde.conformance import Outcome, check_cases, load_vectors, shipped_vectors, with_floats
from tests.cli.running import assert_refused, run, succeeded

HUBER: dict[str, Any] = {"loss": {"name": "huber", "a": 0.5}, "t": [0, 0.1, 2.5]}


def add(folder: Path, request: object, *more: str, op: str = "loss", name: str = "mine") -> Result:
    source = folder / "request.txt"
    source.write_text(request if isinstance(request, str) else json.dumps(request), "utf-8")
    given = ("--request", source, "--id", name, "--comment", "Äußerst klein.", "--to", folder / "v")
    return run("vectors", "add", op, *given, *more)


def test_added_cases_have_proved_values_and_pass_every_check(tmp_path: Path) -> None:
    succeeded(add(tmp_path, {"id": 7, "op": "loss", **HUBER}))
    succeeded(add(tmp_path, {"X": [[0], [1], [3.5]], "rule": "median_nn"}, op="bandwidth"))
    succeeded(add(tmp_path, {**HUBER, "t": [-1]}, "--error", "InvalidInput", name="below"))
    succeeded(add(tmp_path, {**HUBER, "t": [0.25]}, "--flag", "BASIC", name="two"))
    folder = tmp_path / "v"
    cases = {case.id: case for case in load_vectors(folder)}
    assert list(cases) == ["bandwidth/mine", "loss/mine", "loss/below", "loss/two"]
    assert set(cases["loss/mine"].radii) == {"rho", "psi", "phi", "q", "q_left"}
    assert cases["bandwidth/mine"].expected["bandwidth"] == "1." + 44 * "0" + "e+0"
    assert cases["loss/below"].flags == ("MUST_FAIL",)
    results = check_cases(lambda request: answer_request(fast_implementation(), request), cases.values())
    assert {result.outcome for result in results} == {Outcome.PASSED}
    for command in (("lint",), ("fmt", "--check"), ("verify",)):
        succeeded(run("vectors", *command, folder))
    assert sorted(path.name for path in folder.iterdir()) == ["bandwidth.json", "loss.json"]


@pytest.mark.parametrize(
    ("request_text", "more", "name", "says"),
    [
        (HUBER, (), "mine", "the case loss/mine exists already"),
        (HUBER, (), "other", "the case loss/mine has the same request"),
        ({**HUBER, "t": [-1]}, (), "below", "ends in the error InvalidInput"),
        ({**HUBER, "t": [1]}, ("--error", "InvalidInput"), "fine", "InvalidInput was expected"),
        ({**HUBER, "op": "kernel"}, (), "other", "the operation must be loss, got kernel"),
        ('{"t": [0.10000000000000001]}', (), "other", "write 0.1"),
        ('{"t": [9007199254740993]}', (), "other", "write 9007199254740992.0"),
        ('{"t": [1e400]}', (), "other", "must be within the range of float64, got 1e400"),
        ('{"t": [1], "t": [2]}', (), "other", "twice"),
        ("[1]", (), "other", "must hold one JSON object"),
        ({**HUBER, "t": [3]}, (), "Upper", "lower-case"),
        ({**HUBER, "t": [3]}, ("--flag", "ODD"), "other", "got ODD"),
        ({**HUBER, "t": [3]}, ("--flag", "MUST_FAIL"), "other", "must come together"),
        ({**HUBER, "t": [-1]}, ("--error", "InvalidInput", "--flag", "EDGE"), "other", "must come together"),
        ({**HUBER, "t": [3]}, ("--end", "0.5,0.5"), "other", "only a value of fixed_point"),
        ({**HUBER, "t": [3]}, ("--end", "0.5;0.5"), "other", "numbers separated by commas"),
    ],
)
def test_what_cannot_be_added_is_refused_and_changes_nothing(
    request_text: object, more: tuple[str, ...], name: str, says: str, tmp_path: Path
) -> None:
    succeeded(add(tmp_path, HUBER))
    before = (tmp_path / "v" / "loss.json").read_bytes()
    assert_refused(add(tmp_path, request_text, *more, name=name), (says,))
    assert (tmp_path / "v" / "loss.json").read_bytes() == before


def shipped_copy(folder: Path, op: str) -> Path:
    """Copy one shipped file to where `add` writes."""
    (folder / "v").mkdir()
    return Path(shutil.copy(shipped_vectors() / f"{op}.json", folder / "v"))


def test_a_case_joins_the_group_that_shares_its_fields(tmp_path: Path) -> None:
    path = shipped_copy(tmp_path, "loss")
    before = json.loads(path.read_text("ascii"))
    shared = before["groups"][0]["request"]
    group = ("--group", before["groups"][0]["comment"])
    loss = {"name": "huber", "a": 0.375}
    lacking = add(tmp_path, {"loss": loss}, *group)
    assert_refused(lacking, ("must have the field t, as all cases in the group have",))
    succeeded(add(tmp_path, {**shared, "loss": loss}, *group))
    after = json.loads(path.read_text("ascii"))
    added = after["groups"][0]["cases"].pop()
    assert added["request"] == {"loss": loss}
    assert {**after, "digest": ""} == {**before, "digest": ""}
    succeeded(run("vectors", "lint", tmp_path / "v"))


def test_the_flag_of_a_wide_tolerance_follows_from_the_tolerance(tmp_path: Path) -> None:
    flags = ("--flag", "EDGE", "--flag", "ILL_CONDITIONED")
    succeeded(add(tmp_path, HUBER, *flags))
    # A relative change of the far row and the query moves their distance by 131 073 times as much.
    far = {"X": [[0], [65536]], "kernel": {"name": "gaussian", "bandwidth": 0.01}}
    request = {**far, "weights": [0.5, 0.5], "queries": [[65536.5]]}
    succeeded(add(tmp_path, request, "--flag", "EDGE", op="log_density"))
    found = {case.id: case.flags for case in load_vectors(tmp_path / "v")}
    assert found == {"log_density/mine": ("EDGE", "ILL_CONDITIONED"), "loss/mine": ("EDGE",)}


def test_every_end_of_a_saddle_is_proved(tmp_path: Path) -> None:
    path = shipped_copy(tmp_path, "fixed_point")
    wanted = next(case for case in load_vectors(path.parent) if case.others)
    path.unlink()
    request = with_floats({name: value for name, value in wanted.request.items() if name != "op"})
    ends = ("--end", "0.5,0.5,0,0", "--flag", "SADDLE")
    twice = add(tmp_path, request, *ends, "--end", "0.5,0.5,0,0", op="fixed_point")
    assert_refused(twice, ("two of its ends have the same weights",))
    assert not path.exists()
    succeeded(add(tmp_path, request, *ends, "--end", "0,0,0.5,0.5", op="fixed_point"))
    (found,) = load_vectors(path.parent)
    assert found.right_answers == wanted.right_answers
    assert found.tolerance == wanted.tolerance


def test_a_file_that_was_changed_by_hand_is_not_added_to(tmp_path: Path) -> None:
    succeeded(add(tmp_path, HUBER))
    path = tmp_path / "v" / "loss.json"
    path.write_text(path.read_text("ascii").replace("2.5", "2.25", 1), "ascii")
    refused = add(tmp_path, {**HUBER, "t": [3]}, name="other")
    assert_refused(refused, ("do not match the digest in the header",))

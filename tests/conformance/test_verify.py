"""`rkde verify`: exit codes, tables, the report for programs, and reasons."""

import dataclasses
import json
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rkde.adapter import fast_implementation
from rkde.cli.failures import EXIT_NOT_INSTALLED
from rkde.conformance import shipped_vectors
from rkde.errors import RkdeError
from rkde.proofs_checks import ClaimResult, Level, Verdict
from tests.cli.running import assert_found, assert_refused, run, succeeded
from tests.support.vectors import spoil

check = partial(run, "verify", "--skip-claims", "--vectors")


def claim_result(*, passed: bool) -> ClaimResult:
    message = "" if passed else "it fails"
    return ClaimResult("family.name", "eq:label", "s", Verdict.HOLDS, Level.TESTED, passed, 3, 0.1, message)


def change_a_digit(content: dict[str, Any]) -> None:
    entry = content["groups"][0]["cases"][0]["expected"]["rho"]["value"]
    entry[-1] = entry[-1][:4] + ("1" if entry[-1][4] != "1" else "2") + entry[-1][5:]


@pytest.mark.slow
def test_the_shipped_vectors_pass() -> None:
    result = run("verify", "--skip-claims")
    for name in ("operation", "least digits", "worst case", "residual_norms", "step", "passed: "):
        assert name in succeeded(result)
    assert "FAILED" not in result.stdout
    assert result.stderr == ""


def test_the_reference_passes_too(few: Path) -> None:
    assert "reference implementation" in succeeded(check(few, "--implementation", "reference"))


def test_the_report_for_programs(few: Path) -> None:
    report = json.loads(check(few, "--json").stdout)
    assert (report["format"], report["version"], report["passed"]) == ("rkde-verify", 1, True)
    assert (report["implementation"], report["claims"]) == ("fast implementation", None)
    cases = {case["id"]: case for case in report["cases"]}
    assert cases["loss/grid-hampel"]["outcome"] == "passed"
    assert cases["loss/huber-zero"]["digits"] is None
    fields = {"id", "op", "outcome", "failure", "digits", "message", "flags", "seconds"}
    further = {"levels", "known", "request", "expected", "given"}
    assert set(cases["loss/grid-hampel"]) == fields | further
    levels = {name: level["outcome"] for name, level in cases["loss/grid-hampel"]["levels"].items()}
    assert levels == {"core": "passed", "extended": "passed"}
    assert report["counted"] == ["full"]
    counts = report["levels"]["errors"]
    errors = [case for case in cases.values() if case["levels"].keys() == {"errors"}]
    assert counts["passed"] == counts["total"] == len(errors)
    assert [row["op"] for row in report["operations"]] == ["loss"]
    assert (report["adapter"], report["diagnoses"]) == (None, [])


def test_a_wrong_implementation_ends_with_1(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right, answers = fast_implementation(), {"psi": "phi", "phi": "psi"}

    def exchanged(loss: object, name: str, arguments: list[object]) -> object:
        return right.elementwise(loss, answers.get(name, name), arguments)

    wrong = dataclasses.replace(right, elementwise=exchanged)
    monkeypatch.setattr("rkde.cli.verify_run.fast_implementation", lambda: wrong)
    told = ("FAILED loss/grid-huber: ", "diagnosis: psi and phi are exchanged", "FAILED: not all of")
    assert_found(check(few), *told)


# In process, and through a pipe.
each_way = pytest.mark.parametrize("way", [(), ("--adapter", f"{sys.executable} -m rkde.cli adapter")])


@each_way
def test_a_changed_digit_with_a_fresh_digest_fails_its_case(few: Path, way: tuple[str, ...]) -> None:
    spoil(few / "loss.json", change_a_digit)
    assert_found(check(few, *way), "FAILED loss/grid-quadratic: rho: an error of")


@each_way
@pytest.mark.parametrize(
    ("change", "fresh_digest", "part"),
    [
        (change_a_digit, False, "loss.json: the groups do not match the digest in the header"),
        (lambda content: content.update(version=999), True, "the version must be 1, got 999"),
    ],
)
def test_vectors_that_cannot_be_read_end_with_their_reason(
    few: Path, way: tuple[str, ...], change: Callable[[dict[str, Any]], object], fresh_digest: bool, part: str
) -> None:
    spoil(few / "loss.json", change, fresh_digest=fresh_digest)
    assert_refused(check(few, *way), (part,))


@each_way
def test_a_folder_without_vectors_ends_with_its_reason(tmp_path: Path, way: tuple[str, ...]) -> None:
    assert_refused(check(tmp_path, *way), ("contains no case",))
    assert_refused(check(tmp_path / "missing", *way), ("no such folder",))


@pytest.mark.parametrize("adapter", [(), ("--adapter", "no-such-program-anywhere")])
def test_the_report_for_programs_is_json_where_nothing_ran(adapter: tuple[str, ...], tmp_path: Path) -> None:
    if adapter:
        shutil.copy(shipped_vectors() / "loss.json", tmp_path)
    result = check(tmp_path, "--json", *adapter)
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert (report["format"], report["passed"], report["cases"]) == ("rkde-verify", False, [])
    assert ("cannot be started" if adapter else "contains no case") in report["error"]
    assert report["error"] in result.stderr


def test_nothing_that_ran_is_not_a_pass(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rkde.cli.verify_run.answer_request", lambda *_: {"unsupported": True})
    assert_refused(check(few), ("no case ran",))


@pytest.mark.parametrize(
    ("claims", "code", "part"),
    [
        ([claim_result(passed=True)], 0, "1 claims"),
        ([claim_result(passed=True), claim_result(passed=False)], 1, "FAILED family.name: it fails"),
        ([], 1, "FAILED"),
    ],
)
def test_the_claims_decide_too(
    few: Path, monkeypatch: pytest.MonkeyPatch, claims: list[ClaimResult], code: int, part: str
) -> None:
    def run_claims(profile: str, on_progress: Callable[[int, int, list[object]], None]) -> list[ClaimResult]:
        assert profile == "quick"
        on_progress(1, 1, [])
        return claims

    monkeypatch.setattr("rkde.proofs_checks.run_claims", run_claims)
    result = run("verify", "--vectors", few)
    assert result.exit_code == code, result.output
    assert part in result.stdout


@pytest.mark.parametrize(("passed", "code"), [(True, 0), (False, 1)])
def test_a_list_of_known_failures_says_nothing_of_claims(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed: bool, code: int
) -> None:
    monkeypatch.setattr("rkde.proofs_checks.run_claims", lambda *_: [claim_result(passed=passed)])
    known = tmp_path / "known.txt"
    assert run("verify", "--vectors", few, "--known-failures", known, "--fix").exit_code == code
    assert run("verify", "--vectors", few, "--known-failures", known).exit_code == code


def test_claims_that_cannot_run_end_with_their_reason(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_claims(*_: object) -> list[ClaimResult]:
        raise RkdeError("the ledger is broken")

    monkeypatch.setattr("rkde.proofs_checks.run_claims", run_claims)
    assert_refused(run("verify", "--vectors", few), ("the claims cannot run: the ledger is broken",))


@pytest.mark.parametrize("name", ["jsonschema", "hypothesis", "z3"])
def test_a_missing_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    assert_refused(run("verify"), (name, "rkde[verify]"), EXIT_NOT_INSTALLED)

"""`rkde verify`: exit codes, tables, the report for programs, and reasons."""

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rkde.adapter import Implementation, fast_implementation
from rkde.cli import cli
from rkde.cli.failures import EXIT_NOT_INSTALLED
from rkde.conformance import digest, shipped_vectors
from rkde.errors import RkdeError
from rkde.proofs_checks import ClaimResult, Level, Verdict
from tests.support.commands import invoke

SHIPPED = shipped_vectors()


def run(*arguments: str) -> Result:
    return invoke(cli, ["verify", *arguments])


def claim_result(*, passed: bool) -> ClaimResult:
    return ClaimResult(
        "family.name",
        "eq:label",
        "s",
        Verdict.HOLDS,
        Level.TESTED,
        passed,
        3,
        0.1,
        "" if passed else "it fails",
    )


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with the vectors of one operation."""
    shutil.copy(SHIPPED / "loss.json", tmp_path)
    return tmp_path


def spoil(folder: Path, change: Callable[[dict[str, Any]], None], *, fresh_digest: bool) -> None:
    """Change the vectors of a folder, perhaps covering the traces."""
    path = folder / "loss.json"
    content = json.loads(path.read_text("ascii"))
    change(content)
    if fresh_digest:
        content["digest"] = digest(content["groups"])
    path.write_text(json.dumps(content), "ascii")


def change_a_digit(content: dict[str, Any]) -> None:
    entry = content["groups"][0]["cases"][0]["expected"]["rho"]["value"]
    entry[-1] = entry[-1][:4] + ("1" if entry[-1][4] != "1" else "2") + entry[-1][5:]


@pytest.mark.slow
def test_the_shipped_vectors_pass() -> None:
    result = run("--skip-claims")
    assert result.exit_code == 0, result.output
    for name in ("operation", "least digits", "worst case", "residual_norms", "step", "passed: "):
        assert name in result.stdout
    assert "FAILED" not in result.stdout
    assert result.stderr == ""


def test_the_reference_passes_too(few: Path) -> None:
    result = run("--skip-claims", "--implementation", "reference", "--vectors", str(few))
    assert result.exit_code == 0, result.output
    assert "reference implementation" in result.stdout


def test_the_report_for_programs(few: Path) -> None:
    result = run("--skip-claims", "--json", "--vectors", str(few))
    report = json.loads(result.stdout)
    assert (report["format"], report["version"], report["passed"]) == ("rkde-verify", 1, True)
    assert (report["implementation"], report["claims"]) == ("fast implementation", None)
    cases = {case["id"]: case for case in report["cases"]}
    assert cases["loss/grid-hampel"]["outcome"] == "passed"
    assert cases["loss/huber-zero"]["digits"] is None
    fields = {"id", "op", "outcome", "failure", "digits", "message", "flags", "seconds"}
    further = {"levels", "known", "request", "expected", "given"}
    assert set(cases["loss/grid-hampel"]) == fields | further
    assert {name: level["outcome"] for name, level in cases["loss/grid-hampel"]["levels"].items()} == {
        "core": "passed",
        "extended": "passed",
    }
    assert report["counted"] == ["full"]
    counts = report["levels"]["errors"]
    assert (
        counts["passed"]
        == counts["total"]
        == sum(case["levels"].keys() == {"errors"} for case in cases.values())
    )
    assert [row["op"] for row in report["operations"]] == ["loss"]
    assert (report["adapter"], report["diagnoses"]) == (None, [])


def test_a_wrong_implementation_ends_with_1(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = fast_implementation()
    answers = {"psi": "phi", "phi": "psi"}

    def exchanged(loss: object, name: str, arguments: list[object]) -> object:
        return right.elementwise(loss, answers.get(name, name), arguments)

    wrong = Implementation(
        right.name,
        right.package,
        right.leading,
        right.number,
        right.plain,
        exchanged,
    )
    monkeypatch.setattr("rkde.cli.verify_run.fast_implementation", lambda: wrong)
    result = run("--skip-claims", "--vectors", str(few))
    assert result.exit_code == 1
    assert "FAILED loss/grid-huber: " in result.stdout
    assert "diagnosis: psi and phi are exchanged" in result.stdout
    assert "FAILED: not all of" in result.stdout


def test_a_changed_digit_ends_with_its_reason(few: Path) -> None:
    spoil(few, change_a_digit, fresh_digest=False)
    result = run("--skip-claims", "--vectors", str(few))
    assert result.exit_code == 2
    assert "loss.json: the groups do not have the digest of the header" in result.stderr


def test_a_changed_digit_with_a_fresh_digest_fails_its_case(few: Path) -> None:
    spoil(few, change_a_digit, fresh_digest=True)
    result = run("--skip-claims", "--vectors", str(few))
    assert result.exit_code == 1
    assert "FAILED loss/grid-quadratic: rho: an error of" in result.stdout


def test_another_version_of_the_schema_ends_with_its_reason(few: Path) -> None:
    spoil(few, lambda content: content.update(version=999), fresh_digest=True)
    result = run("--skip-claims", "--vectors", str(few))
    assert result.exit_code == 2
    assert "the version must be 1, got 999" in result.stderr


def test_an_empty_folder_ends_with_its_reason(tmp_path: Path) -> None:
    result = run("--skip-claims", "--vectors", str(tmp_path))
    assert result.exit_code == 2
    assert "contains no case" in result.stderr


def test_a_missing_folder_ends_with_its_reason(tmp_path: Path) -> None:
    result = run("--skip-claims", "--vectors", str(tmp_path / "missing"))
    assert result.exit_code == 2
    assert "no such folder" in result.stderr


@pytest.mark.parametrize("adapter", [(), ("--adapter", "no-such-program-anywhere")])
def test_the_report_for_programs_is_json_where_nothing_ran(adapter: tuple[str, ...], tmp_path: Path) -> None:
    if adapter:
        shutil.copy(SHIPPED / "loss.json", tmp_path)
    result = run("--skip-claims", "--json", "--vectors", str(tmp_path), *adapter)
    assert result.exit_code == 2
    report = json.loads(result.stdout)
    assert (report["format"], report["passed"], report["cases"]) == ("rkde-verify", False, [])
    assert ("cannot be started" if adapter else "contains no case") in report["error"]
    assert report["error"] in result.stderr


def test_nothing_that_ran_is_not_a_pass(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rkde.cli.verify_run.answer_request", lambda *_: {"unsupported": True})
    result = run("--skip-claims", "--vectors", str(few))
    assert result.exit_code == 2
    assert "no case ran" in result.stderr


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
    result = run("--vectors", str(few))
    assert result.exit_code == code, result.output
    assert part in result.stdout


@pytest.mark.parametrize(("passed", "code"), [(True, 0), (False, 1)])
def test_a_list_of_known_failures_says_nothing_of_claims(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed: bool, code: int
) -> None:
    monkeypatch.setattr("rkde.proofs_checks.run_claims", lambda *_: [claim_result(passed=passed)])
    known = tmp_path / "known.txt"
    assert run("--vectors", str(few), "--known-failures", str(known), "--fix").exit_code == code
    assert run("--vectors", str(few), "--known-failures", str(known)).exit_code == code


def test_claims_that_cannot_run_end_with_their_reason(few: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_claims(*_: object) -> list[ClaimResult]:
        raise RkdeError("the ledger is broken")

    monkeypatch.setattr("rkde.proofs_checks.run_claims", run_claims)
    result = run("--vectors", str(few))
    assert result.exit_code == 2
    assert "the claims cannot run: the ledger is broken" in result.stderr


@pytest.mark.parametrize("name", ["jsonschema", "hypothesis", "z3"])
def test_a_missing_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    result = run()
    assert result.exit_code == EXIT_NOT_INSTALLED
    assert name in result.stderr
    assert "rkde[verify]" in result.stderr


def test_a_report_that_could_not_be_written_is_told_before_the_run(few: Path) -> None:
    result = run("--skip-claims", "--vectors", str(few), "--junit", str(few / "none" / "x.xml"))
    assert result.exit_code == 2
    assert "does not exist; create it" in result.stderr
    assert result.stdout == ""

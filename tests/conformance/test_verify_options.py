"""`rkde verify`: levels, tolerance, choice of cases, known failures, one case shown, Markdown and badge."""

import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rkde.adapter import Implementation, Json
from rkde.adapter import answer_request as right_answer
from rkde.conformance import CERTIFICATE_FIELDS, CORE_FIELDS
from tests.cli.running import assert_found, assert_refused, run
from tests.support.vectors import at_each_number, shipped_cases, spoil

CASES = {case.id: case for case in shipped_cases()}
SADDLE = next(identity for identity, case in CASES.items() if "SADDLE" in case.flags)
LIMITS = ("fixed_point/line-huber-uniform", "fixed_point/all-weights-zero", SADDLE)
Change = Callable[[Mapping[str, Json], dict[str, Any]], dict[str, Any]]
Verify = Callable[..., Result]


@pytest.fixture
def few(vectors_of: Callable[..., Path]) -> Path:
    """A folder with the vectors of two quick operations, and a few limits."""

    def leave_a_few(content: dict[str, Any]) -> None:
        for group in content["groups"]:
            group["cases"] = [case for case in group["cases"] if case["id"] in LIMITS]
        content["groups"] = [group for group in content["groups"] if group["cases"]]

    folder = vectors_of("loss", "log_density", "fixed_point")
    spoil(folder / "fixed_point.json", leave_a_few)
    return folder


@pytest.fixture
def verify(few: Path, monkeypatch: pytest.MonkeyPatch) -> Verify:
    """Check the fast implementation after a change of its answers."""

    def checked(*arguments: object, change: Change = lambda _, answer: answer) -> Result:
        def answer(lib: Implementation, request: Mapping[str, Json]) -> dict[str, Any]:
            return change(request, dict(right_answer(lib, request)))

        monkeypatch.setattr("rkde.cli.verify_run.answer_request", answer)
        return run("verify", "--skip-claims", "--vectors", few, *arguments)

    return checked


def nothing(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {}


def without_names_of_errors(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"kind": "Internal", "message": ""}} if "error" in answer else answer


def without_certificates(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in CERTIFICATE_FIELDS}


def core_only(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    core = CORE_FIELDS[str(request["op"])]
    return {name: value for name, value in answer.items() if name in core or name == "error"}


def few_digits(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    """Print numbers as a program does that writes `%.7g`."""
    return {name: at_each_number(value, lambda n: float(f"{n:.7g}")) for name, value in answer.items()}


def wrong_q(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "q": [7] * len(answer["q"])} if "q" in answer else answer


@pytest.mark.parametrize(
    ("change", "passed", "failed"),
    [
        (without_names_of_errors, ("core", "edges", "core edges"), ("errors", "full", "core errors")),
        (without_certificates, ("core", "extended"), ("full", "core full")),
        (core_only, ("core", "errors"), ("full",)),
        (wrong_q, ("core",), ("extended",)),
    ],
)
def test_a_partial_program_has_a_verdict_by_level_and_levels_add_up(
    verify: Verify, change: Change, passed: tuple[str, ...], failed: tuple[str, ...]
) -> None:
    for levels, code in (*((one, 0) for one in passed), *((one, 1) for one in failed), ("", 1)):
        options = [part for level in levels.split() for part in ("--level", level)]
        assert verify(*options, change=change).exit_code == code, levels


def test_all_levels_are_reported_whatever_counts(verify: Verify) -> None:
    report = json.loads(verify("--level", "core", "--json", change=without_names_of_errors).stdout)
    assert (report["passed"], report["counted"]) == (True, ["core"])
    errors = report["levels"]["errors"]
    assert errors["failed"] == errors["total"] > 0
    rows = {row["op"]: row for row in report["operations"]}
    assert rows["loss"]["sentence"].startswith("loss: right to 15 digits; ")
    assert "bad inputs not refused correctly" in rows["loss"]["sentence"]
    assert rows["loss"]["ordinary_digits"] >= rows["loss"]["worst_digits"]


def test_a_tolerance_passes_what_is_printed_with_few_digits(verify: Verify) -> None:
    core = partial(verify, "--level", "core")
    assert_found(core(change=few_digits), "loss: right to 7 digits only")
    assert core("--tolerance", "1e-6", change=few_digits).exit_code == 0
    # A tolerance below those of the cases changes nothing.
    assert core("--tolerance", "1e-300").exit_code == 0


def test_only_the_cases_of_a_flag_are_asked(verify: Verify) -> None:
    report = json.loads(verify("--only", "TIE", "--only", "MISPRINT", "--json").stdout)
    assert report["cases"]
    assert all({"TIE", "MISPRINT"} & set(case["flags"]) for case in report["cases"])


def test_a_case_is_shown_with_all_its_numbers(verify: Verify) -> None:
    result = verify("--show", "loss/grid-huber", change=wrong_q)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("loss/grid-huber (BASIC): ")
    assert lines[1].startswith('request: {"op": "loss", ')
    assert lines[2].startswith("outcome: failed, q: an error of ")
    row = next(line.split() for line in lines if line.startswith("q[0]"))
    assert row == ["q[0]", "0", "7", "7.0e+0"]
    assert "loss/grid-hampel" not in result.stdout


def test_a_case_with_an_error_and_one_without_the_field_are_shown(verify: Verify) -> None:
    shown = verify("--show", "loss/huber-zero", "--show", "loss/grid-huber", change=core_only)
    assert_found(shown, "expected: the error InvalidInput", '"kind": "InvalidInput"')
    assert_found(shown, "q_left" + " " * 48 + "not given")


def test_several_right_answers_are_all_shown(verify: Verify) -> None:
    result = verify("--show", SADDLE)
    assert result.exit_code == 0
    assert f"right answer 2 of {len(CASES[SADDLE].right_answers)}" in result.stdout


def test_a_case_that_failed_or_is_shown_has_its_numbers_in_the_report(verify: Verify) -> None:
    (case,) = json.loads(verify("--show", "loss/grid-huber", "--json").stdout)["cases"]
    assert (case["outcome"], case["expected"].keys()) == ("passed", case["given"].keys())
    report = json.loads(verify("--json", change=wrong_q).stdout)
    cases = {case["id"]: case for case in report["cases"]}
    failed = cases["loss/grid-huber"]
    assert failed["request"]["loss"]["name"] == "huber"
    assert set(failed["given"]["q"]) == {7}
    assert len(failed["expected"]["q"]) == len(failed["given"]["q"])
    assert cases["loss/huber-zero"]["expected"] is None


def test_known_failures_pass_and_others_do_not(verify: Verify, tmp_path: Path) -> None:
    listed = partial(verify, "--known-failures", known := tmp_path / "known.txt")
    assert listed(change=wrong_q).exit_code == 2
    assert listed("--fix", change=wrong_q).exit_code == 0
    text = known.read_text("utf-8")
    assert "loss/grid-huber  not explained yet" in text
    assert listed(change=wrong_q).exit_code == 0
    assert_found(listed(), "PASSED loss/grid-huber: listed as a known failure")
    known.write_text(text.replace("loss/grid-huber ", "# "), "utf-8")
    told = listed(change=wrong_q)
    assert_found(told, "FAILED loss/grid-huber: q: ")
    assert told.stdout.count("FAILED loss") == 1


def test_a_known_failure_is_skipped_in_junit_and_has_its_reason(verify: Verify, tmp_path: Path) -> None:
    known, junit = tmp_path / "known.txt", tmp_path / "junit.xml"
    verify("--known-failures", known, "--fix", change=wrong_q)
    known.write_text(known.read_text("utf-8").replace("not explained yet", "we like 7"), "utf-8")
    result = verify("--known-failures", known, "--junit", junit, "--json", change=wrong_q)
    text = junit.read_text("utf-8")
    assert 'failures="0"' in text
    assert "a known failure: we like 7" in text
    report = json.loads(result.stdout)
    assert report["passed"]
    assert report["known_failures"]["listed"] == text.count("we like 7")
    assert next(case for case in report["cases"] if case["id"] == "loss/grid-huber")["known"] == "we like 7"


def test_a_list_is_compared_at_the_levels_that_count(verify: Verify, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    for text, code in (("loss/grid-huber  q is wrong\n", 1), ("# nothing fails at the core\n", 0)):
        known.write_text(text, "utf-8")
        assert verify("--known-failures", known, "--level", "core", change=wrong_q).exit_code == code


def test_the_schema_of_the_protocol_is_checked_on_demand(verify: Verify) -> None:
    def misnamed(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "certificate": "stationary!"} if "certificate" in answer else answer

    assert verify("-V").exit_code == 0
    assert verify("--level", "core", change=misnamed).exit_code == 0
    told = verify("-V", "--level", "core", change=misnamed)
    assert_found(told, "certificate breaks the schema of the protocol")


def test_markdown_holds_the_table_and_the_failures(verify: Verify) -> None:
    text = verify("--format", "markdown", change=wrong_q).stdout
    lines = text.splitlines()
    assert lines[0] == "## Golden vectors, fast implementation"
    rows = [line.split("|")[1:-1] for line in lines if line.startswith("|")]
    assert {len(row) for row in rows} == {8}
    assert [row[0].strip() for row in rows[2:]] == ["fixed_point", "log_density", "loss", "all"]
    assert any(line.startswith("- `loss/grid-huber`: q: an error of") for line in lines)
    assert "<details>" in text


@pytest.mark.parametrize(
    ("change", "options", "message", "colour"),
    [
        (core_only, ("--level", "core"), "core", "brightgreen"),
        (core_only, (), "core", "yellow"),
        (nothing, ("--level", "core"), "core 0/", "red"),
    ],
)
def test_a_badge_says_what_passed(
    verify: Verify, tmp_path: Path, change: Change, options: tuple[str, ...], message: str, colour: str
) -> None:
    path = tmp_path / "badge.json"
    verify(*options, "--badge", path, change=change)
    badge = json.loads(path.read_text("utf-8"))
    assert (badge["schemaVersion"], badge["color"]) == (1, colour)
    assert badge["message"].startswith(message)


def test_a_level_without_a_judged_field_ends_with_2(verify: Verify) -> None:
    told = verify("--level", "certificates", change=without_certificates)
    assert_refused(told, ("nothing is at certificates",))


def test_an_edge_is_shown_at_any_level_and_long_lists_are_cut(verify: Verify) -> None:
    densities = [case for case in CASES.values() if case.op == "log_density"]
    edge = next(case.id for case in densities if "EDGE" in case.flags)
    assert verify("--level", "core", "--show", edge).exit_code == 0
    wide = next(case.id for case in densities if len(case.request["X"][0]) > 500)
    shown = verify("--show", wide).stdout
    assert " more" in shown
    assert max(map(len, shown.splitlines())) < 5000


def test_a_list_is_not_rewritten_from_what_does_not_decide(verify: Verify, tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("loss/grid-huber  ours\n", "utf-8")
    assert_refused(verify("--known-failures", known, "--fix", "--show", SADDLE), ("leave out --show",))
    assert known.read_text("utf-8") == "loss/grid-huber  ours\n"

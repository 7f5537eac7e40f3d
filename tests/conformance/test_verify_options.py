"""`rkde verify`: levels, tolerance, choice of cases, known failures, one case shown, Markdown and badge."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from rkde.adapter import Implementation, Json
from rkde.adapter import answer_request as right_answer
from rkde.cli import cli
from rkde.conformance import CERTIFICATE_FIELDS, CORE_FIELDS, digest, shipped_vectors
from tests.support.commands import invoke
from tests.support.vectors import shipped_cases

CASES = {case.id: case for case in shipped_cases()}
SADDLE = next(identity for identity, case in CASES.items() if "SADDLE" in case.flags)
LIMITS = ("fixed_point/line-huber-uniform", "fixed_point/all-weights-zero", SADDLE)
Change = Callable[[Mapping[str, Json], dict[str, Any]], dict[str, Any]]


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """A folder with the vectors of two quick operations, and a few limits."""
    folder = tmp_path / "vectors"
    folder.mkdir()
    for name in ("loss", "log_density"):
        shutil.copy(shipped_vectors() / f"{name}.json", folder)
    content = json.loads((shipped_vectors() / "fixed_point.json").read_text("ascii"))
    for group in content["groups"]:
        group["cases"] = [case for case in group["cases"] if case["id"] in LIMITS]
    content["groups"] = [group for group in content["groups"] if group["cases"]]
    content["digest"] = digest(content["groups"])
    (folder / "fixed_point.json").write_text(json.dumps(content), "ascii")
    return folder


@pytest.fixture
def verify(few: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Check the fast implementation after a change of its answers."""

    def run(*arguments: object, change: Change | None = None) -> Result:
        def answer(lib: Implementation, request: Mapping[str, Json]) -> dict[str, Any]:
            return (change or as_it_is)(request, dict(right_answer(lib, request)))

        monkeypatch.setattr("rkde.cli.verify_run.answer_request", answer)
        return invoke(cli, ["verify", "--skip-claims", "--vectors", str(few), *map(str, arguments)])

    return run


def nothing(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {}


def as_it_is(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return answer


def without_names_of_errors(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {"error": {"kind": "Internal", "message": ""}} if "error" in answer else answer


def without_certificates(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name not in CERTIFICATE_FIELDS}


def core_only(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    core = CORE_FIELDS[str(request["op"])]
    return {name: value for name, value in answer.items() if name in core or name == "error"}


def few_digits(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    """Print numbers as a program does that writes `%.7g`."""

    def rounded(value: Any) -> Any:
        if isinstance(value, list):
            return [rounded(entry) for entry in value]
        return float(f"{value:.7g}") if isinstance(value, float) else value

    return {name: rounded(value) for name, value in answer.items()}


def wrong_q(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
    return {**answer, "q": [7] * len(answer["q"])} if "q" in answer else answer


@pytest.mark.parametrize(
    ("change", "level", "code"),
    [
        (without_names_of_errors, "core", 0),
        (without_names_of_errors, "edges", 0),
        (without_names_of_errors, "errors", 1),
        (without_names_of_errors, "full", 1),
        (without_certificates, "core", 0),
        (without_certificates, "extended", 0),
        (without_certificates, "full", 1),
        (core_only, "core", 0),
        (core_only, "errors", 0),
        (core_only, "full", 1),
        (wrong_q, "core", 0),
        (wrong_q, "extended", 1),
    ],
)
def test_a_partial_program_has_a_verdict_by_level(
    verify: Callable[..., Result], change: Change, level: str, code: int
) -> None:
    result = verify("--level", level, change=change)
    assert result.exit_code == code, result.output


@pytest.mark.parametrize("change", [without_names_of_errors, without_certificates, core_only, wrong_q])
def test_no_partial_program_passes_at_every_level(verify: Callable[..., Result], change: Change) -> None:
    assert verify(change=change).exit_code == 1


def test_levels_add_up(verify: Callable[..., Result]) -> None:
    assert verify("--level", "core", "--level", "errors", change=without_names_of_errors).exit_code == 1
    assert verify("--level", "core", "--level", "edges", change=without_names_of_errors).exit_code == 0
    assert verify("--level", "core", "--level", "full", change=without_certificates).exit_code == 1


def test_a_level_without_a_judged_field_ends_with_2(verify: Callable[..., Result]) -> None:
    result = verify("--level", "certificates", change=without_certificates)
    assert result.exit_code == 2
    assert "nothing is at certificates" in result.stderr


def test_all_levels_are_reported_whatever_counts(verify: Callable[..., Result]) -> None:
    report = json.loads(verify("--level", "core", "--json", change=without_names_of_errors).stdout)
    assert (report["passed"], report["counted"]) == (True, ["core"])
    errors = report["levels"]["errors"]
    assert errors["failed"] == errors["total"] > 0
    rows = {row["op"]: row for row in report["operations"]}
    assert rows["loss"]["sentence"].startswith("loss: right to 15 digits; ")
    assert "bad inputs not refused as due" in rows["loss"]["sentence"]
    assert rows["loss"]["ordinary_digits"] >= rows["loss"]["worst_digits"]


def test_a_tolerance_passes_what_is_printed_with_few_digits(verify: Callable[..., Result]) -> None:
    options = ("--level", "core")
    failed = verify(*options, change=few_digits)
    assert failed.exit_code == 1
    assert "loss: right to 7 digits only" in failed.stdout
    assert verify(*options, "--tolerance", "1e-6", change=few_digits).exit_code == 0
    # A tolerance below those of the cases changes nothing.
    assert verify(*options, "--tolerance", "1e-300").exit_code == 0


@pytest.mark.parametrize("value", ["0", "1", "-1", "nan", "inf", "6"])
def test_a_tolerance_that_is_none_is_refused(verify: Callable[..., Result], value: str) -> None:
    result = verify("--tolerance", value)
    assert result.exit_code == 2
    assert "must be between 0 and 1" in result.stderr


def test_only_the_cases_of_a_flag_are_asked(verify: Callable[..., Result]) -> None:
    report = json.loads(verify("--only", "TIE", "--only", "MISPRINT", "--json").stdout)
    assert report["cases"]
    assert all({"TIE", "MISPRINT"} & set(case["flags"]) for case in report["cases"])


@pytest.mark.parametrize(
    ("option", "given", "proposed"),
    [("--only", "BASICS", "BASIC"), ("--show", "loss/grid-huger", "loss/grid-huber")],
)
def test_an_unknown_name_is_refused_with_a_near_one(
    verify: Callable[..., Result], option: str, given: str, proposed: str
) -> None:
    result = verify(option, given)
    assert result.exit_code == 2
    assert f"got {given}; try {proposed}" in result.stderr


def test_a_case_is_shown_with_all_its_numbers(verify: Callable[..., Result]) -> None:
    result = verify("--show", "loss/grid-huber", change=wrong_q)
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert lines[0].startswith("loss/grid-huber (BASIC): ")
    assert lines[1].startswith('request: {"op": "loss", ')
    assert lines[2].startswith("outcome: failed, q: an error of ")
    row = next(line.split() for line in lines if line.startswith("q[0]"))
    assert row == ["q[0]", "0", "7", "7.0e+0"]
    assert "loss/grid-hampel" not in result.stdout


def test_a_case_with_an_error_and_one_without_the_field_are_shown(verify: Callable[..., Result]) -> None:
    shown = verify("--show", "loss/huber-zero", "--show", "loss/grid-huber", change=core_only)
    assert shown.exit_code == 1
    assert "expected: the error InvalidInput" in shown.stdout
    assert '"kind": "InvalidInput"' in shown.stdout
    assert "q_left" + " " * 48 + "not given" in shown.stdout


def test_several_right_answers_are_all_shown(verify: Callable[..., Result]) -> None:
    result = verify("--show", SADDLE)
    assert result.exit_code == 0
    assert f"right answer 2 of {len(CASES[SADDLE].right_answers)}" in result.stdout


def test_a_failed_case_has_its_numbers_in_the_report(verify: Callable[..., Result]) -> None:
    report = json.loads(verify("--json", change=wrong_q).stdout)
    cases = {case["id"]: case for case in report["cases"]}
    failed = cases["loss/grid-huber"]
    assert failed["request"]["loss"]["name"] == "huber"
    assert set(failed["given"]["q"]) == {7}
    assert len(failed["expected"]["q"]) == len(failed["given"]["q"])
    assert cases["loss/huber-zero"]["expected"] is None


@pytest.mark.parametrize("broken", [False, True])
def test_known_failures_pass_and_others_do_not(
    verify: Callable[..., Result], tmp_path: Path, broken: bool
) -> None:
    known = tmp_path / "known.txt"
    assert verify("--known-failures", known, change=wrong_q).exit_code == 2
    assert verify("--known-failures", known, "--fix", change=wrong_q).exit_code == 0
    text = known.read_text("utf-8")
    assert "loss/grid-huber  not explained yet" in text
    assert verify("--known-failures", known, change=wrong_q).exit_code == 0
    if broken:
        known.write_text(text.replace("loss/grid-huber ", "# "), "utf-8")
        result = verify("--known-failures", known, change=wrong_q)
        assert "FAILED loss/grid-huber: q: " in result.stdout
        assert result.stdout.count("FAILED loss") == 1
    else:
        result = verify("--known-failures", known)
        assert "PASSED loss/grid-huber: listed as a known failure" in result.stdout
    assert result.exit_code == 1


def test_a_known_failure_is_skipped_in_junit_and_has_its_reason(
    verify: Callable[..., Result], tmp_path: Path
) -> None:
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


def test_a_list_is_compared_at_the_levels_that_count(verify: Callable[..., Result], tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text("loss/grid-huber  q is wrong\n", "utf-8")
    assert verify("--known-failures", known, "--level", "core", change=wrong_q).exit_code == 1
    known.write_text("# nothing fails at the core\n", "utf-8")
    assert verify("--known-failures", known, "--level", "core", change=wrong_q).exit_code == 0


def test_fix_needs_a_list(verify: Callable[..., Result]) -> None:
    result = verify("--fix")
    assert result.exit_code == 2
    assert "give --known-failures FILE too" in result.stderr


def test_the_schema_of_the_protocol_is_checked_on_demand(verify: Callable[..., Result]) -> None:
    def misnamed(request: Mapping[str, Json], answer: dict[str, Any]) -> dict[str, Any]:
        return {**answer, "certificate": "stationary!"} if "certificate" in answer else answer

    assert verify("-V").exit_code == 0
    assert verify("--level", "core", change=misnamed).exit_code == 0
    result = verify("-V", "--level", "core", change=misnamed)
    assert result.exit_code == 1
    assert "certificate breaks the schema of the protocol" in result.stdout


def test_markdown_holds_the_table_and_the_failures(verify: Callable[..., Result]) -> None:
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
    verify: Callable[..., Result],
    tmp_path: Path,
    change: Change,
    options: tuple[str, ...],
    message: str,
    colour: str,
) -> None:
    path = tmp_path / "badge.json"
    verify(*options, "--badge", path, change=change)
    badge = json.loads(path.read_text("utf-8"))
    assert (badge["schemaVersion"], badge["color"]) == (1, colour)
    assert badge["message"].startswith(message)


def test_a_case_that_is_shown_has_its_numbers_in_the_report_too(verify: Callable[..., Result]) -> None:
    report = json.loads(verify("--show", "loss/grid-huber", "--json").stdout)
    (case,) = report["cases"]
    assert case["outcome"] == "passed"
    assert case["request"]["t"]
    assert case["expected"].keys() == case["given"].keys()


@pytest.mark.parametrize("option", ["--junit", "--badge", "--known-failures"])
def test_a_file_that_could_not_be_written_is_told_before_the_run(
    verify: Callable[..., Result], tmp_path: Path, option: str
) -> None:
    result = verify(option, tmp_path / "none" / "x")
    assert result.exit_code == 2
    assert "does not exist; create it" in result.stderr
    assert result.stdout == ""


def test_an_edge_is_shown_at_any_level_and_long_lists_are_cut(verify: Callable[..., Result]) -> None:
    edge = next(case.id for case in CASES.values() if case.op == "log_density" and "EDGE" in case.flags)
    assert verify("--level", "core", "--show", edge).exit_code == 0
    wide = next(
        case for case in CASES.values() if case.op == "log_density" and len(case.request["X"][0]) > 500
    )
    shown = verify("--show", wide.id).stdout
    assert " more" in shown
    assert max(map(len, shown.splitlines())) < 5000


def test_a_list_is_not_rewritten_from_what_does_not_decide(
    verify: Callable[..., Result], tmp_path: Path
) -> None:
    known = tmp_path / "known.txt"
    known.write_text("loss/grid-huber  ours\n", "utf-8")
    refused = verify("--known-failures", known, "--fix", "--show", "loss/grid-huber")
    assert refused.exit_code == 2
    assert "leave out --show" in refused.stderr
    assert known.read_text("utf-8") == "loss/grid-huber  ours\n"

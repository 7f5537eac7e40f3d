"""What a row runs: counts, errors beside their bounds, and an end for what does not end."""

import json
import os
import sys
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.machines import running
from tests.machines.running import read_report, run, run_bare, run_tests, run_verify, worst
from tests.machines.workshop import clean_variables
from tests.support.vectors import shipped_cases

PYTHON = Path(sys.executable)
SECONDS = 120.0


def test_a_report_is_counted() -> None:
    text = (
        "<testsuites><testsuite>"
        '<testcase classname="a" name="one"/><testcase classname="a" name="two"><skipped/></testcase>'
        '<testcase classname="b" name="three"><failure message="no">x</failure></testcase>'
        '<testcase classname="b" name="four"><skipped/><error message="at the end">x</error></testcase>'
        "</testsuite></testsuites>"
    )
    assert read_report(text) == {
        "passed": 1,
        "failed": 2,
        "skipped": 1,
        "failures": [{"test": "b::three", "message": "no"}, {"test": "b::four", "message": "at the end"}],
    }


def test_tests_are_run_and_counted(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text(
        "import os, pytest\ndef test_right(): assert os.environ['GIVEN'] == 'yes'\n"
        "def test_wrong(): assert not 'reason'\n@pytest.mark.skip\ndef test_left_out(): pass\n",
        "utf-8",
    )
    found = run_tests(PYTHON, tmp_path, {**clean_variables(), "GIVEN": "yes"}, SECONDS, ["test_some.py"])
    assert {name: found[name] for name in ("passed", "failed", "skipped")} == {
        "passed": 1, "failed": 1, "skipped": 1,
    }  # fmt: skip
    assert found["failures"][0]["test"] == "test_some::test_wrong"
    assert (found["selection"], found["problem"]) == (["test_some.py"], "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("test_none.py", "", "no tests ran"),
        ("test_gone.py", None, "file or directory not found"),
        ("test_exits.py", "import os\ndef test_it(): os._exit(3)\n", ""),
    ],
)
def test_a_run_without_counts_is_a_problem(tmp_path: Path, file: str, text: str | None, problem: str) -> None:
    if text is not None:
        (tmp_path / file).write_text(text, "utf-8")
    found = run_tests(PYTHON, tmp_path, clean_variables(), SECONDS, [file])
    assert found["passed"] == 0
    assert problem in found["problem"]
    assert found["problem"] or text is not None


def is_alive(process: int) -> bool:
    """Tell whether a process is there; one that ended and was not asked for its exit code counts as gone."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat")
        return not (state.exists() and state.read_text("utf-8").rpartition(")")[2].split()[0] == "Z")
    except (ProcessLookupError, FileNotFoundError):
        return False


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
def test_what_does_not_end_is_stopped_with_all_that_it_started(tmp_path: Path) -> None:
    named = tmp_path / "process"
    child = f"import os, time; open({str(named)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    script = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    # On a busy machine the child may not have begun within the first limits.
    for limit in (2.0, 8.0, 32.0):
        done = run([PYTHON, "-c", script], tmp_path, clean_variables(), limit)
        assert done.code is None
        assert f"stopped after {limit:.0f} seconds" in done.last_lines
        if named.exists() and named.read_text("ascii"):
            break
    process, begin = int(named.read_text("ascii")), time.monotonic()
    while is_alive(process) and time.monotonic() - begin < SECONDS:
        time.sleep(0.1)
    assert not is_alive(process)


def case(name: str, digits: Any) -> dict[str, Any]:
    return {"id": f"loss/{name}", "op": "loss", "digits": digits, "outcome": "passed"}


def test_the_largest_error_and_the_one_nearest_to_its_bound() -> None:
    bounds = {"loss/wide": Decimal("1e-3"), "loss/narrow": Decimal("4e-16"), "loss/exact": Decimal("1e-15")}
    cases = [case("exact", "inf"), case("narrow", 16.0), case("wide", 5.0), case("error", None)]
    found = worst([*cases, case("of-unknown-bound", 1.0)], bounds)["loss"]
    assert found["cases"] == len(bounds)
    assert (found["largest"]["case"], found["nearest"]["case"]) == ("loss/wide", "loss/narrow")
    # 10^-5 and 10^-16 as powers of a float, which is how they are computed.
    assert found["largest"]["error"] == 10.0**-5.0
    assert found["nearest"]["error"] / found["nearest"]["bound"] == 10.0**-16.0 / 4e-16
    assert worst([case("exact", "inf")], bounds)["loss"]["largest"]["error"] == 0


def test_verify_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = shipped_cases()
    report = {
        "passed": False,
        "error": None,
        "cases": [{"id": cases[0].id, "op": cases[0].op, "digits": 1.0, "outcome": "failed"}],
        "claims": [{"id": "family.right", "passed": True}, {"id": "family.wrong", "passed": False}],
    }
    monkeypatch.setattr(running, "run", lambda *_: running.Done(1, json.dumps(report), ""))
    found = run_verify(PYTHON, tmp_path, {}, SECONDS, cases)
    assert (found["passed"], found["cases"], found["claims"]) == (False, 1, 2)
    assert found["failed"] == [cases[0].id, "family.wrong"]
    assert found["operations"][cases[0].op]["largest"]["bound"] == float(cases[0].tolerance)
    # A run that says that it passed and ends otherwise did not pass.
    monkeypatch.setattr(
        running, "run", lambda *_: running.Done(1, json.dumps({**report, "passed": True}), "")
    )
    assert not run_verify(PYTHON, tmp_path, {}, SECONDS, cases)["passed"]
    monkeypatch.setattr(running, "run", lambda *_: running.Done(None, "", "stopped"))
    assert run_verify(PYTHON, tmp_path, {}, SECONDS, cases)["problem"] == "stopped"


def missing(folder: Path, name: str) -> dict[str, str]:
    """Return variables under which a package cannot be imported, as if it were not installed."""
    (folder / f"{name}.py").write_text(f"raise ModuleNotFoundError({name!r}, name={name!r})\n", "utf-8")
    return {**clean_variables(), "PYTHONPATH": str(folder)}


@pytest.mark.slow
def test_what_works_without_extras_works_here(tmp_path: Path) -> None:
    found = run_bare(PYTHON, tmp_path, missing(tmp_path, "jsonschema"), SECONDS)
    assert (found["failures"], found["problem"]) == ([], "")
    assert (found["passed"], found["failed"], found["skipped"]) == (7, 0, 0)


@pytest.mark.slow
def test_what_does_not_work_is_seen(tmp_path: Path) -> None:
    found = run_bare(PYTHON, tmp_path, missing(tmp_path, "scipy"), SECONDS)
    failed = {one["test"] for one in found["failures"]}
    assert {"fit_and_score_in_python", "fit_and_score_at_the_command_line", "versions"} <= failed
    assert "ledger" not in failed
    assert all(
        "scipy" in one["message"] for one in found["failures"] if one["test"] == "fit_and_score_in_python"
    )

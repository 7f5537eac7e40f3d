"""What other projects put into their continuous integration: the action, and the workflows to copy."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import pytest

from tests.support.adapters import adapter

FOLDER = Path(__file__).parents[2] / "docs" / "adapters"
SCRIPT = FOLDER / "action" / "check.sh"
# Answers `loss` for the quadratic loss, off by a billionth in psi.
NEARLY = """
if r["loss"]["name"] != "quadratic":
    return {"unsupported": True}
t = [float(value) for value in r["t"]]
return {"rho": [x * x / 2 for x in t], "psi": [x * (1 + 1e-9) for x in t], "phi": [1.0 for x in t]}
"""


def read(name: str) -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    return cast(dict[str, Any], yaml.safe_load((FOLDER / name).read_text("utf-8")))


def check(folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run the script as the action runs it, with this interpreter's package in place of the installed one."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash is installed")
    command = folder / "rkde"
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m rkde.cli "$@"\n', "utf-8")
    command.chmod(0o755)
    defaults = {
        name: str(item.get("default", "")) for name, item in read("action/action.yml")["inputs"].items()
    }
    given = {name.upper().replace("-", "_"): value for name, value in defaults.items()}
    given |= {"RKDE": str(command), "ADAPTER": adapter(folder, NEARLY, "loss"), **changes}
    asked = {"env": {**os.environ, **given, "GITHUB_STEP_SUMMARY": str(folder / "summary.md")}, "cwd": folder}
    return subprocess.run(
        [bash, str(SCRIPT)], capture_output=True, text=True, check=False, timeout=120, **asked
    )


def test_the_action_hands_every_input_to_the_script() -> None:
    action = read("action/action.yml")
    *_, last = action["runs"]["steps"]
    handed = {value.partition("inputs.")[2].removesuffix(" }}") for value in last["env"].values()} - {""}
    assert handed == action["inputs"].keys()
    script = SCRIPT.read_text("utf-8")
    assert all(f"${name}" in script for name in last["env"])


@pytest.mark.slow
def test_a_failure_fails_the_job_and_is_in_its_summary(tmp_path: Path) -> None:
    done = check(tmp_path, REPORT="report.json", BADGE="badge.json")
    assert done.returncode == 1, done.stderr
    assert "loss" in (tmp_path / "summary.md").read_text("utf-8")
    assert json.loads((tmp_path / "report.json").read_text("utf-8"))["passed"] is False
    assert json.loads((tmp_path / "badge.json").read_text("utf-8"))["color"] == "red"


@pytest.mark.slow
def test_known_failures_let_the_job_pass(tmp_path: Path) -> None:
    check(tmp_path, REPORT="report.json")
    cases = json.loads((tmp_path / "report.json").read_text("utf-8"))["cases"]
    known = [f"{case['id']} off by a billionth" for case in cases if case["outcome"] == "failed"]
    assert known
    (tmp_path / "known.txt").write_text("\n".join(known) + "\n", "utf-8")
    assert check(tmp_path, KNOWN_FAILURES="known.txt").returncode == 0
    (tmp_path / "known.txt").write_text("\n".join(known[1:]) + "\n", "utf-8")
    assert check(tmp_path, KNOWN_FAILURES="known.txt").returncode == 1


@pytest.mark.slow
def test_levels_and_tolerance_reach_the_checker(tmp_path: Path) -> None:
    assert check(tmp_path, LEVELS="certificates").returncode == 2
    assert check(tmp_path, LEVELS="core edges", TOLERANCE="1e-6").returncode == 0
    assert check(tmp_path, LEVELS="core edges").returncode == 1


@pytest.mark.parametrize("name", ["workflow.yml", "workflow_action.yml"])
def test_a_workflow_to_copy_runs_the_checker_last(name: str) -> None:
    *_, last = read(name)["jobs"]["verify"]["steps"]
    inputs = read("action/action.yml")["inputs"]
    if "uses" in last:
        assert last["uses"].partition("@")[0].endswith("/docs/adapters/action")
        assert last["with"].keys() <= inputs.keys()
    else:
        assert last["run"].startswith("python3 rkde-verify.pyz --adapter")

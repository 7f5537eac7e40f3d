"""The checker in one file runs where nothing but Python is, and says there what `rkde verify` says here."""

import json
import runpy
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.running import run_program
from tests.support.adapters import auc_adapter
from tests.support.vectors import shipped_cases

BUILDER = Path(__file__).parents[2] / "docs" / "building" / "runner.py"


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("runner") / "rkde-verify.pyz"
    runpy.run_path(str(BUILDER))["build_runner"](target)
    return target


def run(runner: Path, *arguments: str, temporary: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the file in a Python that finds no installed package."""
    environment = {} if temporary is None else {"TMPDIR": str(temporary)}
    command = [sys.executable, "-I", "-S", str(runner), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, env=environment)


def test_no_package_is_there() -> None:
    code = "import importlib.util as u, sys; sys.exit(any(map(u.find_spec, ('numpy', 'click', 'rkde'))))"
    assert subprocess.run([sys.executable, "-I", "-S", "-c", code], check=False, timeout=60).returncode == 0


@pytest.mark.slow
def test_a_right_program_passes_and_nothing_is_left_behind(runner: Path, tmp_path: Path) -> None:
    left = tmp_path / "temporary"
    left.mkdir()
    done = run(runner, "--adapter", auc_adapter(tmp_path), "--level", "core", temporary=left)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "passed:" in done.stdout
    assert list(left.iterdir()) == []


@pytest.mark.slow
def test_a_wrong_program_fails_with_the_diagnosis(runner: Path, tmp_path: Path) -> None:
    arguments = ("--adapter", auc_adapter(tmp_path, right=False), "--json")
    done = run(runner, *arguments)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["python"]
    assert report["diagnoses"]
    here = json.loads(run_program("verify", *arguments).stdout)
    assert [case["id"] for case in report["cases"]] == [case["id"] for case in here["cases"]]
    for name in ("diagnoses", "levels", "passed"):
        assert report[name] == here[name], name


def test_the_requests_can_be_written(runner: Path) -> None:
    done = run(runner, "vectors", "requests")
    assert done.returncode == 0, done.stderr
    asked = [json.loads(line)["id"] for line in done.stdout.splitlines()]
    assert asked == ["hello", *(case.id for case in shipped_cases())]


def test_the_licences_are_inside(runner: Path) -> None:
    names = zipfile.ZipFile(runner).namelist()
    for package in ("click", "rich", "pygments", "mpmath", "rkde"):
        inside = [name for name in names if name.lower().startswith(f"unpacked/{package}")]
        assert any("licen" in name.lower() or "copying" in name.lower() for name in inside), package

"""The example adapters in R and Octave, where their interpreters are installed."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rkde.cli import cli

FOLDER = Path(__file__).parents[2] / "docs" / "adapters"


def verified(command: str) -> None:
    result = CliRunner().invoke(cli, ["verify", "--adapter", command, "--timeout", "60"])
    assert result.exit_code == 0, result.output


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_the_example_in_r_passes_what_it_has() -> None:
    has_json = ["Rscript", "-e", "quit(status = !requireNamespace('jsonlite', quietly = TRUE))"]
    if subprocess.run(has_json, capture_output=True, check=False).returncode:
        pytest.skip("R has no package jsonlite")
    verified(f"Rscript '{FOLDER / 'r' / 'adapter.R'}'")


@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="Octave is not installed")
def test_the_example_in_octave_passes_what_it_has() -> None:
    verified(f"octave-cli --quiet '{FOLDER / 'octave' / 'adapter.m'}'")


def test_the_table_of_the_example_in_python_is_what_it_reaches() -> None:
    command = shlex.join([sys.executable, str(FOLDER / "python" / "adapter.py")])
    result = CliRunner().invoke(cli, ["verify", "--adapter", command, "--json"])
    assert result.exit_code == 0, result.output
    operations = json.loads(result.stdout)["operations"]
    page = (FOLDER / "README.md").read_text("utf-8")
    for found in operations:
        row = f"| {found['op']} | {found['cases']} | {found['passed']} |"
        assert (row in page) == (found["passed"] > 0), row
    lacking = sum(found["unsupported"] for found in operations)
    assert f"The other {lacking} cases" in page


def test_the_workflow_has_ten_lines_and_the_command() -> None:
    lines = (FOLDER / "workflow.yml").read_text("utf-8").splitlines()
    assert len(lines) == 10
    assert "rkde verify --adapter" in lines[-1]


def test_the_adapter_in_python_is_short() -> None:
    lines = (FOLDER / "python" / "adapter.py").read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 20

"""The example adapters in Python, R and Octave, the latter where their interpreters are installed."""

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rkde.cli import cli
from tests.support.commands import invoke

FOLDER = Path(__file__).parents[2] / "docs" / "adapters"


EXAMPLES = {
    "Python": shlex.join([sys.executable, str(FOLDER / "python" / "adapter.py")]),
    "R": shlex.join(["Rscript", str(FOLDER / "r" / "adapter.R")]),
    "Octave": shlex.join(["octave-cli", "--quiet", str(FOLDER / "octave" / "adapter.m")]),
}


def skip_without(language: str) -> None:
    if language == "R":
        if shutil.which("Rscript") is None:
            pytest.skip("R is not installed")
        has_json = ["Rscript", "-e", "quit(status = !requireNamespace('jsonlite', quietly = TRUE))"]
        if subprocess.run(has_json, capture_output=True, check=False).returncode:
            pytest.skip("R has no package jsonlite")
    if language == "Octave" and shutil.which("octave-cli") is None:
        pytest.skip("Octave is not installed")


@pytest.mark.parametrize("language", EXAMPLES)
def test_an_example_reaches_what_its_page_says(language: str) -> None:
    skip_without(language)
    command = ["verify", "--adapter", EXAMPLES[language], "--timeout", "60", "--json"]
    result = invoke(cli, command)
    assert result.exit_code == 0, result.output
    lines = (FOLDER / "README.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("| ")]
    head = next(row for row in rows if row[0] == "operation")
    said = {
        row[0]: (row[1], row[head.index(language)].split(" passed")[0])
        for row in rows
        if len(row) == len(head)
    }
    for found in json.loads(result.stdout)["operations"]:
        if found["passed"]:
            assert said[found["op"]] == (str(found["cases"]), str(found["passed"])), found["op"]
        else:
            assert said.get(found["op"], ("", "-"))[1] == "-", found["op"]


def test_the_workflow_has_ten_lines_and_the_command() -> None:
    lines = (FOLDER / "workflow.yml").read_text("utf-8").splitlines()
    assert len(lines) == 10
    assert "rkde verify --adapter" in lines[-1]


def test_the_adapter_in_python_is_short() -> None:
    lines = (FOLDER / "python" / "adapter.py").read_text("utf-8").splitlines()
    assert len([line for line in lines if line.strip()]) <= 20

"""How these tests run the command line, and what a refusal looks like."""

import csv
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rkde.cli import cli
from rkde.cli.failures import EXIT_BAD_INPUT


def run(*arguments: object, stdin: str | bytes | None = None) -> Result:
    """Run a command in this process, with the two streams apart in every version of click."""
    mixes = "mix_stderr" in inspect.signature(CliRunner).parameters
    runner = CliRunner(mix_stderr=False) if mixes else CliRunner()
    return runner.invoke(cli, [*map(str, arguments)], input=stdin)


def run_program(
    *arguments: object, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a shell would, in a process of its own."""
    command = [sys.executable, "-m", "rkde.cli", *map(str, arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment, check=False)


def succeeded(result: Result) -> str:
    """Return the standard output of a run that must have succeeded."""
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


def fitted(folders: pytest.TempPathFactory, *arguments: object, stdin: bytes | None = None) -> Path:
    """Fit a model in a folder of its own, and return its file."""
    path = folders.mktemp("models") / "m.npz"
    succeeded(run("fit", *arguments, "-o", path, stdin=stdin))
    return path


def rows_of(result: Result) -> list[dict[str, str]]:
    """Return the rows of the table that a run must have printed."""
    return list(csv.DictReader(succeeded(result).splitlines(keepends=True)))


def object_of(result: Result) -> dict[str, Any]:
    """Return the object that a run must have printed in one line, as strict JSON."""
    text = succeeded(result)
    assert text.count("\n") == 1
    printed: dict[str, Any] = json.loads(text, parse_constant=pytest.fail)
    return printed


def write_table(path: Path, names: str, rows: Iterable[Iterable[object]]) -> Path:
    """Write a table as CSV text, with a line of names unless they are empty, and return its path."""
    lines = [names] if names else []
    lines += [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def names_in(folder: Path) -> list[str]:
    """Return the names of what lies in a folder, sorted; hidden files too."""
    return sorted(entry.name for entry in folder.iterdir())


def assert_refused(result: Result, fragments: Sequence[str], code: int = EXIT_BAD_INPUT) -> None:
    """Check for one line on standard error that holds the fragments, no output, and the exit code."""
    assert result.exit_code == code, (result.output, result.exception)
    assert result.stdout == ""
    assert result.stderr.startswith("rkde: error: ")
    assert result.stderr.count("\n") == 1
    assert result.stderr.endswith("\n")
    for fragment in fragments:
        assert fragment in result.stderr, (fragment, result.stderr)


def assert_found(result: Result, *fragments: str) -> None:
    """Check for the exit code of a check that finds something, and for the fragments on standard output."""
    assert result.exit_code == 1, (result.output, result.exception)
    for fragment in fragments:
        assert fragment in result.stdout, (fragment, result.stdout)

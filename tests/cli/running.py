"""How these tests run the command line, and what a refusal looks like."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from click.testing import Result

from rkde.cli import cli
from rkde.cli.failures import EXIT_BAD_INPUT
from tests.support.commands import invoke


def run(*arguments: str | Path, stdin: bytes | None = None) -> Result:
    """Run a command in this process."""
    return invoke(cli, [str(argument) for argument in arguments], stdin)


def run_program(
    *arguments: str | Path, stdin: bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run the program as a shell would, in a process of its own."""
    command = [sys.executable, "-m", "rkde.cli", *(str(argument) for argument in arguments)]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, input=stdin, capture_output=True, cwd=cwd, env=environment, check=False)


def succeeded(result: Result) -> str:
    """Return the standard output of a run that must have succeeded."""
    assert result.exit_code == 0, (result.output, result.exception)
    return result.stdout


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

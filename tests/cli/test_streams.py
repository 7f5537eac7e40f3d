"""Standard streams that are closed or full: one line, the exit code, and no answer lost without a word."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rkde.cli.advancing import PAUSE_SECONDS, plain_lines
from rkde.cli.failures import EXIT_BAD_INPUT
from tests.cli.running import names_in, run, succeeded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="streams are closed as a POSIX shell does")
full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")


def run_with(redirection: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program with the streams that a shell gives it."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-m", "rkde.cli", *arguments]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    cut = {"capture_output": True, "text": True, "check": False}
    return subprocess.run(command, cwd=folder, env=environment, **cut)


def test_a_closed_standard_output(tmp_path: Path) -> None:
    done = run_with(">&-", tmp_path, "fit", "faithful", "-o", "m.npz")
    expected = "rkde: error: standard output: the stream is closed; open it, or redirect it to /dev/null\n"
    assert (done.returncode, done.stderr) == (EXIT_BAD_INPUT, expected)
    assert names_in(tmp_path) == []


def test_a_closed_standard_input_is_empty(tmp_path: Path) -> None:
    done = run_with("<&-", tmp_path, "fit", "-", "-o", "m.npz")
    expected = "rkde: error: standard input must not be empty; check the export\n"
    assert (done.returncode, done.stdout, done.stderr) == (EXIT_BAD_INPUT, "", expected)


def test_a_closed_standard_error_does_not_cost_the_answer(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1\n2\n4\n9\n", encoding="utf-8")
    expected = succeeded(run("outliers", tmp_path / "t.csv"))
    done = run_with("2>&-", tmp_path, "outliers", "t.csv")
    assert (done.returncode, done.stdout) == (0, expected)


@full
def test_a_full_standard_error_does_not_change_the_exit_code(tmp_path: Path) -> None:
    done = run_with("2>/dev/full", tmp_path, "fit", "gone.csv", "-o", "m.npz")
    assert (done.returncode, done.stdout) == (EXIT_BAD_INPUT, "")


@full
@pytest.mark.parametrize("command", ["--help", "outliers faithful"])
def test_a_full_standard_output_is_named(tmp_path: Path, command: str) -> None:
    done = run_with(">/dev/full", tmp_path, *command.split())
    assert done.returncode == EXIT_BAD_INPUT
    told = "rkde: error: standard output: No space left on device; free some space, or write elsewhere\n"
    assert done.stderr == told


def test_a_check_that_lasts_tells_its_advance_every_half_minute(capsys: pytest.CaptureFixture[str]) -> None:
    times = iter([0.0, 1.0, PAUSE_SECONDS, PAUSE_SECONDS + 1, 2 * PAUSE_SECONDS, 2 * PAUSE_SECONDS + 1])
    advance = plain_lines("claims", lambda: next(times))
    for done in range(1, 6):
        advance(done, 5)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.splitlines() == [f"rkde: note: claims: {done} of 5" for done in (2, 4)]

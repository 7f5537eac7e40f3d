"""Ctrl-C while a command reads, fits or scores: exit code 130, one line, and no file left behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import rkde
from rkde.cli.failures import EXIT_INTERRUPTED
from rkde.fast import save_model
from tests.cli.running import names_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of a POSIX terminal")

# The program, which says when it begins to read and forecasts whatever lasts longer than a look.
PROGRAM = """
import signal
import sys
from rkde.cli import data, main
from rkde.fast._resources import progress

# A shell lets what it runs in the background ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
progress._LONG_SECONDS = 0.0
read = data.read_table

def told(*arguments, **options):
    print("reading", file=sys.stderr, flush=True)
    return read(*arguments, **options)

data.read_table = told
main()
"""
# Far more than an interruption takes, far less than the work that it interrupts.
GENEROUS_SECONDS = 60


def interrupt_at(word: str, folder: Path, *arguments: str) -> list[str]:
    """Run the program, interrupt it at a line that holds the word, and return the lines that follow."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=folder, env=environment, text=True, **pipes) as running:
        before = []
        while word not in (before or [""])[-1]:
            before.append(running.stderr.readline())
            assert before[-1], before
        if word == "reading":
            # Into the work that follows the word.
            time.sleep(0.2)
        running.send_signal(signal.SIGINT)
        try:
            out, err = running.communicate(timeout=GENEROUS_SECONDS)
        except subprocess.TimeoutExpired:
            running.kill()
            raise
    assert running.returncode == EXIT_INTERRUPTED, err
    assert out == ""
    return err.splitlines()


def write_table(path: Path, rows: int, columns: int, repeats: int = 1) -> None:
    numbers = np.random.default_rng(0).standard_normal((rows, columns))
    block = "".join(",".join(f"{value:.4f}" for value in row) + "\n" for row in numbers.tolist())
    path.write_text(block * repeats, encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize(
    "command", [("fit", "t.csv", "-o", "m.npz"), ("outliers", "t.csv", "-o", "o.csv")], ids=lambda c: c[0]
)
def test_a_fit(command: tuple[str, ...], threads: str, tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", 30_000, 5)
    # No matrix of so many rows fits: each product takes seconds.
    limits = ("--threads", threads, "--memory-limit", "200MB")
    lines = interrupt_at("for this fit; --sample", tmp_path, *command, *limits)
    assert lines == ["rkde: error: interrupted"]
    assert names_in(tmp_path) == ["t.csv"]


@pytest.mark.slow
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_scoring(threads: str, tmp_path: Path) -> None:
    model = rkde.fit(np.random.default_rng(0).standard_normal((4000, 5)))
    save_model(tmp_path / "m.npz", model)
    write_table(tmp_path / "t.csv", 30_000, 5, repeats=5)
    command = ("score", "m.npz", "t.csv", "-o", "s.csv", "--threads", threads)
    assert interrupt_at("for these scores", tmp_path, *command) == ["rkde: error: interrupted"]
    assert names_in(tmp_path) == ["m.npz", "t.csv"]


def test_a_table_that_is_read(tmp_path: Path) -> None:
    write_table(tmp_path / "t.csv", 10_000, 5, repeats=30)
    lines = interrupt_at("reading", tmp_path, "fit", "t.csv", "-o", "m.npz")
    assert lines == ["rkde: error: interrupted"]
    assert names_in(tmp_path) == ["t.csv"]

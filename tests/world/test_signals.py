"""A request to end unwinds the program: what it writes is removed, what it runs ends, and it says no word."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import names_in, run, succeeded
from tests.support.selection import one_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals of POSIX")

# The program, which sends itself a signal when half of its file is written.
HALF_WAY = """
import os, signal, sys
from rkde import files
from rkde.cli import main

number = int(sys.argv.pop(1))
if "ignored" in sys.argv:
    sys.argv.remove("ignored")
    signal.signal(number, signal.SIG_IGN)
elif number == signal.SIGINT:
    # Whatever runs the tests may ignore it, or the next ones.
    signal.signal(number, signal.default_int_handler)
else:
    signal.signal(number, signal.SIG_DFL)
opened = files._opened

def then_told(target):
    temporary, stream = opened(target)
    stream.write(b"half")
    stream.flush()
    os.kill(os.getpid(), number)
    return temporary, stream

files._opened = then_told
main()
"""


def half_way(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    arguments = ["fit", "faithful", "-o", "m.npz"]
    command = [sys.executable, "-c", HALF_WAY, *words, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("number", one_in(3, [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]))
def test_a_signal_while_a_file_is_written(number: signal.Signals, tmp_path: Path) -> None:
    done = half_way(tmp_path, str(int(number)))
    assert done.returncode == 128 + number
    assert "Traceback" not in done.stderr
    # Between the opening and the block that removes the file: whoever writes next removes it.
    succeeded(run("fit", "faithful", "-o", tmp_path / "m.npz"))
    assert names_in(tmp_path) == ["m.npz"]


@pytest.mark.slow
def test_what_nohup_ignores_stays_ignored(tmp_path: Path) -> None:
    done = half_way(tmp_path, str(int(signal.SIGHUP)), "ignored")
    assert (done.returncode, names_in(tmp_path)) == (0, ["m.npz"])

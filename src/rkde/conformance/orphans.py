"""End a program together with everything that it started.

The signal to the process group reaches the ordinary children. A child that made itself a session of its own
is found by the mark in its environment, which it inherited; it is looked for again until no new one turns up.
"""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Final

MARK: Final = "RKDE_ADAPTER_MARK"
# A program that starts children faster than they can be ended is given up after so many rounds.
ROUNDS: Final = 50
_PROCESSES: Final = Path("/proc")
_ENDING_SECONDS: Final = 5.0


def end_everything(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a process, its process group, and every process that carries its mark.

    Parameters
    ----------
    process : subprocess.Popen
        The leader of a session of its own; it may have ended already.
    mark : str
        The value of `MARK` in its environment.
    """
    for _ in range(ROUNDS):
        _signal_group(process.pid)
        marked = marked_processes(mark)
        for pid in marked:
            _signal(pid)
        process.poll()
        if not [pid for pid in marked if pid != process.pid]:
            break
    try:
        process.wait(_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        # SIGKILL was sent; only a process stuck in the kernel is still there, and it cannot do anything.
        return


def marked_processes(mark: str) -> list[int]:
    """Find the running processes that carry a mark, where the system shows environments."""
    wanted = f"{MARK}={mark}".encode()
    found: list[int] = []
    if not _PROCESSES.is_dir():
        return found
    for folder in _PROCESSES.iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        # The environment of a process that has ended and waits to be collected is empty.
        if wanted in environment.split(b"\0"):
            found.append(int(folder.name))
    return found


def _signal_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _signal(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return

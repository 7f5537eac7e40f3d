"""End a program together with everything that it started.

The signal to the process group reaches the ordinary children. A child that made itself a session of its own
is found by the mark in its environment, which it inherited; it is looked for again until no new one turns up.
One that threw its environment away too is out of reach, unless this process adopts whoever loses its parent.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

MARK: Final = "RKDE_ADAPTER_MARK"
# A program that starts children faster than they can be ended is given up after so many rounds.
ROUNDS: Final = 50
_PROCESSES: Final = Path("/proc")
_ENDING_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.01
# PR_SET_CHILD_SUBREAPER of Linux's <sys/prctl.h>.
_SET_SUBREAPER: Final = 36


def end_everything(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kill a process, its process group, and every process that carries its mark."""
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


@contextmanager
def adopting_orphans() -> Iterator[None]:
    """Let no descendant outlive the block: this process adopts those that lose their parent, and ends them.

    Whatever child of this process was not there before is ended, so the block must start nothing else. Where
    the system knows no adoption (it is Linux's), nothing happens.
    """
    before = children(os.getpid())
    if not _set_adopting(to=True):
        yield
        return
    try:
        yield
    finally:
        _end_children_except(before)
        _set_adopting(to=False)


def children(parent: int) -> set[int]:
    """Find the children of a process, those that wait to be collected included."""
    found: set[int] = set()
    for stat in _PROCESSES.glob("[0-9]*/stat"):
        with suppress(OSError):
            # The second field is the program's name in brackets and may hold anything; then state and parent.
            if int(stat.read_bytes().rpartition(b")")[2].split()[1]) == parent:
                found.add(int(stat.parent.name))
    return found


def _set_adopting(*, to: bool) -> bool:
    if not sys.platform.startswith("linux") or not _PROCESSES.is_dir():
        return False
    return bool(ctypes.CDLL(None).prctl(_SET_SUBREAPER, int(to), 0, 0, 0) == 0)


def _end_children_except(before: set[int]) -> None:
    """Kill and collect; who started children of its own leaves them to this process, so look again."""
    deadline = time.monotonic() + _ENDING_SECONDS
    while (found := children(os.getpid()) - before) and time.monotonic() < deadline:
        for pid in found:
            _signal(pid)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        time.sleep(_PAUSE_SECONDS)


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

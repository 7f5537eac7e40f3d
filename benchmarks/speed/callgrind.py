"""Instructions of a piece of Python, counted by Callgrind: they repeat to some hundredths of a per cent.

A process that wants only a part of it counted says so by *client requests*: instructions that do nothing
outside Valgrind, which ``valgrind.h`` writes for C. Here their machine code is called through ctypes.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import platform
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

# `uint64 request(uint64 default, uint64 *arguments)`: rax = arguments, rdx = default, four rotations of rdi
# by 3, 13, 61 and 51, which are 128 together, and xchg rbx, rbx; the answer is in rdx.
CODE = bytes.fromhex("4889f0 4889fa 48c1c703 48c1c70d 48c1c73d 48c1c733 4887db 4889d0 c3")
PROCESSORS = ("x86_64", "AMD64")
# The request's number and five arguments.
ARGUMENTS = 6
RUNNING_ON_VALGRIND = 0x1001
# From callgrind.h: the letters C and T, then the number within the tool.
TOOL = 0x43540000
ZERO, DUMP_AS, START, STOP = TOOL + 1, TOOL + 3, TOOL + 4, TOOL + 5
TRIGGER = re.compile(r"^desc: Trigger: Client Request: (.*)$", re.MULTILINE)
TOTALS = re.compile(r"^totals: (\d+)$", re.MULTILINE)


class Requests:
    """Client requests to the Valgrind that runs this process."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self._memory.write(CODE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._call = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_uint64, ctypes.c_void_p)(address)

    @staticmethod
    def find() -> Requests | None:
        """Return the requests where Valgrind runs this process."""
        if os.environ.get("RKDE_COUNTED") is None or missing():
            return None
        requests = Requests()
        return requests if requests.ask(RUNNING_ON_VALGRIND) else None

    def ask(self, number: int, argument: int = 0) -> int:
        """Make one request."""
        arguments = (ctypes.c_uint64 * ARGUMENTS)(number, argument)
        return int(self._call(0, ctypes.addressof(arguments)))

    def count(self, name: str, action: Callable[[], object]) -> None:
        """Do the action, and leave its number of instructions in a file that bears the name."""
        label = ctypes.create_string_buffer(name.encode())
        # Otherwise the collector's turn would depend on all allocations before.
        gc.collect()
        gc.disable()
        try:
            self.ask(START)
            self.ask(ZERO)
            action()
            self.ask(DUMP_AS, ctypes.addressof(label))
            self.ask(STOP)
        finally:
            gc.enable()


def missing() -> str:
    """Return why instructions cannot be counted here; empty where they can."""
    if shutil.which("valgrind") is None:
        return "valgrind is not installed"
    if platform.machine() not in PROCESSORS or sys.platform != "linux":
        return f"the requests to valgrind are written for Linux on x86-64, not for {platform.machine()}"
    return ""


def command(folder: Path) -> list[str]:
    """Return what stands before a command whose counts are to be left in a folder."""
    # Nothing is counted until the process asks for it: imports take seconds instead of minutes.
    options = ["--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder / 'counts'}"]
    return ["valgrind", "-q", *options]


def settings() -> dict[str, str]:
    """Return variables without which a count would not repeat, or Valgrind not know the instructions."""
    from numpy._core._multiarray_umath import __cpu_dispatch__ as dispatched

    unknown = [name for name in dispatched if name.startswith(("AVX512", "X86_V4"))]
    return {
        "RKDE_COUNTED": "1",
        "PYTHONHASHSEED": "0",
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": " ".join(unknown),
    }


def read_counts(folder: Path) -> dict[str, int]:
    """Return the instructions of each name from the files in a folder."""
    found = {}
    for path in sorted(folder.glob("counts*")):
        text = path.read_text("utf-8")
        name, totals = TRIGGER.search(text), TOTALS.search(text)
        if name is not None and totals is not None:
            found[name[1]] = int(totals[1])
    return found

"""Small adapters: programs in plain Python that the tests write and start, and whether they still run."""

import os
import shlex
import sys
from pathlib import Path
from textwrap import indent
from typing import Final

PROGRAM: Final = """
import json, sys

def answer(r):
{body}

for line in sys.stdin:
    r = json.loads(line)
    found = {hello!r} if r["op"] == "hello" else answer(r)
    print(json.dumps({{"id": r["id"], **found}}), flush=True)
"""
# Of `auc`; {right} is the label whose scores belong in front.
AUC: Final = """
pairs = list(zip(map(float, r["scores"]), r["labels"]))
if len(r["scores"]) != len(r["labels"]) or set(r["labels"]) != {{0, 1}} or any(s != s for s, _ in pairs):
    return {{"error": {{"kind": "InvalidInput", "message": "both labels and no nan"}}}}
front, behind = ([s for s, label in pairs if (label == {right}) == is_front] for is_front in (True, False))
return {{"auc": sum((s > t) + (s == t) / 2 for s in front for t in behind) / (len(front) * len(behind))}}
"""


def adapter(folder: Path, body: str, *operations: str, name: str = "small", **about: object) -> str:
    """Write an adapter whose answer to a request `r` is what a body of Python returns; return its command."""
    hello = {"name": name, "version": "1", "protocol": 1, "operations": ["hello", *operations], **about}
    program = folder / "adapter.py"
    program.write_text(PROGRAM.format(body=indent(body, "    "), hello=hello), "utf-8")
    return shlex.join([sys.executable, "-I", "-S", str(program)])


def auc_adapter(folder: Path, *, right: bool = True, name: str = "small", **about: object) -> str:
    """Write an adapter of `auc`, which puts the scores of the other label in front unless `right`."""
    return adapter(folder, AUC.format(right=int(right)), "auc", name=name, **about)


def is_alive(process: int) -> bool:
    """Tell whether a process is there and not merely waiting to be collected."""
    try:
        os.kill(process, 0)
        state = Path(f"/proc/{process}/stat").read_text("ascii") if Path("/proc").exists() else ") R"
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"

"""Two versions of the package, each in a process of its own, timed in turns by one run.

Run as a module it is such a process: it answers questions that come on its standard input, one a line.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType

import rkde.fast
from benchmarks.speed.timing import Action, Ratio, processor_seconds
from benchmarks.speed.tracked import TRACKED, counters

ROOT = Path(__file__).parents[2]
# Of each batch the shortest times count, so that a spoiled repetition costs nothing; the batches tell how far
# what is left is spread.
BATCHES = 4
REPETITIONS = 5


class Side:
    """A process that runs the tracked works with the package of one tree.

    Parameters
    ----------
    tree : Path
        A checkout; the benchmarks themselves are always those of this one.
    """

    def __init__(self, tree: Path) -> None:
        environment = os.environ | {"PYTHONPATH": str(tree / "src"), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.speed.sides"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        used = Path(str(self._ask("where"))).resolve()
        if not used.is_relative_to(tree.resolve()):
            raise RuntimeError(f"the process uses the package of {used} instead of {tree}; check PYTHONPATH")

    def __enter__(self) -> Side:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()

    def counters(self) -> dict[str, int]:
        """Return the exact counts of this version."""
        found = self._ask("counters")
        return found if isinstance(found, dict) else {}

    def once(self, name: str) -> Ratio:
        """Time a tracked work and its yardstick once; the first time for a name they are prepared."""
        found = self._ask(name)
        if not isinstance(found, list):
            raise TypeError(f"{name}: {found}")
        return Ratio(*found)

    def _ask(self, question: str) -> object:
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process has no pipes; start it again")
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process ended while it answered {question!r}; read its error output")
        return json.loads(answer)


def in_turns(sides: Sequence[Side], name: str) -> list[list[float]]:
    """Time a work on every side in turns, so that a neighbour's load meets all; return each batch's ratio.

    The yardstick is the same code on every side, so the shortest of all its times serves all sides.
    """
    # The first meets cold caches, and lazily imported modules.
    for side in sides:
        side.once(name)
    ratios: list[list[float]] = [[] for _ in sides]
    for _ in range(BATCHES):
        times: list[list[Ratio]] = [[] for _ in sides]
        for repetition in range(REPETITIONS):
            # Every other time in the opposite order, which no drift of the machine's speed can favour.
            order = range(len(sides)) if repetition % 2 else reversed(range(len(sides)))
            for place in order:
                times[place].append(sides[place].once(name))
        yardstick = min(time.yardstick for found in times for time in found)
        for place, found in enumerate(times):
            ratios[place].append(min(time.work for time in found) / yardstick)
    return ratios


@contextmanager
def tree_of(revision: str | None) -> Iterator[Path]:
    """Give a folder with the files of a revision, or of the working tree where it is None."""
    if revision is None:
        yield ROOT
        return
    command = ["git", "archive", "--format=tar", revision]
    packed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout  # noqa: S603
    with TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="tar")
        yield Path(folder)


@contextmanager
def both(base: str | None, candidate: str | None) -> Iterator[tuple[Side, Side]]:
    """Give the sides of two revisions."""
    with ExitStack() as stack:
        trees = [stack.enter_context(tree_of(revision)) for revision in (base, candidate)]
        first, second = (stack.enter_context(Side(tree)) for tree in trees)
        yield first, second


def answer(question: str, prepared: dict[str, tuple[Action, Action]]) -> object:
    """Answer one question of the other process."""
    if question == "where":
        return rkde.fast.__file__
    if question == "counters":
        return counters()
    if question not in prepared:
        prepared[question] = TRACKED[question]()
    work, yardstick = prepared[question]
    return [processor_seconds(work), processor_seconds(yardstick)]


def main() -> None:
    """Answer until the input ends."""
    prepared: dict[str, tuple[Action, Action]] = {}
    for question in sys.stdin:
        print(json.dumps(answer(question.strip(), prepared)), flush=True)


if __name__ == "__main__":
    main()

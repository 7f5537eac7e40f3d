"""Which tests run which lines: read from what `recording` left in a folder."""

import ast
import functools
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import coverage

from tests.mutation.mutants import Mutant

FILES: Final = "files.json"
# The processor seconds that the tests of one rung may take together: those that start at once, those that run
# the line, and those that run the file or start processes.
QUICK: Final = 2.0
NEAR: Final = 40.0
FAR: Final = 10.0
# Files that the first rung collects at most.
FEW: Final = 5
# Of a test, and how many times what it took when it was recorded.
LEAST_LIMIT: Final = 10.0
LENIENCE: Final = 10.0


@dataclass(frozen=True, slots=True)
class Timed:
    """What a test takes, and whether it starts processes, in which no lines are recorded."""

    seconds: float
    process: bool


class Record:
    """The recorded runs of all tests, from folders with a file `files.json` each.

    Where a test has changed since, the older record of it is forgotten; where the tested file has, each test
    that ran it counts as one that ran the line.
    """

    def __init__(self, folder: Path, root: Path) -> None:
        self.root = root
        self.times: dict[str, Timed] = {}
        self.recorded: dict[str, str] = {}
        self._batches = [_Batch(file.parent) for file in sorted(folder.glob("*/files.json"), key=_made)]
        for batch in self._batches:
            self.recorded |= batch.tests
            self.times = {test: timed for test, timed in self.times.items() if _file(test) not in batch.tests}
            self.times |= batch.times
        self.lines_of = functools.cache(self._lines_of)

    def _lines_of(self, file: str) -> tuple[dict[int, set[str]], set[str]]:
        """Return the tests that ran each line of a file, and those that ran it before it was changed."""
        lines: dict[int, set[str]] = {}
        older: set[str] = set()
        now = digest(self.root / file)
        for batch in self._batches:
            kept = {test for test in batch.times if self.recorded[_file(test)] == batch.tests[_file(test)]}
            for line, tests in batch.lines_of(file).items():
                if batch.sources.get(file) == now:
                    lines.setdefault(line, set()).update(kept.intersection(tests))
                else:
                    older |= kept.intersection(tests)
        return lines, older

    def near(self, mutant: Mutant) -> set[str]:
        """Return the tests that run the changed line, or those that read the constant that it sets."""
        lines, older = self.lines_of(mutant.file)
        source = (self.root / mutant.file).read_text("utf-8")
        statement = statement_lines(source, mutant.line)
        near = older.union(*(lines.get(line, set()) for line in statement))
        return near or set().union(*(lines.get(line, set()) for line in readers(source, statement)))

    def rungs(self, mutant: Mutant) -> list[dict[str, float]]:
        """Return the tests to run in turn, each with a limit to its time; the quickest first."""
        lines, _ = self.lines_of(mutant.file)
        near = self.near(mutant)
        far = set().union(*lines.values()) - near
        far |= {test for test, timed in self.times.items() if timed.process} - near
        if not near:
            near, far = far, set()
        ordered = self._affordable(near, NEAR)
        quick = self._quickest(ordered)
        rungs = quick, [test for test in ordered if test not in set(quick)], self._affordable(far, FAR)
        return [{test: self.limit(test) for test in rung} for rung in rungs if rung]

    def _affordable(self, tests: Iterable[str], budget: float) -> list[str]:
        """Return the quickest tests that a budget pays for."""
        kept: list[str] = []
        for test in sorted(tests, key=lambda test: (self.times[test].seconds, test)):
            budget -= self.times[test].seconds
            if budget < 0:
                break
            kept.append(test)
        return kept

    def _quickest(self, ordered: Iterable[str]) -> list[str]:
        """Return the tests of the first rung: a few seconds, from a few files."""
        kept: list[str] = []
        files: set[str] = set()
        for test in self._affordable(ordered, QUICK):
            file = test.partition("::")[0]
            if file in files or len(files) < FEW:
                files.add(file)
                kept.append(test)
        return kept

    def limit(self, test: str) -> float:
        """Return the processor seconds after which a test is stopped."""
        return max(LEAST_LIMIT, LENIENCE * self.times[test].seconds)


class _Batch:
    """What one run of `recording` left."""

    def __init__(self, folder: Path) -> None:
        files = json.loads((folder / FILES).read_text("utf-8"))
        self.tests: dict[str, str] = files["tests"]
        self.sources: dict[str, str] = files["sources"]
        self.root = Path(files["root"])
        self.times = {
            test: Timed(**found)
            for file in sorted(folder.glob("times.*.json"))
            for test, found in json.loads(file.read_text("utf-8")).items()
        }
        self._data = [coverage.CoverageData(str(file)) for file in sorted(folder.glob("lines.*"))]
        for data in self._data:
            data.read()

    def lines_of(self, file: str) -> dict[int, set[str]]:
        """Return the tests that ran each line of a file."""
        found: dict[int, set[str]] = {}
        for data in self._data:
            for line, tests in data.contexts_by_lineno(str(self.root / file)).items():
                found.setdefault(line, set()).update(tests)
        return found


def digest(file: Path) -> str:
    """Return a name for the content of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16] if file.exists() else ""


def _file(test: str) -> str:
    return test.partition("::")[0]


def _made(file: Path) -> int:
    return file.stat().st_mtime_ns


def readers(source: str, statement: range) -> list[int]:
    """Return the lines that read what an assignment in these lines names; none where it is none."""
    tree = ast.parse(source)
    names = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno in statement
    }
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names
    ]


def statement_lines(source: str, line: int) -> range:
    """Return the lines of the statement around a line; of a compound one, those of its head."""
    found = range(line, line + 1)
    width = float("inf")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        body = getattr(node, "body", None)
        first = getattr(node, "lineno", None) or node.pattern.lineno  # type: ignore[attr-defined]
        last = max(first, body[0].lineno - 1) if isinstance(body, list) and body else node.end_lineno  # type: ignore[union-attr]
        if first <= line <= last and last - first < width:
            found, width = range(first, last + 1), last - first
    return found

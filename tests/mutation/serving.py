"""Run tests in a fork of a process that has imported what takes long, and nothing of this project.

Reads one request a line, `{"tests": {name: most seconds}, "first": whether the first failure ends it}`, and
answers each with one line: `{"outcome": "passed", "failed", "stopped" or "nothing", "test": the first of
"failures", "passed": ..., "ran": ...}`. It is started in a copy of the tree. A test is stopped where it takes
more than its seconds of processor time, and where nothing happens.
"""

import contextlib
import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

# Of what the tests import, that which takes long.
HEAVY: Final = (
    "numpy", "scipy.special", "scipy.optimize", "scipy.integrate", "scipy.stats", "scipy.spatial",
    "scipy.sparse.linalg", "mpmath", "hypothesis", "hypothesis.extra.numpy", "jsonschema", "flint", "sympy",
    "z3", "sklearn.base", "sklearn.utils.estimator_checks", "sklearn.model_selection", "sklearn.pipeline",
    "pandas", "click.testing", "rich.console", "rich.table", "threadpoolctl",
)  # fmt: skip
# Bytes: a mutant may ask for any amount of memory.
MEMORY: Final = 12 * 2**30
# Seconds between two looks at the fork; without progress, after which it is stopped.
POLL: Final = 0.02
IDLE: Final = 120.0
# The argument by which this process is told to leave the processors to others.
GENTLY: Final = "--gently"
CLAIMS: Final = "proofs_checks"
# Files of this process and its forks, in the folder of the copy.
PLACE: Final = "mutation-test-running"
ANSWER: Final = "mutation-answer"
OUTPUT: Final = "mutation-output"
NOTHING: Final = {"outcome": "nothing", "test": "", "ran": 0, "failures": [], "passed": []}


class Ladder:
    """A plugin of pytest: the tests asked for, in their order, each with a limit to its processor time."""

    def __init__(self, limits: Mapping[str, float], place: Path) -> None:
        self.limits = dict(limits)
        self.place = place
        self.ran = 0
        self.failures: list[str] = []
        self.passed: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Keep what was asked for; a file stands for all of its tests."""
        for item in items:
            file = item.nodeid.partition("::")[0]
            if file in self.limits:
                self.limits.setdefault(item.nodeid, self.limits[file])
        known = {item.nodeid: item for item in items}
        items[:] = [known[test] for test in self.limits if test in known]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Say which test runs, and let the system end this process should it take too long."""
        self.place.write_text(json.dumps([nodeid, self.ran, self.failures]), "utf-8")
        signal.setitimer(signal.ITIMER_PROF, self.limits[nodeid])
        self.ran += 1

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the name of a test that failed, or passed."""
        if report.failed and report.nodeid not in self.failures:
            self.failures.append(report.nodeid)
        if report.passed and report.when == "call":
            self.passed.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the name of a file that could not be imported."""
        if report.failed:
            self.failures.append(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Give what follows the last test its time."""
        signal.setitimer(signal.ITIMER_PROF, 0)


def collected(tests: Sequence[str]) -> list[str]:
    """Return what pytest is to collect: the files of the tests, and claims by the names of their modules."""
    files = [Path(file) for file in dict.fromkeys(test.partition("::")[0] for test in tests)]
    return [
        str(file) if "tests" in file.parts or file.parent.name != CLAIMS else f"rkde.{CLAIMS}.{file.stem}"
        for file in files
    ]


def run_here(limits: Mapping[str, float], place: Path, *, first: bool) -> dict[str, Any]:
    """Run the tests in this process, but for those of files that are gone: one would end the run."""
    limits = {test: most for test, most in limits.items() if Path(test.partition("::")[0]).exists()}
    if not limits:
        return NOTHING
    ladder = Ladder(limits, place)
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "--no-header", "--tb", "short"]
    options += ["-x"] if first else []
    code = pytest.main([*options, *collected(list(limits))], plugins=[ladder])
    if code == pytest.ExitCode.OK:
        outcome = "passed" if ladder.ran else "nothing"
    else:
        outcome = "nothing" if code == pytest.ExitCode.NO_TESTS_COLLECTED else "failed"
    failures = ladder.failures
    answer = {"outcome": outcome, "test": next(iter(failures), ""), "ran": ladder.ran, "failures": failures}
    return answer | {"passed": ladder.passed}


def serve(limits: Mapping[str, float], folder: Path, *, first: bool = True) -> dict[str, Any]:
    """Run the tests in a fork and return what came of it."""
    place, answer = folder / PLACE, folder / ANSWER
    for file in (place, answer):
        file.unlink(missing_ok=True)
    child = os.fork()
    if not child:
        _be_the_fork(limits, folder, first=first)
    ended = _wait(child)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        os.waitpid(child, 0)
    if answer.exists():
        return dict(json.loads(answer.read_text("utf-8")))
    test, ran, failures = json.loads(place.read_text("utf-8")) if place.exists() else ("", 0, [])
    return NOTHING | {"outcome": "stopped", "test": test, "ran": ran, "failures": failures}


def _wait(child: int) -> bool:
    """Tell whether the fork ended by itself, before nothing happened for long or nobody waited any more."""
    looked, worked, asking = time.monotonic(), -1, os.getppid()
    while not os.waitpid(child, os.WNOHANG)[0]:
        time.sleep(POLL)
        if os.getppid() != asking:
            return False
        if time.monotonic() - looked > IDLE:
            looked, before, worked = time.monotonic(), worked, _ticks(child)
            if worked == before:
                return False
    return True


def _ticks(group: int) -> int:
    """Return the processor time of a group of processes, as /proc counts it."""
    total = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) if int(fields[2]) == group else 0
    return total


def _be_the_fork(limits: Mapping[str, float], folder: Path, *, first: bool) -> None:
    """Run the tests, write the answer, and end."""
    os.setpgid(0, 0)
    with (folder / OUTPUT).open("w") as stream, Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(stream.fileno(), 1)
        os.dup2(stream.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
    try:
        found = run_here(limits, folder / PLACE, first=first)
        waiting = folder / f"{ANSWER}.part"
        waiting.write_text(json.dumps(found), "utf-8")
        waiting.replace(folder / ANSWER)
    finally:
        sys.stdout.flush()
        os._exit(0)


def be_gentle() -> None:
    """Leave the processors to whatever else wants them."""
    os.nice(19)
    with contextlib.suppress(OSError):
        Path("/proc/self/autogroup").write_text("19")


def main() -> None:
    """Import, then answer requests until there are no more."""
    if GENTLY in sys.argv:
        be_gentle()
    for name in HEAVY:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:  # ends with the process that asks
        asked = json.loads(line)
        answers.write(json.dumps(serve(asked["tests"], Path.cwd(), first=asked["first"])) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()

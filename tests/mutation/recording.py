"""A plugin of pytest: which lines a test runs, how long it takes, and whether it starts processes.

In every process that runs tests it leaves a data file of coverage.py, with one context for each test, and a
file of times, in the folder that `FOLDER_VARIABLE` names.
"""

import json
import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import coverage
import pytest

FOLDER_VARIABLE: Final = "RKDE_MUTATION_RECORD"
PLUGIN: Final = __name__
# What is recorded, from the root of a tree.
ROOMS: Final = ("fast", "reference", "src/rkde/conformance")
STARTS_PROCESS: Final = frozenset({"subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec"})


def _worked() -> float:
    """Return the seconds of the processors that this process and those that it started have taken."""
    return sum(os.times()[:4])


class Recorder:
    """What one process has seen."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder = folder
        self.running: str | None = None
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.processes: set[str] = set()
        self.lines = coverage.Coverage(
            data_file=folder / "lines",
            data_suffix=str(os.getpid()),
            source=[str(root / room) for room in ROOMS],
            config_file=False,
            messages=False,
        )
        self.lines.start()
        sys.addaudithook(self._audit)

    def _audit(self, event: str, _details: tuple[Any, ...]) -> None:
        if event in STARTS_PROCESS and self.running:
            self.processes.add(self.running)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Give the lines that a test runs its name."""
        self.running, before = item.nodeid, _worked()
        self.lines.switch_context(item.nodeid)
        try:
            return (yield)
        finally:
            self.lines.switch_context("")
            self.running = None
            self.seconds[item.nodeid] = _worked() - before

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave out the tests that fail or are skipped."""
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Leave the files."""
        self.lines.stop()
        self.lines.save()
        (self.folder / f"times.{os.getpid()}.json").write_text(
            json.dumps(
                {
                    test: {"seconds": seconds, "process": test in self.processes}
                    for test, seconds in self.seconds.items()
                    if test not in self.failed
                }
            ),
            "utf-8",
        )


def pytest_configure(config: pytest.Config) -> None:
    """Record in the processes that run tests, not in the one that hands them out."""
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", default=None)
    if runs_tests:
        config.pluginmanager.register(Recorder(Path(os.environ[FOLDER_VARIABLE]), config.rootpath))

"""A pytest plugin: ``pytest --rkde-adapter "COMMAND"`` runs the golden vectors as tests, one test a case.

Without the option it adds nothing and imports nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import pytest

if TYPE_CHECKING:
    from rkde.conformance import Case, Driver

_SECONDS: Final = 10.0
_DRIVER: Final = pytest.StashKey["LazyDriver"]()


class LazyDriver:
    """The adapter of a test session, started by the first test that needs it."""

    def __init__(self, command: str, seconds: float) -> None:
        self._command = command
        self._seconds = seconds
        self._driver: Driver | None = None
        self._problem = ""
        self.asked = 0
        self.unsupported = 0

    def get(self) -> Driver:
        """Return the running driver; a command that is no adapter fails every test at once."""
        from rkde.conformance import AdapterError, Driver, split_command

        if self._driver is None and not self._problem:
            try:
                self._driver = Driver(split_command(self._command), seconds=self._seconds)
            except AdapterError as error:
                self._problem = str(error)
        if self._driver is None:
            pytest.fail(f"no adapter: {self._problem}", pytrace=False)
        return self._driver

    def close(self) -> None:
        """End the adapter."""
        if self._driver is not None:
            self._driver.close()


class VectorItem(pytest.Item):
    """One golden vector as a test."""

    case: Case

    def runtest(self) -> None:
        """Ask the adapter and fail as the judge says."""
        from rkde.conformance import Outcome

        lazy = self.config.stash[_DRIVER]
        lazy.asked += 1
        result = lazy.get().ask(self.case)
        if result.outcome is Outcome.UNSUPPORTED:
            lazy.unsupported += 1
            pytest.skip("the adapter does not support this")
        if result.outcome is not Outcome.PASSED:
            pytest.fail(f"{result.id}: {result.message}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the test by its case."""
        return self.path, None, f"rkde {self.case.id}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("rkde", "golden vectors of robust kernel density estimation")
    group.addoption("--rkde-adapter", metavar="COMMAND", help="run the golden vectors against this adapter")
    group.addoption("--rkde-timeout", type=float, default=_SECONDS, help="seconds that it has for a case")
    group.addoption("--rkde-vectors", type=Path, help="a folder of vector files instead of the shipped one")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add one test a case, so that -k and the like choose among them."""
    command = config.getoption("--rkde-adapter")
    if command is None:
        return
    seconds = cast(float, config.getoption("--rkde-timeout"))
    if not seconds > 0:
        raise pytest.UsageError("--rkde-timeout must be a positive number of seconds")
    from rkde.conformance import VectorsError, load_vectors, shipped_vectors

    try:
        cases = load_vectors(config.getoption("--rkde-vectors") or shipped_vectors())
    except VectorsError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[_DRIVER] = LazyDriver(command, seconds)
    for case in cases:
        item: VectorItem = VectorItem.from_parent(session, name=f"rkde[{case.id}]")
        item.case = case
        items.append(item)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Let a session end like an empty one if the adapter supports nothing that it was asked."""
    driver = session.config.stash.get(_DRIVER, None)
    if driver is not None and driver.asked and driver.asked == driver.unsupported and not exitstatus:
        session.exitstatus = pytest.ExitCode.NO_TESTS_COLLECTED


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the adapter with the session."""
    driver = config.stash.get(_DRIVER, None)
    if driver is not None:
        driver.close()

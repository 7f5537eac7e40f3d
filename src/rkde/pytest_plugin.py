"""A pytest plugin: ``pytest --rkde-adapter "COMMAND"`` runs the golden vectors as tests, one for each case.

Without the option it adds nothing and imports nothing.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import pytest

if TYPE_CHECKING:
    from rkde.conformance import Case, Driver, Level

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
        """Return the running driver; a command that is not an adapter fails every test at once."""
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
    levels: tuple[Level, ...] | None
    known: str | None

    def runtest(self) -> None:
        """Ask the adapter and fail as the judge says, unless the failure is known."""
        from rkde.conformance import Outcome, counted

        lazy = self.config.stash[_DRIVER]
        lazy.asked += 1
        result = lazy.get().ask(self.case)
        if self.levels is not None:
            result = counted(result, self.levels)
        if result.outcome is Outcome.UNSUPPORTED:
            lazy.unsupported += 1
            pytest.skip("the adapter does not support this, or it is at no level that counts")
        if self.known is not None:
            if result.outcome is Outcome.PASSED:
                pytest.fail(f"{result.id}: passed, though it is listed as a known failure", pytrace=False)
            pytest.xfail(self.known)
        if result.outcome is not Outcome.PASSED:
            pytest.fail(f"{result.id}: {result.message}", pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Name the test by its case."""
        return self.path, None, f"rkde {self.case.id}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("rkde", "golden vectors of robust kernel density estimation")
    group.addoption("--rkde-adapter", metavar="COMMAND", help="run the golden vectors against this adapter")
    group.addoption(
        "--rkde-timeout", type=float, default=_SECONDS, help="seconds that the adapter has for each case"
    )
    group.addoption("--rkde-vectors", type=Path, help="a folder of vector files instead of the shipped one")
    group.addoption(
        "--rkde-level",
        action="append",
        default=[],
        choices=("core", "edges", "extended", "errors", "certificates", "full"),
        help="level that decides, as for rkde verify --level; may be repeated (default: full)",
    )
    group.addoption(
        "--rkde-tolerance", type=float, help="accept errors up to this size in every case, such as 1e-6"
    )
    group.addoption("--rkde-known-failures", type=Path, help="a list of cases that may fail, with reasons")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> None:
    """Add one test for each case, so that -k and similar options choose among them."""
    command = config.getoption("--rkde-adapter")
    if command is None:
        return
    from rkde.conformance import Level

    seconds = cast(float, config.getoption("--rkde-timeout"))
    if not seconds > 0:
        raise pytest.UsageError(
            f"--rkde-timeout must be a positive number of seconds, got {seconds:g}; give a number such as 10"
        )
    chosen = cast(list[str], config.getoption("--rkde-level"))
    levels = None if not chosen or "full" in chosen else tuple(level for level in Level if level in chosen)
    cases, known = _cases(config)
    config.stash[_DRIVER] = LazyDriver(command, seconds)
    for case in cases:
        item: VectorItem = VectorItem.from_parent(session, name=f"rkde[{case.id}]")
        item.case, item.levels, item.known = case, levels, known.get(case.id)
        items.append(item)


def _cases(config: pytest.Config) -> tuple[list[Case], dict[str, str]]:
    """Read the cases, with the tolerance that counts, and the failures that are known."""
    from rkde.conformance import KnownFailuresError, VectorsError, load_vectors, read_known, shipped_vectors

    tolerance = cast("float | None", config.getoption("--rkde-tolerance"))
    listed = cast("Path | None", config.getoption("--rkde-known-failures"))
    if tolerance is not None and not 0 < tolerance < 1:
        raise pytest.UsageError(
            f"--rkde-tolerance must be between 0 and 1, got {tolerance:g}; give a number such as 1e-6"
        )
    if listed is not None and not listed.exists():
        raise pytest.UsageError(
            f"--rkde-known-failures: {listed} does not exist; create it with rkde verify --fix"
        )
    try:
        cases = load_vectors(config.getoption("--rkde-vectors") or shipped_vectors())
        known = {} if listed is None else read_known(listed)
    except (VectorsError, KnownFailuresError) as error:
        raise pytest.UsageError(str(error)) from error
    unknown = sorted(known.keys() - {case.id for case in cases})
    if unknown:
        raise pytest.UsageError(f"{listed}: no case has the name {unknown[0]}; remove it from the list")
    least = Decimal(0) if tolerance is None else Decimal(str(tolerance))
    return [replace(case, tolerance=max(case.tolerance, least)) for case in cases], known


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

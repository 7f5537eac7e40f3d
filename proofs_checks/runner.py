"""Run the claims of the installed package in this process and report one result for each claim."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, Protocol

from rkde.errors import InvalidInput, RkdeError
from rkde.proofs_checks.audit import audit_compositions
from rkde.proofs_checks.claim import CHECK_PREFIX, Claim, Level, Verdict, evidence_of

if TYPE_CHECKING:
    import pytest

Profile = Literal["quick", "thorough"]
_HYPOTHESIS_PROFILES: Final[dict[Profile, str]] = {"quick": "quick", "thorough": "thorough"}
_PLUGIN: Final = "rkde.proofs_checks.plugin"
_FOLDER: Final = Path(__file__).resolve().parent
_NEEDED: Final = ("pytest", "hypothesis", "sympy", "z3", "flint")
# pytest reads options and plugins from these; the user's own must not change what `run_claims` does.
_FOREIGN_SETTINGS: Final = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")
_NO_AUTOLOAD: Final = "PYTEST_DISABLE_PLUGIN_AUTOLOAD"
# What prints or writes; and what, for warnings that nobody would read, has the garbage collector walk five
# times over everything that the caller holds.
_NOT_LOADED: Final = ("terminal", "cacheprovider", "faulthandler", "unraisableexception")


class Progress(Protocol):
    """Called after each check, with the number done, the number of all, and the claims it belongs to."""

    def __call__(self, done: int, total: int, claims: Sequence[Claim], /) -> None:
        """Show progress."""


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """What the checks of one claim said.

    Attributes
    ----------
    id, label, statement, verdict, level
        As in the claim.
    passed : bool
        True if at least one check ran and none failed or was skipped; of a claim that follows from others, if
        these passed.
    n_checks : int
        Number of checks that ran.
    seconds : float
        Their time together; a check that serves several claims counts for each.
    message : str
        The first failure, empty if there is none.
    """

    id: str
    label: str
    statement: str
    verdict: Verdict
    level: Level | None
    passed: bool
    n_checks: int
    seconds: float
    message: str


def run_claims(profile: Profile = "quick", on_progress: Progress | None = None) -> list[ClaimResult]:
    """Run every claim of the installed package; print nothing, write nothing, raise on a broken ledger.

    Result: one a claim, in the order of files and lines. A failing check is a result, not an exception.
    """
    if profile not in _HYPOTHESIS_PROFILES:
        raise InvalidInput(
            "must be the name of a profile",
            where="profile",
            value=profile,
            remedy="use 'quick' or 'thorough'",
        )
    _require_packages()
    return run_folder(_FOLDER, profile, on_progress)


def run_folder(folder: Path, profile: Profile, on_progress: Progress | None = None) -> list[ClaimResult]:
    """Run the files of claims of any folder: `run_claims` for the package's own, tests for theirs."""
    import pytest  # here, because importing the package must not need it

    files = sorted(folder.glob(f"{CHECK_PREFIX}*.py"))
    if not files:
        raise RkdeError(
            "the folder contains no file of claims", where=str(folder), remedy="choose another folder"
        )
    collector = _Collector(on_progress)
    # A check may print a table for those who run it by pytest; here standard output is the caller's.
    quiet = contextlib.redirect_stdout(io.StringIO())
    with tempfile.TemporaryDirectory() as scratch, own_settings(Path(scratch)), quiet:
        forget_checks()
        pytest.main([*pytest_arguments(folder, profile), *map(str, files)], plugins=[collector])
    if collector.errors or not collector.tallies:
        problem = "the ledger is broken: " + "; ".join(collector.errors or ["no claim found"])
        raise RkdeError(problem, remedy="correct the claims")
    return collector.results()


def _require_packages() -> None:
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise RkdeError(
            "the claims need packages that are not installed",
            value=", ".join(missing),
            remedy='run: python -m pip install "rkde[verify]"',
        )


def pytest_arguments(folder: Path, profile: Profile) -> list[str]:
    """Return the options with which pytest runs a folder of claims: quietly, and as no configuration says."""
    quiet = [part for name in _NOT_LOADED for part in ("-p", f"no:{name}")]
    return [
        "-c", os.devnull,
        f"--rootdir={folder}",
        "--import-mode=importlib",
        "--capture=no",
        "--strict-markers",
        "-o", f"python_files={CHECK_PREFIX}*.py",
        *quiet,
        "-p", _PLUGIN,
        f"--claims-profile={_HYPOTHESIS_PROFILES[profile]}",
    ]  # fmt: skip


@contextlib.contextmanager
def own_settings(scratch: Path) -> Iterator[None]:
    """Keep what is set for other runs of pytest and Hypothesis away from this one."""
    from hypothesis import configuration

    kept = {name: os.environ.get(name) for name in (*_FOREIGN_SETTINGS, _NO_AUTOLOAD)}
    for name in _FOREIGN_SETTINGS:
        os.environ.pop(name, None)
    os.environ[_NO_AUTOLOAD] = "1"
    configuration.set_hypothesis_home_dir(scratch)
    try:
        yield
    finally:
        configuration.set_hypothesis_home_dir(None)
        for name, value in kept.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def forget_checks() -> None:
    """Have the files of claims imported anew."""
    # Hypothesis fixes the profile of a check when its module is imported, so each run imports afresh.
    prefix = f"{__package__}.{CHECK_PREFIX}"
    for name in [name for name in sys.modules if name.startswith(prefix)]:
        del sys.modules[name]


@dataclass(slots=True)
class _Tally:
    claim: Claim
    n_checks: int = 0
    seconds: float = 0.0
    complaints: list[str] = field(default_factory=list)


class _Collector:
    """The pytest plugin that turns reports into tallies."""

    def __init__(self, on_progress: Progress | None) -> None:
        self.tallies: dict[str, _Tally] = {}
        self.errors: list[str] = []
        self._claims: dict[str, list[Claim]] = {}
        self._on_progress = on_progress
        self._done = 0

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep what stopped the collection."""
        if report.failed:
            self.errors.append(report.longreprtext)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Open a tally for each claim, and note which claims each check serves."""
        from rkde.proofs_checks.plugin import (
            COLLECTED,  # here, because importing this package needs no pytest
        )

        claims = session.config.stash[COLLECTED]
        self.tallies = {name: _Tally(claim) for name, claim in claims.items()}
        self.errors.extend(audit_compositions(claims.values()))
        for item in session.items:
            served = evidence_of(getattr(item, "function", None))
            self._claims[item.nodeid] = list({entry.claim.id: entry.claim for entry in served}.values())

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add one phase of one check to the tallies of its claims."""
        claims = self._claims.get(report.nodeid, [])
        for claim in claims:
            tally = self.tallies[claim.id]
            tally.seconds += report.duration
            tally.n_checks += report.when == "call"
            if not report.passed:
                tally.complaints.append(f"{report.nodeid}: {report.outcome}: {report.longreprtext}")
        if report.when == "teardown":
            self._done += 1
            if self._on_progress is not None:
                self._on_progress(self._done, len(self._claims), claims)

    def _passed(self, tally: _Tally) -> bool:
        """Tell whether a claim's own checks passed, and those of all claims that it follows from."""
        parts = [self.tallies.get(name) for name in tally.claim.follows_from]
        own = not tally.complaints and (tally.n_checks > 0 or bool(parts))
        return own and all(part is not None and self._passed(part) for part in parts)

    def results(self) -> list[ClaimResult]:
        """Return one result for each claim, in the order of collection."""
        return [
            ClaimResult(
                id=tally.claim.id,
                label=tally.claim.label,
                statement=tally.claim.statement,
                verdict=tally.claim.verdict,
                level=tally.claim.level,
                passed=self._passed(tally),
                n_checks=tally.n_checks,
                seconds=tally.seconds,
                message=tally.complaints[0] if tally.complaints else "",
            )
            for tally in self.tallies.values()
        ]

"""The parts of `rkde verify` that run something: vectors in process, vectors through a pipe, claims."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NoReturn

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rkde.adapter import Implementation, answer_request, fast_implementation, reference_implementation
from rkde.cli.failures import EXIT_BAD_INPUT
from rkde.conformance import (
    REFERENCE_TOLERANCE,
    AdapterError,
    Case,
    CaseResult,
    Driver,
    Outcome,
    VectorsError,
    adopting_orphans,
    check_cases,
    drive,
    load_vectors,
    split_command,
)
from rkde.conformance.diagnosis import Diagnosis, diagnose
from rkde.errors import RkdeError

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult

# What a shell reports for a program that a signal ended is 128 + its number.
_SIGNAL_EXIT: Final = 128


class UnusableError(click.ClickException):
    """There is nothing to run, or it cannot be run."""

    exit_code: ClassVar[int] = EXIT_BAD_INPUT


@dataclass(frozen=True, slots=True)
class VectorsRun:
    """What the vectors showed about one implementation.

    Attributes
    ----------
    name : str
        Who was checked, for people.
    adapter : dict of str to str or None
        Command, name, version and note of an adapter; None where the check ran in process.
    folder : Path
        Where the vectors are.
    cases : list of CaseResult
        One a case.
    diagnoses : list of Diagnosis
        What the failures look like.
    """

    name: str
    adapter: dict[str, str] | None
    folder: Path
    cases: list[CaseResult]
    diagnoses: list[Diagnosis]


def vectors_in_process(implementation: str, folder: Path) -> VectorsRun:
    """Check one of the package's own implementations.

    Parameters
    ----------
    implementation : {"fast", "reference"}
        The reference must reach 30 digits on every case.
    folder : Path
        Holds the vector files.

    Raises
    ------
    UnusableError
        The vectors cannot be used, or no case ran.
    """
    cases = _load(folder)
    lib = _implementation(implementation)
    tolerance = REFERENCE_TOLERANCE if implementation == "reference" else None
    with _progress() as progress:
        task = progress.add_task("vectors", total=len(cases))
        results = check_cases(
            lambda request: answer_request(lib, request),
            cases,
            tolerance=tolerance,
            on_result=lambda _: progress.advance(task),
        )
    _require_some(folder, results)
    title = f"{implementation} implementation"
    return VectorsRun(title, None, folder, results, diagnose(cases, results))


def vectors_through_pipe(command: str, folder: Path, seconds: float) -> VectorsRun:
    """Check a program that speaks the adapter protocol.

    Parameters
    ----------
    command : str
        Program and arguments; quotation marks are understood, nothing else of a shell is.
    folder : Path
        Holds the vector files.
    seconds : float
        Time limit of a case.

    Raises
    ------
    UnusableError
        The vectors cannot be used, the command is no adapter, or no case ran.
    """
    cases = _load(folder)
    try:
        with (
            _signals_end_the_adapter(),
            adopting_orphans(),
            Driver(split_command(command), seconds=seconds) as driver,
        ):
            with _progress() as progress:
                task = progress.add_task("vectors", total=len(cases))
                results = drive(driver, cases, on_result=lambda _: progress.advance(task))
            about = {
                "command": command,
                "name": driver.hello.name,
                "version": driver.hello.version,
                "note": driver.note,
            }
    except AdapterError as error:
        raise UnusableError(f"{error}") from error
    _require_some(folder, results)
    title = f"{about['name']} {about['version']}"
    return VectorsRun(title, about, folder, results, diagnose(cases, results))


def claims(profile: Literal["quick", "thorough"]) -> list[ClaimResult]:
    """Run the claims of the paper under a Hypothesis profile.

    Raises
    ------
    UnusableError
        The ledger cannot run.
    """
    from rkde.proofs_checks import run_claims

    with _progress() as progress:
        task = progress.add_task("claims", total=None)

        def advance(done: int, total: int, _: object, /) -> None:
            progress.update(task, completed=done, total=total)

        try:
            return run_claims(profile, advance)
        except RkdeError as error:
            raise UnusableError(f"the claims cannot run: {error}") from error


def _load(folder: Path) -> list[Case]:
    try:
        return load_vectors(folder)
    except VectorsError as error:
        raise UnusableError(str(error)) from error


def _require_some(folder: Path, results: list[CaseResult]) -> None:
    if all(result.outcome is Outcome.UNSUPPORTED for result in results):
        raise UnusableError(f"{folder}: no case ran, every operation is unsupported")


def _implementation(name: str) -> Implementation:
    return fast_implementation() if name == "fast" else reference_implementation()


def _progress() -> Progress:
    console = Console(stderr=True)
    # Even a disabled bar ends with an empty line before rich 14.3, where it is not on a terminal.
    console.quiet = not console.is_terminal
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=console.quiet)


@contextmanager
def _signals_end_the_adapter() -> Iterator[None]:
    """Let the signals that ask this program to end unwind it, so that the adapter ends too."""

    def leave(number: int, _: object) -> NoReturn:
        sys.exit(_SIGNAL_EXIT + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    try:
        before = {name: signal.signal(getattr(signal, name), leave) for name in names}
    except ValueError:
        # Not in the main thread: whoever runs this there handles signals.
        before = {}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)

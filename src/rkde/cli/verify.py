"""`rkde verify`: check an implementation against the golden vectors, and run the claims."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from rkde import __version__
from rkde.adapter import Implementation, answer_request, fast_implementation, reference_implementation
from rkde.cli.failures import EXIT_BAD_INPUT, EXIT_CHECK_FAILED
from rkde.cli.verify_tables import claims_table, failures, operations_table
from rkde.conformance import CaseResult, VectorsError, check_cases, load_vectors, shipped_vectors
from rkde.conformance.check import REFERENCE_TOLERANCE, Outcome
from rkde.conformance.report import all_passed, as_json
from rkde.errors import RkdeError

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult

# What a report on standard output is wide where there is no terminal to ask.
_PIPE_WIDTH: Final = 120
_FOR_VECTORS: Final = ("jsonschema",)
_FOR_CLAIMS: Final = ("hypothesis", "pytest", "sympy", "z3")


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run showed; `claims` is None where they were left out."""

    implementation: str
    vectors: Path
    cases: list[CaseResult]
    claims: list[ClaimResult] | None

    @property
    def passed(self) -> bool:
        """True if every part that was asked for ran, and passed."""
        claims = self.claims is None or (bool(self.claims) and all(claim.passed for claim in self.claims))
        return all_passed(self.cases) and claims


class UnusableError(click.ClickException):
    """There is nothing to run, or it cannot be run."""

    exit_code: ClassVar[int] = EXIT_BAD_INPUT


@click.command()
@click.option(
    "--implementation",
    type=click.Choice(["fast", "reference"]),
    default="fast",
    show_default=True,
    help="Who is checked; the reference must reach 30 digits on every case.",
)
@click.option(
    "--vectors",
    type=click.Path(path_type=Path, file_okay=False),
    help="A folder of vector files instead of the shipped one.",
)
@click.option("--skip-claims", is_flag=True, help="Check the vectors only.")
@click.option("--json", "as_text", is_flag=True, help="Write a report for programs to standard output.")
def verify(implementation: str, vectors: Path | None, *, skip_claims: bool, as_text: bool) -> None:
    """Check the installed implementation against golden vectors and run the claims of the paper.

    Ends with 0 if something ran and everything passed, with 1 if something failed, with 2 if nothing ran or
    the vectors cannot be used.
    """
    for name in _FOR_VECTORS if skip_claims else _FOR_VECTORS + _FOR_CLAIMS:
        import_module(name)
    folder = vectors or shipped_vectors()
    cases = _run_vectors(implementation, folder)
    report = Report(implementation, folder, cases, None if skip_claims else _run_claims())
    if as_text:
        click.echo(json.dumps(_for_programs(report), allow_nan=False))
    else:
        _show(report)
    if not report.passed:
        sys.exit(EXIT_CHECK_FAILED)


def _run_vectors(implementation: str, folder: Path) -> list[CaseResult]:
    try:
        cases = load_vectors(folder)
    except VectorsError as error:
        raise UnusableError(str(error)) from error
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
    if all(result.outcome is Outcome.UNSUPPORTED for result in results):
        raise UnusableError(f"{folder}: no case ran, every operation is unsupported")
    return results


def _run_claims() -> list[ClaimResult]:
    from rkde.proofs_checks import run_claims

    with _progress() as progress:
        task = progress.add_task("claims", total=None)

        def advance(done: int, total: int, _: object, /) -> None:
            progress.update(task, completed=done, total=total)

        try:
            return run_claims("quick", advance)
        except RkdeError as error:
            raise UnusableError(f"the claims cannot run: {error}") from error


def _implementation(name: str) -> Implementation:
    return fast_implementation() if name == "fast" else reference_implementation()


def _progress() -> Progress:
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def _show(report: Report) -> None:
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    console.print(operations_table(report.implementation, report.cases))
    if report.claims is not None:
        console.print(claims_table(report.claims))
    for line in failures(report.cases, report.claims or []):
        console.print(line, markup=False, soft_wrap=True)
    console.print(_verdict(report), markup=False)


def _verdict(report: Report) -> str:
    claims: Sequence[ClaimResult] = report.claims or []
    count = f"{len(report.cases)} cases" + (f" and {len(claims)} claims" if report.claims is not None else "")
    return f"passed: {count}" if report.passed else f"FAILED: not all of {count} passed"


def _for_programs(report: Report) -> dict[str, object]:
    claims = report.claims
    return {
        "format": "rkde-verify",
        "version": 1,
        "rkde": __version__,
        "implementation": report.implementation,
        "vectors": str(report.vectors),
        "passed": report.passed,
        "cases": as_json(report.cases),
        "claims": None if claims is None else [_claim_for_programs(claim) for claim in claims],
    }


def _claim_for_programs(claim: ClaimResult) -> dict[str, object]:
    return {
        "id": claim.id,
        "label": claim.label,
        "verdict": str(claim.verdict),
        "level": str(claim.level),
        "passed": claim.passed,
        "checks": claim.n_checks,
        "seconds": claim.seconds,
        "message": claim.message,
    }

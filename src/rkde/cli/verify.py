"""`rkde verify`: check an implementation against the golden vectors, and run the claims."""

from __future__ import annotations

import math
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

import click

from rkde.cli.failures import EXIT_CHECK_FAILED, describe
from rkde.cli.verify_report import Report, failure_to_json, show, to_json
from rkde.cli.verify_run import UnusableError, claims, vectors_in_process, vectors_through_pipe
from rkde.conformance import CASE_SECONDS, shipped_vectors, write_junit

_FOR_VECTORS: Final = ("jsonschema",)
_FOR_CLAIMS: Final = ("flint", "hypothesis", "pytest", "sympy", "z3")
_EPILOG: Final = """\b
Any program that speaks the adapter protocol can be checked:
  rkde verify --adapter "Rscript adapter.R"
  rkde verify --adapter "./adapter --fast" --junit results.xml

\b
Exit codes:
  0  something ran and everything passed
  1  a case or a claim failed, or was not run
  2  nothing ran: bad vectors, no adapter behind the command, or every operation unsupported"""


@click.command(epilog=_EPILOG)
@click.option(
    "--implementation",
    type=click.Choice(["fast", "reference"]),
    help="Part of this package to check (default: fast); the reference must reach 30 digits.",
)
@click.option(
    "--adapter",
    metavar="COMMAND",
    help="Check a program that answers the adapter protocol instead; the command is not passed to a shell.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=CASE_SECONDS,
    show_default=True,
    help="Time limit of an adapter for each case, in seconds.",
)
@click.option(
    "--vectors",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of vector files to use instead of the shipped one.",
)
@click.option("--skip-claims", is_flag=True, help="Check the vectors only, as --adapter always does.")
@click.option(
    "--thorough", is_flag=True, help="Draw many examples for each claim, which is best run overnight."
)
@click.option("--json", "as_json", is_flag=True, help="Write a machine-readable report to standard output.")
@click.option(
    "--junit",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the cases as JUnit XML to this file.",
)
def verify(
    implementation: str | None,
    adapter: str | None,
    timeout: float,
    vectors: Path | None,
    *,
    skip_claims: bool,
    thorough: bool,
    as_json: bool,
    junit: Path | None,
) -> None:
    """Check an implementation against golden vectors; for this package, run the claims of the paper too."""
    if adapter is not None and implementation is not None:
        raise click.UsageError("--adapter and --implementation cannot be combined; leave out one.")
    if math.isnan(timeout):
        raise click.UsageError("--timeout must be a number of seconds.")
    if junit is not None and not junit.absolute().parent.is_dir():
        raise click.UsageError(
            f"--junit: the folder {junit.absolute().parent} does not exist; create it, or choose another."
        )
    folder = vectors or shipped_vectors()
    try:
        if adapter is None:
            report = _in_process(implementation or "fast", folder, skip_claims=skip_claims, thorough=thorough)
        else:
            _require(_FOR_VECTORS)
            report = Report(vectors_through_pipe(adapter, folder, timeout), None)
    except (UnusableError, ModuleNotFoundError) as error:
        if as_json and (described := describe(error)) is not None:
            click.echo(failure_to_json(described[0], adapter, folder))
        raise
    if as_json:
        click.echo(to_json(report))
    else:
        show(report)
    if junit is not None:
        write_junit(junit, report.vectors.name, report.vectors.cases)
    if not report.passed:
        sys.exit(EXIT_CHECK_FAILED)


def _in_process(implementation: str, folder: Path, *, skip_claims: bool, thorough: bool) -> Report:
    _require(_FOR_VECTORS + (() if skip_claims else _FOR_CLAIMS))
    found = vectors_in_process(implementation, folder)
    return Report(found, None if skip_claims else claims("thorough" if thorough else "quick"))


def _require(modules: tuple[str, ...]) -> None:
    for name in modules:
        import_module(name)

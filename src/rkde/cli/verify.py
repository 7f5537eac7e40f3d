"""`rkde verify`: check an implementation against the golden vectors, and run the claims."""

import sys
from importlib import import_module
from typing import Any, Final

import click

from rkde.cli.failures import EXIT_CHECK_FAILED, UnusableError, describe
from rkde.cli.parsing import NamedPath
from rkde.cli.verify_markdown import badge_text, to_markdown
from rkde.cli.verify_options import LEVELS, Options
from rkde.cli.verify_report import Report, failure_to_json, show, to_json
from rkde.cli.verify_run import claims, vectors_from_answers, vectors_in_process, vectors_through_pipe
from rkde.cli.verify_show import show_case
from rkde.conformance import CASE_SECONDS, KnownFailuresError, rewrite_known, write_junit
from rkde.files import write_atomically

_FOR_VECTORS: Final = ("jsonschema",)
_FOR_CLAIMS: Final = ("flint", "hypothesis", "jsonschema", "pytest", "sympy", "z3")
_FILE: Final = NamedPath(dir_okay=False)
_EPILOG: Final = """\b
Any program that speaks the adapter protocol can be checked:
  rkde verify --adapter "Rscript adapter.R"
  rkde verify --adapter "./adapter --fast" --junit results.xml
  rkde verify --adapter ./adapter --level core --tolerance 1e-6

\b
Or without a pipe, on any machine:
  rkde vectors requests > requests.jsonl
  ./adapter < requests.jsonl > answers.jsonl
  rkde verify --answers answers.jsonl

\b
Levels:
  core          the main fields of the answers to ordinary requests
  edges         the same for ties, underflow, huge scales, no rows and the like
  extended      further fields, and rarer kinds of error
  errors        bad input is refused, with the right kind of error
  certificates  what is claimed to be proved about a limit
  full          all of them, and no field of the protocol may be missing

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
    help="Check a program that speaks the adapter protocol instead; the command is not passed to a shell.",
)
@click.option("--answers", type=_FILE, help="Check answers that were written to a file instead.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=CASE_SECONDS,
    show_default=True,
    help="Time limit of an adapter for each case, in seconds.",
)
@click.option(
    "--vectors",
    type=NamedPath(file_okay=False),
    help="Folder of vector files to use instead of the shipped one.",
)
@click.option(
    "--level",
    type=click.Choice(LEVELS),
    multiple=True,
    help="Level that decides the verdict (see below); may be repeated. All are reported.  [default: full]",
)
@click.option("--tolerance", type=float, help="Accept errors up to this size in every case, such as 1e-6.")
@click.option("--only", metavar="FLAG", multiple=True, help="Run only cases with this flag; may be repeated.")
@click.option(
    "--show",
    metavar="CASE",
    multiple=True,
    help="Run only this case, and print its request and the expected and given numbers; may be repeated.",
)
@click.option(
    "--known-failures",
    type=_FILE,
    help="A list of cases with reasons. Any other failure fails the run; so does a listed case that passes.",
)
@click.option(
    "--fix",
    is_flag=True,
    help="Rewrite the list of known failures to match the run; exit code 0 if it could be written.",
)
@click.option(
    "-V", "--validate", is_flag=True, help="Check each answer against the schema of the protocol first."
)
@click.option("--skip-claims", is_flag=True, help="Check the vectors only, as --adapter always does.")
@click.option("--thorough", is_flag=True, help="Draw many examples for each claim; best run overnight.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown"]),
    default="text",
    show_default=True,
    help="What is written to standard output.",
)
@click.option("--json", "as_json", is_flag=True, help="Write a machine-readable report to standard output.")
@click.option("--junit", type=_FILE, help="Also write the cases as JUnit XML to this file.")
@click.option("--badge", type=_FILE, help="Also write a badge for shields.io to this file.")
def verify(**given: Any) -> None:
    """Check an implementation against golden vectors; for this package, check the claims of the paper too."""
    options = Options(**given)
    options.require_consistent()
    try:
        report = _run(options)
    except (UnusableError, ModuleNotFoundError) as error:
        if options.writes == "json" and (described := describe(error)) is not None:
            click.echo(failure_to_json(described[0], options.adapter, options.folder))
        raise
    _write(options, report)
    if options.fix:
        _fix(options, report)
    if not (report.claims_passed if options.fix else report.passed):
        sys.exit(EXIT_CHECK_FAILED)


def _fix(options: Options, report: Report) -> None:
    """Rewrite the list of known failures to match the run."""
    if options.known_failures is None or report.vectors.balance is None:
        return
    try:
        rewrite_known(options.known_failures, report.vectors.balance)
    except KnownFailuresError as error:
        raise UnusableError(str(error)) from error
    click.echo(f"{options.known_failures}: rewritten", err=True)


def _run(options: Options) -> Report:
    """Run what was asked for."""
    with_claims = not (options.foreign or options.skip_claims or options.show)
    own_vectors = options.vectors is None and not options.validate
    for name in (*(() if own_vectors else _FOR_VECTORS), *(_FOR_CLAIMS if with_claims else ())):
        import_module(name)
    if options.adapter is not None:
        found = vectors_through_pipe(options, options.adapter)
    elif options.answers is not None:
        found = vectors_from_answers(options, options.answers)
    else:
        found = vectors_in_process(options)
    return Report(found, claims("thorough" if options.thorough else "quick") if with_claims else None)


def _write(options: Options, report: Report) -> None:
    """Write the report in every form that was asked for."""
    found = report.vectors
    if options.writes == "json":
        click.echo(to_json(report))
    elif options.writes == "markdown":
        click.echo(to_markdown(report))
    elif options.show:
        for case, result in zip(found.asked, found.cases, strict=True):
            click.echo(show_case(case, result))
    else:
        show(report)
    if options.junit is not None:
        write_junit(options.junit, found.name, found.excused())
    if options.badge is not None:
        write_atomically(options.badge, badge_text(report).encode("utf-8"))

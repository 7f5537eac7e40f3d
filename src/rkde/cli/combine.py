"""`rkde report`: what many runs of `rkde verify --json` found, side by side, as pages to publish."""

from pathlib import Path
from typing import Final

import click

from rkde.cli.combine_pages import write_pages
from rkde.cli.combine_reports import read_reports
from rkde.cli.parsing import NamedPath

_EPILOG: Final = """\b
Each report is the output of one run:
  rkde verify --adapter "./mine" --json > mine.json
  rkde report combine mine.json theirs.json --output site

\b
Exit codes: 0 the pages are written, 2 a file is not a report, or the pages cannot be written"""


@click.group(epilog=_EPILOG)
def report() -> None:
    """Combine the reports of `rkde verify --json`."""


@report.command()
@click.argument("reports", nargs=-1, required=True, type=NamedPath(dir_okay=False, exists=True))
@click.option(
    "--output", type=NamedPath(file_okay=False), required=True,
    help="Folder of the pages; it is created if it is missing, and pages of the same names are replaced.",
)  # fmt: skip
def combine(reports: tuple[Path, ...], output: Path) -> None:
    """Write pages that compare several programs.

    One page compares all programs, operation by operation; another page for each program shows its counts by
    level, its digits, the diagnoses and every failed case.
    """
    found = read_reports(reports)
    write_pages(found, output)
    click.echo(f"{output / 'index.html'}: {len(found)} {'report' if len(found) == 1 else 'reports'}")

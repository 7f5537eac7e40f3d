"""Command line: ``python -m benchmarks.paper run``, ``report`` and ``controlled``."""

import datetime as dt
import sys
from dataclasses import replace
from pathlib import Path

import click

from benchmarks.paper.loaded import SOURCES, DataError
from benchmarks.paper.public import PARTITIONS, public_results, run_public
from benchmarks.paper.running import RunError, run, units
from benchmarks.paper.sets import SETS
from benchmarks.paper.store import Store, StoreError
from benchmarks.paper.variants import TABLES, VARIANTS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEDGER = ROOT / "proofs_checks" / "measured_tables.json"
STORE = ROOT / "build" / "paper"
QUICK_STORE = ROOT / "build" / "paper-quick"
PUBLIC_STORE = ROOT / "build" / "paper-public"

_folder = click.Path(file_okay=False, path_type=Path)


@click.group()
def main() -> None:
    """Run the experiments of section 6 again, and report them beside the printed numbers."""


@main.command("run")
@click.option("--table", type=click.Choice([*TABLES, "all"]), default="all", show_default=True)
@click.option("--quick", is_flag=True, help="Two partitions of each set.")
@click.option("--partitions", type=click.IntRange(1), help="At most so many partitions a set.")
@click.option("--set", "sets", type=click.Choice(list(SETS)), multiple=True, help="Only these sets.")
@click.option("--variant", "variants", type=click.Choice(list(VARIANTS)), multiple=True, help="Only these.")
@click.option("--source", type=click.Choice(["auto", *SOURCES]), default="auto", show_default=True)
@click.option("--workers", type=click.IntRange(1), help="Processes; by default one a processor.")
@click.option("--store", type=_folder, help="Folder of the results, one file for each unit of work.")
def run_command(
    table: str,
    quick: bool,  # noqa: FBT001 (a flag of the command line)
    partitions: int | None,
    sets: tuple[str, ...],
    variants: tuple[str, ...],
    source: str,
    workers: int | None,
    store: Path | None,
) -> None:
    """Compute what the store lacks; killed at any time, a second run goes on where it was."""
    wanted = units(
        TABLES if table == "all" else (table,),
        quick=quick,
        partitions=partitions,
        sets=sets or tuple(SETS),
        variants=variants or tuple(VARIANTS),
        source=source,
    )
    if not wanted:
        raise RunError("no unit of work fits these options; choose tables and sets of the variant")
    run(wanted, Store(store or (QUICK_STORE if quick else STORE)), workers)


@main.command("public")
@click.option("--partitions", type=click.IntRange(1), default=PARTITIONS, show_default=True)
@click.option("--workers", type=click.IntRange(1), help="Processes; by default one a processor.")
@click.option("--store", type=_folder, default=PUBLIC_STORE, help="Folder of the results.")
@click.option("--output", type=_folder, default=HERE, help="Folder of the packed numbers.")
def public_command(partitions: int, workers: int | None, store: Path, output: Path) -> None:
    """Run the paper's setting on sets from packages and generators, and pack the numbers for the report."""
    run_public(partitions, store, output, f"{dt.datetime.now(dt.UTC):%Y-%m-%d}", workers)


@main.command("report")
@click.option("--store", type=_folder, help="Folder of a run, to be packed first; by default none.")
@click.option(
    "--output", type=_folder, default=HERE, help="Folder of the packed numbers, the pages, the pictures."
)
@click.option("--source", type=click.Choice(["auto", *SOURCES]), default="auto", show_default=True)
@click.option(
    "--date", type=click.DateTime(["%Y-%m-%d"]), help="Date of the run, as 2026-01-31; by default today."
)
@click.option("--draw/--no-draw", default=True, help="Draw the pictures, or keep those that are there.")
@click.option("--ledger/--no-ledger", default=False, help="Write the numbers of the claim ledger too.")
def report_command(
    store: Path | None,
    output: Path,
    source: str,
    date: dt.datetime | None,
    draw: bool,  # noqa: FBT001 (a flag of the command line)
    ledger: bool,  # noqa: FBT001 (the same)
) -> None:
    """Write pages and figures from the packed numbers of every partition."""
    # The pictures need matplotlib, which a run does without.
    from benchmarks.paper import packed
    from benchmarks.paper.document import write_documents
    from benchmarks.paper.figures import draw_all
    from benchmarks.paper.figures_findings import draw_findings
    from benchmarks.paper.report import findings, write_ledger
    from benchmarks.paper.results import read_results

    if store is not None:
        day = date or dt.datetime.now(dt.UTC)
        packed.pack(read_results(Store(store), source=source), output, f"{day:%Y-%m-%d}")
    elif date is not None:
        raise RunError("date must be given with a store, which it is the date of; leave --date out")
    found = replace(findings(*packed.unpack(output)), public=public_results(output))
    if draw:
        draw_all(output / "pictures", source)
        draw_findings(found, output / "pictures")
    if ledger:
        write_ledger(found, LEDGER)
    print("wrote " + ", ".join(str(page) for page in write_documents(found, output)))


@main.command("controlled")
@click.option("--seeds", type=click.IntRange(1), default=20, show_default=True)
@click.option(
    "--output", type=_folder, default=HERE, help="Folder for CONTROLLED.md, controlled.json, pictures."
)
def controlled_command(seeds: int, output: Path) -> None:
    """Vary ratio and concentration of contamination about known laws; a run takes ten minutes."""
    # The pictures need matplotlib.
    from benchmarks.paper.controlled import run as run_controlled
    from benchmarks.paper.controlled_page import write as write_controlled

    write_controlled(run_controlled(seeds), output)
    print(f"wrote {output / 'CONTROLLED.md'} and {output / 'controlled.json'}")


if __name__ == "__main__":
    try:
        main()
    except (DataError, RunError, StoreError, OSError) as error:
        sys.exit(f"error: {error}")

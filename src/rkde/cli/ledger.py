"""`rkde ledger`: every claim of the paper with its verdict and its evidence."""

import json
import sys
from collections.abc import Iterator
from textwrap import shorten
from typing import Final

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from rkde.cli.failures import UnusableError
from rkde.proofs_checks.claim import SOURCES, Level, ProofClass, Source, Verdict
from rkde.proofs_checks.ledger import LedgerEntry, count_line, detail_lines, ledger_as_json, load_ledger
from rkde.proofs_checks.places import in_print

# What a report on standard output is wide where there is no terminal to ask.
_PIPE_WIDTH: Final = 120
# Of so many claims the table has the whole statements.
_FEW: Final = 20
# Columns of characters: the least of a statement that is cut, and what stands between two columns.
_LEAST_STATEMENT: Final = 30
_PADDING: Final = 3


@click.command()
@click.option(
    "--verdict", type=click.Choice(list(Verdict), case_sensitive=False), help="Show only this verdict."
)
@click.option("--level", type=click.Choice(list(Level), case_sensitive=False), help="Show only this level.")
@click.option(
    "--class",
    "proof_class",
    type=click.Choice(list(ProofClass), case_sensitive=False),
    help="Show only proofs of this class: how much a machine checked, from A (all) to D (the skeleton).",
)
@click.option(
    "--source",
    type=click.Choice(list(Source), case_sensitive=False),
    help="Show only this source: printed, implied or left unspecified by the paper.",
)
@click.option(
    "--section", help="Show only this section of the paper and its subsections, such as 6 or 6.1.2."
)
@click.option("--claim", "claim_id", help="Show one claim in full, by its identifier.")
@click.option("--json", "as_text", is_flag=True, help="Write the claims as JSON to standard output.")
@click.option("--write", is_flag=True, help="Regenerate ledger.json and LEDGER.md (in a checkout).")
def ledger(
    verdict: str | None,
    level: str | None,
    proof_class: str | None,
    source: str | None,
    section: str | None,
    claim_id: str | None,
    *,
    as_text: bool,
    write: bool,
) -> None:
    """Show the claims of the paper: what holds, what fails, and how firmly that is known.

    This reads the table that is shipped; `rkde verify` runs the checks behind it.
    """
    entries = _written() if write else load_ledger()
    chosen = [
        entry
        for entry in entries
        if verdict in (None, entry.verdict)
        and level in (None, entry.level)
        and proof_class in (None, entry.proof_class)
        and source in (None, entry.source)
        and _within(entry.section, section)
        and claim_id in (None, entry.id)
    ]
    if claim_id is not None and not chosen:
        raise UnusableError(
            f"no claim among those chosen has the identifier {claim_id!r}; use one that `rkde ledger` lists"
        )
    if as_text:
        click.echo(json.dumps(ledger_as_json(chosen), ensure_ascii=False))
        return
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    if claim_id is not None:
        for line in _in_full(chosen[0]):
            console.print(line, markup=False)
        return
    if not write:
        console.print(_table(chosen, console.width))
        console.print("rkde ledger --claim CLAIM shows a claim in full", markup=False)
    for line in (count_line(chosen), *detail_lines(chosen)):
        console.print(line, markup=False)


def _written() -> list[LedgerEntry]:
    from rkde.proofs_checks.ledger_write import write_ledger

    return write_ledger()


def _within(section: str, wanted: str | None) -> bool:
    return wanted is None or section == wanted or section.startswith(f"{wanted}.")


def _table(entries: list[LedgerEntry], width: int) -> Table:
    """Return one line a claim; of a few claims the whole statement."""
    titles = ("claim", "verdict", "level")
    judged = [(entry.id, entry.verdict, entry.level or "-") for entry in entries]
    widths = [max(map(len, column)) for column in zip(titles, *judged, strict=True)]
    room = max(_LEAST_STATEMENT, width - sum(widths) - _PADDING * (len(widths) + 2))
    table = Table(box=SIMPLE_HEAD)
    for title in titles:
        table.add_column(title, no_wrap=True)
    table.add_column("statement")
    for entry, row in zip(entries, judged, strict=True):
        said = entry.statement
        table.add_row(*row, said if len(entries) <= _FEW else shorten(said, room, placeholder=" ..."))
    return table


def _in_full(entry: LedgerEntry) -> Iterator[str]:
    firmness = [entry.level or "no level", *([f"class {entry.proof_class}"] if entry.proof_class else [])]
    yield f"{entry.id}: {entry.verdict}, {', '.join(firmness)}"
    yield f"Place: section {entry.section}, {in_print(entry.label)}; {entry.source}: {SOURCES[entry.source]}"
    yield from ("", entry.statement)
    if entry.hypotheses:
        yield f"Needs: {'; '.join(entry.hypotheses)}"
    yield from ("", f"Why: {entry.argument}")
    yield from (f"Under another reading: {line}" for line in entry.otherwise)
    if entry.follows_from:
        yield f"Composed of: {', '.join(entry.follows_from)}"
    if entry.cites:
        yield f"Relies on: {'; '.join(entry.cites)}"
    for each in entry.theorems:
        yield f"{'Formal' if each.whole else 'Formal in part'}: {each.name} in formal/{each.file}"
        yield f"  {each.says}"
        yield f"  axioms: {', '.join(each.axioms) or 'none'}"
    yield from ("", "Evidence:")
    for check in entry.checks:
        mark = "  (counterexample)" if check.name.rpartition("::")[2] in entry.counterexample else ""
        mark += "  (corroborates)" if check.corroborates else ""
        yield f"  {check.level:<9}  {check.name}{mark}"
    for hypothesis, witness in entry.necessity:
        yield f"  without {hypothesis!r}: {witness}"
    yield from ("", "Planted faults:")
    for fault in entry.faults:
        yield f"  {fault.name} ({fault.kind}), caught by {', '.join(fault.caught_by)}"
    if not entry.faults:
        reason = "those of its parts" if entry.follows_from else "the claim is open"
        yield f"  none of its own: {entry.no_fault or reason}"
    family = entry.id.partition(".")[0]
    yield from ("", "Run again:")
    yield f"  python -m pytest -p rkde.proofs_checks.plugin --pyargs {entry.module}"
    yield f"  python -m rkde.proofs_checks.faults {family}"

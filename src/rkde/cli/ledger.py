"""`rkde ledger`: every claim of the paper with its verdict and its evidence."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import ClassVar, Final

import click
from rich.console import Console
from rich.table import Table

from rkde.cli.failures import EXIT_BAD_INPUT
from rkde.proofs_checks.claim import Level, Verdict
from rkde.proofs_checks.ledger import LedgerEntry, count_line, ledger_as_json, load_ledger

# What a report on standard output is wide where there is no terminal to ask.
_PIPE_WIDTH: Final = 120


class UnknownClaimError(click.ClickException):
    """No claim has this identifier."""

    exit_code: ClassVar[int] = EXIT_BAD_INPUT


@click.command()
@click.option("--verdict", type=click.Choice(list(Verdict), case_sensitive=False), help="Only this verdict.")
@click.option("--level", type=click.Choice(list(Level), case_sensitive=False), help="Only this level.")
@click.option("--section", help="Only this section of the paper and those within it, as 6 or 6.1.2.")
@click.option("--claim", "claim_id", help="Show one claim in full, by its identifier.")
@click.option("--json", "as_text", is_flag=True, help="Write the claims for programs to standard output.")
@click.option("--write", is_flag=True, help="Generate ledger.json and LEDGER.md anew (in a checkout).")
def ledger(
    verdict: str | None,
    level: str | None,
    section: str | None,
    claim_id: str | None,
    *,
    as_text: bool,
    write: bool,
) -> None:
    """Show the claims of the paper: what holds, what fails, and how firmly that is known.

    Reads the table that is shipped; `rkde verify` runs the checks behind it.
    """
    entries = _written() if write else load_ledger()
    chosen = [
        entry
        for entry in entries
        if verdict in (None, entry.verdict)
        and level in (None, entry.level)
        and _within(entry.section, section)
        and claim_id in (None, entry.id)
    ]
    if claim_id is not None and not chosen:
        raise UnknownClaimError(f"no claim {claim_id!r} among those chosen; `rkde ledger` lists them")
    if as_text:
        click.echo(json.dumps(ledger_as_json(chosen), ensure_ascii=False))
        return
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    if claim_id is not None:
        for line in _in_full(chosen[0]):
            console.print(line, markup=False)
        return
    console.print(_table(chosen))
    console.print(count_line(chosen), markup=False)


def _written() -> list[LedgerEntry]:
    from rkde.proofs_checks.ledger_write import write_ledger

    return write_ledger()


def _within(section: str, wanted: str | None) -> bool:
    return wanted is None or section == wanted or section.startswith(f"{wanted}.")


def _table(entries: list[LedgerEntry]) -> Table:
    table = Table("section", "claim", "verdict", "level", "checks", "faults", "statement")
    for entry in entries:
        counts = (str(len(entry.checks)), str(len(entry.faults)))
        table.add_row(entry.section, entry.id, entry.verdict, entry.level, *counts, entry.statement)
    return table


def _in_full(entry: LedgerEntry) -> Iterator[str]:
    yield f"{entry.id}: {entry.verdict}, {entry.level}"
    yield f"Place: section {entry.section}, {entry.label}"
    yield from ("", entry.statement)
    if entry.hypotheses:
        yield f"Needs: {'; '.join(entry.hypotheses)}"
    yield from ("", f"Why: {entry.argument}", "", "Evidence:")
    for check in entry.checks:
        mark = "  (counterexample)" if check.name.rpartition("::")[2] in entry.counterexample else ""
        yield f"  {check.level:<9}  {check.name}{mark}"
    for hypothesis, witness in entry.necessity:
        yield f"  without {hypothesis!r}: {witness}"
    yield from ("", "Planted faults:")
    for fault in entry.faults:
        yield f"  {fault.name}, caught by {', '.join(fault.caught_by)}"
    if not entry.faults:
        yield f"  none: {entry.no_fault or 'the claim is open'}"
    family = entry.id.partition(".")[0]
    yield from ("", "Run again:")
    yield f"  python -m pytest -p rkde.proofs_checks.plugin --pyargs {entry.module}"
    yield f"  python -m rkde.proofs_checks.faults {family}"

"""The tables that `rkde verify` prints for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from rkde.conformance.check import CaseResult, Outcome
from rkde.conformance.report import spell_digits, summarise

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult

# A wrong implementation fails in hundreds of cases at once; the first ones tell what is wrong.
MAX_FAILURES: Final = 20
_MAX_MESSAGE: Final = 300


def operations_table(implementation: str, results: Sequence[CaseResult]) -> Table:
    """Draw counts, worst digits and time by operation.

    Parameters
    ----------
    implementation : str
        Who was checked.
    results : sequence of CaseResult
        What the cases showed.

    Returns
    -------
    rich.table.Table
    """
    table = Table(title=f"Golden vectors, {implementation} implementation", title_justify="left")
    table.add_column("operation")
    for heading in ("cases", "passed", "failed", "unsupported", "worst digits"):
        table.add_column(heading, justify="right")
    table.add_column("worst case", overflow="fold")
    table.add_column("time", justify="right")
    for row in summarise(results):
        table.add_row(
            row.op,
            str(row.cases),
            str(row.passed),
            Text(str(row.failed), style="bold red" if row.failed else ""),
            str(row.unsupported),
            spell_digits(row.worst_digits),
            row.worst_id,
            f"{row.seconds:.2f} s",
        )
    return table


def claims_table(results: Sequence[ClaimResult]) -> Table:
    """Draw verdict, level, number of checks and time by claim.

    Parameters
    ----------
    results : sequence of ClaimResult
        What the claims' checks said.

    Returns
    -------
    rich.table.Table
    """
    table = Table(title="Claims of the paper", title_justify="left")
    for heading in ("claim", "paper's statement", "level"):
        table.add_column(heading, overflow="fold")
    table.add_column("checks", justify="right")
    table.add_column("result")
    table.add_column("time", justify="right")
    for claim in results:
        outcome = Text("passed") if claim.passed else Text("FAILED", style="bold red")
        table.add_row(
            claim.id,
            str(claim.verdict),
            str(claim.level),
            str(claim.n_checks),
            outcome,
            f"{claim.seconds:.2f} s",
        )
    return table


def failures(cases: Sequence[CaseResult], claims: Sequence[ClaimResult]) -> Iterator[str]:
    """Yield a line for each of the first failed cases and claims, and how many more there are of either."""
    yield from _first([(case.id, case.message) for case in cases if case.outcome is Outcome.FAILED], "cases")
    yield from _first(
        [(claim.id, claim.message or "no check ran") for claim in claims if not claim.passed], "claims"
    )


def _first(found: list[tuple[str, str]], what: str) -> Iterator[str]:
    for name, message in found[:MAX_FAILURES]:
        yield f"FAILED {name}: {' '.join(message.split())[:_MAX_MESSAGE]}"
    if len(found) > MAX_FAILURES:
        yield f"... and {len(found) - MAX_FAILURES} more {what}"

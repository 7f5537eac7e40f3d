"""The tables that `rkde verify` prints for people."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from rkde.conformance import Balance, CaseResult, Level, LevelCount, Outcome, spell_digits, summarise

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult

# A wrong implementation fails in hundreds of cases at once; the first ones tell what is wrong.
MAX_FAILURES: Final = 20
_MAX_MESSAGE: Final = 300


def operations_table(implementation: str, results: Sequence[CaseResult], *, has_levels: bool) -> Table:
    """Draw counts, worst digits and time by operation; cases at other levels count as not judged."""
    table = Table(title=Text(f"Golden vectors, {implementation}"), title_justify="left")
    table.add_column("operation")
    lacking = "not judged" if has_levels else "unsupported"
    for heading in ("cases", "passed", "failed", lacking, "not run", "ordinary digits", "least digits"):
        table.add_column(heading, justify="right")
    table.add_column("worst case", overflow="fold")
    table.add_column("time", justify="right")
    difficult = {result.id for result in results if "ILL_CONDITIONED" in result.flags}
    for row in summarise(results):
        table.add_row(
            row.op,
            str(row.cases),
            str(row.passed),
            Text(str(row.failed), style="bold red" if row.failed else ""),
            str(row.unsupported),
            str(row.not_run),
            spell_digits(row.ordinary_digits),
            spell_digits(row.worst_digits),
            Text(row.worst_id + (" (ill-conditioned)" if row.worst_id in difficult else "")),
            f"{row.seconds:.2f} s",
        )
    return table


def levels_table(counts: Mapping[Level, LevelCount], counted: Collection[Level] | None) -> Table:
    """Draw counts by level."""
    table = Table(title="Levels", title_justify="left")
    table.add_column("level")
    for heading in ("cases", "passed", "failed", "not given", "not run"):
        table.add_column(heading, justify="right")
    table.add_column("decides")
    for level, count in counts.items():
        table.add_row(
            str(level),
            str(count.total),
            str(count.passed),
            Text(str(count.failed), style="bold red" if count.failed else ""),
            str(count.absent),
            str(count.not_run),
            "yes" if counted is None or level in counted else "no",
        )
    return table


def known_lines(found: Balance | None) -> Iterator[str]:
    """Yield what a list of known failures does not account for."""
    for identity in found.passed if found is not None else ():
        yield f"PASSED {identity}: listed as a known failure; take it off the list, or use --fix"
    for identity in found.unknown if found is not None else ():
        yield (
            f"UNKNOWN {identity}: listed as a known failure, but no case has this name; delete the line, or "
            "run the folder that holds the case"
        )


def claims_table(results: Sequence[ClaimResult]) -> Table:
    """Draw verdict, level, number of checks and time by claim."""
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
            str(claim.level or "-"),
            str(claim.n_checks),
            outcome,
            f"{claim.seconds:.2f} s",
        )
    return table


def failures(cases: Sequence[CaseResult], claims: Sequence[ClaimResult]) -> Iterator[str]:
    """Yield a line for each of the first failed cases and claims, and how many more there are of either.

    Cases that failed at the core come first.
    """
    failed = sorted((case for case in cases if case.outcome is Outcome.FAILED), key=_rank)
    yield from _first([(_name(case), case.message) for case in failed], "cases")
    not_run = [case for case in cases if case.outcome is Outcome.NOT_RUN]
    if not_run:
        yield f"NOT RUN: {len(not_run)} cases from {not_run[0].id} on: {not_run[0].message}"
    yield from _first(
        [(claim.id, claim.message or "no check ran") for claim in claims if not claim.passed], "claims"
    )


def _rank(case: CaseResult) -> int:
    """Return the place of the first level at which a case failed."""
    ended = [part.level for part in case.parts if part.outcome is Outcome.FAILED]
    return min((tuple(Level).index(level) for level in ended), default=len(Level))


def _name(case: CaseResult) -> str:
    return f"{case.id} (ill-conditioned)" if "ILL_CONDITIONED" in case.flags else case.id


def _first(found: list[tuple[str, str]], what: str) -> Iterator[str]:
    for name, message in found[:MAX_FAILURES]:
        yield f"FAILED {name}: {' '.join(message.split())[:_MAX_MESSAGE]}"
    if len(found) > MAX_FAILURES:
        yield f"... and {len(found) - MAX_FAILURES} more {what}"

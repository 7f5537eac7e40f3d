"""What `rkde verify` found, for people and for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

from rkde import __version__
from rkde.cli.verify_options import FULL
from rkde.cli.verify_run import VectorsRun
from rkde.cli.verify_tables import claims_table, failures, known_lines, levels_table, operations_table
from rkde.conformance import (
    OPTIONAL_HELLO,
    OperationSummary,
    Outcome,
    all_passed,
    as_json,
    count_levels,
    counts_as_json,
    finite_digits,
    sentences,
    summarise,
)
from rkde.machine import machine_facts

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult

# The pattern of a program that ends its iteration by a rule of its own, as the paper's rule does.
STOPPED_EARLY: Final = "stopped-early"
# How wide a report on standard output is where there is no terminal to ask.
_PIPE_WIDTH: Final = 150


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run showed; `claims` is None where they were left out."""

    vectors: VectorsRun
    claims: list[ClaimResult] | None

    @property
    def passed(self) -> bool:
        """True if every part that was asked for ran, and passed, or failed as is known."""
        found = self.vectors.balance
        return self.claims_passed and (all_passed(self.vectors.cases) if found is None else found.holds)

    @property
    def claims_passed(self) -> bool:
        """True if the claims were left out, or ran and passed."""
        return self.claims is None or (bool(self.claims) and all(claim.passed for claim in self.claims))

    @property
    def sentences(self) -> dict[str, str]:
        """One for each operation: how far it is right."""
        stopped = [
            case
            for diagnosis in self.vectors.diagnoses
            if diagnosis.name == STOPPED_EARLY
            for case in diagnosis.cases
        ]
        return sentences(self.vectors.cases, stopped)

    @property
    def troubled(self) -> list[str]:
        """The sentences of operations that have failed cases, or cases that were not run."""
        return [self.sentences[row.op] for row in summarise(self.vectors.cases) if row.failed or row.not_run]


def show(report: Report) -> None:
    """Print tables, failures, diagnoses and the verdict to standard output."""
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    console.print(
        operations_table(
            report.vectors.name, report.vectors.cases, has_levels=report.vectors.levels is not None
        )
    )
    console.print(levels_table(count_levels(report.vectors.cases), report.vectors.levels))
    if report.claims is not None:
        console.print(claims_table(report.claims))
    for line in _lines(report):
        console.print(line, markup=False, soft_wrap=True)
    console.print(verdict(report), markup=False)


def _lines(report: Report) -> Iterator[str]:
    """Yield what is said below the tables."""
    found = report.vectors
    yield from report.troubled
    unknown = [case for case in found.cases if case.id not in (found.known or {})]
    yield from failures(unknown, report.claims or [])
    yield from known_lines(found.balance)
    yield from (f"diagnosis: {diagnosis}" for diagnosis in found.diagnoses)
    if found.adapter and found.adapter["note"]:
        yield f"note: {found.adapter['note']}"


def to_json(report: Report) -> str:
    """Return the report as one line of strict JSON."""
    found = report.vectors
    claims = report.claims
    return _report_text(
        found.folder,
        implementation=found.name,
        adapter=found.adapter,
        passed=report.passed,
        operations=[_operation_for_programs(row, report.sentences[row.op]) for row in summarise(found.cases)],
        levels=counts_as_json(count_levels(found.cases)),
        counted=[FULL] if found.levels is None else [str(level) for level in found.levels],
        tolerance=found.tolerance,
        known_failures=None if found.balance is None else asdict(found.balance),
        cases=as_json(found.cases, found.asked, found.known),
        diagnoses=[asdict(diagnosis) for diagnosis in found.diagnoses],
        claims=None if claims is None else [_claim_for_programs(claim) for claim in claims],
    )


def failure_to_json(reason: str, command: str | None, folder: Path) -> str:
    """Return the report of a run that did not take place: the same fields, and why."""
    names = ("command", "name", "version", "note", *OPTIONAL_HELLO)
    about = None if command is None else {**dict.fromkeys(names, ""), "command": command}
    return _report_text(folder, adapter=about, error=reason)


def _report_text(folder: Path, **fields: object) -> str:
    report = {
        "format": "rkde-verify",
        "version": 1,
        "rkde": __version__,
        "machine": machine_facts(),
        "implementation": None,
        "adapter": None,
        "vectors": str(folder),
        "passed": False,
        "error": None,
        "operations": [],
        "levels": {},
        "counted": [FULL],
        "tolerance": None,
        "known_failures": None,
        "cases": [],
        "diagnoses": [],
        "claims": None,
    }
    return json.dumps({**report, **fields}, allow_nan=False)


def verdict(report: Report) -> str:
    """Say in one line how the run ended."""
    claims: Sequence[ClaimResult] = report.claims or []
    found = report.vectors
    asked = sum(case.outcome is not Outcome.UNSUPPORTED for case in found.cases)
    count = f"{asked} cases" + (f" and {len(claims)} claims" if report.claims is not None else "")
    lacking = len(found.cases) - asked - found.elsewhere
    rest = f"; {lacking} cases are unsupported" if lacking else ""
    rest += f"; {found.elsewhere} cases are at other levels" if found.elsewhere else ""
    if found.levels is not None:
        count += f" at the level{'s' * (len(found.levels) > 1)} {', '.join(found.levels)}"
    if found.balance is not None:
        failed = sum(case.outcome in (Outcome.FAILED, Outcome.NOT_RUN) for case in found.cases)
        known = failed - len(found.balance.unlisted)
        rest = (f"; known failures among them: {known}" if known else "") + rest
    return (f"passed: {count}" if report.passed else f"FAILED: not all of {count} passed") + rest


def _operation_for_programs(row: OperationSummary, sentence: str) -> dict[str, object]:
    fields = {name: value for name, value in asdict(row).items() if name != "levels"}
    digits = {
        name: finite_digits(fields[name]) for name in ("worst_digits", "ordinary_digits", "edge_digits")
    }
    return {**fields, **digits, "levels": counts_as_json(row.levels), "sentence": sentence}


def _claim_for_programs(claim: ClaimResult) -> dict[str, object]:
    return {
        "id": claim.id,
        "label": claim.label,
        "verdict": str(claim.verdict),
        "level": None if claim.level is None else str(claim.level),
        "passed": claim.passed,
        "checks": claim.n_checks,
        "seconds": claim.seconds,
        "message": claim.message,
    }

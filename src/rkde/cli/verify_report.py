"""What `rkde verify` found, for people and for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

from rkde import __version__
from rkde.cli.verify_run import VectorsRun
from rkde.cli.verify_tables import claims_table, failures, operations_table
from rkde.conformance import Outcome, all_passed, as_json, finite_digits, summarise
from rkde.machine import machine_facts

if TYPE_CHECKING:
    from rkde.proofs_checks import ClaimResult

# How wide a report on standard output is where there is no terminal to ask.
_PIPE_WIDTH: Final = 140


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one run showed; `claims` is None where they were left out."""

    vectors: VectorsRun
    claims: list[ClaimResult] | None

    @property
    def passed(self) -> bool:
        """True if every part that was asked for ran, and passed."""
        claims = self.claims is None or (bool(self.claims) and all(claim.passed for claim in self.claims))
        return all_passed(self.vectors.cases) and claims


def show(report: Report) -> None:
    """Print tables, failures, diagnoses and the verdict to standard output."""
    console = Console(width=None if sys.stdout.isatty() else _PIPE_WIDTH, highlight=False)
    console.print(operations_table(report.vectors.name, report.vectors.cases))
    if report.claims is not None:
        console.print(claims_table(report.claims))
    for line in failures(report.vectors.cases, report.claims or []):
        console.print(line, markup=False, soft_wrap=True)
    for diagnosis in report.vectors.diagnoses:
        console.print(f"diagnosis: {diagnosis}", markup=False, soft_wrap=True)
    note = report.vectors.adapter["note"] if report.vectors.adapter else ""
    if note:
        console.print(f"note: {note}", markup=False, soft_wrap=True)
    console.print(_verdict(report), markup=False)


def to_json(report: Report) -> str:
    """Return the report as one line of strict JSON."""
    found = report.vectors
    rows = [
        {**asdict(row), "worst_digits": finite_digits(row.worst_digits)} for row in summarise(found.cases)
    ]
    claims = report.claims
    return _report_text(
        found.folder,
        implementation=found.name,
        adapter=found.adapter,
        passed=report.passed,
        operations=rows,
        cases=as_json(found.cases),
        diagnoses=[asdict(diagnosis) for diagnosis in found.diagnoses],
        claims=None if claims is None else [_claim_for_programs(claim) for claim in claims],
    )


def failure_to_json(reason: str, command: str | None, folder: Path) -> str:
    """Return the report of a run that did not take place: the same fields, and why.

    Parameters
    ----------
    reason : str
        What is wrong with the vectors, the adapter or the installation.
    command : str or None
        How the adapter was to be started, if there was to be one.
    folder : Path
        Holds the vector files, or should.
    """
    about = None if command is None else {"command": command, "name": "", "version": "", "note": ""}
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
        "cases": [],
        "diagnoses": [],
        "claims": None,
    }
    return json.dumps({**report, **fields}, allow_nan=False)


def _verdict(report: Report) -> str:
    claims: Sequence[ClaimResult] = report.claims or []
    cases = report.vectors.cases
    asked = sum(case.outcome is not Outcome.UNSUPPORTED for case in cases)
    count = f"{asked} cases" + (f" and {len(claims)} claims" if report.claims is not None else "")
    rest = f"; {len(cases) - asked} cases are unsupported" if asked < len(cases) else ""
    return (f"passed: {count}" if report.passed else f"FAILED: not all of {count} passed") + rest


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

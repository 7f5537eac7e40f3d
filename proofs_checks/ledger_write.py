"""Build the ledger from the files of claims and write ``ledger.json`` and ``LEDGER.md``."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from rkde.errors import RkdeError
from rkde.proofs_checks.audit import audit_compositions
from rkde.proofs_checks.claim import Claim, checks_of, evidence_of
from rkde.proofs_checks.faults import Fault, all_claims, all_faults
from rkde.proofs_checks.faults.fault import check_module
from rkde.proofs_checks.formal import record
from rkde.proofs_checks.ledger import (
    LEDGER_FILE,
    CheckEntry,
    FaultEntry,
    LedgerEntry,
    TheoremEntry,
    ledger_as_json,
)
from rkde.proofs_checks.ledger_page import page
from rkde.proofs_checks.places import in_words

FOLDER: Final = Path(__file__).resolve().parent
MARKDOWN_FILE: Final = "LEDGER.md"
_INDENT: Final = 1


def build_ledger() -> list[LedgerEntry]:
    """Import every file of claims and return the ledger, in the order of the paper's sections."""
    faults, claims = all_faults(), all_claims()
    problems = audit_compositions(claims)
    if problems:
        raise RkdeError("the ledger is broken: " + "; ".join(problems), remedy="correct the claims")
    entries = [_entry(claim, faults) for claim in claims]
    return sorted(entries, key=lambda entry: _place(entry.section))


def ledger_texts(entries: list[LedgerEntry]) -> dict[str, str]:
    """Return the text of each generated file by its name."""
    table = json.dumps(ledger_as_json(entries), indent=_INDENT, ensure_ascii=False) + "\n"
    return {LEDGER_FILE: table, MARKDOWN_FILE: "\n".join(page(entries)) + "\n"}


def write_ledger() -> list[LedgerEntry]:
    """Build the ledger, write both files beside the claims, and return it."""
    entries = build_ledger()
    for name, text in ledger_texts(entries).items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")
    return entries


def _entry(claim: Claim, faults: list[Fault]) -> LedgerEntry:
    module = check_module(claim.id.partition(".")[0])
    checks = [
        CheckEntry(f"{module.__name__.rpartition('.')[2]}.py::{name}", item.level, item.corroborates)
        for name, check in checks_of(module)
        for item in evidence_of(check)
        if item.claim.id == claim.id
    ]
    named = [
        FaultEntry(fault.name, str(fault.kind), fault.checks) for fault in faults if claim.id in fault.claims
    ]
    if claim.source is None:
        raise RkdeError(f"the ledger is broken: claim {claim.id} does not state its source", remedy="add it")
    stated: dict[str, Any] = {field.name: getattr(claim, field.name) for field in fields(claim)}
    return LedgerEntry(
        **stated
        | {
            "hypotheses": tuple(map(in_words, claim.hypotheses)),
            "necessity": tuple((in_words(hypothesis), check) for hypothesis, check in claim.necessity),
        },
        theorems=tuple(
            TheoremEntry(each.name, each.file, each.says, each.axioms, each.whole)
            for each in record.shipped().theorems
            if each.claim == claim.id
        ),
        checks=tuple(checks),
        faults=tuple(named),
    )


def _place(section: str) -> tuple[int, ...]:
    """Sort key of a section number; the abstract comes first."""
    return tuple(int(part) if part.isdigit() else 0 for part in section.split("."))

"""The ledger as it is shipped: a table of every claim, read from ``ledger.json`` without running anything."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from importlib.resources import files
from typing import Any, Final

from rkde.proofs_checks.claim import Level, ProofClass, Source, Verdict

LEDGER_FILE: Final = "ledger.json"
LEDGER_FORMAT: Final = "rkde-ledger"
LEDGER_VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One check: its name as pytest prints it, ``check_<family>.py::check_<name>``, and its level."""

    name: str
    level: Level
    corroborates: bool


@dataclass(frozen=True, slots=True)
class TheoremEntry:
    """One formal theorem: its name and file, its words, its axioms, and whether it says all of the claim.

    Of several theorems that say all of a claim together, each is `whole`.
    """

    name: str
    file: str
    says: str
    axioms: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """One planted fault: the mistake, what it breaks, and its detectors as ``family.check_name``."""

    name: str
    kind: str
    caught_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One claim with its evidence; the fields of `rkde.proofs_checks.claim.Claim`, and what backs it."""

    id: str
    label: str
    section: str
    statement: str
    source: Source
    hypotheses: tuple[str, ...]
    verdict: Verdict
    level: Level | None
    proof_class: ProofClass | None
    follows_from: tuple[str, ...]
    cites: tuple[str, ...]
    otherwise: tuple[str, ...]
    theorems: tuple[TheoremEntry, ...]
    checks: tuple[CheckEntry, ...]
    faults: tuple[FaultEntry, ...]
    argument: str
    counterexample: tuple[str, ...]
    necessity: tuple[tuple[str, str], ...]
    no_fault: str

    @property
    def module(self) -> str:
        """The module that holds the claim and its checks."""
        return f"rkde.proofs_checks.check_{self.id.partition('.')[0]}"


def load_ledger() -> list[LedgerEntry]:
    """Return the ledger of the installed package, in the order of the paper."""
    text = files("rkde.proofs_checks").joinpath(LEDGER_FILE).read_text(encoding="utf-8")
    return [_entry(claim) for claim in json.loads(text)["claims"]]


def ledger_as_json(entries: Iterable[LedgerEntry]) -> dict[str, object]:
    """Return what ``ledger.json`` holds for these claims."""
    claims = [asdict(entry) for entry in entries]
    return {"format": LEDGER_FORMAT, "version": LEDGER_VERSION, "claims": claims}


def count_line(entries: Sequence[LedgerEntry]) -> str:
    """Return the counts in one line: claims, verdicts, levels, faults, and what lacks evidence."""
    n_faults = len({fault.name for entry in entries for fault in entry.faults})
    bare = sum(not entry.checks and not entry.follows_from for entry in entries)
    return (
        f"{len(entries)} claims: {_said(Verdict, [entry.verdict for entry in entries])}; "
        f"{_said(Level, [entry.level for entry in entries])}; "
        f"{n_faults} planted faults; {bare} without evidence"
    )


def detail_lines(entries: Sequence[LedgerEntry]) -> list[str]:
    """Return the counts by source, class and kind of fault, one a line; FAILS by source apart."""
    failed = [entry.source for entry in entries if entry.verdict is Verdict.FAILS]
    faults = {fault.name: fault.kind for entry in entries for fault in entry.faults}
    composed = sum(bool(entry.follows_from) for entry in entries)
    return [
        f"by source: {_said(Source, [entry.source for entry in entries])}",
        f"FAILS by source: {_said(Source, failed) or 'none'}",
        f"PROVED by class: {_said(ProofClass, [entry.proof_class for entry in entries]) or 'none'}",
        f"composed of other claims: {composed}",
        "faults by what they break: "
        + ", ".join(f"{count} {kind}" for kind, count in sorted(Counter(faults.values()).items())),
    ]


def _said(kinds: type[StrEnum], found: Iterable[StrEnum | None]) -> str:
    """Return how often each kind was found, in the order of the kinds."""
    counts = Counter(found)
    return ", ".join(f"{counts[kind]} {kind}" for kind in kinds if counts[kind]) or "none"


def _entry(claim: dict[str, Any]) -> LedgerEntry:
    """Build an entry from its JSON object."""
    level, proof_class = claim["level"], claim["proof_class"]
    made = {name: tuple(value) if isinstance(value, list) else value for name, value in claim.items()} | {
        "necessity": tuple(map(tuple, claim["necessity"])),
        "source": Source(claim["source"]),
        "verdict": Verdict(claim["verdict"]),
        "level": None if level is None else Level(level),
        "proof_class": None if proof_class is None else ProofClass(proof_class),
        "theorems": tuple(
            TheoremEntry(**each | {"axioms": tuple(each["axioms"])}) for each in claim["theorems"]
        ),
        "checks": tuple(CheckEntry(**each | {"level": Level(each["level"])}) for each in claim["checks"]),
        "faults": tuple(
            FaultEntry(**each | {"caught_by": tuple(each["caught_by"])}) for each in claim["faults"]
        ),
    }
    return LedgerEntry(**made)

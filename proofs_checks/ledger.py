"""The ledger as it is shipped: a table of every claim, read from ``ledger.json`` without running anything."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Final

from rkde.proofs_checks.claim import Level, Verdict

LEDGER_FILE: Final = "ledger.json"
LEDGER_FORMAT: Final = "rkde-ledger"
LEDGER_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class CheckEntry:
    """One check: its name as pytest prints it, ``check_<family>.py::check_<name>``, and its level."""

    name: str
    level: Level


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """One planted fault: the mistake, and the checks that notice it as ``family.check_name``."""

    name: str
    caught_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One claim with its evidence; the fields of `rkde.proofs_checks.claim.Claim`, and what backs it."""

    id: str
    label: str
    section: str
    statement: str
    hypotheses: tuple[str, ...]
    verdict: Verdict
    level: Level
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
    verdicts = Counter(entry.verdict for entry in entries)
    levels = Counter(entry.level for entry in entries)
    parts = [f"{verdicts[verdict]} {verdict}" for verdict in Verdict if verdicts[verdict]]
    levels_said = [f"{levels[level]} {level}" for level in Level if levels[level]]
    n_faults = len({fault.name for entry in entries for fault in entry.faults})
    bare = sum(not entry.checks for entry in entries)
    return (
        f"{len(entries)} claims: {', '.join(parts)}; {', '.join(levels_said)}; "
        f"{n_faults} planted faults; {bare} without evidence"
    )


def _entry(claim: dict[str, object]) -> LedgerEntry:
    """Build an entry from its JSON object."""
    text = {
        name: str(claim[name]) for name in ("id", "label", "section", "statement", "argument", "no_fault")
    }
    return LedgerEntry(
        **text,
        hypotheses=tuple(_strings(claim["hypotheses"])),
        verdict=Verdict(str(claim["verdict"])),
        level=Level(str(claim["level"])),
        checks=tuple(CheckEntry(str(c["name"]), Level(str(c["level"]))) for c in _objects(claim["checks"])),
        faults=tuple(
            FaultEntry(str(f["name"]), tuple(_strings(f["caught_by"]))) for f in _objects(claim["faults"])
        ),
        counterexample=tuple(_strings(claim["counterexample"])),
        necessity=tuple((first, second) for first, second in map(_strings, _lists(claim["necessity"]))),
    )


def _lists(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _strings(value: object) -> list[str]:
    return [str(item) for item in _lists(value)]


def _objects(value: object) -> list[dict[str, object]]:
    return [item for item in _lists(value) if isinstance(item, dict)]

"""What the last complete check found, as it is shipped: files, theorems and axioms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from rkde.proofs_checks.formal.sources import FOLDER, Theorem, digest, needed, theorems

RECORD: Final = "checked.json"


@dataclass(frozen=True, slots=True)
class Checked:
    """A theorem as it was checked: its name, file, claim, words and axioms, and whether it says it all."""

    name: str
    file: str
    claim: str
    says: str
    axioms: tuple[str, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Record:
    """The version of Coq, the digests of the files by name, and the theorems."""

    coq: str
    files: dict[str, str]
    theorems: tuple[Checked, ...]


def made(coq: str, folder: Path, listed: Sequence[Theorem], axioms: dict[str, tuple[str, ...]]) -> Record:
    """Return the record of a check that has just been made."""
    checked = [
        Checked(each.name, each.file, each.claim, each.says, axioms[each.full_name], each.whole)
        for each in listed
    ]
    files = {path.name: digest(path) for path in sorted(folder.glob("*.v"))}
    return Record(coq, files, tuple(sorted(checked, key=lambda each: (each.claim, each.file, each.name))))


def written(record: Record) -> str:
    """Return the text of the record's file."""
    return json.dumps(asdict(record), indent=1) + "\n"


def shipped(folder: Path = FOLDER) -> Record:
    """Read the record of a folder."""
    table = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    rows = [replace(Checked(**row), axioms=tuple(row["axioms"])) for row in table["theorems"]]
    return Record(table["coq"], table["files"], tuple(rows))


def differences(recorded: Record, found: Record) -> list[str]:
    """Return where a check found something other than what is recorded, whatever the version of Coq."""
    names = sorted(recorded.files.keys() | found.files.keys())
    problems = [
        f"{name}: is not the file that was checked"
        for name in names
        if recorded.files.get(name) != found.files.get(name)
    ]
    changed = set(recorded.theorems) ^ set(found.theorems)
    return problems + [f"{name}: is recorded otherwise" for name in sorted({each.name for each in changed})]


@cache
def stale(folder: Path = FOLDER) -> dict[str, str]:
    """Return by file where a folder's record does not belong to its files; nothing is compiled."""
    recorded = shipped(folder).files
    there = {path.name: digest(path) for path in folder.glob("*.v")}
    return {
        name: f"{name} is not the file that was checked; run `python -m rkde.proofs_checks.formal --write`"
        for name in sorted(recorded.keys() | there.keys())
        if recorded.get(name) != there.get(name)
    }


def unrecorded(claim: str) -> list[str]:
    """Return what is wrong with the record of a claim's theorems: a changed file, a theorem not checked."""
    known = {(each.name, each.file) for each in shipped().theorems if each.claim == claim}
    mine = [each for each in theorems() if each.claim == claim]
    required = needed(FOLDER)
    files = sorted(
        {name for each in mine for name in (each.file, *required.get(each.file, ()))} & stale().keys()
    )
    missing = [f"{each.name} was not checked" for each in mine if (each.name, each.file) not in known]
    return [stale()[name] for name in files] + missing

"""Results on disk: one file for each unit, written whole or not at all."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.paper.partitions import EPSILONS, SEED
from benchmarks.paper.unit import Record, Unit
from benchmarks.paper.variants import VARIANTS
from rkde.files import write_atomically

# Raised whenever a unit's numbers or fields change: older files are then refused, not mixed in.
FORMAT: Final = 3


class StoreError(Exception):
    """A file of the store is unreadable or was made by other settings."""


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of units."""

    folder: Path

    def path(self, unit: Unit) -> Path:
        """Return where a unit's file stands."""
        return self._folder(unit) / f"{unit.partition:03d}-{''.join(unit.tables)}.json"

    def has(self, unit: Unit) -> bool:
        """Tell whether a file holds all that the unit asks for."""
        return self.find(unit) is not None

    def find(self, unit: Unit) -> Path | None:
        """Return the file that holds all tables of the unit, if there is one."""
        for path in sorted(self._folder(unit).glob(f"{unit.partition:03d}-*.json")):
            if set(unit.tables) <= set(path.stem.partition("-")[2]):
                return path
        return None

    def write(self, unit: Unit, record: Record) -> None:
        """Write a unit whole or not at all."""
        path = self.path(unit)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps(record | {"settings": digest(unit)}).encode())

    def read(self, unit: Unit) -> Record:
        """Return the record of a unit."""
        path = self.find(unit)
        if path is None:
            raise StoreError(f"{self.path(unit)} does not exist; run it first")
        try:
            record: Record = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise StoreError(f"{path} is damaged ({error}); delete it and run again") from error
        if not isinstance(record, dict) or "settings" not in record:
            raise StoreError(f"{path} is damaged (it holds no record); delete it and run again")
        if record["settings"] != digest(unit):
            raise StoreError(f"{path} was made with other settings; use another store")
        if unit.source not in ("auto", record.get("source")):
            raise StoreError(
                f"{path} has its rows from the source {record.get('source')!r}, "
                f"not {unit.source!r}; use another store"
            )
        return record

    def _folder(self, unit: Unit) -> Path:
        return self.folder / unit.variant / unit.set


def digest(unit: Unit) -> str:
    """Return a short name of everything but set, partition and tables that decides a unit's numbers."""
    one = VARIANTS[unit.variant]
    decided: tuple[object, ...] = (one.methods, one.choices, one.epsilons, one.swapped, one.reading)
    if one.components_of != "partition":
        decided = (*decided, one.components_of)
    settings = repr((FORMAT, SEED, EPSILONS, *decided))
    return hashlib.sha256(settings.encode()).hexdigest()[:16]

"""Results on disk: one JSON file for each row, written whole or not at all."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rkde.files import write_atomically

# Raised whenever the fields of a record change: older files then count as missing.
FORMAT: Final = 1

Record = dict[str, Any]


def default_folder(name: str) -> Path:
    """Return the folder of a command among the caches of the user, outside of every checkout."""
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "rkde" / name


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of records, of which the newest of each row is kept."""

    folder: Path

    def write(self, record: Record) -> None:
        """Write a record in place of an older one of its row."""
        path = self._path(record["row"])
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, json.dumps({"format": FORMAT, **record}, indent=1, allow_nan=False).encode())

    def read(self, row: str) -> Record | None:
        """Return the record of a row, or None where there is none of this format."""
        path = self._path(row)
        if not path.exists():
            return None
        record: Record = json.loads(path.read_text("utf-8"))
        return record if record.get("format") == FORMAT else None

    def _path(self, row: str) -> Path:
        return self.folder / "results" / f"{row}.json"


def is_green(record: Record) -> bool:
    """Tell whether everything that ran in a row passed, and something ran."""
    tests, verified = record["tests"], record["verify"]
    if tests is None or tests["failed"] or tests["problem"] or not tests["passed"]:
        return False
    return verified is None or bool(verified["passed"])

"""What every source of data returns, the error when it cannot, and the checksums of the rows."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np

from benchmarks.paper.sets import Indices, Labels, Table

Source = Literal["local", "pip", "online", "generated"]
SOURCES: Final[tuple[Source, ...]] = ("local", "pip", "online", "generated")
HERE: Final = Path(__file__).resolve().parent
CHECKSUMS: Final = json.loads((HERE / "checksums.json").read_text("utf-8"))


class DataError(Exception):
    """A data set cannot be had, or is not what it should be."""


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    """A data set and where it came from.

    `published` holds the partitions that came with it: number (1, 2, ..., or -1 where it is unknown), rows to
    train on, rows to test on. `exactness`: "exact" by its checksum, "approximate" or "same law".
    """

    name: str
    X: Table
    y: Labels
    source: Source
    exactness: Literal["exact", "approximate", "same law"]
    content: str
    published: tuple[tuple[int, Indices, Indices], ...] = ()


def content_checksum(X: Table, y: Labels) -> str:
    """Return a checksum of the rows with their labels that does not depend on their order."""
    joined = np.column_stack([X, y]).astype(np.float64) + 0.0
    ordered = joined[np.lexsort(joined.T)]
    return hashlib.sha256(np.ascontiguousarray(ordered, dtype="<f8").tobytes()).hexdigest()


def checked(loaded: Loaded) -> Loaded:
    """Return a set that claims to be exact or a known approximation, if its checksum agrees."""
    known = CHECKSUMS["approximate" if loaded.exactness == "approximate" else "sets"][loaded.name]
    expected = known if isinstance(known, str) else known["content_sha256"]
    if loaded.content != expected:
        raise DataError(
            f"{loaded.name} from {loaded.source}: the checksum of its rows must be "
            f"{expected}, got {loaded.content}; use another source"
        )
    return loaded

"""The shipped vectors, read and checked once in a process: several files of tests ask for all of them."""

import json
from collections.abc import Callable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from rkde.adapter import Json
from rkde.conformance import as_decimal, digest, load_vectors, shipped_vectors
from rkde.conformance.vectors import Case


@cache
def shipped_cases() -> tuple[Case, ...]:
    """Return every case that is asked, in the order of the files."""
    return tuple(load_vectors(shipped_vectors()))


def spoil(path: Path, change: Callable[[dict[str, Any]], object], *, fresh_digest: bool = True) -> None:
    """Change a vector file, perhaps covering the traces."""
    content = json.loads(path.read_text("ascii"))
    change(content)
    if fresh_digest:
        content["digest"] = digest(content["groups"])
    path.write_text(json.dumps(content), "ascii")


def at_each_number(value: Json, change: Callable[[Decimal], Json]) -> Json:
    """Change every number of an answer, in whatever lists it stands."""
    if isinstance(value, list):
        return [at_each_number(entry, change) for entry in value]
    number = as_decimal(value)
    return value if number is None else change(number)

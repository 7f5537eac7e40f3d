"""The numbers of every partition as they are committed: one compressed file for each data set.

All tables are made from these files, so that whoever has them needs no run. Numbers have the digits that a
table or an interval can use, and a report from a store packs it first: it says what its files say.
"""

import json
import lzma
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.paper.results import Entry, Results
from benchmarks.paper.sets import SETS
from benchmarks.paper.store import StoreError
from benchmarks.paper.variants import VARIANTS

FOLDER: Final = "units"
DATE: Final = "date.txt"
DIGITS: Final = 9
# Errors of estimates and times need fewer.
FEW_DIGITS: Final = 4
_FEW: Final = ("standard_error", "seconds", "bandwidth")


def path(folder: Path, name: str) -> Path:
    """Return where the numbers of a data set stand."""
    return folder / FOLDER / f"{name}.jsonl.xz"


def pack(results: Results, folder: Path, date: str) -> None:
    """Write the records of all variants, one line each, set by set, and the date of the run."""
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    (folder / FOLDER / DATE).write_text(date + "\n", encoding="utf-8")
    for name in SETS:
        lines = [
            json.dumps(_rounded({"variant": variant} | record), separators=(",", ":"), allow_nan=False)
            for variant in VARIANTS
            for record in results.records.get(variant, {}).get(name, [])
        ]
        if lines:
            data = lzma.compress(("\n".join(lines) + "\n").encode())
            path(folder, name).write_bytes(data)


def unpack(folder: Path) -> tuple[Results, str]:
    """Read what `pack` wrote: the results and the date of the run."""
    records: dict[str, dict[str, list[Entry]]] = {}
    for name in SETS:
        found = path(folder, name)
        if not found.is_file():
            continue
        try:
            lines = lzma.decompress(found.read_bytes()).decode().splitlines()
            loaded: list[Entry] = [json.loads(line) for line in lines]
        except (lzma.LZMAError, ValueError, EOFError) as error:
            raise StoreError(
                f"{found} is damaged ({error}); restore it, or write it with `report --store`"
            ) from error
        for record in loaded:
            records.setdefault(record["variant"], {}).setdefault(name, []).append(record)
    if not records:
        raise StoreError(f"{folder / FOLDER} must hold packed numbers; write them with `report --store`")
    in_order = {variant: records[variant] for variant in VARIANTS if variant in records}
    return Results(in_order), (folder / FOLDER / DATE).read_text("utf-8").strip()


def _rounded(value: Any, digits: int = DIGITS) -> Any:
    """Return the value with every float of it in so many significant digits."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"value must be finite, got {value}; a record holds logarithms")
        return float(f"{value:.{digits}g}")
    if isinstance(value, Mapping):
        return {
            name: _rounded(one, FEW_DIGITS if name in _FEW else digits)
            for name, one in value.items()
            if name != "settings"
        }
    return [_rounded(one, digits) for one in value] if isinstance(value, (list, tuple)) else value

"""The experiments from public sources alone: what somebody gets who has only packages and generators."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.paper import packed
from benchmarks.paper.results import Results, read_results
from benchmarks.paper.running import run, units
from benchmarks.paper.store import Store
from benchmarks.paper.unit import Unit
from benchmarks.paper.variants import BASE

FOLDER: Final = "public-sources"
PARTITIONS: Final = 10
GENERATED: Final = ("ringnorm", "waveform")
"""The sets that no package has; they are drawn from their laws."""


def wanted(partitions: int) -> list[Unit]:
    """Return the units of the paper's setting, each from its public source."""
    return [
        replace(unit, source="generated" if unit.set in GENERATED else "pip")
        for unit in units(variants=(BASE,), partitions=partitions)
    ]


def run_public(partitions: int, store: Path, output: Path, date: str, workers: int | None = None) -> None:
    """Compute what the store lacks, and pack it beside the packed numbers of the whole run."""
    run(wanted(partitions), Store(store), workers)
    packed.pack(read_results(Store(store)), output / FOLDER, date)


def public_results(folder: Path) -> Results | None:
    """Return the packed numbers from public sources, if they are there."""
    if not (folder / FOLDER / packed.FOLDER).is_dir():
        return None
    return packed.unpack(folder / FOLDER)[0]

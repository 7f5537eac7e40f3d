"""Command line: ``python -m benchmarks.practice run``, ``report``, ``signs`` and ``labels``.

A run computes the tables that its store lacks, a file a table; it can be stopped at any time and goes on.
"""

import json
from pathlib import Path
from typing import Final

import click

from benchmarks.practice.labels import write_labels
from benchmarks.practice.measures import measure
from benchmarks.practice.methods import METHODS
from benchmarks.practice.report import write
from benchmarks.practice.signs import write_signs
from benchmarks.practice.tables import KEPT_APART, SEEN
from rkde.files import write_atomically

HERE: Final = Path(__file__).resolve().parent
# Raised whenever tables, methods or measures change: older files are then computed again.
FORMAT: Final = 1
SIZES: Final = (300,)

store_option = click.option(
    "--store", type=click.Path(path_type=Path), default=Path("build/practice"), show_default=True
)


@click.group()
def main() -> None:
    """Compare the default recipe with others on many kinds of dirty table."""


@main.command("run")
@store_option
@click.option("--seeds", type=click.IntRange(min=1), default=5, show_default=True)
@click.option("--size", "sizes", type=int, multiple=True, default=SIZES, show_default=True)
def run_command(store: Path, seeds: int, sizes: tuple[int, ...]) -> None:
    """Compute what the store lacks."""
    store.mkdir(parents=True, exist_ok=True)
    for kind in (*SEEN, *KEPT_APART):
        for size in sizes:
            for seed in range(seeds):
                path = store / f"{FORMAT}-{kind.name}-{size}-{seed}.json"
                if path.exists():
                    continue
                record = {name: measure(kind, seed, size, name) for name in METHODS}
                write_atomically(path, json.dumps(record).encode())
        print(kind.name, flush=True)


@main.command("report")
@store_option
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "RESULTS.md", show_default=True)
def report_command(store: Path, output: Path) -> None:
    """Write the page of results from the store."""
    records = {
        path.stem.removeprefix(f"{FORMAT}-"): json.loads(path.read_text("utf-8"))
        for path in sorted(store.glob(f"{FORMAT}-*.json"))
    }
    if not records:
        raise click.UsageError(f"{store} must hold the tables of a run; use the command run first")
    write(records, output)
    print(f"wrote {output} from {len(records)} tables")


@main.command("signs")
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "SIGNS.md", show_default=True)
def signs_command(seeds: int, output: Path) -> None:
    """Count the signs seen in clean tables, and in those where one was planted."""
    write_signs(seeds, output)
    print(f"wrote {output}")


@main.command("labels")
@click.option("--seeds", type=click.IntRange(min=1), default=3, show_default=True)
@click.option("--output", type=click.Path(path_type=Path), default=HERE / "LABELS.md", show_default=True)
def labels_command(seeds: int, output: Path) -> None:
    """Count the rows that `contamination="auto"` labels in clean and in dirty tables."""
    write_labels(seeds, output)
    print(f"wrote {output}")


if __name__ == "__main__":
    main()

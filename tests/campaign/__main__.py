"""``python -m tests.campaign``: many random problems, and the page of their worst errors by regime."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from rkde.files import write_atomically
from tests.campaign.measure import shares
from tests.campaign.problems import LARGEST_DIM, REGIMES, problem

HERE: Final = Path(__file__).parent
RECORD: Final = HERE / "worst.json"
PAGE: Final = HERE.parent / "CAMPAIGN.md"
PROBLEMS: Final = 10_000
# After so many, the record is written.
CHUNK: Final = 50
Worst = dict[str, dict[str, list[float]]]


def worst_shares(seeds: Sequence[int], columns: int = LARGEST_DIM) -> Worst:
    """Return, for each quantity and regime, the largest share of a bound and the number of its problem."""
    found: Worst = {}
    for seed in seeds:
        one = problem(seed, columns)
        for entry in shares(one):
            row = found.setdefault(entry.what, {})
            if entry.share >= row.get(one.regime, [-1.0])[0]:
                row[one.regime] = [entry.share, seed]
    return found


def page(record: dict[str, Any]) -> str:
    """Return the page of a record."""
    worst: Worst = record["worst"]
    lines = [
        "# Errors of `rkde.fast`, as shares of their derived bounds",
        "",
        f"Made by `python -m tests.campaign`: {record['problems']} random problems over three kernels, four",
        "losses, weights and counts, each engine against the reference at 40 digits. A cell is the largest",
        "error as a share of the bound that `rkde.proofs_checks` derives; above 1, a bound would be broken.",
        "",
        "| quantity | " + " | ".join(REGIMES) + " |",
        "|---|" + len(REGIMES) * "---:|",
    ]
    for what in sorted(worst):
        cells = [f"{worst[what][regime][0]:.3f}" if regime in worst[what] else "" for regime in REGIMES]
        lines.append(f"| {what} | " + " | ".join(cells) + " |")
    largest = max((cell[0], int(cell[1])) for row in worst.values() for cell in row.values())
    lines += ["", f"The largest of all is {largest[0]:.3f}, of problem {largest[1]}.", ""]
    return "\n".join(lines)


def merged(first: Worst, second: Worst) -> Worst:
    """Return the larger shares of two runs."""
    found = {what: dict(row) for what, row in first.items()}
    for what, row in second.items():
        mine = found.setdefault(what, {})
        mine |= {regime: cell for regime, cell in row.items() if cell[0] >= mine.get(regime, [-1.0])[0]}
    return found


@click.command()
@click.option("--problems", type=click.IntRange(1), default=PROBLEMS, show_default=True)
@click.option("--again", is_flag=True, help="Begin anew, as after a change of the package.")
@click.option("--columns", type=click.IntRange(LARGEST_DIM), default=LARGEST_DIM, show_default=True)
def main(problems: int, columns: int, *, again: bool) -> None:
    """Measure random problems, going on after those of the record; exit code 1 for a broken bound.

    Those of more columns than the default are printed and not recorded.
    """
    if columns > LARGEST_DIM:
        worst = worst_shares(range(problems), columns)
        click.echo(page({"problems": problems, "worst": worst}))
        sys.exit(any(not size <= 1 for row in worst.values() for size, _ in row.values()))
    record: dict[str, Any] = {"problems": 0, "worst": {}}
    if RECORD.exists() and not again:
        record = json.loads(RECORD.read_text("utf-8"))
    while record["problems"] < problems:
        seeds = range(record["problems"], min(problems, record["problems"] + CHUNK))
        record = {"problems": seeds.stop, "worst": merged(record["worst"], worst_shares(seeds))}
        write_atomically(RECORD, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())
    write_atomically(PAGE, page(record).encode())
    cells = [(what, *cell) for what, row in record["worst"].items() for cell in row.values()]
    for what, size, seed in cells:
        if not size <= 1:
            click.echo(f"{what}: {size:.3g} times its bound, in problem {int(seed)}")
    sys.exit(any(not size <= 1 for _, size, _ in cells))


if __name__ == "__main__":
    main()

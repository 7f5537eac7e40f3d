"""The table of targets: measured ratios, goals and floors, written into benchmarks/RESULTS.md by one command.

Run ``python -m benchmarks.speed.targets`` from the root of the checkout on a quiet machine; ``--only`` names
single targets, whose rows alone are then replaced, and ``--small`` shrinks the sizes to see that everything
runs. A ratio beyond its floor is an error; a goal is what the next change is to reach.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.speed import measures
from benchmarks.speed.floors import read_bandwidth
from benchmarks.speed.machine import describe
from benchmarks.speed.measures import GIGABYTE, Measured

RESULTS = Path(__file__).parents[1] / "RESULTS.md"
SMALL_SCALE = 1 / 20
# Among the parts of a line between its bars, of which the first is empty.
_MEASURED_COLUMN = 5


NO_VECTORS = (
    "all pairs are near, and numpy takes 5 to 9 ns for an exponential without AVX-512, with it 0.8: the "
    "floor was measured there"
)


@dataclass(frozen=True)
class Target:
    """A claim about speed.

    `goal` and `floor` bound the value from above, or from below where `at_least` is set; the floor is what
    a release may not fall short of. `least` bounds a slope from the other side. `remark` says why a floor or
    a goal may be out of reach.
    """

    name: str
    text: str
    goal: float
    floor: float
    measure: Callable[[float], Measured]
    at_least: bool = False
    least: float = -math.inf
    remark: str = ""

    def reached(self, value: float, limit: float) -> bool:
        return value >= limit if self.at_least else self.least <= value <= limit


TARGETS = (
    Target("dense step", "one step / reading half of the matrix", 1.3, 1.4, measures.dense_iteration),
    Target("half build", "dense build / GEMM + exp", 1.6, 2.0, measures.half_build),
    Target(
        "rbf_kernel, d = 2",
        "scikit-learn's kernel matrix / our build",
        8,
        8,
        measures.plane_build_over_scikit_learn,
        at_least=True,
    ),
    Target(
        "rbf_kernel, d = 20",
        "scikit-learn's kernel matrix / our build",
        3.5,
        3.5,
        measures.build_over_scikit_learn,
        at_least=True,
        remark=NO_VECTORS,
    ),
    Target("f_med", "products for f_med by the paper's rule", 4, 4, measures.median_products),
    Target(
        "10^6 fit",
        "whole fit, d = 2 / one k = 2 query of a k-d tree",
        5,
        8,
        measures.large_fit,
        remark="a fifth is that query itself, for the bandwidth; a sixth each are the pairs and the products",
    ),
    Target("10^6 memory", "its peak memory, GB", 2, 3, measures.large_fit_memory),
    Target("10^7 memory", "ten million rows on two threads, peak GB", 20, 20, measures.huge_fit),
    Target("limited memory", "60 000 rows, d = 20, limit 4 GB: peak GB", 4, 4, measures.limited_fit),
    Target("refusal", "seconds until an impossible fit is refused", 5, 5, measures.refusal),
    Target(
        "sparse",
        "dense fit / sparse fit, n = 10^4, d = 2",
        15,
        12,
        measures.sparse_over_dense,
        at_least=True,
        remark="the dense fit, too, evaluates only near pairs now; it took 1.5 times as long before",
    ),
    Target("matrix-free", "tiled product, d = 20 / GEMM + exp", 1.2, 1.35, measures.matrix_free),
    Target("sparse slope", "slope of the sparse fit", 1.2, 1.25, measures.sparse_slope, least=0.9),
    Target("dense slope", "slope of a dense step", 2.1, 2.2, measures.dense_slope, least=1.8),
    Target("scipy", "gaussian_kde / our scores", 8, 6, measures.scores_over_scipy, at_least=True),
    Target(
        "scikit-learn",
        "KernelDensity, rtol=0 / our scores",
        60,
        40,
        measures.scores_over_scikit_learn,
        at_least=True,
        remark="half of it is the search for 7 10^5 near pairs; repeated runs differ by a third",
    ),
    Target(
        "mom-kde, d = 2",
        "mom-kde / our dense fit and scores",
        3.5,
        3.5,
        measures.plane_fit_over_mom_kde,
        at_least=True,
    ),
    Target(
        "mom-kde, d = 20",
        "mom-kde / our dense fit and scores",
        2,
        2,
        measures.fit_over_mom_kde,
        at_least=True,
        remark=NO_VECTORS,
    ),
    Target(
        "mom-kde, sparse",
        "mom-kde / our sparse fit and scores",
        20,
        20,
        measures.sparse_fit_over_mom_kde,
        at_least=True,
        remark="a quarter is for the near pairs, a third for the scores, the rest for steps and bounds",
    ),
    Target(
        "mom-kde, 10^4 rows",
        "mom-kde / our sparse fit and scores",
        60,
        60,
        measures.large_sparse_fit_over_mom_kde,
        at_least=True,
        remark="half is for the near pairs, a quarter for the scores",
    ),
    Target("fill", "stored pairs / the formula", 1.8, 1.8, measures.fill_of_the_formula),
    Target("influence, Hampel", "LU / ours, coefficients", 12, 12, measures.influence_hampel, at_least=True),
    Target("influence, Huber", "LU / ours, coefficients", 7, 7, measures.influence_huber, at_least=True),
    Target(
        "influence, absolute", "LU / ours, coefficients", 1.6, 1.6, measures.influence_absolute, at_least=True
    ),
    Target("influence, 2000 points", "one call, Hampel / one LU", 1.5, 1.5, measures.influence_call),
)


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    name: str
    line: str
    is_fine: bool


def measured_row(target: Target, scale: float) -> Row | None:
    """Measure one target; None where what it is compared with is not there."""
    found = target.measure(scale)
    if math.isnan(found.value):
        print(f"{target.name}: {found.detail}")
        return None
    # The speed of the memory at this moment, on a machine that others use too.
    speed, load = read_bandwidth() / GIGABYTE, os.getloadavg()[0]
    least = "" if math.isinf(target.least) else f"{target.least:g} to "
    sign = least or (">= " if target.at_least else "<= ")
    reached = "yes" if target.reached(found.value, target.goal) else "no"
    line = (
        f"| {target.name} | {target.text} | {sign}{target.goal:g} | {sign}{target.floor:g} "
        f"| {found.value:.2f} | {reached} | {found.detail} | {speed:.1f} | {load:.1f} |"
    )
    return Row(target.name, line, target.reached(found.value, target.floor))


def earlier_lines() -> dict[str, str]:
    """Return the lines of the table that stands, by target."""
    if not RESULTS.exists():
        return {}
    lines = [line for line in RESULTS.read_text("utf-8").splitlines() if line.startswith("| ")]
    return {line.split("|")[1].strip(): line for line in lines}


def _holds(target: Target, lines: dict[str, str]) -> bool:
    return target.reached(float(lines[target.name].split("|")[_MEASURED_COLUMN]), target.floor)


def write(lines: dict[str, str], machine: list[str]) -> None:
    """Write the table, its rows in the order of the targets."""
    head = [
        "# Measured speed",
        "",
        f"Written by `python -m benchmarks.speed.targets` on {dt.datetime.now(tz=dt.UTC):%Y-%m-%d}.",
        "Times are processor seconds, the shortest of some repetitions in turns with what they are compared",
        "with; linear algebra on one thread. The last two columns are the read bandwidth of the memory, by",
        "ddot over eight times the last cache, and the load average of the machine, right after the row.",
        "The goal is what the next change is to reach; a ratio beyond its floor, listed below the table,",
        "makes the command fail. A step below 1 means that BLAS reads a symmetric matrix faster than ddot",
        "reads a vector; a build below 1, that few pairs are near and the others are not evaluated. The row",
        "of 10^7 rows runs on two threads. mom-kde is measured where MOM_KDE names a checkout of",
        "lminvielle/mom-kde, its psi repaired.",
        "",
        *(f"- {line}" for line in machine),
        "",
        "| target | what | goal | floor | measured | goal reached | detail | GB/s | load |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    rows = [lines[target.name] for target in TARGETS if target.name in lines]
    missing = ", ".join(target.name for target in TARGETS if target.name not in lines)
    unmet = [
        f"- {target.name}: {target.remark}"
        for target in TARGETS
        if target.remark and "| no |" in lines.get(target.name, "")
    ]
    beyond = [target.name for target in TARGETS if target.name in lines and not _holds(target, lines)]
    tail = ["", f"Beyond the floor: {', '.join(beyond)}."] if beyond else []
    tail += ["", "Of the goals that are not reached:", "", *unmet] if unmet else []
    tail += ["", f"Not measured here: {missing}."] if missing else []
    RESULTS.write_text("\n".join([*head, *rows, *tail, ""]), "utf-8")


def main() -> int:
    """Measure, print each row, and write the table unless the sizes are small."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", action="store_true", help="small sizes: no results, only a trial")
    parser.add_argument("--only", action="append", default=[], choices=[target.name for target in TARGETS])
    arguments = parser.parse_args()
    fine, lines = True, earlier_lines() if arguments.only else {}
    for target in TARGETS:
        if arguments.only and target.name not in arguments.only:
            continue
        with threadpool_limits(limits=1):
            row = measured_row(target, SMALL_SCALE if arguments.small else 1.0)
            machine = describe()
        if row is None:
            continue
        print(row.line, flush=True)
        fine &= row.is_fine
        lines[row.name] = row.line
        if not arguments.small:
            # After each, so that an interrupted run leaves what it has measured.
            write(lines, machine)
    return 0 if fine or arguments.small else 1


if __name__ == "__main__":
    sys.exit(main())

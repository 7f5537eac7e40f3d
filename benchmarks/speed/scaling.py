"""Products on one and on two local workers, and what the overhead would leave of 64: ``SCALING.md``.

python -m benchmarks.speed.scaling            prints the page
python -m benchmarks.speed.scaling --write    writes it; needs the extra dask
"""

import argparse
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

import rkde.fast as rk
from rkde.fast.distributed import DistributedPairs, DistributedTiles

HERE: Final = Path(__file__).resolve().parents[1]
WORKERS: Final = (1, 2)
PROJECTED: Final = 64
REPEATS: Final = 5
# Work of a fraction of a second a product, so that the overhead can be seen beside it, and none to speak of.
TILES_ROWS, TILES_COLUMNS, PAIRS_ROWS, FEW_ROWS = 20_000, 20, 400_000, 64
SEED: Final = 27


@dataclass(frozen=True)
class Case:
    """An engine on some rows."""

    name: str
    build: Callable[[Any], Any]
    # The same engine on so few rows that its tasks do nothing.
    build_few: Callable[[Any], Any]
    # A table for which one would want a cluster, and how many times the work that is.
    large: str
    growth: float


@dataclass(frozen=True)
class Measured:
    """One line of the table."""

    workers: int
    seconds: float
    overhead: float
    sent: int
    received: int
    evaluations: int


def cases() -> list[Case]:
    """Return both engines."""
    rng = np.random.default_rng(SEED)
    wide, flat = rng.normal(size=(TILES_ROWS, TILES_COLUMNS)), rng.normal(size=(PAIRS_ROWS, 2))
    wide_kernel, flat_kernel = rk.Gaussian(4.0), rk.Gaussian(rk.median_nn(flat))
    return [
        Case(
            f"tiles, n = {TILES_ROWS}, d = {TILES_COLUMNS}",
            lambda client: DistributedTiles(wide, wide_kernel, client, shares=8),
            lambda client: DistributedTiles(wide[:FEW_ROWS], wide_kernel, client, shares=8),
            f"tiles, n = 10^6, d = {TILES_COLUMNS}",
            (10**6 / TILES_ROWS) ** 2,
        ),
        Case(
            f"near pairs, n = {PAIRS_ROWS}, d = 2",
            lambda client: DistributedPairs(flat, flat_kernel, client, parts=8),
            lambda client: DistributedPairs(flat[:FEW_ROWS], flat_kernel, client, parts=8),
            "near pairs, n = 10^8, d = 2",
            10**8 / PAIRS_ROWS,
        ),
    ]


def seconds_of(operator: Any) -> float:
    """Return the median time of a product after a first one."""
    weights = np.full(operator.size, 1 / operator.size)
    operator.gram_product(weights)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        operator.gram_product(weights)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def measure(case: Case, workers: int) -> Measured:
    """Measure a case on so many workers of one thread each."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        overhead = seconds_of(case.build_few(client))
        operator = case.build(client)
        seconds = seconds_of(operator)
        sent, received = operator.bytes_sent, operator.bytes_received
        operator.gram_product(np.full(operator.size, 1 / operator.size))
        sent, received = operator.bytes_sent - sent, operator.bytes_received - received
        return Measured(workers, seconds, overhead, sent, received, operator.kernel_evaluations)


def projection(case: Case, lines: list[Measured]) -> float:
    """Return the seconds of a product of a large table on many workers: its work, shared, and all tasks."""
    one, most = lines[0], lines[-1]
    work = max(one.seconds - one.overhead, 0.0) * case.growth / PROJECTED
    # Four tasks a worker, as the eight of two workers here.
    return work + most.overhead * PROJECTED / most.workers


def page(found: list[tuple[Case, list[Measured]]], load: float) -> str:
    """Return the page."""
    lines = [
        "# Products on a cluster",
        "",
        "Written by `python -m benchmarks.speed.scaling --write`. Workers are processes of one thread;",
        f"client and scheduler share the {os.cpu_count()} cores of the machine with them, whose load average",
        f"was {load:.1f} at the start. Times are medians of {REPEATS} products. The overhead is that of a",
        "product whose tasks have next to nothing to do.",
        "",
        "| engine | workers | seconds a product | overhead, s | bytes sent | bytes received | values |",
        "|---|---|---|---|---|---|---|",
    ]
    for case, measured in found:
        lines += [
            f"| {case.name} | {one.workers} | {one.seconds:.3f} | {one.overhead:.3f} | {one.sent} "
            f"| {one.received} | {one.evaluations} |"
            for one in measured
        ]
    lines += [
        "",
        "Bytes are those of one product, kernel values those of all products of a line.",
        "",
        f"Projected for {PROJECTED} workers, not measured: the work of one worker, grown with the table and",
        "shared evenly, and the overhead of two workers, grown with the number of tasks. What travels",
        "through the client's connection comes on top.",
        "",
        "| engine | seconds a product, projected |",
        "|---|---|",
    ]
    lines += [f"| {case.large} | {projection(case, measured):.3g} |" for case, measured in found]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure products on one and two local workers.")
    parser.add_argument("--write", action="store_true", help="write SCALING.md")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    text = page([(case, [measure(case, workers) for workers in WORKERS]) for case in cases()], load)
    if arguments.write:
        (HERE / "SCALING.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()

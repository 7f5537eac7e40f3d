"""The table of targets: measured ratios, goals and floors, written into benchmarks/RESULTS.md by one command.

Run ``python -m benchmarks.speed.targets`` from the root of the checkout on a quiet machine; ``--only`` names
single targets, ``--small`` shrinks the sizes to see that everything runs. A ratio beyond its floor is an
error; a goal is what the next change is to reach.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

import rkde.fast as rk
from benchmarks.speed.floors import (
    half_matrix_action,
    neighbour_action,
    read_bandwidth,
    symmetric_read_action,
)
from benchmarks.speed.machine import describe
from benchmarks.speed.peers import Scores, scikit_learn, scipy_kde
from benchmarks.speed.timing import fitted_slope, processor_seconds, side_by_side
from benchmarks.speed.workloads import hampel_at, kernel_of, mixture
from rkde.fast.operators import DenseOperator, SparseOperator, TiledOperator

RESULTS = Path(__file__).parents[1] / "RESULTS.md"
REPETITIONS = 7
LEAST_ROWS = 400
SMALL_SCALE = 1 / 20
BYTES_A_KIB = 1024
GIGABYTE = 1e9


@dataclass(frozen=True)
class Measured:
    """A number, and what it was made of."""

    value: float
    detail: str


@dataclass(frozen=True)
class Target:
    """A claim about speed.

    `goal` and `floor` bound the value from above, or from below where `at_least` is set; the floor is what
    a release may not fall short of. `least` bounds a slope from the other side.
    """

    name: str
    text: str
    goal: float
    floor: float
    measure: Callable[[bool], Measured]
    at_least: bool = False
    least: float = -math.inf

    def reached(self, value: float, limit: float) -> bool:
        return value >= limit if self.at_least else self.least <= value <= limit


def _size(full: int, scale: float) -> int:
    return max(LEAST_ROWS, round(full * scale))


def dense_iteration(scale: float) -> Measured:
    """Return one step on a stored matrix over reading half of it from memory."""
    n = _size(8000, scale)
    X = mixture(n, 2)
    operator = DenseOperator(X, kernel_of(X))
    loss, weights = hampel_at(X, operator), np.full(n, 1 / n)
    found = side_by_side(
        lambda: rk.kirwls_step(X, operator.kernel, loss, weights, operator=operator),
        symmetric_read_action(n),
        REPETITIONS,
    )
    speed = read_bandwidth() / GIGABYTE
    return Measured(
        found.value, f"n = {n}: {found.work * 1e3:.2f} ms; read bandwidth {speed:.1f} GB/s, its own run"
    )


def half_build(scale: float) -> Measured:
    """Return the build of the dense matrix over one GEMM entry and one exponential a pair."""
    n = _size(6000, scale)
    X = mixture(n, 2)
    kernel = kernel_of(X)
    found = side_by_side(
        lambda: DenseOperator(X, kernel, threads=1), half_matrix_action(n, 2), REPETITIONS // 2
    )
    return Measured(found.value, f"n = {n}: {found.work * 1e3:.0f} ms")


def large_fit(scale: float) -> Measured:
    """Return bandwidth, f_med and the Hampel fit over one k = 2 query of a k-d tree."""
    n = _size(1_000_000, scale)
    X = mixture(n, 2)
    query = processor_seconds(neighbour_action(X))
    fit = processor_seconds(lambda: rk.rkde(X, threads=1))
    query = min(query, processor_seconds(neighbour_action(X)))
    return Measured(fit / query, f"n = {n}: fit {fit:.1f} s, query {query:.2f} s")


def _peak_of_fit(n: int, keywords: str) -> float:
    """Return the peak memory in GB of one fit in a process of its own."""
    code = (
        "from benchmarks.speed.workloads import mixture; import resource, rkde.fast as rk\n"
        f"rk.rkde(mixture({n}, 2), {keywords})\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    root = Path(__file__).parents[2]
    ended = subprocess.run(  # noqa: S603 (this very interpreter)
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    return int(ended.stdout) * BYTES_A_KIB / GIGABYTE


def large_fit_memory(scale: float) -> Measured:
    """Return the peak memory of that fit in GB."""
    n = _size(1_000_000, scale)
    return Measured(_peak_of_fit(n, "threads=1"), f"n = {n}, all of the process")


def huge_fit(scale: float) -> Measured:
    """Return the peak memory in GB of the fit of ten million rows under a limit, on two threads."""
    n = _size(10_000_000, scale)
    return Measured(_peak_of_fit(n, 'memory_limit="20GB", threads=2'), f"n = {n}, completed")


def sparse_over_dense(scale: float) -> Measured:
    """Return how many times longer the dense engine takes for one fit than the sparse one."""
    n = _size(10_000, scale)
    X = mixture(n, 2)
    found = side_by_side(
        lambda: rk.rkde(X, engine="dense", threads=1), lambda: rk.rkde(X, engine="sparse", threads=1), 2
    )
    return Measured(found.value, f"n = {n}: {found.work:.2f} s against {found.yardstick:.2f} s")


def matrix_free(scale: float) -> Measured:
    """Return a product without a stored matrix over its matrix product and exponentials."""
    n = _size(10_000, scale)
    X = mixture(n, 20)
    operator, weights = TiledOperator(X, kernel_of(X), threads=1), np.full(n, 1 / n)
    found = side_by_side(lambda: operator.product(weights), half_matrix_action(n, 20), REPETITIONS // 2)
    return Measured(found.value, f"n = {n}, d = 20: {found.work * 1e3:.0f} ms")


def sparse_slope(scale: float) -> Measured:
    """Return the slope of log time against log n of the sparse fit."""
    sizes = [_size(n, scale) for n in (10_000, 20_000, 40_000, 80_000, 160_000)]
    times = []
    for n in sizes:
        X = mixture(n, 2)
        times.append(
            min(processor_seconds(lambda X=X: rk.rkde(X, engine="sparse", threads=1)) for _ in range(2))
        )
    slope = fitted_slope(sizes, times)
    return Measured(slope.slope, f"{sizes[0]} to {sizes[-1]} rows: {slope}")


def dense_slope(scale: float) -> Measured:
    """Return the slope of log time against log n of one dense step, beyond the cache."""
    sizes = [_size(n, scale) for n in (4000, 6000, 8000, 11_000)]
    times = []
    for n in sizes:
        X = mixture(n, 2)
        operator = DenseOperator(X, kernel_of(X))
        weights = np.full(n, 1 / n)
        action = lambda o=operator, w=weights: o.residual_norms(w)  # noqa: E731
        times.append(min(processor_seconds(action) for _ in range(REPETITIONS)))
    slope = fitted_slope(sizes, times)
    return Measured(slope.slope, f"{sizes[0]} to {sizes[-1]} rows: {slope}")


def fill_of_the_formula(scale: float) -> Measured:
    """Return stored pairs over what the bandwidth rule predicts: ln 2 (2 ln 1/eps)^(d/2) / 2 a row."""
    n = _size(20_000, scale)
    X = mixture(n, 2)
    operator = SparseOperator(X, kernel_of(X))
    expected = n * np.log(2) * (-2 * np.log(operator.truncation)) / 2
    return Measured(operator.nonzeros / expected, f"n = {n}: {operator.nonzeros / n:.0f} pairs a row")


def scores_over_scipy(scale: float) -> Measured:
    """Return how many times longer scipy's gaussian_kde takes for the same scores."""
    return _scores_over(scipy_kde, scale)


def scores_over_scikit_learn(scale: float) -> Measured:
    """Return how many times longer scikit-learn takes for the same scores without a tolerance."""
    return _scores_over(lambda *work: scikit_learn(*work, 0.0), scale)


def _scores_over(peer: Callable[[np.ndarray, np.ndarray, float], Scores | None], scale: float) -> Measured:
    n = _size(10_000, scale)
    X, queries = mixture(n, 2), mixture(n, 2, seed=1)
    kernel = kernel_of(X)
    theirs = peer(X, queries, kernel.bandwidth)
    if theirs is None:
        return Measured(math.nan, "not installed")
    ours = rk.kde(X, kernel)
    found = side_by_side(theirs, lambda: ours.log_density(queries, threads=1), 2)
    return Measured(found.value, f"n = m = {n}: {found.work:.2f} s against {found.yardstick:.3f} s")


TARGETS = (
    Target("dense step", "one step / reading half of the matrix", 1.3, 1.4, dense_iteration),
    Target("half build", "dense build / GEMM + exp", 1.6, 2.0, half_build),
    Target("10^6 fit", "whole fit, d = 2 / one k = 2 query of a k-d tree", 5, 8, large_fit),
    Target("10^6 memory", "its peak memory, GB", 2, 3, large_fit_memory),
    Target("10^7 memory", "ten million rows on two threads, peak GB", 20, 20, huge_fit),
    Target("sparse", "dense fit / sparse fit, n = 10^4, d = 2", 15, 12, sparse_over_dense, at_least=True),
    Target("matrix-free", "tiled product, d = 20 / GEMM + exp", 1.2, 1.35, matrix_free),
    Target("sparse slope", "slope of the sparse fit", 1.2, 1.25, sparse_slope, least=0.9),
    Target("dense slope", "slope of a dense step", 2.1, 2.2, dense_slope, least=1.8),
    Target("scipy", "gaussian_kde / our scores", 8, 6, scores_over_scipy, at_least=True),
    Target(
        "scikit-learn", "KernelDensity, rtol=0 / our scores", 60, 40, scores_over_scikit_learn, at_least=True
    ),
    Target("fill", "stored pairs / the formula", 1.8, 1.8, fill_of_the_formula),
)


def rows(chosen: list[str], scale: float) -> tuple[list[str], bool]:
    """Measure the chosen targets; return the lines of the table and whether every floor holds."""
    lines, fine = [], True
    for target in TARGETS:
        if chosen and target.name not in chosen:
            continue
        found = target.measure(scale)
        sign = ">=" if target.at_least else "<="
        reached = "yes" if target.reached(found.value, target.goal) else "no"
        fine &= target.reached(found.value, target.floor)
        lines.append(
            f"| {target.name} | {target.text} | {sign} {target.goal:g} | {sign} {target.floor:g} "
            f"| {found.value:.2f} | {reached} | {found.detail} |"
        )
        print(lines[-1], flush=True)
    return lines, fine


def main() -> int:
    """Print the table, and write it unless the sizes are small or single targets were chosen."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--small", action="store_true", help="small sizes: no results, only a trial")
    parser.add_argument("--only", action="append", default=[], choices=[target.name for target in TARGETS])
    arguments = parser.parse_args()
    with threadpool_limits(limits=1):
        lines, fine = rows(arguments.only, SMALL_SCALE if arguments.small else 1.0)
        machine = describe()
    if not arguments.small and not arguments.only:
        head = [
            "# Measured speed",
            "",
            f"Written by `python -m benchmarks.speed.targets` on {dt.datetime.now(tz=dt.UTC):%Y-%m-%d}.",
            "Times are processor seconds, the shortest of some; linear algebra on one thread.",
            "",
            *(f"- {line}" for line in machine),
            "",
            "| target | what | goal | floor | measured | goal reached | detail |",
            "|---|---|---|---|---|---|---|",
        ]
        RESULTS.write_text("\n".join([*head, *lines, ""]), "utf-8")
    return 0 if fine or arguments.small else 1


if __name__ == "__main__":
    sys.exit(main())

"""How each target is measured: the last argument scales its sizes, 1 for the target itself."""

import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import rkde.fast as rk
from benchmarks.speed import bench_influence, mom_kde
from benchmarks.speed.floors import half_matrix_action, neighbour_action, symmetric_read_action
from benchmarks.speed.peers import Scores, scikit_learn_gram
from benchmarks.speed.timing import fitted_slope, processor_seconds, side_by_side
from benchmarks.speed.workloads import hampel_at, kernel_of, mixture
from rkde.errors import MemoryLimit
from rkde.fast.operators import DenseOperator, SparseOperator, TiledOperator

REPETITIONS = 7
LEAST_ROWS = 400
BYTES_A_KIB = 1024
GIGABYTE = 1e9


@dataclass(frozen=True)
class Measured:
    """A number, and what it was made of."""

    value: float
    detail: str


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
    speed = n * n / 2 * np.dtype(np.float64).itemsize / found.yardstick / GIGABYTE
    return Measured(found.value, f"n = {n}: {found.work * 1e3:.2f} ms; read at {speed:.1f} GB/s")


def half_build(scale: float) -> Measured:
    """Return the build of the dense matrix over one GEMM entry and one exponential per pair."""
    n = _size(6000, scale)
    X = mixture(n, 2)
    kernel = kernel_of(X)
    found = side_by_side(
        lambda: DenseOperator(X, kernel, threads=1), half_matrix_action(n, 2), REPETITIONS // 2
    )
    return Measured(found.value, f"n = {n}: {found.work * 1e3:.0f} ms")


def build_over_scikit_learn(dim: int, scale: float) -> Measured:
    """Return how many times longer scikit-learn takes for the same matrix."""
    n = _size(8000, scale)
    X = mixture(n, dim)
    kernel = kernel_of(X)
    theirs = scikit_learn_gram(X, kernel.bandwidth)
    if theirs is None:
        return Measured(math.nan, "not installed")
    found = side_by_side(theirs, lambda: DenseOperator(X, kernel, threads=1), 3)
    # No exponential can be spared where all pairs are near: what these alone would give.
    least = processor_seconds(half_matrix_action(n, dim))
    return Measured(
        found.value,
        f"n = {n}: {found.work:.2f} s against {found.yardstick:.2f} s; GEMM and exp alone {least:.2f} s",
    )


def large_fit(scale: float) -> Measured:
    """Return bandwidth, f_med and the Hampel fit over one k = 2 query of a k-d tree."""
    n = _size(1_000_000, scale)
    X = mixture(n, 2)
    query = processor_seconds(neighbour_action(X))
    fit = processor_seconds(lambda: rk.rkde(X, threads=1))
    query = min(query, processor_seconds(neighbour_action(X)))
    return Measured(fit / query, f"n = {n}: fit {fit:.1f} s, query {query:.2f} s")


def fit_by_scott(rows: int, dim: int, scale: float) -> Measured:
    """Return the seconds of a fit."""
    X = mixture(_size(rows, scale), dim)
    rk.rkde(X[:LEAST_ROWS], bandwidth="scott", threads=1)
    start = time.process_time()
    found = rk.rkde(X, bandwidth="scott", threads=1)
    seconds = time.process_time() - start
    return Measured(seconds, f"engine {found.engine}, {found.n_iter} steps")


def fit_on_two_threads(dim: int, scale: float) -> Measured:
    """Return the seconds of the clock for a fit of 60 000 rows on two threads."""
    X = mixture(_size(60_000, scale), dim)
    start = time.perf_counter()
    found = rk.rkde(X, threads=2, memory_limit="20GB")
    seconds = time.perf_counter() - start
    return Measured(seconds, f"engine {found.engine}, {found.n_iter} steps after f_med")


def _peak_of_fit(n: int, keywords: str, dim: int = 2) -> float:
    """Return the peak memory in GB of one fit in a process of its own."""
    code = (
        "from benchmarks.speed.measures import peak_memory\n"
        "from benchmarks.speed.workloads import mixture; import rkde.fast as rk\n"
        f"rk.rkde(mixture({n}, {dim}), {keywords})\n"
        "print(peak_memory())"
    )
    root = Path(__file__).parents[2]
    ended = subprocess.run(  # noqa: S603 (this very interpreter)
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    return int(ended.stdout) * BYTES_A_KIB / GIGABYTE


def peak_memory() -> int:
    """Return the largest memory that this process had at once, in KiB.

    Where the system tells that of the program, not of the process, which starts with the peak of its parent.
    """
    try:
        status = Path("/proc/self/status").read_text("ascii")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


def large_fit_memory(scale: float) -> Measured:
    """Return the peak memory of that fit in GB."""
    n = _size(1_000_000, scale)
    return Measured(_peak_of_fit(n, "threads=1"), f"n = {n}, all of the process")


def huge_fit(scale: float) -> Measured:
    """Return the peak memory in GB of the fit of ten million rows under a limit, on two threads."""
    n = _size(10_000_000, scale)
    return Measured(_peak_of_fit(n, 'memory_limit="20GB", threads=2'), f"n = {n}, completed")


def limited_fit(scale: float) -> Measured:
    """Return the peak memory in GB of the fit of 60 000 rows of 20 columns under a limit of 4 GB."""
    n = _size(60_000, scale)
    return Measured(_peak_of_fit(n, 'memory_limit="4GB", threads=1', dim=20), f"n = {n}, d = 20, completed")


def refusal(scale: float) -> Measured:  # noqa: ARG001 (one form for all)
    """Return the seconds until a fit that cannot fit is refused."""
    X = mixture(60_000, 20)
    start = time.perf_counter()
    try:
        rk.rkde(X, engine="dense", memory_limit="4GB")
    except MemoryLimit as error:
        return Measured(time.perf_counter() - start, f"{error.problem}")
    return Measured(math.inf, "not refused")


def median_products(scale: float) -> Measured:
    """Return the largest number of products that f_med takes by the paper's rule, over three data sets."""
    n = _size(3000, scale)
    counts, bounds = [], []
    for dim in (1, 2, 20):
        X = mixture(n, dim)
        operator = DenseOperator(X, kernel_of(X))
        found = rk.kirwls(X, operator.kernel, rk.Absolute(), operator=operator)
        # As many steps without a rule need no proof of the error bound, whose products are told apart.
        alone = DenseOperator(X, operator.kernel)
        rk.kirwls(X, alone.kernel, rk.Absolute(), stop=rk.FixedSteps(found.n_iter), operator=alone)
        counts.append(alone.products)
        bounds.append(operator.products - alone.products)
    return Measured(max(counts), f"n = {n}, d = 1, 2, 20: {counts}; the proved error bound: {bounds} more")


def influence_call(scale: float) -> Measured:
    """Return one call for 2000 points, Hampel's loss, over one LU."""
    n = _size(3000, scale)
    problem = bench_influence.problem("hampel", 2000, n)
    found = bench_influence.compare(problem)
    return Measured(found.call / found.factoring, f"n = {n}: LU {found.factoring:.2f} s")


def influence(loss: str, scale: float) -> Measured:
    """Return how many times longer an LU takes for the coefficients of the influence."""
    n = _size(3000, scale)
    found = bench_influence.compare(bench_influence.problem(loss, 200, n))
    return Measured(
        found.gain,
        f"n = {n}, m = 200: {found.coefficients:.3f} s; {found.gain_alone:.2f} if the LU's matrix is given",
    )


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


def over_mom_kde(rows: int, dim: int, build: mom_kde.Builder, scale: float) -> Measured:
    """Return how many times longer mom-kde takes for the same steps and scores."""
    folder = mom_kde.checkout()
    library = None if folder is None else mom_kde.library_in(folder)
    if library is None:
        return Measured(math.nan, f"no checkout in {mom_kde.VARIABLE}")
    n = _size(rows, scale)
    X, queries = mixture(n, dim), mixture(min(n, 2000), dim, seed=1)
    bandwidth = kernel_of(X).bandwidth
    theirs = mom_kde.theirs(library, X, queries, bandwidth)
    ours = mom_kde.ours(X, queries, bandwidth, build)
    gap = mom_kde.gap(theirs(), ours())
    found = side_by_side(theirs, ours, 3)
    # Without the same answer there is no comparison, and no floor is reached.
    value = found.value if gap.is_closed else 0.0
    return Measured(value, f"n = {n}: {found.work:.2f} s against {found.yardstick:.3f} s; {gap}")


def scores_over(peer: Callable[[np.ndarray, np.ndarray, float], Scores | None], scale: float) -> Measured:
    """Return how many times longer another program takes for the same scores."""
    n = _size(10_000, scale)
    X, queries = mixture(n, 2), mixture(n, 2, seed=1)
    kernel = kernel_of(X)
    theirs = peer(X, queries, kernel.bandwidth)
    if theirs is None:
        return Measured(math.nan, "not installed")
    ours = rk.kde(X, kernel)
    found = side_by_side(theirs, lambda: ours.log_density(queries, threads=1), REPETITIONS)
    return Measured(found.value, f"n = m = {n}: {found.work:.2f} s against {found.yardstick:.3f} s")

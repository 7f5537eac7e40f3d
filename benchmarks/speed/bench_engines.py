"""Build, product, fit and scores by engine, over n and d.

Run by ``python -m pytest benchmarks/speed/bench_engines.py``. No time is judged here: the gates are in
`benchmarks.speed.compare`, the targets in `benchmarks.speed.targets`.
"""

from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import rkde.fast as rk
from benchmarks.speed.timing import fitted_slope
from benchmarks.speed.workloads import kernel_of, mixture
from rkde.fast.operators import DenseOperator, SparseOperator, TiledOperator

ENGINES: dict[str, Any] = {"dense": DenseOperator, "sparse": SparseOperator, "tiled": TiledOperator}
CASES = [
    (engine, n, dim)
    for engine in ENGINES
    for dim in (2, 3, 20)
    for n in (500, 2000)
    if engine != "sparse" or dim < 20
]
each_case = pytest.mark.parametrize(("engine", "n", "dim"), CASES)


@each_case
def test_build(benchmark: BenchmarkFixture, engine: str, n: int, dim: int) -> None:
    X = mixture(n, dim)
    kernel = kernel_of(X)
    operator = benchmark(ENGINES[engine], X, kernel)
    assert operator.size == n


@each_case
def test_product(benchmark: BenchmarkFixture, engine: str, n: int, dim: int) -> None:
    X = mixture(n, dim)
    operator = ENGINES[engine](X, kernel_of(X))
    assert benchmark(operator.product, np.full(n, 1 / n)).shape == (n,)


@each_case
def test_fit(benchmark: BenchmarkFixture, engine: str, n: int, dim: int) -> None:
    X = mixture(n, dim)
    estimate = benchmark.pedantic(rk.rkde, (X,), {"engine": engine}, rounds=2)
    assert estimate.engine == engine


@each_case
def test_score(benchmark: BenchmarkFixture, engine: str, n: int, dim: int) -> None:
    X = mixture(n, dim)
    estimate = rk.kde(X, kernel_of(X))
    assert benchmark(estimate.log_density, X[:500], engine=engine).shape == (500,)


def test_the_slope_of_a_power_is_its_exponent() -> None:
    slope = fitted_slope([10, 100, 1000], [1.0, 100.0, 10_000.0])
    assert f"{slope.slope:.6f}" == "2.000000"
    assert slope.low <= slope.slope <= slope.high

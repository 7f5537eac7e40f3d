"""Time of one KIRWLS step, and exact counts of what the iteration does.

Run by ``python -m pytest benchmarks/speed/bench_iteration.py``. No time is judged, since machines differ
and are shared; the counts are judged exactly.
"""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from scipy.spatial import cKDTree

import rkde.fast as rk
from benchmarks.speed.conftest import StepTime
from benchmarks.speed.machine import reading_seconds
from rkde.fast._float64 import SATURATION
from rkde.fast.operators import DenseOperator

SIZES = (500, 1000, 2000, 4000)
DIMENSION = 2
SEED = 20120901
# A share of the rows, as in the paper's contaminated samples, uniform over a square that holds the others.
CONTAMINATED_SHARE = 0.1
HALF_WIDTH = 6.0
STEPS = 7
# Of so many rows and more only the near pairs are evaluated, which are few in the plane.
MANY_ROWS = 1024


def contaminated_sample(n: int) -> np.ndarray:
    """Return n rows: standard normal ones, the last of them uniform on a square."""
    rng = np.random.default_rng(SEED)
    n_uniform = round(CONTAMINATED_SHARE * n)
    nominal = rng.standard_normal((n - n_uniform, DIMENSION))
    return np.vstack([nominal, rng.uniform(-HALF_WIDTH, HALF_WIDTH, (n_uniform, DIMENSION))])


def hampel_problem(n: int) -> tuple[np.ndarray, rk.Gaussian, rk.Hampel, np.ndarray]:
    """Return data, kernel, loss and uniform weights; thresholds at the quantiles of the KDE's residuals."""
    X = contaminated_sample(n)
    kernel = rk.Gaussian(rk.median_nn(X))
    uniform = np.full(n, 1 / n)
    a, b, c = rk.thresholds(rk.residual_norms(X, kernel, uniform))
    return X, kernel, rk.Hampel(a, b, c), uniform


def pairs_to_evaluate(X: np.ndarray, kernel: rk.Gaussian) -> int:
    """Return how many pairs the build looks at: each once, the diagonal being known."""
    n = len(X)
    if n < MANY_ROWS:
        return n * (n - 1) // 2
    tree = cKDTree(X)
    # Each row finds itself, and each pair is found from both sides. Farther pairs have kappa < 2^-54.
    found = int(tree.count_neighbors(tree, kernel.bandwidth * np.sqrt(2 * SATURATION)))
    return (found - n) // 2


@pytest.mark.parametrize("n", SIZES)
def test_one_step(benchmark: BenchmarkFixture, step_times: dict[int, StepTime], n: int) -> None:
    X, kernel, loss, weights = hampel_problem(n)
    operator = DenseOperator(X, kernel)
    after = benchmark(rk.kirwls_step, X, kernel, loss, weights, operator=operator)
    # None where timing is switched off.
    if benchmark.stats is not None:
        step_times[n] = StepTime(
            benchmark.stats.stats.min, floor=reading_seconds(operator.differences.nbytes // 2)
        )
    assert after.shape == (n,)
    assert operator.kernel_evaluations == pairs_to_evaluate(X, kernel)


@pytest.mark.parametrize("n", SIZES)
def test_products_and_evaluations_are_counted(n: int) -> None:
    X, kernel, loss, weights = hampel_problem(n)
    operator = DenseOperator(X, kernel)
    result = rk.kirwls(X, kernel, loss, weights_init=weights, stop=rk.FixedSteps(STEPS), operator=operator)
    assert result.n_iter == STEPS
    # One product per step, and one for the residuals of the weights that are answered.
    assert operator.products == STEPS + 1
    assert operator.kernel_evaluations == pairs_to_evaluate(X, kernel)

"""The works whose speed is followed from commit to commit, each beside a yardstick of the same resource."""

from collections.abc import Callable

import numpy as np
from scipy.linalg import lu_factor

import rkde.fast as rk
from benchmarks.speed.floors import half_matrix_action, neighbour_action, symmetric_read_action
from benchmarks.speed.timing import Action
from benchmarks.speed.workloads import hampel_at, kernel_of, mixture
from rkde.fast.operators import DenseOperator, SparseOperator, TiledOperator

STEPS = 5
ROWS = 2000
PLANE_ROWS = 20_000
SYSTEM_ROWS = 1000
CONTAMINATING = 100


def counters() -> dict[str, int]:
    """Return exact counts of what fixed computations do, the same on every machine."""
    X = mixture(ROWS, 2)
    kernel = kernel_of(X)
    found: dict[str, int] = {}
    for name, build in {"dense": DenseOperator, "sparse": SparseOperator, "tiled": TiledOperator}.items():
        operator = build(X, kernel)
        rk.kirwls(X, kernel, rk.Huber(0.9), stop=rk.FixedSteps(STEPS), operator=operator)
        found |= {
            f"{name} products": operator.products,
            f"{name} kernel evaluations": operator.kernel_evaluations,
            f"{name} nonzeros": operator.nonzeros,
            f"{name} bytes": operator.nbytes,
        }
    return found


def sparse_fit() -> tuple[Action, Action]:
    X = mixture(PLANE_ROWS, 2)
    return lambda: rk.rkde(X, engine="sparse", threads=1), neighbour_action(X)


def near_scores() -> tuple[Action, Action]:
    X = mixture(PLANE_ROWS, 2)
    fitted = rk.rkde(X, threads=1)
    return lambda: fitted.log_density(X, engine="sparse", threads=1), neighbour_action(X)


def direct_scores() -> tuple[Action, Action]:
    X = mixture(ROWS, 20)
    fitted = rk.kde(X, kernel_of(X))
    # A matrix product and an exponential for each of n^2 pairs, twice what half of a matrix has.
    return lambda: fitted.log_density(X, engine="dense", threads=1), half_matrix_action(ROWS, 20)


def dense_build_of_near_pairs() -> tuple[Action, Action]:
    return _dense_build(2)


def dense_build_of_all_pairs() -> tuple[Action, Action]:
    return _dense_build(20)


def _dense_build(dim: int) -> tuple[Action, Action]:
    X = mixture(ROWS, dim)
    kernel = kernel_of(X)
    return lambda: DenseOperator(X, kernel, threads=1), half_matrix_action(ROWS, dim)


def dense_step() -> tuple[Action, Action]:
    X = mixture(ROWS, 2)
    operator, weights = DenseOperator(X, kernel_of(X), threads=1), np.full(ROWS, 1 / ROWS)
    loss = hampel_at(X, operator)
    step = lambda: rk.kirwls_step(X, operator.kernel, loss, weights, operator=operator)  # noqa: E731
    return step, symmetric_read_action(ROWS)


def tiled_product() -> tuple[Action, Action]:
    X = mixture(ROWS, 20)
    operator, weights = TiledOperator(X, kernel_of(X), threads=1), np.full(ROWS, 1 / ROWS)
    return lambda: operator.product(weights), half_matrix_action(ROWS, 20)


def influence() -> tuple[Action, Action]:
    X = mixture(SYSTEM_ROWS, 2)
    operator = DenseOperator(X, kernel_of(X), threads=1)
    loss = rk.Huber(hampel_at(X, operator).a)
    weights = rk.fixed_point(X, operator.kernel, loss, operator=operator).weights
    matrix = operator.differences + SYSTEM_ROWS * np.eye(SYSTEM_ROWS)
    at = X[:CONTAMINATING] + operator.kernel.bandwidth
    call = lambda: rk.influence(X, operator.kernel, loss, weights, at, operator=operator)  # noqa: E731
    return call, lambda: lu_factor(matrix)


# From the name of a ratio to the function that prepares its work and its yardstick.
TRACKED: dict[str, Callable[[], tuple[Action, Action]]] = {
    "sparse fit / k-d tree query": sparse_fit,
    "scores by near rows / k-d tree query": near_scores,
    "direct scores / GEMM + exp of half as many pairs": direct_scores,
    "dense build of near pairs / GEMM + exp": dense_build_of_near_pairs,
    "dense build of all pairs / GEMM + exp": dense_build_of_all_pairs,
    "dense step / reading half of the matrix": dense_step,
    "tiled product / GEMM + exp": tiled_product,
    "influence of 100 points / LU": influence,
}

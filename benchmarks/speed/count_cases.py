"""Small works whose cost is counted, not timed: each answers with what the package itself counts.

Run as a module it does every work and prints what was counted; under Callgrind it also leaves, for each work,
a file with the number of instructions of one run.

The works take fixed numbers of steps where that can be: the limit of KIRWLS is found to the last digits that
float64 can tell, and how many products that takes depends on how the processor's BLAS rounds.
"""

import json
import sys
import warnings
from collections.abc import Callable
from functools import partial

import rkde.fast as rk
from benchmarks.speed.callgrind import Requests
from benchmarks.speed.workloads import kernel_of, mixture
from rkde.fast.operators import CellsOperator, DenseOperator, KernelOperator, SparseOperator, TiledOperator

try:
    from rkde.fast.solvers import certify
except ImportError:  # in a revision before bounds moved to the room of the solvers
    from rkde.fast._certificates import certify  # type: ignore[import-not-found,no-redef]

Counters = dict[str, int]
Work = Callable[[], Counters]

STEPS = 10
# Far more than any work needs, so that blocks are as large as they can be, however much memory is free.
MEMORY = "1GB"
# Rows for dense and tiled work, which is quadratic, and for work that is not.
ROWS = 300
NEAR_ROWS = 1000
# Cross-validation goes through all pairs for each of some hundred bandwidths.
FEW_ROWS = 60
QUERIES = 100
# In tau: between the smallest and the largest residual norm of every sample here.
LOSS = rk.Huber(0.9)
# How often a work is done before it is counted: the interpreter adapts its bytecode to the first runs.
WARMING = 2

OPERATORS: dict[str, Callable[..., KernelOperator]] = {
    "dense": partial(DenseOperator, threads=1),
    "sparse": SparseOperator,
    "cells": CellsOperator,
    "tiled": partial(TiledOperator, threads=1),
}


def counters_of(operator: KernelOperator) -> Counters:
    """Return what an operator has counted."""
    return {
        "products": operator.products,
        "kernel evaluations": operator.kernel_evaluations,
        "bytes": operator.nbytes,
    }


def fit(engine: str, rows: int, dim: int) -> Work:
    X = mixture(rows, dim)
    kernel = kernel_of(X)

    def work() -> Counters:
        operator = OPERATORS[engine](X, kernel, memory_limit=MEMORY)
        rk.kirwls(X, kernel, LOSS, stop=rk.FixedSteps(STEPS), operator=operator, threads=1)
        return counters_of(operator)

    return work


def scores(engine: str, rows: int, dim: int) -> Work:
    X = mixture(rows, dim)
    fitted = rk.kde(X, kernel_of(X))

    def work() -> Counters:
        fitted.log_density(X, engine=engine, memory_limit=MEMORY, threads=1)
        return {}

    return work


def influence() -> Work:
    X = mixture(ROWS, 2)
    operator = OPERATORS["dense"](X, kernel_of(X), memory_limit=MEMORY)
    weights = rk.fixed_point(X, operator.kernel, LOSS, operator=operator).weights
    return counting(
        operator,
        lambda: rk.influence(X, operator.kernel, LOSS, weights, X[:QUERIES] + 1.0, operator=operator),
    )


def certificate() -> Work:
    X = mixture(ROWS, 2)
    operator = OPERATORS["dense"](X, kernel_of(X), memory_limit=MEMORY)
    weights = rk.fixed_point(X, operator.kernel, LOSS, operator=operator).weights
    return counting(operator, lambda: certify(operator, LOSS, weights))


def counting(operator: KernelOperator, action: Callable[[], object]) -> Work:
    """Return the work of an action, whose products are those that the operator counts meanwhile."""

    def work() -> Counters:
        before = operator.products
        action()
        return {"products": operator.products - before}

    return work


def cross_validation() -> Work:
    X = mixture(FEW_ROWS, 2)

    def work() -> Counters:
        tried = 0

        def kernel(bandwidth: float) -> rk.Gaussian:
            nonlocal tried
            tried += 1
            return rk.Gaussian(bandwidth)

        rk.lscv(X, kernel=kernel, memory_limit=MEMORY)
        return {"bandwidths tried": tried}

    return work


def estimator() -> Work:
    # Here, since under Callgrind an import that other cases do not need takes long.
    from rkde.fast.sklearn import RobustKernelDensity

    X = mixture(ROWS, 2)

    def work() -> Counters:
        RobustKernelDensity(engine="dense", memory_limit=MEMORY, threads=1).fit(X).predict(X[:QUERIES])
        # It fits to the last digits: the number of products depends on the processor.
        return {}

    return work


def vectors() -> Work:
    # Here, like the estimator.
    from rkde.adapter import answer_request, fast_implementation
    from rkde.conformance import check_cases, load_vectors, shipped_vectors

    first_of_each = {case.op: case for case in reversed(load_vectors(shipped_vectors()))}
    implementation = fast_implementation()

    def work() -> Counters:
        check_cases(partial(answer_request, implementation), first_of_each.values())
        return {}

    return work


# From the name of a case to the function that prepares its work.
CASES: dict[str, Callable[[], Work]] = {
    "fit, dense": lambda: fit("dense", ROWS, 2),
    "fit, sparse": lambda: fit("sparse", NEAR_ROWS, 2),
    "fit, cells": lambda: fit("cells", NEAR_ROWS, 1),
    "fit, tiled": lambda: fit("tiled", ROWS, 5),
    "scores, all rows": lambda: scores("dense", ROWS, 5),
    "scores, near rows": lambda: scores("sparse", NEAR_ROWS, 2),
    "influence": influence,
    "least-squares cross-validation": cross_validation,
    "certificate": certificate,
    "estimator": estimator,
    "vectors, one of each operation": vectors,
}


def main() -> None:
    """Print the package's place, and for each case its counters or why it does not run."""
    warnings.simplefilter("ignore")
    names = sys.argv[1:] or list(CASES)
    requests = Requests.find()
    found: dict[str, Counters | str] = {}
    for name in names:
        try:
            work = CASES[name]()
            if requests is not None:
                for _ in range(WARMING):
                    work()
                requests.count(name, work)
            found[name] = work()
        # A case that an older package cannot do is a result, too.
        except Exception as error:  # noqa: BLE001
            found[name] = f"{type(error).__name__}: {error}"
    print(json.dumps({"package": rk.__file__, "found": found}))


if __name__ == "__main__":
    main()

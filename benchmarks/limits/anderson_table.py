"""Products with the Gram matrix to a stationary point, with and without Anderson acceleration.

Sixty Hampel runs: three data sets of 700 rows, ten seeds each, once and four times the median
nearest-neighbour distance, thresholds and start of the paper's recipe, stopped where a step moves no weight
by more than 1e-12 of the largest. Run by ``python benchmarks/limits/anderson_table.py``; exits with 1 where a
run ends elsewhere than plain KIRWLS, J rises, or more than 0.6 of the products are needed in total.
"""

import sys
import warnings
from typing import Final

import numpy as np
from data import DATA, Array, machine

import rkde.fast as rk
from rkde.errors import ModeCollapseWarning
from rkde.fast.operators import DenseOperator
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Solver, Stationarity, Status

SIZE: Final = 700
SEEDS: Final = 10
SCALES: Final = (1, 4)
STOP: Final = Stationarity(1e-12)
CAP: Final = 5000
TARGET: Final = 0.6


def run(
    operator: DenseOperator, loss: rk.Hampel, start: Array, solver: Solver
) -> tuple[rk.KirwlsResult, int]:
    """Return one run and its number of products, those of its error bound left out."""
    before = operator.products
    result = rk.kirwls(
        operator.X, operator.kernel, loss, weights_init=start, stop=STOP, max_iter=CAP, operator=operator,
        solver=solver,
    )  # fmt: skip
    return result, operator.products - before


def main() -> int:
    """Print the table and return the exit code."""
    print(machine())
    print(
        f"{'data':9} {'times NN':>8} {'same point':>10} "
        f"{'plain':>7} {'anderson':>8} {'ratio':>6} {'rises':>5}"
    )
    totals = {"plain": 0, "anderson": 0}
    same_total = rises_total = 0
    for name, make in DATA.items():
        for scale in SCALES:
            products = {"plain": 0, "anderson": 0}
            same = rises = 0
            for seed in range(SEEDS):
                X = make(SIZE, seed)
                operator = DenseOperator(X, rk.Gaussian(scale * rk.median_nn(X)))
                median = rk.median_rkde(X, operator.kernel, operator=operator)
                loss = rk.Hampel(*rk.thresholds(median.residual_norms))
                plain, plain_count = run(operator, loss, median.weights, "plain")
                fast, fast_count = run(operator, loss, median.weights, "anderson")
                products["plain"] += plain_count
                products["anderson"] += fast_count
                apart = np.abs(plain.weights - fast.weights).max() / plain.weights.max()
                converged = plain.status is fast.status is Status.CONVERGED
                same += bool(converged and apart <= tolerances.printed_digits(6))
                path = fast.objective_path
                rises += int((np.diff(path) > tolerances.objective_slack(SIZE, X.shape[1]) * path[:-1]).sum())
            counts = f"{products['plain'] / SEEDS:7.1f} {products['anderson'] / SEEDS:8.1f}"
            ratio = products["anderson"] / products["plain"]
            print(f"{name:9} {scale:8} {same:7}/{SEEDS} {counts} {ratio:6.2f} {rises:5}")
            totals = {solver: totals[solver] + products[solver] for solver in totals}
            same_total, rises_total = same_total + same, rises_total + rises
    ratio = totals["anderson"] / totals["plain"]
    runs = len(DATA) * len(SCALES) * SEEDS
    print(f"all: same point {same_total}/{runs}, products {totals['plain']} and {totals['anderson']}, "
          f"ratio {ratio:.3f} (target {TARGET}), rises of J {rises_total}")  # fmt: skip
    return int(same_total < runs or rises_total > 0 or ratio > TARGET)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ModeCollapseWarning)
    sys.exit(main())

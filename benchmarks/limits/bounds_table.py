"""How far above the truth the proved error bounds of rule-stopped runs lie, and how often there is none.

Three data sets of 200 rows, ten seeds each, three bandwidths, thresholds and start of the paper's recipe,
stopped by the paper's rule. The truth is the distance in H to the limit, known to about 1e-12. Run by
``python benchmarks/limits/bounds_table.py``; exits with 1 where a bound is below the truth.
"""

import sys
import warnings
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from data import DATA, Array, machine

import rkde.fast as rk
from rkde.errors import ModeCollapseWarning
from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import distance_between
from rkde.proofs_checks import tolerances

SIZE: Final = 200
SEEDS: Final = 10
SCALES: Final = (1, 4, 8)
LOSSES: Final = ("absolute", "huber", "hampel")
QUANTILES: Final = (0.5, 0.9, 1.0)
# Nearer to the limit than this the bound is one of rounding, which does not depend on the rule.
NEAR: Final = tolerances.printed_digits(10)


@dataclass
class Collected:
    """The runs of one loss and one bandwidth."""

    distances: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    without: int = 0
    broken: int = 0

    def add(self, run: rk.KirwlsResult, limit: rk.FixedPoint, operator: DenseOperator) -> None:
        """Compare a stopped run with its limit, whose own error bound says how well it is known."""
        distance = distance_between(operator, run.weights, limit.weights)
        self.distances.append(distance)
        if run.error_bound is None:
            self.without += 1
            return
        self.broken += distance > run.error_bound + limit.error_bound
        if distance > NEAR:
            self.ratios.append(run.error_bound / distance)

    def line(self) -> str:
        """Return the entries of a row of the table."""
        levels = " ".join(f"{value:8.3f}" for value in np.quantile(self.ratios, QUANTILES))
        counts = f"{len(self.distances):5} {self.without:8} {len(self.ratios):8}"
        return f"{counts} {max(self.distances):9.1e} {levels}"


def collect(X: Array, scale: int, into: dict[str, Collected]) -> None:
    """Run each loss on one data set."""
    operator = DenseOperator(X, rk.Gaussian(scale * rk.median_nn(X)))
    median = rk.median_rkde(X, operator.kernel, operator=operator)
    a, b, c = rk.thresholds(median.residual_norms)
    uniform = np.full(SIZE, 1 / SIZE)
    cases: list[tuple[str, rk.Absolute | rk.Huber | rk.Hampel, Array]] = [
        ("absolute", rk.Absolute(), uniform),
        ("huber", rk.Huber(a), median.weights),
        ("hampel", rk.Hampel(a, b, c), median.weights),
    ]
    for name, loss, start in cases:
        run = rk.kirwls(X, operator.kernel, loss, weights_init=start, operator=operator)
        limit = rk.fixed_point(X, operator.kernel, loss, weights_init=start, operator=operator)
        into[name].add(run, limit, operator)


def main() -> int:
    """Print the table and return the exit code."""
    print(machine())
    columns = " ".join(f"{'at ' + format(level, '.0%'):>8}" for level in QUANTILES)
    print(f"{'loss':9} {'times NN':>8} {'runs':>5} {'no bound':>8} {'farther':>8} {'largest':>9} {columns}")
    table = {scale: {loss: Collected() for loss in LOSSES} for scale in SCALES}
    for scale, into in table.items():
        for make in DATA.values():
            for seed in range(SEEDS):
                collect(make(SIZE, seed), scale, into)
    for loss in LOSSES:
        for scale in SCALES:
            print(f"{loss:9} {scale:8} {table[scale][loss].line()}")
    hampel = [into["hampel"] for into in table.values()]
    without, runs = sum(one.without for one in hampel), sum(len(one.distances) for one in hampel)
    broken = sum(one.broken for into in table.values() for one in into.values())
    print(f"Hampel runs without a finite bound: {without} of {runs} ({without / runs:.0%})")
    print(f"bounds below the truth: {broken}")
    return int(broken > 0)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ModeCollapseWarning)
    sys.exit(main())

"""The influence of many contaminating points, beside one dense LU of Theorem 5's matrix in the same run.

Run by ``python benchmarks/speed/bench_influence.py``. CPU times, the shortest of some
repetitions that take turns; only ratios mean anything. The difference of the two answers is asserted.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.spatial.distance import cdist

import rkde.fast as rk
from rkde.fast.influence import (
    InfluenceInputs,
    linearisation_point,
    systems_by_pattern,
    theorem_5_coefficients,
)
from rkde.proofs_checks import tolerances

ROWS = 3000
DIMENSION = 2
POINTS = (200, 2000)
# A share of the rows, uniform over a square that holds the others.
CONTAMINATED_SHARE = 0.1
HALF_WIDTH = 6.0
REPETITIONS = 5
NAMES = ("hampel", "huber", "absolute")
SEED = 20120908


@dataclass(frozen=True)
class Problem:
    """A fixed point and contaminating points."""

    operator: rk.DenseOperator
    loss: Any
    weights: np.ndarray
    x_new: np.ndarray

    def call(self, *, with_matrix: bool) -> rk.Influence:
        """One call of the public function, with or without the kernel matrix of the data."""
        shared = self.operator if with_matrix else None
        X, kernel = self.operator.X, self.operator.kernel
        return rk.influence(X, kernel, self.loss, self.weights, self.x_new, operator=shared)

    def coefficients(self) -> np.ndarray:
        """Only what an LU with right sides gives: alpha, from the kernel matrix on."""
        inputs = InfluenceInputs.of(self.operator, self.x_new, None)
        point = linearisation_point(self.operator, self.loss, self.weights)
        systems = systems_by_pattern(self.loss, point, [], len(self.x_new))
        (system,) = filter(None, systems.by_pattern.values())
        new = inputs.new_points(self.loss, point, slice(0, len(self.x_new)))
        rows = np.empty((len(self.x_new), self.operator.size))
        theorem_5_coefficients(point, systems.active, system, new).fill(point.weights, rows)
        return rows

    def dense_system(self, alpha_new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Theorem 5 as printed: gamma I + P'Q P K, and for given alpha' the right sides, as columns."""
        norms = self.operator.residual_norms(self.weights)
        phi, weights = self.loss.phi(norms), self.weights
        curvature = (self.loss.q(norms) / norms**3)[:, None]

        def bent(gram: np.ndarray) -> np.ndarray:
            gram -= weights @ gram
            gram *= curvature
            gram -= np.multiply.outer(weights, gram.sum(axis=0))
            return gram

        # In LAPACK's order of storage, so that factoring copies nothing.
        gram = np.multiply(self.operator.differences.T, -1 / 2)
        gram += 1
        matrix = bent(gram)
        matrix[np.diag_indices_from(matrix)] += phi.sum()
        cross = cdist(self.operator.X, self.x_new, "sqeuclidean")
        cross /= -2 * self.operator.kernel.bandwidth**2
        cross = bent(np.exp(cross, out=cross))
        return matrix, -alpha_new * (phi.sum() * weights[:, None] + cross)


def problem(name: str, count: int, n: int = ROWS) -> Problem:
    """Return a problem with the loss of a name, thresholds by the recipe of section 6.1.2."""
    rng = np.random.default_rng(SEED)
    n_uniform = round(CONTAMINATED_SHARE * n)
    nominal = rng.standard_normal((n - n_uniform, DIMENSION))
    X = np.vstack([nominal, rng.uniform(-HALF_WIDTH, HALF_WIDTH, (n_uniform, DIMENSION))])
    kernel = rk.Gaussian(rk.median_nn(X))
    # Near rows, where Hampel's loss lets most of them count.
    x_new = X[rng.integers(n, size=count)] + kernel.bandwidth * rng.standard_normal((count, DIMENSION))
    operator = rk.DenseOperator(X, kernel)
    median = rk.median_rkde(X, kernel, operator=operator)
    a, b, c = rk.thresholds(median.residual_norms)
    loss = {"hampel": rk.Hampel(a, b, c), "huber": rk.Huber(a), "absolute": rk.Absolute()}[name]
    limit = rk.fixed_point(X, kernel, loss, weights_init=median.weights, operator=operator)
    return Problem(operator, loss, limit.weights, x_new)


def shortest(*tasks: Callable[[], object]) -> list[float]:
    """Return the least CPU time of each task; they take turns."""
    times = [[float("inf")] for _ in tasks]
    for _ in range(REPETITIONS):
        for task, spent in zip(tasks, times, strict=True):
            start = time.process_time()
            task()
            spent.append(time.process_time() - start)
    return [min(spent) for spent in times]


@dataclass(frozen=True)
class Comparison:
    """CPU seconds of our ways to one answer, and of the parts of the LU's way to it.

    Attributes
    ----------
    call, shared : float
        One call with all that it reports, from the data on, and with the matrix of the data given.
    coefficients : float
        The coefficients alone, from the matrix of the data on.
    forming, factoring, solving : float
        Theorem 5's matrix and right sides from the matrix of the data, its LU, the solution with it.
    apart : float
        Largest difference of the coefficients, over the largest coefficient.
    """

    call: float
    shared: float
    coefficients: float
    forming: float
    factoring: float
    solving: float
    apart: float

    @property
    def gain(self) -> float:
        """How many times longer the LU's way is, both from the matrix of the data to the coefficients."""
        return (self.forming + self.factoring + self.solving) / self.coefficients

    @property
    def gain_alone(self) -> float:
        """The same with nothing but LU and solution on the other side, and all of ours."""
        return (self.factoring + self.solving) / self.coefficients


def compare(posed: Problem) -> Comparison:
    """Check the answer of a problem and time the ways to it."""
    found = posed.call(with_matrix=True)
    matrix, right = posed.dense_system(found.if_coef_new)
    factors = lu_factor(matrix)
    expected = lu_solve(factors, right).T
    largest = float(np.abs(expected).max())
    apart = float(np.abs(found.if_coef - expected).max()) / largest
    # The LU's own error is of the same size.
    assert apart <= 2 * tolerances.influence_bound(len(matrix), DIMENSION, found.condition)
    times = shortest(
        lambda: posed.call(with_matrix=False),
        lambda: posed.call(with_matrix=True),
        posed.coefficients,
        lambda: posed.dense_system(found.if_coef_new),
        lambda: lu_factor(matrix),
        lambda: lu_solve(factors, right),
    )
    return Comparison(*times, apart)


def line(posed: Problem, found: Comparison) -> str:
    """Return one line of the table."""
    active = int(np.count_nonzero(posed.loss.q(posed.operator.residual_norms(posed.weights))))
    return (
        f"{posed.loss.name:9} {len(posed.x_new):5} {active:7} {found.call / found.factoring:8.2f} "
        f"{found.shared / found.factoring:8.2f} {found.gain:8.2f} {found.gain_alone:8.2f} "
        f"{found.factoring:8.2f} s   {found.apart:.0e}"
    )


def main() -> None:
    """Print the table."""
    print(f"n = {ROWS}, d = {DIMENSION}, Gaussian, median_nn; CPU time: set OPENBLAS_NUM_THREADS=1")
    print("A: one call, all fields, over one LU   B: the same, the matrix of the data given")
    print("C: matrix and right sides of Theorem 5, LU and solution, over coefficients alone")
    print("D: LU and solution, over coefficients alone")
    print("loss          m  active        A        B        C        D         LU  differ")
    for count in POINTS:
        for name in NAMES:
            posed = problem(name, count)
            print(line(posed, compare(posed)))


if __name__ == "__main__":
    main()

"""What products in float32 would gain where no matrix is stored: ``python -m benchmarks.speed.float32``.

They can only replace products inside the iteration: the last steps, and the certificate, need float64. So the
script times both kinds of product and the whole fit, counts the products of each kind that the fit does, and
prints the ratio of the fit's time to what it would be if all, or half, of the products of the iteration were
in float32.
"""

import numpy as np
from threadpoolctl import threadpool_limits

import rkde.fast as rk
from benchmarks.speed.timing import processor_seconds
from benchmarks.speed.workloads import Array, kernel_of, mixture
from rkde.fast.operators import TiledOperator

ROWS = 6000
DIMENSIONS = (20, 50)
TILE = (256, 512)
REPETITIONS = 3


class Counting(TiledOperator):
    """The engine, with the processor time that its two kinds of product take."""

    def __init__(self, X: Array, kernel: rk.Gaussian) -> None:
        super().__init__(X, kernel, threads=1)
        self.seconds = {"iteration": 0.0, "proof": 0.0}
        self.counts = {"iteration": 0, "proof": 0}

    def product(self, coefficients: Array) -> Array:
        return self._timed("iteration", super().product, coefficients)

    def proved_product(self, coefficients: Array) -> Array:
        return self._timed("proof", super().proved_product, coefficients)

    def _timed(self, kind: str, product: object, coefficients: Array) -> Array:
        answers: list[Array] = []
        self.seconds[kind] += processor_seconds(lambda: answers.append(product(coefficients)))  # type: ignore[operator]
        self.counts[kind] += 1
        return answers[0]


def single_precision_seconds(X: Array, bandwidth: float) -> float:
    """Return the time of one product with the kernel matrix in float32, each tile used twice."""
    size = len(X)
    centred = (X - np.median(X, axis=0)) / bandwidth
    halves = np.einsum("ij,ij->i", centred, centred) / 2
    ones = np.ones(size)
    left = np.column_stack((centred, -halves, ones)).astype(np.float32)
    right = np.ascontiguousarray(np.column_stack((centred, ones, -halves)).T, dtype=np.float32)
    weights, total = np.full(size, 1 / size, dtype=np.float32), np.zeros(size)
    memory = np.empty(TILE, dtype=np.float32)

    def product() -> None:
        for top in range(0, size, TILE[0]):
            rows = slice(top, min(top + TILE[0], size))
            for start in range(top, size, TILE[1]):
                columns = slice(start, min(start + TILE[1], size))
                values = memory[: rows.stop - rows.start, : columns.stop - columns.start]
                np.matmul(left[rows], right[:, columns], out=values)
                np.exp(values, out=values)
                total[rows] += values @ weights[columns]
                total[columns] += weights[rows] @ values

    return min(processor_seconds(product) for _ in range(REPETITIONS))


def line(dim: int) -> str:
    """Return one line of the table."""
    X = mixture(ROWS, dim)
    kernel = kernel_of(X)
    weights = np.full(ROWS, 1 / ROWS)
    plain = TiledOperator(X, kernel, threads=1)
    double = min(processor_seconds(lambda: plain.product(weights)) for _ in range(REPETITIONS))
    single = single_precision_seconds(X, kernel.bandwidth)
    operator = Counting(X, kernel)

    def fit() -> None:
        found = rk.median_rkde(X, kernel, operator=operator)
        loss = rk.Hampel(*rk.thresholds(found.residual_norms))
        rk.kirwls(X, kernel, loss, weights_init=found.weights, operator=operator)

    whole = processor_seconds(lambda: rk.median_nn(X)) + processor_seconds(fit)
    saved = operator.seconds["iteration"] * (1 - single / double)
    gains = whole / (whole - saved), whole / (whole - saved / 2)
    return (
        f"{dim:3} {double:8.3f} {single:8.3f} {double / single:6.2f} {operator.counts['iteration']:9} "
        f"{operator.counts['proof']:7} {operator.seconds['proof'] / whole:12.2f} {whole:7.2f} "
        f"{gains[0]:9.2f} {gains[1]:9.2f}"
    )


def main() -> None:
    """Print one line for each number of columns."""
    print("  d  float64  float32  ratio  products  proofs  their share   fit s  gain: all      half")
    for dim in DIMENSIONS:
        print(line(dim))


if __name__ == "__main__":
    with threadpool_limits(limits=1):
        main()

"""Largest and mean error of each engine against the reference, beside its time.

``python -m benchmarks.speed.accuracy`` writes benchmarks/accuracy.json.
"""

import json
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import rkde.fast as rk
import rkde.reference as reference
from benchmarks.speed.workloads import Array, mixture
from rkde.fast.operators import DenseOperator, SparseOperator, TiledOperator
from rkde.machine import machine_facts

ANSWERS = Path(__file__).parents[1] / "accuracy.json"
ENGINES = {"dense": DenseOperator, "sparse": SparseOperator, "tiled": TiledOperator}
DIGITS = 40
ROWS = 60
DIMENSIONS = (1, 2, 20)
STEPS = 5
THRESHOLDS = (0.5, 0.9, 1.3)


def errors(found: Array, right: Sequence[object], *, scale: float) -> dict[str, float]:
    """Return the largest and the mean difference over a scale."""
    difference = [abs(float(value) - float(wanted)) for value, wanted in zip(found, right, strict=True)]  # type: ignore[arg-type]
    return {"max": max(difference) / scale, "mean": sum(difference) / len(difference) / scale}


def accuracy(dim: int) -> dict[str, dict[str, object]]:
    """Return the errors and the processor seconds of each engine on one data set."""
    X = mixture(ROWS, dim)
    bandwidth = rk.median_nn(X)
    kernel, loss = rk.Gaussian(bandwidth), rk.Hampel(*THRESHOLDS)
    ctx = reference.make_context(DIGITS)
    exact = reference.kirwls(
        ctx,
        X.tolist(),
        reference.Gaussian(bandwidth),
        reference.Hampel(*THRESHOLDS),
        stop=reference.FixedSteps(STEPS),
    )
    logs = reference.log_density(ctx, X.tolist(), reference.Gaussian(bandwidth), exact.weights, X.tolist())
    weights = np.array([float(weight) for weight in exact.weights])
    found: dict[str, dict[str, object]] = {}
    for name, build in ENGINES.items():
        start = time.process_time()
        run = rk.kirwls(X, kernel, loss, stop=rk.FixedSteps(STEPS), operator=build(X, kernel))
        scores = rk.log_density(X, kernel, weights / weights.sum(), X, engine=name)  # type: ignore[arg-type]
        found[name] = {
            "seconds": time.process_time() - start,
            "weights, of the largest": errors(run.weights, exact.weights, scale=float(max(weights))),
            "residual norms, in tau": errors(run.residual_norms, exact.residual_norms, scale=1.0),
            "log density, nats": errors(scores, logs, scale=1.0),
        }
    return found


def main() -> None:
    """Write the file."""
    content = {"machine": machine_facts(), **{f"{ROWS} rows, d = {dim}": accuracy(dim) for dim in DIMENSIONS}}
    ANSWERS.write_text(json.dumps(content, indent=2) + "\n", "utf-8")
    print(ANSWERS.read_text("utf-8"))


if __name__ == "__main__":
    main()

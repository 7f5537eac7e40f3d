"""Random problems by regime: rows, a kernel of each kind, a loss of each kind, weights and counts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.support.conditioning import feature_sqdist, residuals

Rows = NDArray[np.float64]

SEED: Final = 2012
LARGEST_SIZE: Final = 14
LARGEST_DIM: Final = 4
# One problem in so many has so many rows: enough for the engines to differ. The number shares no factor with
# those of regimes, kernels and losses, so that each of them has its turn.
MANY_EVERY: Final = 101
MANY_ROWS: Final = 100
KERNELS: Final = ("gaussian", "laplacian", "student")
LOSSES: Final = ("quadratic", "absolute", "huber", "hampel")
FAR: Final = 1e6
OFFSET: Final = 1e8
TINY: Final = 2.0**-500
HUGE: Final = 2.0**500


def _clusters(rng: np.random.Generator, rows: Rows) -> Rows:
    return np.asarray(rows / 8 + 4 * rng.integers(0, 3, size=(len(rows), 1)))


def _far(rng: np.random.Generator, rows: Rows) -> Rows:
    rows[: max(1, len(rows) // 5)] *= FAR
    return rows


def _near_duplicates(rng: np.random.Generator, rows: Rows) -> Rows:
    half = len(rows) // 2
    rows[:half] = rows[half : 2 * half] + 2.0**-40 * rng.standard_normal((half, rows.shape[1]))
    return rows


def _ties(rng: np.random.Generator, rows: Rows) -> Rows:
    return np.round(rows)


# What is done to normal rows, and by how much everything is scaled then.
REGIMES: Final[dict[str, tuple[Callable[[np.random.Generator, Rows], Rows], float]]] = {
    "one cloud": (lambda _, rows: rows, 1.0),
    "clusters": (_clusters, 1.0),
    "far outliers": (_far, 1.0),
    "a large offset": (lambda _, rows: rows + OFFSET, 1.0),
    "near duplicates": (_near_duplicates, 1.0),
    "ties": (_ties, 1.0),
    "tiny numbers": (lambda _, rows: rows, TINY),
    "huge numbers": (lambda _, rows: rows, HUGE),
}


@dataclass(frozen=True)
class Problem:
    """One problem; `problem` makes it again from its number."""

    seed: int
    regime: str
    X: Rows  # (n, d)
    queries: Rows  # (m, d): rows, middles and places far out
    weights: Rows  # (n,): of sum 1, some of them 0
    counts: NDArray[np.int64]  # (n,): whole sample weights
    kernel: KernelSpec
    loss: LossSpec


def problem(seed: int, columns: int = LARGEST_DIM) -> Problem:
    """Return the problem of a number: regimes, kernels and losses take turns, everything else is drawn.

    Of more than a few columns the number is drawn evenly on a logarithmic scale, and the bandwidth grows with
    the distances.
    """
    rng = np.random.default_rng((SEED, seed))
    regime = list(REGIMES)[seed % len(REGIMES)]
    change, scale = REGIMES[regime]
    n, dim = int(rng.integers(2, LARGEST_SIZE + 1)), int(rng.integers(1, LARGEST_DIM + 1))
    if seed % MANY_EVERY == 0:
        n = MANY_ROWS
    if columns > LARGEST_DIM:
        dim = int(columns ** rng.uniform(0, 1))
        scale *= np.sqrt(dim)
    rows = change(rng, rng.standard_normal((n, dim))) * REGIMES[regime][1]
    bandwidth = float(np.exp(rng.uniform(-1.5, 1.5))) * scale
    name = KERNELS[seed // len(REGIMES) % len(KERNELS)]
    kernel = KernelSpec(name, bandwidth, float(rng.uniform(0.5, 9)) if name == "student" else None)
    picked = rows[rng.integers(0, n, 4)]
    steps = bandwidth * np.array([[0.0], [0.5], [5.0], [50.0]])
    raw = rng.integers(0, 5, n).astype(float)
    raw[0] += 1
    return Problem(
        seed,
        regime,
        rows,
        picked + steps,
        raw / raw.sum(),
        rng.integers(1, 4, n),
        kernel,
        _loss(rng, rows, kernel, LOSSES[seed // (len(REGIMES) * len(KERNELS)) % len(LOSSES)]),
    )


def _loss(rng: np.random.Generator, rows: Rows, kernel: KernelSpec, name: str) -> LossSpec:
    """Return a loss with thresholds among the residual norms of uniform weights, which they cut in parts."""
    if name in ("quadratic", "absolute"):
        return LossSpec(name)
    norms = residuals(feature_sqdist(rows, kernel), np.full(len(rows), 1 / len(rows)))
    low, high = float(norms.min()), float(norms.max())
    a = max(rng.uniform(0.5, 1.0) * (low + high) / 2, 2.0**-20)
    if name == "huber":
        return LossSpec(name, (a,))
    b = a * rng.uniform(1.0, 1.2)
    # Beyond most rows: a row above c has no weight, and rows without any end the run.
    return LossSpec(name, (a, b, max(high, b) * rng.uniform(1.05, 2.0)))

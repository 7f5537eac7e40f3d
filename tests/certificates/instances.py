"""Random problems with a seed, as numbers that every implementation reads alike, of the size users have."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

import rkde.fast
from rkde.proofs_checks.strategies import KERNEL_NAMES, KernelSpec, LossName, LossSpec
from tests.support.implementations import FAST, rows

SEED: Final = 20_121_103
COUNT: Final = 200
LOSS_NAMES: Final[tuple[LossName, ...]] = ("absolute", "huber", "hampel", "hampel")
SIZES: Final = (3, 40)
DIMENSIONS: Final = (1, 5)
# Thresholds and bandwidths are multiples of this.
GRAIN: Final = 2.0**-10
# Shares of the rows that are copies of others, and that lie far out.
DUPLICATED: Final = 0.25
OUTLYING: Final = 0.15
# Levels of a, b and c among the residual norms: drawn between these, in this order.
LEVELS: Final = ((0.3, 0.6), (0.6, 0.8), (0.82, 1.0))

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Instance:
    """One problem of the series."""

    index: int
    X: list[list[float]]
    kernel: KernelSpec
    loss: LossSpec

    def __repr__(self) -> str:
        return f"{self.index}-{self.kernel.name}-{self.loss.name}-{len(self.X)}x{len(self.X[0])}"


@cache
def instances(count: int = COUNT) -> tuple[Instance, ...]:
    """The first problems of the series."""
    return tuple(_instance(index) for index in range(count))


def _instance(index: int) -> Instance:
    rng = np.random.default_rng([SEED, index])
    X = _data(rng)
    name = KERNEL_NAMES[index % len(KERNEL_NAMES)]
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    typical = float(np.median(distances[distances > 0]))
    bandwidth = _rounded(typical * 2.0 ** rng.uniform(-2, 1))
    kernel = KernelSpec(name, bandwidth, float(rng.integers(1, 6)) if name == "student" else None)
    loss_name = LOSS_NAMES[(index // len(KERNEL_NAMES)) % len(LOSS_NAMES)]
    return Instance(index, rows(X), kernel, _loss(loss_name, X, kernel, rng))


def _data(rng: np.random.Generator) -> Array:
    size = int(rng.integers(SIZES[0], SIZES[1] + 1))
    dim = int(rng.integers(DIMENSIONS[0], DIMENSIONS[1] + 1))
    X = rng.normal(size=(size, dim))
    if rng.random() < 1 / 2:  # a second cluster
        X[rng.random(size) < 1 / 2, 0] += rng.uniform(2, 6)
    outlying = rng.random(size) < OUTLYING
    X[outlying] *= 4
    copies = int(DUPLICATED * size) if rng.random() < 1 / 2 else 0
    if copies:
        X[:copies] = X[rng.integers(copies, size, copies)]
    return X


def _loss(name: LossName, X: Array, kernel: KernelSpec, rng: np.random.Generator) -> LossSpec:
    if name == "absolute":
        return LossSpec(name)
    uniform = np.full(len(X), 1 / len(X))
    norms = rkde.fast.residual_norms(X, FAST.kernel(kernel), uniform)
    low, middle, high = (_rounded(float(np.quantile(norms, rng.uniform(*levels)))) for levels in LEVELS)
    if name == "huber":
        return LossSpec(name, (low,))
    middle = max(low, middle)
    return LossSpec(name, (low, middle, max(high, middle + GRAIN)))


def _rounded(value: float) -> float:
    return max(1, round(value / GRAIN)) * GRAIN

"""Named data sets that are hard on purpose, and the shipped ones, with thresholds that need no quantile."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from rkde.datasets import load
from rkde.proofs_checks.strategies import KernelSpec, LossSpec
from tests.support.implementations import rows

SEED: Final = 20_120_901


@dataclass(frozen=True)
class NamedData:
    """A table with the kernel and the losses it is tested with."""

    name: str
    why: str
    X: list[list[float]]
    kernel: KernelSpec
    huber: LossSpec
    hampel: LossSpec

    @property
    def losses(self) -> tuple[LossSpec, ...]:
        return (LossSpec("quadratic"), LossSpec("absolute"), self.huber, self.hampel)

    def __repr__(self) -> str:
        return self.name


def _named(name: str, why: str, X: object, kernel: KernelSpec, huber: float, *abc: float) -> NamedData:
    return NamedData(name, why, rows(X), kernel, LossSpec("huber", (huber,)), LossSpec("hampel", abc))


def _rng(offset: int) -> np.random.Generator:
    return np.random.default_rng(SEED + offset)


def _duplicates() -> np.ndarray:
    distinct = _rng(1).normal(size=(6, 2)).round(3)
    return distinct[[0, 0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 5]]


def _far_outliers() -> np.ndarray:
    X = _rng(2).normal(size=(16, 2))
    X[3] = (1e6, -1e6)
    X[11] = (-40.0, 0.0)
    return X


def _near_duplicates() -> np.ndarray:
    centres = np.repeat(_rng(3).normal(size=(4, 2)), 3, axis=0)
    return centres + 2.0**-33 * _rng(4).integers(-8, 9, size=centres.shape)


def adversarial() -> tuple[NamedData, ...]:
    """Ten sets, each with one property that breaks a plausible implementation."""
    unit = KernelSpec("gaussian", 1.0)
    offset = 1e8 + _rng(5).integers(0, 64, size=(14, 2)) / 16.0
    wide, narrow = KernelSpec("gaussian", 1e8), KernelSpec("gaussian", 1e-8)
    at_1e8, at_1e_8 = _rng(7).normal(size=(12, 2)), _rng(8).normal(size=(10, 3))
    tiny, laplacian = 1e-300 * _rng(9).integers(-40, 41, size=(12, 1)), KernelSpec("laplacian", 1e-299)
    heavy, student = (
        np.tan(np.pi * (np.arange(1, 22) / 22 - 0.5)).reshape(-1, 1),
        KernelSpec("student", 0.7, 2.5),
    )
    pairs = [[-2.0], [-1.9], [1.875], [2.0]]
    high, broad = _rng(6).normal(size=(9, 1000)), KernelSpec("gaussian", 30.0)
    return (
        _named("duplicates", "K is singular", _duplicates(), unit, 0.75, 0.5, 0.7, 1.0),
        _named("far-outliers", "kappa underflows to 0", _far_outliers(), unit, 0.8, 0.5, 0.7, 0.95),
        _named("offset-1e8", "x^2 + y^2 - 2xy cancels", offset, unit, 0.8, 0.4, 0.6, 0.9),
        _named("dimension-1000", "k(0,0) underflows", high, broad, 0.766, 0.755, 0.765, 0.8),
        _named("bandwidth-1e8", "residuals of 1e-8", at_1e8, wide, 1e-8, 8e-9, 1.2e-8, 2.5e-8),
        _named("bandwidth-1e-8", "K is the identity", at_1e_8, narrow, 0.5, 0.5, 0.8, 1.2),
        _named("near-duplicates", "squared distances of 1e-20", _near_duplicates(), unit, 0.7, 0.4, 0.6, 1.0),
        _named("scale-1e-300", "squares underflow", tiny, laplacian, 0.85, 0.5, 0.7, 1.0),
        _named("heavy-tails", "three decades", heavy, student, 0.75, 0.5, 0.75, 1.0),
        _named("two-pairs", "starts near a saddle", pairs, unit, 0.708, 0.3, 0.6, 1.2),
    )


@cache
def shipped(name: str) -> list[list[float]]:
    """The numeric columns of a shipped table."""
    return rows(load(name).rows)


ADVERSARIAL: Final = adversarial()
REAL: Final = (
    _named("iris", "repeated rows", shipped("iris"), KernelSpec("gaussian", 0.36), 0.965, 0.93, 0.985, 1.01),
    _named(
        "faithful", "many ties", shipped("faithful"), KernelSpec("gaussian", 1.0), 0.975, 0.95, 0.985, 1.0
    ),
)
EVERY_SET: Final = (*ADVERSARIAL, *REAL)
BY_NAME: Final = {data.name: data for data in EVERY_SET}


def head(name: str, count: int) -> NamedData:
    """The first rows of a named set: for limits, whose cost at 40 digits grows with n^3."""
    whole = BY_NAME[name]
    return NamedData(f"{name}[:{count}]", whole.why, whole.X[:count], whole.kernel, whole.huber, whole.hampel)


# Small enough for one n x n matrix at 40 digits a test.
SMALL: Final = (*ADVERSARIAL, head("iris", 50), head("faithful", 50))

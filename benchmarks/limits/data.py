"""Data of the tables, and what they were computed on."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.machine import describe_machine, texts

Array = NDArray[np.float64]
SEED: Final = 2012
CONTAMINATION: Final = 0.1


def machine() -> str:
    """Say in one line which processor, versions, kernels and threads produced the numbers."""
    found = describe_machine()
    facts = {"rkde": found.rkde, "python": found.python, "numpy": np.__version__, **texts(found)}
    return "; ".join(f"{name} {text}" for name, text in facts.items())


def mix2d(size: int, seed: int) -> Array:
    """Three Gaussians in the plane, and a tenth of the rows uniform around them."""
    rng = np.random.default_rng([SEED, 1, seed])
    centres = np.array([[-2.0, 0.0], [2.0, 0.0], [0.0, 3.0]])
    spreads = np.array([0.6, 1.0, 0.4])
    component = rng.integers(0, len(centres), size)
    X = centres[component] + spreads[component, None] * rng.standard_normal((size, 2))
    n_outlying = round(CONTAMINATION * size)
    X[:n_outlying] = rng.uniform(-6, 6, (n_outlying, 2))
    return X


def banana(size: int, seed: int) -> Array:
    """A noisy arc, and a tenth of the rows from a second arc that faces it."""
    rng = np.random.default_rng([SEED, 2, seed])
    angle = rng.uniform(0, np.pi, size)
    X = np.column_stack([np.cos(angle), np.sin(angle)])
    second = np.arange(size) < round(CONTAMINATION * size)
    X[second] = np.array([1.0, 0.5]) - X[second]
    return X + 0.1 * rng.standard_normal((size, 2))


def gauss20(size: int, seed: int) -> Array:
    """A Gaussian in twenty dimensions, and a tenth of the rows from one three times as wide."""
    rng = np.random.default_rng([SEED, 3, seed])
    X = rng.standard_normal((size, 20))
    X[: round(CONTAMINATION * size)] *= 3
    return X


DATA: Final = {"mix2d": mix2d, "banana": banana, "gauss20": gauss20}


def two_modes(seed: int) -> tuple[Array, NDArray[np.intp]]:
    """200 rows of .4 N(3, 1) + .6 N(8, 1) and 20 outliers uniform on (-10, 20).

    The labels are 0 for the smaller mode, 1 for the larger, 2 for outliers.
    """
    rng = np.random.default_rng([SEED, 4, seed])
    label = (rng.random(200) < 0.6).astype(np.intp)
    nominal = np.where(label == 0, 3.0, 8.0) + rng.standard_normal(200)
    rows = np.concatenate([nominal, rng.uniform(-10, 20, 20)])
    return rows[:, None], np.concatenate([label, np.full(20, 2)])

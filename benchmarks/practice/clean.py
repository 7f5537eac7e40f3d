"""Kinds of clean table: rows from one law, in which no sign should be seen."""

import zlib
from collections.abc import Callable
from typing import Final

import numpy as np

from benchmarks.practice.truths import Array

Generator = np.random.Generator
Maker = Callable[[Generator, int, int], Array]

SIZES: Final = (20, 50, 150, 500, 2000)
WIDTHS: Final = (1, 2, 3, 5, 8)


def _two_clusters(rng: Generator, size: int, width: int) -> Array:
    rows = rng.normal(size=(size, width))
    rows[rng.random(size) < 0.35, 0] += 8
    return rows


def _three_clusters(rng: Generator, size: int, width: int) -> Array:
    which = rng.choice(3, size, p=[0.5, 0.3, 0.2])
    return rng.normal(size=(3, width))[which] * 6 + rng.normal(size=(size, width)) * [[1.0], [0.6], [1.5]][0]


def _widths(rng: Generator, size: int, width: int) -> Array:
    narrow = rng.random((size, 1)) < 0.3
    return np.where(narrow, 0.2, 1.0) * rng.normal(size=(size, width))


CLEAN: Final[dict[str, Maker]] = {
    "normal": lambda rng, size, width: rng.normal(size=(size, width)),
    "units": lambda rng, size, width: rng.normal(size=(size, width)) * 10.0 ** rng.uniform(-3, 3, width),
    "Student, 4": lambda rng, size, width: rng.standard_t(4, (size, width)),
    "uniform": lambda rng, size, width: rng.random((size, width)),
    "two clusters": _two_clusters,
    "three clusters": _three_clusters,
    "two widths": _widths,
    "log-normal": lambda rng, size, width: rng.lognormal(sigma=0.7, size=(size, width)),
    "exponential": lambda rng, size, width: rng.exponential(size=(size, width)),
    "correlated": lambda rng, size, width: (
        rng.normal(size=(size, 1)) * 1.5 + rng.normal(size=(size, width)) * rng.uniform(0.3, 2, width)
    ),
    "rounded to 0.1": lambda rng, size, width: np.round(rng.normal(size=(size, width)), 1),
    "rounded to 0.5": lambda rng, size, width: np.round(2 * rng.normal(size=(size, width))) / 2,
    "counts, mean 6": lambda rng, size, width: rng.poisson(6.0, (size, width)).astype(float),
    "counts, mean 1": lambda rng, size, width: rng.poisson(1.0, (size, width)).astype(float),
    "whole, 0 to 99": lambda rng, size, width: rng.integers(0, 100, (size, width)).astype(float),
    "one to five": lambda rng, size, width: rng.integers(1, 6, (size, width)).astype(float),
}


def clean_table(name: str, size: int, width: int, seed: int) -> Array:
    """Return one clean table, shape (size, width)."""
    rng = np.random.default_rng([seed, size, width, zlib.crc32(name.encode())])
    return CLEAN[name](rng, size, width)

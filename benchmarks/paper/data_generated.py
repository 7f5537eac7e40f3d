"""Data sets that have a law: ringnorm, twonorm, waveform. Other draws than the published ones."""

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from benchmarks.paper.loaded import DataError, Loaded, content_checksum
from benchmarks.paper.sets import SETS, Labels, Table

SEED: Final = 2012
# Rows of label 1 and of label 0 as in the published sets.
COUNTS: Final = {"ringnorm": (3664, 3736), "twonorm": (3703, 3697)}
DIMENSION: Final = 20
# Waveform: rows of the three pairs of bumps; the first is label 1.
PAIRS: Final = (((11, 7), 1647), ((7, 15), 1657), ((11, 15), 1696))
COLUMNS: Final = 21
HEIGHT: Final = 6


def generated(name: str) -> Loaded:
    """Draw a set of the same law and size as the published one, with a seed."""
    if name not in _LAWS:
        raise DataError(f"name must be a set with a generator, got {name!r}; use one of {', '.join(_LAWS)}")
    X, y = _LAWS[name](np.random.default_rng([SEED, SETS[name].number]))
    stream = np.random.SeedSequence(SEED, spawn_key=(SETS[name].number,))
    order = np.random.default_rng(stream).permutation(len(y))
    rows = ((X - X.mean(axis=0)) / X.std(axis=0, ddof=1))[order]
    labels = y[order]
    return Loaded(name, rows, labels, "generated", "same law", content_checksum(rows, labels))


def ringnorm(rng: np.random.Generator) -> tuple[Table, Labels]:
    """Label 1: N(0, 4 I); label 0: N(a, I) with a = 2/sqrt(20) in each column."""
    ones, zeros = COUNTS["ringnorm"]
    wide = 2 * rng.standard_normal((ones, DIMENSION))
    compact = rng.standard_normal((zeros, DIMENSION)) + 2 / math.sqrt(DIMENSION)
    return np.vstack([wide, compact]), np.repeat([1, 0], [ones, zeros])


def twonorm(rng: np.random.Generator) -> tuple[Table, Labels]:
    """Label 1: N(-a, I); label 0: N(a, I) with a = 2/sqrt(20) in each column."""
    ones, zeros = COUNTS["twonorm"]
    labels = np.repeat([1, 0], [ones, zeros])
    centres = np.where(labels == 1, -1, 1)[:, np.newaxis] * (2 / math.sqrt(DIMENSION))
    return rng.standard_normal((ones + zeros, DIMENSION)) + centres, labels


def waveform(rng: np.random.Generator) -> tuple[Table, Labels]:
    """A random point between two of three triangular bumps, and noise N(0, I)."""
    places = np.arange(1, COLUMNS + 1)
    parts = []
    for (first, second), count in PAIRS:
        share = rng.random((count, 1))
        bumps = [np.maximum(HEIGHT - np.abs(places - centre), 0) for centre in (first, second)]
        parts.append(share * bumps[0] + (1 - share) * bumps[1] + rng.standard_normal((count, COLUMNS)))
    return np.vstack(parts), np.repeat([1, 0, 0], [count for _, count in PAIRS])


_LAWS: Final[dict[str, Callable[[np.random.Generator], tuple[Table, Labels]]]] = {
    "ringnorm": ringnorm,
    "twonorm": twonorm,
    "waveform": waveform,
}

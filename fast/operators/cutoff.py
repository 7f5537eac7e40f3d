"""Where a kernel has fallen so far that a pair may be left out, and how many pairs that leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import cKDTree

from rkde.fast._float64 import Floats, ScaledRows, split_bandwidth
from rkde.fast.kernels import Gaussian, Kernel, Laplacian

# Kernel values up to one rounding of the kernel's largest value, 1, are left out of products.
DEFAULT_TRUNCATION: Final = 2.0**-53
# Bandwidths at which the Gaussian kernel has fallen to that.
GAUSSIAN_CUTOFF: Final = math.sqrt(-2 * math.log(DEFAULT_TRUNCATION))
# A tree computes with rounding; a radius larger by this share finds every pair that lies within it.
_RADIUS_SLACK: Final = 2.0**-20
# Rows in a leaf of a tree: of 10, 16, 24 ... 64, 16 finds pairs, neighbours and counts in the least time.
LEAF_ROWS: Final = 16
# A tree subtracts coordinates and squares: within this range neither overflows.
_TREE_RANGE: Final = 2.0**400
# Rows among which the pairs of `_SAMPLE_QUERIES` rows are counted: some hundred pairs even where a row in
# 10^6 has 70 neighbours, in a few milliseconds.
SAMPLE_ROWS: Final = 2**14
_SAMPLE_QUERIES: Final = 2**8
_SAMPLE_SEED: Final = 20120909


def log_radius(kernel: Kernel, log_value: float) -> float | None:
    """Return the distance over h at which kappa falls to exp(log_value); None where it has a heavy tail.

    Result: none for a kernel that falls like a power: leaving out its pairs would gain next to nothing.

    Examples
    --------
    >>> round(log_radius(Gaussian(5.0), -2.0), 9), log_radius(Laplacian(5.0), -2.0)
    (2.0, 2.0)
    """
    if isinstance(kernel, Gaussian):
        return math.sqrt(-2 * log_value)
    return -log_value if isinstance(kernel, Laplacian) else None


def cutoff_radius(kernel: Kernel, truncation: float = DEFAULT_TRUNCATION) -> float | None:
    """Return the distance over h beyond which kappa is below `truncation`, None for a heavy tail."""
    return log_radius(kernel, math.log(truncation))


def tree_radius(kernel: Kernel, radius: float) -> float:
    """Return a radius over h in the units of `tree_rows`, widened by more than the tree's rounding."""
    return radius * split_bandwidth(kernel.bandwidth)[0] * (1 + _RADIUS_SLACK)


def tree_rows(rows: ScaledRows) -> Floats:
    """Return scaled rows with their coordinates cut to a range in which a tree can compute.

    Cutting brings no two rows farther apart, so a tree finds every near pair, and a few pairs more.
    """
    return np.clip(rows.scaled, -_TREE_RANGE, _TREE_RANGE) if rows.may_overflow else rows.scaled


@dataclass(frozen=True, slots=True)
class Fill:
    """An estimate of how many pairs of rows lie within a radius.

    Attributes
    ----------
    share : float
        Of all pairs of two rows.
    pairs : float
        Their number.
    """

    share: float
    pairs: float


def estimate_fill(rows: Floats, radius: float, tree: cKDTree | None = None) -> Fill:
    """Count the near pairs of some rows.

    Shapes: rows (n, d), of `tree_rows`, n >= 2. Result: from a sample with a fixed seed; exact for few rows.
    """
    size = len(rows)
    rng = np.random.default_rng(_SAMPLE_SEED)
    sample = rows if size <= SAMPLE_ROWS else rows[rng.choice(size, SAMPLE_ROWS, replace=False)]
    queries = sample if len(sample) <= _SAMPLE_QUERIES else sample[:_SAMPLE_QUERIES]
    if len(queries) < len(sample) == size:
        queries = sample[rng.choice(size, _SAMPLE_QUERIES, replace=False)]
    tree = cKDTree(sample, leafsize=LEAF_ROWS) if tree is None else tree
    counts = np.asarray(tree.query_ball_point(queries, radius, return_length=True))
    # Each of them finds itself.
    share = float((counts - 1).mean()) / (len(sample) - 1)
    return Fill(share, share * size * (size - 1) / 2)

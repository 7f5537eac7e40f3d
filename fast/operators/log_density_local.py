"""Log densities from the near rows of each query alone, to a relative tolerance that holds everywhere.

A fixed cutoff would lose all digits, and in the end the density itself, where a query is far from all rows.
Here most queries share a radius R, and what was found tells whether it was enough: all rows beyond add at
most n w_max kappa(R) together, and this has to be at most 2^-53 of the sum over the rows within R. Queries
that fail get a radius by their nearest row, at which the same is true beforehand. The sum is taken of
logarithms, so a far query is as accurate as a near one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rkde.fast._float64 import Floats, ScaledRows, split_bandwidth
from rkde.fast.kernels import Kernel
from rkde.fast.operators.cutoff import LEAF_ROWS, log_radius, tree_radius, tree_rows
from rkde.fast.operators.near_pairs import pair_squares

Indices = NDArray[np.intp]
# What may be left out of a density, relative to it: one rounding.
LEFT_OUT: Final = 2.0**-53
# Coordinates beyond this, over h, are left to the direct sum.
_TREE_RANGE: Final = 2.0**399
# The common radius is the median radius of a sample and this share more; what it misses is looked up again.
_COMMON_SHARE: Final = 1.15
# Queries that are looked up again share a radius if theirs differ by less than this factor.
_CLASS_RATIO: Final = 1.5
# Queries that estimate the common radius and how many rows lie within it.
_SAMPLE: Final = 64
# In the order of a tree, near rows are counted for one query in so many; its neighbours have about as many.
_RUN: Final = 8
# A query near more than this share of the rows is left to the direct sum.
_DIRECT_SHARE: Final = 1 / 8


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some queries, by number and within the range of a tree, and a radius.

    `is_enough` says that the radius is known to be large enough for each of them.
    """

    queries: Indices
    points: Floats
    radius: float
    is_enough: bool


class NearScores:
    """Sums over near rows.

    Parameters
    ----------
    rows : ScaledRows
        n rows of positive weight, scaled for the kernel's bandwidth.
    offsets : ndarray, shape (n,)
        Logarithms that are added to log kappa: of the weights, and of the normaliser.
    kernel : Gaussian or Laplacian
        The kernel.
    tree : cKDTree
        Of `tree_rows(rows)`.
    """

    def __init__(self, rows: ScaledRows, offsets: Floats, kernel: Kernel, tree: cKDTree) -> None:
        self._rows = rows
        self._offsets = offsets
        self._kernel = kernel
        self._tree = tree
        self._unit = split_bandwidth(kernel.bandwidth)[0]
        self._largest = float(offsets.max())

    def common_chunks(self, queries: ScaledRows, pairs: int) -> list[Chunk]:
        """Return queries that share one radius in chunks of about so many pairs; not all need be in one.

        Few queries may lie where many rows do, so each chunk is cut by counts of its own.
        """
        points = tree_rows(queries)
        chosen = np.flatnonzero(np.abs(points).max(axis=1) <= _TREE_RANGE)
        if not len(chosen):
            return []
        sample = points[chosen[:: max(1, len(chosen) // _SAMPLE)]]
        radius = _COMMON_SHARE * float(np.median(self._radii(sample)))
        if not radius <= _TREE_RANGE:
            return []
        count = float(np.mean(self._tree.query_ball_point(sample, radius, return_length=True)))
        if count > _DIRECT_SHARE * self._tree.n:
            return []
        # In the order of a tree, so that a chunk is compact.
        ordered = chosen[cKDTree(points[chosen]).indices]
        counts = np.repeat(self._counts(points[ordered[::_RUN]], radius), _RUN)[: len(ordered)]
        is_crowded = counts > _DIRECT_SHARE * self._tree.n
        ordered, counts = ordered[~is_crowded], counts[~is_crowded]
        parts = (ordered[part] for part in _runs(counts, pairs))
        return [Chunk(part, points[part], radius, is_enough=False) for part in parts]

    def further_chunks(self, queries: ScaledRows, chosen: Indices, pairs: int) -> tuple[list[Chunk], Indices]:
        """Return chosen queries in chunks by their own radius.

        Returns
        -------
        list of Chunk
        ndarray of int
            The queries that are left to the direct sum.
        """
        points = tree_rows(queries)[chosen]
        radii = self._radii(points)
        is_direct = (np.abs(points).max(axis=1, initial=0.0) > _TREE_RANGE) | ~(radii < _TREE_RANGE)
        chunks = []
        near = np.flatnonzero(~is_direct)
        near = near[np.argsort(radii[near], kind="stable")]
        while len(near):
            share = int(np.searchsorted(radii[near], _CLASS_RATIO * radii[near[0]], side="right"))
            some, near = near[:share], near[share:]
            radius = float(radii[some[-1]])
            counts = self._counts(points[some], radius)
            is_crowded = counts > _DIRECT_SHARE * self._tree.n
            is_direct[some[is_crowded]] = True
            some, counts = some[~is_crowded], counts[~is_crowded]
            for part in _runs(counts, pairs):
                chunks.append(Chunk(chosen[some[part]], points[some[part]], radius, is_enough=True))
        return chunks, chosen[is_direct]

    def log_density(self, queries: ScaledRows, chunk: Chunk) -> Floats:
        """Return the log densities of a chunk of queries, shape (m,); NaN where its radius is not enough."""
        asked = cKDTree(chunk.points, leafsize=LEAF_ROWS)
        found = asked.sparse_distance_matrix(self._tree, chunk.radius, output_type="ndarray")
        i, j = found["i"].astype(np.intp), found["j"].astype(np.intp)
        square = pair_squares(queries, self._rows, chunk.queries[i], j, self._kernel)
        logs = self._log_profile(square if self._kernel.squared else np.sqrt(square))
        logs += self._offsets[j]
        largest = np.full(len(chunk.queries), -math.inf)
        np.maximum.at(largest, i, logs)
        logs -= largest[i]
        with np.errstate(under="ignore"):
            total = np.bincount(i, np.exp(logs, out=logs), minlength=len(largest))
        with np.errstate(divide="ignore"):
            result = largest + np.log(total)
        if not chunk.is_enough:
            result[result + math.log(LEFT_OUT) < self._log_beyond(chunk.radius)] = math.nan
        return np.asarray(result)

    def _counts(self, points: Floats, radius: float) -> Indices:
        """Return how many rows lie within a radius of each point."""
        return np.asarray(self._tree.query_ball_point(points, radius, return_length=True), dtype=np.intp)

    def _log_profile(self, separation: Floats) -> Floats:
        return self._kernel.unit_log_profile(separation, self._rows.rows.shape[1])

    def _log_beyond(self, radius: float) -> float:
        """Return a bound on the logarithm of what all rows beyond a radius of the tree add together."""
        reach = radius / tree_radius(self._kernel, 1.0)
        profile = self._log_profile(np.array([reach * reach if self._kernel.squared else reach]))
        return math.log(self._tree.n) + self._largest + float(profile[0])

    def _radii(self, points: Floats) -> Floats:
        """Return for each point a radius in the units of the tree that is enough; infinite where none is."""
        found = self._tree.query(points)
        distance, nearest = np.asarray(found[0]), np.asarray(found[1])
        # Weights sum to 1, so the largest is at least 1 / n; normalisers cancel.
        log_weight = self._offsets[nearest] - self._largest
        drop = log_weight + math.log(LEFT_OUT) - math.log(self._tree.n)
        beyond = log_radius(self._kernel, -1.0) or math.inf
        with np.errstate(over="ignore"):
            over_h = distance / self._unit
            if self._kernel.squared:
                # beyond^2 = 2 is the square of the distance at which kappa = 1/e.
                radius = np.hypot(over_h, np.sqrt(-drop) * beyond)
            else:
                radius = over_h - drop * beyond
        radius[~(distance < _TREE_RANGE)] = math.inf
        return np.asarray(radius * tree_radius(self._kernel, 1.0))


def _runs(counts: Indices, pairs: int) -> list[Indices]:
    """Cut a sequence of queries into runs of about so many pairs: one query more may fit in."""
    if not len(counts):
        return []
    # A query that is near no row is work, too.
    ends = np.cumsum(np.maximum(counts, 1))
    numbers = (ends - 1) // pairs
    return np.split(np.arange(len(counts)), np.flatnonzero(np.diff(numbers)) + 1)

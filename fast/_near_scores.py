"""Log densities from the near rows of each query alone, to a relative tolerance that holds everywhere.

A fixed cutoff would lose all digits, and in the end the density itself, where a query is far from all rows.
Here every query has a radius of its own: with its nearest row at distance r_1 and of weight w_1, every row
beyond R with kappa(R) <= 2^-53 w_1 kappa(r_1) adds less than 2^-53 of the density, all of them together. The
sum is taken of logarithms, so a far query is as accurate as a near one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rkde.fast._distances import ScaledRows, split_bandwidth
from rkde.fast._kernel import Kernel
from rkde.fast.inputs import Floats
from rkde.fast.operators._cutoff import log_radius, tree_radius, tree_rows
from rkde.fast.operators._near_pairs import pair_squares

Indices = NDArray[np.intp]
# What may be left out of a density, relative to it: one rounding.
LEFT_OUT: Final = 2.0**-53
# Coordinates beyond this, over h, are left to the direct sum.
_TREE_RANGE: Final = 2.0**399
# Logarithms of weights that differ by more cannot be summed with one shift.
_LARGEST_SPREAD: Final = 600.0
# Queries whose radius exceeds the median radius by more than this share are looked up one by one.
_COMMON_SHARE: Final = 1.25
# Queries that estimate how many rows are near one.
_SAMPLE: Final = 64
# A query near more than this share of the rows is left to the direct sum.
_DIRECT_SHARE: Final = 1 / 8


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some queries, by number and within the range of a tree, and their radius or radii."""

    queries: Indices
    points: Floats
    radii: float | Floats


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
    """

    def __init__(self, rows: ScaledRows, offsets: Floats, kernel: Kernel) -> None:
        self._rows = rows
        self._offsets = offsets
        self._kernel = kernel
        self._tree = cKDTree(tree_rows(rows))
        self._unit = split_bandwidth(kernel.bandwidth)[0]
        self._largest = float(offsets.max())
        self._spread = self._largest - float(offsets.min())

    def chunks(self, queries: ScaledRows, pairs: int) -> tuple[list[Chunk], Indices]:
        """Split queries into chunks for `log_density`, of about so many pairs each.

        Returns
        -------
        list of Chunk
        ndarray of int
            The queries that are left to the direct sum.
        """
        size = len(queries.rows)
        if self._spread > _LARGEST_SPREAD:
            return [], np.arange(size)
        points = tree_rows(queries)
        found = self._tree.query(points)
        distance, nearest = np.asarray(found[0]), np.asarray(found[1])
        is_direct = (np.abs(points).max(axis=1) > _TREE_RANGE) | ~(distance < _TREE_RANGE)
        radii = self._radii(distance, nearest)
        ordinary = np.flatnonzero(~is_direct)
        if not len(ordinary):
            return [], np.flatnonzero(is_direct)
        common = _COMMON_SHARE * float(np.median(radii[ordinary]))
        near = ordinary[radii[ordinary] <= common]
        far = ordinary[radii[ordinary] > common]
        counts = np.asarray(self._tree.query_ball_point(points[far], radii[far], return_length=True))
        is_crowded = counts > _DIRECT_SHARE * self._tree.n
        is_direct[far[is_crowded]] = True
        chunks = [
            *self._common_chunks(points, near, radii, pairs),
            *_single_chunks(far[~is_crowded], counts[~is_crowded], points, radii, pairs),
        ]
        return chunks, np.flatnonzero(is_direct)

    def log_density(self, queries: ScaledRows, chunk: Chunk) -> Floats:
        """Return the log densities of a chunk of queries, shape (m,)."""
        asked = chunk.queries
        i, j = self._pairs(chunk)
        square = pair_squares(queries, self._rows, asked[i], j, self._kernel)
        separation = square if self._kernel.squared else np.sqrt(square)
        logs = self._kernel.unit_log_profile(separation, self._rows.rows.shape[1])
        nearest = np.full(len(asked), -math.inf)
        np.maximum.at(nearest, i, logs)
        shift = nearest + self._largest
        logs += self._offsets[j]
        logs -= shift[i]
        with np.errstate(under="ignore"):
            total = np.bincount(i, np.exp(logs, out=logs), minlength=len(asked))
        return np.asarray(shift + np.log(total))

    def _pairs(self, chunk: Chunk) -> tuple[Indices, Indices]:
        if isinstance(chunk.radii, float):
            found = cKDTree(chunk.points).sparse_distance_matrix(
                self._tree, chunk.radii, output_type="ndarray"
            )
            return found["i"].astype(np.intp), found["j"].astype(np.intp)
        lists = self._tree.query_ball_point(chunk.points, chunk.radii, return_sorted=True)
        i = np.repeat(np.arange(len(lists)), [len(found) for found in lists])
        return i, np.concatenate([np.asarray(found, dtype=np.intp) for found in lists])

    def _radii(self, distance: Floats, nearest: Indices) -> Floats:
        """Return the radius of each query, in the units of the tree."""
        log_weight = self._offsets[nearest] - self._largest
        # Weights sum to 1, so the largest is at least 1 / n; normalisers cancel.
        drop = log_weight + math.log(LEFT_OUT) - math.log(self._tree.n)
        beyond = log_radius(self._kernel, -1.0) or math.inf
        with np.errstate(over="ignore"):
            over_h = distance / self._unit
            if self._kernel.squared:
                # beyond^2 = 2 is the square of the distance at which kappa = 1/e.
                radius = np.hypot(over_h, np.sqrt(-drop) * beyond)
            else:
                radius = over_h - drop * beyond
        return np.asarray(radius * tree_radius(self._kernel, 1.0))

    def _common_chunks(self, points: Floats, chosen: Indices, radii: Floats, pairs: int) -> Iterator[Chunk]:
        """Yield queries that share one radius, in the order of a tree, so that a chunk is compact."""
        if not len(chosen):
            return
        radius = float(radii[chosen].max())
        ordered = chosen[cKDTree(points[chosen]).indices]
        sample = points[ordered[:: max(1, len(ordered) // _SAMPLE)]]
        counts = self._tree.query_ball_point(sample, radius, return_length=True)
        step = max(1, int(pairs / max(1.0, float(np.mean(counts)))))
        for start in range(0, len(ordered), step):
            part = ordered[start : start + step]
            yield Chunk(part, points[part], radius)


def _single_chunks(
    chosen: Indices, counts: Indices, points: Floats, radii: Floats, pairs: int
) -> Iterator[Chunk]:
    """Yield queries each with a radius of its own, in runs of about so many pairs."""
    if not len(chosen):
        return
    run = (np.cumsum(counts) // pairs).astype(np.intp)
    for part in np.split(chosen, np.flatnonzero(np.diff(run)) + 1):
        yield Chunk(part, points[part], radii[part])

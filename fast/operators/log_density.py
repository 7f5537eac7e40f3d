"""Log densities at queries: by direct sums in blocks or by near rows alone, on one thread or several.

A fixed cutoff would lose all digits, and in the end the density itself, where a query is far from all rows.
Here most queries share a radius R, and what was found tells whether it was enough: all rows beyond add at
most n w_max kappa(R) together, and this has to be at most 2^-53 of the sum over the rows within R. Queries
that fail get a radius by their nearest row, at which the same is true beforehand. The sum is taken of
logarithms, so a far query is as accurate as a near one.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial import cKDTree

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, ScaledRows, split_bandwidth
from rkde.fast._resources import Progress, Resources, in_parallel, require, worker_count
from rkde.fast.kernels import Kernel, log_profiles
from rkde.fast.operators.cutoff import (
    LEAF_ROWS,
    SAMPLE_ROWS,
    cutoff_radius,
    estimate_fill,
    log_radius,
    tree_radius,
    tree_rows,
)
from rkde.fast.operators.near_pairs import pair_squares
from rkde.fast.operators.protocol import Indices

_LOGGER: Final = logging.getLogger("rkde")
# Pairs of a query and a row handled at once: a few arrays of 2**16 float64, half a MiB each, which stay in
# the cache and are still large beside the cost of a numpy call.
BLOCK_PAIRS: Final = 2**16
# Terms e^-700 below the largest change no sum; clipping there spares exp its slow subnormal results.
_NEGLIGIBLE: Final = 700.0
# Bytes that the arrays of a block take, a pair: distances, logarithms and what lies between.
_BLOCK_BYTES: Final = 4 * 8
# Bytes that a near pair takes while a chunk is summed, and the pairs of a chunk.
_NEAR_BYTES: Final = 96
_NEAR_PAIRS: Final = 2**16
# Fewer pairs of a query and a row than this take some ten milliseconds: nothing is worth a tree.
_FEW_PAIRS: Final = 2**21
# A near pair costs about as much as 20 pairs of the direct sum.
_NEAR_FILL: Final = 0.05
# A k-d tree in more dimensions visits most of its leaves.
_TREE_DIMENSION: Final = 8
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


def log_sum_exp(logs: Floats) -> Floats:
    """Return log(sum(exp(logs))) along the last axis without leaving the range; overwrites `logs`.

    Parameters
    ----------
    logs : ndarray, shape (m, n), n >= 1
        Natural logarithms; -inf is log 0.

    Returns
    -------
    ndarray, shape (m,)

    Examples
    --------
    >>> log_sum_exp(np.array([[-2000.0, -2000.0]])).round(6)
    array([-1999.306853])
    """
    largest = logs.max(axis=-1)
    # With all terms 0 the difference would be inf - inf; any finite shift gives the right -inf.
    shift = np.where(np.isfinite(largest), largest, 0.0)
    logs -= shift[:, np.newaxis]
    np.maximum(logs, -_NEGLIGIBLE, out=logs)
    np.exp(logs, out=logs)
    total = logs.sum(axis=-1)
    return np.asarray(np.where(np.isfinite(largest), shift + np.log(total), largest))


@dataclass(frozen=True, slots=True, eq=False)
class KernelMixture:
    """The function sum_i exp(offset_i) kappa(x, X_i) of x.

    Attributes
    ----------
    kernel : Kernel
        The kernel.
    rows : ScaledRows
        n rows, scaled for its bandwidth.
    offsets : ndarray, shape (n,)
        Logarithms of the weights with all that is added to log kappa.
    stretch : ndarray, shape (n,), optional
        Factors on the bandwidth, one a row.
    """

    kernel: Kernel
    rows: ScaledRows
    offsets: Floats
    stretch: Floats | None = None


def log_densities(
    mixture: KernelMixture, queries: ScaledRows, resources: Resources, block_pairs: int = BLOCK_PAIRS
) -> Floats:
    """Return the logarithm of a mixture at queries.

    Parameters
    ----------
    mixture : KernelMixture
        Of n rows.
    queries : ScaledRows
        m rows, scaled for its bandwidth.
    resources : Resources
        Engine, memory and threads.
    block_pairs : int
        Pairs at once in direct sums; has no effect on the values.

    Returns
    -------
    ndarray, shape (m,)

    Raises
    ------
    InvalidInput
        The engine "sparse" is asked for where no pairs can be left out.
    MemoryLimit
        Not even one query at a time fits into the limit.
    """
    size, count = len(mixture.offsets), len(queries.rows)
    result = np.empty(count)
    if not count:
        return result
    workers = worker_count(resources.threads) if size * count > _FEW_PAIRS else 1
    limit = _memory_limit(resources, size * count, max(block_pairs, size))
    workers = max(1, min(workers, limit // (_BLOCK_BYTES * max(block_pairs, size))))
    require(
        _BLOCK_BYTES * size,
        limit,
        purpose=f"the distances of one query to {size} rows",
        where="memory_limit",
        remedy="raise memory_limit",
    )
    left = np.arange(count)
    tree = _near_tree(mixture, queries, resources)
    if tree is not None:
        pairs = max(1, min(_NEAR_PAIRS, limit // (_NEAR_BYTES * workers)))
        left = _fill_near(NearDensities(mixture, tree), queries, resources, workers, pairs, result)
    step = max(1, min(block_pairs, limit // _BLOCK_BYTES) // size)

    def fill_directly(start: int) -> int:
        part = left[start : start + step]
        result[part] = _direct(mixture, queries, part)
        return len(part)

    done = count - len(left)
    with in_parallel(fill_directly, range(0, len(left), step), workers) as lengths:
        for length in lengths:
            done += length
            resources.report(Progress("score", done, count))
    return result


def _direct(mixture: KernelMixture, queries: ScaledRows, part: Indices) -> Floats:
    """Return the log densities at some queries by sums over all rows."""
    some = ScaledRows(queries.rows[part], queries.scaled[part], queries.may_overflow, queries.may_underflow)
    logs = log_profiles(mixture.kernel, some, mixture.rows, mixture.stretch)
    logs += mixture.offsets
    return log_sum_exp(logs)


def _memory_limit(resources: Resources, pairs: int, block: int) -> int:
    """Return the limit; what is free is not looked up, in a millisecond, for a request that is shorter."""
    if resources.given_limit is None and pairs <= _FEW_PAIRS:
        return _BLOCK_BYTES * block
    return resources.memory_limit


def _near_tree(mixture: KernelMixture, queries: ScaledRows, resources: Resources) -> cKDTree | None:
    """Return a tree of the rows where near rows are all that is to be summed, else None."""
    size, dim = mixture.rows.rows.shape
    radius = None if mixture.stretch is not None else cutoff_radius(mixture.kernel)
    if resources.engine == "sparse":
        if radius is None:
            raise InvalidInput(
                'must not be "sparse" if the kernel varies with the row, or decays too slowly for pairs '
                "to be left out",
                where="engine",
                remedy='use engine="auto"',
            )
        return cKDTree(tree_rows(mixture.rows), leafsize=LEAF_ROWS)
    if resources.engine != "auto" or radius is None or size * len(queries.rows) <= _FEW_PAIRS:
        return None
    if dim > _TREE_DIMENSION or size < 2:
        return None
    points = tree_rows(mixture.rows)
    # Many rows are counted among a sample; few in the tree that serves the sums as well.
    tree = cKDTree(points, leafsize=LEAF_ROWS) if size <= SAMPLE_ROWS else None
    fill = estimate_fill(points, tree_radius(mixture.kernel, radius), tree).share
    _LOGGER.info("scores of %d queries: about %.2g of %d rows are near", len(queries.rows), fill, size)
    if fill > _NEAR_FILL:
        return None
    return cKDTree(points, leafsize=LEAF_ROWS) if tree is None else tree


def _fill_near(
    near: NearDensities, queries: ScaledRows, resources: Resources, workers: int, pairs: int, result: Floats
) -> Indices:
    """Fill in what near rows give; return the queries that are left."""
    result[:] = math.nan

    def fill(chunks: list[Chunk]) -> None:
        with in_parallel(lambda chunk: near.log_density(queries, chunk), chunks, workers) as answers:
            for chunk, values in zip(chunks, answers, strict=True):
                result[chunk.queries] = values
                done = len(result) - int(np.isnan(result).sum())
                resources.report(Progress("score", done, len(result)))

    fill(near.common_chunks(queries, pairs))
    further, left = near.further_chunks(queries, np.flatnonzero(np.isnan(result)), pairs)
    fill(further)
    return left


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some queries, by number and within the range of a tree, and a radius.

    `is_enough` says that the radius is known to be large enough for each of them.
    """

    queries: Indices
    points: Floats
    radius: float
    is_enough: bool


class NearDensities:
    """Sums over near rows.

    Parameters
    ----------
    mixture : KernelMixture
        Of a Gaussian or Laplacian kernel, unstretched; the offsets are logarithms of weights, all above 0,
        with one constant added.
    tree : cKDTree
        Of `tree_rows(mixture.rows)`.
    """

    def __init__(self, mixture: KernelMixture, tree: cKDTree) -> None:
        self._rows = mixture.rows
        self._offsets = mixture.offsets
        self._kernel = mixture.kernel
        self._tree = tree
        self._unit = split_bandwidth(self._kernel.bandwidth)[0]
        self._largest = float(self._offsets.max())

    def common_chunks(self, queries: ScaledRows, pairs: int) -> list[Chunk]:
        """Return queries that share one radius in chunks of about so many pairs; not all need be in one.

        Few queries may lie where many rows do, so each chunk is cut by counts of its own.
        """
        points = tree_rows(queries)
        inside = np.flatnonzero(np.abs(points).max(axis=1) <= _TREE_RANGE)
        if not len(inside):
            return []
        sample = points[inside[:: max(1, len(inside) // _SAMPLE)]]
        radius = _COMMON_SHARE * float(np.median(self._radii(sample)))
        if not radius <= _TREE_RANGE:
            return []
        count = float(np.mean(self._tree.query_ball_point(sample, radius, return_length=True)))
        if count > _DIRECT_SHARE * self._tree.n:
            return []
        # In the order of a tree, so that a chunk is compact.
        ordered = inside[cKDTree(points[inside]).indices]
        counts = np.repeat(self._counts(points[ordered[::_RUN]], radius), _RUN)[: len(ordered)]
        is_crowded = counts > _DIRECT_SHARE * self._tree.n
        ordered, counts = ordered[~is_crowded], counts[~is_crowded]
        parts = (ordered[part] for part in _runs(counts, pairs))
        return [Chunk(part, points[part], radius, is_enough=False) for part in parts]

    def further_chunks(
        self, queries: ScaledRows, numbers: Indices, pairs: int
    ) -> tuple[list[Chunk], Indices]:
        """Return some queries, by their numbers, in chunks by their own radius.

        Result: the queries that are left to the direct sum.
        """
        points = tree_rows(queries)[numbers]
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
                chunks.append(Chunk(numbers[some[part]], points[some[part]], radius, is_enough=True))
        return chunks, numbers[is_direct]

    def log_density(self, queries: ScaledRows, chunk: Chunk) -> Floats:
        """Return the log densities of a chunk of queries, shape (m,); NaN where its radius is not enough."""
        tree = cKDTree(chunk.points, leafsize=LEAF_ROWS)
        pairs = tree.sparse_distance_matrix(self._tree, chunk.radius, output_type="ndarray")
        i, j = pairs["i"].astype(np.intp), pairs["j"].astype(np.intp)
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
        distance, nearest = (np.asarray(part) for part in self._tree.query(points))
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

"""Log densities at queries: by direct sums in blocks or by near rows alone, on one thread or several."""

from __future__ import annotations

import logging
import math
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, ScaledRows
from rkde.fast._resources import Progress, Resources, in_parallel, require, worker_count
from rkde.fast.kernels import Kernel, log_profiles
from rkde.fast.operators.cutoff import (
    LEAF_ROWS,
    SAMPLE_ROWS,
    cutoff_radius,
    estimate_fill,
    tree_radius,
    tree_rows,
)
from rkde.fast.operators.log_density_local import Chunk, NearScores

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


def log_scores(
    kernel: Kernel,
    queries: ScaledRows,
    rows: ScaledRows,
    offsets: Floats,
    stretch: Floats | None,
    asked: Resources,
    block_pairs: int = BLOCK_PAIRS,
) -> Floats:
    """Return log sum_i exp(offset_i) kappa(x, X_i) at queries.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    queries, rows : ScaledRows
        m and n rows, scaled for its bandwidth.
    offsets : ndarray, shape (n,)
        Logarithms of the weights with all that is added to log kappa.
    stretch : ndarray, shape (n,), or None
        Factors on the bandwidth, one a row.
    asked : Resources
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
    size, count = len(rows.rows), len(queries.rows)
    result = np.empty(count)
    if not count:
        return result
    workers = worker_count(asked.threads) if size * count > _FEW_PAIRS else 1
    limit = _memory_limit(asked, size * count, max(block_pairs, size))
    workers = max(1, min(workers, limit // (_BLOCK_BYTES * max(block_pairs, size))))
    require(
        _BLOCK_BYTES * size,
        limit,
        purpose=f"the distances of one query to {size} rows",
        where="memory_limit",
        remedy="raise memory_limit",
    )
    left = np.arange(count)
    tree = _near_tree(kernel, queries, rows, stretch, asked)
    if tree is not None:
        scores = NearScores(rows, offsets, kernel, tree)
        left = _near(scores, queries, asked, limit, workers, result)
    pairs = min(block_pairs, limit // _BLOCK_BYTES)
    _direct(kernel, queries, rows, offsets, stretch, asked, workers, pairs, left, result)
    return result


def _memory_limit(asked: Resources, pairs: int, block: int) -> int:
    """Return the limit; what is free is not looked up, in a millisecond, for a request that is shorter."""
    if asked.given_limit is None and pairs <= _FEW_PAIRS:
        return _BLOCK_BYTES * block
    return asked.memory_limit


def _near_tree(
    kernel: Kernel, queries: ScaledRows, rows: ScaledRows, stretch: Floats | None, asked: Resources
) -> cKDTree | None:
    """Return a tree of the rows where near rows are all that is to be summed, else None."""
    radius = cutoff_radius(kernel)
    if asked.engine == "sparse":
        if radius is None or stretch is not None:
            raise InvalidInput(
                "the kernel falls too slowly, or varies too much, for pairs to be left out",
                where="engine",
                value="sparse",
                remedy='use engine="auto"',
            )
        return cKDTree(tree_rows(rows), leafsize=LEAF_ROWS)
    pairs = len(rows.rows) * len(queries.rows)
    if asked.engine != "auto" or radius is None or stretch is not None or pairs <= _FEW_PAIRS:
        return None
    if rows.rows.shape[1] > _TREE_DIMENSION or len(rows.rows) < 2:
        return None
    points = tree_rows(rows)
    # Many rows are counted among a sample; few in the tree that serves the scores as well.
    tree = cKDTree(points, leafsize=LEAF_ROWS) if len(points) <= SAMPLE_ROWS else None
    fill = estimate_fill(points, tree_radius(kernel, radius), tree).share
    _LOGGER.info(
        "scores of %d queries: about %.2g of %d rows are near", len(queries.rows), fill, len(rows.rows)
    )
    if fill > _NEAR_FILL:
        return None
    return cKDTree(points, leafsize=LEAF_ROWS) if tree is None else tree


def _near(
    scores: NearScores,
    queries: ScaledRows,
    asked: Resources,
    limit: int,
    workers: int,
    result: Floats,
) -> NDArray[np.intp]:
    """Fill in what near rows give; return the queries that are left."""
    pairs = max(1, min(_NEAR_PAIRS, limit // (_NEAR_BYTES * workers)))
    result[:] = math.nan

    def fill(chunks: list[Chunk]) -> None:
        with in_parallel(lambda chunk: scores.log_density(queries, chunk), chunks, workers) as answers:
            for chunk, values in zip(chunks, answers, strict=True):
                result[chunk.queries] = values
                asked.report(Progress("score", len(result) - int(np.isnan(result).sum()), len(result)))

    fill(scores.common_chunks(queries, pairs))
    further, left = scores.further_chunks(queries, np.flatnonzero(np.isnan(result)), pairs)
    fill(further)
    return left


def _direct(
    kernel: Kernel,
    queries: ScaledRows,
    rows: ScaledRows,
    offsets: Floats,
    stretch: Floats | None,
    asked: Resources,
    workers: int,
    pairs: int,
    left: NDArray[np.intp],
    result: Floats,
) -> None:
    """Fill in the direct sums at some queries."""
    step = max(1, pairs // len(offsets))
    starts = range(0, len(left), step)
    done = len(result) - len(left)

    def work(start: int) -> int:
        part = left[start : start + step]
        some = ScaledRows(
            queries.rows[part], queries.scaled[part], queries.may_overflow, queries.may_underflow
        )
        logs = log_profiles(kernel, some, rows, stretch)
        logs += offsets
        result[part] = log_sum_exp(logs)
        return len(part)

    with in_parallel(work, starts, workers) as counts:
        for count in counts:
            done += count
            asked.report(Progress("score", done, len(result)))

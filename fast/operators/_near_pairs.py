"""The near pairs of rows as half of a sparse matrix: each pair once, in the order of a k-d tree."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from rkde.errors import MemoryLimit
from rkde.fast._kernel import Kernel
from rkde.fast._memory import shown
from rkde.fast._progress import Progress, Report
from rkde.fast.inputs import Floats
from rkde.fast.operators._near_search import CHUNK_PAIRS, SAFE_SQUARE, NearSearch
from rkde.fast.operators.protocol import Indices

# Bytes a pair: a value, a column and, while chunks are joined, both once more.
STORED_BYTES: Final = 8 + 4
BUILD_BYTES: Final = 2 * STORED_BYTES


@dataclass(frozen=True, slots=True, eq=False)
class NearPairs:
    """Kernel values of the near pairs.

    Attributes
    ----------
    order : ndarray of int, shape (n,)
        The rows in the order in which the matrix has them.
    upper : csr_array, shape (n, n)
        kappa of each near pair once, without the diagonal.
    same : ndarray of int, shape (p, 2)
        Pairs of rows at distance 0.
    small : int
        Number of pairs whose distance over h is too small to have its full accuracy, 0 included.
    """

    order: Indices
    upper: csr_array
    same: Indices
    small: int


def near_pairs(search: NearSearch, kernel: Kernel, limit: int, report: Report) -> NearPairs:
    """Evaluate the kernel at the pairs of a search, chunk by chunk.

    Parameters
    ----------
    search : NearSearch
        Of n rows.
    kernel : Kernel
        The kernel.
    limit : int
        Bytes that the pairs may take.
    report : callable
        Takes a `Progress` after every chunk.

    Returns
    -------
    NearPairs

    Raises
    ------
    MemoryLimit
        There are more pairs than the limit allows.
    """
    size = len(search.order)
    parts, same, small, total = [], [], 0, 0
    for chunk in search.chunks():
        zero = chunk.square == 0
        small += int(np.count_nonzero(chunk.square < SAFE_SQUARE))
        same.append(np.column_stack((chunk.i[zero], chunk.j[zero])))
        shape = (chunk.stop - chunk.start, size)
        # The rows of a chunk become consecutive; scipy picks 32-bit columns where they suffice.
        parts.append(
            csr_array((_values(kernel, chunk.square), (chunk.i - chunk.start, chunk.j)), shape=shape)
        )
        total += len(chunk.i)
        _check(total, limit, size)
        report(Progress("matrix", chunk.stop, size))
    return NearPairs(search.order, _stacked(parts, size), search.order[np.concatenate(same)], small)


def _values(kernel: Kernel, square: Floats) -> Floats:
    separation = square if kernel.squared else np.sqrt(square)
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(kernel.unit_log_profile(separation, 1)))


def _check(pairs: int, limit: int, size: int) -> None:
    if pairs * STORED_BYTES > limit:
        raise MemoryLimit(
            f"the near pairs of {size} rows need more than the limit of {shown(limit)}",
            where="memory_limit",
            value=f"{pairs} pairs so far",
            remedy='raise memory_limit, use engine="tiled", a smaller bandwidth, or fewer rows',
        )


def _stacked(parts: list[csr_array], size: int) -> csr_array:
    """Join the rows of the chunks, each of which is released once its arrays are copied."""
    total = sum(part.nnz for part in parts)
    index = np.int32 if max(total, size) < 2**31 else np.int64
    data = np.empty(total)
    columns: Indices = np.empty(total, dtype=index)
    starts = np.zeros(size + 1, dtype=np.int64)
    first = row = 0
    while parts:
        part = parts.pop(0)
        data[first : first + part.nnz], columns[first : first + part.nnz] = part.data, part.indices
        starts[row + 1 : row + 1 + part.shape[0]] = part.indptr[1:] + np.int64(first)
        first, row = first + part.nnz, row + part.shape[0]
    return csr_array((data, columns, starts.astype(index)), shape=(size, size), copy=False)


def entry_slices(matrix: csr_array, entries: int = CHUNK_PAIRS) -> Iterator[tuple[slice, slice]]:
    """Split the rows of a matrix into runs of about so many entries, as (rows, entries)."""
    starts: NDArray[np.signedinteger] = matrix.indptr
    rows = len(starts) - 1
    cuts = np.searchsorted(starts, np.arange(0, int(starts[-1]), entries), side="left")
    edges = np.unique(np.concatenate((cuts, [0, rows])))
    for first, last in itertools.pairwise(edges.tolist()):
        yield slice(first, last), slice(int(starts[first]), int(starts[last]))

"""Near pairs of rows that are near in space, each part of the matrix kept by the worker that built it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from rkde.errors import InvalidInput, MemoryLimit
from rkde.fast._float64 import Floats, TableLike, as_count, as_table, read_only
from rkde.fast._resources import Progress, Report, memory_budget, silent
from rkde.fast.distributed.cluster import Cluster, OnCluster
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators import (
    DEFAULT_TRUNCATION,
    EngineChoice,
    Indices,
    NearOperator,
    SparseOperator,
    largest_block,
    locations_of,
    reach_of,
    require_sparse,
    tree_rows,
)

if TYPE_CHECKING:
    from distributed import Client

# Two partitions a thread share the work evenly enough; half a million rows send 4 MB of weights.
_PARTS_A_WORKER: Final = 2
_MOST_ROWS: Final = 2**19


class Part:
    """The near pairs of some rows and of all rows near them, as a worker keeps it.

    Parameters
    ----------
    rows : ndarray, shape (m + h, d)
        The rows of the part, and behind them those of others within the cutoff: its halo.
    own : int
        m.
    kernel : Kernel
        The kernel.

    Attributes
    ----------
    facts : tuple of int, int
        Stored values, and most neighbours of a row.
    """

    def __init__(self, rows: Floats, own: int, kernel: Kernel) -> None:
        try:
            self._operator, self._own = SparseOperator(rows, kernel), own
        except MemoryLimit as error:
            remedy = "use more parts, workers with more memory, a smaller bandwidth, or DistributedTiles"
            raise error.restated(where="a worker", remedy=remedy) from None
        self.facts = (self._operator.nonzeros, self._operator.degree())

    def __sizeof__(self) -> int:
        """Return its bytes, by which dask sees what it would cost to move it."""
        return object.__sizeof__(self) + self._operator.nbytes + 2 * self._operator.X.nbytes

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times coefficients, for its own rows."""
        return self._operator.gram_product(coefficients)[: self._own]

    def close_sums(self, coefficients: Floats, *, largest: float) -> Floats:
        """Return both sums over near rows, for its own rows, shape (2, m)."""
        return np.stack(self._operator.close_sums(largest, coefficients))[:, : self._own]

    def square_form(self, left: Floats, right: Floats) -> Floats:
        """Return its own rows' share of sum_ij l_i r_j kappa_ij^2, shape (1,)."""
        left = left.copy()
        left[self._own :] = 0.0
        return np.array([self._operator.square_form(left, right)])


class DistributedPairs(OnCluster, NearOperator):
    """Kernel values of the pairs within the cutoff, kept by the workers of a dask cluster.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data; a memory map is read as it is needed.
    kernel : Gaussian or Laplacian
        A kernel that falls exponentially.
    client : distributed.Client
        The client of the cluster. Its workers need this package.
    parts : int, optional
        Partitions; by default two for each thread of the cluster, and more where they would have over half a
        million rows.
    memory_limit : int, float, str, optional
        Bytes that may be allocated at the client, or text such as "4GB"; by default half of what is free.
    report : callable, optional
        Takes a `Progress` as the partitions are built.

    Attributes
    ----------
    halo_rows : int
        Rows that partitions have beside their own, all together.
    bytes_sent, bytes_received : int
        Bytes of the arrays that left the client and came back.

    Raises
    ------
    InvalidInput
        The kernel has a heavy tail, or the client has no workers.
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    MemoryLimit
        The client has no room for its vectors, or a worker none for a partition.

    Notes
    -----
    Rows are split at medians of the widest column until there are enough partitions, and each gets the rows
    within the cutoff of its box. A product sends each partition the coefficients of its rows and halo, and
    returns its entries: 8 (2 n + halo_rows) bytes. What is left out is what the sparse engine leaves out, and
    the bound is its bound.
    """

    def __init__(
        self,
        X: TableLike,
        kernel: Kernel,
        client: Client,
        *,
        parts: int | None = None,
        memory_limit: float | str | None = None,
        report: Report = silent,
    ) -> None:
        super().__init__(read_only(as_table(X)), checked_kernel(kernel))
        self.truncation = DEFAULT_TRUNCATION
        reach, limit = near_reach(self.kernel), memory_budget(memory_limit)
        require_sparse(self.size, self.dim, 0.0, limit)
        self._cluster = Cluster(client)
        if parts is None:
            parts = max(_PARTS_A_WORKER * self._cluster.workers, -(-self.size // _MOST_ROWS))
        count = min(as_count(parts, where="parts", minimum=1), self.size)
        places = tree_rows(self._scaled)
        self._own = split_in_space(places, count)
        self._local = [np.concatenate((own, halo_of(places, own, reach))) for own in self._own]
        self.halo_rows = sum(map(len, self._local)) - self.size
        self._parts = [
            self._cluster.submit(Part, self.X[local], len(own), self.kernel)
            for own, local in zip(self._own, self._local, strict=True)
        ]
        self._collect_facts(report)
        self.kernel_evaluations = self.nonzeros
        self.locations = locations_of(self.X)
        self.block_limit = largest_block(limit, self.X.nbytes)
        self.absolute_error = self.product_error = self._absolute_error()
        reason = f"{count} partitions on {self._cluster.workers} threads of a cluster"
        self.choice = EngineChoice("sparse", reason)

    @property
    def nonzeros(self) -> int:
        """Stored kernel values; pairs between partitions are stored by both, and those of a halo beside."""
        return self._nonzeros

    @property
    def nbytes(self) -> int:
        """Bytes that rows and their numbers take at the client."""
        return self.X.nbytes + sum(local.nbytes for local in self._local)

    def degree(self) -> int:
        """Return the largest number of stored neighbours of a row."""
        return self._degree

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""
        self.products += 1
        result = np.empty(self.size)
        for own, entries in zip(self._own, self._from_parts(Part.gram_product, coefficients), strict=True):
            result[own] = entries
        return result

    def close_sums(self, largest: float, coefficients: Floats) -> tuple[Floats, Floats]:
        """Return the same from the stored pairs; rows farther apart than these do not count as near."""
        close, number = np.empty(self.size), np.empty(self.size)
        sums_of = partial(Part.close_sums, largest=largest)
        for own, sums in zip(self._own, self._from_parts(sums_of, coefficients), strict=True):
            close[own], number[own] = sums
        return close, number

    def square_form(self, left: Floats, right: Floats) -> float:
        """Return sum_ij l_i r_j kappa_ij^2."""
        return sum(float(share[0]) for share in self._from_parts(Part.square_form, left, right))

    def _from_parts(self, function: Callable[..., Floats], *vectors: Floats) -> list[Floats]:
        """Apply a function to every part and its rows of some vectors."""
        futures = [
            self._cluster.submit(function, part, *(vector[local] for vector in vectors))
            for part, local in zip(self._parts, self._local, strict=True)
        ]
        return self._cluster.answers(futures)

    def _collect_facts(self, report: Report) -> None:
        """Wait for the parts, one after the other, and keep what the bounds need."""
        self._nonzeros = self._degree = done = 0
        facts = [self._cluster.submit(_facts, self._cluster.later(part)) for part in self._parts]
        for own, future in zip(self._own, facts, strict=True):
            nonzeros, degree = future.result()
            self._nonzeros += nonzeros
            self._degree = max(self._degree, degree)
            done += len(own)
            report(Progress("matrix", done, self.size))


def _facts(part: Part) -> tuple[int, int]:
    return part.facts


def near_reach(kernel: Kernel) -> float:
    """Return the cutoff in the units of `tree_rows`; refuse a kernel with a heavy tail."""
    try:
        return reach_of(kernel)
    except InvalidInput:
        raise InvalidInput(
            "must be the Gaussian or Laplacian kernel for near pairs",
            where="kernel",
            value=kernel,
            remedy='use DistributedTiles, or expected_cost with engine="tiles", which take every kernel',
        ) from None


def split_in_space(places: Floats, count: int) -> list[Indices]:
    """Split rows into so many parts of about equal size by cuts across the widest column.

    Shapes: places (n, d), n >= count.

    Examples
    --------
    >>> [part.tolist() for part in split_in_space(np.array([[5.0], [1.0], [4.0], [0.0]]), 2)]
    [[1, 3], [0, 2]]
    """
    waiting, done = [(np.arange(len(places)), count)], []
    while waiting:
        rows, share = waiting.pop()
        if share == 1:
            done.append(np.sort(rows))
            continue
        some = places[rows]
        column = some[:, int(np.argmax(np.ptp(some, axis=0)))]
        first = share // 2
        place = len(rows) * first // share
        order = np.argpartition(column, place)
        waiting += [(rows[order[place:]], share - first), (rows[order[:place]], first)]
    return done


def halo_of(places: Floats, own: Indices, reach: float) -> Indices:
    """Return the other rows within a distance of the box of some rows, in every column.

    Differences are rounded relatively, which the slack in the distance covers.

    Examples
    --------
    >>> halo_of(np.array([[0.0], [1.0], [2.5], [9.0]]), np.array([0, 1]), 2.0).tolist()
    [2]
    """
    near = np.ones(len(places), dtype=np.bool_)
    near[own] = False
    for column in places.T:
        inside = column[own]
        near &= (inside.min() - column <= reach) & (column - inside.max() <= reach)
    return np.flatnonzero(near)

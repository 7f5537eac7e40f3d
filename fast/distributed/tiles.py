"""Tiles of the kernel matrix, computed again for each product and shared among the workers of a cluster."""

from __future__ import annotations

import math
import uuid
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, TableLike, as_count
from rkde.fast._resources import Progress, Report, silent
from rkde.fast.distributed.cluster import Cluster, OnCluster
from rkde.fast.kernels import Kernel
from rkde.fast.operators import EngineChoice, TiledOperator, digest_of

if TYPE_CHECKING:
    from distributed import Client, Future

# Shares for each thread of the cluster, so that one that is slow or lost leaves little for the others.
_SHARES_A_WORKER: Final = 4
# What a worker has made of the rows of the last fit; a new fit takes its place.
_LAST: Final[dict[str, TiledOperator]] = {}


class DistributedTiles(OnCluster, TiledOperator):
    """Products with K and D that store no entries, computed by a dask cluster; any kernel, any dimension.

    Parameters
    ----------
    X : array_like, shape (n, d), or path
        The data, or a file of `numpy.save` that client and workers can read under the same path: its rows
        then do not travel. It has to stay as it is.
    kernel : Kernel
        The kernel.
    client : distributed.Client
        The client of the cluster. Its workers need this package.
    shares : int, optional
        Tasks a product; by default four for each thread of the cluster. With the same number a product is the
        same to the last bit, however many workers there are.
    memory_limit : int, float, str, optional
        Bytes that may be allocated at the client, or text such as "4GB"; by default half of what is free.
    report : callable, optional
        Takes a `Progress` while the first product is computed.

    Attributes
    ----------
    bytes_sent, bytes_received : int
        Bytes of the arrays that left the client and came back.

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers, or the client has no workers. In a product: a worker finds other
        rows in the file.
    MemoryLimit
        The client has no room for vectors of n and tables of n d numbers.

    Notes
    -----
    Weights, 8 n bytes, go to every worker once a product, and the partial products are added on the workers.
    The bounds are those of the tiled engine.

    Examples
    --------
    >>> from distributed import Client  # doctest: +SKIP
    >>> operator = DistributedTiles(X, kernel, Client("tcp://scheduler:8786"))  # doctest: +SKIP
    >>> rkde.fast.rkde(X, bandwidth=kernel.bandwidth, operator=operator)  # doctest: +SKIP
    """

    def __init__(
        self,
        X: TableLike | PathLike[str],
        kernel: Kernel,
        client: Client,
        *,
        shares: int | None = None,
        memory_limit: float | str | None = None,
        report: Report = silent,
    ) -> None:
        self._cluster = Cluster(client)
        self._asked = (
            _SHARES_A_WORKER * self._cluster.workers
            if shares is None
            else as_count(shares, where="shares", minimum=1)
        )
        # Workers have folders of their own.
        path: str | None = None
        rows: TableLike
        if isinstance(X, PathLike):
            path = str(Path(X).absolute())
            rows = np.load(path, mmap_mode="r")
        else:
            rows = X
        super().__init__(rows, kernel, memory_limit=memory_limit, threads=1, report=report)
        self._key = uuid.uuid4().hex
        self._rows: Floats | _File = (
            self._cluster.put(self.X) if path is None else _File(path, digest_of(self.X))
        )
        self.choice = EngineChoice("tiled", f"tiles shared by {self._cluster.workers} threads of a cluster")

    def _part_count(self) -> int:
        return self._asked

    def _sum_of_tiles(self, coefficients: Floats, *, is_proved: bool) -> Floats:
        self.products += 1
        cluster, weights = self._cluster, self._cluster.put(coefficients)
        parts = [
            cluster.submit(_part, self._rows, self.kernel, self._key, strips, weights, is_proved=is_proved)
            for strips in self.shares(self._asked)
        ]
        if self.products == 1:
            self._tell(parts)
        total, count = cluster.sum_of(parts)
        self.kernel_evaluations += count
        return total

    def _tell(self, parts: list[Future[tuple[Floats, int]]]) -> None:
        """Report the shares of the first product as they are done."""
        for done, _ in enumerate(self._cluster.completed(parts), start=1):
            # One process does the rows in order, of which the first have the longest strips.
            rows = int(self.size * (1 - math.sqrt(1 - done / len(parts))))
            self._report(Progress("product", rows, self.size))


class _File(NamedTuple):
    """A file that a worker reads, and the digest of the rows that the client found in it."""

    path: str
    digest: str


def _part(
    rows: Floats | _File, kernel: Kernel, key: str, strips: range, coefficients: Floats, *, is_proved: bool
) -> tuple[Floats, int]:
    """Return a share of a product, on a worker, which prepares the rows for its first share only."""
    operator = _LAST.get(key)
    if operator is None:
        table = np.load(rows.path, mmap_mode="r") if isinstance(rows, _File) else rows
        operator = TiledOperator(table, kernel, threads=1)
        if isinstance(rows, _File) and digest_of(operator.X) != rows.digest:
            raise InvalidInput(
                "must stay unchanged and be the same file for the client and the workers, "
                "got different rows on a worker",
                where="X",
                remedy="put the file at the same path on every worker, build the operator again, and leave "
                "the file alone until the fit is done",
            )
        _LAST.clear()
        _LAST[key] = operator
    return operator.part_of_product(strips, coefficients, is_proved=is_proved)

"""What products on a cluster will cost, computed before anything large is sent to it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from rkde.fast._float64 import Floats, TableLike, as_table, scale_rows
from rkde.fast.distributed.cluster import Cluster
from rkde.fast.distributed.partitions import near_reach
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators import (
    KernelOperator,
    SparseOperator,
    TiledOperator,
    estimate_fill,
    tree_rows,
)
from rkde.settings import check_choice

if TYPE_CHECKING:
    from distributed import Client

# Rows that a worker tries: a second at most of work without a stored matrix.
_SAMPLE: Final = 2**12
_SAMPLE_SEED: Final = 20120911
_FLOAT_BYTES: Final = 8
# A stored value takes eight bytes, and four for its column.
_STORED_BYTES: Final = 12


@dataclass(frozen=True, slots=True)
class Cost:
    """What an engine of a cluster will take; times are right to about a factor of two.

    Attributes
    ----------
    pairs : float
        Pairs of rows that are evaluated: in each product by tiles, once for near pairs.
    build_seconds : float
        Time until the near pairs are stored; 0 for tiles.
    product_seconds : float
        Time of one product on all workers, without what travels.
    product_bytes : float
        What leaves the client in one product, and comes back to it; halos come on top.
    worker_bytes : float
        What is stored on all workers together.
    """

    pairs: float
    build_seconds: float
    product_seconds: float
    product_bytes: float
    worker_bytes: float


def expected_cost(X: TableLike, kernel: Kernel, client: Client, *, engine: Literal["tiles", "pairs"]) -> Cost:
    """Let one worker try some rows, and return what all rows would take on all workers.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    client : distributed.Client
        The client of the cluster.
    engine : {"tiles", "pairs"}
        `DistributedTiles` or `DistributedPairs`.

    Returns
    -------
    Cost
        A fit by the whole recipe takes about 30 products.

    Raises
    ------
    InvalidInput
        Near pairs are asked for and the kernel has a heavy tail, or the engine is neither of the two.

    Notes
    -----
    For near pairs the sample gets a bandwidth that is larger by (n / m)^(1 / d), with which its rows have as
    many neighbours as those of the table.

    Examples
    --------
    >>> expected_cost(X, kernel, client, engine="tiles").product_seconds  # doctest: +SKIP
    37.5
    """
    check_choice(engine, ("tiles", "pairs"), "engine")
    rows, kernel, cluster = as_table(X), checked_kernel(kernel), Cluster(client)
    size, dim = rows.shape
    kept = np.random.default_rng(_SAMPLE_SEED).choice(size, min(size, _SAMPLE), replace=False)
    sample = np.ascontiguousarray(rows[np.sort(kept)])
    pairs = size * (size + 1) / 2
    if engine == "pairs":
        reach = near_reach(kernel)
        pairs = estimate_fill(tree_rows(scale_rows(rows, kernel.bandwidth)), reach).pairs if size > 1 else 0.0
        kernel = kernel.with_bandwidth(kernel.bandwidth * (size / len(sample)) ** (1 / dim))
    build, product, tried = cluster.submit(_timed, sample, kernel, stores=engine == "pairs").result()
    scale = pairs / max(tried, 1) / cluster.workers
    return Cost(
        pairs=pairs,
        build_seconds=build * scale,
        product_seconds=product * scale,
        product_bytes=2.0 * _FLOAT_BYTES * size,
        worker_bytes=_STORED_BYTES * pairs if engine == "pairs" else 0.0,
    )


def _timed(rows: Floats, kernel: Kernel, *, stores: bool) -> tuple[float, float, int]:
    """Return the seconds of a build and of a product, and their pairs, on a worker."""
    start = time.perf_counter()
    operator: KernelOperator = (
        SparseOperator(rows, kernel) if stores else TiledOperator(rows, kernel, threads=1)
    )
    built = time.perf_counter()
    operator.product(np.full(len(rows), 1 / len(rows)))
    done = time.perf_counter()
    return (built - start if stores else 0.0), done - built, operator.kernel_evaluations

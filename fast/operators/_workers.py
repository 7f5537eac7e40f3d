"""A few Python threads for work in numpy and scipy, whose kernels run while others hold the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from rkde.fast._threads import pools, thread_limit

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def worker_count(threads: int | None = None) -> int:
    """Return how many workers to use: as many as asked for, else as the linear algebra would use threads."""
    if threads is not None:
        return threads
    sizes = [int(pool["num_threads"]) for pool in pools().info() if pool["user_api"] == "blas"]
    return max(sizes, default=1)


def in_parallel(work: Callable[[Item], Answer], items: Sequence[Item], workers: int) -> Iterator[Answer]:
    """Apply a function to items, by several threads where there are several workers.

    Parameters
    ----------
    work : callable
        Of one item.
    items : sequence
        The items.
    workers : int
        At least 1; the linear algebra inside of each has one thread, so that they do not compete.

    Yields
    ------
    Answer
        In the order of the items, in the thread of the caller. If it stops asking, by an interruption or an
        error, items that are not begun are dropped.

    Examples
    --------
    >>> list(in_parallel(abs, [-1, 2, -3], 2))
    [1, 2, 3]
    """
    if workers == 1 or len(items) == 1:
        yield from map(work, items)
        return
    with thread_limit(1):
        pool = ThreadPoolExecutor(workers)
        try:
            yield from pool.map(work, items)
        finally:
            pool.shutdown(cancel_futures=True)

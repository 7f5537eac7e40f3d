"""A few Python threads for work in numpy and scipy, whose kernels run while others hold the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final, TypeVar

from rkde.fast._resources import pools, thread_limit

Item = TypeVar("Item")
Answer = TypeVar("Answer")

# More threads than this gain nothing anywhere, and each one takes memory of its own.
_MOST_WORKERS: Final = 256


def worker_count(threads: int | None = None) -> int:
    """Return how many workers to use: as many as asked for, else as the linear algebra would use threads.

    Never more than some hundred: `threads` says how many there may be at most.
    """
    if threads is not None:
        return min(threads, _MOST_WORKERS)
    sizes = [int(pool["num_threads"]) for pool in pools().info() if pool["user_api"] == "blas"]
    return max(sizes, default=1)


@contextmanager
def in_parallel(
    work: Callable[[Item], Answer], items: Sequence[Item], workers: int
) -> Iterator[Iterator[Answer]]:
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
    iterator of Answer
        In the order of the items, for the thread of the caller. When the context ends, by an interruption or
        an error too, items that are not begun are dropped, and the threads and their limit are gone: a
        generator alone would live on with the traceback that somebody keeps.

    Examples
    --------
    >>> with in_parallel(abs, [-1, 2, -3], 2) as answers:
    ...     list(answers)
    [1, 2, 3]
    """
    if workers == 1 or len(items) <= 1:
        yield map(work, items)
        return
    with thread_limit(1):
        pool = ThreadPoolExecutor(min(workers, len(items)))
        try:
            yield pool.map(work, items)
        finally:
            pool.shutdown(cancel_futures=True)

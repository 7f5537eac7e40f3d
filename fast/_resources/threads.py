"""Threads: one limit for the pools of all numerical libraries, and a few Python threads that share work.

The pools of numpy's and scipy's linear algebra belong to the process, not to a call. So the limits that calls
in several Python threads ask for are kept in one list under a lock: the smallest of them holds, and the
state before the first call returns with the last.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeVar

from threadpoolctl import ThreadpoolController, threadpool_limits


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """One context's limit, and the Python thread that it runs in."""

    threads: int
    thread: int


_LOCK = threading.Lock()
_ASKED: list[_Request] = []
_APPLIED: list[threadpool_limits] = []


@cache
def pools() -> ThreadpoolController:
    """Return the control of the thread pools; finding them takes some milliseconds, so it is done once.

    The linear algebra of numpy and scipy, which is all that is used here, is loaded by then.
    """
    return ThreadpoolController()


@contextmanager
def thread_limit(threads: int | None) -> Iterator[None]:
    """Limit the threads of the numerical libraries while the context lasts.

    Notes
    -----
    Contexts of several Python threads may overlap in any order: as long as one of them lasts, the smallest
    limit asked for holds for the process.
    """
    if threads is None:
        yield
        return
    request = _Request(min(threads, _cores()), threading.get_ident())
    # Within the try: applying takes a while, and an interruption there must not leave the limit behind.
    try:
        with _LOCK:
            _ASKED.append(request)
            _apply()
        yield
    finally:
        with _LOCK:
            if request in _ASKED:  # pragma: no branch (an interruption or a fork may have left it out)
                _ASKED.remove(request)
            _apply()


def _apply() -> None:
    """Restore the state before the first context, then limit to the smallest number asked for."""
    if _APPLIED:
        _APPLIED.pop().restore_original_limits()
    if _ASKED:
        _APPLIED.append(pools().limit(limits=min(request.threads for request in _ASKED)))
    # Newer threadpoolctl lets only one Python thread change OpenBLAS, and silently ignores all others until a
    # context of that thread ends. Ending one here leaves the next change to its author.
    with pools().limit(limits=None):
        pass


def _cores() -> int:
    """Return how many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        # Not on this system.
        return os.cpu_count() or 1


def _forget_other_threads() -> None:  # pragma: no cover (a forked process leaves no record)
    """In a forked process only the thread that forked goes on: no other holds the lock, or ends its limit."""
    global _LOCK
    _LOCK = threading.Lock()
    _ASKED[:] = [request for request in _ASKED if request.thread == threading.get_ident()]
    if _APPLIED:
        with _LOCK:
            _apply()


if hasattr(os, "register_at_fork"):  # pragma: no branch (only Windows lacks it)
    os.register_at_fork(after_in_child=_forget_other_threads)


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

    Result: in the order of the items, for the thread of the caller. When the context ends, by an interruption
    or an error too, items that are not begun are dropped, and the threads and their limit are gone: a
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
    ended = threading.Event()
    with thread_limit(1):
        pool = ThreadPoolExecutor(min(workers, len(items)), initializer=_enter, initargs=(ended,))
        try:
            yield pool.map(work, items)
        finally:
            ended.set()
            pool.shutdown(cancel_futures=True)


class _Workplace(threading.local):
    """What the thread of a worker knows: the event that ends its work, None in other threads."""

    ended: threading.Event | None = None


_WORKPLACE: Final = _Workplace()


def _enter(ended: threading.Event) -> None:
    _WORKPLACE.ended = ended


def stop_if_ended() -> None:
    """End a long piece of work of `in_parallel` whose caller has gone; to be called between its parts.

    An interruption reaches the thread of the caller only, which then waits for its workers.
    """
    if _WORKPLACE.ended is not None and _WORKPLACE.ended.is_set():
        raise CancelledError

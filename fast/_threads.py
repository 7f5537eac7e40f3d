"""One control for the number of threads, shared by the thread pools of all numerical libraries.

The pools of numpy's and scipy's linear algebra belong to the process, not to a call. So the limits that calls
in several Python threads ask for are kept in one list under a lock: the smallest of them holds, and the
state before the first call returns with the last.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController, threadpool_limits

from rkde.fast.inputs import as_count

_LOCK = threading.Lock()
_ASKED: list[int] = []
_APPLIED: list[threadpool_limits] = []


@cache
def pools() -> ThreadpoolController:
    """Return the control of the thread pools; finding them takes some milliseconds, so it is done once.

    The linear algebra of numpy and scipy, which is all that is used here, is loaded by then.
    """
    return ThreadpoolController()


def checked_threads(threads: int | None) -> int | None:
    """Return the number of threads, checked; None leaves the libraries' own setting.

    Parameters
    ----------
    threads : int or None
        At least 1.

    Returns
    -------
    int or None

    Raises
    ------
    InvalidType, InvalidInput
        Not a whole number of at least 1.
    """
    return None if threads is None else as_count(threads, where="threads", minimum=1)


@contextmanager
def thread_limit(threads: int | None) -> Iterator[None]:
    """Limit the threads of the numerical libraries while the context lasts.

    Parameters
    ----------
    threads : int or None
        At most so many; None changes nothing.

    Notes
    -----
    Contexts of several Python threads may overlap in any order: as long as one of them lasts, the smallest
    limit asked for holds for the process.
    """
    if threads is None:
        yield
        return
    with _LOCK:
        _ASKED.append(threads)
        _apply()
    try:
        yield
    finally:
        with _LOCK:
            _ASKED.remove(threads)
            _apply()


def _apply() -> None:
    """Restore the state before the first context, then limit to the smallest number asked for."""
    if _APPLIED:
        _APPLIED.pop().restore_original_limits()
    if _ASKED:
        _APPLIED.append(pools().limit(limits=min(_ASKED)))
    # Newer threadpoolctl lets only one Python thread change OpenBLAS, and silently ignores all others until a
    # context of that thread ends. Ending one here leaves the next change to whoever makes it.
    with pools().limit(limits=None):
        pass

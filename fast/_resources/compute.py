"""What a computation may use: engine, memory, threads, and whom it tells how far it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal, get_args

from rkde.errors import InvalidInput
from rkde.fast._resources.memory import memory_budget
from rkde.fast._resources.progress import Report, TerminalBar, reporter
from rkde.fast._resources.threads import checked_threads, thread_limit

Engine = Literal["auto", "dense", "sparse", "tiled"]
ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)


@dataclass(frozen=True, slots=True)
class Resources:
    """The checked arguments `engine`, `memory_limit`, `threads` and `progress`.

    Attributes
    ----------
    engine : {"auto", "dense", "sparse", "tiled"}
        How the kernel matrix is applied.
    given_limit : int or None
        Bytes that may be allocated; None for half of what is free.
    threads : int or None
        None leaves the libraries' own setting.
    report : callable
        Takes a `Progress` at every advance.
    """

    engine: Engine
    given_limit: int | None
    threads: int | None
    report: Report

    @property
    def memory_limit(self) -> int:
        """Bytes that may be allocated; what is free is looked up only when somebody wants to know."""
        return memory_budget(None) if self.given_limit is None else self.given_limit

    @contextmanager
    def running(self) -> Iterator[Resources]:
        """Hold the number of threads while the context lasts, and leave a clean terminal in any event."""
        try:
            with thread_limit(self.threads):
                yield self
        finally:
            if isinstance(self.report, TerminalBar):
                self.report.close()


def resources(
    engine: Engine = "auto",
    memory_limit: float | str | None = None,
    threads: int | None = None,
    progress: bool | Report = False,  # noqa: FBT001, FBT002 (named at every public edge)
) -> Resources:
    """Return the checked resources of a call.

    Parameters
    ----------
    engine : {"auto", "dense", "sparse", "tiled"}
        How the kernel matrix is applied.
    memory_limit : int, float, str or None
        Bytes, or text such as "4GB"; None for half of what is free.
    threads : int or None
        Most threads of the numerical libraries; None for their own setting.
    progress : bool or callable
        Whether to show a bar, or a function that takes a `Progress`.

    Returns
    -------
    Resources

    Raises
    ------
    InvalidType, InvalidInput
        An argument breaks a rule.
    """
    if engine not in ENGINES:
        raise InvalidInput(
            "no such engine", where="engine", value=engine, remedy=f"use one of {', '.join(ENGINES)}"
        )
    limit = None if memory_limit is None else memory_budget(memory_limit)
    return Resources(engine, limit, checked_threads(threads), reporter(progress))

"""What a computation may use: engine, memory and threads, and how it reports progress."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Literal, TypedDict, get_args

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import as_count
from rkde.fast._resources.memory import memory_budget
from rkde.fast._resources.progress import Display, Report, reporter
from rkde.fast._resources.threads import thread_limit

Engine = Literal["auto", "dense", "sparse", "cells", "tiled"]
ENGINES: Final[tuple[Engine, ...]] = get_args(Engine)


class Limits(TypedDict, total=False):
    """The fields of `Compute`, for functions that also take them as keywords."""

    engine: Engine
    memory_limit: float | str | None
    threads: int | None
    progress: bool | Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Compute:
    """What a computation may use, and how it reports progress.

    Every function that applies the kernel matrix or scores queries takes such a value as `compute`, or its
    fields as keywords. The fields change the time and the memory that an answer takes, and the answer itself
    by rounding only.

    Parameters
    ----------
    engine : {"auto", "dense", "sparse", "cells", "tiled"}
        How the kernel matrix is applied: "dense" stores it, or half of it, "sparse" stores its near pairs
        (Gaussian and Laplacian kernel), "cells" interpolates it between the cells of a grid (Gaussian kernel,
        up to three columns), "tiled" stores none of it; "auto" chooses by size, fill and memory. Where
        queries are scored, "sparse" sums over the near rows of each query, the other three over all rows.
    memory_limit : int, float or str, optional
        Bytes that may be allocated, or an amount such as "4GB" (10^9 bytes each) or "512MiB" (2^20 bytes
        each); by default half of what is free.
    threads : int, optional
        Maximum number of threads of the numerical libraries, at least 1; by default their own setting.
    progress : bool or callable
        True shows a computation that lasts on standard error: about how long it will take, and a bar where
        that is a terminal, else a line every half minute. A function is called with every advance, whose
        `stage`, `done`, `total` and `objective` it can read.

    Raises
    ------
    InvalidType, InvalidInput
        A field breaks a rule.

    Examples
    --------
    >>> from rkde.fast import Compute, Gaussian, median_rkde
    >>> careful = Compute(engine="dense", memory_limit="2GB", threads=1)
    >>> rows = [[-1.0], [0.0], [1.0], [6.0]]
    >>> limit = median_rkde(rows, Gaussian(1.0), compute=careful)
    >>> same = median_rkde(rows, Gaussian(1.0), engine="dense", memory_limit="2GB", threads=1)
    >>> limit.engine, bool((limit.weights == same.weights).all())
    ('dense', True)
    """

    engine: Engine = "auto"
    memory_limit: float | str | None = None
    threads: int | None = None
    progress: bool | Report = False

    def __post_init__(self) -> None:
        """Check every field."""
        if self.engine not in ENGINES:
            raise InvalidInput(
                "must be the name of an engine",
                where="engine",
                value=self.engine,
                remedy=f"use one of {', '.join(ENGINES)}",
            )
        if self.memory_limit is not None:
            memory_budget(self.memory_limit)
        if self.threads is not None:
            as_count(self.threads, where="threads", minimum=1)
        if not (isinstance(self.progress, bool) or callable(self.progress)):
            raise InvalidType(
                "must be True, False or a function",
                where="progress",
                value=self.progress,
                remedy="pass True to see a progress bar",
            )


@dataclass(frozen=True, slots=True)
class Resources:
    """A `Compute` made ready for one call.

    Attributes
    ----------
    engine : {"auto", "dense", "sparse", "cells", "tiled"}
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
            if isinstance(self.report, Display):
                self.report.close()


def checked_resources(compute: Compute | None = None, limits: Limits | None = None) -> Resources:
    """Return the resources of the calling function, which were given as one value or by its keywords.

    An unknown keyword raises the `TypeError` that Python would raise for the calling function.
    """
    if limits:
        _check_keywords(limits, compute)
        compute = Compute(**limits)
    if compute is None:
        compute = Compute()
    if not isinstance(compute, Compute):
        raise InvalidType(
            "must be a Compute object",
            where="compute",
            value=compute,
            remedy='pass an object such as Compute(engine="dense"), or pass its fields as keywords',
        )
    limit = None if compute.memory_limit is None else memory_budget(compute.memory_limit)
    return Resources(compute.engine, limit, compute.threads, reporter(compute.progress))


def _check_keywords(limits: Limits, compute: Compute | None) -> None:
    """Refuse a keyword that is not a field of `Compute`, and any keyword beside `compute` itself."""
    for name, value in limits.items():
        if name not in Limits.__annotations__:
            raise TypeError(f"{_public_caller()}() got an unexpected keyword argument {name!r}")
        if compute is not None:
            raise InvalidInput(
                "must not be passed together with compute, which has a field of that name",
                where=name,
                value=value,
                remedy=f"pass compute=Compute({name}=...), or leave compute out",
            )


def _public_caller() -> str:
    """Return the name of the function that asked for its resources, as Python's own message names it."""
    frame = inspect.currentframe()
    while frame is not None and frame.f_globals.get("__name__") == __name__:
        frame = frame.f_back
    return "the function" if frame is None else frame.f_code.co_qualname

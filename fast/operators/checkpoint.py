"""Products that are kept in a folder, so that a computation that was ended goes on where it was."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats
from rkde.fast.operators.protocol import KernelOperator
from rkde.files import write_atomically, writing_atomically

OperatorT = TypeVar("OperatorT", bound=KernelOperator)
# What is expensive, and depends on its arguments only: all else is done again.
_KEPT: Final = ("product", "proved_product", "gram_product", "gram_norm", "close_sums")
_HEADER: Final = "checkpoint.json"


def checkpointed(operator: OperatorT, folder: str | os.PathLike[str], *, resume: bool = False) -> OperatorT:
    """Return the same operator, whose products are kept in a folder and read from it when they are asked for.

    A computation with it can be ended at any time. The same call with `resume=True` reads what was computed,
    and so comes to the same weights, path of J and bounds whatever the solver, to the last bit where products
    are computed with the same number of threads, shares or parts.

    Parameters
    ----------
    operator : operator of this package
        Any engine, of one machine or of a cluster, or a `ForeignOperator`.
    folder : path
        A new or empty folder. It takes 8 n bytes for each product, about 30 for a whole fit, and is of no use
        once the result is saved.
    resume : bool
        Go on with what the folder has.

    Returns
    -------
    The same kind of operator. Its counters count what is computed, not what is read.

    Raises
    ------
    InvalidInput
        The folder holds products already, or, where `resume` says so, those of other rows, of another kernel
        or engine.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from rkde.fast import Gaussian, median_rkde
    >>> from rkde.fast.operators import DenseOperator
    >>> rows, kernel = [[-1.0], [0.0], [1.0], [6.0]], Gaussian(1.0)
    >>> with TemporaryDirectory() as folder:
    ...     first = checkpointed(DenseOperator(rows, kernel), folder)
    ...     whole = median_rkde(rows, kernel, operator=first)
    ...     again = checkpointed(DenseOperator(rows, kernel), folder, resume=True)
    ...     same = median_rkde(rows, kernel, operator=again)
    >>> bool((whole.weights == same.weights).all()), again.products
    (True, 0)
    """
    journal = _Journal(Path(folder), _facts_of(operator), resume=resume)
    result = copy.copy(operator)
    result.__class__ = _kept_class(type(operator), journal)
    return result


def _kept_class(base: type[Any], journal: _Journal) -> type[Any]:
    """Return the class with methods that look into a journal first."""

    def kept(name: str) -> Callable[..., object]:
        method = getattr(base, name)

        @functools.wraps(method)
        def looked_up(self: object, *arguments: Floats) -> object:
            return journal.answer(name, arguments, functools.partial(method, self))

        return looked_up

    return type(base.__name__, (base,), {name: kept(name) for name in _KEPT})


class _Journal:
    """Answers of methods in files, by the method and what it was asked."""

    def __init__(self, folder: Path, facts: dict[str, object], *, resume: bool) -> None:
        self._folder, self._is_inside = folder, False
        # In the name of every file: two runs in one folder never read each other's products.
        self._facts = json.dumps(facts, sort_keys=True).encode()
        folder.mkdir(parents=True, exist_ok=True)
        header = folder / _HEADER
        if not header.exists():
            write_atomically(header, f"{json.dumps(facts, indent=1)}\n".encode())
            return
        if not resume:
            raise InvalidInput(
                "must be a new folder, got one with the products of another run",
                where="folder",
                remedy="pass resume=True to continue that run, or pass another folder",
            )
        stored = _read_header(header)
        other = [name for name, fact in facts.items() if stored.get(name) != fact]
        if other:
            raise InvalidInput(
                f"must hold the products of a run with the same {other[0]}, got those of a different run",
                where="folder",
                remedy="use what the first run used, its memory limit included, or pass another folder",
            )

    def answer(self, name: str, arguments: tuple[Floats, ...], method: Callable[..., object]) -> object:
        """Return what a file has, else what the method computes, which is then kept."""
        if self._is_inside:
            # One method computes by another: the outer answer is kept.
            return method(*arguments)
        asked = hashlib.blake2b(self._facts + name.encode(), digest_size=16)
        for argument in arguments:
            asked.update(np.ascontiguousarray(argument).data)
        file = self._folder / f"{name}-{asked.hexdigest()}.npz"
        # A file that a full disk or a power cut left short, or empty, is as good as none.
        with suppress(OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
            return _read(file)
        self._is_inside = True
        try:
            answer = method(*arguments)
        finally:
            self._is_inside = False
        arrays = answer if isinstance(answer, tuple) else (answer,)
        with writing_atomically(file) as stream:
            np.savez(stream, *map(np.asarray, arrays))
        return answer


def _read_header(file: Path) -> dict[str, object]:
    """Return what the products of a folder depend on."""
    try:
        stored = json.loads(file.read_text("utf-8"))
    except ValueError:
        stored = None
    if not isinstance(stored, dict):
        raise InvalidInput(
            f"must hold a readable {_HEADER}, got one that is damaged",
            where="folder",
            remedy="delete that file and run again: products of the same run are still read",
        )
    return stored


def _read(file: Path) -> object:
    """Return an array, a number, or a tuple of arrays."""
    with np.load(file) as stored:
        arrays = [stored[name] for name in stored.files]
    if len(arrays) > 1:
        return tuple(arrays)
    return arrays[0] if arrays[0].ndim else float(arrays[0])


def digest_of(rows: Floats) -> str:
    """Return a text that differs, for all practical purposes, whenever rows do."""
    return hashlib.blake2b(np.ascontiguousarray(rows).data, digest_size=16).hexdigest()


def _facts_of(operator: KernelOperator) -> dict[str, object]:
    """Return what products depend on."""
    return {
        "rows": digest_of(operator.X),
        "number of rows": operator.size,
        "kernel": repr(operator.kernel),
        "engine": type(operator).__name__,
        "truncation": operator.truncation,
    }

"""Which engine applies the kernel matrix: asked for by name, or chosen from size, fill and memory."""

from __future__ import annotations

import logging
from typing import Final

import numpy as np

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats, TableLike, as_table, scale_rows
from rkde.fast._resources import Resources, checked_resources, shown
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators.cutoff import cutoff_radius, estimate_fill, tree_radius, tree_rows
from rkde.fast.operators.dense import DenseOperator, dense_bytes, require_dense, table_bytes
from rkde.fast.operators.protocol import EngineChoice, EngineName, KernelOperator
from rkde.fast.operators.sparse import SparseOperator, require_sparse, sparse_bytes
from rkde.fast.operators.tiled import TiledOperator, require_tiled
from rkde.fast.operators.workers import worker_count

_LOGGER: Final = logging.getLogger("rkde")
# Up to so many rows the dense matrix takes some ten milliseconds and 8 MiB: nothing is worth a choice.
_FEW_ROWS: Final = 1024
# A k-d tree in more dimensions visits most of its leaves, and next to all pairs are near.
_TREE_DIMENSION: Final = 8
# A near pair costs about as much as 20 pairs of the dense matrix, in the build and in a product.
_SPARSE_FILL: Final = 0.05


def choose_engine(X: Floats, kernel: Kernel, memory_limit: int, threads: int | None = None) -> EngineChoice:
    """Choose the engine that is likely the fastest within the limit.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    memory_limit : int
        Bytes.
    threads : int, optional
        Threads, each of which needs memory of its own where no matrix is stored.

    Returns
    -------
    EngineChoice

    Raises
    ------
    MemoryLimit
        No engine keeps within the limit.

    Notes
    -----
    The dense matrix for few rows; the near pairs where they are at most 5 % of all; else the dense matrix
    if it fits; else the near pairs if they fit and at most half of all pairs are near; else no stored matrix.
    The fill is estimated from a sample, in milliseconds.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> choose_engine(np.zeros((3, 1)), Gaussian(1.0), 10**9).engine
    'dense'
    """
    size, dim = X.shape
    fits_dense = _dense_total(size, dim) <= memory_limit
    if size <= _FEW_ROWS and fits_dense:
        return EngineChoice("dense", f"{size} rows are few", None, memory_limit)
    fill, pairs = _estimate(X, kernel)
    fits_sparse = fill is not None and sparse_bytes(size, dim, pairs) <= memory_limit
    if fill is not None and fits_sparse and fill <= _SPARSE_FILL:
        return EngineChoice("sparse", f"about {fill:.2g} of all pairs are near", fill, memory_limit)
    if fits_dense:
        return EngineChoice(
            "dense", f"the matrix takes {shown(dense_bytes(size))}, which fits", fill, memory_limit
        )
    if fill is not None and fits_sparse and fill <= 1 / 2:
        reason = f"the dense matrix does not fit, the near {fill:.2g} of all pairs do"
        return EngineChoice("sparse", reason, fill, memory_limit)
    require_tiled(size, dim, worker_count(threads), memory_limit)
    return EngineChoice("tiled", "no stored matrix fits", fill, memory_limit)


def require_possible(X: Floats, asked: Resources) -> None:
    """Refuse at once, before a bandwidth is looked for, what cannot fit at any bandwidth.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The data.
    asked : Resources
        Engine, memory limit and threads.

    Raises
    ------
    MemoryLimit
        The engine asked for, or where none is asked for each of them, exceeds the limit.
    """
    size, dim = X.shape
    limit = asked.memory_limit
    if asked.engine == "dense":
        require_dense(size, dim, limit)
    elif asked.engine == "sparse":
        require_sparse(size, dim, 0.0, limit)
    elif asked.engine == "tiled" or limit < min(_dense_total(size, dim), sparse_bytes(size, dim, 0.0)):
        require_tiled(size, dim, worker_count(asked.threads), limit)


def operator_for(
    X: TableLike,
    kernel: Kernel,
    operator: KernelOperator | None = None,
    asked: Resources | None = None,
) -> KernelOperator:
    """Return the given operator if it belongs to X and the kernel, a new one if none is given.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    operator : KernelOperator, optional
        An operator to share.
    asked : Resources, optional
        Engine, memory limit and threads for a new one.

    Returns
    -------
    KernelOperator

    Raises
    ------
    InvalidInput
        The operator was built for other data or another kernel, or is not of the engine asked for.
    InvalidType
        It is something else, such as scipy's LinearOperator, which a `ForeignOperator` has to hold.
    MemoryLimit
        No engine, or not the one asked for, keeps within the limit.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> shared = operator_for([[0.0], [1.0]], Gaussian(1.0))
    >>> operator_for([[0.0], [1.0]], Gaussian(1.0), shared) is shared
    True
    """
    asked = asked or checked_resources()
    if operator is None:
        return _new(as_table(X), checked_kernel(kernel), asked)
    if not hasattr(operator, "kernel") or not hasattr(operator, "residuals"):
        raise InvalidType(
            "is no operator of rkde",
            where="operator",
            value=type(operator).__name__,
            remedy="wrap a product with K as rkde.fast.operators.ForeignOperator(X, kernel, linear)",
        )
    if operator.kernel != kernel or not np.array_equal(operator.X, as_table(X)):
        raise InvalidInput(
            "was built for other data or another kernel",
            where="operator",
            remedy="build it from the same X and kernel, or leave it out",
        )
    if asked.engine not in ("auto", operator.engine):
        raise InvalidInput(
            f"applies the matrix by the engine {operator.engine}, not by the one asked for",
            where="operator",
            value=asked.engine,
            remedy="leave out one of operator and engine",
        )
    return operator


def _dense_total(size: int, dim: int) -> int:
    return dense_bytes(size) + table_bytes(size, dim)


def _new(X: Floats, kernel: Kernel, asked: Resources) -> KernelOperator:
    limit = asked.memory_limit
    if asked.engine == "auto":
        choice = choose_engine(X, kernel, limit, asked.threads)
    else:
        name: EngineName = asked.engine
        choice = EngineChoice(name, "asked for", None, limit)
    _LOGGER.info("engine %s for %d rows of %d columns: %s", choice.engine, *X.shape, choice.reason)
    operator: KernelOperator
    if choice.engine == "sparse":
        operator = SparseOperator(X, kernel, memory_limit=limit, report=asked.report)
    elif choice.engine == "tiled":
        operator = TiledOperator(X, kernel, memory_limit=limit, threads=asked.threads, report=asked.report)
    else:
        operator = DenseOperator(X, kernel, memory_limit=limit, threads=asked.threads, report=asked.report)
    operator.choice = choice
    return operator


def _estimate(X: Floats, kernel: Kernel) -> tuple[float | None, float]:
    """Return the estimated share and number of near pairs; None where leaving pairs out gains nothing."""
    radius = cutoff_radius(kernel)
    size, dim = X.shape
    if radius is None or dim > _TREE_DIMENSION or size < 2:
        return None, 0.0
    found = estimate_fill(tree_rows(scale_rows(X, kernel.bandwidth)), tree_radius(kernel, radius))
    return found.share, found.pairs

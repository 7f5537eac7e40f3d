"""Which engine applies the kernel matrix, by name or by size, fill and memory, and the record of it."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_table,
    read_sample_weight,
    scale_rows,
    sum_factor,
)
from rkde.fast._resources import Resources, checked_resources, shown, worker_count
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.losses import Loss
from rkde.fast.operators.cell_plan import READS_A_VALUE, plan_cells, require_table
from rkde.fast.operators.cells import CellsOperator
from rkde.fast.operators.cutoff import cutoff_radius, estimate_fill, tree_radius, tree_rows
from rkde.fast.operators.dense import DenseOperator, dense_bytes, require_dense
from rkde.fast.operators.protocol import EngineChoice, EngineName, KernelOperator
from rkde.fast.operators.sparse import SparseOperator, require_sparse, sparse_bytes
from rkde.fast.operators.tiled import TiledOperator, require_tiled
from rkde.fast.operators.triangle import TriangleOperator, require_triangle, triangle_bytes

_LOGGER: Final = logging.getLogger("rkde")
# Up to so many rows the dense matrix takes some ten milliseconds and 8 MiB: nothing is worth a choice.
_FEW_ROWS: Final = 1024
# A k-d tree in more dimensions visits most of its leaves, and next to all pairs are near.
_TREE_DIMENSION: Final = 8
# Cells replace another engine where they cost at most so large a part of it: estimates are rough.
_WORTHWHILE: Final = 2.0
# What cells cost a row beside products, as its share in one product of a fit: the build is 3000 reads.
_READS_A_ROW: Final = 100
# r_i^2 moves by at most so many times the largest error of a kernel value: `residual_change`.
_CHANGE: Final = 3.0
# A product with a triangle takes 1.6 times as long as one with the whole matrix.
_TRIANGLE_COST: Final = 1.6
# Engines that can be built again for fewer rows without a loss.
_LOCAL: Final = (DenseOperator, TriangleOperator, SparseOperator, CellsOperator, TiledOperator)
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
    if it fits, whole or half of it; else the near pairs if they fit and at most half of all pairs are near;
    else no stored matrix.
    Cells take the place of any of these, but for few rows, where they fit and cost half as much or less,
    counted in reads of memory. Fill and cells are estimated from samples, in milliseconds.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> choose_engine(np.zeros((3, 1)), Gaussian(1.0), 10**9).engine
    'dense'
    """
    size, dim = X.shape
    fits_dense = dense_bytes(size, dim) <= memory_limit
    if size <= _FEW_ROWS and fits_dense:
        return EngineChoice("dense", f"{size} rows are few", None, memory_limit)
    triangle = triangle_bytes(size, dim, worker_count(threads))
    fill, pairs = _estimate(X, kernel)
    fits_sparse = fill is not None and sparse_bytes(size, dim, pairs) <= memory_limit
    choice, cost = EngineChoice("tiled", "no stored matrix fits", fill, memory_limit), 4.0 * size * size
    if fill is not None and fits_sparse and fill <= _SPARSE_FILL:
        reason = f"about {fill:.2g} of all pairs are near"
        choice, cost = EngineChoice("sparse", reason, fill, memory_limit), READS_A_VALUE * pairs
    elif fits_dense:
        reason = f"the matrix takes {shown(dense_bytes(size))}, which fits"
        choice, cost = EngineChoice("dense", reason, fill, memory_limit), float(size * size)
    elif triangle <= memory_limit:
        reason = f"half of the matrix takes {shown(triangle)}, which fits"
        choice, cost = EngineChoice("dense", reason, fill, memory_limit), _TRIANGLE_COST * size * size
    elif fill is not None and fits_sparse and fill <= 1 / 2:
        reason = f"the dense matrix does not fit, the near {fill:.2g} of all pairs do"
        choice, cost = EngineChoice("sparse", reason, fill, memory_limit), READS_A_VALUE * pairs
    if _cells_pay(X, kernel, memory_limit, cost):
        reason = "the bandwidth is wide against the spacing of the rows"
        return EngineChoice("cells", reason, fill, memory_limit)
    if choice.engine == "tiled":
        require_tiled(size, dim, worker_count(threads), memory_limit)
    return choice


def _cells_pay(X: Floats, kernel: Kernel, memory_limit: int, cost: float) -> bool:
    """Tell whether cells fit and a product costs them less than half of so many reads of memory."""
    own = _READS_A_ROW * len(X)
    if _WORTHWHILE * own >= cost:
        return False
    plan = plan_cells(X, kernel)
    return plan is not None and plan.nbytes <= memory_limit and _WORTHWHILE * (own + plan.product_cost) < cost


def require_possible(X: Floats, resources: Resources) -> None:
    """Refuse at once, before a bandwidth is looked for, what cannot fit at any bandwidth.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The data.
    resources : Resources
        Engine, memory limit and threads.

    Raises
    ------
    MemoryLimit
        The engine asked for, or where none is asked for each of them, exceeds the limit.
    """
    size, dim = X.shape
    limit = resources.memory_limit
    if resources.engine == "dense":
        if _stores_whole(size, dim, limit, resources.threads):
            require_dense(size, dim, limit)
        else:
            require_triangle(size, dim, worker_count(resources.threads), limit)
    elif resources.engine == "sparse":
        require_sparse(size, dim, 0.0, limit)
    elif resources.engine == "cells":
        require_table(size, dim, limit)
    elif resources.engine == "tiled" or (
        limit < dense_bytes(size, dim) and limit < sparse_bytes(size, dim, 0.0)
    ):
        require_tiled(size, dim, worker_count(resources.threads), limit)


def operator_for(
    X: TableLike,
    kernel: Kernel,
    operator: KernelOperator | None = None,
    resources: Resources | None = None,
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
    resources : Resources, optional
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
    >>> operator = operator_for([[0.0], [1.0]], Gaussian(1.0))
    >>> operator_for([[0.0], [1.0]], Gaussian(1.0), operator) is operator
    True
    """
    resources = resources or checked_resources()
    if operator is None:
        return new_operator(as_table(X), checked_kernel(kernel), resources)
    if not hasattr(operator, "kernel") or not hasattr(operator, "residuals"):
        raise InvalidType(
            f"must be an operator of rkde, got an object of type {type(operator).__name__}",
            where="operator",
            remedy="wrap a product with K as rkde.fast.operators.ForeignOperator(X, kernel, linear)",
        )
    if operator.kernel != kernel or not np.array_equal(operator.X, as_table(X)):
        raise InvalidInput(
            "must be built from the same X and kernel, got one with different data or a different kernel",
            where="operator",
            remedy="build it again, or leave it out",
        )
    if resources.engine not in ("auto", operator.engine):
        raise InvalidInput(
            f"must use the engine {resources.engine}",
            where="operator",
            value=operator.engine,
            remedy="leave out either operator or engine",
        )
    return operator


def weighted_operator(
    X: TableLike,
    kernel: Kernel,
    sample_weight: ArrayLike | None,
    operator: KernelOperator | None,
    resources: Resources,
) -> tuple[SampleWeight | None, KernelOperator]:
    """Return the sample weights, read, and an operator of the rows of positive weight that has their masses.

    Parameters
    ----------
    X, kernel, operator, resources
        As in `operator_for`; a given operator serves as it is where no row has the weight 0. Otherwise an
        engine of this machine takes the place of one that "auto" could have chosen.
    sample_weight : array_like, shape (n,), or None
        The weights of the rows.

    Returns
    -------
    weights : SampleWeight or None
    operator : KernelOperator

    Raises
    ------
    InvalidType, InvalidInput, MemoryLimit
        As `operator_for`, or the weights break a rule, or a row has the weight 0 and the given operator is
        one of the caller's own, of several machines or with checkpoints.
    """
    rows = as_table(X)
    weights = read_sample_weight(sample_weight, len(rows))
    if weights is None:
        return None, operator_for(X, kernel, operator, resources)
    if operator is not None or len(weights.kept) == len(rows):
        operator = operator_for(X, kernel, operator, resources)
    if operator is not None and len(weights.kept) < len(rows) and type(operator) not in _LOCAL:
        raise InvalidInput(
            f"must be built from the rows of positive weight, got one built from all {len(rows)} rows, "
            f"of which {len(weights.kept)} have such a weight",
            where="operator",
            remedy="leave the rows of weight 0 out of X and sample_weight, "
            "and build the operator from the others",
        )
    if operator is None or len(weights.kept) < len(rows):
        operator = new_operator(weights.rows_of(rows), checked_kernel(kernel), resources)
    return weights, operator.with_masses(weights.masses)


def new_operator(X: Floats, kernel: Kernel, resources: Resources) -> KernelOperator:
    """Return an operator of rows and a kernel that are checked already.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    resources : Resources
        Engine, memory limit and threads.

    Returns
    -------
    KernelOperator

    Raises
    ------
    MemoryLimit
        No engine, or not the one asked for, keeps within the limit.
    """
    limit = resources.memory_limit
    if resources.engine == "auto":
        choice = choose_engine(X, kernel, limit, resources.threads)
    else:
        name: EngineName = resources.engine
        choice = EngineChoice(name, "asked for", None, limit)
    _LOGGER.info("engine %s for %d rows of %d columns: %s", choice.engine, *X.shape, choice.reason)
    operator: KernelOperator
    if choice.engine == "sparse":
        operator = SparseOperator(X, kernel, memory_limit=limit, report=resources.report)
    elif choice.engine == "cells":
        operator = CellsOperator(X, kernel, memory_limit=limit, report=resources.report)
    elif choice.engine == "tiled":
        operator = TiledOperator(
            X, kernel, memory_limit=limit, threads=resources.threads, report=resources.report
        )
    else:
        size, dim = X.shape
        stored = DenseOperator if _stores_whole(size, dim, limit, resources.threads) else TriangleOperator
        operator = stored(X, kernel, memory_limit=limit, threads=resources.threads, report=resources.report)
    operator.choice = choice
    return operator


def _stores_whole(size: int, dim: int, limit: int, threads: int | None) -> bool:
    """Tell whether the whole matrix is stored: it fits, or half of it with its tiles takes no less."""
    whole = dense_bytes(size, dim)
    return whole <= limit or whole <= triangle_bytes(size, dim, worker_count(threads))


def _estimate(X: Floats, kernel: Kernel) -> tuple[float | None, float]:
    """Return the estimated share and number of near pairs; None where leaving pairs out gains nothing."""
    radius = cutoff_radius(kernel)
    size, dim = X.shape
    if radius is None or dim > _TREE_DIMENSION or size < 2:
        return None, 0.0
    fill = estimate_fill(tree_rows(scale_rows(X, kernel.bandwidth)), tree_radius(kernel, radius))
    return fill.share, fill.pairs


@dataclass(frozen=True, slots=True)
class EngineReport:
    """How the kernel matrix was applied.

    Attributes
    ----------
    engine : {"dense", "sparse", "cells", "tiled", "foreign"}
        The engine.
    reason : str
        Why it was taken.
    fill : float or None
        Estimated share of all pairs within the cutoff, where one was looked for.
    memory_limit : int or None
        Bytes that the choice had to keep to.
    nbytes : int
        Bytes that the matrix takes.
    nonzeros : int
        Stored kernel values.
    products, kernel_evaluations : int
        How often the matrix was applied, and how many kernel values were computed for that.
    truncation : float
        Kernel values up to this, relative to k(0, 0), were left out, or values are wrong by so much where
        they are interpolated; 0 for neither.
    truncation_bound : float
        At least |f - the computed f| anywhere, in tau^2, from that.
    residual_bound : float
        The same for the residual norms, in tau.
    weights_bound : float
        The same for the weights of one step of KIRWLS from the weights of the result; infinite where a
        residual is so near a point of infinite phi that nothing can be said.
    """

    engine: EngineName
    reason: str
    fill: float | None
    memory_limit: int | None
    nbytes: int
    nonzeros: int
    products: int
    kernel_evaluations: int
    truncation: float
    truncation_bound: float
    residual_bound: float
    weights_bound: float


def engine_report(operator: KernelOperator, loss: Loss, norms: Floats) -> EngineReport:
    """Return the record of an operator after a computation that ended with these residual norms.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    norms : ndarray, shape (n,)
        Residual norms, in tau.

    Returns
    -------
    EngineReport
    """
    residual_bound = weights_bound = 0.0
    if operator.truncation:
        change = residual_change(operator.truncation, norms)
        residual_bound, weights_bound = float(change.max()), step_change(loss, norms, change, operator.masses)
    return EngineReport(
        engine=operator.engine,
        reason=operator.choice.reason,
        fill=operator.choice.fill,
        memory_limit=operator.choice.memory_limit,
        nbytes=operator.nbytes,
        nonzeros=operator.nonzeros,
        products=operator.products,
        kernel_evaluations=operator.kernel_evaluations,
        truncation=operator.truncation,
        truncation_bound=operator.truncation,
        residual_bound=residual_bound,
        weights_bound=weights_bound,
    )


def residual_change(truncation: float, norms: Floats) -> Floats:
    """Bound what errors of kernel values up to eps change in each residual norm.

    Shapes: norms (n,), computed residual norms s, in tau; result (n,). Result: in tau; rounding not included.

    Notes
    -----
    |K - K'| <= eps entry by entry, where values are left out or interpolated. For weights of sum 1 that moves
    (D w)_i by at most 2 eps, w'D w / 2 by at most eps, and r_i^2, their difference, by at most 3 eps. Then
    |s - r| = |s^2 - r^2| / (s + r) is at most 3 eps / s, and at most (3 eps)^(1/2).

    Examples
    --------
    >>> residual_change(0.0, np.array([0.0, 1.0]))
    array([0., 0.])
    """
    square = _CHANGE * truncation * (1 + sum_factor(8))
    root = math.sqrt(square)
    if not root or math.isinf(root):
        return np.full(len(norms), root)
    return np.minimum(root, square / np.maximum(norms, root))


def step_change(loss: Loss, norms: Floats, change: Floats, masses: Floats | None = None) -> float:
    """Bound how much the weights phi(r_i) / sum phi(r_j) move when each r_i moves by at most `change`.

    Shapes: norms, change (n,), in tau; masses (n,). Result: with phi off by e_i and E = sum e, a weight moves
    by at most (e_i + w_i E) / (sum phi - E).
    """
    if not change.any() or not np.isfinite(change).all():
        return float(change.max())
    phi = loss.phi(norms)
    inner, outer = loss.phi(np.maximum(norms - change, 0.0)), loss.phi(norms + change)
    if not np.isfinite(inner).all():
        return math.inf
    if masses is not None:
        phi, inner, outer = masses * phi, masses * inner, masses * outer
    moved = np.maximum(inner - phi, phi - outer)
    total, phi_sum = float(moved.sum()), float(phi.sum())
    if total >= phi_sum:
        return math.inf
    return float((moved + phi / phi_sum * total).max()) / (phi_sum - total) * (1 + sum_factor(len(phi) + 8))

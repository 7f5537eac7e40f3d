"""How rows are best put into cells, and what products then cost, counted in operations and reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats, split_bandwidth
from rkde.fast._resources import require
from rkde.fast.kernels import Gaussian, Kernel
from rkde.fast.operators.cell_rows import SMALL_BLOCK, cutoff_side, place_rows
from rkde.fast.operators.cell_transfers import rows_in_reach, steps_between
from rkde.fast.operators.chebyshev import node_count
from rkde.fast.operators.common import FLOAT_BYTES
from rkde.fast.operators.near_pairs import BUILD_BYTES

MOST_COLUMNS: Final = 3
# What interpolation may change in a kernel value: less than rounding may by its worst-case bound.
_INTERPOLATION: Final = 2.0**-46
# Numbers of cells that cover the cutoff: fewer, larger cells need more nodes each.
_REACHES: Final = {1: (2,), 2: (2, 3, 4, 6), 3: (2, 3, 4)}
_SAMPLE: Final = 2**12
_SAMPLE_SEED: Final = 20120910
# Floating-point operations of a matrix product in the time in which a float64 is read from memory.
_OPERATIONS_A_READ: Final = 4
# A stored value costs about four reads a product, and as many as eight more for its share of the build.
READS_A_VALUE: Final = 12
# Arrays of n and of n d numbers that build and iteration hold beside the layout.
_VECTORS: Final = 32
_TABLES: Final = 8


@dataclass(frozen=True, slots=True)
class CellPlan:
    """How rows are put into cells, and what that costs.

    Attributes
    ----------
    reach : int
        Cells that cover the cutoff.
    count : int
        Nodes an axis.
    half_side : float
        Half of a cell's side, in bandwidths.
    product_cost : float
        What a product costs, in reads of a float64 from memory.
    nbytes : int
        About the bytes that build and products take at most.
    """

    reach: int
    count: int
    half_side: float
    product_cost: float
    nbytes: int


def plan_cells(X: Floats, kernel: Kernel) -> CellPlan | None:
    """Return the cheapest way to put rows into cells; None where the engine does not serve.

    Shapes: X (n, d). Result: from a sample of the rows with a fixed seed; none for other kernels than the
    Gaussian and more than three columns.
    """
    size, dim = X.shape
    if not isinstance(kernel, Gaussian) or dim > MOST_COLUMNS:
        return None
    rng = np.random.default_rng(_SAMPLE_SEED)
    sample = X if size <= _SAMPLE else X[rng.choice(size, _SAMPLE, replace=False)]
    plans = [_plan(sample, size, kernel, reach) for reach in _REACHES[dim]]
    return min((plan for plan in plans if plan is not None), key=lambda plan: plan.product_cost, default=None)


def _plan(sample: Floats, size: int, kernel: Kernel, reach: int) -> CellPlan | None:
    """Count what the cells of a sample cost if they hold their share of all rows."""
    dim, side = sample.shape[1], cutoff_side(kernel, reach)
    places = place_rows(sample, kernel, side, reach)
    if places is None:  # pragma: no cover (the keys of so few rows fit)
        return None
    half_side = side / (2 * split_bandwidth(kernel.bandwidth)[0])
    count = node_count(half_side, dim, _INTERPOLATION)
    share = size / len(sample)
    held = np.asarray(share * np.bincount(places.cells), dtype=np.float64)
    reached = rows_in_reach(steps_between(places, reach), held)
    by_cells, directly = cell_costs(held, reached, dim, reach, count)
    cells, rows = held[by_cells < directly], float(held[by_cells < directly].sum())
    pairs = float((held * reached)[by_cells >= directly].sum())
    numbers = (rows + len(cells) * SMALL_BLOCK) * (count * dim + 1) + 4 * len(cells) * count**dim
    numbers += size * (_VECTORS + _TABLES * dim)
    cost = float(np.minimum(by_cells, directly).sum())
    return CellPlan(reach, count, half_side, cost, int(FLOAT_BYTES * numbers + BUILD_BYTES * pairs))


def cell_costs(held: Floats, reached: Floats, dim: int, reach: int, count: int) -> tuple[Floats, Floats]:
    """Return for each cell what its rows cost in a product by its moments, and what by their near pairs.

    Shapes: held (C,), a cell's rows; reached (C,), the rows in its reach; results (C,), in reads of a
    float64 from memory. By moments: 4 p^d operations a row, and the moves.
    """
    padded = held + SMALL_BLOCK / 2
    operations = 4 * padded * count**dim + 2 * dim * (2 * reach + 1) * count ** (dim + 1)
    return operations / _OPERATIONS_A_READ, READS_A_VALUE * held * reached


def is_crowded(held: Floats, reached: Floats, dim: int, reach: int, count: int) -> NDArray[np.bool_]:
    """Tell which cells are better served by moments."""
    by_cells, directly = cell_costs(held, reached, dim, reach, count)
    return np.asarray(by_cells < directly)


def require_cells(plan: CellPlan, size: int, limit: int) -> None:
    """Refuse a layout that does not fit."""
    _require(plan.nbytes, size, limit)


def require_table(size: int, dim: int, limit: int) -> None:
    """Refuse rows for which no layout fits."""
    _require(FLOAT_BYTES * size * (_VECTORS + _TABLES * dim), size, limit)


def _require(needed: int, size: int, limit: int) -> None:
    require(
        needed,
        limit,
        purpose=f"a layout of {size} rows in cells",
        where="memory_limit",
        remedy='raise memory_limit, use engine="auto" or "tiled", or use fewer rows',
    )

"""The operator by cells: the Gaussian kernel between cells of a grid, interpolated, with a proved error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from rkde.errors import InvalidInput
from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, TableLike, accurate_sum, as_table, read_only, sum_factor
from rkde.fast._resources import Report, memory_budget, silent
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators.cell_near import near_rows
from rkde.fast.operators.cell_plan import MOST_COLUMNS, CellPlan, is_crowded, plan_cells, require_cells
from rkde.fast.operators.cell_rows import (
    FULL_BLOCK,
    blocks_of,
    cell_side,
    cutoff_side,
    most_blocks,
    place_rows,
    tiles_of_cells,
)
from rkde.fast.operators.cell_transfers import rows_in_reach, steps_between, transfer
from rkde.fast.operators.chebyshev import (
    basis_roundings,
    coordinate_error,
    interpolation_error,
    lebesgue_constant,
    transfer_matrix,
    transfer_roundings,
)
from rkde.fast.operators.common import RowsOperator, expanded_norm, largest_block, locations_of
from rkde.fast.operators.cutoff import DEFAULT_TRUNCATION
from rkde.fast.operators.protocol import EngineChoice, EngineName, Indices


class CellsOperator(RowsOperator):
    """Products with K and D of the Gaussian kernel in up to three columns, of a cost in proportion to n.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data, of three columns at most.
    kernel : Gaussian
        The kernel.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    report : callable, optional
        Of the same form as for the other engines; the build takes the time of a few products.

    Raises
    ------
    InvalidInput
        The kernel is another one, or X has more columns.
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    MemoryLimit
        The layout of the rows does not fit into the limit.

    Notes
    -----
    Rows lie in cells, and a Gaussian between two cells is a product over the axes of functions of one
    difference each, which are interpolated at p Chebyshev nodes in both cells (`chebyshev`). A product takes
    the moments S = sum_j c_j l_a(x_j) l_b(x_j) ... of every cell, moves them axis by axis to the cells within
    the cutoff by p x p matrices that all cells share, and evaluates what arrives at the rows: two products of
    matrices a cell and 4 n p^d operations for the rows, whatever the bandwidth.

    Every kernel value is wrong by at most `truncation`: what lies beyond the cutoff, and interpolation. With
    rounding, a product with D is wrong by at most `absolute_error` sum |c|, which the certificates contain.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> operator = CellsOperator([[0.0], [1.0], [50.0]], Gaussian(1.0))
    >>> operator.product(np.array([0.0, 0.0, 1.0])).round(12), operator.products
    (array([2., 2., 0.]), 1)
    """

    engine: Final[EngineName] = "cells"
    relative_error: Final = 0.0
    nonzeros: int

    def __init__(
        self,
        X: TableLike,
        kernel: Kernel,
        *,
        memory_limit: float | str | None = None,
        report: Report = silent,  # noqa: ARG002 (one form for all engines)
    ) -> None:
        super().__init__(read_only(as_table(X)), checked_kernel(kernel))
        plan, limit = self._checked_plan(), memory_budget(memory_limit)
        require_cells(plan, self.size, limit)
        self.nbytes, self.product_cost = plan.nbytes, plan.product_cost
        self._plan = plan
        self._lay_out()
        self.locations = locations_of(self.X)
        self.block_limit = largest_block(limit, self.nbytes)
        self.truncation = DEFAULT_TRUNCATION + interpolation_error(plan.count, plan.half_side, self.dim)
        self.absolute_error = self.product_error = self._absolute_error()
        self.choice = EngineChoice("cells")

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,): 2 (sum c - K c)."""
        return np.asarray(2 * (float(coefficients.sum()) - self.gram_product(coefficients)))

    def proved_product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, wrong by at most `absolute_error` sum |c|."""
        return np.asarray(2 * (accurate_sum(coefficients) - self.gram_product(coefficients)))

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""
        self.products += 1
        return self._apply(coefficients, self._matrices)

    def gram_norm(self, rows: Indices, squares: Floats, shares: Floats) -> float:
        """Return (sum_ij s_i s_j (q_i + q_j - D_ij)^2)^(1/2) over the chosen rows, rounded up.

        The kernel's square is a Gaussian, too, of the bandwidth h / 2^(1/2): the same nodes serve it with a
        larger error of interpolation, and no other error is larger by more than a factor of two.
        """
        share = np.zeros(self.size)
        share[rows] = shares
        mixed, squared = self.gram_product(share)[rows], self._apply(share, self._matrices_of(2), 2)[rows]
        total, sizes = expanded_norm(squares, shares, mixed, float((shares * squared).sum()))
        size, moment = float(shares.sum()), float(np.abs(shares * (squares - 1)).sum())
        plan = self._plan
        interpolation = interpolation_error(plan.count, plan.half_side * math.sqrt(2), self.dim)
        wrong = 4 * moment * self.absolute_error + 4 * (interpolation + self.absolute_error) * size
        total += wrong * size + sum_factor(self.size + 16) * sizes
        return math.sqrt(total) * (1 + sum_factor(16))

    def tiles_within(self, largest: float) -> Iterator[tuple[Indices, Indices]]:
        """Cut the rows into cells, each beside those rows with D_ij <= `largest`, below 2."""
        radius = math.sqrt(-2 * math.log1p(-largest / 2))
        places = place_rows(self.X, self.kernel, cell_side(self.kernel, radius), 1)
        return super().tiles_within(largest) if places is None else tiles_of_cells(places)

    def _checked_plan(self) -> CellPlan:
        plan = plan_cells(self.X, self.kernel)
        if plan is None:
            raise InvalidInput(
                f'must not be "cells" for a {type(self.kernel).__name__} kernel and {self.dim} columns; it '
                f"needs the Gaussian kernel and at most {MOST_COLUMNS} columns",
                where="engine",
                remedy='use engine="auto"',
            )
        return plan

    def _lay_out(self) -> None:
        """Store where rows lie, how cells see each other, the matrices between them, and near pairs."""
        plan, reach = self._plan, self._plan.reach
        few, self._blocks, self._steps = np.arange(self.size), [], []
        places = place_rows(self.X, self.kernel, cutoff_side(self.kernel, reach), reach)
        # Rows too scattered for their cells to be numbered have few others near them.
        if places is not None:  # pragma: no branch (only half a million rows in three columns are)
            held = np.bincount(places.cells).astype(np.float64)
            reached = rows_in_reach(steps_between(places, reach), held)
            crowded = is_crowded(held, reached, self.dim, reach, plan.count)
            few = np.flatnonzero(~crowded[places.cells])
            places, rows = places.within(crowded)
            self._blocks = blocks_of(places, rows, plan.count)
            self._steps = steps_between(places, reach)
        self._near = near_rows(self._scaled, few, self.kernel) if len(few) else None
        self.nonzeros = 0 if self._near is None else int(self._near.values.nnz)
        self.kernel_evaluations = self.nonzeros
        self._matrices = self._matrices_of(1)

    def _matrices_of(self, power: int) -> dict[int, Floats]:
        """Return the matrices between cells for the kernel to this power."""
        plan = self._plan
        self.kernel_evaluations += (2 * plan.reach + 1) * plan.count**2
        return {
            offset: transfer_matrix(plan.count, plan.half_side, offset, power)
            for offset in range(-plan.reach, plan.reach + 1)
        }

    def _apply(self, coefficients: Floats, matrices: dict[int, Floats], power: int = 1) -> Floats:
        """Return the matrix of the kernel to this power times coefficients."""
        padded, result = np.append(coefficients, 0.0), np.zeros(self.size + 1)
        if self._blocks:
            moments = np.zeros((self._steps[-1].size, self._plan.count**self.dim))
            for blocks in self._blocks:
                blocks.add_moments(padded, moments)
            values = transfer(self._steps, moments, matrices)
            for blocks in self._blocks:
                blocks.evaluate(values, result)
        if self._near is not None:
            self._near.add_to(result[:-1], coefficients, power)
        return result[:-1]

    def _absolute_error(self) -> float:
        """Bound what a product with D is off, over sum |c|.

        With L the Lebesgue constant, a rounding of a term of a moment moves a result by at most L^d of it,
        since what the later steps make of a moment is an interpolated kernel value, at most 1; so does one in
        an evaluation, where L^d is at the rows. A rounding in a move along one axis meets L at the nodes of
        that axis on both sides, and L on one side of every other axis: L^(d + 1). A moment is a sum over a
        block and over the blocks of a cell; a value at a node one over p nodes and the cells in reach; a
        result one over p nodes for each axis. Pairs with rows of cells that hold few have other terms, with
        an error of their own. Adding both is one rounding, and 2 (sum c - K c) three.
        """
        dim, count, half_side = self.dim, self._plan.count, self._plan.half_side
        constant = lebesgue_constant(count)
        moment = FULL_BLOCK + most_blocks(self._blocks) + dim + 2 + dim * basis_roundings(count)
        value = dim * (count + 1 + basis_roundings(count))
        move = dim * (count + 2 * self._plan.reach + 1 + transfer_roundings(half_side))
        rounding = constant**dim * sum_factor(moment + value) + constant ** (dim + 1) * sum_factor(move)
        rounding += dim * coordinate_error(half_side)
        if self._near is not None:
            rounding = max(rounding, self._near.relative_error(dim))
        rounding += 4 * UNIT_ROUNDOFF
        return 2 * (self.truncation + rounding) * (1 + sum_factor(8)) * (1 + self.truncation)

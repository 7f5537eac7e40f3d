"""Rows of cells that hold few: kernel values with every row near them, for which no cell has to be moved."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.spatial import cKDTree

from rkde.fast._float64 import ENTRY_ROUNDINGS, Floats, ScaledRows, sum_factor
from rkde.fast.kernels import Kernel
from rkde.fast.operators.cutoff import GAUSSIAN_CUTOFF, LEAF_ROWS, tree_radius, tree_rows
from rkde.fast.operators.near_pairs import CHUNK_PAIRS, kernel_values, pair_squares, stacked
from rkde.fast.operators.protocol import Indices


@dataclass(frozen=True, slots=True, eq=False)
class NearRows:
    """Some rows, and the kernel values of their pairs with all rows within the cutoff.

    Attributes
    ----------
    rows : ndarray of int, shape (m,)
        Their numbers.
    values : csr_array, shape (m, n)
        kappa, 1 on the diagonal.
    """

    rows: Indices
    values: csr_array

    def add_to(self, result: Floats, coefficients: Floats, power: int = 1) -> None:
        """Complete a product with K: from these rows to all others, and from all rows to these.

        Shapes: result (n,), overwritten at these rows; coefficients (n,).
        """
        values = self.values if power == 1 else self.values.power(power)
        result += values.T @ coefficients[self.rows]
        result[self.rows] = values @ coefficients

    def relative_error(self, dim: int) -> float:
        """Return the relative error of sums of these values, rounding in the values included."""
        columns = np.bincount(self.values.indices, minlength=1)
        most = max(np.diff(self.values.indptr).max(), columns.max())
        return sum_factor(int(most) + 2 + dim + ENTRY_ROUNDINGS)


def near_rows(rows: ScaledRows, chosen: Indices, kernel: Kernel) -> NearRows:
    """Find what lies within the cutoff of chosen rows, and evaluate the kernel there.

    Shapes: chosen (m,), their numbers, m >= 1.
    """
    points, reach = tree_rows(rows), tree_radius(kernel, GAUSSIAN_CUTOFF)
    tree = cKDTree(points, leafsize=LEAF_ROWS)
    chosen = chosen[cKDTree(points[chosen], leafsize=LEAF_ROWS).indices]
    counts = np.asarray(tree.query_ball_point(points[chosen], reach, return_length=True), dtype=np.intp)
    cuts = np.flatnonzero(np.diff(np.cumsum(counts) // CHUNK_PAIRS)) + 1
    parts = []
    for some in np.split(chosen, cuts):
        near = cKDTree(points[some], leafsize=LEAF_ROWS)
        pairs = near.sparse_distance_matrix(tree, reach, output_type="ndarray")
        i, j = pairs["i"].astype(np.intp), pairs["j"].astype(np.intp)
        values = kernel_values(kernel, pair_squares(rows, rows, some[i], j, kernel))
        parts.append(csr_array((values, (i, j)), shape=(len(some), len(points))))
    return NearRows(chosen, stacked(parts, len(points)))

"""What the engines share: blocks of D, locations of rows, and residual norms from a product with D."""

from __future__ import annotations

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import Final, Self

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from rkde.fast._float64 import Floats, ScaledRows, distinct_rows, scale_rows, separations, sum_factor
from rkde.fast.kernels import Kernel
from rkde.fast.operators.protocol import Indices

# Entries of a block: 2**17 float64 are 1 MiB, which stays in the cache through the passes over them.
BLOCK_ENTRIES: Final = 2**17
# A tile of 256 x 512 float64 is 1 MiB, too.
TILE_ROWS: Final = 256
TILE_COLUMNS: Final = 512
# Float64 arrays of the size of a block that its users hold at once: the block, its scales, a factor of it.
BLOCK_COPIES: Final = 4
FLOAT_BYTES: Final = 8


def difference_block(left: ScaledRows, right: ScaledRows, kernel: Kernel) -> Floats:
    """Return D between two sets of rows, shape (m, n).

    Shapes: result (m, n). Result: 0 for equal rows; relative error of an entry a few more roundings
    than the `roundings` of the rows.
    """
    separation = separations(left, right, kernel.bandwidth, squared=kernel.squared)
    complement = kernel.unit_complement(separation, left.rows.shape[1])
    complement *= 2
    return complement


def largest_block(memory_limit: int, used: int) -> int:
    """Return the largest order of a block of D whose users keep within the limit."""
    return math.isqrt(max(0, memory_limit - used) // (BLOCK_COPIES * FLOAT_BYTES))


def locations_of(X: Floats) -> Indices:
    """Return for each row the first one that equals it, shape (n,)."""
    distinct = distinct_rows(X)
    return np.asarray(distinct.first[distinct.inverse])


def locations_with(X: Floats, same: Indices) -> tuple[Indices, int]:
    """Return the same where some pairs of unequal rows may be at distance 0 too.

    Shapes: X (n, d); same (p, 2), all pairs of rows at distance 0, each once; results locations (n,). Result:
    A location is what such pairs connect: distances that underflow need not be transitive.
    """
    distinct = distinct_rows(X)
    ties = int((distinct.counts * (distinct.counts - 1) // 2).sum())
    inverse: Indices = distinct.inverse
    if len(same) != ties:
        graph = coo_array((np.ones(len(same), np.int8), (same[:, 0], same[:, 1])), shape=(len(X),) * 2)
        inverse = connected_components(graph, directed=False)[1].astype(np.intp)
    return first_rows(inverse), ties


def expanded_norm(squares: Floats, shares: Floats, mixed: Floats, squared: float) -> tuple[float, float]:
    """Return sum_ij s_i s_j (q_i + q_j - D_ij)^2 over some rows, and the sum of the sizes of its terms.

    Shapes: squares (m,), q; shares (m,), s; mixed (m,), K s; squared, s' (K o K) s. Result: with a = q - 1
    the bracket is a_i + a_j + 2 kappa_ij, whose square falls into products of single sums and these two.
    """
    moment = shares * (squares - 1)
    spread = 2 * float(shares.sum()) * float((moment * (squares - 1)).sum())
    total = spread + 2 * float(moment.sum()) ** 2 + 8 * float((moment * mixed).sum()) + 4 * squared
    sizes = spread + 2 * float(np.abs(moment).sum()) ** 2 + 8 * float((np.abs(moment) * mixed).sum())
    return max(total, 0.0), sizes + 4 * squared


def part_of_norm(tile: Floats, squares: Floats, shares: Floats, rows: slice, columns: slice) -> float:
    """Return the sum of s_i s_j (q_i + q_j - D_ij)^2 over a tile of D, twice for pairs off the diagonal part.

    Shapes: tile (rows, columns), not left of the diagonal; squares, shares (n,), q and s.
    """
    numerators = squares[rows, np.newaxis] + squares[columns]
    numerators -= tile
    np.square(numerators, out=numerators)
    # The square part on the diagonal has both of its triangles.
    twice = shares[columns].copy()
    twice[max(0, rows.stop - columns.start) :] *= 2
    return float(shares[rows] @ (numerators @ twice))


def norm_roundings(count: int) -> int:
    """Return the roundings in a sum of `part_of_norm` over the tiles of so many rows, one after the other."""
    tiles = (count // TILE_ROWS + 1) * (count // TILE_COLUMNS + 1)
    return count + tiles + 16


def first_rows(inverse: Indices) -> Indices:
    """Return for each row the first one with the same number, numbers 0 to k - 1, shape (n,)."""
    first = np.empty(int(inverse.max()) + 1, dtype=np.intp)
    # Written from the last row to the first, so that the first row at a location stands in the end.
    first[inverse[::-1]] = np.arange(len(inverse))[::-1]
    return np.asarray(first[inverse])


def locations_in(differences: Floats) -> Indices:
    """Return for each row the first one at distance 0, by looking through the whole matrix, shape (n,)."""
    size = len(differences)
    labels: Indices = np.empty(size, dtype=np.intp)
    zeros = 0
    step = max(1, BLOCK_ENTRIES // size)
    for start in range(0, size, step):
        is_zero = differences[start : start + step] == 0
        labels[start : start + step] = is_zero.argmax(axis=1)
        zeros += int(np.count_nonzero(is_zero))
    counts = np.bincount(labels, minlength=size)
    if zeros == int((counts * counts).sum()):
        return labels
    # Distances so small that they underflow need not be transitive; then a location is what they connect.
    _, component = connected_components(csr_array((differences == 0).astype(np.int8)), directed=False)
    return first_rows(component.astype(np.intp))


class DataOperator(ABC):
    """The part of an operator that does not depend on how the matrix is applied.

    Parameters
    ----------
    rows : ndarray, shape (n, d)
        The data, read-only.
    kernel : Kernel
        The kernel.

    Attributes
    ----------
    X, kernel
        These two.
    size, dim : int
        n and d.
    locations : ndarray of int, shape (n,)
        For each row the first row at distance 0 from it.
    products, kernel_evaluations : int
        Counts of both, 0 at first.
    product_error : float
        Absolute part of the error of `product`; 0 but for engines that say otherwise.
    masses : ndarray, shape (n,), or None
        Row masses over their mean; None where all are equal.
    """

    size: int
    dim: int
    locations: Indices
    product_error: float = 0.0
    masses: Floats | None = None

    def __init__(self, rows: Floats, kernel: Kernel) -> None:
        self.X, self.kernel = rows, kernel
        self.size, self.dim = rows.shape
        self.products = self.kernel_evaluations = 0

    def with_masses(self, masses: Floats | None) -> Self:
        """Return the same matrix, shared, for rows of these masses over their mean."""
        result = copy.copy(self)
        result.masses = masses
        return result

    def weigh(self, values: Floats) -> Floats:
        """Return values, one a row, times the masses; the values themselves where all masses are equal."""
        return values if self.masses is None else self.masses * values

    @property
    def distance_roundings(self) -> int:
        """Roundings in the square of a distance from which an entry of D is computed."""
        return self.dim

    @property
    def is_single_location(self) -> bool:
        """Whether all rows lie at one location."""
        return not self.locations.any()

    @cached_property
    def has_ties(self) -> bool:
        """Whether some location has two rows or more."""
        return bool((self.locations != np.arange(self.size)).any())

    @abstractmethod
    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,)."""

    @abstractmethod
    def row(self, index: int) -> Floats:
        """Return one row of D, shape (n,)."""

    @abstractmethod
    def tile(self, rows: Indices, columns: Indices) -> Floats:
        """Return D on some rows and columns, to be read only."""

    def residuals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the residual norms and the size of the terms whose difference their squares are.

        Shapes: weights (n,), at least 0, of sum 1; results norms (n,), in tau; terms (n,), in tau^2.

        Notes
        -----
        r_i^2 = (D w)_i - w'D w / 2, whose terms are of the size of the residuals' own squares unless one
        location holds most of the weight. There, with S, A and B the sums of w_j, w_j D_ij and w_j w_k D_jk
        over the rows off that location, r_i^2 = S A - B / 2, in which every term is small. Rounding moves
        r_i^2 by at most about n roundings of the sum of the two terms, which is the second array.
        """
        masses = np.bincount(self.locations, weights, minlength=self.size) if self.has_ties else weights
        first = int(np.argmax(masses))
        heavy = self.locations == first if masses[first] > 1 / 2 else None
        rest = weights if heavy is None else np.where(heavy, 0.0, weights)
        product = self.product(rest)
        # Sums by numpy's pairwise addition: accurate, and no second BLAS in the iteration.
        among = float((rest * product).sum())
        if heavy is None:
            gain, loss = product, np.full(self.size, among / 2)
        else:
            to_heavy, mass = float(product[first]), float(weights[heavy].sum())
            gain = product + mass * self.row(first)
            loss = np.full(self.size, mass * to_heavy + among / 2)
            gain[heavy], loss[heavy] = float(rest.sum()) * to_heavy, among / 2
        terms = gain + loss
        if self.product_error:
            # The rounding of such a product is relative to sum |c| and not to its own entries.
            terms += 2 * float(rest.sum())
        # What rounding leaves below 0 is 0.
        return np.sqrt(np.maximum(gain - loss, 0.0)), terms

    def residual_norms(self, weights: Floats) -> Floats:
        """Return |Phi(X_i) - f_w| in tau, shape (n,), for weights of sum 1; one product."""
        return self.residuals(weights)[0]

    def norms_at(self, queries: Floats, weights: Floats) -> Floats:
        """Return |Phi(x) - f_w| in tau at queries of shape (m, d), shape (m,), for weights of sum 1."""
        half_square = float((weights * self.product(weights)).sum()) / 2
        points, rows = scale_rows(queries, self.kernel.bandwidth), scale_rows(self.X, self.kernel.bandwidth)
        step = max(1, BLOCK_ENTRIES // self.size)
        squares = np.empty(len(queries))
        for start in range(0, len(queries), step):
            block = difference_block(points.part(start, start + step), rows, self.kernel)
            squares[start : start + step] = (block * weights).sum(axis=1)
        return np.sqrt(np.maximum(squares - half_square, 0.0))

    def gram_norm(self, rows: Indices, squares: Floats, shares: Floats) -> float:
        """Return (sum_ij s_i s_j (q_i + q_j - D_ij)^2)^(1/2) over the chosen rows, rounded up.

        Some passes over half of the entries of D on these rows, in tiles that stay in the cache.
        """
        total = 0.0
        for first in range(0, len(rows), TILE_ROWS):
            last = first + TILE_ROWS
            for left in range(first, len(rows), TILE_COLUMNS):
                right = left + TILE_COLUMNS
                tile = self.tile(rows[first:last], rows[left:right])
                total += part_of_norm(tile, squares, shares, slice(first, last), slice(left, right))
        return math.sqrt(total) * (1 + sum_factor(norm_roundings(len(rows))))

    def close_sums(self, largest: float, coefficients: Floats) -> tuple[Floats, Floats]:
        """Return sums over the rows j with D_ij <= `largest`, i among them: of c_j kappa_ij, and of c_j.

        Shapes (n,) both. One pass over the entries of D that may be so small, in tiles.
        """
        close, number = np.zeros(self.size), np.zeros(self.size)
        for rows, columns in self.tiles_within(largest):
            tile = self.tile(rows, columns)
            is_near = tile <= largest
            number[rows] += is_near.astype(np.float64) @ coefficients[columns]
            close[rows] += np.where(is_near, 1 - tile / 2, 0.0) @ coefficients[columns]
        return close, number

    def tiles_within(self, largest: float) -> Iterator[tuple[Indices, Indices]]:
        """Cut the pairs of rows into tiles that hold each with D_ij <= `largest`, below 2, once, at least."""
        del largest
        rows = np.arange(self.size)
        for top in range(0, self.size, TILE_ROWS):
            for left in range(0, self.size, TILE_COLUMNS):
                yield rows[top : top + TILE_ROWS], rows[left : left + TILE_COLUMNS]


class RowsOperator(DataOperator):
    """An operator that stores no matrix of which single entries could be read: they come from the rows.

    Parameters
    ----------
    rows : ndarray, shape (n, d)
        The data, read-only.
    kernel : Kernel
        The kernel.

    Attributes
    ----------
    is_resolved : bool
        Whether no difference of coordinates is so near 0 that its square loses digits.
    """

    def __init__(self, rows: Floats, kernel: Kernel) -> None:
        super().__init__(rows, kernel)
        self._scaled = scale_rows(rows, kernel.bandwidth)
        self.is_resolved = not self._scaled.may_underflow

    def row(self, index: int) -> Floats:
        """Return one row of D from distances, shape (n,); nothing is left out."""
        row: Floats = difference_block(self._scaled.part(index, index + 1), self._scaled, self.kernel)[0]
        return row

    def block(self, rows: Indices, columns: Indices) -> Floats:
        """Return D on some rows and columns from distances; nothing is left out."""
        return difference_block(self._scaled.some(rows), self._scaled.some(columns), self.kernel)

    def tile(self, rows: Indices, columns: Indices) -> Floats:
        """Return the same."""
        return self.block(rows, columns)

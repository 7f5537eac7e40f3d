"""The dense operator in half of the memory: one triangle of D, stored in strips, and products by BLAS."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from rkde.fast._float64 import Floats, TableLike, as_table, sum_factor
from rkde.fast._resources import (
    Progress,
    Report,
    in_parallel,
    memory_budget,
    require,
    silent,
    worker_count,
)
from rkde.fast.kernels import Kernel
from rkde.fast.operators.common import (
    FLOAT_BYTES,
    TILE_ROWS,
    largest_block,
    norm_roundings,
    part_of_norm,
)
from rkde.fast.operators.protocol import EngineChoice, EngineName, Indices
from rkde.fast.operators.tiled import Tile, TiledOperator, tiled_bytes


def triangle_bytes(size: int, dim: int, workers: int = 1) -> int:
    """Return the bytes of a triangle of the matrix, in strips, with vectors and tables beside it."""
    return _half(size) + tiled_bytes(size, dim, workers)


def require_triangle(size: int, dim: int, workers: int, limit: int) -> None:
    """Refuse a dense matrix of which not even half fits, alone or beside its rows."""
    matrix = f"half of the dense matrix of {size} rows"
    remedy = 'raise memory_limit, use engine="auto" or "tiled", or use fewer rows'
    require(_half(size), limit, purpose=matrix, where="memory_limit", remedy=remedy)
    require(
        triangle_bytes(size, dim, workers),
        limit,
        purpose=f"{matrix} with tables of {dim} columns",
        where="memory_limit",
        remedy="raise memory_limit, or use fewer rows or columns",
    )


def _half(size: int) -> int:
    """Return the bytes of the strips alone, whose squares on the diagonal are whole."""
    return FLOAT_BYTES * size * (size + min(size, TILE_ROWS)) // 2


class TriangleOperator(TiledOperator):
    """Squared feature distances of all pairs of rows, each pair stored once.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    threads : int, optional
        Python threads that build the matrix and multiply by it; by default as many as the linear algebra
        uses.
    report : callable, optional
        Takes a `Progress` as the build advances.

    Attributes
    ----------
    kernel_evaluations : int
        Kernel values computed so far: n^2 / 2 and some, by the build, with both triangles of the squares on
        the diagonal.

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    MemoryLimit
        The triangle of 4 n^2 bytes exceeds the limit; nothing is allocated then.

    Notes
    -----
    Products read 4 n^2 bytes, as those of `DenseOperator` do, whose matrix takes 8 n^2. BLAS has no routine
    that uses a rectangle in both directions at once, so each tile is read again from the cache: measured at
    n = 8000, one thread, a product takes 1.6 times as long. It is the product of the tiled engine, with
    entries read instead of computed: the same bounds hold.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> operator = TriangleOperator([[0.0], [1.0], [50.0]], Gaussian(1.0))
    >>> operator.product(np.array([0.0, 0.0, 1.0])), operator.nonzeros
    (array([2., 2., 0.]), 3)
    """

    engine: EngineName = "dense"
    evaluations_an_entry = 0

    def __init__(
        self,
        X: TableLike,
        kernel: Kernel,
        *,
        memory_limit: float | str | None = None,
        threads: int | None = None,
        report: Report = silent,
    ) -> None:
        rows, limit = as_table(X), memory_budget(memory_limit)
        size, dim = rows.shape
        require_triangle(size, dim, worker_count(threads), limit)
        super().__init__(rows, kernel, memory_limit=limit, threads=threads)
        self.block_limit = largest_block(limit, self.nbytes)
        self.choice = EngineChoice("dense")
        starts = range(0, self.size, TILE_ROWS)
        self._strips: list[Floats] = []
        with in_parallel(self._strip, starts, self._workers) as strips:
            for start, strip in zip(starts, strips, strict=True):
                self._strips.append(strip)
                report(Progress("matrix", min(start + TILE_ROWS, self.size), self.size))
        self.kernel_evaluations = sum(strip.size for strip in self._strips)

    @property
    def nonzeros(self) -> int:
        """Stored kernel values."""
        return self.size * (self.size - 1) // 2

    @property
    def nbytes(self) -> int:
        """Bytes that the triangle and what is beside it take."""
        return triangle_bytes(self.size, self.dim, self._workers)

    @property
    def product_cost(self) -> float:
        """Reads of a float64 that cost as much as a product."""
        return self.size**2 / 2

    def gram_norm(self, rows: Indices, squares: Floats, shares: Floats) -> float:
        """Return (sum_ij s_i s_j (q_i + q_j - D_ij)^2)^(1/2) over the chosen rows, rounded up; one pass."""
        square, share = np.zeros(self.size), np.zeros(self.size)
        square[rows], share[rows] = squares, shares
        work = partial(self._part_of_norm, square, share)
        with in_parallel(work, self.shares(self._workers), self._workers) as parts:
            total = math.fsum(parts)
        return math.sqrt(total) * (1 + sum_factor(norm_roundings(self.size)))

    def _part_of_norm(self, squares: Floats, shares: Floats, strips: range) -> float:
        """Return what some strips add to the square of `gram_norm`, all sizes (n,)."""
        total = 0.0
        for top in strips:
            rows = slice(top, min(top + TILE_ROWS, self.size))
            for columns in self.tiles_from(top):
                total += part_of_norm(
                    self._stored_tile(rows, columns, shares), squares, shares, rows, columns
                )
        return total

    def _strip(self, top: int) -> Floats:
        """Return D on some rows from the diagonal on."""
        rows = slice(top, min(top + TILE_ROWS, self.size))
        strip = np.empty((rows.stop - top, self.size - top))
        for columns in self.tiles_from(top):
            strip[:, columns.start - top : columns.stop - top] = self._difference_tile(rows, columns, strip)
        strip.flags.writeable = False
        return strip

    def _tile_maker(self, *, is_proved: bool) -> Tile:  # noqa: ARG002 (each entry is within the proved error)
        return self._stored_tile

    def _stored_tile(self, rows: slice, columns: slice, memory: Floats) -> Floats:  # noqa: ARG002
        strip = self._strips[rows.start // TILE_ROWS]
        tile: Floats = strip[:, columns.start - rows.start : columns.stop - rows.start]
        return tile

    def _exponent_factors(self) -> None:
        """Return nothing: no product needs exponents."""

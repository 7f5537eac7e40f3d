"""The dense operator: D itself, stored once, and products with it by BLAS."""

from __future__ import annotations

from functools import cached_property, partial
from queue import SimpleQueue
from typing import Final

import numpy as np
from scipy.linalg.blas import dsymv

from rkde.fast._float64 import (
    Floats,
    ScaledRows,
    TableLike,
    as_table,
    blocked_product,
    centre,
    product_factor,
    read_only,
    scale_rows,
    separations,
)
from rkde.fast._resources import (
    Progress,
    Report,
    in_parallel,
    memory_budget,
    require,
    silent,
    stop_if_ended,
    worker_count,
)
from rkde.fast.kernels import Gaussian, Kernel, Laplacian, checked_kernel
from rkde.fast.operators.common import (
    BLOCK_ENTRIES,
    FLOAT_BYTES,
    TILE_ROWS,
    DataOperator,
    largest_block,
    locations_in,
    locations_of,
)
from rkde.fast.operators.near_pairs import fill_near, search_of_few
from rkde.fast.operators.protocol import EngineChoice, EngineName, Indices

# Tables of n d numbers that the build holds: data, scaled and centred data, and copies of them.
_TABLES: Final = 8
# From so many rows on the build takes some ten milliseconds: threads pay, and so does a search for near pairs
# where these are few.
_MANY_ROWS: Final = 1024
# So many rows at least in a tile: matrix products of few rows are slow.
_LEAST_TILE_ROWS: Final = 64
# Squares that enter a distance are subnormal, and lose digits, below 2**-1022; D is of their size.
_LEAST_RESOLVED: Final = 2.0**-900
# Rows are copied whole where at least one in so many of their entries is wanted.
_WHOLE_ROWS: Final = 4


def dense_bytes(size: int, dim: int = 0) -> int:
    """Return the bytes of the dense matrix, and of the tables of so many columns beside it."""
    return FLOAT_BYTES * size * (size + _TABLES * dim)


def require_dense(size: int, dim: int, limit: int) -> None:
    """Refuse a dense matrix that does not fit, alone or beside its rows."""
    remedy = 'raise memory_limit, use engine="auto" or "tiled", or use fewer rows'
    matrix = f"the dense matrix of {size} rows"
    require(dense_bytes(size), limit, purpose=matrix, where="memory_limit", remedy=remedy)
    require(
        dense_bytes(size, dim),
        limit,
        purpose=f"{matrix} with tables of {dim} columns",
        where="memory_limit",
        remedy="raise memory_limit, or use fewer rows or columns",
    )


class DenseOperator(DataOperator):
    """Squared feature distances of all pairs of rows, and what follows from one product with them.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    threads : int, optional
        Python threads that build the matrix; by default as many as the linear algebra uses.
    report : callable, optional
        Takes a `Progress` as the build advances.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        A read-only copy of the data.
    kernel : Kernel
        The kernel.
    differences : ndarray, shape (n, n)
        D = 2 (1 - kappa), read-only, exactly symmetric, exactly 0 between equal rows; the relative error of
        an entry is a few more than d roundings, or than 24 d where matrix products served for distances: from
        1024 rows of 6 columns on.
    locations : ndarray of int, shape (n,)
        For each row the first row at distance 0 from it.
    products : int
        Products with D so far.
    kernel_evaluations : int
        Kernel values computed so far: n (n - 1) / 2, or only those of the near pairs where these are few.

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    MemoryLimit
        The matrix of 8 n^2 bytes exceeds the limit; nothing is allocated then.

    Notes
    -----
    Floors, on one core of a server without AVX-512 exponentials: the build takes for each of n^2/2 pairs
    about 1 + 0.4 d ns for the distance, half of that where matrix products serve, 6 ns for the profile and
    2 ns to write one triangle; where few pairs are near, only those are evaluated, and writing is all. An
    iteration reads n^2/2 entries, 4 n^2 bytes at the memory's speed, by the BLAS routine for symmetric
    matrices (dsymv). Measured there, one thread, against `D @ w` by numpy: 0.81 ms against 1.30 ms at
    n = 2000, 3.4 ms against 6.0 ms at n = 4000.
    Nothing else in an iteration calls BLAS, so the thread pools of numpy and scipy never compete.

    Examples
    --------
    >>> from rkde.fast.kernels import Laplacian
    >>> operator = DenseOperator([[0.0], [1.0], [1.0]], Laplacian(1.0))
    >>> operator.differences[0].round(6)
    array([0.      , 1.264241, 1.264241])
    >>> operator.locations, operator.kernel_evaluations
    (array([0, 1, 1]), 3)
    """

    engine: Final[EngineName] = "dense"
    truncation: Final = 0.0
    absolute_error: Final = 0.0

    def __init__(
        self,
        X: TableLike,
        kernel: Kernel,
        *,
        memory_limit: float | str | None = None,
        threads: int | None = None,
        report: Report = silent,
    ) -> None:
        super().__init__(read_only(as_table(X)), checked_kernel(kernel))
        limit = memory_budget(memory_limit)
        require_dense(self.size, self.dim, limit)
        self.nbytes = dense_bytes(self.size)
        self.nonzeros = self.size * (self.size - 1) // 2
        self.product_cost = self.size**2 / 2
        self.block_limit = largest_block(limit, self.nbytes)
        self.choice = EngineChoice("dense")
        scaled = scale_rows(self.X, self.kernel.bandwidth)
        # A square divided by large degrees of freedom may underflow where the square does not, and what a
        # kernel of somebody else does near 0 is not known.
        is_builtin = isinstance(self.kernel, Gaussian | Laplacian)
        self._uses_builtin_profile = is_builtin and not scaled.may_underflow
        # The upper triangle of D, of which the lower one is a copy that seldom is wanted: see `differences`.
        self._matrix = np.empty((self.size, self.size))
        self._is_whole = False
        self._distance_roundings = self.dim
        search = None
        if self.size >= _MANY_ROWS:
            search = search_of_few(scaled, self.kernel, limit - self.nbytes)
        if search is not None:
            self.kernel_evaluations = fill_near(self._matrix, search, self.kernel, report)
        else:
            if self.size >= _MANY_ROWS:
                scaled = centre(scaled)
            self._distance_roundings = scaled.roundings
            self._fill(scaled, threads, report)
            self.kernel_evaluations = self.nonzeros
        self.relative_error = product_factor(self.size, self.distance_roundings)
        self.locations = (
            locations_of(self.X) if self._uses_builtin_profile else locations_in(self.differences)
        )

    @property
    def distance_roundings(self) -> int:
        """Roundings in the square of a distance from which an entry is computed."""
        return self._distance_roundings

    @property
    def differences(self) -> Floats:
        """D, read-only."""
        if not self._is_whole:
            for top in range(0, self.size, TILE_ROWS):
                bottom = top + TILE_ROWS
                self._matrix[bottom:, top:bottom] = self._matrix[top:bottom, bottom:].T
            self._is_whole = True
        whole = self._matrix.view()
        whole.flags.writeable = False
        return whole

    @cached_property
    def is_resolved(self) -> bool:
        """Whether every distance between unequal rows is so far from 0 that it has its full accuracy."""
        if self._uses_builtin_profile:
            return True
        size = self.size
        step = max(1, BLOCK_ENTRIES // size)
        matrix = self.differences
        blocks = (matrix[start : start + step] for start in range(0, size, step))
        small = sum(int(np.count_nonzero(block < _LEAST_RESOLVED)) for block in blocks)
        if small == size:
            return True
        counts = np.unique(self.X + 0.0, axis=0, return_counts=True)[1]
        return small == int((counts * counts).sum())

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,); reads half of D."""
        self.products += 1
        # The transpose is in Fortran order, so that BLAS gets the matrix itself and no copy of it.
        result: Floats = dsymv(1.0, self._matrix.T, coefficients, lower=1)
        return result

    def proved_product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, summed in short blocks: relative error `relative_error`."""
        self.products += 1
        return blocked_product(self._matrix, coefficients)

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""
        return np.asarray(float(coefficients.sum()) - self.product(coefficients) / 2)

    def row(self, index: int) -> Floats:
        """Return one row of D, a new array."""
        return np.concatenate((self._matrix[:index, index], self._matrix[index, index:]))

    def block(self, rows: Indices, columns: Indices) -> Floats:
        """Return D on some rows and columns, a new array.

        Where many columns are wanted, whole rows are copied into the cache first and the columns taken from
        there, at half of the time of taking entries one by one from memory.
        """
        matrix = self.differences
        if len(columns) * _WHOLE_ROWS < self.size:
            return np.asarray(matrix[np.ix_(rows, columns)])
        step = max(1, BLOCK_ENTRIES // self.size)
        result = np.empty((len(rows), len(columns)))
        for start in range(0, len(rows), step):
            part = slice(start, start + step)
            # With a mode other than "raise" numpy writes into the result and needs no buffer.
            matrix.take(rows[part], axis=0).take(columns, axis=1, out=result[part], mode="clip")
        return result

    def tile(self, rows: Indices, columns: Indices) -> Floats:
        """Return D on some rows and columns; of consecutive ones a view, which costs no copy."""
        if len(rows) and len(columns) and (np.diff(rows) == 1).all() and (np.diff(columns) == 1).all():
            # Squares on the diagonal are stored whole.
            square = rows[0] // TILE_ROWS * TILE_ROWS
            is_stored = rows[-1] <= columns[0] or (rows[-1] < square + TILE_ROWS and square <= columns[0])
            matrix = self._matrix if is_stored else self.differences
            tile = matrix[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            tile.flags.writeable = False
            return tile
        return self.block(rows, columns)

    def _fill(self, scaled: ScaledRows, threads: int | None, report: Report) -> None:
        size = self.size
        step = min(size, max(_LEAST_TILE_ROWS, BLOCK_ENTRIES // size))
        starts = range(0, size, step)
        # A tile on the diagonal is filled on both sides of it, and may be all.
        self._is_whole = step == size
        workers = min(worker_count(threads), len(starts)) if size >= _MANY_ROWS else 1
        memories: SimpleQueue[Floats] = SimpleQueue()
        for _ in range(workers):
            memories.put(np.empty(max(BLOCK_ENTRIES, step)))
        work = partial(self._fill_rows, scaled, step, memories)
        with in_parallel(work, starts, workers) as finished:
            for done in finished:
                report(Progress("matrix", done, size))

    def _fill_rows(self, scaled: ScaledRows, step: int, memories: SimpleQueue[Floats], first: int) -> int:
        """Fill some rows from the diagonal on, tile by tile, and squares on the diagonal whole.

        Returns how many rows are filled when all those before these are.
        """
        matrix, bandwidth, squared = self._matrix, self.kernel.bandwidth, self.kernel.squared
        rows = slice(first, min(first + step, self.size))
        memory = memories.get()
        try:
            left = scaled.part(rows.start, rows.stop)
            upper = np.triu_indices(len(left.rows), 1)
            corner = np.zeros((len(left.rows), len(left.rows)))
            separation = separations(left, left, bandwidth, squared=squared)[upper]
            corner[upper] = 2 * self.kernel.unit_complement(separation, self.dim)
            matrix[rows, rows] = corner + corner.T
            width = max(1, len(memory) // len(left.rows))
            for start in range(rows.stop, self.size, width):
                stop_if_ended()
                columns = slice(start, min(start + width, self.size))
                right = scaled.part(columns.start, columns.stop)
                separation = separations(left, right, bandwidth, squared=squared, memory=memory)
                tile = self.kernel.unit_complement(separation, self.dim)
                tile *= 2
                matrix[rows, columns] = tile
            # Squares on the diagonal are stored whole, here what is left of one below these rows.
            end = min(-(-rows.stop // TILE_ROWS) * TILE_ROWS, self.size)
            inside = slice(max(rows.start, (rows.stop - 1) // TILE_ROWS * TILE_ROWS), rows.stop)
            matrix[rows.stop : end, inside] = matrix[inside, rows.stop : end].T
        finally:
            # Also after an error: the other workers would wait for it for ever.
            memories.put(memory)
        return rows.stop

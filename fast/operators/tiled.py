"""The tiled operator: no matrix; every product evaluates the kernel anew, in tiles that stay cached."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._float64 import (
    ENTRY_ROUNDINGS,
    UNIT_ROUNDOFF,
    Floats,
    ScaledRows,
    TableLike,
    as_table,
    centre,
    read_only,
    split_bandwidth,
    sum_factor,
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
from rkde.fast.kernels import Gaussian, Kernel, checked_kernel
from rkde.fast.operators.common import (
    FLOAT_BYTES,
    TILE_COLUMNS,
    TILE_ROWS,
    RowsOperator,
    difference_block,
    largest_block,
    locations_of,
)
from rkde.fast.operators.protocol import EngineChoice, EngineName

# exp(-700) is far below a rounding of any sum here; smaller results are subnormal, and slow.
NEGLIGIBLE: Final = -700.0
# Distances come from a matrix product only where that is proved to move D by less than this: the last digits
# of weights are then the same, and the certificates, which never use it, lose nothing.
_LARGEST_PRODUCT_ERROR: Final = 2.0**-40
# Roundings of an exponent, in units of R^2: so many a column, and beside them (one to spare, for their
# squares); and in units of R those of the coordinates. `_exponent_factors` counts them.
_ROUNDINGS_A_COLUMN: Final = 3
_EXPONENT_ROUNDINGS: Final = 4
_COORDINATE_ROUNDINGS: Final = 5
# Roundings of sum c by pairwise addition, of any vector that fits into memory, and of what is taken from it.
_SUM_ROUNDINGS: Final = 64
# An entry costs about as much as so many reads of a float64 from memory.
_READS_AN_ENTRY: Final = 8
# Arrays of n and of n d numbers that the iteration holds.
_VECTORS: Final = 24
_TABLES: Final = 8
# From rows, columns and memory to a tile of D or of K.
Tile = Callable[[slice, slice, Floats], Floats]


class TiledOperator(RowsOperator):
    """Products with K and D that store none of their entries.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    threads : int, optional
        Python threads that share the tiles; by default as many as the linear algebra uses.
    report : callable, optional
        Takes a `Progress` while the first product is computed.

    Raises
    ------
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    MemoryLimit
        Not even vectors of n and tables of n d numbers fit into the limit.

    Notes
    -----
    n^2 / 2 kernel evaluations a product, 8 n (d + some) bytes. For the Gaussian kernel the exponents of a
    tile are one matrix product of centred data wherever its rounding provably moves D by less than 2^-40;
    otherwise, and in `proved_product`, they come from distances with a relative error.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> operator = TiledOperator([[0.0], [1.0], [50.0]], Gaussian(1.0))
    >>> operator.product(np.array([0.0, 0.0, 1.0])), operator.nonzeros
    (array([2., 2., 0.]), 0)
    """

    engine: EngineName = "tiled"
    truncation: Final = 0.0
    absolute_error: Final = 0.0
    # Kernel values that an entry costs in each product.
    evaluations_an_entry: int = 1

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
        self._scaled = centre(self._scaled)
        self._workers = min(worker_count(threads), _strips(self.size))
        self._parts = self._part_count()
        limit = memory_budget(memory_limit)
        require_tiled(self.size, self.dim, self._workers, limit)
        self.locations = locations_of(self.X)
        self.block_limit = largest_block(limit, self.nbytes)
        self._factors = self._exponent_factors()
        self._report = report
        self.choice = EngineChoice("tiled")

    @property
    def nonzeros(self) -> int:
        """Stored kernel values: none."""
        return 0

    @property
    def distance_roundings(self) -> int:
        """Roundings in the square of a distance from which an entry of D is computed."""
        return self._scaled.roundings

    @property
    def nbytes(self) -> int:
        """Bytes that data and tiles take."""
        return tiled_bytes(self.size, self.dim, self._workers)

    @property
    def relative_error(self) -> float:
        """Relative error of `proved_product`: entries, sums within a tile, sums of tiles."""
        tiles = _strips(self.size) + self._parts
        return sum_factor(TILE_COLUMNS + tiles + self.distance_roundings + ENTRY_ROUNDINGS)

    @property
    def product_cost(self) -> float:
        """Reads of a float64 that cost as much as a product."""
        return _READS_AN_ENTRY * self.size**2 / 2

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,)."""
        if self._factors is None:
            return self.proved_product(coefficients)
        return np.asarray(2 * (float(coefficients.sum()) - self.gram_product(coefficients)))

    def proved_product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients` from distances: relative error `relative_error`."""
        return self._sum_of_tiles(coefficients, is_proved=True)

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""
        if self._factors is None:
            product = self.proved_product(coefficients)
            return np.asarray(float(coefficients.sum()) - product / 2)
        return self._sum_of_tiles(coefficients, is_proved=False)

    def shares(self, parts: int) -> list[range]:
        """Return the strips of tiles, by their first rows, in so many shares of about equal work."""
        starts = range(0, self.size, TILE_ROWS)
        # Strips shorten towards the end: each share takes every so many-th, which makes them even.
        return [starts[first::parts] for first in range(min(parts, len(starts)))]

    def tiles_from(self, top: int) -> Iterator[slice]:
        """Cut the columns from one on into those of tiles, and end where the caller has gone."""
        for left in range(top, self.size, TILE_COLUMNS):
            stop_if_ended()
            yield slice(left, min(left + TILE_COLUMNS, self.size))

    def part_of_product(
        self, strips: range, coefficients: Floats, *, is_proved: bool, report: Report = silent
    ) -> tuple[Floats, int]:
        """Return what some strips add to a product, and how many kernel values they took.

        Each tile above the diagonal serves twice. The product is one with D from distances where it is to
        be proved, else one with K.

        Shapes: coefficients (n,); result (n,).
        """
        tile = self._tile_maker(is_proved=is_proved)
        total, count = np.zeros(self.size), 0
        memory = np.empty((TILE_ROWS, TILE_COLUMNS))
        for top in strips:
            report(Progress("product", top, self.size))
            rows = slice(top, min(top + TILE_ROWS, self.size))
            for columns in self.tiles_from(top):
                left = columns.start
                values = tile(rows, columns, memory)
                count += values.size * self.evaluations_an_entry
                total[rows] += values @ coefficients[columns]
                # The square part on the diagonal holds both triangles already.
                beyond = max(0, rows.stop - left)
                total[left + beyond : columns.stop] += coefficients[rows] @ values[:, beyond:]
        return total, count

    def _tile_maker(self, *, is_proved: bool) -> Tile:
        """Return what computes the tiles of a product."""
        return self._difference_tile if is_proved else self._kernel_tile

    def _part_count(self) -> int:
        """Return how many sums of tiles are added to make a product."""
        return self._workers

    def _sum_of_tiles(self, coefficients: Floats, *, is_proved: bool) -> Floats:
        """Return D or K times coefficients."""
        self.products += 1
        # One worker tells for all, of the first product only: the steps of an iteration tell of the others.
        is_told = self.products == 1

        def work(strips: range) -> tuple[Floats, int]:
            report = self._report if is_told and strips.start == 0 else silent
            return self.part_of_product(strips, coefficients, is_proved=is_proved, report=report)

        with in_parallel(work, self.shares(self._workers), self._workers) as answers:
            parts = list(answers)
        self.kernel_evaluations += sum(count for _, count in parts)
        result = parts[0][0]
        for part, _ in parts[1:]:
            result += part
        return result

    def _difference_tile(self, rows: slice, columns: slice, memory: Floats) -> Floats:  # noqa: ARG002
        left = self._scaled.part(rows.start, rows.stop)
        return difference_block(left, self._scaled.part(columns.start, columns.stop), self.kernel)

    def _kernel_tile(self, rows: slice, columns: slice, memory: Floats) -> Floats:
        left, right = self._factors if self._factors is not None else (memory, memory)
        values = memory[: rows.stop - rows.start, : columns.stop - columns.start]
        np.matmul(left[rows], right[:, columns], out=values)
        if self._may_vanish:
            np.maximum(values, NEGLIGIBLE, out=values)
        np.exp(values, out=values)
        return values

    def _exponent_factors(self) -> tuple[Floats, Floats] | None:
        """Return the factors of the exponents where these are safe, and set the error of using them."""
        if not isinstance(self.kernel, Gaussian) or self._scaled.may_overflow:
            return None
        found = exponent_factors(self._scaled, self.kernel)
        if found is None:
            return None
        sums = min(self.size, TILE_COLUMNS) + _strips(self.size) + self._parts
        sums += ENTRY_ROUNDINGS + _SUM_ROUNDINGS
        self.product_error, self._may_vanish = found.error + 2 * sum_factor(sums), found.may_vanish
        return found.left, found.right


@dataclass(frozen=True, slots=True, eq=False)
class ExponentFactors:
    """Two matrices whose product has the exponents of a Gaussian kernel.

    Attributes
    ----------
    left, right : ndarray, shapes (n, d + 2) and (d + 2, n)
        The factors.
    error : float
        What rounding in the product moves an entry of D by at most.
    may_vanish : bool
        Whether a result of exp may be too small for its digits.
    """

    left: Floats
    right: Floats
    error: float
    may_vanish: bool


def exponent_factors(rows: ScaledRows, kernel: Gaussian) -> ExponentFactors | None:
    """Return A and B with A B = -|x_i - x_j|^2 / (2 h^2); None where their rounding would be too large.

    For centred rows z the factors are (z, -|z|^2 / 2, 1) and (z, 1, -|z|^2 / 2). In an exponent z_i z_j is
    off by d + 2 roundings of |z_i| |z_j|, in whatever order the sum is, and the two squares, after d
    roundings each and d + 1 more, by 2 d + 1 of (|z_i|^2 + |z_j|^2) / 2: together 3 d + 3 roundings of R^2,
    with R the largest norm. D, whose slope is at most 2, moves by twice that. The two roundings in a
    coordinate move a distance s by at most 4 u R, and D by 2 s exp(-s^2 / 2) of that, below 5 u R.
    """
    mantissa, _ = split_bandwidth(kernel.bandwidth)
    centred = (rows.scaled - np.median(rows.scaled, axis=0)) / mantissa
    halves = np.einsum("ij,ij->i", centred, centred) / 2
    largest, dim = float(halves.max()), centred.shape[1]
    error = 4 * largest * sum_factor(_ROUNDINGS_A_COLUMN * dim + _EXPONENT_ROUNDINGS)
    error += _COORDINATE_ROUNDINGS * UNIT_ROUNDOFF * math.sqrt(2 * largest)
    if not error <= _LARGEST_PRODUCT_ERROR:
        return None
    ones = np.ones(len(centred))
    left = np.column_stack((centred, -halves, ones))
    right = np.ascontiguousarray(np.column_stack((centred, ones, -halves)).T)
    # No exponent is below -(2 R)^2 / 2.
    return ExponentFactors(left, right, error, 4 * largest > -NEGLIGIBLE)


def tiled_bytes(size: int, dim: int, workers: int) -> int:
    """Return about the bytes that products without a stored matrix take at most."""
    tiles = min(workers, _strips(size)) * (size + 4 * TILE_ROWS * TILE_COLUMNS)
    return FLOAT_BYTES * (size * (_VECTORS + _TABLES * dim) + tiles)


def require_tiled(size: int, dim: int, workers: int, limit: int) -> None:
    """Refuse rows that do not fit even without a stored matrix."""
    require(
        tiled_bytes(size, dim, workers),
        limit,
        purpose=f"a fit of {size} rows and {dim} columns without a stored matrix",
        where="memory_limit",
        remedy="raise memory_limit, or use fewer rows",
    )


def _strips(size: int) -> int:
    """Return the number of strips of tiles, of which each is the work of one thread."""
    return math.ceil(size / TILE_ROWS)

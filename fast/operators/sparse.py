"""The sparse operator: near pairs only, for kernels that fall fast, with a proved bound on the loss."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Final

import numpy as np
from scipy.sparse import csr_array

from rkde.errors import InvalidInput
from rkde.fast._float64 import (
    UNIT_ROUNDOFF,
    Floats,
    TableLike,
    accurate_sum,
    as_table,
    read_only,
    sum_factor,
)
from rkde.fast._resources import Report, memory_budget, require, silent
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators.common import FLOAT_BYTES, RowsOperator, expanded_norm, largest_block, locations_with
from rkde.fast.operators.cutoff import (
    DEFAULT_TRUNCATION,
    cutoff_radius,
    estimate_fill,
    tree_radius,
    tree_rows,
)
from rkde.fast.operators.near_pairs import (
    BUILD_BYTES,
    CHUNK_BYTES,
    NearPairs,
    NearSearch,
    entry_slices,
    near_pairs,
)
from rkde.fast.operators.protocol import EngineChoice, EngineName, Indices

# An estimate of the number of pairs from a sample is seldom off by more than this factor.
_ESTIMATE_MARGIN: Final = 1.5
# Arrays of n and of n d numbers that the build and the iteration hold beside the pairs.
_VECTORS: Final = 24
_TABLES: Final = 6
# Roundings in a kernel value beside one a coordinate: those of t are damped by t exp(-t) <= 1/e, exp itself
# is within 4 ulp, 8 roundings.
_ENTRY_ROUNDINGS: Final = 16
# A stored entry costs about four reads of a float64: value, column, and two scattered vector entries.
_READS_AN_ENTRY: Final = 4


class NearOperator(RowsOperator):
    """What engines share that apply the kernel values of near pairs, wherever these are kept.

    Attributes
    ----------
    truncation : float
        Kernel values below this are left out.
    """

    engine: Final[EngineName] = "sparse"
    relative_error: Final = 0.0
    truncation: float
    absolute_error: float

    @property
    @abstractmethod
    def nonzeros(self) -> int:
        """Stored kernel values."""

    @abstractmethod
    def degree(self) -> int:
        """Return the largest number of stored neighbours of a row."""

    @abstractmethod
    def square_form(self, left: Floats, right: Floats) -> float:
        """Return sum_ij l_i r_j kappa_ij^2, shapes (n,)."""

    @abstractmethod
    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""

    @property
    def product_cost(self) -> float:
        """Reads of a float64 that cost as much as a product."""
        return float(_READS_AN_ENTRY * (self.nonzeros + self.size))

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,): 2 (sum c - K c)."""
        return np.asarray(2 * (float(coefficients.sum()) - self.gram_product(coefficients)))

    def proved_product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, wrong by at most `absolute_error` sum |c|."""
        return np.asarray(2 * (accurate_sum(coefficients) - self.gram_product(coefficients)))

    def gram_norm(self, rows: Indices, squares: Floats, shares: Floats) -> float:
        """Return (sum_ij s_i s_j (q_i + q_j - D_ij)^2)^(1/2) over the chosen rows, rounded up.

        What is left out, and rounding, move each bracket by less than `absolute_error`, hence the root by
        that times sum s.
        """
        share = np.zeros(self.size)
        share[rows] = shares
        mixed = self.gram_product(share)[rows]
        total, sizes = expanded_norm(squares, shares, mixed, self.square_form(share, share))
        total += sum_factor(self.size + self.degree() + 16) * sizes
        return (math.sqrt(total) + self.absolute_error * float(shares.sum())) * (1 + sum_factor(16))

    def _absolute_error(self) -> float:
        """Bound what a product with D is off, over sum |c|.

        2 (sum c - K c): the exact sum is rounded once; a kernel value is off by its rounding, or by eps where
        it is left out; a sum of m of them is off by m roundings and its two parts and the diagonal by three
        more; the last difference is rounded once, and is at most twice sum |c|.
        """
        entry = (self.dim + _ENTRY_ROUNDINGS) * UNIT_ROUNDOFF
        rounding = entry + sum_factor(self.degree() + 4) + 3 * UNIT_ROUNDOFF
        return 2 * (self.truncation + rounding) * (1 + sum_factor(8))


class SparseOperator(NearOperator):
    """Kernel values of the pairs within the cutoff, and products with K and D from them.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Gaussian or Laplacian
        A kernel that falls exponentially.
    truncation : float
        Kernel values below this are left out; between 0 and 1.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    report : callable, optional
        Takes a `Progress` as the build advances.

    Raises
    ------
    InvalidInput
        The kernel has a heavy tail, or `truncation` is out of range.
    InvalidType, InvalidInput
        X is not a table of finite numbers.
    MemoryLimit
        The near pairs do not fit into the limit; an estimate decides before anything is allocated.

    Notes
    -----
    Every pair that is left out has kappa < eps = `truncation`, and the diagonal is exact. So a product with K
    is wrong by at most eps sum |c| and one with D by 2 eps sum |c|, beside rounding: `absolute_error`. For
    weights of sum 1, f is then too small by at most eps everywhere (in tau^2); (D w)_i is too large by at
    most 2 eps and w'D w / 2 by at most eps, so r_i^2, their difference, is wrong by at most 2 eps and r_i by
    2 eps over (r_i + the computed r_i). The certificates contain these terms.

    Rows are kept in the order of a k-d tree, whose neighbours are near in memory; each pair is stored once in
    12 bytes. Building costs some 100 ns a pair, a product 1 ns.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> operator = SparseOperator([[0.0], [1.0], [50.0]], Gaussian(1.0))
    >>> operator.nonzeros, operator.product(np.array([0.0, 0.0, 1.0]))
    (1, array([2., 2., 0.]))
    """

    def __init__(
        self,
        X: TableLike,
        kernel: Kernel,
        *,
        truncation: float = DEFAULT_TRUNCATION,
        memory_limit: float | str | None = None,
        report: Report = silent,
    ) -> None:
        super().__init__(read_only(as_table(X)), checked_kernel(kernel))
        self.truncation = _checked_truncation(truncation)
        pairs = self._build(memory_budget(memory_limit), report)
        self._order, self._upper, self._lower = pairs.order, pairs.upper, pairs.upper.T
        self.kernel_evaluations = self.nonzeros
        self.locations, ties = locations_with(self.X, pairs.same)
        self.is_resolved = pairs.small == ties
        self.block_limit = largest_block(memory_budget(memory_limit), self.nbytes)
        self.absolute_error = self.product_error = self._absolute_error()
        self.choice = EngineChoice("sparse")

    @property
    def nonzeros(self) -> int:
        """Stored kernel values, each pair once."""
        return int(self._upper.nnz)

    @property
    def nbytes(self) -> int:
        """Bytes that the matrix takes."""
        upper = self._upper
        return int(upper.data.nbytes + upper.indices.nbytes + upper.indptr.nbytes + self._order.nbytes)

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""
        self.products += 1
        ordered = coefficients[self._order]
        total = self._upper @ ordered
        total += self._lower @ ordered
        total += ordered
        result = np.empty_like(total)
        result[self._order] = total
        return result

    def close_sums(self, largest: float, coefficients: Floats) -> tuple[Floats, Floats]:
        """Return the same from the stored pairs; rows farther apart than these do not count as near."""
        upper, ordered = self._upper, coefficients[self._order]
        is_near = upper.data >= 1 - largest / 2
        close, number = ordered.copy(), ordered.copy()
        for data, sums in ((np.where(is_near, upper.data, 0.0), close), (is_near.astype(float), number)):
            part = csr_array((data, upper.indices, upper.indptr), shape=upper.shape)
            sums += part @ ordered
            sums += part.T @ ordered
        results = np.empty_like(close), np.empty_like(number)
        for result, sums in zip(results, (close, number), strict=True):
            result[self._order] = sums
        return results

    def square_form(self, left: Floats, right: Floats) -> float:
        """Return sum_ij l_i r_j kappa_ij^2."""
        left, right = left[self._order], right[self._order]
        total = float((left * right).sum())
        for run, entries in entry_slices(self._upper):
            counts = np.diff(self._upper.indptr[run.start : run.stop + 1])
            columns = self._upper.indices[entries]
            terms = np.repeat(left[run], counts) * right[columns]
            terms += np.repeat(right[run], counts) * left[columns]
            terms *= self._upper.data[entries] ** 2
            total += float(terms.sum())
        return total

    def degree(self) -> int:
        """Return the largest number of stored neighbours of a row."""
        counts = np.diff(self._upper.indptr) + np.bincount(self._upper.indices, minlength=self.size)
        return int(counts.max())

    def _build(self, limit: int, report: Report) -> NearPairs:
        rows, reach = tree_rows(self._scaled), reach_of(self.kernel, self.truncation)
        expected = estimate_fill(rows, reach).pairs if self.size > 1 else 0.0
        require_sparse(self.size, self.dim, expected, limit)
        return near_pairs(NearSearch(self._scaled, rows, reach, self.kernel), self.kernel, limit, report)


def reach_of(kernel: Kernel, truncation: float = DEFAULT_TRUNCATION) -> float:
    """Return the cutoff in the units of `tree_rows`; refuse a kernel with a heavy tail."""
    radius = cutoff_radius(kernel, truncation)
    if radius is None:
        raise InvalidInput(
            'must not be "sparse" for a kernel that decays too slowly for pairs to be left out',
            where="engine",
            remedy='use engine="auto", or the Gaussian or Laplacian kernel',
        )
    return tree_radius(kernel, radius)


def sparse_bytes(size: int, dim: int, pairs: float) -> int:
    """Return about the bytes that building and using so many pairs takes at most."""
    chunk = min(CHUNK_BYTES, int(pairs * CHUNK_BYTES))
    expected = _ESTIMATE_MARGIN * pairs * BUILD_BYTES
    return int(expected) + chunk + FLOAT_BYTES * size * (_VECTORS + _TABLES * dim)


def require_sparse(size: int, dim: int, pairs: float, limit: int) -> None:
    """Refuse near pairs that do not fit."""
    require(
        sparse_bytes(size, dim, pairs),
        limit,
        purpose=f"the near pairs of {size} rows (about {pairs:.3g})",
        where="memory_limit",
        remedy='raise memory_limit, use engine="auto" or "tiled", a smaller bandwidth, or fewer rows',
    )


def _checked_truncation(truncation: float) -> float:
    if not 0 < truncation < 1:
        raise InvalidInput(
            "must be between 0 and 1",
            where="truncation",
            value=truncation,
            remedy="leave it out, or pass a share such as 1e-16",
        )
    return float(truncation)

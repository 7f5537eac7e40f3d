"""Kernel matrices of others: any scipy `LinearOperator` for K as an engine, and every engine as one."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.sparse.linalg import LinearOperator, aslinearoperator

from rkde.errors import InvalidInput, InvalidType
from rkde.fast._float64 import Floats, TableLike, as_table, read_only, sum_factor
from rkde.fast._resources import memory_budget
from rkde.fast.kernels import Kernel, checked_kernel
from rkde.fast.operators.common import RowsOperator, largest_block, locations_of
from rkde.fast.operators.protocol import EngineChoice, EngineName, KernelOperator
from rkde.fast.operators.tiled import require_tiled, tiled_bytes


class ForeignOperator(RowsOperator):
    """An engine whose products with K come from a `LinearOperator` of somebody else.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    linear : scipy.sparse.linalg.LinearOperator or what it can be made of, shape (n, n)
        Applies K / k(0, 0), symmetric with 1 on its diagonal, in float64. It gets a copy of the vector.
    entry_error : float
        At least the largest |difference| of an entry that it applies from the kernel's, rounding of its sums
        included. It is taken on trust. Infinite, the default, proves nothing: results then have no
        certificate and no bounds.
    memory_limit : int, float, str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.

    Raises
    ------
    InvalidInput
        The shape does not fit the rows, or the error is negative.
    InvalidType, InvalidInput
        X is not a table of finite numbers, or `linear` no operator. In a product: what it returns is not
        finite, or not real.

    Notes
    -----
    Single rows and blocks, which locations and certificates look at, are computed from X and the kernel.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> from scipy.sparse.linalg import aslinearoperator
    >>> operator = ForeignOperator([[0.0], [9.0]], Gaussian(1.0), aslinearoperator(np.eye(2)))
    >>> operator.product(np.array([1.0, 0.0]))
    array([0., 2.])
    """

    engine: Final[EngineName] = "foreign"
    relative_error: Final = 0.0
    nonzeros: Final = 0
    nbytes: Final = 0

    def __init__(
        self,
        X: TableLike,
        kernel: Kernel,
        linear: LinearOperator | Floats,
        *,
        entry_error: float = math.inf,
        memory_limit: float | str | None = None,
    ) -> None:
        super().__init__(read_only(as_table(X)), checked_kernel(kernel))
        limit = memory_budget(memory_limit)
        require_tiled(self.size, self.dim, 1, limit)
        linear = _as_operator(linear)
        if linear.shape != (self.size, self.size):
            raise InvalidInput(
                f"must have shape ({self.size}, {self.size})",
                where="linear",
                value=linear.shape,
                remedy="pass an operator on vectors with one entry for each row",
            )
        if not entry_error >= 0:
            raise InvalidInput(
                "must be at least 0",
                where="entry_error",
                value=entry_error,
                remedy="pass a bound on the error of an entry",
            )
        self._linear = linear
        self.truncation = float(entry_error)
        self.absolute_error = self.product_error = 2 * (float(entry_error) + sum_factor(8))
        # Nothing can be proved where the entries' error is not known.
        self.is_resolved = self.is_resolved and math.isfinite(self.truncation)
        self.locations = locations_of(self.X)
        self.block_limit = largest_block(limit, tiled_bytes(self.size, self.dim, 1))
        self.choice = EngineChoice("foreign")

    @property
    def product_cost(self) -> float:
        """Unknown; taken for that of a dense matrix."""
        return self.size**2 / 2

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,): 2 (sum c - K c)."""
        return np.asarray(2 * (float(coefficients.sum()) - self.gram_product(coefficients)))

    def proved_product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,), wrong by at most `absolute_error` sum |c|."""
        return np.asarray(2 * (math.fsum(coefficients) - self.gram_product(coefficients)))

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""
        self.products += 1
        # A copy: whatever the operator does to its argument, the weights stay what they are.
        product = np.asarray(self._linear.matvec(coefficients.copy()))
        if product.dtype.kind not in "fiu" or not np.isfinite(product).all():
            is_real = product.dtype.kind in "fiu"
            raise InvalidInput(
                "must return products that are finite real numbers, "
                f"got {'an infinite entry or NaN' if is_real else product.dtype}",
                where="linear",
                remedy="pass an operator that applies the kernel matrix in float64",
            )
        return product.astype(np.float64, copy=False)


def _as_operator(linear: LinearOperator | Floats) -> LinearOperator:
    if isinstance(linear, LinearOperator):
        return linear
    try:
        return aslinearoperator(linear)
    except TypeError as error:
        raise InvalidType(
            f"must be a linear operator, got an object of type {type(linear).__name__}",
            where="linear",
            remedy="pass a scipy.sparse.linalg.LinearOperator",
        ) from error


def as_linear_operator(operator: KernelOperator) -> LinearOperator:
    """Return K / k(0, 0) of an engine as scipy's `LinearOperator`, for scipy's iterative solvers.

    Parameters
    ----------
    operator : KernelOperator
        An operator of this package.

    Returns
    -------
    scipy.sparse.linalg.LinearOperator, shape (n, n)
        Symmetric: it applies to vectors, and to matrices column by column.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> from rkde.fast.operators import TiledOperator
    >>> as_linear_operator(TiledOperator([[0.0], [50.0]], Gaussian(1.0))).matvec(np.array([1.0, 2.0]))
    array([1., 2.])
    """

    def matvec(coefficients: Floats) -> Floats:
        return operator.gram_product(np.asarray(coefficients, dtype=np.float64).reshape(-1))

    shape = (operator.size, operator.size)
    return LinearOperator(shape, matvec=matvec, rmatvec=matvec, dtype=np.dtype(np.float64))

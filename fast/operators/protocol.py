"""What the algorithms ask of a kernel matrix: one small protocol that every engine meets.

D = 2 (1 - K) holds the squared feature distances in tau^2, K the kernel's profile with 1 on its diagonal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats
from rkde.fast.kernels import Kernel

Indices = NDArray[np.intp]
EngineName = Literal["dense", "sparse", "cells", "tiled", "foreign"]


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """Why an engine was taken.

    Attributes
    ----------
    engine : {"dense", "sparse", "cells", "tiled", "foreign"}
        Its name.
    reason : str
        In words.
    fill : float or None
        Share of all pairs that lie within the cutoff, estimated from a sample of rows; None where nobody
        looked.
    memory_limit : int or None
        Bytes that the choice had to keep to; None where nobody chose.
    """

    engine: EngineName
    reason: str = "built by the caller"
    fill: float | None = None
    memory_limit: int | None = None


class KernelOperator(Protocol):
    """How D and K of one table and one kernel are applied.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        The rows, read-only.
    kernel : Kernel
        The kernel.
    locations : ndarray of int, shape (n,)
        For each row the first row at distance 0 from it.
    products : int
        Products with the matrix so far.
    kernel_evaluations : int
        Kernel values computed so far for the matrix and its products.
    nonzeros : int
        Stored kernel values: each pair once, the unit diagonal not among them.
    nbytes : int
        Bytes that the matrix takes.
    truncation : float
        Bound on what leaving out or interpolating kernel values changes in each of them; 0 where neither is
        done.
    relative_error, absolute_error : float
        A product with D of coefficients c by `proved_product` is wrong by at most relative_error (D |c|)_i +
        absolute_error sum |c| in entry i, rounding, truncation and interpolation included.
    product_error : float
        The same for `product`, its absolute part alone; 0 where that, too, is wrong in relative terms only.
    distance_roundings : int
        Roundings in the square of a distance from which an entry of D is computed, beside the constant ones.
    choice : EngineChoice
        Why this engine was taken.
    product_cost : float
        What a product costs, in reads of a float64 from memory.
    block_limit : int
        The largest order of a block of D that fits into the memory limit, its temporaries included.
    masses : ndarray, shape (n,), or None
        Row masses over their mean, so that J is the mean of m_i rho(r_i); None where all are equal.
    """

    X: Floats
    kernel: Kernel
    locations: Indices
    products: int
    kernel_evaluations: int
    choice: EngineChoice
    masses: Floats | None

    @property
    def engine(self) -> EngineName:
        """The name of the engine."""

    @property
    def size(self) -> int:
        """Number of rows n."""

    @property
    def dim(self) -> int:
        """Number of columns d."""

    @property
    def is_single_location(self) -> bool:
        """Whether all rows lie at one location."""

    @property
    def is_resolved(self) -> bool:
        """Whether every distance between unequal rows is so far from 0 that it has its full accuracy."""

    @property
    def has_ties(self) -> bool:
        """Whether some location has two rows or more."""

    @property
    def nonzeros(self) -> int:
        """Stored kernel values."""

    @property
    def nbytes(self) -> int:
        """Bytes that the matrix takes."""

    @property
    def truncation(self) -> float:
        """Largest error of a kernel value, rounding apart."""

    @property
    def relative_error(self) -> float:
        """Relative part of the error of `proved_product`."""

    @property
    def absolute_error(self) -> float:
        """Absolute part of the error of `proved_product`."""

    @property
    def distance_roundings(self) -> int:
        """Roundings in the square of a distance."""

    @property
    def product_error(self) -> float:
        """Absolute part of the error of `product`."""

    @property
    def product_cost(self) -> float:
        """Reads of a float64 that cost as much as a product."""

    @property
    def block_limit(self) -> int:
        """Largest order of a block."""

    def with_masses(self, masses: Floats | None) -> Self:
        """Return the same matrix, shared, for rows of these masses over their mean."""

    def weigh(self, values: Floats) -> Floats:
        """Return values, one a row, times the masses; the values themselves where all masses are equal."""

    def product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,)."""

    def proved_product(self, coefficients: Floats) -> Floats:
        """Return D times `coefficients`, shape (n,), within the proved error."""

    def gram_product(self, coefficients: Floats) -> Floats:
        """Return K times `coefficients`, shape (n,)."""

    def norms_at(self, queries: Floats, weights: Floats) -> Floats:
        """Return |Phi(x) - f_w| in tau at queries of shape (m, d), shape (m,), for weights of sum 1."""

    def row(self, index: int) -> Floats:
        """Return D_ij for one i and all j, shape (n,), each entry to a few roundings."""

    def block(self, rows: Indices, columns: Indices) -> Floats:
        """Return D on some rows and columns, a new array, each entry to a few roundings."""

    def gram_norm(self, rows: Indices, squares: Floats, shares: Floats) -> float:
        """Return at least (sum_ij s_i s_j (q_i + q_j - D_ij)^2)^(1/2) over the chosen rows; q and s >= 0."""

    def close_sums(self, largest: float, coefficients: Floats) -> tuple[Floats, Floats]:
        """Return sums over rows j, i among them, with D_ij <= `largest` < 2: of c_j kappa_ij, and of c_j."""

    def residuals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return residual norms and the size of the terms whose difference their squares are."""

    def residual_norms(self, weights: Floats) -> Floats:
        """Return |Phi(X_i) - f_w| in tau, shape (n,), for weights of sum 1; one product."""

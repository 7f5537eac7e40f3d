"""What the engines have in common: rows, sums over chosen rows, residual norms from a product with D."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats, ScaledRows
from rkde.fast.kernels import Kernel
from rkde.fast.operators.blocks import cross_sums, difference_block
from rkde.fast.operators.protocol import Indices, KernelOperator


def residuals_of(operator: KernelOperator, weights: Floats) -> tuple[Floats, Floats]:
    """Return the residual norms and the size of the terms whose difference their squares are.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    weights : ndarray, shape (n,)
        At least 0, of sum 1.

    Returns
    -------
    norms : ndarray, shape (n,)
        In tau.
    terms : ndarray, shape (n,)
        In tau^2.

    Notes
    -----
    r_i^2 = (D w)_i - w'D w / 2, whose terms are of the size of the residuals' own squares unless one
    location holds most of the weight. There, with S, A and B the sums of w_j, w_j D_ij and w_j w_k D_jk
    over the rows off that location, r_i^2 = S A - B / 2, in which every term is small. Rounding moves
    r_i^2 by at most about n roundings of the sum of the two terms, which is the second array.
    """
    heavy = _heavy_rows(operator, weights)
    rest = weights if heavy is None else np.where(heavy, 0.0, weights)
    product = operator.product(rest)
    # Sums by numpy's pairwise addition: accurate, and no second BLAS in the iteration.
    among = float((rest * product).sum())
    if heavy is None:
        gain, loss = product, np.full(operator.size, among / 2)
    else:
        first = int(np.argmax(heavy))
        to_heavy, mass = float(product[first]), float(weights[heavy].sum())
        gain = product + mass * operator.row(first)
        loss = np.full(operator.size, mass * to_heavy + among / 2)
        gain[heavy], loss[heavy] = float(rest.sum()) * to_heavy, among / 2
    terms = gain + loss
    if operator.product_error:
        # The rounding of such a product is relative to sum |c| and not to its own entries.
        terms += 2 * float(rest.sum())
    # What rounding leaves below 0 is 0.
    return np.sqrt(np.maximum(gain - loss, 0.0)), terms


def _heavy_rows(operator: KernelOperator, weights: Floats) -> NDArray[np.bool_] | None:
    if operator.has_ties:
        masses = np.bincount(operator.locations, weights, minlength=operator.size)
        first = int(np.argmax(masses))
        return operator.locations == first if masses[first] > 1 / 2 else None
    first = int(np.argmax(weights))
    return np.arange(operator.size) == first if weights[first] > 1 / 2 else None


class DataOperator(ABC):
    """The part of an operator that does not depend on how the matrix is applied.

    Attributes
    ----------
    X : ndarray, shape (n, d)
        A read-only copy of the data.
    kernel : Kernel
        The kernel.
    locations : ndarray of int, shape (n,)
        For each row the first row at distance 0 from it.
    """

    X: Floats
    kernel: Kernel
    locations: Indices

    @property
    def size(self) -> int:
        """Number of rows n."""
        return int(self.X.shape[0])

    @property
    def dim(self) -> int:
        """Number of columns d."""
        return int(self.X.shape[1])

    @property
    def is_single_location(self) -> bool:
        """Whether all rows lie at one location."""
        return not self.locations.any()

    @cached_property
    def has_ties(self) -> bool:
        """Whether some location has two rows or more."""
        return bool((self.locations != np.arange(self.size)).any())

    def cross_product(self, queries: Floats, coefficients: Floats) -> Floats:
        """Return sum_j c_j kappa(x, X_j) at queries of shape (m, d), shape (m,); nothing is left out."""
        return cross_sums(self.X, self.kernel, queries, coefficients)

    @abstractmethod
    def residuals(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the residual norms and the size of the terms whose difference their squares are."""

    def residual_norms(self, weights: Floats) -> Floats:
        """Return |Phi(X_i) - f_w| in tau, shape (n,), for weights of sum 1; one product."""
        return self.residuals(weights)[0]


class RowsOperator(DataOperator):
    """An operator that stores no matrix of which single entries could be read: they come from the rows."""

    _scaled: ScaledRows

    def row(self, index: int) -> Floats:
        """Return one row of D by direct differences, shape (n,); nothing is left out."""
        row: Floats = difference_block(self._scaled.part(index, index + 1), self._scaled, self.kernel)[0]
        return row

    def block(self, rows: Indices, columns: Indices) -> Floats:
        """Return D on some rows and columns by direct differences; nothing is left out."""
        return difference_block(self._some(rows), self._some(columns), self.kernel)

    def _some(self, rows: Indices) -> ScaledRows:
        whole = self._scaled
        return ScaledRows(whole.rows[rows], whole.scaled[rows], whole.may_overflow, whole.may_underflow)

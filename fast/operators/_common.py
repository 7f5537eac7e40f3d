"""What all operators share: the size of the data, locations, sums at other points, residual norms."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np

from rkde.fast._distances import ScaledRows
from rkde.fast._kernel import Kernel
from rkde.fast.inputs import Floats
from rkde.fast.operators._blocks import cross_sums, difference_block
from rkde.fast.operators.protocol import Indices


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

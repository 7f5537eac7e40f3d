"""Residual norms with proved rounding errors, also in clusters of rows that products with D do not resolve.

Where f lies in a cluster of diameter e, a row far off has a weight of about e, and its share of the two terms
of r_i^2 = (D w)_i - w'D w / 2 is of the order of e while r_i^2 itself is of the order of e^2: about 1/e
roundings are lost. Measured from a row b of the cluster nothing of the kind happens. With u_i = Phi_i - Phi_b
and c = f - Phi_b = sum_j w_j u_j, r_i^2 = |u_i|^2 - 2 <u_i, c> + |c|^2 has terms of the order of e^2 alone,
provided that each <u_i, u_j> has an error in proportion to |u_i| |u_j| (`kernels.feature_products`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from rkde.fast._float64 import ENTRY_ROUNDINGS, TINY, Floats, Vector, accurate_sum, sum_factor
from rkde.fast.kernels import Gaussian, Laplacian, Student, enclosed_feature_products
from rkde.fast.operators import Indices, KernelOperator

# Rows within this squared distance of b, in tau^2, belong to its cluster: beyond, D loses ten bits at most.
_NEAR: Final = 2.0**-10
# Where r^2 is a smaller share of the terms whose difference it is, one rounding of these, 2^-53 of them,
# moves it by more than 2^-40, about 1e-12, of itself.
CANCELLED: Final = 2.0**-13
# In r^2 beside those of the product with D: two of the weights, which enter the second term twice, two
# of its own, one of the difference, and what products of these with the error of D w take.
_RESIDUAL_ROUNDINGS: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class LocalFrame:
    """The rows near a row b, with the inner products that place f among them.

    Attributes
    ----------
    base : int
        The row b.
    rows : ndarray of int, shape (m,)
        The rows near b, itself among them.
    products : ndarray, shape (m, n)
        <u_i, u_j> for near rows i and all rows j, in tau^2.
    errors : ndarray, shape (m, n)
        Bounds on the errors of `products`.
    squares : ndarray, shape (n,)
        |u_j|^2, in tau^2.
    """

    base: int
    rows: Indices
    products: Floats
    errors: Floats
    squares: Floats

    def recompute_residuals(
        self, operator: KernelOperator, weights: Floats, norms: Floats, terms: Floats
    ) -> tuple[Floats, Floats]:
        """Return residual norms, those of the near rows computed from b, and the size of their terms.

        Shapes: weights (n,), at least 0, of sum 1; norms, terms (n,), what `operator.residuals` returns for
        these weights; results norms, terms (n,).
        """
        inner = (self.products * weights).sum(axis=1)
        far = self._far(weights)
        spread, among = self._far_terms(operator.product(far), far)
        among_near = (weights[self.rows] * (inner + (self.products * far).sum(axis=1))).sum()
        squares = self.squares[self.rows] - 2 * inner + (among_near + spread - among)
        # The reach of f from b, in which every term is a product of two lengths.
        reach = float((weights * np.sqrt(self.squares)).sum()) + np.sqrt(self.squares[self.rows])
        norms, terms = norms.copy(), terms.copy()
        norms[self.rows] = np.sqrt(np.maximum(squares, 0.0))
        terms[self.rows] = reach * reach + spread + among
        return norms, terms

    def enclose(self, operator: KernelOperator, weights: Floats) -> tuple[Floats, Floats]:
        """Return the squared residual norms of the near rows, and proved bounds on their errors.

        Shapes: weights (n,), at least 0, of sum 1 up to one rounding; results squares, errors (m,).

        Notes
        -----
        Every sum here has at most 2 n + 8 terms, so its rounding is below that many units of the sum of the
        sizes of its terms.
        """
        far = self._far(weights)
        mine, inner = weights[self.rows], (self.products * weights).sum(axis=1)
        spread, among = self._far_terms(operator.proved_product(far), far)
        among_near = float((mine * (inner + (self.products * far).sum(axis=1))).sum())
        squares = self.squares[self.rows] - 2 * inner + (among_near + spread - among)
        wrong, size = (self.errors * weights).sum(axis=1), (np.abs(self.products) * weights).sum(axis=1)
        sums = sum_factor(2 * operator.size + 8)
        entry = sum_factor(operator.distance_roundings + ENTRY_ROUNDINGS)
        near_error = 2 * float((mine * (wrong + sums * size)).sum())
        far_error = (operator.relative_error + entry + sums) * (spread + among)
        far_error += operator.absolute_error * float(far.sum()) ** 2
        errors = 2 * (wrong + sums * size) + (entry + sums) * self.squares[self.rows] + near_error + far_error
        return squares, errors * (1 + sums)

    def resultant(self, operator: KernelOperator, inverse_norms: Floats) -> tuple[float, float]:
        """Return |sum_j v_j u_j|^2 for coefficients v >= 0, and a proved bound on its error.

        Shapes: inverse_norms (n,).
        """
        far = self._far(inverse_norms)
        mine = inverse_norms[self.rows]
        with_far = inverse_norms + far
        spread, among = self._far_terms(operator.proved_product(far), far)
        among_near = float((mine * (self.products * with_far).sum(axis=1)).sum())
        size = float((mine * (np.abs(self.products) * with_far).sum(axis=1)).sum()) + spread + among
        wrong = float((mine * (self.errors * with_far).sum(axis=1)).sum())
        roundings = 2 * operator.size + 2 * operator.distance_roundings + 4 * ENTRY_ROUNDINGS
        unit = operator.relative_error + sum_factor(roundings)
        error = wrong + unit * size + operator.absolute_error * float(far.sum()) ** 2
        return among_near + spread - among, error

    def _far(self, coefficients: Floats) -> Floats:
        far = coefficients.copy()
        far[self.rows] = 0.0
        return far

    def _far_terms(self, product: Floats, far: Floats) -> tuple[float, float]:
        """Return the two terms of |sum_j v_j u_j|^2 = (sum v) (sum v |u|^2) - v'D v / 2 over the far rows."""
        return float(far.sum() * (far * self.squares).sum()), float((far * product).sum()) / 2


def local_frame(operator: KernelOperator, base: int) -> LocalFrame | None:
    """Return the frame at a row for its cluster; None where the row is alone or nothing is gained.

    Result: none also for a kernel whose roundings are not known, for distances that underflow, and where the
    products do not fit into the memory limit.

    Notes
    -----
    2 m n numbers, and as many evaluations of the kernel, once.
    """
    kernel = operator.kernel
    squares = operator.row(base)
    order = np.argsort(squares, kind="stable")
    rows = order[: int(np.count_nonzero(squares <= _NEAR))]
    is_alone = bool((operator.locations[rows] == operator.locations[base]).all())
    fits = 2 * len(rows) * operator.size <= operator.block_limit**2
    if is_alone or not fits or not operator.is_resolved:
        return None
    if not isinstance(kernel, Gaussian | Student | Laplacian):
        return None
    products, errors = np.empty((len(rows), operator.size)), np.empty((len(rows), operator.size))
    for i, row in enumerate(rows):
        products[i], errors[i] = enclosed_feature_products(
            kernel, operator.X[base], operator.X[row], operator.X
        )
        # The error is in proportion to both lengths where the nearer row comes first.
        products[i, rows[:i]], errors[i, rows[:i]] = products[:i, row], errors[:i, row]
    return LocalFrame(base, rows, products, errors, squares)


@dataclass(frozen=True, slots=True)
class ResidualEnclosure:
    """Residual norms with a proved bound on their rounding error.

    Attributes
    ----------
    norms : ndarray of shape (n,)
        Computed residual norms, in tau.
    radii : ndarray of shape (n,)
        The exact norms lie within these distances of the computed ones.
    squared_radii : ndarray of shape (n,)
        The same for the squared norms.
    product : ndarray of shape (n,)
        D w, from which the norms were formed.
    """

    norms: Vector
    radii: Vector
    squared_radii: Vector
    product: Vector


def enclose_residuals(
    operator: KernelOperator, weights: Vector, frame: LocalFrame | None = None
) -> ResidualEnclosure:
    """Compute r_i = |Phi(X_i) - f| with a proved error, from r_i^2 = (D w)_i - w'D w / 2.

    Shapes: weights (n,), nonnegative, of sum 1 up to two roundings.

    Notes
    -----
    All terms are nonnegative, so D w and w'D w carry a relative error; their difference carries the sum of
    the two absolute ones. An engine whose products have an absolute error e moves (D w)_i by at most e and
    w'D w / 2 by at most e / 2, together less than 2 e. A norm r >= 0 with a computed value s satisfies
    |s - r| <= |s^2 - r^2| / s and |s - r| <= |s^2 - r^2|^(1/2). One product with D.
    """
    factor = operator.relative_error + sum_factor(_RESIDUAL_ROUNDINGS)
    product = operator.proved_product(weights)
    half_square = accurate_sum(weights * product) / 2
    squared = np.maximum(product - half_square, 0)
    # With an absolute error the computed terms themselves, in front of the relative one, may be too small.
    lost = 2 * operator.absolute_error
    squared_radii = factor * (product + half_square + lost) + lost + TINY
    if frame is not None:
        squares, errors = frame.enclose(operator, weights)
        squared[frame.rows], squared_radii[frame.rows] = np.maximum(squares, 0), errors
    norms = np.sqrt(squared)
    roots = np.sqrt(squared_radii)
    # One rounding of the root, one of the ends norm - radius and norm + radius that callers form.
    radii = np.minimum(roots, squared_radii / np.maximum(norms, roots)) + sum_factor(4) * norms
    return ResidualEnclosure(norms, radii, squared_radii, product)

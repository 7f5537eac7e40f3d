"""Residual norms in float64 with a proved bound on their rounding error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rkde.fast._certificates.local_frame import TightCluster
from rkde.fast._float64 import TINY, Vector, accurate_sum, sum_factor
from rkde.fast.operators import KernelOperator


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
    operator: KernelOperator, weights: Vector, cluster: TightCluster | None = None
) -> ResidualEnclosure:
    """Compute r_i = |Phi(X_i) - f| with a proved error, from r_i^2 = (D w)_i - w'D w / 2.

    Parameters
    ----------
    operator : KernelOperator
        How D = 2(1 - kappa) is applied.
    weights : ndarray of shape (n,)
        Nonnegative, of sum 1 up to one rounding.
    cluster : TightCluster, optional
        Rows whose norms are enclosed as it does.

    Returns
    -------
    ResidualEnclosure

    Notes
    -----
    All terms are nonnegative, so D w and w'D w carry a relative error; their difference carries the sum of
    the two absolute ones. An engine whose products have an absolute error e moves (D w)_i by at most e and
    w'D w / 2 by at most e / 2, together less than 2 e. A norm r >= 0 with a computed value s satisfies
    |s - r| <= |s^2 - r^2| / s and |s - r| <= |s^2 - r^2|^(1/2). One product with D.
    """
    factor = operator.relative_error + sum_factor(4)
    product = operator.proved_product(weights)
    half_square = accurate_sum(weights * product) / 2
    squared = np.maximum(product - half_square, 0)
    # With an absolute error the computed terms themselves, in front of the relative one, may be too small.
    lost = 2 * operator.absolute_error
    squared_radii = factor * (product + half_square + lost) + lost + TINY
    if cluster is not None:
        squares, errors = cluster.enclose(operator, weights)
        squared[cluster.rows], squared_radii[cluster.rows] = np.maximum(squares, 0), errors
    norms = np.sqrt(squared)
    roots = np.sqrt(squared_radii)
    # One rounding of the root, one of the ends norm - radius and norm + radius that callers form.
    radii = np.minimum(roots, squared_radii / np.maximum(norms, roots)) + sum_factor(4) * norms
    return ResidualEnclosure(norms, radii, squared_radii, product)

"""Distances from x' to rows that are close to one another, less their mean, to the digits of the difference.

Where x' is far from rows that lie close together, its distances D'_i to them are nearly equal, and so small
differences of them that decide <Phi_i - f, Phi(x') - f> would be lost in their rounding. With a row j among
them and e_i = <Phi_j - Phi_i, Phi_j - Phi(x')> as `feature_products` gives it, D'_i - D'_j = D_ij - 2 e_i, in
which nothing cancels. That is for rows i near j; for the others D'_i - D'_j is taken as it stands.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rkde.fast._nearby import feature_products
from rkde.fast.inputs import Floats
from rkde.fast.kernels import Kernel

# From so many smallest residual norms on r' counts as far: below, a rounding of D'_i, which is at most some
# r'^2, is worth at most 2^8 roundings of a product of residuals.
_FAR: Final = 2.0**4
# Rows up to this D_ij are near j: kappa is at least 1/2. For a row farther off kappa(X_i, x') may be large
# where kappa(X_j, x') underflows, and `feature_products` would lose it.
_NEAR: Final = 1.0


def are_far(norms: Floats, new_norms: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Tell for each x' whether r' is large beside the smallest residual norm above 0.

    Parameters
    ----------
    norms : ndarray, shape (n,)
        r_i.
    new_norms : ndarray, shape (m,)
        r'.

    Returns
    -------
    ndarray of bool, shape (m,)
    """
    return np.asarray(new_norms > _FAR * norms.min(where=norms > 0, initial=np.inf))


def excess_distances(
    kernel: Kernel,
    rows: Floats,
    points: Floats,
    weights: Floats,
    base: int,
    base_distances: Floats,
    distances: Floats,
) -> Floats:
    """Return D'_i less their mean with weights w.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    rows : ndarray, shape (n, d)
        The data.
    points : ndarray, shape (m, d)
        The x'.
    weights : ndarray, shape (n,)
        w, of sum 1.
    base : int
        j, a row close to f.
    base_distances : ndarray, shape (n,)
        D_ij.
    distances : ndarray, shape (m, n)
        D'_i.

    Returns
    -------
    ndarray, shape (m, n)
        With an error of some roundings of the distance from Phi_i to Phi_j and to f.

    Notes
    -----
    A kernel value for each x' and each row near j, of d operations.
    """
    centre = rows[base]
    changes = distances - distances[:, [base]]
    for i in np.flatnonzero(base_distances <= _NEAR):
        changes[:, i] = base_distances[i] - 2 * feature_products(kernel, centre, rows[i], points)
    return np.asarray(changes - (changes @ weights)[:, np.newaxis])

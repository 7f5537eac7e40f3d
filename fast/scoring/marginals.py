"""Some columns of an estimate: coordinates in which the marginal of its kernel is the same radial kernel.

The estimate has kernels of bandwidth matrix H = h^2 L L' around its rows, where L takes coordinates z of the
fit to the units of the data. For columns S, the marginal of a Gaussian or multivariate Student kernel is that
kernel in |S| dimensions with H_SS, and degrees of freedom stay. With the QR decomposition L_S' = Q R,
H_SS = h^2 R'R and R'^(-1) L_S z = Q'z: the marginal is round in the coordinates Q'z, with bandwidth h, and a
cube of side 1 in them has volume |det R|. A diagonal L asks for no more than to leave columns out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats
from rkde.fast.bandwidth import Scaling


@dataclass(frozen=True, slots=True, eq=False)
class Marginal:
    """A choice of columns, for rows in the coordinates of the fit.

    Attributes
    ----------
    columns : ndarray of int, shape (k,)
        The columns that are kept.
    axes : ndarray, shape (d, k), or None
        Q; None where the coordinates of the columns themselves serve.
    log_volume : float
        The logarithm of |det R|, in the units of these columns.
    """

    columns: NDArray[np.intp]
    axes: Floats | None
    log_volume: float

    def of(self, rows: Floats) -> Floats:
        """Return the coordinates of rows of shape (m, d), shape (m, k)."""
        chosen = rows[:, self.columns] if self.axes is None else rows @ self.axes
        return np.ascontiguousarray(chosen)


def marginal(scaling: Scaling | None, columns: NDArray[np.intp]) -> Marginal:
    """Return the marginal of columns of an estimate with a scaling.

    Shapes: columns (k,), k >= 1.

    Examples
    --------
    >>> root = np.array([[3.0, 0.0], [4.0, 1.0]])
    >>> both = Scaling("robust-covariance", np.zeros(2), root)
    >>> round(marginal(both, np.array([0])).log_volume, 6) == round(float(np.log(3)), 6)
    True
    """
    if scaling is None:
        return Marginal(columns, None, 0.0)
    if scaling.scale.ndim == 1:
        return Marginal(columns, None, float(np.log(scaling.scale[columns]).sum()))
    axes, triangle = np.linalg.qr(scaling.scale[columns].T)
    return Marginal(columns, axes, float(np.log(np.abs(np.diagonal(triangle))).sum()))

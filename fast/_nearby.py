"""Inner products of feature differences, one of them short, without subtracting nearly equal kernels."""

from __future__ import annotations

import numpy as np

from rkde.fast.inputs import Floats
from rkde.fast.kernels import Gaussian, Kernel, Laplacian, Student


def feature_products(kernel: Kernel, x: Floats, near: Floats, rows: Floats) -> Floats:
    """Return <Phi(x) - Phi(u), Phi(x) - Phi(y)> in tau^2 for a row u near x and rows y farther off.

    Parameters
    ----------
    kernel : Kernel
        One of the three of this package; any other loses digits as its `log_profile` does.
    x, near : ndarray, shape (d,)
        The query and the row u.
    rows : ndarray, shape (n, d)
        The rows y.

    Returns
    -------
    ndarray, shape (n,)
        With an error of some roundings of |Phi(x) - Phi(u)| |Phi(x) - Phi(y)| where u is not farther from x
        than y.

    Notes
    -----
    The product is 1 - kappa(x, u) + kappa(x, y) (kappa(u, y) / kappa(x, y) - 1), and the logarithm of the
    quotient follows from |u - y|^2 - |x - y|^2 = (u - x) (u + x - 2 y), in which nothing cancels.
    """
    step, to_rows = (near - x) / kernel.bandwidth, (x - rows) / kernel.bandwidth
    dim = len(x)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        square = (to_rows * to_rows).sum(axis=1)
        change = (step * (step + 2 * to_rows)).sum(axis=1)
        separation = square if kernel.squared else np.sqrt(square)
        profile = np.exp(kernel.unit_log_profile(separation, dim))
        quotient = np.expm1(_log_quotient(kernel, square, change, dim))
        moved = np.where(profile > 0, profile * quotient, 0.0)
    length = np.array([(step * step).sum()])
    return kernel.unit_complement(length if kernel.squared else np.sqrt(length), dim) + moved


def _log_quotient(kernel: Kernel, square: Floats, change: Floats, dim: int) -> Floats:
    """Return log kappa at square + change less log kappa at square, both over h^2."""
    if isinstance(kernel, Gaussian):
        return change / -2
    if isinstance(kernel, Student):
        return np.asarray(np.log1p(change / (kernel.dof + square)) * (-(kernel.dof + dim) / 2))
    if isinstance(kernel, Laplacian):
        return np.asarray(-change / (np.sqrt(square) + np.sqrt(np.maximum(square + change, 0.0))))
    h_squared = kernel.bandwidth**2
    moved = kernel.log_profile(np.maximum(square + change, 0.0) * h_squared, dim)
    return moved - kernel.log_profile(square * h_squared, dim)

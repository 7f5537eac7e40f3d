"""Logarithms of kernel profiles between two sets of rows, right wherever they are representable."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.fast._distances import (
    ScaledRows,
    exact_separations,
    log_separations,
    scale_rows,
    separations,
)
from rkde.fast._kernel import Kernel
from rkde.fast.inputs import TableLike, as_queries, as_vector

Floats = NDArray[np.float64]


def log_profiles(
    kernel: Kernel, left: ScaledRows, right: ScaledRows, stretch: Floats | None = None
) -> Floats:
    """Return log kappa of each left row against each right row.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    left, right : ScaledRows
        m and n rows, scaled for the kernel's bandwidth.
    stretch : ndarray of float64, shape (n,), optional
        Factors on the bandwidth, one a right row, each near 1 (a variable bandwidth).

    Returns
    -------
    ndarray of float64, shape (m, n)
        Natural logarithms, at most 0; -inf only where the value itself is beyond float64.
    """
    dim = left.rows.shape[1]
    separation = separations(left, right, kernel.bandwidth, squared=kernel.squared)
    if stretch is not None:
        with np.errstate(over="ignore"):
            separation /= stretch * stretch if kernel.squared else stretch
    result = kernel.unit_log_profile(separation, dim)
    # Looking for single entries takes longer than all that is done with them.
    infinite = np.isinf(result)
    if infinite.any():
        rows, columns = np.nonzero(infinite)
        log_distance = log_separations(
            *exact_separations(left.rows, right.rows, rows, columns, kernel.bandwidth)
        )
        if stretch is not None:
            log_distance -= np.log(stretch[columns])
        result[rows, columns] = kernel.far_log_profile(log_distance, dim)
    return result


def log_kernel_row(kernel: Kernel, x: ArrayLike, Y: TableLike) -> Floats:
    """Return log k(x, y) for each row y of Y: the log normaliser plus the log profile.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    x : array_like, shape (d,)
        One point.
    Y : array_like, shape (n, d)
        Points; n = 0 gives an empty answer.

    Returns
    -------
    ndarray of float64, shape (n,)
    """
    point = as_vector(x, where="x").reshape(1, -1)
    rows = as_queries(Y, point.shape[1], where="Y")
    left, right = scale_rows(point, kernel.bandwidth), scale_rows(rows, kernel.bandwidth)
    log_profile: Floats = log_profiles(kernel, left, right)[0]
    return kernel.log_normaliser(point.shape[1]) + log_profile

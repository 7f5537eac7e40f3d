"""Log densities at rows of the fit without the rows' own share; nothing is estimated again."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rkde.fast._float64 import Floats, scale_rows
from rkde.fast.kernels import Kernel, log_profiles
from rkde.fast.operators import BLOCK_PAIRS, log_sum_exp


def leave_one_out(
    points: Floats, kernel: Kernel, weights: Floats, asked: Floats, own: NDArray[np.intp]
) -> Floats:
    """Return log of sum over j != i of w_j k(X_i, X_j) / (1 - w_i).

    Parameters
    ----------
    points : ndarray, shape (n, d)
        The rows of the fit.
    kernel : Kernel
        The kernel.
    weights : ndarray, shape (n,)
        At least 0, of sum 1.
    asked : ndarray, shape (m, d)
        The rows X_i to evaluate at.
    own : ndarray of int, shape (m,)
        For each of them its place among `points`, -1 where it has none.

    Returns
    -------
    ndarray, shape (m,)
        -inf where the row holds all of the weight.

    Notes
    -----
    m n kernel evaluations. The row's own term is left out of the sum, never subtracted from it.
    """
    positive = np.flatnonzero(weights > 0)
    place = np.full(len(weights) + 1, -1)
    place[positive] = np.arange(len(positive))
    column = place[own]
    queries = scale_rows(asked, kernel.bandwidth)
    rows = scale_rows(points[positive], kernel.bandwidth)
    offsets = np.log(weights[positive]) + kernel.log_normaliser(points.shape[1])
    result = np.empty(len(asked))
    step = max(1, BLOCK_PAIRS // len(positive))
    for start in range(0, len(asked), step):
        logs = log_profiles(kernel, queries.part(start, start + step), rows)
        logs += offsets
        here = column[start : start + step]
        with_own = np.flatnonzero(here >= 0)
        logs[with_own, here[with_own]] = -math.inf
        result[start : start + step] = log_sum_exp(logs)
    share = np.where(column >= 0, np.append(weights, 0.0)[own], 0.0)
    rest = 1 - share
    return np.where(rest > 0, result - np.log(np.where(rest > 0, rest, 1.0)), -math.inf)

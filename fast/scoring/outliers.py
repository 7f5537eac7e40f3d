"""What makes a row of the fit an outlier: its log density without its own share, an offset, and labels.

The offset and the labels follow scikit-learn's detectors, for use without the estimator.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import (
    Floats,
    as_number,
    linear_quantile,
    read_sample_weight,
    scale_rows,
    weighted_quantile,
)
from rkde.fast._resources import Compute, checked_resources
from rkde.fast.estimates import Rkde
from rkde.fast.kernels import Kernel, log_profiles
from rkde.fast.operators import BLOCK_PAIRS, log_sum_exp
from rkde.fast.rkhs import mixture_log_density

OUTLIER: Final = -1
NORMAL: Final = 1
# Half of the data cannot be the exception.
_LARGEST_CONTAMINATION: Final = 1 / 2
# A density is taken apart by a difference only where that costs a bit at most.
_SAFE_SHARE: Final = 1 / 2


def leave_one_out_log_density(
    estimate: Rkde, log_densities: Floats | None = None, *, compute: Compute | None = None
) -> Floats:
    """Return the log density at each row of the fit without the row itself, shape (n,).

    It is the logarithm of sum over j != i of w_j k(X_i, X_j) / (1 - w_i), with the weights of the fit. Of
    copies of a row, which sample weights count, one is left out. -inf where one row holds all of the weight.
    `log_densities`, shape (n,), are those of the rows, where they are at hand.

    Notes
    -----
    Cost: that of `log_density` at the rows. Where a row's own kernel is more than half of the density, the
    others are summed anew, with n kernel evaluations for each such row.

    Examples
    --------
    >>> import rkde
    >>> estimate = rkde.fast.rkde([[0.0], [1.0], [1.0]], bandwidth=1.0, loss="quadratic")
    >>> leave_one_out_log_density(estimate).round(4)
    array([-1.4189, -1.138 , -1.138 ])
    """
    kernel, size = estimate.kernel, len(estimate.X)
    weights = read_sample_weight(estimate.sample_weight, size)
    points, shares, own = estimate.X, estimate.weights, estimate.weights
    if weights is not None and weights.is_counted:
        # One copy of each row, which is left out, and then the others.
        own = estimate.weights / np.maximum(weights.given, 1.0)
        others = own * np.maximum(weights.given - 1, 0.0)
        points, shares = np.concatenate((estimate.X, estimate.X)), np.concatenate((own, others))
    volume = 0.0 if estimate.scaling is None else estimate.scaling.log_volume
    with checked_resources(compute).running() as resources:
        if log_densities is None:
            logs = mixture_log_density(estimate.X, kernel, estimate.weights, estimate.X, resources=resources)
        else:
            logs = log_densities + volume
        # Of two terms, the larger one may lose one bit by a difference, and the smaller one any number.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            part = np.exp(np.log(own) + kernel.log_normaliser(estimate.X.shape[1]) - logs)
        safe = part <= _SAFE_SHARE
        logs[safe] += np.log1p(-part[safe]) - np.log1p(-own[safe])
        rest = np.flatnonzero(~safe)
        if len(rest):
            logs[rest] = leave_one_out(points, kernel, shares, estimate.X[rest], rest)
    return np.asarray(logs - volume)


def leave_one_out(
    points: Floats, kernel: Kernel, weights: Floats, queries: Floats, own: NDArray[np.intp]
) -> Floats:
    """Return log of sum over j != i of w_j k(X_i, X_j) / (1 - w_i); nothing is estimated again.

    Shapes: points (n, d), the rows of the fit; weights (n,), at least 0, of sum 1; queries (m, d), the rows
    X_i of which the log density is wanted; own (m,); result (m,). Result: -inf where the row holds all of the
    weight.

    Notes
    -----
    m n kernel evaluations. The row's own term is left out of the sum, never subtracted from it.
    """
    positive = np.flatnonzero(weights > 0)
    place = np.full(len(weights) + 1, -1)
    place[positive] = np.arange(len(positive))
    column = place[own]
    places = scale_rows(queries, kernel.bandwidth)
    rows = scale_rows(points[positive], kernel.bandwidth)
    offsets = np.log(weights[positive]) + kernel.log_normaliser(points.shape[1])
    result = np.empty(len(queries))
    step = max(1, BLOCK_PAIRS // len(positive))
    for start in range(0, len(queries), step):
        logs = log_profiles(kernel, places.part(start, start + step), rows)
        logs += offsets
        here = column[start : start + step]
        with_own = np.flatnonzero(here >= 0)
        logs[with_own, here[with_own]] = -math.inf
        result[start : start + step] = log_sum_exp(logs)
    share = np.where(column >= 0, np.append(weights, 0.0)[own], 0.0)
    rest = 1 - share
    return np.where(rest > 0, result - np.log(np.where(rest > 0, rest, 1.0)), -math.inf)


def offset_at(
    training_log_densities: Floats, contamination: float, sample_weight: ArrayLike | None = None
) -> float:
    """Return the linear quantile of training log densities: below it a row counts as an outlier.

    Shapes: training_log_densities (n,), one for each row of the fit, -inf included; sample_weight (n,), what
    each row counts. Result: -inf where one end of the interpolation is.

    Examples
    --------
    >>> offset_at(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), 0.125)
    0.5
    """
    weights = read_sample_weight(sample_weight, len(training_log_densities))
    if weights is None:
        return linear_quantile(training_log_densities, contamination)
    return weighted_quantile(weights.rows_of(training_log_densities), weights, contamination, "linear")


def labels_of(log_densities: Floats, offset: float) -> NDArray[np.intp]:
    """Return -1 for log densities below the offset and 1 for all others, ties included, shape (m,).

    Examples
    --------
    >>> labels_of(np.array([-np.inf, 0.5, 2.0]), 0.5)
    array([-1,  1,  1])
    """
    return np.where(log_densities < offset, OUTLIER, NORMAL)


def read_contamination(contamination: float | str) -> float | None:
    """Return the share of the training rows to be labelled -1, above 0 and at most 1/2; None for "auto"."""
    if isinstance(contamination, str) and contamination == "auto":
        return None
    share = as_number(contamination, where="contamination")
    if not 0 < share <= _LARGEST_CONTAMINATION:
        raise InvalidInput(
            "must be above 0 and at most 0.5",
            where="contamination",
            value=contamination,
            remedy='pass the share of rows to be labelled -1, such as 0.1, or "auto"',
        )
    return share

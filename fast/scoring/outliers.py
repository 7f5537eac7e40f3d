"""What makes a row an outlier: an offset of log densities and labels, as of scikit-learn's detectors."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import (
    Floats,
    as_number,
    linear_quantile,
    read_sample_weight,
    weighted_quantile,
)

OUTLIER: Final = -1
NORMAL: Final = 1
# Half of the data cannot be the exception.
_LARGEST_CONTAMINATION: Final = 1 / 2


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

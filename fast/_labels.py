"""Labels of rows by their log density: the rule of scikit-learn's detectors, for whoever has no estimator."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rkde.fast._counted_quantile import counted_quantile
from rkde.fast.inputs import Floats

OUTLIER = -1
NORMAL = 1


def offset_at(training_log_densities: Floats, contamination: float) -> float:
    """Return the linear quantile of training log densities: below it a row counts as an outlier.

    Parameters
    ----------
    training_log_densities : ndarray, shape (n,)
        One a row of the fit, -inf included.
    contamination : float
        The level, in (0, 0.5].

    Returns
    -------
    float
        -inf where one end of the interpolation is.

    Examples
    --------
    >>> offset_at(np.array([0.0, 1.0, 2.0, 3.0, 4.0]), 0.125)
    0.5
    """
    ones = np.ones(len(training_log_densities), dtype=np.intp)
    return counted_quantile(training_log_densities, ones, contamination)


def labels_of(log_densities: Floats, offset: float) -> NDArray[np.intp]:
    """Return -1 for log densities below the offset and 1 for all others, ties included, shape (m,).

    Examples
    --------
    >>> labels_of(np.array([-np.inf, 0.5, 2.0]), 0.5)
    array([-1,  1,  1])
    """
    return np.where(log_densities < offset, OUTLIER, NORMAL)

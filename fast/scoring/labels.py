"""Labels of rows by their log density: the rule of scikit-learn's detectors, for whoever has no estimator."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, as_number, counted_quantile

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


# Half of the data cannot be the exception.
_LARGEST_CONTAMINATION: Final = 1 / 2


def read_contamination(contamination: float) -> float:
    """Return the share of the training rows to be labelled -1, above 0 and at most 1/2.

    Parameters
    ----------
    contamination : float
        The share.

    Returns
    -------
    float

    Raises
    ------
    InvalidType, InvalidInput
        Not a number in (0, 0.5].
    """
    share = as_number(contamination, where="contamination")
    if not 0 < share <= _LARGEST_CONTAMINATION:
        raise InvalidInput(
            "must be above 0 and at most 0.5",
            where="contamination",
            value=contamination,
            remedy="give the share of rows to be labelled -1, such as 0.1",
        )
    return share

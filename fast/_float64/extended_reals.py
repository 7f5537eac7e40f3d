"""Series of numbers that may be infinite, and their mid-ranks."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64.inputs import Floats, flat_numbers


def as_extended(values: ArrayLike, *, where: str) -> Floats:
    """Check a one-dimensional array of numbers; infinities are fine, NaN is not.

    Shapes: values (m,); result (m,).

    Examples
    --------
    >>> as_extended([1, float("inf")], where="scores")
    array([ 1., inf])
    """
    converted = flat_numbers(values, where)
    bad = np.flatnonzero(np.isnan(converted))
    if len(bad):
        raise InvalidInput(
            "must not be NaN", where=f"{where}, index {int(bad[0])}", remedy="drop the row that gives NaN"
        )
    return converted


def doubled_ranks(values: Floats) -> NDArray[np.int64]:
    """Return twice the mid-rank of each entry: equal entries share the mean of their ranks.

    Shapes: values (m,), not NaN; result (m,).

    Notes
    -----
    One sort.

    Examples
    --------
    >>> doubled_ranks(np.array([7.0, 5.0, 7.0]))
    array([5, 2, 5])
    """
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return np.asarray((2 * below + counts + 1)[inverse.reshape(-1)], dtype=np.int64)

"""Sample weights: whole numbers mean repetition exactly, others multiply phi, and 0 removes a row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64 import Floats, as_vector
from rkde.fast._resources import memory_budget, require

# Up to this many rows, or this multiple of the given ones, copies are made and fitted like any other rows.
# Beyond, one row with a multiplicity stands for its copies: their matrix has the square of their number.
MOST_ROWS: Final = 2000
MOST_GROWTH: Final = 2
# Where a rule has to look at the copies: their kernel matrix has the square of this many entries.
MOST_COPIES: Final = 50_000
# From here on float64 does not hold every whole number.
_LARGEST_COUNT: Final = 2.0**53


@dataclass(frozen=True, slots=True, eq=False)
class SampleWeight:
    """Sample weights, read.

    Attributes
    ----------
    masses : ndarray, shape (n,)
        The weights as given, at least 0, some above 0.
    is_counted : bool
        Whether all of them are whole numbers: numbers of copies.
    """

    masses: Floats
    is_counted: bool

    @property
    def kept(self) -> NDArray[np.intp]:
        """The places of the rows with a weight above 0."""
        return np.flatnonzero(self.masses)

    @property
    def total(self) -> int:
        """The number of rows that the data have with all of their copies."""
        return int(self.masses.sum())

    @property
    def is_copied(self) -> bool:
        """Whether the copies are few enough to be made."""
        return self.is_counted and self.total <= max(MOST_ROWS, MOST_GROWTH * len(self.kept))

    def counts(self) -> NDArray[np.intp]:
        """Return the number of copies of each kept row, shape (k,)."""
        return self.masses[self.kept].astype(np.intp)

    def copied(self, values: Floats, memory_limit: float | str | None = None) -> Floats:
        """Repeat each kept row of an array of shape (n, ...) as often as its weight says.

        Raises
        ------
        MemoryLimit
            The copies do not fit.
        """
        entries = values[:1].size * self.total
        require(
            values.itemsize * entries,
            memory_budget(memory_limit),
            purpose=f"{self.total} copies of {len(self.kept)} rows",
            where="sample_weight",
            remedy="raise memory_limit, or give smaller weights",
        )
        return np.repeat(values[self.kept], self.counts(), axis=0)

    def gathered(self, values: Floats) -> Floats:
        """Add up what belongs to the copies of each row: shape (total,) to (n,), 0 for removed rows."""
        result = np.zeros(len(self.masses))
        starts = np.cumsum(self.counts()) - self.counts()
        result[self.kept] = np.add.reduceat(values, starts)
        return result

    def one_each(self, values: Floats) -> Floats:
        """Take the entry of one copy of each row: shape (total,) to (n,), NaN for removed rows."""
        starts = np.cumsum(self.counts()) - self.counts()
        return self.spread(values[starts])

    def spread(self, values: Floats) -> Floats:
        """Put entries of the kept rows, shape (k,), to their places, shape (n,), NaN for removed rows."""
        result = np.full(len(self.masses), np.nan)
        result[self.kept] = values
        return result


def read_sample_weight(sample_weight: ArrayLike | None, n_rows: int) -> SampleWeight | None:
    """Check sample weights.

    Parameters
    ----------
    sample_weight : array_like, shape (n_rows,), or None
        Finite, at least 0, not all 0.
    n_rows : int
        The number of rows of the data.

    Returns
    -------
    SampleWeight or None
        None where there are none, or all are 1.

    Raises
    ------
    InvalidType, InvalidInput
        Another shape, an entry that is negative or no finite number (its index is named), or only zeros.

    Examples
    --------
    >>> read_sample_weight([2, 0, 1], 3).copied(np.array([[5.0], [6.0], [7.0]])).ravel()
    array([5., 5., 7.])
    """
    if sample_weight is None:
        return None
    masses = as_vector(sample_weight, where="sample_weight")
    if len(masses) != n_rows:
        raise InvalidInput(
            f"{len(masses)} weights for {n_rows} rows",
            where="sample_weight",
            remedy="give one weight a row",
        )
    negative = np.flatnonzero(masses < 0)
    if len(negative):
        index = int(negative[0])
        raise InvalidInput(
            "a weight is negative",
            where=f"sample_weight, index {index}",
            value=float(masses[index]),
            remedy="give weights of at least 0; signed weights have no meaning here",
        )
    if not masses.any():
        raise InvalidInput(
            "all weights are zero, so no row is left", where="sample_weight", remedy="give one above 0"
        )
    if (masses == 1).all():
        return None
    is_counted = bool((masses == np.floor(masses)).all()) and float(masses.sum()) < _LARGEST_COUNT
    return SampleWeight(masses, is_counted)

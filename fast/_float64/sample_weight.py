"""Sample weights: whole numbers are counts of copies, others are relative, and 0 removes a row."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput
from rkde.fast._float64.inputs import Floats, as_row_weights
from rkde.fast._float64.rounding import accurate_sum

# From here on float64 does not hold every whole number.
_LARGEST_COUNT: Final = 2.0**53

# Where something has to look at the copies of rows themselves: their kernel matrix has the square of this.
MOST_COPIES: Final = 50_000

# The difference from 1 of a number no smaller keeps all digits but one.
_SAFE_NUMBER: Final = 2.0
# A difference from 1 keeps all digits but one of what is left by so large a share.
_HALF: Final = 0.5


def left_without(shares: Floats) -> Floats:
    """Return the sum of the other shares for each of some that sum to 1.

    Shapes: shares (n,), at least 0; result (n,), 0 only where no other share is positive.
    """
    left = 1 - shares
    heaviest = int(np.argmax(shares))
    if shares[heaviest] > _HALF:
        left[heaviest] = np.delete(shares, heaviest).sum()
    return left


@dataclass(frozen=True, slots=True, eq=False)
class SampleWeight:
    """Sample weights, read.

    Attributes
    ----------
    given : ndarray, shape (n,)
        The weights as given: at least 0, some above 0.
    is_counted : bool
        Whether all of them are whole numbers: numbers of copies.
    total : float
        N: the number of rows with all their copies; of relative weights (sum s)^2 / sum s^2, Kish's effective
        number, which n equal ones make n.
    """

    given: Floats
    is_counted: bool
    total: float

    @property
    def total_less_one(self) -> float:
        """N - 1, of which a difference would lose digits where one row has nearly all of the weight."""
        if self.is_counted or self.total >= _SAFE_NUMBER:
            return self.total - 1
        # N = (1 + r)^2 / (1 + q), with r the sum of the others over the largest one, and q that of squares.
        others = np.delete(self.values, int(np.argmax(self.values))) / self.values.max()
        rest, squares = math.fsum(others), math.fsum(others * others)
        return (2 * rest - squares + rest * rest) / (1 + squares)

    @property
    def kept(self) -> NDArray[np.intp]:
        """The places of the k rows with a weight above 0."""
        return np.flatnonzero(self.given)

    @property
    def values(self) -> Floats:
        """The weights above 0, shape (k,)."""
        return self.given[self.given > 0]

    @property
    def counts(self) -> Floats:
        """What stands for a number of copies, shape (k,): the weights, relative ones scaled to a sum of N."""
        values = self.values
        return values if self.is_counted else values * (self.total / accurate_sum(values))

    @property
    def masses(self) -> Floats | None:
        """The weights above 0 over their mean, shape (k,); None where all are equal."""
        values = self.values
        if float(np.ptp(values)) == 0:
            return None
        return np.asarray(values * len(values) / accurate_sum(values))

    def among(self, chosen: NDArray[np.bool_]) -> SampleWeight:
        """Return the weights of some of the k kept rows, read as these are: counts, or relative ones."""
        values = np.where(chosen, self.values, 0.0)
        total = math.fsum(values) if self.is_counted else _effective_number(values)
        return SampleWeight(values, self.is_counted, total)

    def rows_of(self, rows: Floats) -> Floats:
        """Return the entries, shape (k, ...), of the kept rows among given ones, shape (n, ...)."""
        return rows[self.given > 0]

    def copied(self, rows: Floats) -> Floats:
        """Return the rows with their copies, for a function or an influence that looks at plain rows."""
        if not self.is_counted or self.total > MOST_COPIES:
            raise InvalidInput(
                f"must be whole numbers with a sum of at most {MOST_COPIES} for an influence, or where the "
                f"bandwidth is a function, got {self.not_copied()}",
                where="sample_weight",
                remedy="pass such counts, or, in a fit, the bandwidth as a number or as the name of a rule",
            )
        return np.repeat(self.rows_of(rows), self.values.astype(np.intp), axis=0)

    def not_copied(self) -> str:
        """Say what keeps the rows from being copied."""
        return f"a sum of {self.given.sum():.6g}" if self.is_counted else "relative weights"

    def gathered(self, values: Floats) -> Floats:
        """Add up what belongs to the copies of each row, shape (..., N) to (..., n), 0 for removed rows."""
        result = np.zeros((*values.shape[:-1], len(self.given)))
        starts = np.concatenate(([0.0], np.cumsum(self.values)[:-1])).astype(np.intp)
        result[..., self.given > 0] = np.add.reduceat(values, starts, axis=-1)
        return result

    def spread(self, values: Floats, fill: float = 0.0) -> Floats:
        """Put entries of the kept rows, shape (k,), to their places, shape (n,)."""
        result = np.full(len(self.given), fill)
        result[self.given > 0] = values
        return result


def read_sample_weight(sample_weight: ArrayLike | None, n_rows: int) -> SampleWeight | None:
    """Check sample weights.

    Shapes: sample_weight (n_rows,), finite, at least 0, not all 0. Result: none where there are none, all are
    1, or all are one number that is not whole: the rows alone.

    Examples
    --------
    >>> weights = read_sample_weight([2, 0, 1], 3)
    >>> weights.is_counted, weights.total, weights.masses
    (True, 3.0, array([1.33333333, 0.66666667]))
    >>> round(read_sample_weight([1.0, 0.5, 0.5], 3).total, 6)
    2.666667
    """
    if sample_weight is None:
        return None
    given = as_row_weights(sample_weight, n_rows, where="sample_weight")
    if not given.any():
        raise InvalidInput(
            "must have at least one entry above 0, got only zeros",
            where="sample_weight",
            remedy="pass a positive weight for each row that counts",
        )
    is_whole = float(given.max()) < _LARGEST_COUNT and bool((given == np.floor(given)).all())
    is_whole = is_whole and math.fsum(given) < _LARGEST_COUNT
    if not is_whole:
        # By a power of two, which changes no ratio: sums neither overflow nor lose digits.
        given = np.ldexp(given, -int(np.frexp(given.max())[1]))
    if bool((given == given[0]).all()) and (not is_whole or given[0] == 1):
        return None
    return SampleWeight(given, is_whole, math.fsum(given) if is_whole else _effective_number(given))


def _effective_number(given: Floats) -> float:
    """Return (sum s)^2 / sum s^2, n for n equal weights among zeros."""
    values = given[given > 0]
    if float(np.ptp(values)) == 0:
        return float(len(values))
    # Over the largest, so that squares neither overflow nor all underflow.
    shares = values / values.max()
    return math.fsum(shares) ** 2 / math.fsum(shares * shares)

"""What the signs look at: the rows of positive weight, and both densities at some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from rkde.fast._float64 import Floats, SampleWeight
from rkde.fast.kernels import Kernel

Indices = NDArray[np.intp]
# Densities are computed at so many rows at most, from so many rows at most: 2**25 kernel values, which take
# less than a second whatever the size of the table.
_MOST_CHOSEN: Final = 1024
_MOST_POINTS: Final = 2**15
# Rows of a tile of kernel values.
_TILE: Final = 256
# Kernel values at once, which stay in the cache.
_PIECE: Final = 2**17
_LEAST_LOG: Final = -700.0
# Distances beyond this number of bandwidths are as good as it, and its square is finite.
_FARTHEST: Final = 1e120


# Sample weights vary where they leave fewer than so large a share of the rows as effective ones; and where
# they are copies, more than so many of each row.
_EVEN: Final = 0.8
_FEW_COPIES: Final = 2.0
# A place where more people live is not measured more often.
NO_WEIGHTS: Final = "fit without the sample weights, if they are sizes such as populations"


@dataclass(frozen=True, slots=True)
class Choices:
    """What a fit was told, so that no sign advises what is in use.

    Attributes
    ----------
    loss : str
        The name of the loss.
    rule : str or None
        The bandwidth rule; None where the bandwidth is a number.
    is_scaled : bool
        Whether the columns are scaled.
    """

    loss: str
    rule: str | None
    is_scaled: bool


@dataclass(frozen=True, eq=False)
class Evidence:
    """A table and its fit, without the rows of sample weight 0.

    Attributes
    ----------
    rows : ndarray, shape (k, d)
        In units of the data.
    places : ndarray, shape (k, d)
        In the coordinates of the fit, from their middle, in bandwidths.
    given : ndarray of int, shape (k,)
        Their places among the given rows.
    counts : ndarray, shape (k,)
        How often each stands in the data; 1 where nobody says.
    weights : ndarray, shape (k,)
        The weights of the fit.
    kernel : Kernel
        The kernel, of bandwidth 1.
    """

    rows: Floats
    places: Floats
    given: Indices
    counts: Floats
    weights: Floats
    kernel: Kernel

    @cached_property
    def total(self) -> float:
        """The number of rows, copies counted."""
        return float(self.counts.sum())

    @property
    def shares(self) -> Floats:
        """The weights of the plain estimate."""
        return self.counts / self.total

    @property
    def is_weighted(self) -> bool:
        """Whether the counts, of mean 1 where they are relative, decide much."""
        effective = self.total**2 / float(np.square(self.counts).sum())
        return effective < _EVEN * len(self.counts) or self.total > _FEW_COPIES * len(self.counts)

    def without(self, columns: Sequence[int]) -> Evidence:
        """Return the evidence about the other columns."""
        rows, places = np.delete(self.rows, columns, axis=1), np.delete(self.places, columns, axis=1)
        return replace(self, rows=rows, places=places)

    @cached_property
    def order(self) -> Indices:
        """The rows in lexicographic order."""
        return np.lexsort(self.places.T[::-1])

    def some(self, most: int) -> Indices:
        """Return at most so many rows, evenly spaced in lexicographic order."""
        return some(self.places, most, self.order if len(self.places) > most else None)

    def names(self, chosen: Indices) -> tuple[int, ...]:
        """Return the places of chosen rows among the given ones, ascending."""
        return tuple(np.sort(self.given[chosen]).tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Densities:
    """Both estimates at some rows, over k(0, 0), and the kernel between these rows.

    Attributes
    ----------
    chosen : ndarray of int, shape (m,)
        Places of the rows among those of the evidence.
    plain, robust : ndarray, shape (m,)
        The estimates with the weights `Evidence.shares` and `Evidence.weights`.
    kernel_values : ndarray, shape (m, m)
        kappa between the rows.
    """

    chosen: Indices
    plain: Floats
    robust: Floats
    kernel_values: Floats


def read_evidence(
    rows: Floats, places: Floats, kernel: Kernel, weights: Floats, sample_weight: SampleWeight | None
) -> Evidence:
    """Gather what the signs look at.

    Shapes: rows (n, d), places (n, d), in the coordinates of the fit, weights (n,).
    """
    kept = np.arange(len(rows)) if sample_weight is None else sample_weight.kept
    counts = np.ones(len(rows)) if sample_weight is None else sample_weight.counts
    middle = np.sort(places[kept], axis=0)[(len(kept) - 1) // 2]
    with np.errstate(over="ignore", under="ignore"):
        moved = (places[kept] - middle) / kernel.bandwidth
        moved = np.clip(moved, -_FARTHEST, _FARTHEST)
    return Evidence(rows[kept], moved, kept, counts, weights[kept], kernel.with_bandwidth(1.0))


def weight_held(weight: float, digits: int, *, several: bool) -> str:
    """Say how much of the weight is held, where rounding to so many digits of a percentage would leave 0.

    Examples
    --------
    >>> weight_held(0.043, 1, several=True), weight_held(2e-5, 1, several=True)
    ('hold 4.3% of the weight', 'hold less than 0.1% of the weight')
    >>> weight_held(0.0, 0, several=False)
    'has no weight'
    """
    if weight <= 0:
        return "have no weight" if several else "has no weight"
    least = 10.0 ** (-digits - 2)
    shown = f"less than {least:.{digits}%}" if 2 * weight < least else f"{weight:.{digits}%}"
    return f"{'hold' if several else 'holds'} {shown} of the weight"


def some(places: Floats, most: int, order: Indices | None = None) -> Indices:
    """Return the places of at most so many rows, evenly spaced in lexicographic order, given or found."""
    if len(places) <= most:
        return np.arange(len(places))
    order = np.lexsort(places.T[::-1]) if order is None else order
    return order[np.arange(most) * (len(order) - 1) // (most - 1)]


def densities(evidence: Evidence) -> Densities:
    """Return both estimates at some rows; of large tables, those that some of the rows make.

    At most 1024 x 32768 kernel values, and as many again between the rows.
    """
    chosen, points = evidence.some(_MOST_CHOSEN), evidence.some(_MOST_POINTS)
    at, sources = evidence.places[chosen], evidence.places[points]
    columns = evidence.shares[points], evidence.weights[points]
    for column in columns:
        column /= held if (held := column.sum()) > 0 else 1.0
    values = np.empty((len(chosen), 2))
    for start in range(0, len(chosen), _TILE):
        tile = slice(start, start + _TILE)
        between = kernel_values(evidence.kernel, at[tile], sources)
        # Not by BLAS, whose threads are the user's, and one column at a time, which einsum does in vectors.
        values[tile, 0] = np.einsum("ij,j->i", between, columns[0])
        values[tile, 1] = np.einsum("ij,j->i", between, columns[1])
    between = kernel_values(evidence.kernel, at, at)
    return Densities(chosen, values[:, 0], values[:, 1], between)


def kernel_values(kernel: Kernel, left: Floats, right: Floats) -> Floats:
    """Return kappa between rows, shape (m, n), for a kernel of bandwidth 1; 0 where it is below exp(-700)."""
    values = np.empty((len(left), len(right)))
    step = max(1, _PIECE // max(1, len(right)))
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, len(left), step):
            part = values[start : start + step]
            cdist(left[start : start + step], right, "sqeuclidean", out=part)
            if not kernel.squared:
                np.sqrt(part, out=part)
            logs = kernel.unit_log_profile(part, left.shape[1])
            is_positive = logs >= _LEAST_LOG
            # An exponential that underflows takes seven times as long.
            np.exp(np.maximum(logs, _LEAST_LOG, out=logs), out=part)
            part *= is_positive
    return values

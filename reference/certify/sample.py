"""The data, exactly: distinct locations, how many rows are at each, and squared distances as integers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpz_mat

from rkde.reference.certify.exact import ExactRow, exact_points
from rkde.reference.numbers import Rows


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows merged to distinct locations, with exact squared distances.

    Attributes
    ----------
    location_of : tuple of int, shape (n,)
        The location of each row; locations are numbered in the order of their first row.
    multiplicity : tuple of int, shape (m,)
        How many rows stand at each location.
    scaled_sqdist : tuple of tuple of int, shape (m, m)
        Squared distances between locations, times `scale`.
    scale : int
        The square of the common denominator of all coordinates.
    dim : int
        The number of columns.
    """

    location_of: tuple[int, ...]
    multiplicity: tuple[int, ...]
    scaled_sqdist: tuple[tuple[int, ...], ...]
    scale: int
    dim: int

    @property
    def n_rows(self) -> int:
        """The number of rows, n."""
        return len(self.location_of)

    @property
    def n_locations(self) -> int:
        """The number of distinct rows."""
        return len(self.multiplicity)

    def sqdist(self, i: int, j: int) -> Fraction:
        """Give the exact squared distance between two locations."""
        return Fraction(self.scaled_sqdist[i][j], self.scale)

    def per_location(self, row_values: Sequence[Fraction]) -> list[Fraction]:
        """Add up one value for each row over the rows of each location."""
        totals = [Fraction(0)] * self.n_locations
        for location, value in zip(self.location_of, row_values, strict=True):
            totals[location] += value
        return totals


def read_sample(X: Rows) -> Sample:
    """Read rows exactly and merge equal ones.

    Shapes: X (n, d), finite numbers, n >= 1, d >= 1.

    Notes
    -----
    Cost: one exact integer matrix product of (n, d) with (d, n).
    """
    rows = exact_points(X)
    index: dict[ExactRow, int] = {}
    location_of = tuple(index.setdefault(row, len(index)) for row in rows)
    multiplicity = [0] * len(index)
    for location in location_of:
        multiplicity[location] += 1
    denominator = math.lcm(*(number.denominator for row in index for number in row))
    return Sample(
        location_of=location_of,
        multiplicity=tuple(multiplicity),
        scaled_sqdist=_scaled_sqdist(list(index), denominator),
        scale=denominator**2,
        dim=len(rows[0]),
    )


def exact_sqdist(x: ExactRow, y: ExactRow) -> Fraction:
    """Give the exact squared distance between two points."""
    return sum(((p - q) ** 2 for p, q in zip(x, y, strict=True)), start=Fraction(0))


def _scaled_sqdist(locations: Sequence[ExactRow], denominator: int) -> tuple[tuple[int, ...], ...]:
    """Expand |x - y|^2 to inner products: no cancellation, since the integers are exact."""
    points = fmpz_mat([[int(number * denominator) for number in row] for row in locations])
    inner = points * points.transpose()
    count = len(locations)
    return tuple(
        tuple(int(inner[i, i] + inner[j, j] - 2 * inner[i, j]) for j in range(count)) for i in range(count)
    )

"""Distances in units of the bandwidth, right over the whole range of float64.

A bandwidth h is split exactly into mantissa * 2**exponent, and the data are multiplied by 2**-exponent,
which rounds nothing; then come the differences and one division by the mantissa. Pairs whose square leaves
the range of float64 are measured again, each with a scale of its own.

In many columns one matrix product of centred rows, x.x + y.y - 2 x.y, costs half of the differences. It
loses everything under an offset, so it serves only where rows were prepared for it by `centre`, and only
pairs that are far apart against their distance from the centre; all others are measured by differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from rkde.fast._float64.inputs import Floats

Integers = NDArray[np.intp]

# Coordinates up to this give squares and sums of squares that are finite in any dimension below 2**20.
_SAFE_COORDINATE: Final = 2.0**500
# Squares of distances below the root of this are subnormal or lose digits; above it they have full precision.
_SAFE_SQUARE: Final = 2.0**-900
# If two coordinates differ by less than 2**-450, both are below this: larger ones lie on a coarser grid.
_TINY_COORDINATE: Final = 2.0**-390
# Differences held at once while pairs are measured again: 2**20 numbers are 8 MiB.
_PAIR_BUDGET: Final = 2**20


def split_bandwidth(bandwidth: float) -> tuple[float, int]:
    """Split h into mantissa * 2**exponent with 1/4 <= mantissa < 1/2.

    The mantissa is below 1/2 so that a square in scaled units never overflows before t/2 itself does.
    """
    mantissa, exponent = math.frexp(bandwidth)
    return mantissa / 2, exponent + 1


def scaled_square(sqdist: Floats, bandwidth: float) -> Floats:
    """Return sqdist / h^2 without forming h^2, which may leave the range of float64."""
    mantissa, exponent = split_bandwidth(bandwidth)
    # Over- and underflow give the right limits, infinity and 0.
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(np.ldexp(sqdist, -2 * exponent) / (mantissa * mantissa))


# A product of centred rows measures a pair whose squared distance is at least so large a part of the sum of
# its squared norms; `product_roundings` counts on it.
_LEAST_PART: Final = 1 / 8
# From so many columns on a matrix product is faster than differences; few rows are not worth its preparation.
_MANY_COLUMNS: Final = 6
_MANY_ROWS: Final = 256
# A pair that is measured again alone costs as much as so many in a whole tile.
_AGAIN_COST: Final = 16
# Differences held at once there, by each thread: 2**16 numbers are 512 KiB, and stay in the cache.
_AGAIN_BUDGET: Final = 2**16


@dataclass(frozen=True, slots=True)
class CentredRows:
    """The factors of x.x + y.y - 2 x.y, less a part of x.x + y.y, for rows z about a common centre.

    Attributes
    ----------
    left, right : ndarray, shape (n, d + 2)
        (z, 7/8 z.z, 1) and (-2 z, 1, 7/8 z.z).
    parts : ndarray, shape (n,)
        z.z / 8.
    origin : ndarray, shape (d,)
        The centre, the same object for all parts of what was prepared at once.
    """

    left: Floats
    right: Floats
    parts: Floats
    origin: Floats

    def part(self, rows: slice | Integers) -> CentredRows:
        """Return some of the rows."""
        return CentredRows(self.left[rows], self.right[rows], self.parts[rows], self.origin)


@dataclass(frozen=True, slots=True)
class ScaledRows:
    """Rows beside their exact multiples by a power of two, the scale of a bandwidth.

    Attributes
    ----------
    rows : ndarray, shape (n, d)
        The rows as given.
    scaled : ndarray, shape (n, d)
        The rows times 2**-exponent; infinite where that is beyond float64.
    may_overflow, may_underflow : bool
        Whether squares of differences can leave the range in which they have full precision.
    centred : CentredRows or None
        What distances by products take, where `centre` prepared it.
    """

    rows: Floats
    scaled: Floats
    may_overflow: bool
    may_underflow: bool
    centred: CentredRows | None = None

    def part(self, start: int, stop: int | None = None) -> ScaledRows:
        """Return consecutive rows, without looking at them again."""
        return self.some(slice(start, stop))

    def some(self, rows: slice | Integers) -> ScaledRows:
        """Return some of the rows, without looking at them again."""
        centred = self.centred.part(rows) if self.centred is not None else None
        return ScaledRows(self.rows[rows], self.scaled[rows], self.may_overflow, self.may_underflow, centred)

    @property
    def roundings(self) -> int:
        """Roundings in the square of a distance between two of these rows, beside the constant ones."""
        dim = self.rows.shape[1]
        return dim if self.centred is None else product_roundings(dim)


def scale_rows(rows: Floats, bandwidth: float) -> ScaledRows:
    """Return rows ready for `separations` at this bandwidth.

    Shapes: rows (n, d), finite points.
    """
    _, exponent = split_bandwidth(bandwidth)
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.ldexp(rows, -exponent)
    magnitude = np.abs(scaled)
    may_overflow = bool(magnitude.max(initial=0.0) > _SAFE_COORDINATE)
    may_underflow = bool(((magnitude < _TINY_COORDINATE) & (rows != 0)).any())
    return ScaledRows(rows, scaled, may_overflow, may_underflow)


def centre(rows: ScaledRows) -> ScaledRows:
    """Return rows ready for distances by products where these pay; parts of the result share its centre.

    Shapes: rows (n, d).
    """
    size, dim = rows.rows.shape
    if dim < _MANY_COLUMNS or size < _MANY_ROWS or rows.may_overflow or rows.may_underflow:
        return rows
    origin = np.median(rows.scaled, axis=0)
    shifted = rows.scaled - origin
    squares = np.einsum("ij,ij->i", shifted, shifted)
    rest, ones = (1 - _LEAST_PART) * squares, np.ones(size)
    left, right = np.column_stack((shifted, rest, ones)), np.column_stack((-2 * shifted, ones, rest))
    return replace(rows, centred=CentredRows(left, right, _LEAST_PART * squares, origin))


def product_roundings(dim: int) -> int:
    """Return the roundings in the square of a distance by a product of centred rows.

    Notes
    -----
    Let z be the centred rows and N = |z_i|^2 + |z_j|^2. The squares, and 7/8 of them, are off by d + 1
    roundings of themselves, and the sum of d + 2 terms, whose sizes add up to at most 2 N, by d + 2 roundings
    of 2 N, in whatever order it is taken. What was taken off is added again in two sums below the square t of
    the distance: (3 d + 5) u N + 2 u t in all. A product serves where N is at most 8 t, which makes
    (24 d + 42) u t. The roundings in the coordinates of z move the distance by at most u (|z_i| + |z_j|) <=
    u (2 N)^(1/2) <= 4 u t^(1/2), and t by 8 u t. The rest covers terms of second order.
    """
    return 24 * dim + 52


def separations(
    left: ScaledRows, right: ScaledRows, bandwidth: float, *, squared: bool, memory: Floats | None = None
) -> Floats:
    """Return the distances of each left row to each right row over the bandwidth, or their squares.

    Shapes: memory (at least m n,); result (m, n). Result: nonnegative, never NaN; exactly 0 for equal rows,
    exactly symmetric for the same object on both sides, infinite where the value is beyond float64; relative
    error of a square at most 3 roundings more than the larger number of `roundings`.
    """
    mantissa, _ = split_bandwidth(bandwidth)
    # cdist computes in C and raises no warning; what overflows is infinite or NaN and is measured again.
    shape = (len(left.rows), len(right.rows))
    result = np.empty(shape) if memory is None else memory[: shape[0] * shape[1]].reshape(shape)
    ours, theirs = left.centred, right.centred
    if ours is None or theirs is None or ours.origin is not theirs.origin or left is right:
        cdist(left.scaled, right.scaled, "sqeuclidean", out=result)
    else:
        _by_products(left, right, ours, theirs, result)
    is_safe = not (left.may_overflow or left.may_underflow or right.may_overflow or right.may_underflow)
    suspects = None if is_safe else _suspects(result, left, right)
    if squared:
        # A square near the end of the range may leave it here; infinity is the right limit.
        with np.errstate(over="ignore"):
            result /= mantissa * mantissa
    else:
        np.sqrt(result, out=result)
        result /= mantissa
    if suspects is not None:
        rows, columns = suspects
        unit, power = exact_separations(left.rows, right.rows, rows, columns, bandwidth)
        with np.errstate(over="ignore", under="ignore"):
            result[rows, columns] = np.ldexp(unit * unit, 2 * power) if squared else np.ldexp(unit, power)
    return result


def _by_products(
    left: ScaledRows, right: ScaledRows, ours: CentredRows, theirs: CentredRows, result: Floats
) -> None:
    """Write the squares by one product, and by differences where rows are near for their norms."""
    np.matmul(ours.left, theirs.right.T, out=result)
    near = np.flatnonzero(result < 0)
    if len(near) * _AGAIN_COST > result.size:
        cdist(left.scaled, right.scaled, "sqeuclidean", out=result)
        return
    result += ours.parts[:, np.newaxis]
    result += theirs.parts
    rows, columns = np.divmod(near, result.shape[1])
    step = max(1, _AGAIN_BUDGET // left.scaled.shape[1])
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        difference = left.scaled[rows[part]] - right.scaled[columns[part]]
        result[rows[part], columns[part]] = np.einsum("ij,ij->i", difference, difference)


def _suspects(square: Floats, left: ScaledRows, right: ScaledRows) -> tuple[Integers, Integers] | None:
    overflow, underflow = left.may_overflow or right.may_overflow, left.may_underflow or right.may_underflow
    flags = np.zeros(square.shape, dtype=np.bool_)
    if overflow:
        flags |= ~np.isfinite(square)
    if underflow:
        flags |= square < _SAFE_SQUARE
    rows, columns = np.nonzero(flags)
    return (rows, columns) if len(rows) else None


def exact_separations(
    X: Floats, Y: Floats, rows: Integers, columns: Integers, bandwidth: float
) -> tuple[Floats, NDArray[np.int64]]:
    """Return |X[rows] - Y[columns]| / h as unit * 2**power, whatever the magnitudes.

    Shapes: rows, columns (p,), the pairs; results unit (p,); power (p,), the exponent of 2. Result: 0 for
    equal rows, else of the order of 1 (up to the root of d).
    """
    mantissa, exponent = split_bandwidth(bandwidth)
    unit = np.empty(len(rows))
    power = np.empty(len(rows), dtype=np.int64)
    step = max(1, _PAIR_BUDGET // X.shape[1])
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        norm, shift = _norms(X[rows[part]], Y[columns[part]])
        unit[part] = norm / mantissa
        power[part] = shift - exponent
    return unit, power


def _norms(x: Floats, y: Floats) -> tuple[Floats, NDArray[np.int64]]:
    # A difference may overflow; only there are both terms halved first, since that can round a subnormal.
    with np.errstate(over="ignore"):
        difference = x - y
    halved = ~np.isfinite(difference).all(axis=1)
    difference[halved] = x[halved] / 2 - y[halved] / 2
    shift = np.frexp(np.abs(difference).max(axis=1))[1].astype(np.int64)
    with np.errstate(under="ignore"):
        relative = np.ldexp(difference, -shift[:, np.newaxis])
        norm = np.sqrt(np.einsum("ij,ij->i", relative, relative))
    return np.asarray(norm), shift + halved


def log_separations(unit: Floats, power: NDArray[np.int64]) -> Floats:
    """Return log(unit * 2**power), -inf for 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(unit) + power * math.log(2))

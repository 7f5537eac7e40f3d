"""Distances in units of the bandwidth, right over the whole range of float64.

A bandwidth h is split exactly into mantissa * 2**exponent, and the data are multiplied by 2**-exponent,
which rounds nothing; then come the differences (never x.x + y.y - 2 x.y, which loses everything under an
offset) and one division by the mantissa. Pairs whose square leaves the range of float64 are measured again,
each with a scale of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
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
    """

    rows: Floats
    scaled: Floats
    may_overflow: bool
    may_underflow: bool

    def part(self, start: int, stop: int | None = None) -> ScaledRows:
        """Return some of the rows, without looking at them again."""
        part = slice(start, stop)
        return ScaledRows(self.rows[part], self.scaled[part], self.may_overflow, self.may_underflow)


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


def separations(
    left: ScaledRows, right: ScaledRows, bandwidth: float, *, squared: bool, memory: Floats | None = None
) -> Floats:
    """Return the distances of each left row to each right row over the bandwidth, or their squares.

    Shapes: memory (at least m n,); result (m, n). Result: nonnegative, never NaN; exactly 0 for equal rows,
    exactly symmetric for the same rows on both sides, infinite where the value is beyond float64; relative
    error at most (d + 3) roundings.
    """
    mantissa, _ = split_bandwidth(bandwidth)
    # cdist computes in C and raises no warning; what overflows is infinite or NaN and is measured again.
    shape = (len(left.rows), len(right.rows))
    result = np.empty(shape) if memory is None else memory[: shape[0] * shape[1]].reshape(shape)
    cdist(left.scaled, right.scaled, "sqeuclidean", out=result)
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

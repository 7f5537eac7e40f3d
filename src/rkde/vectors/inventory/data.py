"""The data sets and kernels that the cases use, chosen by hand.

Coordinates are decimals of few digits. Where rows are moved far away (`shifted`), coordinates and offset are
sums of few powers of two: every sum is a float64, and nothing is lost before the implementation starts.
"""

from __future__ import annotations

from typing import Final

from rkde.datasets import load

Rows = list[list[float]]


def rows(*points: tuple[float, ...]) -> Rows:
    """Write a data set down."""
    return [list(point) for point in points]


def column(*values: float) -> Rows:
    """Write a one-dimensional data set down."""
    return [[value] for value in values]


def shifted(data: Rows, offset: float) -> Rows:
    """Move every row by `offset` in every coordinate."""
    return [[value + offset for value in row] for row in data]


def scaled(data: Rows, factor: float) -> Rows:
    """Multiply every coordinate; exact where the factor is a power of two."""
    return [[value * factor for value in row] for row in data]


def lattice(n: int, dim: int) -> Rows:
    """Spread `n` rows over the unit cube with steps of 1/1000: no row is near another."""
    # Steps 37 and 101 share no factor with 1000, so neither index repeats soon.
    return [[(37 * i + 101 * j + 13 * i * j) % 1000 / 1000 for j in range(dim)] for i in range(n)]


def uniform(n: int) -> list[float]:
    """Give `n` equal weights; their sum is 1 up to rounding, which the protocol divides out."""
    return [1 / n] * n


def gaussian(bandwidth: object) -> dict[str, object]:
    """Name a Gaussian kernel."""
    return {"name": "gaussian", "bandwidth": bandwidth}


def laplacian(bandwidth: object) -> dict[str, object]:
    """Name a Laplacian kernel."""
    return {"name": "laplacian", "bandwidth": bandwidth}


def student(bandwidth: object, dof: object) -> dict[str, object]:
    """Name a Student kernel."""
    return {"name": "student", "bandwidth": bandwidth, "dof": dof}


def huber(a: object) -> dict[str, object]:
    """Name Huber's loss."""
    return {"name": "huber", "a": a}


def hampel(a: object, b: object, c: object) -> dict[str, object]:
    """Name Hampel's loss."""
    return {"name": "hampel", "a": a, "b": b, "c": c}


QUADRATIC: Final[dict[str, object]] = {"name": "quadratic"}
ABSOLUTE: Final[dict[str, object]] = {"name": "absolute"}

# Four near points and one outlier.
LINE: Final = column(0.0, 0.4, 1.1, 1.9, 6.0)
# Six points of a cluster, a pair apart.
PLANE: Final = rows(
    (0.1, -0.3), (0.7, 0.2), (-0.4, 0.6), (1.1, 0.9), (0.2, 1.3), (-0.8, -0.5), (4.0, 3.5), (4.2, 3.1)
)
PLANE_WEIGHTS: Final[list[float]] = [0.15, 0.2, 0.1, 0.05, 0.25, 0.05, 0.125, 0.075]
# Three, two, one and one row at four places.
TIES: Final = column(0.0, 0.0, 1.0, 0.0, 2.5, 2.5, 4.0)
# Coordinates in multiples of 1/8: exact also at an offset of 1e8.
EIGHTHS: Final = rows((0.125, -0.25), (0.75, 0.25), (-0.5, 0.625), (1.125, 0.875), (0.25, 1.375), (4.0, 3.5))
OFFSET: Final = 1e8
# The outlier's kernel values underflow in float64.
FAR: Final = rows((0.0, 0.0), (0.5, 0.25), (-0.25, 0.75), (1e6, -1e6))
SAME: Final = rows((1.5, -2.0), (1.5, -2.0), (1.5, -2.0))
ONE: Final = rows((1.5, -2.0))
TWO: Final = column(0.0, 1.5)
# A cluster of spread 2^-27, about 1e-8, and one row far from it.
TIGHT: Final = [*scaled(column(0.0, 1.0, 3.0, 7.0), 2.0**-27), [2.0]]
HIGH: Final = lattice(4, 1000)
EIGHT_COLUMNS: Final = lattice(9, 8)


def measured(name: str, first: int = 0, last: int | None = None) -> Rows:
    """Take rows of a shipped table, by number."""
    return [[float(cell) for cell in row] for row in load(name).rows[first:last]]


# Two pairs of the same shape, far apart: a symmetric saddle between two minima of Hampel's J.
PAIRS: Final = column(-2.1, -1.9, 1.9, 2.1)
SQUARE: Final = rows((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
# Half of the rows at one place.
MAJORITY: Final = column(0.0, 0.0, 0.0, 1.0, 5.0)
# A cluster, a second smaller one, a bridge: close to where the limit jumps from one to the other.
CLUSTERS: Final = rows(
    (0.0, 0.1),
    (0.3, -0.2),
    (-0.2, 0.4),
    (0.5, 0.3),
    (-0.4, -0.1),
    (0.1, 0.7),
    (3.0, 2.8),
    (3.3, 3.1),
    (2.7, 3.2),
)
# Sets on which Hampel's limit from f_med is another one than from equal weights, at the recipe's thresholds.
FORK_LINE: Final = column(4.0, 3.3, 2.0, 0.7, 1.8, 0.0)
FORK_PLANE: Final = rows((3.7, 1.0), (2.6, 0.5), (1.0, -0.8), (0.7, 0.6), (-1.6, -1.4), (0.0, 0.2))
FORK_SKEWED: Final = column(3.5, 1.5, -0.5, 0.6, 1.6, 0.1)

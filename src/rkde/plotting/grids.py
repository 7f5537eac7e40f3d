"""Where a density is evaluated for a picture, and which contours of it are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from rkde.fast._float64 import Floats
    from rkde.fast.bandwidth import Scaling
    from rkde.fast.kernels import Kernel

# What a legend calls the symbols of rows.
ROW_BY_LENGTH: Final = "row (length shows its weight)"
ROW_BY_AREA: Final = "row (area shows its weight)"
# How far a frame reaches beyond the outermost row, in bandwidths: a Gaussian in the plane has 0.2 % outside.
_MARGIN: Final = 3.5
# The core of the data holds all weight but this share on either side. Other rows may stretch the frame to so
# many times the core's width; those still farther out, which would press the rest into a line, are counted.
_TAIL: Final = 0.01
_STRETCH: Final = 4.0
# A frame of more bandwidths than a grid has cells is cut at gaps of so large a share of its width.
_GAP: Final = 0.1
# Points of a curve across the whole frame, and around each row, so that narrow bumps are not missed.
_LINE_POINTS: Final = 512
_BUMP_POINTS: Final = 25
_MOST_BUMP_POINTS: Final = 50_000
# Frames as wide as these or between them are drawn: their squares, and the densities, are float64.
_NARROWEST, _WIDEST = 1e-100, 1e100
# Cells of a side of the plane's grid, within a budget of kernel evaluations.
_LEAST_SIDE, _LARGEST_SIDE = 61, 241
_EVALUATIONS: Final = 60_000_000


@dataclass(frozen=True, slots=True, eq=False)
class ScaledMixture:
    """Rows in units of the data and a kernel that may belong to scaled coordinates.

    Attributes
    ----------
    rows : ndarray, shape (n, d)
        In units of the data.
    kernel : Kernel
        With its bandwidth, in scaled coordinates where there is a scaling.
    scaling : Scaling or None
        These coordinates.
    """

    rows: Floats
    kernel: Kernel
    scaling: Scaling | None

    def density(self, weights: Floats, points: Floats) -> Floats:
        """Return the density at points of shape (m, d), shape (m,), all in units of the data."""
        from rkde.fast.rkhs import exp_log_density, log_density

        if self.scaling is None:
            return exp_log_density(log_density(self.rows, self.kernel, weights, points))
        inner, places = self.scaling.apply(self.rows), self.scaling.apply(points)
        return exp_log_density(log_density(inner, self.kernel, weights, places) - self.scaling.log_volume)


def side_lengths(kernel: Kernel, scaling: Scaling | None, columns: int) -> list[float]:
    """Return the bandwidth in units of each column."""
    if scaling is None:
        return [kernel.bandwidth] * columns
    if scaling.scale.ndim > 1:
        raise InvalidInput(
            'must be "robust" or "none" for a picture',
            where="scale",
            value=scaling.name,
            remedy='fit with scale="robust"',
        )
    return [kernel.bandwidth * side for side in scaling.scale.tolist()]


def frame(
    values: Floats, weights: Floats, bandwidth: float, *, tail: float = _TAIL, is_cut: bool = True
) -> tuple[float, float]:
    """Return the ends of an axis that shows the core of the data and all rows that are not far from it.

    Shapes: values (n,), one coordinate of the rows; weights (n,), at least 0, of sum 1. The core holds all
    weight but the share `tail` on either side; of groups too far apart for one picture, it is cut to that of
    the most weight.

    Examples
    --------
    >>> import numpy as np
    >>> frame(np.array([0.0, 1.0, 1e6]), np.array([0.5, 0.5, 0.0]), 1.0)
    (-3.5, 4.5)
    >>> frame(np.array([0.0, 1.0, 1e6]), np.array([0.3, 0.3, 0.4]), 1.0)
    (-3.5, 4.5)
    """
    import numpy as np

    margin = _MARGIN * bandwidth
    order = np.argsort(values)
    places = np.searchsorted(np.cumsum(weights[order]), [tail, 1 - tail])
    first, last = np.minimum(places, len(values) - 1).tolist()
    core = values[order][first : last + 1]
    if is_cut:
        core = _heaviest_group(core, weights[order][first : last + 1], bandwidth)
    low, high = float(core[0]) - margin, float(core[-1]) + margin
    slack = (_STRETCH - 1) / 2 * (high - low)
    near = values[(values >= low - slack) & (values <= high + slack)]
    low, high = float(near.min()) - margin, float(near.max()) + margin
    if not _NARROWEST <= high - low <= _WIDEST:
        raise InvalidInput(
            f"must have columns between {_NARROWEST:g} and {_WIDEST:g} wide for a picture",
            where="X",
            value=high - low,
            remedy="rescale the columns",
        )
    return low, high


def _heaviest_group(ascending: Floats, weights: Floats, bandwidth: float) -> Floats:
    """Return all values, or those between wide gaps that weigh most, where a picture of all shows none."""
    import numpy as np

    while True:
        width = float(ascending[-1] - ascending[0])
        gaps = np.flatnonzero(np.diff(ascending) > _GAP * width)
        if width <= _LARGEST_SIDE * bandwidth or not len(gaps):
            return ascending
        group = np.searchsorted(gaps, np.arange(len(ascending)), side="left")
        chosen = group == np.argmax(np.bincount(group, weights))
        ascending, weights = ascending[chosen], weights[chosen]


def line_grid(values: Floats, weights: Floats, bandwidth: float, low: float, high: float) -> Floats:
    """Return ascending points between the ends, closer around the rows of positive weight, shape (m,)."""
    import numpy as np

    even = np.linspace(low, high, _LINE_POINTS)
    kept = np.unique(values[weights > 0])
    if len(kept) * _BUMP_POINTS > _MOST_BUMP_POINTS:
        return even
    around = bandwidth * np.linspace(-_MARGIN, _MARGIN, _BUMP_POINTS)
    points = np.union1d(even, (kept[:, np.newaxis] + around).ravel())
    return points[(points >= low) & (points <= high)]


def grid_side(rows: int) -> int:
    """Return how many points a side of the plane's grid has for so many rows.

    Examples
    --------
    >>> grid_side(272), grid_side(10_000_000)
    (241, 61)
    """
    return max(_LEAST_SIDE, min(_LARGEST_SIDE, int((_EVALUATIONS / max(rows, 1)) ** (1 / 2))))


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """A density on a grid in the plane.

    Attributes
    ----------
    across, up : ndarray, shape (s,)
        The coordinates of the points.
    density : ndarray, shape (s, s)
        By rows from the lowest.
    """

    across: Floats
    up: Floats
    density: Floats

    @classmethod
    def of(cls, mixture: ScaledMixture, weights: Floats, ends: Sequence[tuple[float, float]]) -> Grid:
        """Evaluate a density between the ends of both axes."""
        import numpy as np

        side = grid_side(int((weights > 0).sum()))
        across, up = (np.linspace(*end, side) for end in ends)
        points = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
        return cls(across, up, mixture.density(weights, points).reshape(side, side))

    def resolves(self, widths: Sequence[float]) -> bool:
        """Tell whether neighbouring points are no farther apart than the bandwidth along each axis."""
        steps = self.across[1] - self.across[0], self.up[1] - self.up[0]
        return all(step <= width for step, width in zip(steps, widths, strict=True))

    @property
    def cells(self) -> tuple[Floats, float]:
        """The density at the points, and the area that belongs to each."""
        return self.density, float((self.across[1] - self.across[0]) * (self.up[1] - self.up[0]))


def overlap(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """Return what two intervals have in common, the second one where that is nothing.

    Examples
    --------
    >>> overlap((0.0, 2.0), (1.0, 5.0)), overlap((0.0, 1.0), (2.0, 3.0))
    ((1.0, 2.0), (2.0, 3.0))
    """
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low < high else second


def outside(values: Floats, ends: tuple[float, float]) -> NDArray[np.bool_]:
    """Tell which values lie beyond the ends of an axis, shape (n,)."""
    return (values < ends[0]) | (values > ends[1])


def with_hidden(text: str, hidden: NDArray[np.bool_], frame: str = "the frame") -> str:
    """Return the text of a legend, which ends in a bracket, with the number of rows that are not shown.

    Examples
    --------
    >>> import numpy as np
    >>> with_hidden("row (black)", np.array([False])), with_hidden("row (black)", np.array([True, False]))
    ('row (black)', 'row (black; 1 beyond the frame)')
    """
    count = int(hidden.sum())
    return f"{text.removesuffix(')')}; {count} beyond {frame})" if count else text


def count_label(count: int) -> str:
    """Return what a legend calls the rows of weight 0, which need not be those that are labelled as outliers.

    Examples
    --------
    >>> count_label(1), count_label(5)
    ('1 row of weight 0 (its label may differ)', '5 rows of weight 0 (labels may differ)')
    """
    several = f"{count} rows of weight 0 (labels may differ)"
    return several if count > 1 else "1 row of weight 0 (its label may differ)"


def share_levels(density: Floats, cell: float, shares: Sequence[float]) -> list[tuple[float, float]]:
    """Return the densities whose contours enclose shares of the probability, ascending, each with its share.

    Result: level, strictly ascending, and share.

    Examples
    --------
    >>> import numpy as np
    >>> share_levels(np.array([0.1, 0.5, 0.2]), 1.0, (0.5, 0.7, 0.99))
    [(0.2, 0.7), (0.5, 0.5)]
    """
    import numpy as np

    falling = np.sort(density, axis=None)[::-1]
    inside = np.cumsum(falling) * cell
    found: dict[float, float] = {}
    for share in sorted(shares):
        place = int(np.searchsorted(inside, share))
        if place < len(falling) and falling[place] > 0:
            # Of two shares within one cell the smaller is kept.
            found.setdefault(float(falling[place]), share)
    return sorted(found.items())

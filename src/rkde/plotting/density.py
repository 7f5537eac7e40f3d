"""A density on the line: its curve, the curve with equal weights, and the rows with their weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput
from rkde.plotting.grids import (
    ROW_BY_LENGTH,
    ScaledMixture,
    count_label,
    frame,
    line_grid,
    outside,
    side_lengths,
    with_hidden,
)
from rkde.plotting.style import BLUE, EQUAL_WEIGHTS, GREY, draw_crosses, legend_below, new_axes, with_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from rkde.fast._float64 import Floats, TableLike
    from rkde.fast.bandwidth import Scaling
    from rkde.fast.kernels import Kernel

# Shares of the height of the curve: the strip for the rows below zero, and room above.
_STRIP: Final = 0.18
_ROOM: Final = 1.08


def plot_density(
    X: TableLike,
    kernel: Kernel,
    weights: ArrayLike,
    *,
    name: str = "x",
    unit: str = "",
    compare: bool = True,
    scaling: Scaling | None = None,
    limits: tuple[float, float] | None = None,
    axes: Axes | None = None,
) -> Axes:
    """Draw a density of one variable above its rows.

    Below zero stands a line for each row, whose length shows its weight; a cross is a row of weight 0. Rows
    that lie very far from the others are not shown but counted in the legend.

    Parameters
    ----------
    X : table, shape (n, 1)
        The rows.
    kernel : Kernel
        With its bandwidth.
    weights : array_like, shape (n,)
        At least 0, of sum 1.
    name, unit : str
        Of the variable, for the axes.
    compare : bool
        Whether to draw the density with weights 1/n, too: wrong where rows of weight 0 are missing from X.
    scaling : Scaling, optional
        The coordinates that the bandwidth belongs to (`Rkde.scaling`), where they are not those of the data.
    limits : (float, float), optional
        The ends of the axis, ascending; by default all rows but those far from the weight.
    axes : matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidInput, InvalidType
        Not one column, or no weights.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> from rkde.fast import rkde
    >>> model = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> axes = plot_density(model.X, model.kernel, model.weights, name="length", unit="mm")
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('length [mm]', 'density [1/mm]')
    """
    import numpy as np

    from rkde.fast._float64 import as_table, as_weights

    rows = as_table(X)
    if rows.shape[1] != 1:
        raise InvalidInput(
            "must have one column", where="X", value=rows.shape[1], remedy="use plot_contours for two columns"
        )
    shares = as_weights(weights, len(rows))
    drawn = axes if axes is not None else new_axes()[0]
    values = rows[:, 0]
    width = side_lengths(kernel, scaling, 1)[0]
    low, high = frame(values, shares, width) if limits is None else limits
    points = line_grid(values, shares, width, low, high)
    height = _curves(drawn, ScaledMixture(rows, kernel, scaling), shares, points, compare=compare)
    _rows(drawn, values, shares, height, (low, high))
    drawn.axhline(0, color=GREY, linewidth=0.8)
    drawn.set(xlim=(low, high), ylim=(-_STRIP * height, _ROOM * height))
    drawn.set_xlabel(with_unit(name, unit))
    drawn.set_ylabel(f"density [1/{unit}]" if unit else f"density [1 / unit of {name}]")
    drawn.set_yticks(
        [tick for tick in np.asarray(drawn.get_yticks()).tolist() if 0 <= tick <= height * _ROOM]
    )
    legend_below(drawn)
    return drawn


def _curves(axes: Axes, mixture: ScaledMixture, weights: Floats, points: Floats, *, compare: bool) -> float:
    """Draw one or two curves and return the height of the higher one."""
    import numpy as np

    at = points[:, np.newaxis]
    robust = mixture.density(weights, at)
    axes.plot(points, robust, color=BLUE, linewidth=1.8, label="robust density")
    axes.fill_between(points, robust, color=BLUE, alpha=0.12, linewidth=0)
    if not compare:
        return float(robust.max())
    plain = mixture.density(np.full(len(weights), 1 / len(weights)), at)
    axes.plot(points, plain, color=GREY, linewidth=1.2, linestyle="--", label=EQUAL_WEIGHTS)
    return float(max(robust.max(), plain.max()))


def _rows(axes: Axes, values: Floats, weights: Floats, height: float, ends: tuple[float, float]) -> None:
    """Draw the rows in the strip below zero."""
    import numpy as np

    kept = weights > 0
    floor = -_STRIP * height
    lengths = weights[kept] / weights.max() * 0.8 * _STRIP * height
    beyond = outside(values, ends)
    axes.vlines(
        values[kept],
        0.95 * floor,
        0.95 * floor + lengths,
        color=BLUE,
        linewidth=0.8,
        label=with_hidden(ROW_BY_LENGTH, beyond[kept]),
    )
    if not kept.all():
        gone = values[~kept]
        label = with_hidden(count_label(len(gone)), beyond[~kept])
        heights = np.full(len(gone), floor / 2)
        draw_crosses(axes, gone, heights, label)

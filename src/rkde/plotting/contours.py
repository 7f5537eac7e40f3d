"""A density in the plane: contours around shares of the probability, and rows as circles sized by weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput
from rkde.plotting.grids import (
    ROW_BY_AREA,
    Grid,
    ScaledMixture,
    count_label,
    frame,
    outside,
    overlap,
    share_levels,
    side_lengths,
    with_hidden,
)
from rkde.plotting.style import GREY, UNIFORM_AREA, draw_crosses, legend_below, new_axes, with_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from rkde.fast._float64 import Floats, TableLike
    from rkde.fast.bandwidth import Scaling
    from rkde.fast.kernels import Kernel

SHARES: Final = (0.5, 0.8, 0.95, 0.99)
# Dark where the density is high; its lightest part would be lost on white.
_COLOURS: Final = "cividis_r"
_LIGHTEST: Final = 0.35
# Line widths from the outermost contour to the innermost, so that colour alone tells nothing.
_WIDTHS: Final = (0.8, 2.2)
# More pieces than this a contour leave no room for labels on the lines; the legend has them in any event.
_LABELLED_PIECES: Final = 4
# A label's place in the order of drawing, and the width and opacity of the white around its letters.
_ABOVE_ROWS: Final = 5
_HALO: Final = 2.5
_HALO_ALPHA: Final = 0.7
# Lines and rows stay legible on filled areas.
_FILL_ALPHA: Final = 0.5


def plot_contours(
    X: TableLike,
    kernel: Kernel,
    weights: ArrayLike,
    *,
    names: tuple[str, str] = ("x1", "x2"),
    units: tuple[str, str] = ("", ""),
    shares: Sequence[float] = SHARES,
    scaling: Scaling | None = None,
    limits: tuple[tuple[float, float], tuple[float, float]] | None = None,
    filled: bool = False,
    labels: bool = False,
    axes: Axes | None = None,
) -> Axes:
    """Draw a density of two variables and its rows.

    The legend names a contour by the probability inside: it bounds the smallest region that holds so much.
    The area of a circle shows the weight of its row; a cross is a row of weight 0. Rows that lie very far
    from the others are not shown but counted in the legend.

    Parameters
    ----------
    X : table, shape (n, 2)
        The rows.
    kernel : Kernel
        With its bandwidth.
    weights : array_like, shape (n,)
        At least 0, of sum 1.
    names, units : pair of str
        Of the variables, for the axes.
    shares : sequence of float
        The probabilities; one that reaches beyond the frame is left out, and each may be wrong by as much as
        the rows beyond the frame weigh.
    scaling : Scaling, optional
        The coordinates that the bandwidth belongs to (`Rkde.scaling`), where they are not those of the data.
    limits : pair of (float, float), optional
        Ends of both axes, to compare pictures; by default all rows are shown that are not very far.
    filled : bool
        Whether to fill the areas between contours.
    labels : bool
        Whether to write the shares on the contours too, where few pieces leave room.
    axes : matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    InvalidInput, InvalidType
        Not two columns, or no weights.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    Evaluates the density on a grid of 61 to 241 points a side, fewer the more rows there are.

    Examples
    --------
    >>> from rkde.fast import rkde
    >>> model = rkde([[0.0, 0.0], [1.0, 0.2], [0.3, 1.0], [0.9, 1.1], [9.0, 9.0]], bandwidth=0.8)
    >>> axes = plot_contours(model.X, model.kernel, model.weights, units=("cm", "cm"))
    >>> axes.get_xlabel(), axes.get_ylabel()
    ('x1 [cm]', 'x2 [cm]')
    """
    from rkde.fast._float64 import as_table, as_weights

    rows = as_table(X)
    if rows.shape[1] != len(names):
        raise InvalidInput(
            f"must have {len(names)} columns",
            where="X",
            value=rows.shape[1],
            remedy="pass two columns, or use plot_density for one",
        )
    masses = as_weights(weights, len(rows))
    drawn = axes if axes is not None else new_axes()[0]
    widths = side_lengths(kernel, scaling, len(names))
    ends = [frame(rows[:, axis], masses, widths[axis]) for axis in (0, 1)]
    shown = list(limits) if limits is not None else ends
    _rows(drawn, rows, masses, shown)
    # First the frame: the labels on the contours are placed by it.
    drawn.set(xlim=shown[0], ylim=shown[1])
    mixture = ScaledMixture(rows, kernel, scaling)
    over = [overlap(end, limit) for end, limit in zip(ends, shown, strict=True)]
    near, whole = Grid.of(mixture, masses, over), Grid.of(mixture, masses, ends)
    # The shares are those of all that the rows need, however little of it is shown, unless that is so wide
    # that a grid over it would miss the bumps, or is of another group than the one shown.
    is_shown = all(
        low < right and left < high for (low, high), (left, right) in zip(ends, shown, strict=True)
    )
    levels = share_levels(*(whole if is_shown and whole.resolves(widths) else near).cells, shares)
    _contours(drawn, near, levels, shares, filled=filled, labels=labels)
    if not near.resolves(widths):
        drawn.plot([], [], " ", label="coarse: the bandwidth is too small to show")
    drawn.set_xlabel(with_unit(names[0], units[0]))
    drawn.set_ylabel(with_unit(names[1], units[1]))
    legend_below(drawn)
    return drawn


def _contours(
    axes: Axes,
    grid: Grid,
    levels: list[tuple[float, float]],
    shares: Sequence[float],
    *,
    filled: bool,
    labels: bool,
) -> None:
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.patheffects import withStroke

    if not levels:
        inside = float(grid.density.sum()) * grid.cells[1]
        axes.plot([], [], " ", label=f"no contour: {inside:.0%} of the probability is here")
        return
    # A share has its colour and width whatever other shares are there.
    places = [sorted(shares, reverse=True).index(share) for _, share in levels]
    colours = colormaps[_COLOURS](np.linspace(_LIGHTEST, 1, len(shares)))[places]
    widths = np.linspace(*_WIDTHS, len(shares))[places].tolist()
    heights = [level for level, _ in levels]
    if filled:
        bands = [*heights, np.inf]
        axes.contourf(grid.across, grid.up, grid.density, bands, colors=colours, alpha=_FILL_ALPHA, zorder=0)
    lines = axes.contour(grid.across, grid.up, grid.density, heights, colors=colours, linewidths=widths)
    texts = {level: f"{share:.0%}" for level, share in levels}
    for level, colour, width in zip(heights, colours, widths, strict=True):
        axes.plot([], [], color=colour, linewidth=width, label=f"around {texts[level]} of the probability")
    if labels and max(len(pieces) for pieces in lines.allsegs) <= _LABELLED_PIECES:
        for text in axes.clabel(lines, fmt=texts, fontsize="small"):
            # Rows would make it illegible, and must not vanish behind it.
            halo = withStroke(linewidth=_HALO, foreground="white", alpha=_HALO_ALPHA)
            text.set(zorder=_ABOVE_ROWS, path_effects=[halo])


def _rows(axes: Axes, rows: Floats, weights: Floats, ends: list[tuple[float, float]]) -> None:
    kept = weights > 0
    beyond = outside(rows[:, 0], ends[0]) | outside(rows[:, 1], ends[1])
    axes.scatter(
        rows[kept, 0],
        rows[kept, 1],
        s=UNIFORM_AREA * len(rows) * weights[kept],
        facecolors="none",
        edgecolors=GREY,
        linewidths=0.7,
        label=with_hidden(ROW_BY_AREA, beyond[kept]),
    )
    if not kept.all():
        label = with_hidden(count_label(int((~kept).sum())), beyond[~kept])
        gone = rows[~kept]
        draw_crosses(axes, gone[:, 0], gone[:, 1], label)

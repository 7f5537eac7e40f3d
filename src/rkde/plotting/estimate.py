"""A fitted estimate as one picture: a curve, contours, or its columns and their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput
from rkde.plotting.contours import SHARES, plot_contours
from rkde.plotting.density import plot_density
from rkde.plotting.grids import (
    ROW_BY_AREA,
    ROW_BY_LENGTH,
    count_label,
    frame,
    outside,
    side_lengths,
    with_hidden,
)
from rkde.plotting.style import EQUAL_WEIGHTS, PAGE_WIDTH, legend_of_figure, new_figure

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from rkde.fast import Rkde
    from rkde.fast._float64 import Floats
    from rkde.fast.bandwidth import Scaling

# Inches: the height of one row of panels with its legend, and the side of one of many.
_HEIGHT: Final = 4.4
_SMALL_SIDE: Final = 2.2
# Of more columns a panel would be too small to read.
MOST_COLUMNS: Final = 6
# Characters of the name of a column, and steps between numbers, on a panel and on one of many.
_LONGEST_NAME: Final = 30
_LONGEST_OF_MANY: Final = 20
_TICKS: Final = 4
_TICKS_OF_MANY: Final = 3
# Powers of ten between which the numbers beside an axis are written out.
_PLAIN_TICKS: Final = (-3, 5)
# Up to this share of the rows at either end of an axis may lie beyond the frame if they have no weight; a
# larger group that lost its weight is shown.
_LOST_TAIL: Final = 0.1
# A frame so many times as wide as what carries the weight shows nothing of it.
_FARTHEST: Final = 100.0


@dataclass(frozen=True, slots=True)
class _View:
    """What is drawn: an estimate, its columns that are shown, their labels, and whether equal weights too."""

    model: Rkde
    columns: tuple[int, ...]
    names: tuple[str, ...]
    units: tuple[str, ...]
    compare: bool
    filled: bool
    frames: dict[int, tuple[float, float]]

    def beyond(self) -> NDArray[np.bool_]:
        """Tell which rows lie beyond the frame of a column, shape (n,)."""
        import numpy as np

        rows = self.model.rows()
        hidden = [outside(rows[:, column], ends) for column, ends in self.frames.items()]
        return np.asarray(np.any(hidden, axis=0), np.bool_)

    def shares(self) -> tuple[float, ...]:
        """Return the probabilities of the contours, of what the frames show where that is little."""
        import numpy as np

        uniform = np.full(len(self.model.weights), 1 / len(self.model.weights))
        shown = ~self.beyond()
        held = float(min(self.model.weights[shown].sum(), uniform[shown].sum()))
        return SHARES if held > SHARES[1] else tuple(round(share * held, 2) for share in SHARES)

    def rows(self, columns: Sequence[int]) -> Floats:
        """Return some columns of the rows, in units of the data."""
        return self.model.rows()[:, list(columns)]

    def scaling(self, columns: Sequence[int]) -> Scaling | None:
        """Return the scaling of some columns; one that mixes columns as it is, which no picture takes."""
        scaling = self.model.scaling
        if scaling is None or scaling.scale.ndim > 1:
            return scaling
        chosen = list(columns)
        return replace(scaling, centre=scaling.centre[chosen], scale=scaling.scale[chosen])

    def label(self, column: int) -> tuple[str, str]:
        """Return the name and the unit of a column that is shown."""
        place = self.columns.index(column)
        name, most = self.names[place], _LONGEST_NAME if len(self.columns) <= 2 else _LONGEST_OF_MANY
        return name if len(name) <= most else f"{name[: most - 1]}…", self.units[place]


def plot_estimate(
    model: Rkde,
    *,
    columns: Sequence[int] | None = None,
    names: Sequence[str] | None = None,
    units: Sequence[str] | None = None,
    compare: bool = True,
    filled: bool = False,
    figure: Figure | None = None,
) -> Figure:
    """Draw an estimate with its rows: one column as a curve, two as contours, more as columns and pairs.

    The frame shows the rows that carry the weight and those near them; what lies beyond is counted in the
    legend. A group of more than a tenth of the rows that lost its weight is shown too.

    Parameters
    ----------
    model : Rkde
        The estimate.
    columns : sequence of int, optional
        Which columns to show, from 0, at most 6; by default all. Of an estimate in more columns the marginal
        density is drawn, which has no closed form for a Laplacian kernel.
    names, units : sequence of str, optional
        Of the columns shown, for the axes; by default the names that the estimate knows.
    compare : bool
        Whether to draw the estimate that gives all rows the same weight, too (one column or two).
    filled : bool
        Whether to fill the areas between contours.
    figure : matplotlib Figure, optional
        An empty one to draw into; by default a new one of pyplot.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    InvalidInput
        No columns or more than six, a marginal without a closed form, or columns that are scaled jointly.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> from rkde.fast import rkde
    >>> model = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> figure = plot_estimate(model, names=["length"], units=["mm"])
    >>> figure.axes[0].get_title().splitlines()
    ['robust density', 'bandwidth 1 (given)']
    """
    shown = tuple(range(model.X.shape[1])) if columns is None else tuple(columns)
    _check_columns(model, shown)
    known = model.columns or tuple(f"column {column + 1}" for column in range(model.X.shape[1]))
    labels = tuple(names) if names is not None else tuple(known[column] for column in shown)
    marks = tuple(units) if units is not None else ("",) * len(shown)
    for where, given in (("names", labels), ("units", marks)):
        if len(given) != len(shown):
            raise InvalidInput(
                f"must have one entry for each of the {len(shown)} columns shown",
                where=where,
                value=list(given),
                remedy="give one for each",
            )
    # Equal weights beside equal weights would show the same twice.
    view = _View(
        model, shown, labels, marks, compare and model.loss.name != "quadratic", filled, _frames(model, shown)
    )
    drawn = figure if figure is not None else new_figure()
    if len(shown) == 1:
        _line(drawn, view)
    elif len(shown) == 2:
        _plane(drawn, view)
    else:
        _pairs(drawn, view)
    return drawn


def title_of(model: Rkde, shown: int) -> str:
    """Return the title of a picture of so many columns: what is drawn, and with which bandwidth."""
    kind = EQUAL_WEIGHTS if model.loss.name == "quadratic" else "robust density"
    width = model.X.shape[1]
    marginal = f", marginal of {width} columns" if shown < width else ""
    if shown > 2:
        marginal = f", {shown}" + (f" of {width}" if shown < width else "") + " columns and their pairs"
    rule = model.bandwidth_rule or "given"
    scaled = " in scaled columns" if model.scaling is not None else ""
    return f"{kind}{marginal}\nbandwidth {model.bandwidth:.3g} ({rule}){scaled}"


def _check_columns(model: Rkde, columns: tuple[int, ...]) -> None:
    width = model.X.shape[1]
    if not 1 <= len(columns) <= MOST_COLUMNS:
        raise InvalidInput(
            f"must have between 1 and {MOST_COLUMNS} entries",
            where="columns",
            value=len(columns),
            remedy="choose some of the columns",
        )
    for column in columns:
        if not 0 <= column < width or columns.count(column) > 1:
            raise InvalidInput(
                f"must be distinct numbers from 0 to {width - 1}",
                where="columns",
                value=list(columns),
                remedy="use each column once, counted from 0",
            )
    # Of more than two columns each panel is a marginal.
    is_marginal = min(len(columns), 2) < width or len(columns) > 2
    if is_marginal and model.kernel.name == "laplacian":
        raise InvalidInput(
            "must be Gaussian or Student, whose marginals have closed forms",
            where="kernel",
            value=model.kernel.name,
            remedy="fit only the columns to be shown, one or two",
        )


def _line(figure: Figure, view: _View) -> None:
    figure.set_size_inches(PAGE_WIDTH, _HEIGHT)
    axes = figure.subplots()
    _curve(axes, view, view.columns[0])
    axes.set_title(title_of(view.model, 1), fontsize="medium")


def _plane(figure: Figure, view: _View) -> None:
    """Draw the robust density in the plane, and on demand the plain one in the same frame beside it."""
    import numpy as np

    figure.set_size_inches(PAGE_WIDTH, _HEIGHT)
    panels = figure.subplots(1, 2 if view.compare else 1, squeeze=False)[0]
    _contours(panels[-1], view, view.columns, view.model.weights)
    kind, bandwidth = title_of(view.model, 2).split("\n")
    panels[-1].set_title(kind, fontsize="medium")
    figure.suptitle(bandwidth, fontsize="medium")
    if view.compare:
        size = len(view.model.weights)
        _contours(panels[0], view, view.columns, np.full(size, 1 / size))
        panels[0].set_title(EQUAL_WEIGHTS, fontsize="medium")
    for axes in panels:
        axes.get_legend().remove()
    legend_of_figure(figure, panels[-1:], columns=3 if view.compare else 2)


def _pairs(figure: Figure, view: _View) -> None:
    """Draw each column on the diagonal and each pair below it, with one legend for all."""
    count = len(view.columns)
    figure.set_size_inches(_SMALL_SIDE * count + 0.6, _SMALL_SIDE * count + 0.9)
    panels = figure.subplots(count, count, squeeze=False)
    for below, beside in ((i, j) for i in range(count) for j in range(count)):
        axes = panels[below, beside]
        if beside > below:
            axes.set_axis_off()
            continue
        if beside == below:
            _curve(axes, view, view.columns[below])
            axes.set(ylabel="", yticks=[])
        else:
            pair = (view.columns[beside], view.columns[below])
            _contours(axes, view, pair, view.model.weights)
        axes.get_legend().remove()
        axes.label_outer()
        axes.tick_params(labelsize="small")
    for axes in (panels[1, 0], panels[0, 0]):
        _count_beyond(axes, view)
    legend_of_figure(figure, (panels[1, 0], panels[0, 0]))
    figure.suptitle(title_of(view.model, count), fontsize="medium")


def _count_beyond(axes: Axes, view: _View) -> None:
    """Let a legend say how many rows lie beyond the frame of a column, whichever panels it is taken from."""
    beyond, kept = view.beyond(), view.model.weights > 0
    rows = {ROW_BY_AREA: kept, ROW_BY_LENGTH: kept, count_label(int((~kept).sum())): ~kept}
    for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
        for text, chosen in rows.items():
            if label.startswith(text.removesuffix(")")):
                handle.set_label(with_hidden(text, beyond[chosen], "a frame"))


def _curve(axes: Axes, view: _View, column: int) -> None:
    name, unit = view.label(column)
    plot_density(
        view.rows([column]),
        view.model.kernel,
        view.model.weights,
        name=name,
        unit=unit,
        compare=view.compare,
        scaling=view.scaling([column]),
        limits=view.frames[column],
        axes=axes,
    )
    if len(view.columns) > 2:
        axes.locator_params(axis="x", nbins=_TICKS_OF_MANY)


def _contours(axes: Axes, view: _View, columns: tuple[int, ...], weights: Floats) -> None:
    (first, first_unit), (second, second_unit) = (view.label(column) for column in columns)
    plot_contours(
        view.rows(columns),
        view.model.kernel,
        weights,
        names=(first, second),
        units=(first_unit, second_unit),
        scaling=view.scaling(columns),
        shares=view.shares(),
        limits=(view.frames[columns[0]], view.frames[columns[1]]),
        filled=view.filled,
        axes=axes,
    )
    axes.locator_params(axis="x", nbins=_TICKS if len(view.columns) == 2 else _TICKS_OF_MANY)
    axes.ticklabel_format(axis="y", scilimits=_PLAIN_TICKS)


def _frames(model: Rkde, columns: Sequence[int]) -> dict[int, tuple[float, float]]:
    """Return the ends of each axis; where one leaves out a far group, the next are about the other rows."""
    import numpy as np

    rows, weights = model.rows(), model.weights
    sides = side_lengths(model.kernel, model.scaling, rows.shape[1])
    inside = np.ones(len(rows), np.bool_)
    found: dict[int, tuple[float, float]] = {}
    for column in columns:
        values = rows[:, column]
        found[column] = _frame(values[inside], weights[inside], sides[column])
        hidden = inside & outside(values, found[column])
        if weights[hidden].sum() > _LOST_TAIL * weights[inside].sum():
            inside &= ~hidden
    return found


def _frame(values: Floats, weights: Floats, width: float) -> tuple[float, float]:
    """Return the ends of an axis: of the rows that carry the weight, and of a large group without any.

    Such a group is left out where it is too far for the others to be seen beside it.
    """
    import numpy as np

    low, high = frame(values, weights / weights.sum(), width)
    uniform = np.full(len(values), 1 / len(values))
    lost_low, lost_high = frame(values, uniform, width, tail=_LOST_TAIL, is_cut=False)
    both = min(low, lost_low), max(high, lost_high)
    return both if both[1] - both[0] <= _FARTHEST * (high - low) else (low, high)

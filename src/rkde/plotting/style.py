"""What all pictures share: matplotlib on demand, colours, labels with units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence, Sized

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rkde.fast._float64 import Floats

# Okabe and Ito's palette, made for every kind of colour vision.
BLUE: Final = "#0072B2"
VERMILLION: Final = "#D55E00"
GREEN: Final = "#009E73"
BLACK: Final = "#000000"
GREY: Final = "#666666"
# Colour and dash of each curve in turn, in every picture, so that colour alone tells nothing.
LINES: Final = ((BLACK, "-"), (BLUE, "--"), (VERMILLION, "-."), (GREEN, ":"))
# What a legend or a title calls the estimate without robustness.
EQUAL_WEIGHTS: Final = "plain density (equal weights)"
# Area, in square points, of a row that has the weight 1/n.
UNIFORM_AREA: Final = 16.0
# Area of the cross of a row without weight.
_CROSS_AREA: Final = 18.0
# Crosses are few and matter most: they lie above lines, which have 2, and below labels.
_ABOVE_LINES: Final = 3
# Inches of one panel, and the width of several: what a page shows without making the letters small.
_WIDTH: Final = 6.4
_HEIGHT: Final = 4.2
PAGE_WIDTH: Final = 7.4
# Inches of a letter of a legend, and of what stands before a label and between columns.
_LETTER: Final = 0.065
_HANDLE: Final = 0.65
# Height over width of a row of so many panels, a legend included.
_PANEL_SHAPE: Final = {2: 0.5, 3: 0.42}


def require_matplotlib() -> None:
    """Import matplotlib."""
    try:
        import matplotlib  # noqa: F401, ICN001 (only whether it is there)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'pictures need matplotlib, which is not installed; run: python -m pip install "rkde[plot]"',
            name="matplotlib",
        ) from error


def new_figure() -> Figure:
    """Return a new, empty figure of pyplot."""
    require_matplotlib()
    from matplotlib import pyplot as plt

    return plt.figure(layout="constrained")


def new_axes(columns: int = 1) -> list[Axes]:
    """Return the axes of a new figure of pyplot, side by side."""
    require_matplotlib()
    from matplotlib import pyplot as plt

    size = (_WIDTH, _HEIGHT) if columns == 1 else (PAGE_WIDTH, PAGE_WIDTH * _PANEL_SHAPE[columns])
    drawn = plt.subplots(1, columns, figsize=size, layout="constrained", squeeze=False)[1]
    return list(drawn[0])


def panels(given: Sequence[Axes] | None, count: int) -> list[Axes]:
    """Return the axes that were given, which must be so many, or new ones side by side."""
    drawn = list(given) if given is not None else new_axes(count)
    if len(drawn) != count:
        raise InvalidInput(
            f"must have {count} entries", where="axes", value=len(drawn), remedy=f"pass {count} axes"
        )
    return drawn


def require_few(given: Sized, where: str) -> None:
    """Refuse no curve, and more than can be told apart."""
    if not 1 <= len(given) <= len(LINES):
        raise InvalidInput(
            f"must have between 1 and {len(LINES)} entries",
            where=where,
            value=len(given),
            remedy=f"pass 1 to {len(LINES)} {where}",
        )


def draw_crosses(axes: Axes, across: Floats, up: Floats, label: str) -> None:
    """Draw the rows of weight 0."""
    axes.scatter(
        across,
        up,
        s=_CROSS_AREA,
        marker="x",
        color=VERMILLION,
        linewidths=1,
        zorder=_ABOVE_LINES,
        label=label,
    )


def legend_below(axes: Axes) -> None:
    """Put the legend under the axes, where it hides nothing."""
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False, fontsize="small")


def legend_of_figure(figure: Figure, axes: Sequence[Axes], columns: int = 2) -> None:
    """Put one legend under a figure, each label once."""
    found = {
        label: handle
        for drawn in axes
        for handle, label in zip(*drawn.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        list(found.values()),
        list(found),
        loc="outside lower center",
        ncols=_columns_that_fit(list(found), float(figure.get_size_inches()[0]), columns),
        frameon=False,
        fontsize="small",
    )


def _columns_that_fit(labels: Sequence[str], width: float, most: int) -> int:
    """Return how many columns of a legend are no wider than the figure, in inches, one at least."""
    for columns in range(most, 1, -1):
        # As matplotlib does: column by column, the first ones longer.
        sizes = [(len(labels) + columns - 1 - place) // columns for place in range(columns)]
        ends = [sum(sizes[: place + 1]) for place in range(columns)]
        longest = [
            max(map(len, labels[end - size : end]), default=0) for size, end in zip(sizes, ends, strict=True)
        ]
        if sum(_HANDLE + _LETTER * letters for letters in longest) <= width:
            return columns
    return 1


def with_unit(name: str, unit: str) -> str:
    """Return the label of an axis.

    Examples
    --------
    >>> with_unit("width", "cm"), with_unit("count", "")
    ('width [cm]', 'count')
    """
    return f"{name} [{unit}]" if unit else name

"""Why rows stand out: for each row, the surprise of each column as a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput
from rkde.plotting.style import BLUE, GREY, PAGE_WIDTH, VERMILLION, new_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rkde.fast import Explanation
    from rkde.fast._float64 import Floats

# More rows, or bars of a row, would be too small to read.
MOST_ROWS: Final = 6
MOST_BARS: Final = 12
# Inches of a bar, and of what stands around the bars of a row; panels beside each other.
_BAR: Final = 0.32
_AROUND: Final = 0.95
_BESIDE: Final = 2
# Room for the number at the end of the longest bar, as a share of its length.
_NUMBER_ROOM: Final = 0.3
# A nat is a factor of 2.7: less than three are no surprise.
_SURPRISING: Final = 3.0


def plot_explanation(
    explanation: Explanation,
    *,
    names: Sequence[str] | None = None,
    labels: Sequence[str] | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Draw the surprise of each column of each row, the most surprising on top.

    A bar says by how many nats the cell is less likely, given the others of its row, than that of a typical
    row; bars of 3 nats and more, a factor of 20, are dark.

    Parameters
    ----------
    explanation : Explanation
        What `rkde.explain` returned, of 1 to 6 rows.
    names : sequence of str, optional
        Of the columns; by default those that the explanation knows.
    labels : sequence of str, optional
        Of the rows, for the titles; by default their numbers.
    figure : matplotlib Figure, optional
        An empty one to draw into; by default a new one of pyplot.

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    InvalidInput
        No rows or more than six, or a number of names or labels that is not that of columns or rows.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    Of more than 12 columns the 12 most surprising ones are drawn.

    Examples
    --------
    >>> from rkde.fast import Gaussian, explain, kde
    >>> estimate = kde([[0.0, 0.0], [0.1, 0.1], [0.2, 0.2], [0.3, 0.3], [0.1, 2.0]], Gaussian(0.2))
    >>> figure = plot_explanation(explain(estimate, rows=[4]), names=["height", "mass"])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['mass', 'height']
    """
    count, width = explanation.surprise.shape
    if not 1 <= count <= MOST_ROWS:
        raise InvalidInput(
            f"must have between 1 and {MOST_ROWS} rows to be drawn",
            where="explanation",
            value=count,
            remedy=f"pass {MOST_ROWS} rows or fewer at a time",
        )
    known = explanation.columns or tuple(f"column {column}" for column in range(width))
    columns = _checked("names", names, known, "columns")
    places = range(count) if explanation.rows is None else explanation.rows.tolist()
    kind = "query" if explanation.rows is None else "row"
    titles = _checked("labels", labels, [f"{kind} {place}" for place in places], "rows")
    drawn = figure if figure is not None else new_figure()
    beside = min(count, _BESIDE)
    below = -(-count // beside)
    drawn.set_size_inches(PAGE_WIDTH, below * (_BAR * min(width, MOST_BARS) + _AROUND))
    panels = drawn.subplots(below, beside, squeeze=False).flat
    for index, panel in enumerate(panels):
        if index >= count:
            panel.set_axis_off()
            continue
        order = explanation.order[index, :MOST_BARS]
        named = [columns[int(column)] for column in order]
        _bars(panel, explanation.surprise[index, order], named)
        panel.set_title(titles[index], fontsize="medium")
    return drawn


def _checked(where: str, given: Sequence[str] | None, default: Sequence[str], what: str) -> Sequence[str]:
    if given is None:
        return default
    if len(given) != len(default):
        raise InvalidInput(
            f"must have one entry for each of the {len(default)} {what}",
            where=where,
            value=list(given),
            remedy="give one for each",
        )
    return given


def _bars(axes: Axes, surprises: Floats, names: Sequence[str]) -> None:
    import numpy as np

    places = range(len(names))
    is_surprising = surprises >= _SURPRISING
    finite = surprises[np.isfinite(surprises)]
    low, high = min([0.0, *finite.tolist()]), max([_SURPRISING, *finite.tolist()])
    # What is infinite is as long as the longest of the others.
    bars = axes.barh(places, np.clip(surprises, low, high), height=0.7, color=BLUE, alpha=0.5)
    for bar, dark in zip(bars, is_surprising, strict=True):
        if dark:
            bar.set(color=VERMILLION, alpha=1)
    axes.bar_label(bars, [f"{surprise:.1f}" for surprise in surprises + 0.0], padding=3, fontsize="small")
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.set_xlim(low - (_NUMBER_ROOM * (high - low) if low < 0 else 0), high + _NUMBER_ROOM * (high - low))
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("surprise [nats], given the others" if len(names) > 1 else "surprise [nats]")
    axes.spines[["top", "right"]].set_visible(False)

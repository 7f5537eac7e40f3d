"""ROC curves of several detectors in one picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rkde.plotting.style import GREY, LINES, legend_below, new_axes, require_few

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from rkde.fast import RocCurve


def plot_roc(curves: Mapping[str, RocCurve], *, axes: Axes | None = None) -> Axes:
    """Draw ROC curves and the line of a detector that guesses (section 6.2.3).

    Ties between rows of both classes make a slanting piece, whose area counts half, as in `rkde.fast.auc`.

    Parameters
    ----------
    curves : mapping of str to RocCurve
        For each label in the legend what `rkde.fast.roc_curve` returned; one to four.
    axes : matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib Axes
        The legend has the area under each curve, by the trapezoidal rule.

    Raises
    ------
    InvalidInput
        No curve, or more than four.
    ModuleNotFoundError
        matplotlib is not installed.

    Notes
    -----
    Drawing takes one point a distinct score.

    Examples
    --------
    >>> from rkde.fast import roc_curve
    >>> curve = roc_curve([3.0, 1.0, 2.0, 2.0], [1, 0, 0, 1])
    >>> axes = plot_roc({"my score": curve})
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['my score, area 0.875', 'guessing, area 0.5']
    """
    import numpy as np

    require_few(curves, "curves")
    drawn = axes if axes is not None else new_axes()[0]
    for (label, curve), (colour, dashes) in zip(curves.items(), LINES, strict=False):
        area = float(np.trapezoid(curve.true_positive_rate, curve.false_positive_rate))
        drawn.plot(
            curve.false_positive_rate,
            curve.true_positive_rate,
            color=colour,
            linestyle=dashes,
            linewidth=1.6,
            label=f"{label}, area {area:.3f}",
        )
    drawn.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, label="guessing, area 0.5")
    drawn.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
    drawn.set_xlabel("false positive rate [share of the normal rows]")
    drawn.set_ylabel("true positive rate [share of the outliers]")
    legend_below(drawn)
    return drawn

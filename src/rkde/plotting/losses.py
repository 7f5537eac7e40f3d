"""The functions of losses side by side: rho, psi and phi against the residual norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rkde.plotting.style import GREY, LINES, legend_below, legend_of_figure, panels, require_few

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

    from rkde.fast._float64 import Floats
    from rkde.fast.losses import Loss

FUNCTIONS: Final = ("rho", "psi", "phi")
_PEOPLE: Final = ("huber", "hampel")
_POINTS: Final = 601
# Dots are harder to see than dashes.
_WIDTH, _DOTTED_WIDTH = 1.6, 2.4
# How far beyond the last kink the curves go; without kinks and residuals, to this norm in tau.
_BEYOND: Final = 1.3
_DEFAULT_END: Final = 1.5
# Rows and kinks within this share of the largest are drawn alone, with so much of their spread around them.
_CLOSE: Final = 0.25
_MARGIN: Final = 0.15
# Where the short lines of rows stand, as a share of the height; intervals between ticks that have room.
_FOOT: Final = 0.025
_MOST_TICKS: Final = 3
# phi of the absolute loss is infinite at 0: its scale is taken from this share of the axis on.
_PHI_SHARE: Final = 0.2


def plot_losses(
    losses: Loss | Sequence[Loss], *, residual_norms: ArrayLike = (), axes: Sequence[Axes] | None = None
) -> list[Axes]:
    """Draw rho, psi and phi of one or more losses (section 2); kinks are dots.

    Parameters
    ----------
    losses : Loss or sequence of Loss
        At most four, with thresholds in tau.
    residual_norms : array_like, shape (n,)
        In tau: short lines at the foot of each axis show where the rows are.
    axes : sequence of three matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    list of matplotlib Axes
        For rho, psi and phi.

    Raises
    ------
    InvalidInput
        No loss or more than four, or not three axes.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> from rkde.fast import Hampel, Huber, Quadratic
    >>> panels = plot_losses([Quadratic(), Huber(0.5), Hampel(0.5, 0.8, 1.1)])
    >>> [panel.get_ylabel() for panel in panels]
    ['rho(t) [τ²]', 'psi(t) [τ]', 'phi(t) [1]']
    """
    import numpy as np

    chosen = list(losses) if isinstance(losses, Sequence) else [losses]
    require_few(chosen, "losses")
    drawn = panels(axes, len(FUNCTIONS))
    norms = np.asarray(residual_norms, dtype=np.float64)
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    start, end = _ends(chosen, norms)
    # The first point is not 0, where phi of the absolute loss is infinite.
    points = np.linspace(start, end, _POINTS)[1:]
    for panel, function in zip(drawn, FUNCTIONS, strict=True):
        _panel(panel, chosen, function, points)
        if len(norms):
            foot = np.full(len(norms), _FOOT)
            inside = panel.get_xaxis_transform()
            panel.plot(norms, foot, "|", color=GREY, markersize=6, label="rows", transform=inside)
        panel.set_xlim(start, end)
        panel.xaxis.set_major_locator(MaxNLocator(_MOST_TICKS))
        panel.set_xlabel("residual norm t [τ]")
        panel.set_ylabel(f"{function}(t){_unit(chosen, function)}")
    figure = drawn[0].get_figure()
    if isinstance(figure, Figure) and figure.get_constrained_layout() and set(figure.axes) == set(drawn):
        legend_of_figure(figure, drawn[:1], columns=3)
    else:
        legend_below(drawn[1])
    return drawn


def _ends(losses: Sequence[Loss], norms: Floats) -> tuple[float, float]:
    """Return the ends of the axis: from 0, or only where rows and kinks are, if these are close together."""
    shown = [*(corner for loss in losses for corner in loss.kinks), *norms.tolist()]
    farthest = max(shown, default=0.0)
    spread = farthest - min(shown, default=0.0)
    if len(norms) and 0 < spread < _CLOSE * farthest:
        return min(shown) - _MARGIN * spread, farthest + _MARGIN * spread
    return 0.0, _BEYOND * farthest if farthest > 0 else _DEFAULT_END


def _panel(axes: Axes, losses: Sequence[Loss], function: str, points: Floats) -> None:
    import numpy as np

    top = 0.0
    for loss, (colour, dash) in zip(losses, LINES, strict=False):
        values = getattr(loss, function)(points)
        width = _DOTTED_WIDTH if dash == ":" else _WIDTH
        axes.plot(points, values, color=colour, linestyle=dash, linewidth=width, label=_name(loss))
        corners = np.array(loss.kinks)
        if len(corners):
            axes.plot(
                corners, getattr(loss, function)(corners), "o", color=colour, markersize=4, clip_on=False
            )
        judged = values[points >= _PHI_SHARE * points[-1]] if function == "phi" else values
        top = max(top, float(judged.max()))
    if function == "phi":
        axes.set_ylim(0, 1.1 * max(top, 1))
    else:
        axes.set_ylim(bottom=0)


def _name(loss: Loss) -> str:
    """Return the label of a loss; those that are named after people begin with a capital."""
    corners = ", ".join(f"{letter} = {value:.5g}" for letter, value in zip("abc", loss.kinks, strict=False))
    name = loss.name.capitalize() if loss.name in _PEOPLE else loss.name
    return f"{name} ({corners})" if corners else name


def _unit(losses: Sequence[Loss], function: str) -> str:
    """Return the unit of a function in brackets; the absolute loss has units of its own."""
    usual = {"rho": "τ²", "psi": "τ", "phi": "1"}[function]
    absolute = {"rho": "τ", "psi": "1", "phi": "1/τ"}[function]
    names = {loss.name for loss in losses}
    if names == {"absolute"}:
        return f" [{absolute}]"
    return f" [{usual}; absolute: {absolute}]" if "absolute" in names else f" [{usual}]"

"""The descent of KIRWLS: the objective after each step, and the size of each decrease."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput
from rkde.plotting.style import BLUE, VERMILLION, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike

_PANELS: Final = 2
# Up to so many steps every one gets a dot.
_DOTS: Final = 60


def plot_path(
    objective_path: ArrayLike, *, unit: str = "τ²", status: str = "", axes: Sequence[Axes] | None = None
) -> list[Axes]:
    """Draw J after each step of KIRWLS, and on a logarithmic axis by how much each step lowers it.

    Parameters
    ----------
    objective_path : array_like, shape (n_iter + 1,)
        `objective_path` of a result: J before the first and after every step.
    unit : str
        Of J: "τ²", for the absolute loss "τ".
    status : str
        How the run ended, for the title.
    axes : sequence of two matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    list of matplotlib Axes
        For J and for the decrease. A step that does not lower J in float64 has no dot on the second.

    Raises
    ------
    InvalidInput
        No path, or not two axes.
    ModuleNotFoundError
        matplotlib is not installed.

    Examples
    --------
    >>> from rkde.fast import rkde
    >>> model = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> panels = plot_path(model.objective_path, status=model.status.value)
    >>> [panel.get_xlabel() for panel in panels]
    ['step', 'step']
    """
    import numpy as np

    path = np.asarray(objective_path, dtype=np.float64)
    if path.ndim != 1 or not len(path):
        raise InvalidInput(
            "must have shape (n,) with n at least 1",
            where="objective_path",
            value=path.shape,
            remedy="pass the objective_path of a result",
        )
    drawn = panels(axes, _PANELS)
    from matplotlib.ticker import MaxNLocator

    left, right = drawn
    steps = np.arange(len(path))
    dot = "o" if len(path) <= _DOTS else ""
    left.plot(steps, path, color=BLUE, marker=dot, markersize=4, linewidth=1.4)
    left.set(xlabel="step", ylabel=f"objective J [{unit}]")
    left.set_title(f"{len(path) - 1} steps" + (f", {status}" if status else ""), fontsize="medium")
    fall = path[:-1] - path[1:]
    falls = fall > 0
    right.plot(steps[1:][falls], fall[falls], color=VERMILLION, marker=dot, markersize=4, linewidth=1.4)
    if falls.any():
        right.set_yscale("log")
    right.set(xlabel="step", ylabel=f"decrease of J [{unit}]", xlim=left.get_xlim())
    right.set_title("by how much J falls in each step", fontsize="medium")
    for panel in drawn:
        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    return drawn

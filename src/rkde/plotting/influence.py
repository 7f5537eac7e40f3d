"""The influence function in one dimension, as a curve over x for one contaminating point x'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rkde.errors import InvalidInput
from rkde.plotting.grids import side_lengths
from rkde.plotting.style import GREY, LINES, legend_below, new_axes, with_unit

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

    from rkde.fast import Kernel, Loss
    from rkde.fast._float64 import TableLike
    from rkde.fast.bandwidth import Scaling

# The curves reach so many bandwidths beyond the outermost point.
_MARGIN: Final = 4.0
_POINTS: Final = 801


def plot_influence(
    X: TableLike,
    kernel: Kernel,
    x_new: float,
    losses: Mapping[str, Loss] | None = None,
    *,
    weights_init: ArrayLike | None = None,
    scaling: Scaling | None = None,
    name: str = "x",
    unit: str = "",
    axes: Axes | None = None,
) -> Axes:
    """Draw IF(x, x') as a function of x for several losses (section 5): who is moved by a point at x'.

    Parameters
    ----------
    X : array_like, shape (n, 1)
        The data.
    kernel : Kernel
        The kernel, of `rkde.fast`.
    x_new : float
        The contaminating point x'.
    losses : mapping of str to Loss, optional
        A loss for each label, up to four; by default the KDE, and Huber's and Hampel's loss with the
        thresholds of section 6.1.2.
    weights_init : array_like, shape (n,), optional
        Where KIRWLS starts, whose limits are the estimates; by default at f_med.
    scaling : Scaling, optional
        The coordinates that the bandwidth belongs to (`Rkde.scaling`), where they are not those of the data.
    name, unit : str
        Of the data, for the axis.
    axes : matplotlib Axes, optional
        Where to draw; by default in a new figure.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ModuleNotFoundError
        matplotlib is not installed.
    InvalidInput
        Data of several columns, or more than four losses.
    NotDifferentiable, SingularSystem, NotConverged, DegenerateThresholds
        As `rkde.fast.influence` and `rkde.fast.fixed_point`.

    Notes
    -----
    Where residuals lie on kinks of a loss, the derivative for s from above is drawn.

    Examples
    --------
    >>> from rkde.fast import Gaussian
    >>> axes = plot_influence([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], Gaussian(1.0), 4.0)
    >>> [line.get_label() for line in axes.get_lines()[:3]]
    ['KDE', 'Huber', 'Hampel']
    """
    import numpy as np

    from rkde.fast import fixed_point, influence, median_rkde
    from rkde.fast._float64 import as_number, as_table

    rows = as_table(X)
    if rows.shape[1] != 1:
        raise InvalidInput(
            "must have one column", where="X", value=rows.shape[1], remedy="pass data of one column"
        )
    point = as_number(x_new, where="x_new")
    inner = rows if scaling is None else scaling.apply(rows)
    median = median_rkde(inner, kernel)
    start = median.weights if weights_init is None else weights_init
    chosen = _default_losses(median.residual_norms) if losses is None else dict(losses)
    if len(chosen) > len(LINES):
        raise InvalidInput(
            f"must have at most {len(LINES)} entries, because more could not be told apart",
            where="losses",
            value=len(chosen),
            remedy="pass fewer losses",
        )
    drawn = new_axes()[0] if axes is None else axes
    places = _places(rows[:, 0], point, side_lengths(kernel, scaling, 1)[0])
    asked = [np.array([[point]]), places[:, np.newaxis]]
    x, queries = asked if scaling is None else [scaling.apply(part) for part in asked]
    for (label, loss), (colour, dashes) in zip(chosen.items(), LINES, strict=False):
        weights = median.weights
        if loss.name != "absolute":
            weights = fixed_point(inner, kernel, loss, weights_init=start).weights
        found = influence(inner, kernel, loss, weights, x, queries)
        drawn.plot(places, found.influence[0], color=colour, linestyle=dashes, label=label)
    _decorate(drawn, rows[:, 0], point)
    drawn.set_xlabel(with_unit(name, unit))
    return drawn


def _default_losses(median_norms: NDArray[np.float64]) -> dict[str, Loss]:
    from rkde.fast import Hampel, Huber, Quadratic, thresholds
    from rkde.fast.estimates import check_thresholds

    abc = thresholds(median_norms)
    check_thresholds(abc)
    return {"KDE": Quadratic(), "Huber": Huber(abc[0]), "Hampel": Hampel(*abc)}


def _places(values: NDArray[np.float64], point: float, bandwidth: float) -> NDArray[np.float64]:
    """Return where the curves are drawn: everywhere between the ends, and at x' itself."""
    import numpy as np

    low = min(float(values.min()), point) - _MARGIN * bandwidth
    high = max(float(values.max()), point) + _MARGIN * bandwidth
    return np.union1d(np.linspace(low, high, _POINTS), [point])


def _decorate(axes: Axes, values: NDArray[np.float64], point: float) -> None:
    import numpy as np

    axes.axhline(0, color=GREY, linewidth=0.8, zorder=0)
    axes.axvline(point, color=GREY, linewidth=0.8, zorder=0)
    axes.annotate(
        "x'", (point, 1), xycoords=("data", "axes fraction"), xytext=(4, -11), textcoords="offset points"
    )
    # The data, as ticks along the lower edge.
    axes.plot(
        values, np.zeros_like(values), "|", color=GREY, markersize=9, transform=axes.get_xaxis_transform(),
        clip_on=False, label=f"{len(values)} rows",
    )  # fmt: skip
    axes.set_ylabel("IF(x, x') [k(0, 0)]")
    legend_below(axes)

"""The pictures of `rkde plot`, drawn without a window and returned as the bytes of a file."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rkde.fast import Rkde
    from rkde.fast.bandwidth import Scaling

FORMATS: Final = ("png", "pdf", "svg")
# What each format would record of the moment of writing: equal inputs give equal files.
_NO_DATE: Final[dict[str, dict[str, None]]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
    "svg": {"Date": None},
}
_SIDE: Final = 4.6
_DOTS_PER_INCH: Final = 130


@dataclass(frozen=True, slots=True)
class Shown:
    """What is drawn of a fitted density.

    Attributes
    ----------
    fitted : Rkde
        The density.
    axes : tuple of int
        The columns of its rows that are shown, from 0.
    names : tuple of str
        Their names.
    complete : bool
        Whether its rows of weight 0 are there, so that it can be compared with equal weights.
    """

    fitted: Rkde
    axes: tuple[int, ...]
    names: tuple[str, ...]
    complete: bool


def picture(
    shown: Shown, kind: Literal["density", "loss", "path"], units: tuple[str, ...], file_format: str
) -> bytes:
    """Draw and return the content of a picture file."""
    from rkde.plotting import require_matplotlib

    require_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    if kind == "density":
        _density(figure, shown, units)
    elif kind == "loss":
        _loss(figure, shown.fitted)
    else:
        _path(figure, shown.fitted)
    return saved(figure, file_format)


def saved(figure: Figure, file_format: str) -> bytes:
    """Return the content of a picture file; equal pictures give equal files."""
    import matplotlib as mpl

    stream = io.BytesIO()
    # Without a salt, names inside an SVG file are random.
    with mpl.rc_context({"svg.hashsalt": "rkde"}):
        figure.savefig(stream, format=file_format, dpi=_DOTS_PER_INCH, metadata=_NO_DATE[file_format])
    return stream.getvalue()


def _density(figure: Figure, shown: Shown, units: tuple[str, ...]) -> None:
    from rkde.plotting import plot_density

    fitted = shown.fitted
    rows = fitted.rows()[:, list(shown.axes)]
    if len(shown.axes) > 1:
        _planes(figure, shown, units)
        return
    compared = _is_compared(shown)
    figure.set_size_inches(1.5 * _SIDE, _SIDE)
    axes = figure.subplots()
    axes.set_title(_title(shown), fontsize="medium")
    plot_density(
        rows,
        fitted.kernel,
        fitted.weights,
        name=shown.names[0],
        unit=units[0],
        compare=compared,
        scaling=_marginal_scaling(shown),
        limits=_frames(shown)[0] if compared else None,
        axes=axes,
    )


def _planes(figure: Figure, shown: Shown, units: tuple[str, ...]) -> None:
    """Draw the robust density in the plane, and where all rows are there, the plain one in the same frame."""
    import numpy as np

    from rkde.plotting import plot_contours

    fitted = shown.fitted
    rows = fitted.rows()[:, list(shown.axes)]
    names, both_units = (shown.names[0], shown.names[1]), (units[0], units[1])
    compared = _is_compared(shown)
    figure.set_size_inches((2.1 if compared else 1.2) * _SIDE, _SIDE)
    panels = figure.subplots(1, 2 if compared else 1, squeeze=False)[0]
    robust = panels[-1]
    frames = _frames(shown)
    limits = (frames[0], frames[1]) if compared else None
    scaling = _marginal_scaling(shown)
    plot_contours(
        rows,
        fitted.kernel,
        fitted.weights,
        names=names,
        units=both_units,
        scaling=scaling,
        limits=limits,
        axes=robust,
    )
    robust.set_title(_title(shown), fontsize="medium")
    if compared:
        uniform = np.full(len(rows), 1 / len(rows))
        plain = panels[0]
        plot_contours(
            rows,
            fitted.kernel,
            uniform,
            names=names,
            units=both_units,
            scaling=scaling,
            limits=limits,
            axes=plain,
        )
        plain.set_title("all rows weigh the same", fontsize="medium")


def _marginal_scaling(shown: Shown) -> Scaling | None:
    """Return the scaling of the columns shown; one that mixes columns as it is, which no picture takes."""
    scaling = shown.fitted.scaling
    if scaling is None or scaling.scale.ndim > 1:
        return scaling
    axes = list(shown.axes)
    return replace(scaling, centre=scaling.centre[axes], scale=scaling.scale[axes])


def _is_compared(shown: Shown) -> bool:
    """Tell whether equal weights can be shown beside the density, and are not what it has."""
    return shown.complete and shown.fitted.loss.name != "quadratic"


def _frames(shown: Shown) -> list[tuple[float, float]]:
    """Return the ends of each axis: what equal weights show, too, so that nothing lost goes unseen."""
    import numpy as np

    from rkde.plotting import frame, side_lengths

    fitted = shown.fitted
    rows = fitted.rows()
    uniform = np.full(len(rows), 1 / len(rows))
    widths = side_lengths(fitted.kernel, fitted.scaling, rows.shape[1])
    ends = []
    for column in shown.axes:
        both = [frame(rows[:, column], weights, widths[column]) for weights in (fitted.weights, uniform)]
        ends.append((min(low for low, _ in both), max(high for _, high in both)))
    return ends


def _title(shown: Shown) -> str:
    """Say what the picture leaves out."""
    width, share = shown.fitted.X.shape[1], shown.fitted.zero_weight_share
    text = "density, all rows weigh the same" if shown.fitted.loss.name == "quadratic" else "robust density"
    if len(shown.axes) < width:
        text += f", marginal of {width} columns"
    if not shown.complete and share:
        text += f"\n{share:.0%} of the rows had weight 0 and are not shown"
    return text


def _loss(figure: Figure, fitted: Rkde) -> None:
    from rkde.plotting import plot_losses

    figure.set_size_inches(3 * _SIDE, 0.85 * _SIDE)
    panels = list(figure.subplots(1, 3))
    plot_losses(fitted.loss, residual_norms=fitted.residual_norms, axes=panels)


def _path(figure: Figure, fitted: Rkde) -> None:
    from rkde.plotting import plot_path

    figure.set_size_inches(2 * _SIDE, 0.85 * _SIDE)
    unit = "τ" if fitted.loss.name == "absolute" else "τ²"
    panels = list(figure.subplots(1, 2))
    plot_path(fitted.objective_path, unit=unit, status=str(fitted.status), axes=panels)

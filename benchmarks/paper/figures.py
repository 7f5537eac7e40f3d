"""Figures 1 to 3 of the paper redrawn; Figure 4 has a file of its own."""

from pathlib import Path
from typing import Final

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import rkde.fast as rk
from benchmarks.paper.figures_data import HALF_FRAME, LINE, X_NEW, Line, Plane, in_the_plane, on_the_line
from benchmarks.paper.figures_roc import roc
from benchmarks.paper.figures_style import SMALL, STYLES, THIN, Style, legend, page_figure, save
from benchmarks.paper.methods import TITLES
from benchmarks.paper.sets import Table
from rkde.plotting import GREY, plot_losses


def draw_all(folder: Path, source: str = "auto") -> list[str]:
    """Write every figure; return the names of the files."""
    figures = {
        "losses.png": losses(),
        "contours.png": contours(),
        "influence.png": influence(),
        "roc.png": roc(source),
    }
    for name, figure in figures.items():
        save(figure, folder / name)
    return list(figures)


# Figure 1: all residual norms that are possible with a kernel that is not negative, in tau.
LARGEST_NORM: Final = 2**0.5
THRESHOLDS: Final = (0.5, 0.8, 1.1)


def losses() -> Figure:
    """Figure 1: rho, psi and phi of the quadratic, Huber's and Hampel's loss."""
    figure = page_figure(3.1)
    chosen: list[rk.Loss] = [rk.Quadratic(), rk.Huber(THRESHOLDS[0]), rk.Hampel(*THRESHOLDS)]
    for axes in plot_losses(chosen, axes=figure.subplots(1, 3)):
        axes.set_xlim(0, LARGEST_NORM)
        axes.set_xticks([0, *THRESHOLDS, LARGEST_NORM], ["0", *map(str, THRESHOLDS), "√2"])
    return figure


# Figure 2: contours at these densities, the highest ones dark and thick.
LEVELS: Final = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.06)
LIGHTEST: Final = 0.35
LINE_WIDTHS: Final = (0.8, 2.0)
# Every other contour has its density written on it, on a ray from the centre of so many degrees.
LABELLED: Final = {0.0003: 235.0, 0.003: 320.0, 0.03: 200.0}
LABEL_BOX: Final = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 0.5}
ABOVE_ROWS: Final = 4
TICKS: Final = (-5, 0, 5)


def contours() -> Figure:
    """Figure 2: contours of the truth, the KDE without and with outliers, and the RKDE with outliers."""
    plane = in_the_plane()
    figure = page_figure(8.2)
    n, m = len(plane.nominal), len(plane.outlying)
    titles = {
        "truth": "(a) true density",
        "clean": f"(b) KDE of {n} nominal rows,\nbandwidth {plane.bandwidths['clean']:.2f}",
        "plain": f"(c) KDE, {m} outliers added,\nbandwidth {plane.bandwidths['plain']:.2f}",
        "robust": f"(d) RKDE, {m} outliers added,\nbandwidth {plane.bandwidths['robust']:.2f}",
    }
    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, (name, title) in zip(panels.flat, titles.items(), strict=True):
        _plane_panel(axes, plane, name)
        axes.set_title(title, fontsize="medium")
    for axes in panels[1]:
        axes.set_xlabel("x1")
    for axes in panels[:, 0]:
        axes.set_ylabel("x2")
    drawn = dict(zip(*reversed(panels[1, 1].get_legend_handles_labels()), strict=True))
    legend(figure, drawn, 3)
    return figure


def _plane_panel(axes: Axes, plane: Plane, name: str) -> None:
    colours = colormaps["cividis_r"](np.linspace(LIGHTEST, 1, len(LEVELS)))
    widths = np.linspace(*LINE_WIDTHS, len(LEVELS))
    _plane_rows(axes, plane, name)
    side = len(plane.axis)
    density = plane.densities[name].reshape(side, side)
    lines = axes.contour(plane.axis, plane.axis, density, LEVELS, colors=colours, linewidths=widths)
    axes.set(
        xlim=(-HALF_FRAME, HALF_FRAME),
        ylim=(-HALF_FRAME, HALF_FRAME),
        aspect="equal",
        xticks=TICKS,
        yticks=TICKS,
    )
    places = _label_places(plane.axis, density)
    for text in axes.clabel(lines, [*LABELLED], fmt="%g", fontsize=SMALL, manual=places):
        text.set(bbox=LABEL_BOX, zorder=ABOVE_ROWS)
    for level, colour, width in zip(LEVELS, colours, widths, strict=True):
        axes.plot([], [], color=colour, linewidth=width, label=f"density {level:g}")


def _label_places(axis: Table, density: Table) -> list[tuple[float, float]]:
    """Return where the ray of each labelled contour meets it for the first time."""
    places = []
    radii = axis[axis >= 0]
    for level, angle in LABELLED.items():
        x, y = radii * np.cos(np.deg2rad(angle)), radii * np.sin(np.deg2rad(angle))
        nearest = [np.abs(axis[:, np.newaxis] - along).argmin(axis=0) for along in (y, x)]
        end = int(np.argmax(density[nearest[0], nearest[1]] < level))
        places.append((float(x[end]), float(y[end])))
    return places


def _plane_rows(axes: Axes, plane: Plane, name: str) -> None:
    """Draw the rows that a panel's estimate has seen; in that of the robust one, which have no weight."""
    lost = plane.lost() if name == "robust" else np.zeros(len(plane.nominal), dtype=bool)
    if name == "truth":
        return
    kept, gone = plane.nominal[~lost], plane.nominal[lost]
    circle: Style = {"markersize": 3, "markerfacecolor": "none", "markeredgewidth": 0.6}
    axes.plot(*kept.T, "o", color=GREY, label="nominal row", **circle)
    if len(gone):
        axes.plot(*gone.T, ".", markersize=3, color=GREY, label=f"nominal row of weight 0: {len(gone)}")
    if name != "clean":
        axes.plot(*plane.outlying.T, "x", markersize=5, color=STYLES["rkde"]["color"], label="outlier")


def influence() -> Figure:
    """Figure 3: a density with three estimates, their influence functions, and what the bandwidth decides."""
    scott, paper = on_the_line(), on_the_line("median_nn")
    figure = page_figure(6.4)
    (first, second), (third, fourth) = figure.subplots(2, 2)
    _density_panel(first, scott)
    _influence_panel(second, scott)
    _share_panel(third, scott)
    _share_panel(fourth, paper)
    rules = (
        f"Scott's rule, bandwidth {scott.bandwidth:.2f}",
        f"paper's rule, bandwidth {paper.bandwidth:.3f}",
    )
    first.set_title(f"(a) densities,\n{rules[0]}", fontsize="medium")
    second.set_title(f"(b) influence functions at x' = {X_NEW:g},\n{rules[0]}", fontsize="medium")
    third.set_title(f"(c) shares below x,\n{rules[0]}", fontsize="medium")
    fourth.set_title(f"(d) shares below x,\n{rules[1]}", fontsize="medium")
    legend(figure, dict(zip(*reversed(first.get_legend_handles_labels()), strict=True)), 4)
    return figure


# Huber's curve is often that of the KDE: wide dashes with the thin line between them show both.
_DRAWN: Final[dict[str, Style]] = {
    "kde": STYLES["kde"] | {"linewidth": 1.2},
    "huber": STYLES["huber"] | {"linewidth": 2.4, "dashes": (3, 3)},
    "rkde": STYLES["rkde"] | {"linewidth": 1.8},
}


def _density_panel(axes: Axes, line: Line) -> None:
    axes.fill_between(line.points, line.truth, color=GREY, alpha=0.3, linewidth=0, label="truth")
    for name, style in _DRAWN.items():
        axes.plot(line.points, line.curves[name].density, label=_name(name), **style)
    axes.set(xlabel="x", ylabel="density", xlim=LINE, ylim=(0, None))


def _influence_panel(axes: Axes, line: Line) -> None:
    axes.axvline(X_NEW, **THIN)
    for name, style in _DRAWN.items():
        axes.plot(line.points, line.curves[name].influence, **style)
    axes.set(xlabel="x", ylabel="IF(x, x')", xlim=LINE)


def _share_panel(axes: Axes, line: Line) -> None:
    """Draw the distribution functions: how much lies below each place, however narrow its spikes are."""
    axes.fill_between(line.points, _below(line, line.truth), color=GREY, alpha=0.3, linewidth=0)
    for name, style in _DRAWN.items():
        axes.plot(line.points, _below(line, line.curves[name].density), **style)
    axes.set(xlabel="x", ylabel="share below x", xlim=LINE, ylim=(0, 1.02))


def _below(line: Line, density: Table) -> Table:
    return np.cumsum(density) * line.step


def _name(name: str) -> str:
    return "RKDE (Hampel)" if name == "rkde" else TITLES[name]

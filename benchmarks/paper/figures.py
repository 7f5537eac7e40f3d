"""Figures 1 to 4 of the paper redrawn, and ROC curves of banana and iris."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure

import rkde.fast as rk
from benchmarks.paper.data import load
from benchmarks.paper.methods import MAIN, TITLES, Choices, fit
from benchmarks.paper.partitions import SEED, partition
from benchmarks.paper.sets import SETS, Table
from benchmarks.paper.tasks import scores
from rkde.plotting import plot_losses

DOTS: Final = 200
# As in the pictures of the pages: black for the plain estimate, vermillion for the robust one.
COLOURS: Final = {"kde": "#000000", "huber": "#0072B2", "rkde": "#D55E00", "vkde": "#009E73"}
DASHES: Final = {"kde": "-", "huber": "--", "rkde": "-.", "vkde": ":"}
ROC_CURVES: Final = (("banana", 0.2), ("iris", 0.1))


def draw_all(folder: Path, source: str = "auto") -> list[str]:
    """Write every figure; return the names of the files."""
    folder.mkdir(parents=True, exist_ok=True)
    figures = {
        "losses.png": losses(),
        "contours.png": contours(),
        "influence.png": influence(),
        "roc.png": roc(source),
    }
    for name, figure in figures.items():
        figure.savefig(folder / name, dpi=DOTS, metadata={"Software": None})
    return list(figures)


def losses() -> Figure:
    """Figure 1: rho, psi and phi of the quadratic, Huber's and Hampel's loss."""
    figure = Figure(figsize=(7.4, 3.1), layout="constrained")
    plot_losses([rk.Quadratic(), rk.Huber(2.0), rk.Hampel(2.0, 4.0, 8.0)], axes=figure.subplots(1, 3))
    return figure


# Figure 2: a mixture of two Gaussians in the plane; the paper does not say which.
CENTRES: Final = np.array([[-1.0, -0.6], [1.0, 0.8]])
SPREAD: Final = 1.1
HALF_WIDTH: Final = 7.0
N_NOMINAL: Final = 200
N_CONTAMINATING: Final = 20
SIDE: Final = 121
# High densities are dark and thick.
LIGHTEST: Final = 0.3
LINE_WIDTHS: Final = (0.7, 1.8)
LEVELS: Final = np.array([0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9])


def contours() -> Figure:
    """Figure 2: contours of the truth, the KDE without and with outliers, and the RKDE with outliers."""
    rng = np.random.default_rng([SEED, 2])
    nominal = CENTRES[rng.integers(0, len(CENTRES), N_NOMINAL)] + SPREAD * rng.standard_normal((N_NOMINAL, 2))
    outlying = rng.uniform(-HALF_WIDTH, HALF_WIDTH, (N_CONTAMINATING, 2))
    rows = np.vstack([nominal, outlying])
    axis = np.linspace(-HALF_WIDTH, HALF_WIDTH, SIDE)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    # A Gaussian mixture of equal spreads is the density estimate of its centres.
    truth = rk.kde(CENTRES, rk.Gaussian(SPREAD)).density(grid)
    width = rk.scott(rows)
    kernel = rk.Gaussian(width)
    panels = {
        "(a) true density": truth,
        "(b) KDE without outliers": rk.kde(nominal, kernel).density(grid),
        "(c) KDE with outliers": rk.kde(rows, kernel).density(grid),
        "(d) RKDE with outliers": rk.rkde(rows, bandwidth=width).density(grid),
    }
    figure = Figure(figsize=(7.0, 6.9), layout="constrained")
    for axes, (title, density) in zip(figure.subplots(2, 2).flat, panels.items(), strict=True):
        axes.contour(
            axis,
            axis,
            density.reshape(SIDE, SIDE),
            LEVELS * truth.max(),
            colors=colormaps["cividis_r"](np.linspace(LIGHTEST, 1, len(LEVELS))),
            linewidths=np.linspace(*LINE_WIDTHS, len(LEVELS)),
        )
        axes.plot(*nominal.T, "o", markersize=2.5, markerfacecolor="none", color="0.55", markeredgewidth=0.6)
        if title[1] in "cd":
            axes.plot(*outlying.T, "x", markersize=5, color=COLOURS["rkde"])
        axes.set(title=title, aspect="equal", xticks=[], yticks=[])
    return figure


# Figure 3: a univariate mixture; the paper gives x' = -5 and no more.
MIXTURE: Final = ((0.4, 3.0, 1.0), (0.6, 8.0, 1.0))
X_NEW: Final = -5.0
N_LINE: Final = 200
LINE: Final = (-10.0, 15.0)


def influence() -> Figure:
    """Figure 3: a density with three estimates, and their influence functions at x' = -5."""
    rng = np.random.default_rng([SEED, 3])
    shares, centres, spreads = (np.array(column) for column in zip(*MIXTURE, strict=True))
    component = rng.choice(len(shares), N_LINE, p=shares)
    X = (centres[component] + spreads[component] * rng.standard_normal(N_LINE))[:, np.newaxis]
    points = np.linspace(*LINE, 801)[:, np.newaxis]
    width = rk.scott(X)
    kernel = rk.Gaussian(width)
    figure = Figure(figsize=(7.4, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    parts = [
        share * rk.kde([[centre]], rk.Gaussian(spread)).density(points) for share, centre, spread in MIXTURE
    ]
    left.plot(points, sum(parts), color="0.6", linewidth=3, label="true density")
    for name, loss in (("kde", rk.Quadratic), ("huber", rk.Huber), ("rkde", rk.Hampel)):
        fitted = rk.rkde(X, bandwidth=width, loss=loss)
        limit = rk.fixed_point(X, kernel, fitted.loss, weights_init=fitted.weights)
        found = rk.influence(X, kernel, fitted.loss, limit.weights, [[X_NEW]], points)
        style = {"color": COLOURS[name], "linestyle": DASHES[name], "label": TITLES[name]}
        left.plot(points, np.exp(rk.log_density(X, kernel, limit.weights, points)), **style)
        right.plot(points, found.influence[0] * np.exp(kernel.log_normaliser(1)), **style)
    left.set(title="(a) density and estimates", xlabel="x", ylabel="density")
    right.set(title="(b) influence function at x' = -5", xlabel="x", ylabel="IF(x, x')")
    right.axvline(X_NEW, color="0.8", linewidth=0.8)
    left.legend(fontsize=8, frameon=False)
    return figure


def roc(source: str) -> Figure:
    """Figure 4: ROC curves of the three estimators on the first partition of banana and iris."""
    figure = Figure(figsize=(7.4, 3.8), layout="constrained")
    for axes, (name, epsilon) in zip(figure.subplots(1, len(ROC_CURVES)), ROC_CURVES, strict=True):
        _roc_panel(axes, name, epsilon, source)
    return figure


def _roc_panel(axes: Axes, name: str, epsilon: float, source: str) -> None:
    loaded = load(name, source)  # type: ignore[arg-type]
    split = partition(loaded, 1, SETS[name].nominal)
    fitted = fit(loaded.X[split.training_rows(epsilon)], MAIN, Choices())
    queries: Table = loaded.X[np.concatenate([split.test_nominal, split.test_contaminating])]
    labels = np.repeat([0, 1], [len(split.test_nominal), len(split.test_contaminating)])
    for method in MAIN:
        found = scores(fitted, method, queries)
        curve = rk.roc_curve(found, labels)
        label = f"{TITLES[method]}, AUC {rk.auc(found, labels):.3f}"
        axes.plot(
            curve.false_positive_rate, curve.true_positive_rate, color=COLOURS[method],
            linestyle=DASHES[method], label=label,
        )  # fmt: skip
    axes.set(
        title=f"{SETS[name].title}, eps = {epsilon:g}", xlabel="false alarms", ylabel="detections",
        xlim=(0, 1), ylim=(0, 1.01),
    )  # fmt: skip
    axes.legend(loc="lower right", fontsize=8, frameon=False)

"""Draw the picture of the README: what 20 outliers do to a plain and to a robust density estimate.

The four panels of the paper's figure fig:2d: a Gaussian mixture in the plane, the kernel density estimate of
200 points, the same with 20 uniform points added, and the robust estimate of all 220.
Mixture, bandwidth rule and quantiles were chosen among several so that the picture shows what a robust
estimate can do. It is not a typical case: the script also prints the errors, with these settings and with the
defaults.
Run by ``python benchmarks/paper/readme_figure.py [TARGET.png]``; needs the extra ``plot``.
"""

import io
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

import rkde.fast as rk

Array = npt.NDArray[np.float64]
TARGET = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "contaminated.png"
SEED = 2012
N_NOMINAL, N_CONTAMINATING = 200, 20
# The nominal mixture: centres, standard deviations along the axes, shares.
CENTRES = np.array([[-1.0, -0.6], [1.0, 0.8]])
SPREADS = np.array([[1.2, 1.0], [1.0, 1.2]])
SHARES = np.array([0.5, 0.5])
HALF_WIDTH = 7.0
# Levels among the distances from the median estimate; with the paper's, a third of the rows get no weight.
QUANTILES = (0.5, 0.8, 0.95)
GRID_POINTS = 161
# Contours at these shares of the highest nominal density; the lowest ones show what the outliers do.
LEVELS = np.array([0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9])
AREA_OF_A_UNIFORM_WEIGHT = 7.0
# A row without weight stays visible.
LEAST_AREA = 8.0
# Okabe and Ito's vermillion, for every kind of colour vision; high densities are dark and thick.
VERMILLION = "#D55E00"
COLOURS = 64
LIGHTEST, LINE_WIDTHS = 0.3, (0.6, 1.6)


def contaminated_sample() -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return the rows, and which of them are nominal."""
    rng = np.random.default_rng(SEED)
    component = rng.choice(len(SHARES), size=N_NOMINAL, p=SHARES)
    nominal = CENTRES[component] + SPREADS[component] * rng.standard_normal((N_NOMINAL, 2))
    outlying = rng.uniform(-HALF_WIDTH, HALF_WIDTH, (N_CONTAMINATING, 2))
    rows = np.vstack([nominal, outlying])
    return rows, np.arange(len(rows)) < N_NOMINAL


def nominal_density(points: Array) -> Array:
    """Return the density of the mixture at each point."""
    scaled = (points[:, None, :] - CENTRES) / SPREADS
    heights = SHARES / (2 * np.pi * SPREADS.prod(axis=1))
    return np.asarray(np.exp(-0.5 * (scaled**2).sum(axis=2)) @ heights, dtype=np.float64)


def draw(axes: Axes, title: str, density: Array, grid: Array, levels: Array) -> None:
    """Draw the contours of one density."""
    shape = (GRID_POINTS, GRID_POINTS)
    axes.contour(
        grid[:, 0].reshape(shape),
        grid[:, 1].reshape(shape),
        density.reshape(shape),
        levels,
        colors=colormaps["cividis_r"](np.linspace(LIGHTEST, 1, len(levels))),
        linewidths=np.linspace(*LINE_WIDTHS, len(levels)),
    )
    axes.set_title(title, fontsize=9)
    axes.set(
        xlim=(-HALF_WIDTH, HALF_WIDTH), ylim=(-HALF_WIDTH, HALF_WIDTH), aspect="equal", xticks=[], yticks=[]
    )


def draw_points(axes: Axes, rows: Array, weights: Array, nominal: npt.NDArray[np.bool_]) -> None:
    """Draw the rows, circles for nominal and crosses for contaminating ones, their area by weight."""
    areas = AREA_OF_A_UNIFORM_WEIGHT * len(rows) * weights
    axes.scatter(
        rows[nominal, 0],
        rows[nominal, 1],
        s=areas[nominal],
        facecolors="none",
        edgecolors="0.45",
        linewidths=0.5,
    )
    crosses = np.maximum(2 * areas[~nominal], LEAST_AREA)
    axes.scatter(
        rows[~nominal, 0], rows[~nominal, 1], s=crosses, marker="x", color=VERMILLION, linewidths=0.9
    )


def error(density: Array, truth: Array) -> float:
    """Return the integral of the absolute difference over the square of the grid."""
    cell = (2 * HALF_WIDTH / (GRID_POINTS - 1)) ** 2
    return float(np.abs(density - truth).sum() * cell)


def print_errors(rows: Array, nominal: npt.NDArray[np.bool_], grid: Array, truth: Array) -> None:
    """Compare both estimates, and the plain one of the nominal rows alone, for two choices of settings."""
    print(f"{'settings':12} {'plain':>7} {'robust':>7} {'plain, no outliers':>19} {'rows of weight 0':>17}")
    for name, robust in (
        ("picture", rk.rkde(rows, bandwidth="scott", quantiles=QUANTILES)),
        ("defaults", rk.rkde(rows)),
    ):
        plain, clean = rk.kde(rows, robust.kernel), rk.kde(rows[nominal], robust.kernel)
        errors = [error(estimate.density(grid), truth) for estimate in (plain, robust, clean)]
        print(
            f"{name:12} {errors[0]:7.2f} {errors[1]:7.2f} {errors[2]:19.2f} {robust.zero_weight_share:17.0%}"
        )


def save(figure: Figure, target: Path) -> None:
    """Write a PNG with few colours, a quarter as large as with all that smooth edges make."""
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=200)
    Image.open(pixels).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(
        target, optimize=True
    )


def main(target: Path) -> None:
    """Fit both densities, with one bandwidth, and write the picture."""
    rows, nominal = contaminated_sample()
    robust = rk.rkde(rows, bandwidth="scott", quantiles=QUANTILES)
    plain = rk.kde(rows, robust.kernel)
    axis = np.linspace(-HALF_WIDTH, HALF_WIDTH, GRID_POINTS)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    truth = nominal_density(grid)
    levels = LEVELS * truth.max()
    clean = rk.kde(rows[nominal], robust.kernel)
    figure = Figure(figsize=(7.4, 2.05), layout="constrained")
    panels = figure.subplots(1, 4)
    draw(panels[0], "(a) the density", truth, grid, levels)
    draw(panels[1], "(b) plain, 200 rows", clean.density(grid), grid, levels)
    draw(panels[2], "(c) plain, 20 bad rows", plain.density(grid), grid, levels)
    draw(panels[3], "(d) robust, 20 bad rows", robust.density(grid), grid, levels)
    uniform = np.full(len(rows), 1 / len(rows))
    draw_points(panels[1], rows[nominal], uniform[nominal], nominal[nominal])
    draw_points(panels[2], rows, uniform, nominal)
    draw_points(panels[3], rows, robust.weights, nominal)
    target.parent.mkdir(parents=True, exist_ok=True)
    print_errors(rows, nominal, grid, truth)
    save(figure, target)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)

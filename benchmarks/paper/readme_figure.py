"""Draw the picture of the README: a plain and a robust density of the same contaminated sample.

The setting of the paper's figure fig:2d: 200 points of a Gaussian mixture in the plane and 20 uniform ones.
Mixture, bandwidth rule and quantiles were chosen among several so that the picture shows what a robust
estimate can do. It is no typical case: the script also prints the errors, with these settings and by default.
Run by ``python benchmarks/paper/readme_figure.py [TARGET.png]``; needs the extra ``plot``.
"""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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
AREA_OF_A_UNIFORM_WEIGHT = 16.0


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
        grid[:, 0].reshape(shape), grid[:, 1].reshape(shape), density.reshape(shape), levels, cmap="viridis"
    )
    axes.set_title(title, fontsize=10)
    axes.set(
        xlim=(-HALF_WIDTH, HALF_WIDTH), ylim=(-HALF_WIDTH, HALF_WIDTH), aspect="equal", xticks=[], yticks=[]
    )


def draw_points(axes: Axes, rows: Array, weights: Array, nominal: npt.NDArray[np.bool_]) -> None:
    """Draw the rows, circles for nominal and crosses for contaminating ones, their area by weight."""
    areas = AREA_OF_A_UNIFORM_WEIGHT * len(rows) * weights
    axes.scatter(*rows[nominal].T, s=areas[nominal], facecolors="none", edgecolors="0.45", linewidths=0.7)
    axes.scatter(*rows[~nominal].T, s=areas[~nominal] + 1, marker="x", color="crimson", linewidths=0.9)


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


def main(target: Path) -> None:
    """Fit both densities, with one bandwidth, and write the picture."""
    rows, nominal = contaminated_sample()
    robust = rk.rkde(rows, bandwidth="scott", quantiles=QUANTILES)
    plain = rk.kde(rows, robust.kernel)
    axis = np.linspace(-HALF_WIDTH, HALF_WIDTH, GRID_POINTS)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    truth = nominal_density(grid)
    levels = LEVELS * truth.max()
    uniform = np.full(len(rows), 1 / len(rows))
    figure = Figure(figsize=(10, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    draw(left, "density of the 200 nominal points", truth, grid, levels)
    draw(middle, "kernel density estimate, 20 outliers added", plain.density(grid), grid, levels)
    draw(right, "robust kernel density estimate", robust.density(grid), grid, levels)
    draw_points(middle, rows, uniform, nominal)
    draw_points(right, rows, robust.weights, nominal)
    target.parent.mkdir(parents=True, exist_ok=True)
    print_errors(rows, nominal, grid, truth)
    figure.savefig(target, dpi=110, metadata={"Software": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)

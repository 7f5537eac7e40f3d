"""The samples of Figures 2 and 3, their estimates, and what captions say of them; without matplotlib."""

import warnings
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

import rkde.fast as rk
from benchmarks.paper.methods import BandwidthChoice, bandwidth
from benchmarks.paper.partitions import SEED
from benchmarks.paper.sets import Table
from rkde.errors import RkdeWarning

# Figure 2: a mixture of two Gaussians in the plane; the paper does not say which.
CENTRES: Final = np.array([[-1.0, -0.6], [1.0, 0.8]])
SPREAD: Final = 1.1
# Outliers are uniform on a square of this half width; the frame holds what surrounds them, too.
HALF_WIDTH: Final = 7.0
HALF_FRAME: Final = 8.5
N_NOMINAL: Final = 200
N_CONTAMINATING: Final = 20
SIDE: Final = 171
# Figure 3: a univariate mixture of shares, centres and spreads; the paper gives x' = -5 and no more.
MIXTURE: Final = ((0.4, 3.0, 1.0), (0.6, 8.0, 1.0))
X_NEW: Final = -5.0
N_LINE: Final = 200
LINE: Final = (-10.0, 15.0)
# A third of the smallest bandwidth between two of them.
LINE_POINTS: Final = 5001
LOSSES: Final = {"kde": rk.Quadratic, "huber": rk.Huber, "rkde": rk.Hampel}


def distance(first: Table, second: Table, cell: float) -> float:
    """Return the L1 distance of two densities on a grid: 0 is perfect, 2 the worst."""
    return float(np.abs(first - second).sum() * cell)


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """Figure 2 with one bandwidth rule: values on the grid of the truth, clean, plain and robust estimate.

    The bandwidth of `clean`, the KDE of the nominal rows, is that of these rows; the others have that of all.
    """

    nominal: Table
    outlying: Table
    axis: Table
    densities: dict[str, Table]
    bandwidths: dict[str, float]
    weights: Table

    def lost(self) -> NDArray[np.bool_]:
        """Tell which nominal rows have the weight 0."""
        return np.asarray(self.weights[: len(self.nominal)] == 0)

    def lost_outliers(self) -> int:
        """Return how many outliers have the weight 0."""
        return int((self.weights[len(self.nominal) :] == 0).sum())

    def distance(self, name: str) -> float:
        """Return the L1 distance of an estimate from the truth."""
        cell = float(self.axis[1] - self.axis[0]) ** 2
        return distance(self.densities[name], self.densities["truth"], cell)


@cache
def in_the_plane(rule: BandwidthChoice = "scott") -> Plane:
    """Draw the sample of Figure 2 and estimate its density."""
    rng = np.random.default_rng([SEED, 2])
    nominal = CENTRES[rng.integers(0, len(CENTRES), N_NOMINAL)] + SPREAD * rng.standard_normal((N_NOMINAL, 2))
    outlying = rng.uniform(-HALF_WIDTH, HALF_WIDTH, (N_CONTAMINATING, 2))
    rows = np.vstack([nominal, outlying])
    axis = np.linspace(-HALF_FRAME, HALF_FRAME, SIDE)
    grid = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    widths = {"clean": bandwidth(nominal, rule)[0]} | dict.fromkeys(
        ("plain", "robust"), bandwidth(rows, rule)[0]
    )
    with warnings.catch_warnings():
        # The caption says how many rows have no weight.
        warnings.simplefilter("ignore", RkdeWarning)
        robust = rk.rkde(rows, bandwidth=widths["robust"])
    densities = {
        # A Gaussian mixture of equal spreads is the density estimate of its centres.
        "truth": rk.kde(CENTRES, rk.Gaussian(SPREAD)).density(grid),
        "clean": rk.kde(nominal, rk.Gaussian(widths["clean"])).density(grid),
        "plain": rk.kde(rows, rk.Gaussian(widths["plain"])).density(grid),
        "robust": robust.density(grid),
    }
    return Plane(nominal, outlying, axis, densities, widths, robust.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """One estimate of Figure 3 at the points: density, influence function at x', and the limit's weights."""

    density: Table
    influence: Table
    weights: Table


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Figure 3 with one bandwidth rule; `smaller` tells which rows are of the smaller mode."""

    X: Table
    smaller: NDArray[np.bool_]
    points: Table
    truth: Table
    bandwidth: float
    curves: dict[str, Curves]

    @property
    def step(self) -> float:
        """The distance of two points."""
        return float(self.points[1] - self.points[0])

    def kept(self, name: str) -> float:
        """Return the weight of the smaller mode's rows."""
        return float(self.curves[name].weights[self.smaller].sum())

    def distance(self, name: str) -> float:
        """Return the L1 distance of an estimate from the truth."""
        return distance(self.curves[name].density, self.truth, self.step)


@cache
def on_the_line(rule: BandwidthChoice = "scott") -> Line:
    """Draw the sample of Figure 3, estimate its density, and differentiate at x'."""
    rng = np.random.default_rng([SEED, 3])
    shares, centres, spreads = (np.array(column) for column in zip(*MIXTURE, strict=True))
    component = rng.choice(len(shares), N_LINE, p=shares)
    X = (centres[component] + spreads[component] * rng.standard_normal(N_LINE))[:, np.newaxis]
    points = np.linspace(*LINE, LINE_POINTS)
    width = bandwidth(X, rule)[0]
    truth = np.zeros(LINE_POINTS)
    for share, centre, spread in MIXTURE:
        truth += share * rk.kde([[centre]], rk.Gaussian(spread)).density(points[:, np.newaxis])
    curves = {name: _curves(X, width, loss, points[:, np.newaxis]) for name, loss in LOSSES.items()}
    return Line(X, component == np.argmin(shares), points, truth, width, curves)


def _curves(X: Table, width: float, loss: type[rk.Loss], queries: Table) -> Curves:
    """Return the limit of one fit, where the influence function is defined, and both curves there."""
    kernel = rk.Gaussian(width)
    with warnings.catch_warnings():
        # The caption says which mode is lost.
        warnings.simplefilter("ignore", RkdeWarning)
        fitted = rk.rkde(X, bandwidth=width, loss=loss)
    limit = rk.fixed_point(X, kernel, fitted.loss, weights_init=fitted.weights)
    found = rk.influence(X, kernel, fitted.loss, limit.weights, [[X_NEW]], queries)
    return Curves(
        density=np.exp(rk.log_density(X, kernel, limit.weights, queries)),
        influence=found.influence[0] * np.exp(kernel.log_normaliser(1)),
        weights=limit.weights,
    )

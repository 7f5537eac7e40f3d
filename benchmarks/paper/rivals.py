"""What an M-estimate has to beat: simpler densities and detectors, fitted to the same rows.

A rival is a density, which has a logarithm and can be drawn from, or a detector, which ranks only.
"""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from sklearn.covariance import MinCovDet  # type: ignore[import-untyped, unused-ignore]
from sklearn.ensemble import IsolationForest  # type: ignore[import-untyped, unused-ignore]
from sklearn.neighbors import LocalOutlierFactor, NearestNeighbors  # type: ignore[import-untyped, unused-ignore]

import rkde
import rkde.fast as rk
from benchmarks.paper.partitions import SEED
from benchmarks.paper.sets import Table
from rkde.errors import RkdeError

Scorer = Callable[[Table], Table]

# The scaled estimate of Vandermeulen and Scott (2014) for a contamination of one half at most.
SCALE: Final = 2.0
NEIGHBOURS: Final = 5
LOCAL_NEIGHBOURS: Final = 20
TREES: Final = 100
# A projected gradient's steps, and how small its last one is.
MOST_STEPS: Final = 2000
REST: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a rival is fitted to: rows, the kernel of all estimates, the plain and the robust estimate.

    `outlying` is the number of contaminating rows, which only the medians of means are told.
    """

    X: Table
    kernel: rk.Gaussian
    plain: rk.Kde
    robust: rk.Rkde
    outlying: int


def trimmed(share: float) -> Callable[[Sample], rk.Kde]:
    """Return a plain estimate without that share of the rows, those of the lowest plain density."""

    def fit(sample: Sample) -> rk.Kde:
        order = np.argsort(sample.plain.log_density(sample.X), kind="stable")
        return rk.kde(sample.X[np.sort(order[round(share * len(order)) :])], sample.kernel)

    return fit


def kept(sample: Sample) -> rk.Kde:
    """Return the plain estimate of the rows that the robust one gives weight."""
    return rk.kde(sample.X[sample.robust.weights > 0], sample.kernel)


def scaled_projection(sample: Sample) -> rk.Kde:
    """Return the SPKDE: the density among mixtures of the kernels that is nearest in L2 to twice the KDE."""
    gram = _products(sample)
    return _mixture(sample, gram, SCALE * gram.mean(axis=1))


def least_integrated_square(sample: Sample) -> rk.Kde:
    """Return the mixture of least integrated square, which is the robust divergence of power 1.

    It minimises the integral of f^2 less twice the mean of f at the rows, each row's own kernel left out.
    Own kernels add the same to each term, so that they would move no weight.
    """
    unit = rk.Gaussian(math.sqrt(2) * sample.kernel.bandwidth).log_normaliser(sample.X.shape[1])
    values = np.exp(sample.kernel.log_normaliser(sample.X.shape[1]) - unit) * _kernel(sample)
    np.fill_diagonal(values, 0.0)
    return _mixture(sample, _products(sample), values.sum(axis=1) / (len(values) - 1))


def _kernel(sample: Sample) -> Table:
    """Return exp(-|x_i - x_j|^2 / (2 h^2)), shape (n, n)."""
    norms = np.einsum("ij,ij->i", sample.X, sample.X)
    squares = np.maximum(norms[:, np.newaxis] + norms - 2 * sample.X @ sample.X.T, 0.0)
    with np.errstate(under="ignore"):
        return np.asarray(np.exp(squares / (-2 * sample.kernel.bandwidth**2)))


def _products(sample: Sample) -> Table:
    """Return the inner products of the kernels in L2, over that of one with itself."""
    # The kernel of the differences is a Gaussian sqrt(2) as wide.
    return np.sqrt(_kernel(sample))


def _mixture(sample: Sample, gram: Table, linear: Table) -> rk.Kde:
    """Minimise w' G w / 2 - w' b over the simplex, by projected gradients with Nesterov's momentum."""
    largest = float(np.linalg.eigvalsh(gram)[-1])
    weights = np.full(len(gram), 1 / len(gram))
    ahead, momentum = weights, 1.0
    for _ in range(MOST_STEPS):
        moved = _on_simplex(ahead - (gram @ ahead - linear) / largest)
        step = moved - weights
        # A step that turns back starts the momentum anew.
        momentum = 1.0 if step @ (ahead - moved) > 0 else momentum
        faster = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = moved + (momentum - 1) / faster * step
        weights, momentum = moved, faster
        if np.abs(step).max() <= REST:
            break
    used = weights > 0
    return rk.kde(sample.X[used], sample.kernel, sample_weight=weights[used])


def _on_simplex(point: Table) -> Table:
    """Return the nearest weights that are nonnegative and sum to 1."""
    ordered = np.sort(point)[::-1]
    levels = (np.cumsum(ordered) - 1) / np.arange(1, len(point) + 1)
    return np.maximum(point - levels[np.flatnonzero(ordered > levels)[-1]], 0.0)


def practical(sample: Sample) -> rk.Rkde:
    """Return the estimate of `rkde.fit` with its defaults."""
    return rkde.fit(sample.X)


def practical_plain(sample: Sample) -> rk.Rkde:
    """Return the plain estimate under the scaling and the bandwidth of `rkde.fit`."""
    return rkde.fit(sample.X, loss=rk.Quadratic)


def median_of_means(count: int | None) -> Callable[[Sample], Scorer]:
    """Return scores by the median of plain estimates of so many disjoint blocks of the rows.

    By default there are 2 m + 1 blocks for m contaminating rows, as the theory of the estimate asks, but at
    most one for two rows.
    """

    def fit(sample: Sample) -> Scorer:
        return _median_of(sample, min(count or 2 * sample.outlying + 1, len(sample.X) // 2))

    return fit


def _median_of(sample: Sample, count: int) -> Scorer:
    stream = np.random.SeedSequence(SEED, spawn_key=(len(sample.X),))
    rows = np.random.default_rng(stream).permutation(len(sample.X))
    parts = [rk.kde(sample.X[block], sample.kernel) for block in np.array_split(rows, count)]
    return lambda queries: -np.median([part.log_density(queries) for part in parts], axis=0)


def forest(sample: Sample) -> Scorer:
    """Return scores of scikit-learn's isolation forest."""
    model = IsolationForest(n_estimators=TREES, random_state=SEED).fit(sample.X)
    return lambda queries: -model.score_samples(queries)


def local_outlier_factor(sample: Sample) -> Scorer:
    """Return scores of scikit-learn's local outlier factor."""
    model = LocalOutlierFactor(LOCAL_NEIGHBOURS, novelty=True).fit(sample.X)
    return lambda queries: -model.score_samples(queries)


def neighbour_distance(sample: Sample) -> Scorer:
    """Return the distance to the fifth neighbour."""
    model = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(sample.X)
    return lambda queries: np.asarray(model.kneighbors(queries)[0][:, -1])


def mahalanobis(sample: Sample) -> Scorer:
    """Return the distance by scikit-learn's covariance of least determinant."""
    model = MinCovDet(random_state=SEED).fit(sample.X)
    return lambda queries: np.asarray(model.mahalanobis(queries))


DENSITIES: Final[Mapping[str, tuple[str, Callable[[Sample], rk.Kde | rk.Rkde]]]] = {
    "trimmed-10": ("KDE without the lowest 10 %", trimmed(0.1)),
    "trimmed-25": ("KDE without the lowest 25 %", trimmed(0.25)),
    "kept": ("KDE of the rows that RKDE keeps", kept),
    "spkde": ("SPKDE", scaled_projection),
    "l2e": ("mixture of least integrated square", least_integrated_square),
    "practical": ("rkde.fit with its defaults", practical),
    "practical-plain": ("plain KDE with that scaling and bandwidth", practical_plain),
}
DETECTORS: Final[Mapping[str, tuple[str, Callable[[Sample], Scorer]]]] = {
    "mom-kde": ("MoM-KDE, blocks as its theory asks", median_of_means(None)),
    "mom-kde-21": ("MoM-KDE, 21 blocks", median_of_means(21)),
    "forest": ("isolation forest", forest),
    "lof": ("local outlier factor", local_outlier_factor),
    "neighbour": ("distance to the 5th neighbour", neighbour_distance),
    "mahalanobis": ("robust Mahalanobis distance", mahalanobis),
}
RIVALS: Final = (*DENSITIES, *DETECTORS)


def density(name: str, sample: Sample) -> rk.Kde | rk.Rkde | None:
    """Fit a density; None where it refuses the rows, as some do for a column without spread."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return DENSITIES[name][1](sample)
        except RkdeError:
            return None


def detector(name: str, sample: Sample) -> Scorer:
    """Fit a detector."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return DETECTORS[name][1](sample)

"""What is compared: the default, what shares its scaling and bandwidth, and detectors of scikit-learn.

A method takes the rows and returns scores, higher for more outlying ones.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.stats import gaussian_kde
from sklearn.covariance import EllipticEnvelope
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor

import rkde
from benchmarks.practice.truths import Array

# The trimmed estimate leaves out the tenth of the rows with the lowest plain density.
TRIMMED: Final = 0.1


@dataclass(frozen=True, slots=True)
class Found:
    """What a method says of a table: scores, rows that have no part in the density, and its logarithm."""

    scores: Array
    without_weight: Any = None
    log_density: Callable[[Array], Array] | None = None


def _fitted(**settings: Any) -> Callable[[Array], Found]:
    def method(rows: Array) -> Found:
        model = rkde.fit(rows, **settings)
        return Found(-model.log_density(rows), model.weights == 0, model.log_density)

    return method


def _trimmed(rows: Array) -> Found:
    """Fit the plain estimate, leave out the rows of the lowest density, and fit the others."""
    plain = rkde.fit(rows, loss=rkde.Quadratic)
    logs = plain.log_density(rows)
    kept = logs > np.quantile(logs, TRIMMED)
    assert plain.scaling is not None
    h = plain.bandwidth
    model = rkde.fit(rows[kept], loss=rkde.Quadratic, bandwidth=h, scale=plain.scaling.scale)
    return Found(-model.log_density(rows), ~kept, model.log_density)


def _scipy(rows: Array) -> Found:
    try:
        density = gaussian_kde(rows.T)
    except np.linalg.LinAlgError:
        # A constant column: there is no answer, and no ranking.
        return Found(np.zeros(len(rows)))
    return Found(-density.logpdf(rows.T), np.zeros(len(rows), bool), lambda points: density.logpdf(points.T))


def _factor(rows: Array) -> Found:
    scaled = rkde.fit(rows, loss=rkde.Quadratic).X
    return Found(-LocalOutlierFactor().fit(scaled).negative_outlier_factor_)


def _envelope(rows: Array) -> Found:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Found(EllipticEnvelope(random_state=0).fit(rows).mahalanobis(rows))
        except ValueError:
            return Found(np.zeros(len(rows)))


DEFAULT: Final = "practical"
METHODS: Final[dict[str, Callable[[Array], Found]]] = {
    DEFAULT: _fitted(),
    "plain, same": _fitted(loss=rkde.Quadratic),
    "trimmed, same": _trimmed,
    "Huber, same": _fitted(loss=rkde.Huber),
    "paper": _fitted(recipe="paper", on_degenerate="warn"),
    "scipy": _scipy,
    "forest": lambda rows: Found(-IsolationForest(random_state=0).fit(rows).score_samples(rows)),
    "factor": _factor,
    "envelope": _envelope,
}

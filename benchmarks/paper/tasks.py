"""The three experiments of section 6.2 on one partition: influence, divergence, detection."""

import math
from typing import Final

import numpy as np
from sklearn.metrics import roc_curve  # type: ignore[import-untyped, unused-ignore]

import rkde.fast as rk
from benchmarks.paper.methods import DEPTH, Fitted, bandwidth
from benchmarks.paper.sets import Labels, Table
from rkde.errors import RkdeError

INFLUENCE = ("kde", "rkde", "rkde-authors", "huber")
"""The methods that have an influence function and are asked for one."""


def influence(fitted: Fitted, x_new: Table, names: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """Return medians of alpha(x') and beta(x') for each method (section 6.2.1).

    alpha in units of the data's density, by its logarithm of tau^2 given apart; beta in that of the root of
    a density. Each estimate is first brought to its fixed point, where Theorem 5 holds.
    """
    dim = fitted.X.shape[1]
    logs = {
        "log_alpha_unit": fitted.kernel.log_normaliser(dim),
        # The integral of the square of a Gaussian is its value at 0 with the bandwidth times sqrt(2).
        "log_beta_unit": rk.Gaussian(math.sqrt(2) * fitted.kernel.bandwidth).log_normaliser(dim) / 2,
    }
    found: dict[str, dict[str, object]] = {"units": dict(logs)}
    return found | {name: _influence_of(fitted, x_new, name) for name in INFLUENCE if name in names}


def _influence_of(fitted: Fitted, x_new: Table, name: str) -> dict[str, object]:
    X, kernel = fitted.X, fitted.kernel
    loss: rk.Loss
    try:
        if name == "kde":
            loss, weights, certificate = rk.Quadratic(), np.full(len(X), 1 / len(X)), "global"
        else:
            robust = fitted.robust[name]
            limit = rk.fixed_point(X, kernel, robust.loss, weights_init=robust.weights)
            loss, weights, certificate = robust.loss, limit.weights, limit.certificate.value
        found = rk.influence(X, kernel, loss, weights, x_new)
    except RkdeError as error:
        return {"failed": type(error).__name__}
    return {
        "alpha": float(np.median(found.if_at_new)),
        "beta": float(np.median(found.if_l2_norm)),
        "alpha_magnitude": float(np.median(np.abs(found.if_at_new))),
        "zero_share": float(np.mean(found.if_l2_norm == 0)),
        "points": len(x_new),
        "certificate": certificate,
        "one_sided": found.one_sided,
    }


def divergence(
    fitted: Fitted, reference: Table, names: tuple[str, ...], seeds: dict[str, list[int]]
) -> dict[str, dict[str, object]]:
    """Return the divergence of each estimate from a KDE of nominal test rows (section 6.2.2).

    2 n draws each. The reference density has a bandwidth by the rule on its own rows; for `shared` it has
    that of the estimates. `finite_mean` and `n_infinite` belong to a reference density that is 0 where it is
    below the range of float64, as when densities are not held as logarithms.
    """
    truth = rk.kde(reference, rk.Gaussian(bandwidth(reference, "median_nn")[0]))
    other = rk.kde(reference, fitted.kernel)
    results: dict[str, dict[str, object]] = {}
    for name in names:
        if name == DEPTH:
            continue
        draws = fitted.densities[name].sample(2 * len(fitted.X), np.random.default_rng(seeds[name]))
        first, second = fitted.densities[name].log_density(draws), truth.log_density(draws)
        found = rk.kl_divergence(first, second)
        with np.errstate(under="ignore"):
            flushed = rk.kl_divergence(first, np.where(np.exp(second) == 0, -np.inf, second))
        results[name] = {
            "kl": found.kl_divergence,
            "shared": rk.kl_divergence(first, other.log_density(draws)).kl_divergence,
            "standard_error": found.standard_error,
            "draws": found.n_draws,
            "finite_mean": flushed.finite_mean,
            "n_infinite": flushed.n_infinite,
        }
    return results


def detection(
    fitted: Fitted, nominal: Table, anomalous: Table, names: tuple[str, ...]
) -> dict[str, dict[str, float]]:
    """Return how well each method tells contaminating test rows from nominal ones (section 6.2.3).

    The AUC; the detection rates at false alarm rates of 1, 5 and 10 %, on the ROC curve's line; of a density
    the mean logarithm at the nominal rows, and the AUC of densities as plain float64, `flushed`, which tie
    where they underflow. A density that refused the rows has no entry.
    """
    queries = np.vstack([nominal, anomalous])
    labels = np.repeat([0, 1], [len(nominal), len(anomalous)])
    results = {}
    for name in names:
        found = scores(fitted, name, queries)
        if found is None:
            continue
        results[name] = {"auc": rk.auc(found, labels)} | _detected(found, labels)
        if name in fitted.densities:
            results[name]["held_out"] = float(np.mean(-found[: len(nominal)]))
            with np.errstate(under="ignore", over="ignore"):
                results[name]["flushed"] = rk.auc(-np.exp(-found), labels)
    return results


ALARMS: Final = {"detected_01": 0.01, "detected_05": 0.05, "detected_10": 0.1}
"""False alarm rates at which the detection rate is read off the ROC curve."""


def _detected(found: Table, labels: Labels) -> dict[str, float]:
    false_alarms, detections, _ = roc_curve(labels, found, drop_intermediate=False)
    return {name: float(np.interp(rate, false_alarms, detections)) for name, rate in ALARMS.items()}


def scores(fitted: Fitted, name: str, queries: Table) -> Table | None:
    """Return the outlier scores of one method: minus the log density or the depth, or its own."""
    if name == DEPTH:
        return -rk.depth(fitted.X, fitted.kernel, queries)
    if name in fitted.scorers:
        return fitted.scorers[name](queries)
    return -fitted.densities[name].log_density(queries) if name in fitted.densities else None

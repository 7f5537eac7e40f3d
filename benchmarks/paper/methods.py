"""The estimators that are compared, fitted with one bandwidth; every number by public functions of rkde."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol

import numpy as np

import rkde.fast as rk
from benchmarks.paper.sets import Table
from rkde.errors import DegenerateBandwidth, ModeCollapseWarning, RkdeWarning
from rkde.vocabulary import QuantileRule

BandwidthChoice = Literal["median_nn", "median_nn_distinct", "scott"]

MAIN: Final = ("kde", "vkde", "rkde")
TITLES: Final = {
    "kde": "KDE",
    "vkde": "VKDE",
    "rkde": "RKDE",
    "rkde-authors": "RKDE (authors' program)",
    "huber": "RKDE (Huber)",
    "median": "f_med",
    "nearest": "VKDE (k-th neighbour)",
    "depth": "KSD",
}
DENSITIES: Final = tuple(name for name in TITLES if name != "depth")
"""Every method but the depth, which is not a density."""
DEPTH: Final = "depth"


class Density(Protocol):
    """What the tasks ask of an estimate."""

    def log_density(self, queries: Table) -> Table:
        """Return logarithms at queries of shape (m, d)."""

    def sample(self, n: int, rng: np.random.Generator) -> Table:
        """Draw n points."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What the paper leaves open and a fit depends on."""

    bandwidth: BandwidthChoice = "median_nn"
    quantile_rule: QuantileRule = "linear"


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Estimates of one sample by name, the kernel that they share, and what the fits reported."""

    X: Table
    kernel: rk.Gaussian
    rule: str
    densities: dict[str, Density]
    robust: dict[str, rk.Rkde]
    facts: dict[str, dict[str, object]] = field(default_factory=dict)


def bandwidth(X: Table, choice: BandwidthChoice) -> tuple[float, str]:
    """Return the bandwidth and the rule that gave it: a median of 0 becomes that over positive distances."""
    if choice == "scott":
        return rk.scott(X), choice
    if choice == "median_nn":
        try:
            return rk.median_nn(X), choice
        except DegenerateBandwidth:
            pass
    return rk.median_nn_distinct(X), "median_nn_distinct"


def fit(X: Table, names: tuple[str, ...], choices: Choices) -> Fitted:
    """Fit the named methods to one sample; `facts` holds what the robust fits reported."""
    width, rule = bandwidth(X, choices.bandwidth)
    kernel = rk.Gaussian(width)
    fitted = Fitted(X, kernel, rule, {}, {})
    for name in names:
        if name in _ROBUST:
            _fit_robust(fitted, name, choices)
    for name in names:
        if name in _PLAIN:
            fitted.densities[name] = _PLAIN[name](X, kernel)
        elif name == "median":
            paper = fitted.robust["rkde"]
            fitted.densities[name] = replace(paper, run=replace(paper.run, weights=paper.median.weights))
            fitted.facts[name] = {"iterations": paper.median.n_iter, "status": paper.median.status.value}
    return fitted


_PLAIN: Final[dict[str, Callable[[Table, rk.Gaussian], Density]]] = {
    "kde": rk.kde,
    "vkde": rk.vkde,
    "nearest": lambda X, kernel: rk.nearest_vkde(X, kernel, round(math.sqrt(len(X)))),
}
_ROBUST: Final = ("rkde", "rkde-authors", "huber")


def _fit_robust(fitted: Fitted, name: str, choices: Choices) -> None:
    width = fitted.kernel.bandwidth
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RkdeWarning)
        if name == "rkde-authors":
            found = rk.rkde(fitted.X, bandwidth=width, on_degenerate="warn", recipe="authors-program")
        else:
            rule = None if choices.quantile_rule == "linear" else choices.quantile_rule
            loss = rk.Huber if name == "huber" else rk.Hampel
            found = rk.rkde(fitted.X, bandwidth=width, on_degenerate="warn", loss=loss, quantile_rule=rule)
    fitted.densities[name] = fitted.robust[name] = found
    fitted.facts[name] = {
        "iterations": found.n_iter,
        "status": found.status.value,
        "zero_share": found.zero_weight_share,
        "warnings": sorted({entry.category.__name__ for entry in caught}),
        "collapse": any(issubclass(entry.category, ModeCollapseWarning) for entry in caught),
    }

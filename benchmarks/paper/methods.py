"""The estimators that are compared, fitted with one bandwidth; every number by public functions of rkde."""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Literal, Protocol

import numpy as np

import rkde.fast as rk
from benchmarks.paper import rivals
from benchmarks.paper.sets import Table
from rkde.errors import DegenerateBandwidth, ModeCollapseWarning, RkdeWarning
from rkde.vocabulary import QuantileRule

BandwidthChoice = Literal["median_nn", "median_nn_distinct", "scott", "lscv"]

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
"""The estimates of the paper's setting."""
LEVELS: Final = {"rkde-80-95": (0.5, 0.8, 0.95), "rkde-90-95": (0.5, 0.9, 0.95)}
"""Hampel's thresholds at other quantiles of the residuals than the paper's."""
DENSITIES: Final = tuple(name for name in TITLES if name != "depth")
"""Every method of the paper's setting but the depth, which is not a density."""
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
    factor: float = 1.0
    quantile_rule: QuantileRule = "linear"


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Estimates of one sample by name, the kernel that they share, and what the fits reported."""

    X: Table
    kernel: rk.Gaussian
    rule: str
    densities: dict[str, Density]
    robust: dict[str, rk.Rkde]
    scorers: dict[str, rivals.Scorer] = field(default_factory=dict)
    facts: dict[str, dict[str, object]] = field(default_factory=dict)


def bandwidth(X: Table, choice: BandwidthChoice) -> tuple[float, str]:
    """Return the bandwidth and the rule that gave it, median_nn_distinct where the chosen one finds none."""
    try:
        return _RULES[choice](X), choice
    except DegenerateBandwidth:
        return rk.median_nn_distinct(X), "median_nn_distinct"


_RULES: Final[dict[BandwidthChoice, Callable[[Table], float]]] = {
    "median_nn": rk.median_nn,
    "median_nn_distinct": rk.median_nn_distinct,
    "scott": rk.scott,
    "lscv": rk.lscv,
}


def fit(X: Table, names: tuple[str, ...], choices: Choices, outlying: int = 0) -> Fitted:
    """Fit the named methods to one sample; `facts` holds what the robust fits reported.

    `outlying` is the number of contaminating rows, told to the rivals that ask for it.
    """
    width, rule = bandwidth(X, choices.bandwidth)
    kernel = rk.Gaussian(choices.factor * width)
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
    if set(names) & set(rivals.RIVALS):
        _fit_rivals(fitted, names, outlying)
    return fitted


def _fit_rivals(fitted: Fitted, names: tuple[str, ...], outlying: int) -> None:
    """Fit the named rivals; a density that refuses the rows is left out."""
    plain = rk.kde(fitted.X, fitted.kernel)
    sample = rivals.Sample(fitted.X, fitted.kernel, plain, fitted.robust["rkde"], outlying)
    for name in names:
        if name in rivals.DENSITIES:
            found = rivals.density(name, sample)
            if found is not None:
                fitted.densities[name] = found
        elif name in rivals.DETECTORS:
            fitted.scorers[name] = rivals.detector(name, sample)


_PLAIN: Final[dict[str, Callable[[Table, rk.Gaussian], Density]]] = {
    "kde": rk.kde,
    "vkde": rk.vkde,
    "nearest": lambda X, kernel: rk.nearest_vkde(X, kernel, round(math.sqrt(len(X)))),
}
_ROBUST: Final = ("rkde", "rkde-authors", "huber", *LEVELS)


def _fit_robust(fitted: Fitted, name: str, choices: Choices) -> None:
    width = fitted.kernel.bandwidth
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RkdeWarning)
        if name == "rkde-authors":
            found = rk.rkde(fitted.X, bandwidth=width, on_degenerate="warn", recipe="authors-program")
        else:
            rule = None if choices.quantile_rule == "linear" else choices.quantile_rule
            loss = rk.Huber if name == "huber" else rk.Hampel
            levels = {"quantiles": LEVELS[name]} if name in LEVELS else {}
            found = rk.rkde(
                fitted.X, bandwidth=width, on_degenerate="warn", loss=loss, quantile_rule=rule, **levels
            )
    fitted.densities[name] = fitted.robust[name] = found
    fitted.facts[name] = {
        "iterations": found.n_iter,
        "status": found.status.value,
        "zero_share": found.zero_weight_share,
        "warnings": sorted({entry.category.__name__ for entry in caught}),
        "collapse": any(issubclass(entry.category, ModeCollapseWarning) for entry in caught),
    }

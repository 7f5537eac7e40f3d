"""What the two recipes, and other quantiles, do to a mixture with a smaller mode and a few outliers.

Forty sets of 200 rows from .4 N(3, 1) + .6 N(8, 1) and 20 outliers, with three bandwidth rules. The smaller
mode counts as lost where it keeps less than 5 % of the weight. Run by
``python benchmarks/limits/recipes_table.py``.
"""

import warnings
from typing import Any, Final

import numpy as np
from data import Array, machine, two_modes

import rkde.fast as rk
from rkde.errors import DegenerateThresholds, ModeCollapseWarning

SETS: Final = 40
LOST: Final = 0.05
GRID: Final = 60
RECIPES: Final[dict[str, dict[str, Any]]] = {
    "paper (.5 .75 .85)": {"recipe": "paper"},
    "authors-program": {"recipe": "authors-program"},
    "the same, median start": {"recipe": "authors-program", "start": "median"},
    "quantiles .5 .75 .95": {"quantiles": (0.5, 0.75, 0.95)},
    "quantiles .5 .90 .95": {"quantiles": (0.5, 0.9, 0.95)},
    "Huber, paper": {"loss": rk.Huber},
}


def least_squares_bandwidth(X: Array) -> float:
    """Minimise the integrated square of the estimate minus twice its leave-one-out mean (Gaussian kernel)."""
    squares = (X - X.T) ** 2
    widths = np.geomspace(rk.median_nn(X), 2 * rk.scott(X), GRID)
    n = len(X)
    scores = []
    for h in widths:
        joined = np.exp(-squares / (4 * h * h)).sum() / (n * n * h * np.sqrt(4 * np.pi))
        others = (np.exp(-squares / (2 * h * h)).sum() - n) / (n * (n - 1) * h * np.sqrt(2 * np.pi))
        scores.append(joined - 2 * others)
    return float(widths[int(np.argmin(scores))])


BANDWIDTHS: Final = {"median_nn": rk.median_nn, "least squares": least_squares_bandwidth, "scott": rk.scott}


def row(bandwidth: Any, arguments: dict[str, Any]) -> tuple[float, ...]:
    """Return the table's entries: counts of sets, then means over the sets with usable thresholds."""
    lost = warned = degenerate = 0
    sums = np.zeros(4)
    for seed in range(SETS):
        X, label = two_modes(seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ModeCollapseWarning)
            try:
                model = rk.rkde(X, bandwidth=bandwidth(X), **arguments)
            except DegenerateThresholds:
                degenerate += 1
                continue
        mass = float(model.weights[label == 0].sum())
        lost += mass < LOST
        warned += any(issubclass(entry.category, ModeCollapseWarning) for entry in caught)
        sums += (mass, model.weights[label == 2].sum(), model.zero_weight_share, model.n_iter)
    means = sums / (SETS - degenerate) if degenerate < SETS else np.full_like(sums, np.nan)
    return (degenerate, lost, warned, *means)


def main() -> None:
    """Print the table."""
    print(machine())
    labels = [two_modes(seed)[1] for seed in range(SETS)]
    share = np.mean([(label == 0).mean() for label in labels])
    print(f"plain KDE: smaller mode {share:.3f}, outliers {20 / 220:.3f}")
    print(
        f"{'bandwidth':14} {'recipe':24} {'b = c':>5} {'lost':>4} {'warned':>6} "
        f"{'mode':>6} {'outliers':>8} {'zero':>6} {'steps':>6}"
    )
    for rule, bandwidth in BANDWIDTHS.items():
        for name, arguments in RECIPES.items():
            degenerate, lost, warned, mode, outliers, zero, steps = row(bandwidth, arguments)
            print(f"{rule:14} {name:24} {degenerate:5} {lost:4} {warned:6} {mode:6.3f} {outliers:8.3f} "
                  f"{zero:6.2f} {steps:6.1f}")  # fmt: skip


if __name__ == "__main__":
    main()

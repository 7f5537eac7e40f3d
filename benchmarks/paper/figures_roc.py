"""Figure 4: ROC curves of banana and iris, averaged over partitions."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

import rkde.fast as rk
from benchmarks.paper.data import load
from benchmarks.paper.figures_captions import ROC_BAND, ROC_PARTITIONS
from benchmarks.paper.figures_style import BAND, HANDLE, SMALL, STYLES, THIN, Style, page_figure
from benchmarks.paper.methods import MAIN, TITLES, Choices, fit
from benchmarks.paper.partitions import partition
from benchmarks.paper.sets import SETS, Table

CURVES: Final = (("banana", 0.2), ("iris", 0.1))
RATES: Final = np.linspace(0, 1, 501)
LOW: Final = 0.2
# Room between the curves and the frame, as a share of the axis; ends of the vertical axes of the lower row.
ROOM: Final = 0.03
EDGE: Final = 0.5
# The curve beneath all others is wide, so that equal ones are all seen.
DRAWN: Final[dict[str, Style]] = {
    "kde": STYLES["kde"] | {"linewidth": 1.4},
    "vkde": STYLES["vkde"] | {"linewidth": 4.0, "zorder": 1.9},
    "rkde": STYLES["rkde"] | {"linewidth": 1.8},
}


@dataclass(frozen=True, slots=True, eq=False)
class MeanCurve:
    """Detection rates at RATES over partitions: mean and band; and the mean area under the curves."""

    mean: Table
    low: Table
    high: Table
    area: float


def roc(source: str = "auto", partitions: int = ROC_PARTITIONS) -> Figure:
    """Figure 4: mean ROC curves of the three estimators, whole and at low false alarm rates."""
    figure = page_figure(6.6)
    for (whole, low), (name, epsilon) in zip(figure.subplots(2, len(CURVES)).T, CURVES, strict=True):
        found = mean_curves(name, epsilon, source, partitions)
        _whole_panel(whole, found)
        whole.set_title(f"{SETS[name].title}, contamination {100 * epsilon:g} %", fontsize="medium")
        _low_panel(low, found)
    return figure


def mean_curves(name: str, epsilon: float, source: str, partitions: int) -> dict[str, MeanCurve]:
    """Return the mean curve of each estimator over the first partitions.

    At a false alarm rate where a curve rises vertically the highest point counts.
    """
    loaded = load(name, source)  # type: ignore[arg-type]
    rates: dict[str, list[Table]] = {method: [] for method in MAIN}
    areas: dict[str, list[float]] = {method: [] for method in MAIN}
    for number in range(1, partitions + 1):
        split = partition(loaded, number, SETS[name].nominal)
        fitted = fit(loaded.X[split.training_rows(epsilon)], MAIN, Choices())
        queries = loaded.X[np.concatenate([split.test_nominal, split.test_contaminating])]
        labels = np.repeat([0, 1], [len(split.test_nominal), len(split.test_contaminating)])
        for method in MAIN:
            found = -fitted.densities[method].log_density(queries)
            curve = rk.roc_curve(found, labels)
            rates[method].append(np.interp(RATES, curve.false_positive_rate, curve.true_positive_rate))
            areas[method].append(rk.auc(found, labels))
    return {method: _mean(rates[method], areas[method]) for method in MAIN}


def _mean(rates: list[Table], areas: list[float]) -> MeanCurve:
    low, high = np.quantile(rates, ROC_BAND, axis=0)
    return MeanCurve(np.mean(rates, axis=0), low, high, float(np.mean(areas)))


def _panel(axes: Axes, found: dict[str, MeanCurve]) -> None:
    axes.plot([0, 1], [0, 1], **THIN)
    for method, style in DRAWN.items():
        one = found[method]
        axes.fill_between(RATES, one.low, one.high, color=style["color"], alpha=BAND, linewidth=0)
        for end in (one.low, one.high):
            axes.plot(RATES, end, **style | {"linewidth": EDGE})
        axes.plot(RATES, one.mean, label=f"{TITLES[method]}, area {one.area:.3f}", **style)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))
    axes.set(xlabel="false alarms", ylabel="detections")


def _whole_panel(axes: Axes, found: dict[str, MeanCurve]) -> None:
    _panel(axes, found)
    axes.set(xlim=(-ROOM, 1 + ROOM), ylim=(-ROOM, 1 + ROOM))
    axes.legend(loc="lower right", fontsize=SMALL, frameon=False, handlelength=HANDLE)


def _low_panel(axes: Axes, found: dict[str, MeanCurve]) -> None:
    _panel(axes, found)
    inside = RATES <= LOW
    lowest = min(float(one.low[inside].min()) for one in found.values())
    highest = max(float(one.high[inside].max()) for one in found.values())
    room = ROOM * (highest - lowest)
    axes.set(xlim=(-ROOM * LOW, (1 + ROOM) * LOW), ylim=(lowest - room, highest + room))

"""The results as two pictures, from plain numbers: rank sums over contamination, and AUC points by set."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

import rkde.fast as rk
from benchmarks.paper.claims import LEVEL
from benchmarks.paper.figures_style import BAND, MARKERS, SMALL, THIN, Style, legend, page_figure, save
from benchmarks.paper.sets import SETS
from rkde.plotting import GREY, LINES

Numbers = Sequence[float | None]

N_SETS: Final = len(SETS)
ALL_RANKS: Final = N_SETS * (N_SETS + 1) // 2
MOST_PANELS: Final = 6
COLUMNS: Final = 3
# So many panels are two by two.
SQUARE: Final = 4
# Inches of a row of panels, of a set in the dot plot, and of what stands above and below.
ROW_HEIGHT, SET_HEIGHT, AROUND = 2.3, 0.26, 1.1
SIGNIFICANT: Final = f"exact p at most {LEVEL:g} (two-sided)"
# Rank sums from 0 to all are seen whole.
ROOM: Final = 5
# A gain so many times the next smaller one is written, not drawn.
FAR: Final = 2.0
LINE_WIDTH: Final = 1.4
# The share of a set's height over which its methods are spread.
APART: Final = 0.8
# Smaller than the intervals, without a line from set to set.
DOT_SIZE: Final = 4.0
NOT_FOR_DOTS: Final = frozenset({"linestyle", "markersize"})


@dataclass(frozen=True, slots=True)
class Panel:
    """Rank sums R_1 of one comparison.

    `series` has for each label a number for each contamination ratio, None where there is none, or None for
    a line that this panel lacks. `low` and `high` bound the band, the range over blocks of partitions, in the
    colour of the second line.
    """

    title: str
    ratios: Sequence[float]
    series: Mapping[str, Numbers | None]
    low: Numbers
    high: Numbers

    def __post_init__(self) -> None:
        """Refuse numbers that are not rank sums of the sets, one for each ratio."""
        named = {**self.series, "low": self.low, "high": self.high}
        for name, values in named.items():
            if values is not None:
                _check_rank_sums(f"{self.title}, {name}", values, len(self.ratios))
        if not 1 <= len(self.series) <= len(LINES):
            raise ValueError(
                f"{self.title}, series must have 1 to {len(LINES)} entries, got {len(self.series)}; "
                "pass fewer lines"
            )
        for low, high in zip(_floats(self.low), _floats(self.high), strict=True):
            if low > high:
                raise ValueError(
                    f"{self.title}, low must be at most high, got {low:g} and {high:g}; exchange them"
                )


def _check_rank_sums(where: str, values: Numbers, count: int) -> None:
    if len(values) != count:
        raise ValueError(
            f"{where} must have {count} entries, got {len(values)}; pass one for each ratio, or None"
        )
    for value in values:
        if value is not None and not 0 <= value <= ALL_RANKS:
            raise ValueError(
                f"{where} must be between 0 and {ALL_RANKS}, got {value:g}; pass rank sums of {N_SETS} sets"
            )


@dataclass(frozen=True, slots=True)
class Group:
    """AUC points gained: for each method and set the mean and its standard error, or None."""

    title: str
    methods: Mapping[str, Mapping[str, tuple[float, float] | None]]

    def __post_init__(self) -> None:
        """Refuse unknown sets, standard errors below 0, and more methods than can be told apart."""
        if not 1 <= len(self.methods) <= len(LINES):
            raise ValueError(
                f"{self.title}, methods must have 1 to {len(LINES)} entries, got {len(self.methods)}; "
                "pass fewer methods"
            )
        for method, gains in self.methods.items():
            if unknown := sorted(gains.keys() - SETS.keys()):
                raise ValueError(
                    f"{self.title}, {method} must name data sets, got {unknown[0]!r}; use {', '.join(SETS)}"
                )
            for name, gain in gains.items():
                if gain is not None and not (np.isfinite(gain).all() and gain[1] >= 0):
                    raise ValueError(
                        f"{self.title}, {method}, {name} must be a mean and a standard error of at least 0, "
                        f"got {gain}; pass finite numbers, or None"
                    )


@cache
def least_significant(sets: int = N_SETS) -> int:
    """Return the smallest rank sum that is significantly more than half of all, by the exact test."""
    ranks = np.arange(1, sets + 1)
    total = int(ranks.sum())
    for statistic in range(total // 2, -1, -1):
        negative, left = np.zeros(sets, dtype=bool), statistic
        for rank in reversed(ranks):
            if rank <= left:
                negative[rank - 1], left = True, left - rank
        if rk.signed_rank(np.where(negative, -ranks, ranks)).p_value <= LEVEL:
            return total - statistic
    raise ValueError(f"sets must be enough for a significant sum, got {sets}; use more sets")


def draw_rank_sums(path: Path, panels: Sequence[Panel]) -> None:
    """Write a PNG of rank sums over the contamination ratio, one panel for each comparison.

    The line at half of all ranks is no difference; where it is shaded the difference is significant.
    """
    save(rank_sums(panels), path)


def rank_sums(panels: Sequence[Panel]) -> Figure:
    """Return the figure of `draw_rank_sums`."""
    if not 1 <= len(panels) <= MOST_PANELS:
        raise ValueError(
            f"panels must have 1 to {MOST_PANELS} entries, got {len(panels)}; draw several pictures"
        )
    columns = 2 if len(panels) == SQUARE else min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    figure = page_figure(AROUND + ROW_HEIGHT * rows)
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    styles = _styles([label for panel in panels for label in panel.series])
    handles: dict[str, object] = {}
    for axes, panel in zip(grid.flat, panels, strict=False):
        _rank_panel(axes, panel, styles)
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    for axes in grid.flat[len(panels) :]:
        axes.set_axis_off()
    # Below the last panel of each column, which need not be in the last row.
    for axes in grid.flat[max(0, len(panels) - columns) : len(panels)]:
        axes.tick_params(labelbottom=True)
        axes.set_xlabel("contamination [%]")
    figure.supylabel(f"rank sum of the sets where the first is better, of {ALL_RANKS}", fontsize="medium")
    ordered = [*styles, *(label for label in handles if label not in styles)]
    legend(figure, {label: handles[label] for label in ordered if label in handles}, 3)
    return figure


def _styles(labels: Sequence[str]) -> dict[str, Style]:
    """Return a style for each label in the order of their first appearance, the same in every panel."""
    distinct = list(dict.fromkeys(labels))
    if len(distinct) > len(LINES):
        raise ValueError(
            f"labels must be at most {len(LINES)} in all panels together, got {len(distinct)}; "
            "use the same ones in every panel"
        )
    return {
        label: {"color": colour, "linestyle": dashes} | marker
        for label, (colour, dashes), marker in zip(distinct, LINES, MARKERS, strict=False)
    }


def _rank_panel(axes: Axes, panel: Panel, styles: Mapping[str, Style]) -> None:
    enough = least_significant()
    for low, high in ((0, ALL_RANKS - enough), (enough, ALL_RANKS)):
        axes.axhspan(low, high, facecolor=GREY, alpha=BAND, linewidth=0, label=SIGNIFICANT)
    axes.axhline(ALL_RANKS / 2, linestyle="--", label="no difference", **THIN)
    axes.fill_between(
        panel.ratios, _floats(panel.low), _floats(panel.high), facecolor=LINES[1][0], alpha=2 * BAND,
        linewidth=0, label="range over blocks of partitions",
    )  # fmt: skip
    for label, values in panel.series.items():
        if values is not None:
            axes.plot(
                panel.ratios, _floats(values), linewidth=LINE_WIDTH, label=label, **styles[label]
            )  # fmt: skip
    axes.set_title(panel.title, fontsize="medium")
    axes.set(ylim=(-ROOM, ALL_RANKS + ROOM), yticks=np.linspace(0, ALL_RANKS, 5))
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=""))


def _floats(values: Numbers) -> list[float]:
    return [np.nan if value is None else float(value) for value in values]


def draw_points(path: Path, groups: Sequence[Group]) -> None:
    """Write a PNG of AUC points gained by set, with two standard errors to each side.

    Sets are sorted by the first method of the last group, the largest gain on top. A gain that is far from
    all the others is not drawn, so that these can be told apart, but written at the edge.
    """
    save(points(groups), path)


def points(groups: Sequence[Group]) -> Figure:
    """Return the figure of `draw_points`."""
    if not 1 <= len(groups) <= 2:
        raise ValueError(f"groups must have 1 or 2 entries, got {len(groups)}; draw several pictures")
    first = next(iter(groups[-1].methods.values()))
    named = {name for group in groups for gains in group.methods.values() for name in gains}
    names = sorted(
        (name for name in SETS if name in named), key=lambda name: (first.get(name) or (-np.inf,))[0]
    )
    figure = page_figure(AROUND + SET_HEIGHT * len(names))
    panels = figure.subplots(1, len(groups), sharex=True, sharey=True, squeeze=False)[0]
    styles = _styles([label for group in groups for label in group.methods])
    handles: dict[str, object] = {}
    reach = _reach([gain for group in groups for gains in group.methods.values() for gain in gains.values()])
    for axes, group in zip(panels, groups, strict=True):
        _points_panel(axes, group, names, styles, reach)
        handles |= dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    legend(figure, handles, len(LINES))
    return figure


def _reach(gains: Sequence[tuple[float, float] | None]) -> float:
    """Return how far the axis goes: to the largest gain, or to the last one before a wide gap."""
    sizes = sorted(abs(gain[0]) + 2 * gain[1] for gain in gains if gain is not None)
    far = [place for place in range(1, len(sizes)) if sizes[place] > FAR * sizes[place - 1] > 0]
    # A gap near 0 is no gap to the others.
    last = next((place for place in far if place > len(sizes) / 2), len(sizes))
    return 1.1 * max(sizes[last - 1], 1.0)


def _points_panel(
    axes: Axes, group: Group, names: Sequence[str], styles: Mapping[str, Style], reach: float
) -> None:
    axes.axvline(0, **THIN)
    axes.set_xlim(-reach, reach)
    step = APART / len(styles)
    for place, (label, style) in enumerate(styles.items()):
        gains = group.methods.get(label, {})
        up = step * ((len(styles) - 1) / 2 - place)
        every = [(height, *gain) for height, name in enumerate(names) if (gain := gains.get(name))]
        shown = [one for one in every if abs(one[1]) <= reach]
        for height, mean, _ in (one for one in every if abs(one[1]) > reach):
            axes.annotate(
                f"{mean:+.0f}", (np.sign(mean) * reach, height + up), ha="right" if mean > 0 else "left",
                va="center", fontsize=SMALL, color=style["color"],
            )  # fmt: skip
        if shown:
            heights, means, errors = np.array(shown).T
            axes.errorbar(
                means, heights + up, xerr=2 * errors, linestyle="none",
                linewidth=1, label=label, **{key: style[key] for key in style.keys() - NOT_FOR_DOTS},
                markersize=DOT_SIZE,
            )  # fmt: skip
    axes.set_yticks(range(len(names)), [SETS[name].title for name in names], fontsize=SMALL)
    axes.set_ylim(-1 / 2, len(names) - 1 / 2)
    axes.grid(axis="y", linewidth=0.3)
    axes.set_title(group.title, fontsize="medium")
    axes.set_xlabel("AUC points gained ± 2 standard errors", fontsize="small")

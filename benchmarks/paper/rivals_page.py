"""RIVALS.md: is the M-estimate worth it, beside simpler estimates, other bandwidths and thresholds?"""

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmarks.paper import rivals
from benchmarks.paper.cells import Chosen, Comparison
from benchmarks.paper.methods import TITLES
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.sensitivity import WITHOUT_MNIST
from benchmarks.paper.sets import SETS
from benchmarks.paper.sizes import Size, mean_value, size
from benchmarks.paper.text import folded, signed, table
from benchmarks.paper.variants import BANDWIDTHS, BASE, GRID_EPSILONS

VARIANT: Final = "rivals"
RATIOS: Final = ("0.00", "0.10", "0.20", "0.30")
LAST: Final = RATIOS[-1]
_PAPERS: Final = ("1", "rkde")
GRID_RATIOS: Final = tuple(f"{epsilon:.2f}" for epsilon in GRID_EPSILONS)
LOSSES: Final = {
    "kde": "KDE",
    "rkde": "Hampel .5 .75 .85 (the paper's)",
    "rkde-80-95": "Hampel .5 .8 .95",
    "rkde-90-95": "Hampel .5 .9 .95",
    "rkde-authors": "authors' program",
    "huber": "Huber",
}
"""Columns of the grid."""
NO_MNIST: Final = Chosen(names=WITHOUT_MNIST)
NAMES: Final = (
    {name: TITLES[name] for name in ("kde", "vkde", "rkde", "rkde-authors", "huber")}
    | {name: title for name, (title, _) in rivals.DENSITIES.items()}
    | {name: title for name, (title, _) in rivals.DETECTORS.items()}
)
"""What is compared, by name."""


@dataclass(frozen=True, slots=True)
class Place:
    """One cell of the grid: bandwidth, loss, and what it gains over the KDE at the paper's bandwidth.

    `others` are the gains without MNIST, on which a wider bandwidth gains so much that no other set counts.
    """

    bandwidth: str
    loss: str
    sizes: dict[str, Size]
    others: dict[str, Size]

    @property
    def gain(self) -> float:
        """The mean gain over the contaminated ratios of the grid, without MNIST."""
        return statistics.fmean(self.others[ratio].mean for ratio in GRID_RATIOS[1:])

    @property
    def gain_with_mnist(self) -> float:
        """The same with MNIST."""
        return statistics.fmean(self.sizes[ratio].mean for ratio in GRID_RATIOS[1:])

    @property
    def title(self) -> str:
        """What it is, in words."""
        return f"{LOSSES[self.loss]}, bandwidth by {BANDWIDTHS[self.bandwidth][0]}"


def variant_of(name: str) -> str:
    """Return the variant that holds a method of the comparison."""
    return BASE if name in ("rkde-authors", "huber") else VARIANT


def gain(
    results: Results, measure: str, name: str, ratio: str, second: str = "kde", chosen: Chosen | None = None
) -> Size:
    """Return what a method gains over another one on the same partitions."""
    variants = variant_of(name), variant_of(second)
    return size(results, Comparison(measure, name, second, ratio), chosen, variants)


def grid(results: Results, measure: str = "auc") -> list[Place]:
    """Return the cells of the grid, by bandwidth and then by loss."""

    def sizes(bandwidth: str, loss: str, chosen: Chosen) -> dict[str, Size]:
        variants = f"grid-{bandwidth}", "grid-1"
        return {
            ratio: size(results, Comparison(measure, loss, "kde", ratio), chosen, variants)
            for ratio in GRID_RATIOS
        }

    return [
        Place(bandwidth, loss, *(sizes(bandwidth, loss, chosen) for chosen in (Chosen(), NO_MNIST)))
        for bandwidth in BANDWIDTHS
        for loss in LOSSES
    ]


def page(results: Results) -> str:
    """Return the text of RIVALS.md."""
    return "\n".join(_parts(results))


def _parts(results: Results) -> Iterator[str]:
    count = max(results.partitions(VARIANT).values())
    yield "# Is the M-estimate worth it?\n"
    yield (
        f"The experiments of [section 6](RESULTS.md), {count} partitions of each of the fifteen sets, with "
        "estimates and detectors that are simpler. All see the same rows and, where they have a kernel, the "
        "same bandwidth, unless a line says otherwise. Every number is written by "
        "`python -m benchmarks.paper report` from the packed results.\n"
    )
    yield "## What comes out\n"
    yield from (f"* {line}" for line in findings(results))
    yield "\n## Ranking: AUC points over the KDE\n"
    yield (
        "Mean over the sets with a 95 % interval from resampling them, sets won and lost by a point or more "
        "at 0.30, and the set on which most is lost there.\n"
    )
    yield _gains(results, "auc", tuple(NAMES))
    yield "\n## Detection rate at 5 % false alarms, in points over the KDE\n"
    yield _gains(results, "detected-05", tuple(NAMES))
    yield "\n## The density itself: mean log density of nominal test rows, in nats over the KDE\n"
    yield (
        "The median over the sets and the range of the sets: a mean would be that of the one set on which an "
        "estimate fails. In many columns a density with the paper's bandwidth is a sum of narrow peaks, "
        "and a wider bandwidth gains far more nats than any choice of weights.\n"
    )
    yield _held_out(results)
    yield "\n## Bandwidth and thresholds\n"
    yield (
        "AUC points over the KDE with the paper's bandwidth: the mean over the sets but for MNIST, then that "
        "with MNIST, whose digits 1 a bandwidth can join or part; in brackets the loss on the "
        "worst set. F. Solar and others with many tied rows use the positive distances where a rule finds no "
        "bandwidth.\n"
    )
    yield _grid_table(results)
    yield folded("Set by set, AUC points over the KDE at ratio 0.30", _by_set(results))
    yield folded("What the rivals are", _definitions())


def findings(results: Results) -> list[str]:
    """Return what the numbers say, in sentences."""
    gains = {name: gain(results, "auc", name, LAST) for name in NAMES if name != "kde"}
    others = {name: _without_mnist(results, "auc", name, LAST) for name in gains}
    ordered = sorted(gains, key=lambda name: gains[name].mean, reverse=True)
    own = gains["rkde"]
    ahead = [name for name in ordered if gains[name].mean > own.mean]
    kept = gain(results, "auc", "rkde", LAST, "kept")
    held = {name: gain(results, "held-out", name, "0.10") for name in ("rkde", "trimmed-25", "practical")}
    return [
        f"At ratio {LAST} the RKDE gains {told(own)} over the KDE; without MNIST "
        f"{signed(others['rkde'], 1)}. "
        + (
            "Ahead of it, with the gain without MNIST in brackets: "
            + ", ".join(
                f"{NAMES[name]} {signed(gains[name].mean, 1)} ({signed(others[name], 1)})" for name in ahead
            )
            + "."
            if ahead
            else "Nothing else gains more."
        ),
        *advice(results),
        f"The plain KDE of the rows that the RKDE keeps differs from it by {signed(-kept.mean, 1)} "
        f"points of AUC at ratio {LAST} ({kept.won + kept.lost} sets by a point or more): there the weights "
        "among the rows that are kept decide little.",
        "As a density of the nominal rows, at ratio 0.10, in nats over the KDE, the median over the sets: "
        + ", ".join(f"{NAMES[name]} {signed(held[name].median, 2)}" for name in held)
        + "; the worst set: "
        + ", ".join(
            f"{NAMES[name]} {signed(held[name].worst.mean, 1)} ({SETS[held[name].worst.name].title})"
            for name in held
        )
        + ".",
    ]


def advice(results: Results) -> list[str]:
    """Return what the rivals and the grid tell a user, in sentences."""
    trimmed = gain(results, "auc", "trimmed-25", LAST)
    against = gain(results, "auc", "rkde", LAST, "trimmed-25")
    default, plain_default = (gain(results, "auc", name, LAST) for name in ("practical", "practical-plain"))
    return [
        "A simpler estimate does part of it: at ratio 0.30, leaving out once the quarter of the rows with "
        f"the lowest plain density gains {told(trimmed)}; the RKDE over that: {told(against)}.",
        _of_the_grid(results),
        f"The defaults of `rkde.fit` were chosen for dirty tables of another kind "
        "([39 of them](../practice/RESULTS.md)), where they do well. Here, where rows of a second class "
        f"contaminate, their gain is {told(default)} over the KDE with the paper's bandwidth; the plain "
        f"estimate with their scaling and bandwidth has {signed(plain_default.mean, 1)}"
        + (
            ", so that these, and not the loss, make the difference."
            if abs(default.mean - plain_default.mean) < MEASURES["auc"].notable
            else "."
        ),
    ]


def _with_mnist(place: Place) -> str:
    return f"{signed(place.gain, 1)} ({signed(place.gain_with_mnist, 1)})"


def _without_mnist(results: Results, measure: str, name: str, ratio: str) -> float:
    """Return the mean gain over the KDE on all other sets: MNIST alone can decide a mean."""
    return gain(results, measure, name, ratio, chosen=NO_MNIST).mean


def _of_the_grid(results: Results) -> str:
    """Say whether another bandwidth or other thresholds do better than the paper's."""
    places = {(place.bandwidth, place.loss): place for place in grid(results)}
    papers = places[_PAPERS]
    others = [place for key, place in places.items() if key != _PAPERS]
    best = max(others, key=lambda place: place.gain)
    plain = max((one for one in others if one.loss == "kde"), key=lambda place: place.gain)
    worst = min((best.others[ratio].worst for ratio in GRID_RATIOS[1:]), key=lambda one: one.mean)
    return (
        f"Averaged over the ratios {' and '.join(GRID_RATIOS[1:])}, without MNIST (in brackets with it: "
        "there the bandwidth decides whether the digits 1 are one cluster), the paper's bandwidth and "
        f"thresholds gain {_with_mnist(papers)} points over the KDE. "
        + (
            "Without MNIST no other bandwidth or loss of the grid gains as much; next is "
            if papers.gain >= best.gain
            else "More is gained by "
        )
        + f"{best.title}: {_with_mnist(best)}, {signed(best.others[GRID_RATIOS[0]].mean, 1)} on clean "
        f"samples, {signed(worst.mean, 1)} on its worst set ({SETS[worst.name].title}). A plain KDE with the "
        f"bandwidth by {BANDWIDTHS[plain.bandwidth][0]} gains {_with_mnist(plain)}. Choosing the setting on "
        "all sets but one, without MNIST, and testing it on that one gains on average "
        f"{signed(chosen_on_others(list(places.values())), 1)}."
    )


def chosen_on_others(places: list[Place]) -> float:
    """Return what the best of the grid gains on average on a set that had no part in its choice."""
    by_place = []
    for place in places:
        gains = [{one.name: one.mean for one in place.others[ratio].gains} for ratio in GRID_RATIOS[1:]]
        by_place.append({name: statistics.fmean(of[name] for of in gains) for name in gains[0]})
    names = list(by_place[0])
    found = []
    for left_out in names:
        best = max(by_place, key=lambda of: sum(of[name] for name in names if name != left_out))
        found.append(best[left_out])
    return statistics.fmean(found)


def told(found: Size) -> str:
    """Return a size in words: mean, interval, sets won and lost."""
    measure = MEASURES[found.comparison.measure]
    digits = measure.digits
    return (
        f"{signed(found.mean, digits)} {measure.unit} on average over the sets "
        f"({signed(found.low, digits)} to {signed(found.high, digits)}; {found.won} sets won and "
        f"{found.lost} lost by {measure.notable:g} or more)"
    )


def _gains(results: Results, measure: str, names: tuple[str, ...]) -> str:
    rows: list[list[object]] = []
    for name in names:
        if name == "kde":
            digits = MEASURES[measure].digits
            means = [f"{mean_value(results, measure, 'kde', ratio, VARIANT):.{digits}f}" for ratio in RATIOS]
            rows.append([f"*{NAMES[name]}, the value itself*", *means, "", "", ""])
            continue
        found = {ratio: gain(results, measure, name, ratio) for ratio in RATIOS}
        last = found[LAST]
        without = signed(_without_mnist(results, measure, name, LAST), MEASURES[measure].digits)
        told_sets = [without, f"{last.won} / {last.lost}", _worst(last)]
        rows.append([NAMES[name], *map(interval, found.values()), *told_sets])
    return table(["", *RATIOS, f"{LAST} without MNIST", "won / lost", "worst set"], rows)


def interval(found: Size) -> str:
    """Return the mean with its interval."""
    digits = MEASURES[found.comparison.measure].digits
    return f"**{signed(found.mean, digits)}** [{signed(found.low, digits)}, {signed(found.high, digits)}]"


def _worst(found: Size) -> str:
    digits = MEASURES[found.comparison.measure].digits
    return f"{SETS[found.worst.name].title} {signed(found.worst.mean, digits)}"


def _held_out(results: Results) -> str:
    rows = []
    for name in NAMES:
        if name == "kde" or name in rivals.DETECTORS:
            continue
        found = [gain(results, "held-out", name, ratio) for ratio in RATIOS]
        rows.append([
            NAMES[name],
            *(
                f"**{signed(one.median, 2)}** [{signed(one.worst.mean, 1)}, {signed(one.best.mean, 1)}]"
                for one in found
            ),
            f"{found[-1].won} / {found[-1].lost}",
            _worst(found[-1]),
        ])  # fmt: skip
    return table(["", *RATIOS, "won / lost by 0.1", "worst set"], rows)


def _grid_table(results: Results) -> str:
    by_place = {(place.bandwidth, place.loss): place for place in grid(results)}
    tables = []
    for ratio in GRID_RATIOS:
        rows = [
            [
                BANDWIDTHS[bandwidth][0],
                *(
                    f"**{signed(place.others[ratio].mean, 1)}**, {signed(place.sizes[ratio].mean, 1)} "
                    f"({signed(place.sizes[ratio].worst.mean, 1)})"
                    for place in (by_place[bandwidth, loss] for loss in LOSSES)
                ),
            ]
            for bandwidth in BANDWIDTHS
        ]
        tables.append(table([f"ratio {ratio}", *LOSSES.values()], rows))
    return "\n".join(tables)


def _by_set(results: Results) -> str:
    names = tuple(name for name in NAMES if name != "kde")
    found = {name: {one.name: one for one in gain(results, "auc", name, LAST).gains} for name in names}
    rows = [
        [
            SETS[of].title,
            *(
                f"{signed(found[name][of].mean, 1)} +- {found[name][of].error:.1f}"
                if of in found[name]
                else "-"
                for name in names
            ),
        ]
        for of in results.partitions(VARIANT)
    ]
    return table(["set", *(NAMES[name] for name in names)], rows)


def _definitions() -> str:
    return (
        "* **KDE without the lowest 10 or 25 %**: the plain estimate is fitted, its rows of the lowest "
        "density are left out, and it is fitted again with the same bandwidth.\n"
        "* **SPKDE** (Vandermeulen and Scott, 2014): of all mixtures of the kernels the one nearest in L2 to "
        f"{rivals.SCALE:g} times the KDE.\n"
        "* **mixture of least integrated square**: of all mixtures f the one with the least integral of f^2 "
        "less twice the mean of f at the rows, each row's own kernel left out: the density power divergence "
        "with power 1.\n"
        "* **MoM-KDE** (Humbert et al., 2022): the median of the plain estimates of disjoint blocks. The "
        "theory asks for one block more than twice the contaminating rows, which leaves few rows in a "
        "block; 21 blocks are beside it. It is told the number of contaminating rows, as no other "
        "method is.\n"
        f"* **isolation forest** ({rivals.TREES} trees), **local outlier factor** "
        f"({rivals.LOCAL_NEIGHBOURS} neighbours), **robust Mahalanobis distance** (covariance of least "
        "determinant): scikit-learn's, with their defaults; they rank and have no density.\n"
        "* **rkde.fit with its defaults**: columns scaled by quartiles, the bandwidth and the thresholds of "
        "the practical recipe; and the plain estimate under the same scaling and bandwidth.\n"
    )

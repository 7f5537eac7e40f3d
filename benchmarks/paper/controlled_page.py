"""CONTROLLED.md and its pictures, written from the numbers alone: verdicts are functions of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure
from scipy.stats import binomtest

from benchmarks.paper.controlled import (
    AWAY,
    BEYOND,
    DRAWS,
    INSIDE,
    KINDS,
    LAWS,
    MEASURES,
    METHODS,
    N_NOMINAL,
    N_TEST,
    NAMES,
    ROBUST,
    as_text,
)
from benchmarks.paper.partitions import EPSILONS
from benchmarks.paper.text import folded, table
from rkde.plotting.style import LINES, PAGE_WIDTH, legend_of_figure

Found = Mapping[str, Any]
Case = tuple[str, str, int]
"""A law, a kind of contamination and the place of a ratio."""

BETTER, WORSE, NEITHER = "better", "worse", "no difference"
LEVEL: Final = 0.05
# A difference of averages that counts, in the unit of each measure.
DIFFERENCE: Final = 0.01
CHANCE: Final = 0.5
# Contaminating rows with at least their share of the weight are kept, as by the KDE.
KEEPS: Final = 1.0
# So many nominal rows without weight are the most of them.
DROPS: Final = 0.5
# An L1 distance from which less than a quarter of the probability is shared.
NO_DENSITY: Final = 1.5
PAPER_RATIO: Final = max(EPSILONS)
# From here on numbers are shown by significant digits.
LARGE: Final = 10
SHOWN: Final = (0.05, 0.3, 1.0)
COMPARED: Final = {"auc": "AUC", "l1": "L1", "l2": "L2", "held_out": "held out"}
TITLES: Final = {
    "auc": "AUC",
    "detected_05": "Detection rate at 5 % false alarms",
    "l1": "L1 distance to the law (2 is the most)",
    "l2": "L2 distance to the law over the law's norm (that of 0 is 1), median of the seeds",
    "held_out": "Mean log density of held-out nominal rows less the KDE's, in nats, median of the seeds",
    "zero_nominal": "Share of nominal rows without weight",
    "excess": "Weight of the contaminating rows over their share of the rows (1 in the KDE)",
}


def judged(found: Found, measure: str, rival: str, case: Case) -> str:
    """Return whether the RKDE is better than a rival by more than chance and a hundredth."""
    law, kind, step = case
    ours, theirs = (value(found, measure, method, case) for method in (ROBUST, rival))
    if ours is None or theirs is None:
        return NEITHER
    better, worse = (found[name][measure][rival][law][kind][step] for name in ("rkde_better", "rkde_worse"))
    gain = (theirs - ours) if MEASURES[measure][0] else (ours - theirs)
    if gain > DIFFERENCE and _is_clear(better, worse):
        return BETTER
    return WORSE if gain < -DIFFERENCE and _is_clear(worse, better) else NEITHER


@cache
def _is_clear(wins: int, losses: int) -> bool:
    """Return whether a sign test tells wins from chance."""
    return wins > losses and bool(binomtest(wins, wins + losses).pvalue <= LEVEL)


def value(found: Found, measure: str, method: str, case: Case) -> float | None:
    """Return an average; None where it is not defined."""
    law, kind, step = case
    known: float | None = found["values"][measure][method][law][kind][step]
    return known


def cases(found: Found, *, kind: str | None = None, most: float = 1.0) -> Iterator[Case]:
    """Yield all cases with contamination, of one kind or of every one, up to a ratio."""
    for law in LAWS:
        for name in KINDS if kind is None else (kind,):
            for step, ratio in enumerate(found["ratios"]):
                if 0 < ratio <= most:
                    yield law, name, step


def spans(ratios: Sequence[float], flags: Iterable[bool]) -> str:
    """Return the ratios that are flagged, in words; empty where none is.

    Examples
    --------
    >>> spans([0.1, 0.2, 0.3, 0.5], [True, True, False, True])
    '0.1 to 0.2, 0.5'
    """
    groups: list[list[float]] = []
    before = False
    for ratio, flag in zip(ratios, flags, strict=True):
        if flag and before:
            groups[-1].append(ratio)
        elif flag:
            groups.append([ratio])
        before = flag
    return ", ".join(f"{one[0]:g}" if len(one) == 1 else f"{one[0]:g} to {one[-1]:g}" for one in groups)


def ranking(found: Found, kind: str) -> str:
    """Return how the RKDE ranks beside the KDE under one kind of contamination."""
    every = list(cases(found, kind=kind))
    said = [judged(found, "auc", "kde", case) for case in every]
    losses = [found["ratios"][case[2]] for case, each in zip(every, said, strict=True) if each == WORSE]
    below = {name: _below_chance(found, name, every) for name in (ROBUST, "kde")}
    words = f"better in {said.count(BETTER)} of {len(every)} cases, "
    words += f"worse in {len(losses)}, first at ratio {min(losses):g}" if losses else "worse in none"
    if below[ROBUST]:
        words += (
            f"; AUC below {CHANCE:g} in {len(below[ROBUST])}, first at ratio {min(below[ROBUST]):g} "
            f"(KDE: {len(below['kde'])})"
        )
    return words


def _below_chance(found: Found, method: str, every: Iterable[Case]) -> list[float]:
    """Return the ratios of the cases in which a method ranks the wrong way round."""
    return [found["ratios"][case[2]] for case in every if (value(found, "auc", method, case) or 0) < CHANCE]


def onsets(found: Found, kind: str, measure: str, level: float) -> dict[str, float]:
    """Return the first ratio of each law at which a measure of the RKDE reaches a level."""
    firsts: dict[str, float] = {}
    for law, _, step in cases(found, kind=kind):
        reached = value(found, measure, ROBUST, (law, kind, step))
        if reached is not None and reached >= level:
            firsts.setdefault(law, found["ratios"][step])
    return firsts


def breakdown(found: Found, kind: str) -> str:
    """Return where the RKDE keeps contaminating rows or drops most nominal ones."""
    parts = [
        f"{verb} {_on_laws(onsets(found, kind, measure, level))}"
        for verb, measure, level in (
            ("keeps the contamination", "excess", KEEPS),
            ("drops most nominal rows", "zero_nominal", DROPS),
        )
    ]
    return "; ".join(parts)


def _on_laws(firsts: Mapping[str, float]) -> str:
    """Return on how many laws something begins, and at which ratios."""
    if not firsts:
        return f"on none of the {len(LAWS)} laws"
    low, high = min(firsts.values()), max(firsts.values())
    ratios = f"ratio {low:g}" if low == high else f"ratios {low:g} to {high:g}"
    return f"on {len(firsts)} of the {len(LAWS)} laws, first at {ratios}"


def compared(found: Found, rival: str, *, most: float = 1.0) -> str:
    """Return in how many cases the RKDE is better than a rival, and worse, by several measures."""
    every = list(cases(found, most=most))
    parts = []
    for measure, title in COMPARED.items():
        said = [judged(found, measure, rival, case) for case in every]
        parts.append(f"{title} {said.count(BETTER)} : {said.count(WORSE)}")
    return ", ".join(parts)


def nearest(found: Found, *, most: float = PAPER_RATIO) -> list[tuple[str, int]]:
    """Return the methods by how often they have the smallest L1 distance, the most frequent first."""
    counts: dict[str, int] = dict.fromkeys(METHODS, 0)
    for case in cases(found, most=most):
        known = {name: value(found, "l1", name, case) for name in METHODS}
        counts[min((size, name) for name, size in known.items() if size is not None)[1]] += 1
    return sorted(((name, count) for name, count in counts.items() if count), key=lambda one: -one[1])


def least_l1(found: Found, law: str, methods: Sequence[str] = METHODS) -> float:
    """Return the smallest L1 distance over kinds, ratios and methods."""
    sizes = [
        value(found, "l1", name, (law, kind, step))
        for name in methods
        for kind in KINDS
        for step in range(len(found["ratios"]))
    ]
    return min(size for size in sizes if size is not None)


def density_verdict(found: Found) -> str:
    """Return whether the RKDE is a nearer density than the KDE with the same bandwidth, law by law."""
    better, worse, even = [], [], []
    for law, known in LAWS.items():
        said = [judged(found, "l1", "kde", case) for case in cases(found, most=PAPER_RATIO) if case[0] == law]
        counts = said.count(BETTER), said.count(WORSE)
        side = even if counts[0] == counts[1] else better if counts[0] > counts[1] else worse
        side.append(f"{known.title} ({counts[0]} : {counts[1]} cases)")
    first, count = nearest(found)[0]
    every = len(list(cases(found, most=PAPER_RATIO)))
    parts = [
        f"{words} {'; '.join(laws)}"
        for words, laws in (("nearer on", better), ("farther on", worse), ("neither on", even))
        if laws
    ]
    beside = "beside the KDE with the same bandwidth"
    said = (
        f"Up to ratio {PAPER_RATIO:g}, {beside}, the RKDE is in L1 distance to the law more often "
        f"{', '.join(parts)}."
        if better or worse
        else "These seeds do not tell the density of the RKDE from that of the KDE with its bandwidth."
    )
    wider = ", which has another bandwidth" if first.startswith("practical") else ""
    return (
        f"{said} The smallest L1 distance of all has most often {NAMES[first]} ({count} of {every} "
        f"cases){wider}."
    )


def by_law(found: Found, measure: str, rival: str) -> str:
    """Return the cases in which the RKDE is better and worse than a rival, law by law."""
    parts = []
    for law, known in LAWS.items():
        said = [judged(found, measure, rival, case) for case in cases(found) if case[0] == law]
        parts.append(f"{said.count(BETTER)} : {said.count(WORSE)} ({known.title})")
    return "; ".join(parts)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]


def clean_words(found: Found) -> str:
    """Return what the RKDE costs without contamination."""
    kind = next(iter(KINDS))
    zeros = [value(found, "zero_nominal", ROBUST, (law, kind, 0)) or 0 for law in LAWS]
    sizes = [
        " / ".join(_number(value(found, "l1", name, (law, kind, 0))) for name in (ROBUST, "kde", "practical"))
        + f" ({title.title})"
        for law, title in LAWS.items()
    ]
    return (
        f"Without any contamination the RKDE leaves {min(zeros):.0%} to {max(zeros):.0%} of the nominal rows "
        f"without weight, and the L1 distance of {NAMES[ROBUST]} / {NAMES['kde']} / {NAMES['practical']} is "
        f"{'; '.join(sizes)}."
    )


def no_density(found: Found) -> Iterator[str]:
    """Yield a sentence for each law of which no estimate is a density, and one for the others."""
    paper = [name for name in METHODS if not name.startswith("practical")]
    near = []
    for law, known in LAWS.items():
        least = least_l1(found, law)
        if least < NO_DENSITY:
            near.append(known.title)
            continue
        yield (
            f"{known.title}: no estimate is a density. Over all methods, kinds and ratios the L1 distance is "
            f"at least {least:.2f} of 2 ({least_l1(found, law, paper):.2f} with the paper's bandwidth), so "
            f"that at most {1 - least / 2:.0%} of the probability is shared with the law. A good AUC there "
            "says nothing about the values of the density."
        )
    if near:
        yield f"Some estimate comes nearer than {NO_DENSITY:g} on: {'; '.join(near)}."


def page(found: Found) -> str:
    """Return the text of CONTROLLED.md."""
    every = list(cases(found))
    said = [judged(found, "auc", "kde", case) for case in every]
    lines = [
        "# Where the robust estimate breaks, and whether it is a density\n",
        _setting(found),
        "## What we find\n",
        f"**Ranking.** The AUC of the RKDE beside that of the KDE with the same bandwidth is better in "
        f"{said.count(BETTER)} of {len(every)} cases, worse in {said.count(WORSE)}:\n",
        *(f"* {KINDS[kind].title}: {ranking(found, kind)}." for kind in KINDS),
        "\n**Breakdown.** The RKDE keeps the contaminating rows (their weight is their share or more) or "
        "drops most nominal ones (weight 0):\n",
        *(f"* {KINDS[kind].title}: {breakdown(found, kind)}." for kind in KINDS),
        f"\n**Density.** {density_verdict(found)} {clean_words(found)}\n",
        f"Cases of {len(every)} in which the RKDE is better : worse than\n",
        *(f"* {NAMES[name]}: {compared(found, name)}." for name in ("kde", "trimmed-25", "practical")),
        f"* {NAMES['kde']}, L1, by law: {by_law(found, 'l1', 'kde')}.",
        f"* {NAMES['practical']}, AUC, by law: {by_law(found, 'auc', 'practical')}.",
        "\n**Many columns.**\n",
        *(f"* {line}" for line in no_density(found)),
        "",
        *(f"![{caption}](pictures/{name})\n\n{caption}\n" for name, caption in _captions()),
        "## The numbers\n",
        folded("Ratios at which the RKDE ranks better or worse than the KDE (AUC)", _ranking_table(found)),
        folded("Ratios at which the RKDE keeps or drops", _breakdown_table(found)),
        folded("Cases in which the RKDE is better : worse, by rival", _rivals_table(found)),
        folded("Without contamination", _clean_table(found)),
        *(folded(f"{title}, at {_shown()}", _values(found, measure)) for measure, title in TITLES.items()),
        "The other ratios, and the bandwidths, are in `controlled.json`.\n",
        "## How it was made\n",
        _made(found),
    ]
    return "\n".join(lines)


def _shown() -> str:
    return "ratios " + " / ".join(f"{ratio:g}" for ratio in SHOWN)


def _setting(found: Found) -> str:
    ratios = ", ".join(f"{ratio:g}" for ratio in found["ratios"])
    return (
        f"Beside {N_NOMINAL} nominal rows from a law whose density is known stand outlying rows. Their ratio "
        f"to the nominal rows ({ratios}; the paper's section 6 ends at {PAPER_RATIO:g}) is one axis, how "
        "concentrated they are the other: the paper's section 7 warns that concentrated contamination may "
        "look like a nominal mode. A *case* is a law, a kind of contamination and a ratio above 0, over "
        f"{found['provenance']['seeds']} seeds. *Better* and *worse* are what a sign test over the seeds "
        f"says at level {LEVEL:g}, uncorrected, where the averages differ by more than {DIFFERENCE:g}.\n"
    )


PICTURED: Final = ("plane", "twenty")
DRAWN: Final = ("kde", "trimmed-25", ROBUST, "practical")


def _captions() -> Iterator[tuple[str, str]]:
    for law in PICTURED:
        yield (
            f"controlled_{law}.png",
            f"{LAWS[law].title}: AUC and L1 distance over the ratio, by how concentrated the contaminating "
            "rows are. Grey: the paper's ratios.",
        )


def _ranking_table(found: Found) -> str:
    ratios = found["ratios"][1:]

    def cell(law: str, kind: str) -> str:
        said = [judged(found, "auc", "kde", (law, kind, step)) for step in range(1, len(ratios) + 1)]
        parts = [
            f"{verdict} at {words}"
            for verdict in (BETTER, WORSE)
            if (words := spans(ratios, (each == verdict for each in said)))
        ]
        return "; ".join(parts) or NEITHER

    return _by_law(cell)


def _breakdown_table(found: Found) -> str:
    ratios = found["ratios"][1:]

    def cell(law: str, kind: str) -> str:
        parts = []
        for verb, measure, level in (("keeps", "excess", KEEPS), ("drops", "zero_nominal", DROPS)):
            sizes = [value(found, measure, ROBUST, (law, kind, step)) for step in range(1, len(ratios) + 1)]
            words = spans(ratios, (size is not None and size >= level for size in sizes))
            if words:
                parts.append(f"{verb} at {words}")
        return "; ".join(parts) or "neither"

    return (
        "*keeps*: the contaminating rows have the weight of their share or more; *drops*: at least "
        f"{DROPS:.0%} of the nominal rows have no weight.\n\n" + _by_law(cell)
    )


def _by_law(cell: Any) -> str:
    heads = ["", *(law.title for law in LAWS.values())]
    return table(heads, ([kind.title, *(cell(law, name) for law in LAWS)] for name, kind in KINDS.items()))


def _rivals_table(found: Found) -> str:
    groups = (1.0, PAPER_RATIO)
    heads = [f"ratios up to {most:g}: {len(list(cases(found, most=most)))} cases" for most in groups]
    rows = [
        [NAMES[name], *(compared(found, name, most=most) for most in groups)]
        for name in METHODS
        if name != ROBUST
    ]
    return table(["RKDE against", *heads], rows)


def _clean_table(found: Found) -> str:
    kind = next(iter(KINDS))
    rows = []
    for measure in ("l1", "l2", "held_out", "zero_nominal"):
        title = TITLES[measure]
        for method in found["values"][measure]:
            sizes = (_number(value(found, measure, method, (law, kind, 0))) for law in LAWS)
            rows.append([title, _name(method), *sizes])
            title = ""
    return table(["", "", *(law.title for law in LAWS.values())], rows)


def _values(found: Found, measure: str) -> str:
    steps = [found["ratios"].index(ratio) for ratio in SHOWN]
    rows = []
    for law, known in LAWS.items():
        title = known.title
        for method in found["values"][measure]:
            cells = (
                " / ".join(_number(value(found, measure, method, (law, kind, step))) for step in steps)
                for kind in KINDS
            )
            rows.append([title, _name(method), *cells])
            title = ""
    return table(["", "", *(kind.title for kind in KINDS.values())], rows)


def _name(method: str) -> str:
    return NAMES.get(method, "the law itself")


def _number(size: float | None) -> str:
    """Return a number with two places, or three significant digits."""
    if size is None:
        return "-"
    # Adding 0 takes the sign from a zero.
    return f"{round(size, 2) + 0:.2f}" if abs(size) < LARGE else f"{size:.3g}"


def _made(found: Found) -> str:
    known = found["provenance"]
    versions = ", ".join(f"{name} {version}" for name, version in known["made_with"].items())
    return (
        "`python -m benchmarks.paper controlled` writes numbers, page and pictures "
        f"({known['processor_seconds']} seconds of one processor, seed {known['seed']}, {versions}).\n\n"
        "Every nominal component has the deviation 1. Every contaminating row is outlying: it lies outside "
        f"of the radius that holds all but {INSIDE:g} of each component, or is drawn again. Scattered rows "
        f"are uniform in a box that reaches {BEYOND:g} deviations beyond the nominal centres (1 and 2 "
        f"columns), or Gaussian about 0 with {LAWS['five'].wide:g} times the deviation (5 columns) or "
        f"{LAWS['twenty'].wide:g} times (20 columns: the classes of ringnorm). Centres of clusters lie at "
        f"least {AWAY:g} deviations from every nominal centre, in random directions. A larger ratio keeps "
        "the rows of a smaller one, and all kinds share the nominal rows of a seed.\n\n"
        "All estimates but the last two have one bandwidth, the median distance to the nearest neighbour "
        "(over positive distances where it is 0). AUC and detection rate are of "
        f"{N_TEST} held-out rows of either kind. L1 is the mean of |f - g| / ((f + g) / 2) over {DRAWS} "
        "draws from each of the two densities; the Monte Carlo error of an average is at most "
        f"{known['l1_error']:.3f}. L2 is in closed form, as all densities are mixtures of Gaussians. L2 and "
        "the held-out density are unbounded: of these the median of the seeds is given, of the others the "
        "mean.\n"
    )


def write(found: Found, folder: Path) -> None:
    """Write the numbers, the page and the pictures."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    (folder / "controlled.json").write_text(as_text(found), encoding="utf-8")
    (folder / "CONTROLLED.md").write_text(page(found), encoding="utf-8")
    for law, (name, _) in zip(PICTURED, _captions(), strict=True):
        picture(found, law).savefig(pictures / name, dpi=DOTS, metadata={"Software": None})


DOTS: Final = 160
HEIGHT: Final = 4.0
# Of a panel, above and below what it shows.
MARGIN: Final = 0.03


def picture(found: Found, law: str) -> Figure:
    """Return curves over the ratio: AUC and L1 below each other, the kinds beside each other."""
    figure = Figure(figsize=(PAGE_WIDTH, HEIGHT), layout="constrained")
    panels = figure.subplots(2, len(KINDS), sharex=True, sharey="row")
    rows = (("auc", "AUC", 1.0), ("l1", "L1 distance", 2.0))
    for row, (measure, label, top) in zip(panels, rows, strict=True):
        row[0].set(ylabel=label, ylim=(-MARGIN * top, (1 + MARGIN) * top))
        for axes, kind in zip(row, KINDS, strict=True):
            axes.axvspan(0, PAPER_RATIO, color="0.92", linewidth=0)
            for name, (colour, dash) in zip(DRAWN, LINES, strict=True):
                sizes = found["values"][measure][name][law][kind]
                axes.plot(found["ratios"], sizes, dash, color=colour, label=NAMES[name])
            axes.set_xticks([0, CHANCE, 1], ["0", f"{CHANCE:g}", "1"])
    for axes, shown in zip(panels[0], KINDS.values(), strict=True):
        axes.set_title(shown.title.removesuffix(" as a nominal one").replace(", ", ",\n"), fontsize="small")
    panels[1][len(KINDS) // 2].set_xlabel("contaminating rows over nominal rows")
    legend_of_figure(figure, list(panels.flat), columns=len(DRAWN))
    return figure

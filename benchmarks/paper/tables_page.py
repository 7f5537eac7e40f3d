"""TABLES.md: the paper's tables and figures beside ours, averages, degenerate cases, data."""

from collections.abc import Iterator
from dataclasses import astuple
from typing import Any, Final

from benchmarks.paper import facts
from benchmarks.paper.cells import BLOCKS, Chosen, row
from benchmarks.paper.claims import Row, printed_row
from benchmarks.paper.figures_captions import captions
from benchmarks.paper.methods import DENSITIES, MAIN, TITLES
from benchmarks.paper.report import HEADS, INFLUENCE_ROWS, OTHER_ROWS, PAPER_ROWS, SIZED_ROWS, Findings
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.rivals_page import interval
from benchmarks.paper.sets import SETS
from benchmarks.paper.text import (
    averages,
    beside_printed,
    degenerate_table,
    folded,
    iteration_table,
    medians,
    named,
    table,
)
from benchmarks.paper.variants import BASE

SHOWN: Final = ("0.00", "0.10", "0.20", "0.30")


def page(found: Findings) -> str:
    """Return the text of TABLES.md."""
    return "\n".join(_parts(found))


def printed_sums(asked: Row) -> list[float]:
    """Return the printed R_1 of a row."""
    cells = printed_row(asked)
    assert cells is not None
    return [cell.rank_sum_1 for cell in cells]


def _parts(found: Findings) -> Iterator[str]:
    yield "# The paper's tables and figures beside ours\n"
    yield "What they come to is on [the first page](RESULTS.md).\n"
    yield "## The tables\n"
    yield _reading()
    yield from (_section(found, asked, "Table 1, ") for asked in INFLUENCE_ROWS if asked[1] == "rkde")
    yield from (_section(found, asked, f"Table {MEASURES[asked[0]].table}, ") for asked in PAPER_ROWS)
    yield "## Figures\n"
    yield from (
        f"![{text.partition(':')[0]}](pictures/{name})\n\n{text}\n" for name, text in captions().items()
    )
    yield "## What the paper mentions or leaves out\n"
    yield from (
        _section(found, asked) for asked in (*INFLUENCE_ROWS, *OTHER_ROWS) if printed_row(asked) is None
    )
    yield "## Sizes\n"
    yield (
        "What the first method gains over the second, positive where it is better: the mean over the sets in "
        "points or nats, with a 95 % interval from resampling the sets, and below it the sets won and lost "
        "by a point or by 0.1 nats.\n"
    )
    yield _sizes(found)
    yield folded(
        "Set by set: AUC points of the RKDE over the KDE, with standard errors over the partitions",
        _by_set(found),
    )
    yield "## Averages by data set\n"
    yield folded(
        "Medians of alpha(x') and beta(x') over the contaminating test rows, averaged over partitions, "
        "in units of the density and of its root",
        medians(found.results),
    )
    yield folded("KL divergence, averaged", averages(found.results, "kl", SHOWN, 3))
    yield folded("AUC, averaged", averages(found.results, "auc", SHOWN, 4))
    yield folded(
        "Detection rate at 5 % false alarms, averaged", averages(found.results, "detected-05", SHOWN, 3)
    )
    yield folded("Mean log density of nominal test rows", averages(found.results, "held-out", SHOWN, 2))
    yield "## Iterations and degenerate cases\n"
    yield _iterations(found)
    if found.public is not None:
        yield "## From public sources alone\n"
        yield _public(found, found.public)
    yield "## Data and choices\n"
    yield _data(found)


def _sizes(found: Findings) -> str:
    rows: list[list[object]] = []
    for asked in SIZED_ROWS:
        sizes = found.sizes[asked]
        rows += [[named(asked), *map(interval, sizes)], ["", *(f"{one.won} / {one.lost}" for one in sizes)]]
    return table(["", *HEADS], rows)


def _by_set(found: Findings) -> str:
    sizes = found.sizes["auc", "rkde", "kde"]
    of = [{gain.name: gain for gain in one.gains} for one in sizes]
    rows = [
        [SETS[name].title, *(f"{by[name].mean:+.2f} +- {by[name].error:.2f}" for by in of)]
        for name in found.results.partitions()
    ]
    return table(["set", *HEADS], rows)


def _public(found: Findings, public: Results) -> str:
    counts = public.partitions()
    first = max(counts.values())
    records = [record for of_set in public.records[BASE].values() for record in of_set]
    by_source: dict[str, list[str]] = {}
    for name, of_set in public.records[BASE].items():
        by_source.setdefault(f"{of_set[0]['source']}, {of_set[0]['exactness']}", []).append(SETS[name].title)
    rows, apart, within = [], [], 0
    for asked in PAPER_ROWS:
        measure, *methods = asked
        made = row(public, measure, (methods[0], methods[1]), HEADS, interval=False)
        same = row(
            found.results, measure, (methods[0], methods[1]), HEADS, Chosen(first=first), interval=False
        )
        for ours, theirs in zip(found.readings.rows[asked], made, strict=True):
            apart.append(abs(ours.rank_sum_1 - theirs.rank_sum_1))
            within += min(ours.block_sums) <= theirs.rank_sum_1 <= max(ours.block_sums)
        rows += [
            [named(asked), "printed", *(f"{value:g}" for value in printed_sums(asked))],
            ["", "all partitions", *(f"{cell.rank_sum_1:g}" for cell in found.readings.rows[asked])],
            ["", f"the first {first}", *(f"{cell.rank_sum_1:g}" for cell in same)],
            ["", f"{first} from public sources", *(f"{cell.rank_sum_1:g}" for cell in made)],
        ]
    seconds = sum(record["seconds"] for record in records)
    return (
        f"`python -m benchmarks.paper public` needs nothing but packages: {first} partitions of each set "
        f"took {seconds / 60:.0f} minutes of processor time here. Their rows come from "
        + "; ".join(f"{source}: {', '.join(names)}" for source, names in by_source.items())
        + ". The order of the rows is another one, hence other partitions, and some rows are other draws. Of "
        f"{len(apart)} cells {within} lie in the range of R_1 over the blocks of all partitions; the "
        f"farthest is {max(apart):g} from R_1 of all.\n\n" + table(["", "R_1", *HEADS], rows)
    )


def verdict_line(numbers: str) -> str:
    """Return what a table of numbers comes to: its last row where that judges, else who wins.

    Examples
    --------
    >>> verdict_line("|  | 0.00 | 0.05 |\\n| --- | --- | --- |\\n| verdict | agrees | disagrees |")
    'agrees at 0.00; disagrees at 0.05'
    """
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in numbers.splitlines()]
    ratios = rows[0][1:]
    by_name = {row[0]: row[1:] for row in rows}
    told = by_name.get("verdict")
    if told is None:
        return "sets won: " + ", ".join(
            f"{won} at {ratio}" for won, ratio in zip(by_name["sets won"], ratios, strict=True)
        )
    groups = {
        each: [ratio for ratio, said in zip(ratios, told, strict=True) if said == each] for each in told
    }
    return "; ".join(f"{each} at {', '.join(places)}" for each, places in groups.items())


def _section(found: Findings, asked: Row, head: str = "") -> str:
    numbers = beside_printed(asked, found.readings.rows[asked])
    return f"### {head}{named(asked)}\n\n{folded(verdict_line(numbers), numbers)}"


def _reading() -> str:
    return (
        "Per row: R_1 and p as printed; ours. R_1 is the rank sum of the sets where method 1 is better; a "
        "set without a difference counts for method 2, as section 6.1.3 has it, so that R_1 + R_2 = 120; p "
        "is exact and two-sided. `p, Holm` is corrected for the tests of the row. `effect` is (R_1 - "
        "R_2)/120, with a 95 % interval from resampling the data sets, which has no width where all sets "
        f"agree. `R_1 by blocks` is its range over {BLOCKS} disjoint blocks of partitions: the noise of a "
        "table with a fifth of the partitions, so that of this one is smaller. A cell `agrees` where the "
        "leader is the printed one and both differences are significant at 0.05; `direction agrees` where "
        "one of them is; `no difference found` where neither is; `disagrees` where the leader is another and "
        "a difference is significant.\n\nTwo remarks that hold for the paper too. The fifteen sets are not "
        "independent (Diabetes and Pima Indian are the same patients), so p is smaller than it should be. "
        "And the ranks compare |h| between sets, but alpha and beta have no common scale, so that a set's "
        "dimension and spread decide how much it counts. `sets won` is free of that.\n\nDivergences are "
        "estimated from draws. `sets within the draws' noise` counts the sets on which the two differ by "
        "less than two standard errors that come from the draws alone: there the size of a difference is "
        "blurred, though not the level of p. The depth was run with the label 0 nominal only.\n"
    )


def _iterations(found: Findings) -> str:
    methods = [name for name in DENSITIES if name in ("rkde", "rkde-authors", "huber", "median")]
    steps = iteration_table(facts.iterations(found.results, name) for name in methods)
    cases = degenerate_table(facts.degenerate(found.results, name) for name in found.results.partitions())
    counts = {name: facts.underflows(found.results, name) for name in MAIN}
    underflow = table(
        ["samples with an underflow (draws)", *HEADS],
        (
            [
                TITLES[name],
                *(
                    f"{counts[name][head][0]} of {counts[name][head][1]} ({counts[name][head][2]})"
                    for head in HEADS
                ),
            ]
            for name in MAIN
        ),
    )
    weights = table(
        [
            "set",
            "weight of contaminating rows over their share",
            "of them below 1/n",
            "of the nominal rows below 1/n",
            "contaminating rows without weight",
            "nominal rows without weight",
        ],
        (
            [
                SETS[name].title,
                *(f"{value:.2f}" for value in astuple(facts.weights(found.results, "rkde", "0.20", name))),
            ]
            for name in found.results.partitions()
        ),
    )
    return (
        "Steps until the paper's stopping rule; f_med is computed to its limit instead. `lost a cluster`: "
        f"a tenth of the rows, all near one another, has no weight.\n\n{steps}\n"
        "Where the median nearest-neighbour distance is 0 the bandwidth is the median over positive "
        "distances. Where Hampel's thresholds are degenerate the estimate is f_med.\n\n"
        f"{cases}\nDraws at which the reference density is below the range of float64, so that a program "
        f"without logarithms finds an infinite divergence:\n\n{underflow}\n"
        "Rows without weight as flags, means over the sets: the share of the flagged rows that contaminate, "
        f"and the share of the contaminating rows that are flagged:\n\n{_flags(found)}\n"
        f"What the RKDE does to contaminating rows at ratio 0.20:\n\n{weights}"
    )


def _flags(found: Findings) -> str:
    rows = []
    for method in ("rkde", "rkde-authors"):
        by_ratio = [facts.flagged(found.results, method, head) for head in HEADS[1:]]
        rows += [
            [f"{TITLES[method]}, precision", *(f"{one.precision:.2f}" for one in by_ratio)],
            ["recall", *(f"{one.recall:.2f}" for one in by_ratio)],
        ]
    return table(["", *HEADS[1:]], rows)


def _data(found: Findings) -> str:
    known: dict[str, Any] = dict(found.provenance)
    second = known["second_source_partitions"]
    rows = [
        [
            SETS[name].title,
            known["sources"][name],
            f"`{known['content_sha256'][name][:16]}`",
            known["nominal"][name],
            f"{SETS[name].train}/{SETS[name].test}" + ("" if SETS[name].published else " (ours)"),
            f"{known['published_partitions'][name]} of {known['partitions'][BASE][name]}"
            + (f", {second[name]} of a second source" if second[name] else ""),
        ]
        for name in known["sources"]
    ]
    return (
        table(
            ["set", "source", "rows' checksum", "nominal label", "train/test", "published partitions"], rows
        )
        + "\nPartitions of a second source have the published sizes, their published number is unknown. The "
        "others are permutations seeded by the set and the number, with the published sizes. The "
        "contaminating rows of a sample are the first of the partition's, so that a larger ratio keeps those "
        "of a smaller one. MNIST: the components of the kernel PCA are those of the partition's training "
        "rows, both digits, at every ratio. Influence is that at the fixed point which the estimate's "
        "iteration leads to. Other versions or revisions change last digits, and through these what hangs "
        "on ties: steps of f_med, the depth where rows are equal. Seeded partitions follow the order of the "
        "rows, so that another source of a set has others.\n\n"
        + table(["left open", "our choice"], list(known["choices"].items()))
    )

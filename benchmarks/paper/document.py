"""RESULTS.md, written from the findings alone: no number in it is typed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.paper import facts
from benchmarks.paper.cells import BLOCKS
from benchmarks.paper.claims import AGREES, DISAGREES, Row, printed_row
from benchmarks.paper.methods import DENSITIES, MAIN, TITLES
from benchmarks.paper.report import HEADS, INFLUENCE_ROWS, OTHER_ROWS, PAPER_ROWS, Findings
from benchmarks.paper.results import MEASURES
from benchmarks.paper.sets import FEW_PARTITIONS, MANY_PARTITIONS, SETS
from benchmarks.paper.text import (
    averages,
    beside_printed,
    degenerate_table,
    iteration_table,
    medians,
    named,
    sensitivity_table,
    table,
)
from benchmarks.paper.variants import BASE, VARIANTS

SHOWN: Final = ("0.00", "0.10", "0.20", "0.30")
PICTURES: Final = {
    "losses.png": "Figure 1: the losses, their derivatives and weights.",
    "contours.png": "Figure 2: 200 nominal points (circles) and 20 uniform ones (crosses). The mixture and "
    "the bandwidth (Scott's rule) are ours; the paper names neither.",
    "influence.png": "Figure 3: a univariate mixture (ours, as the paper names none), its estimates and "
    "their influence functions at x' = -5. With the paper's thresholds Hampel's estimate drops the smaller "
    "mode.",
    "roc.png": "Figure 4: ROC curves of the first partition.",
}

_LEAD: Final = (
    "The paper compares its estimate with two others on fifteen data sets: by influence, by divergence from "
    "the density of the good rows, and by how well it ranks the bad ones. This page repeats it, says which "
    "of its statements come out, and folds the numbers away below each heading.\n"
)


def folded(summary: str, text: str) -> str:
    """Return a text that opens on demand."""
    return f"<details>\n<summary>{summary}</summary>\n\n{text.strip()}\n\n</details>\n"


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


def document(found: Findings) -> str:
    """Return the text of RESULTS.md."""
    parts = [
        "# The experiments of section 6, run again\n",
        _LEAD,
        "## What we find\n",
        "\n".join(_conclusions(found)),
        folded("Each statement, with the numbers", _verdicts(found)),
        folded("What depends on choices that the paper leaves open, or on one data set", _leaning(found)),
        "## The paper's tables beside ours\n",
        _reading(),
        *(_section(found, asked, "Table 1, ") for asked in INFLUENCE_ROWS if asked[1] == "rkde"),
        *(_section(found, asked, f"Table {MEASURES[asked[0]].table}, ") for asked in PAPER_ROWS),
        "## What the paper mentions or leaves out\n",
        *(_section(found, asked) for asked in (*INFLUENCE_ROWS, *OTHER_ROWS) if printed_row(asked) is None),
        "## Averages by data set\n",
        folded(
            "Medians of alpha(x') and beta(x') over the contaminating test rows, averaged over partitions, "
            "in units of the density and of its root",
            medians(found.results),
        ),
        folded("KL divergence, averaged", averages(found.results, "kl", SHOWN, 2)),
        folded("AUC, averaged", averages(found.results, "auc", SHOWN, 3)),
        "The other ratios and methods are in `results.json`.\n",
        "## Iterations and degenerate cases\n",
        _iterations(found),
        "## Sensitivity to what the paper leaves open\n",
        _sensitivity(found),
        "## Figures\n",
        *(f"![{PICTURES[name]}](pictures/{name})\n\n{PICTURES[name]}\n" for name in PICTURES),
        "## How it was made\n",
        _provenance(found),
        "## Data and choices\n",
        _data(found),
    ]  # fmt: skip
    return "\n".join(parts)


def _section(found: Findings, asked: Row, head: str = "") -> str:
    numbers = beside_printed(asked, found.rows[asked])
    return f"### {head}{named(asked)}\n\n{folded(verdict_line(numbers), numbers)}"


def _provenance(found: Findings) -> str:
    known: dict[str, Any] = dict(found.provenance)
    counts = known["partitions"][BASE]
    full = all(counts[name] == SETS[name].partitions for name in counts)
    done = (
        f"all {MANY_PARTITIONS} partitions of each set ({FEW_PARTITIONS} of Image, Splice and MNIST)"
        if full
        else f"**{max(counts.values())} of the paper's {MANY_PARTITIONS} partitions of each set "
        f"({min(counts.values())} of {FEW_PARTITIONS} of Image, Splice and MNIST)**, from which the command "
        "goes on"
    )
    versions = ", ".join(f"{name} {version}" for name, version in known["versions"].items())
    others = [max(counts.values()) for name, counts in known["partitions"].items() if name != BASE]
    variants = max(others, default=0)
    return (
        f"Made by `{known['command']}` on {known['date']} with seed {known['seed']}: {done}, the same for "
        f"every method; the variants of the sensitivity section: {variants}. The units took "
        f"{known['processor_seconds'] / 3600:.1f} hours of processor time ({versions}); "
        f"by their mean a full run takes {known['full_run_processor_seconds'] / 3600:.1f}. "
        "Every number here and in `results.json` is written by `report` from the stored units.\n"
    )


def _verdicts(found: Findings) -> str:
    return table(
        ["section", "the paper says", "verdict", "we find"],
        ([one.section, one.text, f"**{one.verdict}**", one.finding] for one in found.statements),
    )


def _conclusions(found: Findings) -> Iterator[str]:
    confirmed = [one.text for one in found.statements if one.verdict == AGREES]
    partly = [one.text for one in found.statements if one.verdict not in (AGREES, DISAGREES)]
    refuted = [one.text for one in found.statements if one.verdict == DISAGREES]
    for head, texts in (
        ("Confirmed", confirmed),
        ("Only the direction comes out, not all of the statement", partly),
        ("Not confirmed", refuted),
    ):
        yield f"**{head}:**\n"
        yield from (f"* {text}" for text in texts or ["none"])
        yield ""


def _leaning(found: Findings) -> str:
    return "\n".join(_leaning_lines(found))


def _leaning_lines(found: Findings) -> Iterator[str]:
    for head, beyond in (
        (
            "**Depend on choices that the paper does not state** (the leader, or the answer at level 0.05, "
            "changes, and the effect moves to the same side in every block of partitions):\n",
            True,
        ),
        ("\n**Change too, but to different sides in different blocks**, which may be chance:\n", False),
    ):
        yield head
        yield from list(_moves(found, beyond=beyond, without=False)) or ["none"]
    yield "\n**Hang on a single data set** (by the same rule):\n"
    yield from list(_moves(found, beyond=True, without=True)) or ["none"]


def _moves(found: Findings, *, beyond: bool, without: bool) -> Iterator[str]:
    moved: dict[str, list[str]] = {}
    for one in found.sensitivity:
        if bool(one.without) != without:
            continue
        ratios = [ratio for ratio in one.moved if (ratio in one.beyond_noise) == beyond]
        if ratios:
            place = f"{TITLES[one.row[1]]} against {TITLES[one.row[2]]} in {one.row[0].upper()}"
            moved.setdefault(one.text, []).append(f"{place} at {', '.join(ratios)}")
    yield from (f"* {text}: {'; '.join(places)}" for text, places in moved.items())


def _reading() -> str:
    return (
        "Per row: R_1 and p as printed; ours. R_1 is the rank sum of the sets where method 1 is better, of "
        "120 (less where a set has no difference: it is dropped); p is exact and two-sided. `p, Holm` is "
        "corrected for the tests of the row. `effect` is (R_1 - R_2)/(R_1 + R_2), with a 95 % interval from "
        "resampling the data sets, which has no width where all sets agree. `R_1 by blocks` is its range "
        f"over {BLOCKS} disjoint blocks of partitions: the noise of a table with a fifth of the partitions, "
        "so that of this one is smaller. A question mark in the table above stands where the blocks have "
        "different leaders. A cell `agrees` where the leader and the answer at level 0.05 are the printed "
        "ones; `direction agrees` where only the leader is; where neither the printed nor our difference is "
        "significant, that says little.\n\nTwo remarks that hold for the paper too. The fifteen sets are "
        "not independent (Diabetes and Pima Indian are the same patients), so p is smaller than it should "
        "be. And the ranks compare |h| between sets, but alpha, beta and the divergence have no common scale "
        "(see the averages below), so that a set's dimension and spread decide how much it counts. `sets "
        "won` is free of that.\n\nDivergences are estimated from draws. `sets within the draws' noise` "
        "counts the sets on which the two differ by less than two standard errors that come from the draws "
        "alone: where these are many, as for f_med and Huber's loss, a small p is chance.\n\nA statement in "
        "the table above `agrees` where all of it holds in our numbers, `direction agrees` where the order "
        "that it names does, and `disagrees` where that does not. The depth was run with the label 0 nominal "
        "only.\n"
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
        ["set", "weight of contaminating rows over their share", "rows below 1/n"],
        (
            [
                SETS[name].title,
                *(f"{value:.2f}" for value in facts.outlying_weight(found.results, "rkde", "0.20", name)),
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
        f"What the RKDE does to contaminating rows at ratio 0.20:\n\n{weights}"
    )


def _sensitivity(found: Findings) -> str:
    failed = "".join(
        f"\n{VARIANTS[variant].text}: the kernel matrix has no leading components in {number} of {units} "
        f"units ({reason}).\n"
        for variant, (number, units, reason) in facts.failures(found.results).items()
    )
    return (
        "R_1 with our choice and with the other one over the same partitions, in brackets its range over "
        f"{BLOCKS} disjoint blocks of them; `of` the sum of all ranks where that is not 120. Both choices "
        "have the same blocks, so a difference is judged block by block: a choice without consequence moves "
        f"the effect to the same side in all of them once in {2 ** (BLOCKS - 1)} times. Where it moves to "
        "different sides, a change is no finding.\n\n" + sensitivity_table(found.sensitivity, HEADS) + failed
    )


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


def write_document(found: Findings, folder: Path) -> None:
    """Write RESULTS.md."""
    (folder / "RESULTS.md").write_text(document(found), encoding="utf-8")

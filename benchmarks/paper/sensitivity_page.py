"""SENSITIVITY.md: what the conclusions owe to choices that the paper leaves open, and to single data sets."""

from collections.abc import Iterator
from typing import Final

from benchmarks.paper import facts
from benchmarks.paper.cells import BLOCKS, Cell
from benchmarks.paper.claims import Row, leads, significant
from benchmarks.paper.methods import TITLES
from benchmarks.paper.report import HEADS, Findings
from benchmarks.paper.results import Results
from benchmarks.paper.sensitivity import (
    AUC_KDE,
    AUC_VKDE,
    KL_KDE,
    KL_VKDE,
    Compared,
    joint,
    outlying_sets,
    without_each,
)
from benchmarks.paper.sets import SETS
from benchmarks.paper.text import folded, sensitivity_table, table
from benchmarks.paper.variants import BASE, VARIANTS

LATE: Final = ("0.20", "0.25", "0.30")
ROWS: Final = (KL_KDE, KL_VKDE, AUC_KDE, AUC_VKDE)


def page(found: Findings) -> str:
    """Return the text of SENSITIVITY.md."""
    return "\n".join(_parts(found))


def _parts(found: Findings) -> Iterator[str]:
    yield "# What depends on choices, and on single data sets\n"
    yield (
        "The paper leaves some choices open. Each is made here in one way, and tried in another; then "
        "several at once; then each data set is left out in turn. What the numbers come to is on "
        "[the first page](RESULTS.md).\n"
    )
    yield "## What changes a conclusion\n"
    yield (
        "A line stands here if the other choice changes the leader or the answer at level 0.05 at some "
        "ratio. R_1 of the first method, with p, under our choice and under the other. **Beyond noise**: the "
        "effect moves to the same side in every block of partitions, at a ratio in bold.\n"
    )
    yield _changes(found)
    yield "## Several choices at once\n"
    yield (
        "R_1 with p; bold where p is at most 0.05. Where MNIST is left out R_1 + R_2 is 105, otherwise 120. "
        "The class that the KDE detects better, by a point of AUC or more on clean samples, is label 0 on "
        f"{_outlying(found.results)}.\n"
    )
    for asked in (AUC_KDE, KL_KDE, AUC_VKDE):
        yield _joint(found.results, asked)
    yield "## Each data set left out\n"
    yield (
        "R_1 of 105, with p; bold where p is at most 0.05. The first line has all sets. A set that changes "
        "an answer is one on which the methods differ by much.\n"
    )
    for asked in (AUC_KDE, KL_KDE, AUC_VKDE):
        yield folded(_name(asked), _left_out(found, asked))
    yield _deciding(found)
    yield "## Every choice, cell by cell\n"
    yield folded("R_1 under our choice and under the other one", _all(found))


def _outlying(results: Results) -> str:
    """Name the sets whose classes are exchanged, with the AUC of the KDE in both directions."""
    told = [
        f"{SETS[name].title} (AUC "
        + " against ".join(
            f"{results.average('auc', 'kde', HEADS[0], name, variant):.3f}" for variant in ("swap", BASE)
        )
        + ")"
        for name in outlying_sets(results)
    ]
    return ", ".join(told) or "no set"


def _name(asked: Row) -> str:
    return f"{TITLES[asked[1]]} against {TITLES[asked[2]]} in {asked[0].upper()}"


def told(cell: Cell) -> str:
    """Return R_1 and p."""
    return f"{cell.rank_sum_1:g} (p {cell.p_value:.3f})"


def _bold(cell: Cell) -> str:
    return f"**{told(cell)}**" if significant(cell) else told(cell)


def _changes(found: Findings) -> str:
    rows = [[one.text, _name(one.row), _moves(one)] for one in found.sensitivity if one.moved]
    return table(["choice: ours, or the other", "row", "our R_1 -> the other"], rows)


def _moves(one: Compared) -> str:
    parts = []
    for ours, other in zip(one.ours, one.other, strict=True):
        ratio = ours.comparison.epsilon
        if ratio not in one.moved:
            continue
        head = f"**{ratio}**" if ratio in one.beyond_noise else ratio
        parts.append(f"{head}: {told(ours)} -> {told(other)}{_meaning(ours, other)}")
    return "; ".join(parts)


def _meaning(ours: Cell, other: Cell) -> str:
    """Return in words what the other choice changes."""
    if leads(ours) != leads(other):
        return ", the other method leads" if significant(other) else ", the lead changes"
    return ", significant" if significant(other) else ", not significant"


def _joint(results: Results, asked: Row) -> str:
    every = list(joint(results, asked, (HEADS[0], *LATE)))
    late = [one.cells[1:] for one in every]
    wanted = sum(all(leads(cell) and significant(cell) for cell in cells) for cells in late)
    leading = sum(all(map(leads, cells)) for cells in late)
    rows = [
        [*one.choices.values(), _bold(one.cells[0]), _bold(one.dropped[0]), *map(_bold, one.cells[1:])]
        for one in every
    ]
    return folded(
        f"{_name(asked)}: {TITLES[asked[1]]} leads at {', '.join(LATE)} under {leading} of {len(every)} "
        f"combinations, significantly at all three under {wanted}",
        table([*every[0].choices, HEADS[0], f"{HEADS[0]}, ties dropped", *LATE], rows),
    )


def _left_out(found: Findings, asked: Row) -> str:
    lines = [["none", *map(_bold, found.readings.rows[asked])]]
    lines += [
        [SETS[name].title, *map(_bold, cells)]
        for name, cells in without_each(found.results, asked, HEADS).items()
    ]
    return table(["left out", *HEADS], lines)


def _deciding(found: Findings) -> str:
    """Say which single sets change an answer from 0.20 on."""
    lines = []
    for asked in (AUC_KDE, KL_KDE, AUC_VKDE):
        whole = {cell.comparison.epsilon: significant(cell) for cell in found.readings.rows[asked]}
        names = [
            f"{SETS[name].title} ({', '.join(places)})"
            for name, cells in without_each(found.results, asked, LATE).items()
            if (
                places := [
                    cell.comparison.epsilon
                    for cell in cells
                    if significant(cell) != whole[cell.comparison.epsilon]
                ]
            )
        ]
        lines.append(f"* {_name(asked)}: {', '.join(names) or 'no single set'}")
    return (
        "Sets without which the answer at level 0.05 is another, from 0.20 on:\n\n" + "\n".join(lines) + "\n"
    )


def _all(found: Findings) -> str:
    failed = "".join(
        f"\n{VARIANTS[variant].text}: the kernel matrix has no leading components in {number} of {units} "
        f"units ({reason}).\n"
        for variant, (number, units, reason) in facts.failures(found.results).items()
    )
    tried = sum(len(one.ours) for one in found.sensitivity)
    beyond = sum(len(one.beyond_noise) for one in found.sensitivity)
    chance = 2 ** (BLOCKS - 1)
    return (
        f"In brackets the range of R_1 over {BLOCKS} disjoint blocks of the partitions; `of` the sum of all "
        "ranks where that is not 120. Both choices have the same blocks, so a difference is judged block by "
        f"block: a choice without consequence moves the effect to the same side in all of them once in "
        f"{chance} times. Of {tried} cells {tried / chance:.0f} would do so by chance, and {beyond} do.\n\n"
        + sensitivity_table(found.sensitivity, HEADS)
        + failed
    )

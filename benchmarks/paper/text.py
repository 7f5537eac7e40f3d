"""Markdown: the tables of RESULTS.md."""

from collections.abc import Iterable, Sequence
from typing import Final

from benchmarks.paper.cells import Cell
from benchmarks.paper.claims import Row, cell_verdict, printed_row
from benchmarks.paper.facts import Degenerate, Iterations
from benchmarks.paper.methods import MAIN, TITLES
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.sensitivity import Compared
from benchmarks.paper.sets import SETS

ALL_RANKS: Final = len(SETS) * (len(SETS) + 1) / 2
"""R_1 + R_2 where every set has a difference."""


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; every cell as it prints."""
    lines = [heads, ["---"] * len(heads), *([str(entry) for entry in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def folded(summary: str, text: str) -> str:
    """Return a text that opens on demand."""
    return f"<details>\n<summary>{summary}</summary>\n\n{text.strip()}\n\n</details>\n"


def signed(value: float, digits: int) -> str:
    """Return a number with its sign, 0 without one.

    Examples
    --------
    >>> signed(-0.04, 1), signed(2.31, 1)
    ('0.0', '+2.3')
    """
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]


def named(asked: Row) -> str:
    """Return a row's methods and measure in words."""
    return f"{TITLES[asked[1]]} against {TITLES[asked[2]]}, {MEASURES[asked[0]].title}"


def beside_printed(asked: Row, cells: Sequence[Cell]) -> str:
    """Return a row's printed and our numbers, cell by cell."""
    heads = ["", *(cell.comparison.epsilon for cell in cells)]
    printed = printed_row(asked)
    lines: list[list[object]] = []
    if printed is not None:
        lines += [
            ["R_1 printed", *(cell.rank_sum_1 for cell in printed)],
            ["p printed", *(cell.p_value for cell in printed)],
        ]
    lines += [
        ["R_1", *(f"**{cell.rank_sum_1:g}**" for cell in cells)],
        ["R_2", *(f"{cell.rank_sum_2:g}" for cell in cells)],
        ["T", *(f"{cell.statistic:g}" for cell in cells)],
        ["p", *(f"{cell.p_value:.4f}" for cell in cells)],
        ["p, Holm", *(f"{cell.p_holm:.4f}" for cell in cells)],
        ["effect", *(f"{cell.effect:+.2f}" for cell in cells)],
        ["95 %", *(f"{cell.low:+.2f} to {cell.high:+.2f}" for cell in cells)],
        ["sets won", *(f"{cell.wins}/{cell.sets}" for cell in cells)],
        ["R_1 by blocks", *(blocks(cell) for cell in cells)],
    ]
    if asked[0] == "kl":
        lines.append(["sets within the draws' noise", *(f"{cell.unclear}/{cell.sets}" for cell in cells)])
    if printed is not None:
        verdicts = [cell_verdict(ours, theirs) for ours, theirs in zip(cells, printed, strict=True)]
        lines.append(["verdict", *verdicts])
    return table(heads, lines)


def blocks(cell: Cell) -> str:
    """Return the range of R_1 over the blocks of partitions."""
    return f"{min(cell.block_sums):g} to {max(cell.block_sums):g}"


def averages(results: Results, measure: str, epsilons: Sequence[str], digits: int) -> str:
    """Return each set's averages, the three estimators of the paper in turn."""
    heads = [
        "set",
        "partitions",
        *(f"{epsilon}: {' / '.join(TITLES[m] for m in MAIN)}" for epsilon in epsilons),
    ]
    rows = []
    for name, count in results.partitions().items():
        entries = [
            " / ".join(_number(results.average(measure, method, epsilon, name), digits) for method in MAIN)
            for epsilon in epsilons
        ]
        rows.append([SETS[name].title, count, *entries])
    return table(heads, rows)


def medians(results: Results) -> str:
    """Return the average medians of alpha and beta, set by set."""
    methods = ("kde", "rkde", "rkde-authors", "huber")
    heads = ["set", *(f"{greek}, {TITLES[name]}" for greek in ("alpha", "beta") for name in methods)]
    rows = [
        [
            SETS[name].title,
            *(
                _number(results.average(measure, method, "0.00", name), 3, "g")
                for measure in ("alpha", "beta")
                for method in methods
            ),
        ]
        for name in results.partitions()
    ]
    return table(heads, rows)


def iteration_table(found: Iterable[Iterations]) -> str:
    """Return the table of iterations."""
    heads = ["method", "fits", "median", "95 %", "largest", "ended", "lost a cluster"]
    return table(
        heads,
        (
            [
                TITLES[one.method], one.fits, f"{one.median:g}", f"{one.high:g}", one.largest,
                ", ".join(f"{name} {count}" for name, count in sorted(one.endings.items())), one.collapses,
            ]
            for one in found
        ),
    )  # fmt: skip


def degenerate_table(found: Iterable[Degenerate]) -> str:
    """Return the sets in which a rule for degenerate cases decided something."""
    heads = ["set", "samples", "bandwidth over positive distances", "degenerate thresholds", "no influence"]
    rows = [
        [
            SETS[one.name].title,
            one.samples,
            one.fallback_bandwidths,
            _counts(one.degenerate_thresholds),
            _counts(one.failed_influences),
        ]
        for one in found
        if one.fallback_bandwidths or one.degenerate_thresholds or one.failed_influences
    ]
    return table(heads, rows)


def sensitivity_table(found: Iterable[Compared], epsilons: Sequence[str]) -> str:
    """Return R_1 with our choice and with the other one, each with its range over blocks of partitions."""
    heads = ["choice", "R_1 of", "", *epsilons, "leader or 0.05 changes at"]
    rows: list[list[object]] = []
    for one in found:
        name = f"{TITLES[one.row[1]]} against {TITLES[one.row[2]]}, {one.row[0].upper()}"
        empty = [""] * (len(epsilons) - len(one.ours))
        rows += [
            [one.text, name, "ours", *map(_with_blocks, one.ours), *empty, ""],
            ["", "", "other", *map(_with_blocks, one.other), *empty, ", ".join(one.moved) or "none"],
        ]
    return table(heads, rows)


def _with_blocks(cell: Cell) -> str:
    total = cell.rank_sum_1 + cell.rank_sum_2
    return f"{cell.rank_sum_1:g}{'' if total == ALL_RANKS else f' of {total:g}'} ({blocks(cell)})"


def _number(value: float | None, digits: int, kind: str = "f") -> str:
    return "-" if value is None else f"{value:.{digits}{kind}}"


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(found.items())) or "-"

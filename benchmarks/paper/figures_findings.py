"""The two pictures of RESULTS.md: what is gained set by set, and the rank sums beside the printed ones."""

from pathlib import Path
from typing import Final

from benchmarks.paper import rivals_page
from benchmarks.paper.cells import Comparison
from benchmarks.paper.claims import Row
from benchmarks.paper.figures_results import Group, Panel, draw_points, draw_rank_sums
from benchmarks.paper.partitions import EPSILONS
from benchmarks.paper.report import HEADS, PAPER_ROWS, Findings
from benchmarks.paper.results import MEASURES
from benchmarks.paper.sizes import Size, size
from benchmarks.paper.tables_page import printed_sums
from benchmarks.paper.text import named

RATIOS: Final = (HEADS[0], HEADS[-1])


def draw_findings(found: Findings, folder: Path) -> None:
    """Write rank_sums.png, and points.png where the rivals were run."""
    draw_rank_sums(folder / "rank_sums.png", [_panel(found, asked) for asked in PAPER_ROWS])
    if rivals_page.VARIANT in found.results.records:
        draw_points(folder / "points.png", [_group(found, ratio) for ratio in RATIOS])


def _panel(found: Findings, asked: Row) -> Panel:
    ours, narrow = found.readings.rows[asked], found.readings.narrow[asked]
    return Panel(
        named(asked).replace(MEASURES[asked[0]].title, asked[0].upper()),
        EPSILONS,
        {
            "printed": printed_sums(asked),
            "ours": [cell.rank_sum_1 for cell in ours],
            "with MNIST's kernel exp(-t/30)": [cell.rank_sum_1 for cell in narrow],
        },
        [min(cell.block_sums) for cell in ours],
        [max(cell.block_sums) for cell in ours],
    )


def _group(found: Findings, ratio: str) -> Group:
    """Return the gains over the KDE of the RKDE, of the VKDE, and of a trimmed estimate."""
    base = {"RKDE": "rkde", "VKDE": "vkde"}
    sizes = {
        label: size(found.results, Comparison("auc", name, "kde", ratio)) for label, name in base.items()
    }
    sizes[rivals_page.NAMES["trimmed-25"]] = rivals_page.gain(found.results, "auc", "trimmed-25", ratio)
    head = "without contamination" if ratio == HEADS[0] else f"contamination ratio {ratio}"
    return Group(head, {label: _by_set(one) for label, one in sizes.items()})


def _by_set(one: Size) -> dict[str, tuple[float, float] | None]:
    return {gain.name: (gain.mean, gain.error) for gain in one.gains}

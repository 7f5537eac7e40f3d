"""How far the tables depend on what the paper leaves open, beside the noise of the partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from benchmarks.paper.cells import Cell, Chosen, row, same_side
from benchmarks.paper.claims import Row, leads, significant
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.sets import SETS
from benchmarks.paper.variants import BASE, VARIANT_PARTITIONS, VARIANTS

ALPHA: Final = ("alpha", "rkde", "kde")
BETA: Final = ("beta", "rkde", "kde")
KL_KDE: Final = ("kl", "rkde", "kde")
KL_VKDE: Final = ("kl", "rkde", "vkde")
KL_VKDE_KDE: Final = ("kl", "vkde", "kde")
AUC_KDE: Final = ("auc", "rkde", "kde")
AUC_VKDE: Final = ("auc", "rkde", "vkde")


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the paper leaves open: our choice, and the other one as a variant or another measure."""

    text: str
    rows: tuple[Row, ...]
    variant: str = BASE
    measure: str | None = None
    without: tuple[str, ...] = ()


CHOICES: Final = (
    Choice("percentiles: numpy's `linear` (ours) or `hazen`", (KL_KDE, AUC_KDE, AUC_VKDE), "hazen"),
    Choice(
        "nominal class: label 0 (ours) or the other one",
        (ALPHA, BETA, KL_KDE, KL_VKDE, AUC_KDE, AUC_VKDE), "swap",
    ),
    Choice(
        "bandwidth of the reference density: its own rows' (ours) or the estimates'",
        (KL_KDE, KL_VKDE, KL_VKDE_KDE),
        "reference",
    ),
    Choice("divergence: mean of the log ratios (ours) or their sum", (KL_KDE, KL_VKDE), measure="kl-sum"),
    Choice(
        "underflowing reference density: its logarithm (ours), or an infinite divergence",
        (KL_KDE, KL_VKDE, KL_VKDE_KDE), measure="kl-infinite",
    ),
    Choice(
        "underflowing reference density: its logarithm (ours), or the draw left out",
        (KL_KDE, KL_VKDE), measure="kl-finite",
    ),
    Choice(
        "underflowing densities in detection: logarithms (ours), or ties at 0", (AUC_KDE, AUC_VKDE),
        measure="auc-flushed",
    ),
    *(
        Choice(f"MNIST: {VARIANTS[name].text}", (KL_KDE, AUC_KDE, AUC_VKDE), name)
        for name in VARIANTS
        if name.startswith("mnist-")
    ),
    Choice("MNIST left out", (KL_KDE, AUC_KDE, AUC_VKDE), without=("mnist01",)),
    Choice(
        "tied rows: positive distances only where the median is 0 (ours), or in every set",
        (KL_KDE, AUC_KDE, AUC_VKDE), "distinct",
    ),
    Choice("tied rows: Scott's rule for F. Solar", (KL_KDE, AUC_KDE), "scott"),
    Choice("tied rows: F. Solar left out", (KL_KDE, AUC_KDE), without=("flare_solar",)),
    Choice(
        "thresholds and start: the paper's (ours) or the authors' program's", (
            ("kl", "rkde-authors", "kde"), ("auc", "rkde-authors", "kde"), ("auc", "rkde-authors", "vkde"),
        ),
    ),
    Choice("Pima Indian left out: the same patients as Diabetes", (KL_KDE, AUC_KDE), without=("pima",)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Compared:
    """A row with our choice and with the other one, over the same partitions.

    `moved` holds the ratios where the leader or the answer at level 0.05 differs, `beyond_noise` those where
    the effect (R_1 - R_2) / (R_1 + R_2) differs to the same side in every block of partitions. A block has
    the same partitions under both choices, so that what these have in common is not noise of the difference;
    and the effect, unlike R_1, does not depend on how many sets there are. The differences of a choice
    without consequence would have one sign in 5 blocks with probability 1/16.
    """

    text: str
    row: Row
    without: tuple[str, ...]
    ours: list[Cell]
    other: list[Cell]
    moved: tuple[str, ...]
    beyond_noise: tuple[str, ...]


def compare_all(results: Results, epsilons: Sequence[str]) -> list[Compared]:
    """Compare every choice that has results; one that fails on all its rows has none."""
    return [
        _compared(results, choice, asked, epsilons)
        for choice in CHOICES
        for asked in choice.rows
        if any(
            record["epsilons"]
            for found in results.records.get(choice.variant, {}).values()
            for record in found
        )
    ]


def _compared(results: Results, choice: Choice, asked: Row, epsilons: Sequence[str]) -> Compared:
    first = None
    if choice.variant != BASE:
        counts = (results.partitions(variant).values() for variant in (BASE, choice.variant))
        first = min([VARIANT_PARTITIONS, *chain(*counts)])
    measure, method_1, method_2 = asked
    if MEASURES[measure].table == "1":
        # Influence is measured without contamination only.
        epsilons = epsilons[:1]
    standard = method_1.replace("-authors", "")
    names = tuple(name for name in SETS if name not in choice.without)
    limited = Chosen(choice.variant, names, first)
    ours = row(results, measure, (standard, method_2), epsilons, Chosen(first=first), interval=False)
    other = row(results, choice.measure or measure, (method_1, method_2), epsilons, limited, interval=False)
    moved = tuple(
        b.comparison.epsilon
        for a, b in zip(ours, other, strict=True)
        if (leads(a), significant(a)) != (leads(b), significant(b))
    )
    beyond = tuple(
        b.comparison.epsilon
        for a, b in zip(ours, other, strict=True)
        if same_side(b.effect - a.effect, shifts(a, b))
    )
    return Compared(choice.text, asked, choice.without, ours, other, moved, beyond)


def shifts(ours: Cell, other: Cell) -> list[float]:
    """Return how far the effect moves in each block of partitions."""
    return [b - a for a, b in zip(ours.block_effects, other.block_effects, strict=True)]

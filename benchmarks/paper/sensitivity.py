"""How far the tables depend on what the paper leaves open, beside the noise of the partitions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from statistics import fmean
from typing import Final

from benchmarks.paper.cells import Cell, Chosen, Layer, Ties, row, same_side
from benchmarks.paper.claims import Row, leads, significant
from benchmarks.paper.results import MEASURES, Results
from benchmarks.paper.sets import MNIST, SETS
from benchmarks.paper.variants import BASE, VARIANTS

ALPHA: Final = ("alpha", "rkde", "kde")
BETA: Final = ("beta", "rkde", "kde")
KL_KDE: Final = ("kl", "rkde", "kde")
KL_VKDE: Final = ("kl", "rkde", "vkde")
KL_VKDE_KDE: Final = ("kl", "vkde", "kde")
AUC_KDE: Final = ("auc", "rkde", "kde")
AUC_VKDE: Final = ("auc", "rkde", "vkde")
NARROW: Final = Layer("mnist-unit-s")
"""The reading of MNIST's kernel under which the digits 1 are far from the digits 0."""
WITHOUT_MNIST: Final = tuple(name for name in SETS if name != MNIST)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something the paper leaves open: our choice, and the other one as a variant or another measure.

    `outlying` lets the class contaminate that the KDE detects better, set by set.
    """

    text: str
    rows: tuple[Row, ...]
    variant: str = BASE
    measure: str | None = None
    ties: Ties = "method 2"
    outlying: bool = False


CHOICES: Final = (
    Choice("sets without a difference: for method 2 (ours) or dropped", (AUC_KDE, AUC_VKDE), ties="dropped"),
    Choice("percentiles: numpy's `linear` (ours) or `hazen`", (KL_KDE, AUC_KDE, AUC_VKDE), "hazen"),
    Choice(
        "nominal class: label 0 (ours) or the other one",
        (ALPHA, BETA, KL_KDE, KL_VKDE, AUC_KDE, AUC_VKDE), "swap",
    ),
    Choice(
        "contaminating class: label 1 (ours), or of each set the one that the KDE detects better",
        (KL_KDE, KL_VKDE, AUC_KDE, AUC_VKDE), "swap", outlying=True,
    ),
    Choice(
        "bandwidth of the reference density: its own rows' (ours) or the estimates'",
        (KL_KDE, KL_VKDE, KL_VKDE_KDE), measure="kl-shared",
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
    Choice(
        "tied rows: positive distances only where the median is 0 (ours), or in every set",
        (KL_KDE, AUC_KDE, AUC_VKDE), "distinct",
    ),
    Choice("tied rows: Scott's rule for F. Solar", (KL_KDE, AUC_KDE), "scott"),
    Choice(
        "thresholds and start: the paper's (ours) or the authors' program's", (
            ("kl", "rkde-authors", "kde"), ("auc", "rkde-authors", "kde"), ("auc", "rkde-authors", "vkde"),
        ),
    ),
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


def outlying_sets(results: Results) -> tuple[str, ...]:
    """Return the sets of which the KDE detects the class with label 0 better, by a point of AUC or more."""
    least = MEASURES["auc"].notable / MEASURES["auc"].scale
    found = []
    for name in SETS:
        pairs = results.pairs("auc", ("kde", "swap"), ("kde", BASE), "0.00", name)
        if pairs and fmean(other - ours for other, ours in pairs) >= least:
            found.append(name)
    return tuple(found)


def common_partitions(results: Results, *variants: str) -> int | None:
    """Return how many partitions of each set are compared: None for all, where no variant has fewer."""
    whole = results.partitions(BASE)
    fewer = [
        count
        for variant in variants
        for name, count in results.partitions(variant).items()
        if count < whole[name]
    ]
    return min(fewer, default=None)


def _compared(results: Results, choice: Choice, asked: Row, epsilons: Sequence[str]) -> Compared:
    first = common_partitions(results, choice.variant)
    measure, method_1, method_2 = asked
    if MEASURES[measure].table == "1":
        # Influence is measured without contamination only.
        epsilons = epsilons[:1]
    standard = method_1.replace("-authors", "")
    sets = outlying_sets(results) if choice.outlying else tuple(SETS)
    layers = () if choice.variant == BASE else (Layer(choice.variant, sets),)
    chosen = Chosen(layers, first=first, ties=choice.ties)
    ours = row(results, measure, (standard, method_2), epsilons, Chosen(first=first), interval=False)
    other = row(results, choice.measure or measure, (method_1, method_2), epsilons, chosen, interval=False)
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
    return Compared(choice.text, asked, ours, other, moved, beyond)


def shifts(ours: Cell, other: Cell) -> list[float]:
    """Return how far the effect moves in each block of partitions."""
    return [b - a for a, b in zip(ours.block_effects, other.block_effects, strict=True)]


def without_each(results: Results, asked: Row, epsilons: Sequence[str]) -> dict[str, list[Cell]]:
    """Return a row with each of the fifteen sets left out in turn."""
    measure, *methods = asked
    return {
        name: row(
            results,
            measure,
            (methods[0], methods[1]),
            epsilons,
            Chosen(names=tuple(other for other in SETS if other != name)),
            interval=False,
        )
        for name in SETS
    }


@dataclass(frozen=True, slots=True)
class Joint:
    """A row under several choices at once, by what they are about; `dropped` leaves ties out of the ranks."""

    choices: Mapping[str, str]
    cells: list[Cell]
    dropped: list[Cell]


_CLASSES: Final = ("label 1", "label 0", "the one that the KDE detects better")
_KERNELS: Final = ("exp(-t / (2 * 30^2))", "exp(-t / 30)", "left out")


def joint(results: Results, asked: Row, epsilons: Sequence[str]) -> Iterator[Joint]:
    """Vary the contaminating class, the kernel of MNIST, ties and the reference density at once."""
    measure, *methods = asked
    measures = {"its own": measure, "the estimates'": "kl-shared"} if measure == "kl" else {"": measure}
    of_class = {_CLASSES[0]: (), _CLASSES[1]: tuple(SETS), _CLASSES[2]: outlying_sets(results)}
    for (reference, taken), (contaminating, swapped), kernel in product(
        measures.items(), of_class.items(), _KERNELS
    ):
        layers = [Layer("swap", swapped)] if swapped else []
        if kernel == _KERNELS[1]:
            layers.append(Layer("swap-mnist") if MNIST in swapped else NARROW)
        chosen = Chosen(
            tuple(layers),
            WITHOUT_MNIST if kernel == _KERNELS[2] else tuple(SETS),
            common_partitions(results, *(layer.variant for layer in layers)),
        )
        made, dropped = (
            row(
                results, taken, (methods[0], methods[1]), epsilons, replace(chosen, ties=ties), interval=False
            )
            for ties in _TIES
        )
        told = {"contaminating class": contaminating, "MNIST's kernel": kernel}
        yield Joint(({"reference density's bandwidth": reference} if reference else {}) | told, made, dropped)


_TIES: Final[tuple[Ties, Ties]] = ("method 2", "dropped")

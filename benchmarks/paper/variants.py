"""What is run: the paper's setting with all methods, and variants of what the paper leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from benchmarks.paper.methods import MAIN, TITLES, Choices
from benchmarks.paper.pixels import DEFAULT_READING, READINGS
from benchmarks.paper.sets import MANY_PARTITIONS, MNIST, SETS

TABLES: Final = ("1", "2", "3")
BASE: Final = "base"
VARIANT_PARTITIONS: Final = 20
QUICK_PARTITIONS: Final = 2


PAPER_CHOICES: Final = Choices()


@dataclass(frozen=True, slots=True)
class Variant:
    """A setting: which sets, methods and tables, and what differs from the paper's setting."""

    name: str
    text: str
    methods: tuple[str, ...] = MAIN
    sets: tuple[str, ...] = tuple(SETS)
    tables: tuple[str, ...] = ("2", "3")
    partitions: int = VARIANT_PARTITIONS
    choices: Choices = PAPER_CHOICES
    swapped: bool = False
    own_reference: bool = True
    reading: str = DEFAULT_READING


# Sets in which some rows have the same values, so that the treatment of ties matters.
TIED: Final = ("breast_cancer", "flare_solar", "image", "splice", "iris")

VARIANTS: Final = {
    one.name: one
    for one in (
        Variant(BASE, "the paper's setting", tuple(TITLES), tables=TABLES, partitions=MANY_PARTITIONS),
        Variant("swap", "the other class is nominal", tables=TABLES, swapped=True),
        Variant(
            "hazen", "percentiles by the rule 'hazen'", ("rkde",), choices=Choices(quantile_rule="hazen")
        ),
        Variant(
            "reference", "reference density with the estimates' bandwidth", tables=("2",), own_reference=False
        ),
        Variant(
            "distinct", "bandwidth over positive distances in every set",
            sets=TIED, choices=Choices(bandwidth="median_nn_distinct"),
        ),
        Variant(
            "scott", "Scott's rule where the median is 0", sets=("flare_solar",), choices=Choices("scott")
        ),
        *(
            Variant(f"mnist-{name}", f"kernel PCA with {reading.text}", sets=(MNIST,), reading=name)
            for name, reading in READINGS.items()
            if name != DEFAULT_READING
        ),
    )
}  # fmt: skip
"""By name; those after the first are run on fewer partitions."""

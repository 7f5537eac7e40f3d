"""What is run: the paper's setting with all methods, and variants of what the paper leaves open."""

from dataclasses import dataclass
from typing import Final, Literal

from benchmarks.paper.methods import LEVELS, MAIN, TITLES, Choices
from benchmarks.paper.partitions import EPSILONS
from benchmarks.paper.pixels import DEFAULT_READING, READINGS
from benchmarks.paper.rivals import RIVALS
from benchmarks.paper.sets import MANY_PARTITIONS, MNIST, SETS

TABLES: Final = ("1", "2", "3")
BASE: Final = "base"
VARIANT_PARTITIONS: Final = 20
QUICK_PARTITIONS: Final = 2
GRID_EPSILONS: Final = (0.0, 0.1, 0.3)
BANDWIDTHS: Final = {
    "1": ("the paper's rule", Choices()),
    "2": ("twice the paper's rule", Choices(factor=2.0)),
    "4": ("four times the paper's rule", Choices(factor=4.0)),
    "scott": ("Scott's rule", Choices(bandwidth="scott")),
    "lscv": ("least-squares cross-validation", Choices(bandwidth="lscv")),
}
"""Bandwidths that are tried with every choice of thresholds."""

PAPER_CHOICES: Final = Choices()


Components = Literal["partition", "sample", "nominal"]
COMPONENTS_OF: Final[dict[Components, str]] = {
    "partition": "all training rows",
    "sample": "the rows of the sample",
    "nominal": "the nominal rows",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """A setting: which sets, methods and tables, and what differs from the paper's setting.

    `components_of` says which rows the components of MNIST's kernel PCA are computed from: all training rows
    of the partition, both digits, at every ratio; those of the sample; or the nominal ones.
    """

    name: str
    text: str
    methods: tuple[str, ...] = MAIN
    sets: tuple[str, ...] = tuple(SETS)
    tables: tuple[str, ...] = ("2", "3")
    partitions: int = VARIANT_PARTITIONS
    choices: Choices = PAPER_CHOICES
    epsilons: tuple[float, ...] = EPSILONS
    swapped: bool = False
    reading: str = DEFAULT_READING
    components_of: Components = "partition"


# Sets in which some rows have the same values, so that the treatment of ties matters.
TIED: Final = ("breast_cancer", "flare_solar", "image", "splice", "iris")

VARIANTS: Final = {
    one.name: one
    for one in (
        Variant(BASE, "the paper's setting", tuple(TITLES), tables=TABLES, partitions=MANY_PARTITIONS),
        Variant(
            "swap", "the other class is nominal",
            tables=TABLES, partitions=MANY_PARTITIONS, swapped=True,
        ),
        Variant(
            "swap-mnist", "the other class is nominal, kernel PCA with exp(-t / 30), pixels in [0, 1]",
            sets=(MNIST,), swapped=True, reading="unit-s",
        ),
        Variant(
            "hazen", "percentiles by the rule 'hazen'", ("rkde",), choices=Choices(quantile_rule="hazen")
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
        *(
            Variant(
                f"mnist-{rows}-{reading}",
                f"components of {text}, kernel PCA with {READINGS[reading].text}",
                sets=(MNIST,), reading=reading, components_of=rows,
            )
            for rows, text in COMPONENTS_OF.items()
            if rows != "partition"
            for reading in (DEFAULT_READING, "unit-s")
        ),
        Variant(
            "rivals", "simpler densities and detectors", (*MAIN, *RIVALS), tables=("3",)
        ),
        *(
            Variant(
                f"grid-{name}", f"bandwidth by {text}", ("kde", "rkde", "rkde-authors", "huber", *LEVELS),
                tables=("3",), choices=choices, epsilons=GRID_EPSILONS,
            )
            for name, (text, choices) in BANDWIDTHS.items()
        ),
    )
}  # fmt: skip
"""By name; those after the first are run on fewer partitions."""

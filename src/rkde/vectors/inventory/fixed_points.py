"""Cases of `fixed_point`: the limit of the iteration from a stated start, which no stopping rule decides."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    ABSOLUTE,
    CLUSTERS,
    EIGHT_COLUMNS,
    EIGHTHS,
    FAR,
    FORK_LINE,
    FORK_PLANE,
    FORK_SKEWED,
    HIGH,
    LINE,
    OFFSET,
    PAIRS,
    PLANE,
    PLANE_WEIGHTS,
    QUADRATIC,
    SAME,
    TIES,
    TIGHT,
    TWO,
    gaussian,
    hampel,
    huber,
    laplacian,
    shifted,
    student,
)
from rkde.vectors.inventory.model import Entry, Group

_HUBER: Final = huber(0.65)
_HAMPEL: Final = hampel(0.6, 0.75, 0.95)
# Near the thresholds that the recipe gives.
_FORK_LOSSES: Final = (hampel(0.846, 0.905, 0.921), hampel(0.779, 0.921, 0.967), hampel(0.809, 0.888, 0.936))

_BASIC: Final = Group(
    "fixed_point",
    "Huber's and Hampel's loss from both starts.",
    tuple(
        Entry(
            f"{label}-{loss['name']}-{start}",
            f"{what}, {loss['name']} loss from the {start} start.",
            ("BASIC",),
            {"X": data, "kernel": kernel, "loss": loss, "start": start},
        )
        for label, what, data, kernel in (
            ("line", "Five points of a line", LINE, gaussian(0.8)),
            ("plane", "Eight points of a plane, Student kernel", PLANE, student(0.8, 3)),
            ("clusters", "Two clusters, Laplacian kernel", CLUSTERS, laplacian(2)),
        )
        for loss in (_HUBER, _HAMPEL)
        for start in ("uniform", "median")
    ),
)

_LIMITS_KNOWN: Final = Group(
    "fixed_point",
    "Limits that are known beforehand.",
    (
        Entry(
            "quadratic",
            "The KDE, whatever the start.",
            ("BASIC",),
            {"loss": QUADRATIC, "start": PLANE_WEIGHTS},
        ),
        Entry(
            "absolute", "f_med, whatever the start.", ("BASIC",), {"loss": ABSOLUTE, "start": PLANE_WEIGHTS}
        ),
        Entry(
            "huber-never-active",
            "a beyond every residual: the KDE.",
            ("EDGE",),
            {"loss": huber(1.5), "start": "median"},
        ),
        Entry(
            "huber-always-active",
            "a below every residual: f_med.",
            ("EDGE",),
            {"loss": huber(0.01), "start": "uniform"},
        ),
        Entry(
            "hampel-never-active",
            "a beyond every residual: the KDE.",
            ("EDGE",),
            {"loss": hampel(1.4, 1.5, 2), "start": "uniform"},
        ),
        Entry(
            "huber-from-weights",
            "Huber's limit does not depend on the start.",
            ("BASIC",),
            {"loss": _HUBER, "start": PLANE_WEIGHTS},
        ),
    ),
    {"X": PLANE, "kernel": gaussian(0.8)},
)

_BRANCHES: Final = Group(
    "fixed_point",
    "Hampel's J has several minima: the start decides.",
    (
        Entry(
            "from-the-large-cluster",
            "All weight on the large cluster.",
            ("EDGE",),
            {"start": [0.2, 0.2, 0.2, 0.2, 0.1, 0.1, 0, 0, 0]},
        ),
        Entry(
            "from-the-small-cluster",
            "All weight on the small cluster.",
            ("EDGE",),
            {"start": [0, 0, 0, 0, 0, 0, 0.25, 0.5, 0.25]},
        ),
        Entry("from-the-middle", "Equal weights.", ("EDGE",), {"start": "uniform"}),
    ),
    {"X": CLUSTERS, "kernel": gaussian(1), "loss": hampel(0.4, 0.6, 1)},
)

_TWO_STARTS: Final = Group(
    "fixed_point",
    "The limit from f_med is another one than from equal weights.",
    tuple(
        Entry(
            f"fork-{label}-{start}",
            f"{what}, from the {start} start.",
            ("BASIC",),
            {"X": data, "kernel": kernel, "loss": loss, "start": start},
        )
        for label, what, data, kernel, loss in (
            ("line", "Six points of a line, Student kernel", FORK_LINE, student(0.7, 3), _FORK_LOSSES[0]),
            ("plane", "Six points of a plane, Gaussian kernel", FORK_PLANE, gaussian(1.2), _FORK_LOSSES[1]),
            ("skewed", "A skewed line, Laplacian kernel", FORK_SKEWED, laplacian(0.6), _FORK_LOSSES[2]),
        )
        for start in ("median", "uniform")
    ),
)

_SADDLES: Final = Group(
    "fixed_point",
    "Two equal pairs: the symmetric path ends on a saddle, a disturbed one at either pair.",
    (
        Entry(
            "saddle",
            "From equal weights, whose symmetry exact arithmetic keeps.",
            ("SADDLE", "TIE"),
            {"start": "uniform"},
            ends=((0.5, 0.5, 0.0, 0.0), (0.0, 0.0, 0.5, 0.5)),
        ),
        Entry("left-pair", "From weights on the left pair.", ("TIE", "EDGE"), {"start": [0.5, 0.5, 0, 0]}),
        Entry(
            "right-pair",
            "From weights that favour the right pair.",
            ("EDGE",),
            {"start": [0.1, 0.1, 0.3, 0.5]},
        ),
    ),
    {"X": PAIRS, "kernel": gaussian(1), "loss": hampel(0.3, 0.6, 1.2)},
)

_SPECIAL: Final = Group(
    "fixed_point",
    "Extreme data.",
    (
        Entry(
            "ties",
            "Equal rows end with equal weights.",
            ("TIE",),
            {
                "X": TIES,
                "kernel": gaussian(1.2),
                "loss": _HUBER,
                "start": [0.7, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
            },
        ),
        Entry(
            "hampel-rejects",
            "A far row ends with weight exactly 0.",
            ("EDGE",),
            {"X": FAR, "kernel": gaussian(0.8), "loss": hampel(0.5, 0.7, 0.8), "start": "median"},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {"X": shifted(EIGHTHS, OFFSET), "kernel": gaussian(0.8), "loss": _HAMPEL, "start": "median"},
        ),
        Entry(
            "tight",
            "Four rows within 1e-8 of each other and one far off; a is of the size of the near residuals.",
            ("CANCELLATION",),
            {"X": TIGHT, "kernel": gaussian(1), "loss": huber(2.0**-26), "start": "uniform"},
        ),
        Entry(
            "high",
            "A thousand columns.",
            ("EDGE",),
            {"X": HIGH, "kernel": gaussian(10), "loss": huber(0.5), "start": "uniform"},
        ),
        Entry(
            "eight-columns",
            "Nine points in eight dimensions.",
            ("EDGE",),
            {"X": EIGHT_COLUMNS, "kernel": laplacian(0.5), "loss": huber(0.5), "start": "uniform"},
        ),
        Entry(
            "one-place",
            "Every row at one place: weights 1/n, J = 0.",
            ("DEGENERATE", "TIE"),
            {"X": SAME, "kernel": gaussian(1), "loss": _HUBER, "start": [0.2, 0.3, 0.5]},
        ),
        Entry(
            "two-rows",
            "Two rows, both inside a: the KDE.",
            ("EDGE",),
            {"X": TWO, "kernel": gaussian(0.8), "loss": huber(0.9), "start": [0.9, 0.1]},
        ),
    ),
)

_REFUSED: Final = Group(
    "fixed_point",
    "Requests that must end in an error.",
    (
        Entry(
            "all-weights-zero",
            "Every residual beyond c.",
            ("MUST_FAIL", "DEGENERATE"),
            {"loss": hampel(0.01, 0.02, 0.04)},
            "AllWeightsZero",
        ),
        Entry(
            "start-sum",
            "A start that sums to 0.9.",
            ("MUST_FAIL",),
            {"start": [0.5, 0.4, 0, 0, 0]},
            "InvalidInput",
        ),
        Entry(
            "start-short",
            "A start of four weights for five rows.",
            ("MUST_FAIL",),
            {"start": [0.25, 0.25, 0.25, 0.25]},
            "InvalidInput",
        ),
        Entry(
            "start-negative",
            "A negative weight.",
            ("MUST_FAIL",),
            {"start": [1.5, -0.5, 0, 0, 0]},
            "InvalidInput",
        ),
        Entry(
            "start-unknown",
            "A start that the protocol does not have.",
            ("MUST_FAIL",),
            {"start": "kde"},
            "InvalidInput",
        ),
        Entry(
            "loss-unordered",
            "Thresholds out of order.",
            ("MUST_FAIL",),
            {"loss": hampel(0.9, 0.8, 1)},
            "InvalidInput",
        ),
    ),
    {"X": LINE, "kernel": gaussian(0.8), "loss": _HUBER, "start": "uniform"},
)

GROUPS: Final = (_BASIC, _LIMITS_KNOWN, _BRANCHES, _TWO_STARTS, _SADDLES, _SPECIAL, _REFUSED)

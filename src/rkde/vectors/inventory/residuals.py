"""Cases of `residual_norms`: ||Phi(X_i) - sum_j w_j Phi(X_j)|| / tau."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    EIGHT_COLUMNS,
    EIGHTHS,
    FAR,
    HIGH,
    LINE,
    OFFSET,
    ONE,
    PLANE,
    PLANE_WEIGHTS,
    SAME,
    TIES,
    TIGHT,
    TWO,
    Rows,
    gaussian,
    laplacian,
    scaled,
    shifted,
    student,
    uniform,
)
from rkde.vectors.inventory.model import Entry, Group

_KERNELS: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("gaussian", gaussian(0.8)),
    ("laplacian", laplacian(0.8)),
    ("student", student(0.8, 3)),
)


def _each_kernel(label: str, what: str, X: Rows, weights: list[float]) -> Group:
    return Group(
        "residual_norms",
        f"{what}, every kernel.",
        tuple(
            Entry(f"{label}-{name}", f"{what}, {name} kernel.", ("BASIC",), {"kernel": kernel})
            for name, kernel in _KERNELS
        ),
        {"X": X, "weights": weights},
    )


_HIGH: Final = Group(
    "residual_norms",
    "A thousand columns.",
    (
        Entry("high-gaussian", "Gaussian kernel, d = 1000.", ("EDGE",), {"kernel": gaussian(10)}),
        Entry("high-laplacian", "Laplacian kernel, d = 1000.", ("EDGE",), {"kernel": laplacian(10)}),
        Entry("high-student", "Student kernel, d = 1000.", ("EDGE",), {"kernel": student(300, 5)}),
    ),
    {"X": HIGH, "weights": uniform(4)},
)  # fmt: skip

_SPECIAL: Final = Group(
    "residual_norms",
    "Ties, single points, offsets, underflow.",
    (
        Entry(
            "ties",
            "Equal rows have equal residuals.",
            ("TIE",),
            {"X": TIES, "kernel": gaussian(0.8), "weights": uniform(7)},
        ),
        Entry(
            "ties-at-one-place",
            "All weight on three equal rows: their residuals are exactly 0.",
            ("TIE", "EDGE"),
            {"X": TIES, "kernel": gaussian(0.8), "weights": [0.25, 0.5, 0, 0.25, 0, 0, 0]},
        ),
        Entry(
            "one-row",
            "One row: residual 0.",
            ("DEGENERATE",),
            {"X": ONE, "kernel": gaussian(0.8), "weights": [1]},
        ),
        Entry(
            "one-place",
            "Every row at one place: residuals 0 whatever the weights.",
            ("DEGENERATE", "TIE"),
            {"X": SAME, "kernel": student(0.8, 3), "weights": [0.2, 0.3, 0.5]},
        ),
        Entry(
            "two-rows",
            "Two rows.",
            ("EDGE",),
            {"X": TWO, "kernel": laplacian(0.8), "weights": [0.75, 0.25]},
        ),
        Entry(
            "all-on-one-row",
            "All weight on one row: its residual is exactly 0.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "weights": [0, 1, 0, 0, 0]},
        ),
        Entry(
            "almost-all-on-one-row",
            "All weight but 2^-30 on one row: the other residuals are large, its own is small.",
            ("CANCELLATION",),
            {"X": LINE, "kernel": gaussian(0.8), "weights": [0, 1 - 2.0**-30, 2.0**-30, 0, 0]},
        ),
        Entry(
            "sum-within-slack",
            "Weights that sum to 1 + 5e-10 stand for their quotients by the sum.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "weights": [0.2, 0.2, 0.2, 0.2, 0.2000000005]},
        ),
        Entry(
            "offset",
            "An offset of 1e8 changes nothing: the coordinates are exact.",
            ("CANCELLATION",),
            {"X": shifted(EIGHTHS, OFFSET), "kernel": gaussian(0.8), "weights": uniform(6)},
        ),
        Entry(
            "no-offset",
            "The same rows without the offset: the same answer.",
            ("BASIC",),
            {"X": EIGHTHS, "kernel": gaussian(0.8), "weights": uniform(6)},
        ),
        Entry(
            "far-row",
            "A row whose kernel values with all others are 0 in float64.",
            ("UNDERFLOW",),
            {"X": FAR, "kernel": gaussian(0.8), "weights": uniform(4)},
        ),
        Entry(
            "all-far",
            "Every kernel value between rows is 0 in float64: all residuals are (1 - 1/n)^(1/2).",
            ("UNDERFLOW", "TIE"),
            {"X": LINE, "kernel": gaussian(0.001), "weights": uniform(5)},
        ),
        Entry(
            "tight",
            "Four rows within 1e-8 of each other, which have all the weight: every residual but one is tiny.",
            ("CANCELLATION",),
            {"X": TIGHT, "kernel": gaussian(1), "weights": [0.25, 0.25, 0.25, 0.25, 0]},
        ),
        Entry(
            "tight-and-far",
            "The same, the far row with a weight of the size of the distances between the near ones.",
            ("CANCELLATION",),
            {"X": TIGHT, "kernel": gaussian(1), "weights": [0.125, 0.125, 0.625, 0.125 - 2.0**-29, 2.0**-29]},
        ),
        Entry(
            "tight-alone",
            "Only the four near rows: full relative accuracy where 1 - 2Kw + w'Kw has no digit.",
            ("CANCELLATION",),
            {"X": TIGHT[:4], "kernel": gaussian(1), "weights": uniform(4)},
        ),
        Entry(
            "scale-small",
            "Rows and bandwidth divided by 2^27.",
            ("EDGE",),
            {"X": scaled(EIGHTHS, 2.0**-27), "kernel": student(2.0**-27, 3), "weights": uniform(6)},
        ),
        Entry(
            "scale-large",
            "Rows and bandwidth multiplied by 2^600: squares overflow.",
            ("EDGE",),
            {"X": scaled(EIGHTHS, 2.0**600), "kernel": student(2.0**600, 3), "weights": uniform(6)},
        ),
    ),
)

_REFUSED: Final = Group(
    "residual_norms",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"X": TWO, "weights": [0.5, 0.5], **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("weights-negative", "A negative weight.", {"weights": [1.5, -0.5]}),
            ("weights-sum", "Weights that sum to 0.9.", {"weights": [0.5, 0.4]}),
            ("weights-zero", "Weights that are all 0.", {"weights": [0, 0]}),
            ("weights-nan", "A weight that is no number.", {"weights": [0.5, "nan"]}),
            ("weights-short", "One weight for two rows.", {"weights": [1]}),
            ("no-rows", "No row at all.", {"X": [], "weights": []}),
            ("no-columns", "Rows without a column.", {"X": [[], []]}),
            ("ragged", "Rows of different lengths.", {"X": [[1.0, 2.0], [1.0]]}),
            ("nan-row", "A coordinate that is no number.", {"X": [[0.0], ["nan"]]}),
        )
    ),
    {"kernel": gaussian(1)},
)  # fmt: skip

GROUPS: Final = (
    _each_kernel("line", "Five points of a line with equal weights", LINE, uniform(5)),
    _each_kernel("plane", "Eight points of a plane with unequal weights", PLANE, PLANE_WEIGHTS),
    _each_kernel("eight-columns", "Nine points in eight dimensions", EIGHT_COLUMNS, uniform(9)),
    _HIGH,
    _SPECIAL,
    _REFUSED,
)

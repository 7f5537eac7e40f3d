"""Cases of `median`: f_med, at a row, between rows, and where only the iteration defines it."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    CLUSTERS,
    EIGHT_COLUMNS,
    EIGHTHS,
    FAR,
    HIGH,
    LINE,
    MAJORITY,
    OFFSET,
    ONE,
    PLANE,
    SAME,
    SQUARE,
    TIES,
    TIGHT,
    TWO,
    column,
    gaussian,
    laplacian,
    scaled,
    shifted,
    student,
)
from rkde.vectors.inventory.model import Entry, Group

_KERNELS: Final = (
    ("gaussian", gaussian(0.8)),
    ("laplacian", laplacian(0.8)),
    ("student", student(0.8, 3)),
)

_BASIC: Final = Group(
    "median",
    "Points in general position, every kernel.",
    tuple(
        Entry(f"{label}-{name}", f"{what}, {name} kernel.", ("BASIC",), {"X": data, "kernel": kernel})
        for label, what, data in (
            ("line", "Five points of a line", LINE),
            ("plane", "Eight points of a plane", PLANE),
            ("clusters", "Two clusters", CLUSTERS),
        )
        for name, kernel in _KERNELS
    ),
)

_AT_A_ROW: Final = Group(
    "median",
    "f_med is a data point, where the absolute loss has its corner.",
    (
        Entry("majority", "Three of five rows at one place hold it.", ("TIE", "EDGE"), {"X": MAJORITY}),
        Entry(
            "middle-holds",
            "Three symmetric points so near that the middle one is the minimiser.",
            ("EDGE",),
            {"X": column(-0.5, 0.0, 0.5)},
        ),
        Entry(
            "middle-lets-go",
            "The same at a distance where it is not: no residual is 0.",
            ("EDGE",),
            {"X": column(-0.8, 0.0, 0.8)},
        ),
        Entry("ties", "Rows in three, two, one and one copies.", ("TIE",), {"X": TIES}),
        Entry(
            "two-against-one",
            "Two places, two rows against one: the majority has all the weight.",
            ("TIE", "EDGE"),
            {"X": column(0.0, 0.0, 1.5)},
        ),
    ),
    {"kernel": gaussian(1)},
)

_BY_SYMMETRY: Final = Group(
    "median",
    "The uniform weights are the limit by symmetry, also where the minimiser is not unique.",
    (
        Entry("two-rows", "Every point between the two minimises J.", ("DEGENERATE", "TIE"), {"X": TWO}),
        Entry(
            "two-and-two",
            "Two places of two rows each.",
            ("DEGENERATE", "TIE"),
            {"X": column(0.0, 1.5, 0.0, 1.5)},
        ),
        Entry("square", "The corners of a square: all residuals are equal.", ("TIE",), {"X": SQUARE}),
        Entry("one-row", "One row: weight 1, residual 0.", ("DEGENERATE",), {"X": ONE}),
        Entry("one-place", "Every row at one place.", ("DEGENERATE", "TIE"), {"X": SAME}),
    ),
    {"kernel": gaussian(0.8)},
)

_SPECIAL: Final = Group(
    "median",
    "Extreme data.",
    (
        Entry(
            "eight-columns",
            "Nine points in eight dimensions.",
            ("EDGE",),
            {"X": EIGHT_COLUMNS, "kernel": laplacian(0.8)},
        ),
        Entry("high", "A thousand columns.", ("EDGE",), {"X": HIGH, "kernel": gaussian(10)}),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {"X": shifted(EIGHTHS, OFFSET), "kernel": gaussian(0.8)},
        ),
        Entry(
            "far-row",
            "A row whose kernel values underflow.",
            ("UNDERFLOW",),
            {"X": FAR, "kernel": gaussian(0.8)},
        ),
        *(
            Entry(
                f"tight-{name}",
                f"Four rows within 1e-8 of each other and one far off, {name} kernel.",
                ("CANCELLATION",),
                {"X": TIGHT, "kernel": kernel},
            )
            for name, kernel in (
                ("gaussian", gaussian(1)),
                ("student", student(1, 3)),
                ("laplacian", laplacian(1)),
            )
        ),
        Entry(
            "scale-large",
            "Rows and bandwidth multiplied by 2^600: squares overflow.",
            ("EDGE",),
            {"X": scaled(EIGHTHS, 2.0**600), "kernel": student(2.0**600, 3)},
        ),
        Entry(
            "all-far",
            "Every kernel value between rows underflows: uniform weights, equal residuals.",
            ("UNDERFLOW", "TIE"),
            {"X": LINE, "kernel": gaussian(0.001)},
        ),
    ),
)

_REFUSED: Final = Group(
    "median",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"X": LINE, "kernel": gaussian(1), **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("no-rows", "No row at all.", {"X": []}),
            ("infinite-row", "An infinite coordinate.", {"X": [[0.0], ["inf"]]}),
            ("bandwidth-zero", "A bandwidth of 0.", {"kernel": gaussian(0)}),
            ("ragged", "Rows of different lengths.", {"X": [[0.0], [1.0, 2.0]]}),
        )
    ),
)

GROUPS: Final = (_BASIC, _AT_A_ROW, _BY_SYMMETRY, _SPECIAL, _REFUSED)

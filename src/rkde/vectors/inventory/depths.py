"""Cases of `depth`: inside, outside, at rows and beside them."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    EIGHTHS,
    FAR,
    HIGH,
    LINE,
    OFFSET,
    ONE,
    PLANE,
    SAME,
    TIES,
    TWO,
    gaussian,
    laplacian,
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
    "depth",
    "Between the rows and off them, every kernel.",
    tuple(
        Entry(
            f"{label}-{name}",
            f"{what}, {name} kernel.",
            ("BASIC",),
            {"X": data, "kernel": kernel, "queries": queries},
        )
        for label, what, data, queries in (
            ("line", "Five points of a line", LINE, [[0.75], [3.0], [-1.0]]),
            ("plane", "Eight points of a plane", PLANE, [[0.25, 0.5], [2.5, 2.0], [5.0, -3.0]]),
        )
        for name, kernel in _KERNELS
    ),
)

_AT_ROWS: Final = Group(
    "depth",
    "Rows equal to the query have no direction; the divisor is n - 1 if there are any.",
    (
        Entry("at-a-row", "A query at a row.", ("EDGE",), {"X": LINE, "queries": [[1.1], [6.0]]}),
        Entry(
            "at-three-rows",
            "A query at three equal rows.",
            ("EDGE", "TIE"),
            {"X": TIES, "queries": [[0.0], [2.5], [1.75]]},
        ),
        Entry("minus-zero", "-0 equals 0.", ("EDGE",), {"X": LINE, "queries": [[-0.0]]}),
        Entry(
            "one-row",
            "At the only row: 1; elsewhere: 0.",
            ("DEGENERATE",),
            {"X": ONE, "queries": [[1.5, -2.0], [0.0, 0.0]]},
        ),
        Entry(
            "one-place",
            "At the only place: 1; elsewhere: 0.",
            ("DEGENERATE", "TIE"),
            {"X": SAME, "queries": [[1.5, -2.0], [0.0, 0.0]]},
        ),
        Entry(
            "two-rows",
            "At either of two rows: 0; in the middle: not.",
            ("EDGE",),
            {"X": TWO, "queries": [[0.0], [0.75], [1.5]]},
        ),
        Entry(
            "beside-a-row",
            "2^-40 beside a row: its direction counts fully.",
            ("EDGE", "CANCELLATION"),
            {"X": LINE, "queries": [[2.0**-40], [-(2.0**-40)]]},
        ),
    ),
    {"kernel": gaussian(0.8)},
)

_SPECIAL: Final = Group(
    "depth",
    "Far queries, offsets, many columns, none.",
    (
        Entry(
            "far-queries",
            "So far that every kernel value underflows.",
            ("UNDERFLOW",),
            {"X": PLANE, "kernel": gaussian(0.8), "queries": [[1e3, 0.0], [1e6, 1e6]]},
        ),
        Entry(
            "far-row",
            "A row whose kernel values underflow.",
            ("UNDERFLOW",),
            {"X": FAR, "kernel": gaussian(0.8), "queries": [[0.25, 0.25], [1e6, -1e6]]},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {
                "X": shifted(EIGHTHS, OFFSET),
                "kernel": student(0.8, 3),
                "queries": [[OFFSET, OFFSET], [OFFSET + 2.5, OFFSET]],
            },
        ),
        Entry(
            "high",
            "A thousand columns.",
            ("EDGE",),
            {"X": HIGH, "kernel": gaussian(10), "queries": [HIGH[1], [0.5] * 1000]},
        ),
        Entry(
            "no-queries",
            "No query, no answer, no error.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(1), "queries": []},
        ),
    ),
)

_REFUSED: Final = Group(
    "depth",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"X": LINE, "queries": [[0.0]], **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("columns-differ", "A query with one column more than the data.", {"queries": [[0.0, 1.0]]}),
            ("nan-query", "A query that is no number.", {"queries": [["nan"]]}),
            ("no-rows", "No row at all.", {"X": []}),
        )
    ),
    {"kernel": gaussian(1)},
)

GROUPS: Final = (_BASIC, _AT_ROWS, _SPECIAL, _REFUSED)

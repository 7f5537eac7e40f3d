"""Cases of `log_density`: the natural logarithm of a weighted estimate, also where the density underflows."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    EIGHTHS,
    HIGH,
    LINE,
    OFFSET,
    ONE,
    PLANE,
    PLANE_WEIGHTS,
    TIES,
    gaussian,
    laplacian,
    shifted,
    student,
    uniform,
)
from rkde.vectors.inventory.model import Entry, Group

_KERNELS: Final[tuple[tuple[str, dict[str, object], tuple[str, ...]], ...]] = (
    ("gaussian", gaussian(0.8), ("BASIC",)),
    ("laplacian", laplacian(0.8), ("BASIC",)),
    ("student", student(0.8, 3), ("BASIC", "MISPRINT")),
)

_PLANE: Final = Group(
    "log_density",
    "Near, at and between the points of a plane, every kernel.",
    tuple(
        Entry(f"plane-{name}", f"Unequal weights, {name} kernel.", flags, {"kernel": kernel})
        for name, kernel, flags in _KERNELS
    ),
    {
        "X": PLANE,
        "weights": PLANE_WEIGHTS,
        "queries": [[0.1, -0.3], [0.0, 0.5], [4.1, 3.3], [2.0, 2.0], [-1.5, 2.5]],
    },
)

_TAILS: Final = Group(
    "log_density",
    "So far out that the density is 0 in float64.",
    tuple(
        Entry(f"far-{name}", f"{name} kernel.", ("UNDERFLOW",), {"kernel": kernel})
        for name, kernel, _ in _KERNELS
    ),
    {"X": LINE, "weights": uniform(5), "queries": [[60.0], [-1e3], [1e5], [1e8]]},
)

_SPECIAL: Final = Group(
    "log_density",
    "Zero weights, ties, offsets.",
    (
        Entry(
            "zero-weights",
            "Rows of weight 0 take no part, however near they are.",
            ("EDGE",),
            {
                "X": LINE,
                "kernel": gaussian(0.1),
                "weights": [0.5, 0, 0.5, 0, 0],
                "queries": [[0.4], [6.0], [1.9]],
            },
        ),
        Entry(
            "one-row",
            "One row: the kernel itself.",
            ("EDGE",),
            {"X": ONE, "kernel": student(0.8, 3), "weights": [1], "queries": [[1.5, -2.0], [0.0, 0.0]]},
        ),
        Entry(
            "ties",
            "Equal rows count as often as they occur.",
            ("TIE",),
            {"X": TIES, "kernel": gaussian(0.8), "weights": uniform(7), "queries": [[0.0], [1.75], [4.0]]},
        ),
        Entry(
            "no-queries",
            "No query, no answer, no error.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "weights": uniform(5), "queries": []},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {
                "X": shifted(EIGHTHS, OFFSET),
                "kernel": gaussian(0.5),
                "weights": uniform(6),
                "queries": [[OFFSET, OFFSET], [OFFSET + 2.5, OFFSET - 0.75]],
            },
        ),
    ),
)

_HIGH: Final = Group(
    "log_density",
    "A thousand columns.",
    (
        Entry("high", "tau^2 underflows, its logarithm does not.", ("UNDERFLOW",), {"kernel": gaussian(10)}),
        Entry(
            "high-narrow",
            "A bandwidth of 0.01: tau^2 overflows, its logarithm does not.",
            ("UNDERFLOW",),
            {"kernel": laplacian(0.01)},
        ),
    ),
    {"X": HIGH, "weights": uniform(4), "queries": [HIGH[0], [0.5] * 1000]},
)

_REFUSED: Final = Group(
    "log_density",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"weights": uniform(5), **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("columns-differ", "A query with one column more than the data.", {"queries": [[0.0, 1.0]]}),
            ("nan-query", "A query that is no number.", {"queries": [["nan"]]}),
            ("weights-sum", "Weights that sum to 0.5.", {"queries": [[0.0]], "weights": [0.5, 0, 0, 0, 0]}),
        )
    ),
    {"X": LINE, "kernel": gaussian(0.8)},
)  # fmt: skip

GROUPS: Final = (_PLANE, _TAILS, _SPECIAL, _HIGH, _REFUSED)

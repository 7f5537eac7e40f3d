"""Cases of `step`: the weights after a fixed number of steps, and J on the way.

A fixed number of steps from given weights is a function of the request alone; what a stopping rule returns is
not, and never stands here.
"""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    ABSOLUTE,
    EIGHT_COLUMNS,
    EIGHTHS,
    FAR,
    HIGH,
    LINE,
    OFFSET,
    PLANE,
    PLANE_WEIGHTS,
    QUADRATIC,
    SAME,
    TIES,
    TWO,
    column,
    gaussian,
    hampel,
    huber,
    laplacian,
    shifted,
    student,
    uniform,
)
from rkde.vectors.inventory.model import Entry, Group

_LOSSES: Final[tuple[tuple[str, dict[str, object]], ...]] = (
    ("quadratic", QUADRATIC),
    ("absolute", ABSOLUTE),
    ("huber", huber(0.65)),
    ("hampel", hampel(0.6, 0.75, 0.95)),
)


def _counts(label: str, what: str, fields: dict[str, object], *flags: str) -> Group:
    return Group(
        "step",
        f"{what}: 1, 5 and 20 steps of every loss.",
        tuple(
            Entry(
                f"{label}-{name}-{count}",
                f"{what}: {name} loss, {count} step{'s' if count > 1 else ''}.",
                flags,
                {"loss": loss, "count": count},
            )
            for name, loss in _LOSSES
            for count in (1, 5, 20)
        ),
        fields,
    )


_TIES: Final = Group(
    "step",
    "Equal rows keep equal weights where they start with equal ones.",
    tuple(
        Entry(f"ties-{name}", f"Five steps of the {name} loss.", ("TIE",), {"loss": loss, "count": 5})
        for name, loss in _LOSSES
    ),
    {"X": TIES, "kernel": gaussian(1.2), "weights": uniform(7)},
)

_ABSOLUTE: Final = Group(
    "step",
    "The absolute loss at and near a data point, where phi is infinite.",
    (
        Entry(
            "absolute-on-a-row",
            "All weight on one row: it keeps all.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "weights": [0, 0, 1, 0, 0], "count": 2},
        ),
        Entry(
            "absolute-on-three-rows",
            "All weight at a place of three rows: 1/3 to each, in one step.",
            ("EDGE", "TIE"),
            {"X": TIES, "kernel": gaussian(0.8), "weights": [0.5, 0.5, 0, 0, 0, 0, 0], "count": 1},
        ),
        Entry(
            "absolute-near-a-row",
            "All weight but 2^-20 on one row: its residual is small and exact.",
            ("CANCELLATION",),
            {
                "X": LINE,
                "kernel": gaussian(0.8),
                "weights": [0, 1 - 2.0**-20, 2.0**-20, 0, 0],
                "count": 1,
            },
        ),
        Entry(
            "absolute-two-rows",
            "Two rows: every pair of weights is stationary.",
            ("EDGE",),
            {"X": TWO, "kernel": laplacian(0.8), "weights": [0.75, 0.25], "count": 5},
        ),
        Entry(
            "absolute-symmetric",
            "Three symmetric points whose middle one attracts all weight, step by step.",
            ("EDGE",),
            {"X": column(-0.25, 0.0, 0.25), "kernel": gaussian(1), "weights": uniform(3), "count": 10},
        ),
    ),
    {"loss": ABSOLUTE},
)  # fmt: skip

_SPECIAL: Final = Group(
    "step",
    "Extreme data.",
    (
        Entry(
            "no-step",
            "No step: the weights over their sum, and J there.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "loss": huber(0.65), "weights": uniform(5), "count": 0},
        ),
        Entry(
            "hampel-rejects",
            "A row beyond c has weight exactly 0 from the first step on.",
            ("BASIC",),
            {
                "X": FAR,
                "kernel": gaussian(0.8),
                "loss": hampel(0.5, 0.7, 0.8),
                "weights": uniform(4),
                "count": 5,
            },
        ),
        Entry(
            "offset",
            "An offset of 1e8, five steps.",
            ("CANCELLATION",),
            {
                "X": shifted(EIGHTHS, OFFSET),
                "kernel": gaussian(0.8),
                "loss": hampel(0.6, 0.75, 0.95),
                "weights": uniform(6),
                "count": 5,
            },
        ),
        Entry(
            "high",
            "A thousand columns, five steps.",
            ("EDGE",),
            {"X": HIGH, "kernel": gaussian(10), "loss": huber(0.5), "weights": uniform(4), "count": 5},
        ),
        Entry(
            "one-place",
            "Every row at one place: weights 1/n, J = 0.",
            ("DEGENERATE", "TIE"),
            {"X": SAME, "kernel": gaussian(1), "loss": huber(0.5), "weights": uniform(3), "count": 3},
        ),
        Entry(
            "eight-columns",
            "Nine points in eight dimensions, Laplacian kernel.",
            ("BASIC",),
            {
                "X": EIGHT_COLUMNS,
                "kernel": laplacian(0.5),
                "loss": huber(0.5),
                "weights": uniform(9),
                "count": 5,
            },
        ),
    ),
)

_REFUSED: Final = Group(
    "step",
    "Requests that must end in an error.",
    (
        Entry(
            "all-weights-zero",
            "Every residual beyond c: the next weights would be 0/0.",
            ("MUST_FAIL", "DEGENERATE"),
            {"loss": hampel(0.01, 0.02, 0.04), "weights": uniform(5), "count": 1},
            "AllWeightsZero",
        ),
        Entry(
            "all-weights-zero-later",
            "The same with five steps asked.",
            ("MUST_FAIL", "DEGENERATE"),
            {"loss": hampel(0.01, 0.02, 0.04), "weights": uniform(5), "count": 5},
            "AllWeightsZero",
        ),
        Entry(
            "count-negative",
            "Fewer than no steps.",
            ("MUST_FAIL",),
            {"loss": QUADRATIC, "weights": uniform(5), "count": -1},
            "InvalidInput",
        ),
        Entry(
            "weights-sum",
            "Weights that sum to 1.00001.",
            ("MUST_FAIL",),
            {"loss": QUADRATIC, "weights": [0.2, 0.2, 0.2, 0.2, 0.20001], "count": 1},
            "InvalidInput",
        ),
    ),
    {"X": LINE, "kernel": gaussian(0.8)},
)

_FIELDS_LINE: Final[dict[str, object]] = {"X": LINE, "kernel": gaussian(0.8), "weights": uniform(5)}
_FIELDS_PLANE: Final[dict[str, object]] = {"X": PLANE, "kernel": student(0.8, 3), "weights": PLANE_WEIGHTS}

GROUPS: Final = (
    _counts("line", "Five points of a line", _FIELDS_LINE, "BASIC"),
    _counts("plane", "Eight points of a plane from unequal weights", _FIELDS_PLANE, "BASIC"),
    _TIES,
    _ABSOLUTE,
    _SPECIAL,
    _REFUSED,
)  # fmt: skip

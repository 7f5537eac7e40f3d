"""Cases of `influence`: Theorem 5 at given weights, on kinks from both sides, and where there is none."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory import stationary
from rkde.vectors.inventory.data import (
    ABSOLUTE,
    HIGH,
    LINE,
    OFFSET,
    ONE,
    PLANE,
    QUADRATIC,
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
from rkde.vectors.inventory.stationary import FixedPointWeights


def _at(label: str, what: str, point: FixedPointWeights, *places: tuple[str, list[float]]) -> Group:
    return Group(
        "influence",
        f"{what}.",
        tuple(
            Entry(f"{label}-{name}", f"{what}, x' {name.replace('-', ' ')}.", ("BASIC",), {"x_new": x_new})
            for name, x_new in places
        ),
        {**point.request(), "queries": [places[0][1], *point.X[:2]]},
    )


_BASIC: Final = (
    _at(
        "line-huber",
        "Huber's loss on five points of a line",
        stationary.LINE_HUBER,
        ("inside", [0.75]),
        ("far-off", [9.0]),
        ("at-a-row", [1.9]),
    ),
    _at(
        "line-hampel",
        "Hampel's loss, residuals on three of its pieces",
        stationary.LINE_HAMPEL,
        ("inside", [0.5]),
        ("on-the-ramp", [1.4]),
    ),
    _at(
        "plane-huber",
        "Huber's loss with every residual beyond a, Student kernel",
        stationary.PLANE_HUBER,
        ("inside", [0.25, 0.5]),
        ("between", [2.5, 2.0]),
    ),
    _at(
        "clusters-huber",
        "Huber's loss on two clusters, Laplacian kernel",
        stationary.CLUSTERS_HUBER,
        ("inside", [0.25, 0.5]),
        ("between", [1.5, 1.5]),
    ),
    _at("median", "The absolute loss off the rows", stationary.PLANE_MEDIAN, ("inside", [0.25, 0.5])),
)

_KDE: Final = Group(
    "influence",
    "The KDE, equations (10) and (11): alpha = -1/n, alpha' = 1.",
    (
        Entry("kde-gaussian", "Gaussian kernel.", ("BASIC",), {"kernel": gaussian(0.8)}),
        Entry("kde-laplacian", "Laplacian kernel.", ("BASIC",), {"kernel": laplacian(0.8)}),
        Entry(
            "kde-cauchy", "Student kernel, one degree of freedom.", ("BASIC",), {"kernel": student(0.8, 1)}
        ),
        Entry(
            "kde-student",
            "Student kernel, 2.5 of them.",
            ("BASIC", "MISPRINT"),
            {"kernel": student(0.8, 2.5)},
        ),
        Entry(
            "huber-never-active",
            "Huber's loss with every residual below a: the same.",
            ("EDGE",),
            {"kernel": gaussian(0.8), "loss": huber(1.5)},
        ),
    ),
    {
        "X": PLANE,
        "loss": QUADRATIC,
        "weights": uniform(8),
        "x_new": [2.0, 1.5],
        "queries": [[0.0, 0.0], [2.0, 1.5]],
    },
)

_NOTHING: Final = Group(
    "influence",
    "Where phi(r') = 0 nothing changes: every value is exactly 0.",
    (
        Entry("rejected", "x' beyond c.", ("EDGE",), {"x_new": [4.0]}),
        Entry(
            "rejected-far",
            "x' so far that every kernel value underflows.",
            ("EDGE", "UNDERFLOW"),
            {"x_new": [1e6]},
        ),
    ),
    {**stationary.LINE_HAMPEL.request(), "queries": [[0.0], [4.0]]},
)

_KINKS: Final = Group(
    "influence",
    "The largest residual of the KDE lies on Huber's kink: s from above and from below give two derivatives.",
    (
        Entry("kink-inside", "x' draws the estimate away from the row.", ("KINK", "EDGE"), {"x_new": [0.5]}),
        Entry("kink-near", "x' draws the estimate towards the row.", ("KINK", "EDGE"), {"x_new": [2.5]}),
        Entry("kink-at-the-row", "x' is the row itself.", ("KINK", "EDGE"), {"x_new": [3.0]}),
        Entry("kink-far", "x' is farther than the kink.", ("KINK", "EDGE"), {"x_new": [8.0]}),
    ),
    {
        "X": column(0.0, 1.0, 3.0),
        "kernel": gaussian(1),
        "loss": huber(0.8581170731009355),
        "weights": uniform(3),
        "queries": [[0.0], [2.5]],
    },
)

_SPECIAL: Final = Group(
    "influence",
    "Extreme data.",
    (
        Entry(
            "ties",
            "Equal rows have equal coefficients.",
            ("TIE",),
            {**stationary.TIES_HUBER.request(), "x_new": [2.5], "queries": [[0.0]]},
        ),
        Entry(
            "rejected-row",
            "A row of weight 0, far off, takes no part.",
            ("EDGE", "UNDERFLOW"),
            {**stationary.FAR_HAMPEL.request(), "x_new": [0.25, 0.5], "queries": [[30.0, -30.0], [0.0, 0.0]]},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {
                **stationary.EIGHTHS_HAMPEL.request(),
                "X": shifted(stationary.EIGHTHS_HAMPEL.X, OFFSET),
                "x_new": [OFFSET + 0.5, OFFSET],
                "queries": [[OFFSET, OFFSET]],
            },
        ),
        Entry(
            "eight-columns",
            "Nine points in eight dimensions, Laplacian kernel.",
            ("EDGE",),
            {**stationary.EIGHT_COLUMNS_HUBER.request(), "x_new": [0.5] * 8, "queries": []},
        ),
        Entry(
            "high",
            "A thousand columns.",
            ("EDGE",),
            {**stationary.HIGH_HUBER.request(), "x_new": [0.5] * 1000, "queries": [HIGH[0]]},
        ),
        Entry(
            "one-row",
            "One row: the estimate moves to x' with weight s.",
            ("DEGENERATE",),
            {
                "X": ONE,
                "kernel": gaussian(0.8),
                "loss": huber(2),
                "weights": [1],
                "x_new": [1.0, -1.0],
                "queries": [[1.5, -2.0]],
            },
        ),
        Entry(
            "no-queries",
            "No query: everything else is answered.",
            ("EDGE",),
            {**stationary.LINE_HUBER.request(), "x_new": [0.75], "queries": []},
        ),
    ),
)

_REFUSED: Final = Group(
    "influence",
    "Requests that must end in an error.",
    (
        Entry(
            "not-stationary",
            "Weights that one step moves.",
            ("MUST_FAIL",),
            {"weights": [0.3, 0.2, 0.2, 0.2, 0.1]},
            "InvalidInput",
        ),
        Entry(
            "two-points",
            "x' with one column too many.",
            ("MUST_FAIL",),
            {"x_new": [1.0, 2.0]},
            "InvalidInput",
        ),
        Entry("infinite-point", "An infinite x'.", ("MUST_FAIL",), {"x_new": ["inf"]}, "InvalidInput"),
        Entry(
            "weights-sum",
            "Weights that sum to 0.5.",
            ("MUST_FAIL",),
            {"weights": [0.1] * 5},
            "InvalidInput",
        ),
        Entry(
            "absolute-at-a-row",
            "The absolute loss where a residual is 0.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": TIES[:4], "loss": ABSOLUTE, "weights": [1 / 3, 1 / 3, 0, 1 / 3], "x_new": [5.0]},
            "NotDifferentiable",
        ),
        Entry(
            "singular",
            "Two rows, both beyond a: J is constant between them.",
            ("MUST_FAIL", "DEGENERATE"),
            {"X": TWO, "loss": huber(0.3), "weights": [0.5, 0.5], "x_new": [5.0]},
            "SingularSystem",
        ),
        Entry(
            "loss-unordered",
            "Thresholds out of order.",
            ("MUST_FAIL",),
            {"loss": hampel(1, 0.5, 2)},
            "InvalidInput",
        ),
    ),
    {
        "X": LINE,
        "kernel": gaussian(0.8),
        "loss": QUADRATIC,
        "weights": uniform(5),
        "x_new": [0.5],
        "queries": [],
    },
)

GROUPS: Final = (*_BASIC, _KDE, _NOTHING, _KINKS, _SPECIAL, _REFUSED)

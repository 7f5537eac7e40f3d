"""Cases of `vkde`: one bandwidth a point, from the pilot's densities at the points, and the log density."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    EIGHTHS,
    LINE,
    OFFSET,
    PLANE,
    SAME,
    TIES,
    gaussian,
    laplacian,
    lattice,
    shifted,
    student,
)
from rkde.vectors.inventory.model import Entry, Group

_KERNELS: Final[tuple[tuple[str, dict[str, object], tuple[str, ...]], ...]] = (
    ("gaussian", gaussian(0.8), ("BASIC",)),
    ("laplacian", laplacian(0.8), ("BASIC",)),
    ("student", student(0.8, 3), ("BASIC", "MISPRINT")),
)

_PLANE: Final = Group(
    "vkde",
    "Eight points of a plane: the paper's rule divides by the arithmetic mean of the pilot's densities.",
    (
        *(
            Entry(f"plane-{name}", f"{name} kernel.", flags, {"kernel": kernel})
            for name, kernel, flags in _KERNELS
        ),
        Entry(
            "plane-geometric",
            "Abramson's own rule: the geometric mean.",
            ("BASIC",),
            {"kernel": gaussian(0.8), "rule": "geometric"},
        ),
    ),
    {"X": PLANE, "queries": [[0.1, -0.3], [0.0, 0.5], [4.1, 3.3], [-30.0, 40.0]]},
)

_COLUMNS: Final = lattice(5, 300)
_SPECIAL: Final = Group(
    "vkde",
    "Ties, offsets, many columns.",
    (
        Entry(
            "ties",
            "Equal rows have equal bandwidths.",
            ("TIE",),
            {"X": TIES, "kernel": gaussian(0.8), "queries": [[0.0], [1.75], [9.0]]},
        ),
        Entry(
            "one-place",
            "Every row at one place: each bandwidth is the pilot's.",
            ("DEGENERATE", "TIE"),
            {"X": SAME, "kernel": student(0.8, 3), "queries": [[1.5, -2.0], [0.0, 0.0]]},
        ),
        Entry(
            "no-queries",
            "No query: the bandwidths alone.",
            ("EDGE",),
            {"X": LINE, "kernel": laplacian(0.8), "queries": []},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {"X": shifted(EIGHTHS, OFFSET), "kernel": gaussian(0.5), "queries": [[OFFSET, OFFSET]]},
        ),
        Entry(
            "high",
            "Three hundred columns: the pilot's densities underflow, their quotients by the mean do not.",
            ("UNDERFLOW",),
            {"X": _COLUMNS, "kernel": gaussian(6), "queries": [_COLUMNS[0]]},
        ),
    ),
)

_REFUSED: Final = Group(
    "vkde",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"queries": [[0.0]], **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("unknown-rule", "A rule that the protocol does not have.", {"rule": "harmonic"}),
            ("columns-differ", "A query with one column more than the data.", {"queries": [[0.0, 1.0]]}),
        )
    ),
    {"X": LINE, "kernel": gaussian(0.8)},
)

GROUPS: Final = (_PLANE, _SPECIAL, _REFUSED)

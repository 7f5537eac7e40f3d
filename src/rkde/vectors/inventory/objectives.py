"""Cases of `objective`: J, the mean loss of the residual norms."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    ABSOLUTE,
    EIGHTHS,
    FAR,
    HIGH,
    LINE,
    OFFSET,
    PLANE,
    PLANE_WEIGHTS,
    QUADRATIC,
    SAME,
    TIGHT,
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
    ("huber", huber(0.7)),
    ("hampel", hampel(0.6, 0.75, 0.95)),
)


def _each_loss(label: str, what: str, fields: dict[str, object], *flags: str) -> Group:
    return Group(
        "objective",
        f"{what}, every loss.",
        tuple(
            Entry(f"{label}-{name}", f"{what}, {name} loss.", flags, {"loss": loss}) for name, loss in _LOSSES
        ),
        fields,
    )


_SPECIAL: Final = Group(
    "objective",
    "Degenerate and extreme data.",
    (
        Entry(
            "hampel-all-rejected",
            "Every residual beyond c: J is the constant a (b + c - a) / 2.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "loss": hampel(0.01, 0.02, 0.04), "weights": uniform(5)},
        ),
        Entry(
            "far-row",
            "A row whose kernel values with all others are 0 in float64.",
            ("UNDERFLOW",),
            {"X": FAR, "kernel": laplacian(0.8), "loss": huber(0.7), "weights": uniform(4)},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {
                "X": shifted(EIGHTHS, OFFSET),
                "kernel": gaussian(0.8),
                "loss": hampel(0.6, 0.75, 0.95),
                "weights": uniform(6),
            },
        ),
        Entry(
            "tight",
            "Residuals of 1e-8: J is about 1e-17, with full relative accuracy.",
            ("CANCELLATION",),
            {"X": TIGHT[:4], "kernel": gaussian(1), "loss": huber(0.5), "weights": uniform(4)},
        ),
        Entry(
            "high",
            "A thousand columns.",
            ("EDGE",),
            {"X": HIGH, "kernel": student(300, 5), "loss": huber(0.5), "weights": uniform(4)},
        ),
        Entry(
            "huber-equals-quadratic",
            "A threshold above every residual: Huber's J is the quadratic one.",
            ("EDGE",),
            {"X": LINE, "kernel": gaussian(0.8), "loss": huber(2), "weights": uniform(5)},
        ),
    ),
)

_REFUSED: Final = Group(
    "objective",
    "Requests that must be refused.",
    (
        Entry(
            "weights-long",
            "Three weights for two rows.",
            ("MUST_FAIL",),
            {"weights": [0.25, 0.25, 0.5], "loss": QUADRATIC},
            "InvalidInput",
        ),
        Entry(
            "loss-invalid",
            "A threshold of 0.",
            ("MUST_FAIL",),
            {"weights": [0.5, 0.5], "loss": huber(0)},
            "InvalidInput",
        ),
    ),
    {"X": [[0.0], [1.0]], "kernel": gaussian(1)},
)

_FIELDS_LINE: Final[dict[str, object]] = {"X": LINE, "kernel": gaussian(0.8), "weights": uniform(5)}
_FIELDS_PLANE: Final[dict[str, object]] = {"X": PLANE, "kernel": student(0.8, 3), "weights": PLANE_WEIGHTS}
_FIELDS_SAME: Final[dict[str, object]] = {"X": SAME, "kernel": gaussian(1), "weights": uniform(3)}

GROUPS: Final = (
    _each_loss("line", "Five points of a line", _FIELDS_LINE, "BASIC"),
    _each_loss("plane", "Eight points of a plane", _FIELDS_PLANE, "BASIC"),
    _each_loss("one-place", "Every row at one place: J = 0", _FIELDS_SAME, "DEGENERATE", "TIE"),
    _SPECIAL,
    _REFUSED,
)  # fmt: skip

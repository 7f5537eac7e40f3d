"""Cases of `rkde`: the whole recipe as a sequence of limits, on small sets and on measured ones."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.data import (
    CLUSTERS,
    EIGHTHS,
    FORK_LINE,
    FORK_PLANE,
    FORK_SKEWED,
    HIGH,
    LINE,
    MAJORITY,
    OFFSET,
    ONE,
    PLANE,
    PLANE_WEIGHTS,
    SAME,
    SQUARE,
    TIES,
    TWO,
    measured,
    shifted,
)
from rkde.vectors.inventory.model import Entry, Group

_LOSSES: Final = ("quadratic", "absolute", "huber", "hampel")


def _each_loss(label: str, what: str, fields: dict[str, object], *flags: str) -> Group:
    return Group(
        "rkde",
        f"{what}, every loss.",
        tuple(Entry(f"{label}-{loss}", f"{what}, {loss} loss.", flags, {"loss": loss}) for loss in _LOSSES),
        fields,
    )


_OPTIONS: Final = Group(
    "rkde",
    "One option changed at a time.",
    (
        Entry("student", "A Student kernel.", ("RECIPE",), {"kernel": {"name": "student", "dof": 3}}),
        Entry("laplacian", "A Laplacian kernel.", ("RECIPE",), {"kernel": {"name": "laplacian"}}),
        Entry("scott", "Scott's bandwidth.", ("RECIPE",), {"bandwidth": "scott"}),
        Entry("silverman", "Silverman's bandwidth.", ("RECIPE",), {"bandwidth": "silverman"}),
        Entry("bandwidth-given", "A bandwidth that is given.", ("RECIPE",), {"bandwidth": 0.9}),
        Entry("hazen", "Another quantile rule.", ("RECIPE",), {"quantile_rule": "hazen"}),
        Entry("inverted-cdf", "A rule that picks residuals.", ("RECIPE",), {"quantile_rule": "inverted_cdf"}),
        Entry("quantiles", "Other levels.", ("RECIPE",), {"quantiles": [0.4, 0.6, 0.95]}),
        Entry("from-uniform", "The second stage from equal weights.", ("RECIPE",), {"start": "uniform"}),
    ),
    {"X": PLANE, "loss": "hampel"},
)

_TWO_STARTS: Final = Group(
    "rkde",
    "The limit from f_med, which is the default, is another one than from equal weights.",
    tuple(
        Entry(f"fork-{label}-{name}", f"{what}, {said}.", ("RECIPE",), {"X": data, "kernel": kernel, **start})
        for label, what, data, kernel in (
            ("line", "Six points of a line", FORK_LINE, {"name": "student", "dof": 3}),
            ("plane", "Six points of a plane", FORK_PLANE, {"name": "gaussian"}),
            ("skewed", "A skewed line", FORK_SKEWED, {"name": "laplacian"}),
        )
        for name, said, start in (
            ("median", "the start not stated", {}),
            ("uniform", "from equal weights", {"start": "uniform"}),
        )
    ),
    {"loss": "hampel"},
)

_SPECIAL: Final = Group(
    "rkde",
    "Extreme data.",
    (
        Entry("offset", "An offset of 1e8.", ("RECIPE", "CANCELLATION"), {"X": shifted(EIGHTHS, OFFSET)}),
        Entry("high", "A thousand columns.", ("RECIPE", "EDGE"), {"X": HIGH, "loss": "huber"}),
        Entry(
            "ties-distinct",
            "Rows in copies, with the rule that ignores ties.",
            ("RECIPE", "TIE"),
            {"X": TIES, "bandwidth": "median_nn_distinct", "loss": "huber"},
        ),
        Entry(
            "one-place",
            "Every row at one place, bandwidth given.",
            ("RECIPE", "DEGENERATE", "TIE"),
            {"X": SAME, "bandwidth": 0.5},
        ),
        Entry("one-row", "One row, bandwidth given.", ("RECIPE", "DEGENERATE"), {"X": ONE, "bandwidth": 0.5}),
        Entry("clusters", "Two clusters.", ("RECIPE",), {"X": CLUSTERS}),
    ),
    {"loss": "hampel"},
)

_SETOSA: Final = measured("iris", 0, 50)
_MEASURED: Final = Group(
    "rkde",
    "Measured data.",
    (
        Entry(
            "setosa-hampel",
            "Fifty irises, with ties, Hampel's loss.",
            ("RECIPE", "TIE"),
            {"X": _SETOSA, "loss": "hampel"},
        ),
        Entry(
            "setosa-huber", "Fifty irises, Huber's loss.", ("RECIPE", "TIE"), {"X": _SETOSA, "loss": "huber"}
        ),
        Entry("setosa-median", "Fifty irises, f_med.", ("RECIPE", "TIE"), {"X": _SETOSA, "loss": "absolute"}),
        Entry(
            "faithful-60",
            "Sixty eruptions of Old Faithful.",
            ("RECIPE",),
            {"X": measured("faithful", 0, 60), "loss": "hampel", "bandwidth": "silverman"},
        ),
        Entry(
            "iris",
            "All irises, three species.",
            ("RECIPE", "LARGE"),
            {"X": measured("iris"), "loss": "hampel"},
        ),
        Entry(
            "faithful",
            "All eruptions of Old Faithful.",
            ("RECIPE", "LARGE"),
            {"X": measured("faithful"), "loss": "hampel", "bandwidth": "scott"},
        ),
    ),
)

_REFUSED: Final = Group(
    "rkde",
    "Requests that must end in an error.",
    (
        Entry(
            "no-bandwidth-one-row",
            "One row has no neighbour.",
            ("MUST_FAIL", "DEGENERATE"),
            {"X": ONE},
            "DegenerateBandwidth",
        ),
        Entry(
            "no-bandwidth-one-place",
            "Every row at one place.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": SAME},
            "DegenerateBandwidth",
        ),
        Entry(
            "no-bandwidth-ties",
            "Five of seven rows have a tie.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": TIES},
            "DegenerateBandwidth",
        ),
        Entry(
            "two-rows",
            "Two rows: a = b = c.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": TWO},
            "DegenerateThresholds",
        ),
        Entry(
            "square",
            "Four corners: a = b = c.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": SQUARE},
            "DegenerateThresholds",
        ),
        Entry(
            "majority",
            "Most rows at one place: a = 0.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": MAJORITY, "bandwidth": 1},
            "DegenerateThresholds",
        ),
        Entry(
            "unknown-loss",
            "A loss that the protocol does not have.",
            ("MUST_FAIL",),
            {"X": LINE, "loss": "tukey"},
            "InvalidInput",
        ),
        Entry(
            "unknown-rule",
            "A bandwidth rule that the protocol does not have.",
            ("MUST_FAIL",),
            {"X": LINE, "bandwidth": "isj"},
            "InvalidInput",
        ),
        Entry(
            "bandwidth-negative",
            "A negative bandwidth.",
            ("MUST_FAIL",),
            {"X": LINE, "bandwidth": -1},
            "InvalidInput",
        ),
        Entry(
            "levels-unordered",
            "Levels that fall.",
            ("MUST_FAIL",),
            {"X": LINE, "quantiles": [0.8, 0.7, 0.9]},
            "InvalidInput",
        ),
        Entry(
            "start-sum",
            "A start that sums to 2.",
            ("MUST_FAIL",),
            {"X": PLANE, "start": [2 * weight for weight in PLANE_WEIGHTS]},
            "InvalidInput",
        ),
        Entry("no-rows", "No row at all.", ("MUST_FAIL",), {"X": []}, "InvalidInput"),
    ),
    {"loss": "hampel"},
)

GROUPS: Final = (
    _each_loss("line", "Five points of a line", {"X": LINE}, "RECIPE"),
    _each_loss("plane", "Eight points of a plane", {"X": PLANE}, "RECIPE"),
    _OPTIONS,
    _TWO_STARTS,
    _SPECIAL,
    _MEASURED,
    _REFUSED,
)

"""Cases of `bandwidth`: every rule, and the data that leave it at 0."""

from __future__ import annotations

from typing import Final, get_args

from rkde.vectors.inventory.data import (
    EIGHT_COLUMNS,
    EIGHTHS,
    OFFSET,
    ONE,
    PLANE,
    SAME,
    TIES,
    scaled,
    shifted,
)
from rkde.vectors.inventory.model import Entry, Group
from rkde.vocabulary import BandwidthRule

_RULES: Final[tuple[str, ...]] = get_args(BandwidthRule)


def _spelt(rule: str) -> str:
    return rule.replace("_", "-")


def _each_rule(label: str, what: str, data: list[list[float]], *flags: str) -> Group:
    return Group(
        "bandwidth",
        f"{what}, every rule.",
        tuple(
            Entry(f"{label}-{_spelt(rule)}", f"{what}, rule {rule}.", flags, {"rule": rule})
            for rule in _RULES
        ),
        {"X": data},
    )


_REFUSED: Final = Group(
    "bandwidth",
    "Data that have no bandwidth under the rule.",
    (
        *(
            Entry(
                f"one-place-{_spelt(rule)}",
                f"Every row at one place, rule {rule}.",
                ("MUST_FAIL", "DEGENERATE", "TIE"),
                {"X": SAME, "rule": rule},
                "DegenerateBandwidth",
            )
            for rule in _RULES
        ),
        Entry(
            "one-row",
            "A single row has no neighbour.",
            ("MUST_FAIL", "DEGENERATE"),
            {"X": ONE, "rule": "median_nn"},
            "DegenerateBandwidth",
        ),
        Entry(
            "ties-median-nn",
            "Five of seven rows have a tie: the median distance to the nearest other row is 0.",
            ("MUST_FAIL", "DEGENERATE", "TIE"),
            {"X": TIES, "rule": "median_nn"},
            "DegenerateBandwidth",
        ),
        Entry(
            "unknown-rule",
            "A rule that the protocol does not have.",
            ("MUST_FAIL",),
            {"X": PLANE, "rule": "sheather_jones"},
            "InvalidInput",
        ),
        Entry("no-rows", "No row at all.", ("MUST_FAIL",), {"X": [], "rule": "scott"}, "InvalidInput"),
    ),
)  # fmt: skip

_TIED: Final = Group(
    "bandwidth",
    "The rule that looks for the nearest row at positive distance is not hurt by ties.",
    (
        Entry(
            "ties-median-nn-distinct",
            "Seven rows at four places.",
            ("TIE",),
            {"X": TIES, "rule": "median_nn_distinct"},
        ),
        Entry("ties-scott", "Seven rows at four places.", ("TIE",), {"X": TIES, "rule": "scott"}),
    ),
)

GROUPS: Final = (
    _each_rule("plane", "Eight points of a plane", PLANE, "BASIC"),
    _each_rule("eight-columns", "Nine points in eight dimensions", EIGHT_COLUMNS, "BASIC"),
    _each_rule("offset", "An offset of 1e8", shifted(EIGHTHS, OFFSET), "CANCELLATION"),
    _each_rule("scale-large", "Coordinates of 2^600: squares overflow", scaled(EIGHTHS, 2.0**600), "EDGE"),
    _TIED,
    _REFUSED,
)

"""Cases of `thresholds`: quantiles of f_med's residual norms by every rule.

f_med is the limit of an iteration, defined by the data alone, so no stopping rule enters here either.
"""

from __future__ import annotations

from typing import Final, get_args

from rkde.vectors.inventory.data import (
    EIGHTHS,
    LINE,
    OFFSET,
    PLANE,
    SAME,
    TIES,
    TWO,
    gaussian,
    shifted,
    student,
)
from rkde.vectors.inventory.model import Entry, Group
from rkde.vocabulary import QuantileRule

_RULES: Final[tuple[str, ...]] = get_args(QuantileRule)
_PAPER: Final[list[float]] = [0.5, 0.75, 0.85]

_EACH_RULE: Final = Group(
    "thresholds",
    "The paper's levels by each of the quantile rules; the paper names none.",
    tuple(
        Entry(
            f"plane-{rule.replace('_', '-')}",
            f"Eight points, rule {rule}.",
            ("BASIC",),
            {"quantile_rule": rule},
        )
        for rule in _RULES
    ),
    {"X": PLANE, "kernel": gaussian(0.8), "quantiles": _PAPER},
)

_SPECIAL: Final = Group(
    "thresholds",
    "Other data and levels.",
    (
        Entry(
            "line",
            "Five points of a line: the median residual is one of them.",
            ("BASIC",),
            {"X": LINE, "kernel": student(0.8, 3), "quantiles": _PAPER},
        ),
        Entry(
            "ends",
            "The levels 0 and 1 are the smallest and the largest residual.",
            ("EDGE",),
            {"X": PLANE, "kernel": gaussian(0.8), "quantiles": [0, 0.5, 1]},
        ),
        Entry(
            "ties",
            "Rows in three, two, one and one copies.",
            ("TIE",),
            {"X": TIES, "kernel": gaussian(1.2), "quantiles": _PAPER},
        ),
        Entry(
            "two-rows",
            "Two rows: f_med is their mean, and the thresholds are equal.",
            ("DEGENERATE", "TIE"),
            {"X": TWO, "kernel": gaussian(0.8), "quantiles": _PAPER},
        ),
        Entry(
            "one-place",
            "Every row at one place: thresholds 0.",
            ("DEGENERATE", "TIE"),
            {"X": SAME, "kernel": gaussian(0.8), "quantiles": _PAPER},
        ),
        Entry(
            "offset",
            "An offset of 1e8.",
            ("CANCELLATION",),
            {"X": shifted(EIGHTHS, OFFSET), "kernel": gaussian(0.8), "quantiles": _PAPER},
        ),
    ),
    {"quantile_rule": "linear"},
)

_REFUSED: Final = Group(
    "thresholds",
    "Requests that must be refused.",
    tuple(
        Entry(
            id_,
            comment,
            ("MUST_FAIL",),
            {"quantiles": _PAPER, "quantile_rule": "linear", **fields},
            "InvalidInput",
        )
        for id_, comment, fields in (
            ("level-above-one", "A level above 1.", {"quantiles": [0.5, 0.75, 1.5]}),
            ("level-nan", "A level that is no number.", {"quantiles": [0.5, "nan", 0.85]}),
            ("unknown-rule", "A rule that the protocol does not have.", {"quantile_rule": "type7"}),
        )
    ),
    {"X": PLANE, "kernel": gaussian(0.8)},
)

GROUPS: Final = (_EACH_RULE, _SPECIAL, _REFUSED)

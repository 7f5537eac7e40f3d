"""Cases of `signed_rank` and `auc`, which count in integers."""

from __future__ import annotations

from typing import Final

from rkde.vectors.inventory.model import Entry, Group

# The fifteen data sets of section 6.1.1.
_N_SETS: Final = 15


def _with_rank_sum(total: int) -> list[int]:
    """Give the ranks 1 to 15 signs such that the positive ones sum to `total`: the largest first."""
    signed = []
    for rank in range(_N_SETS, 0, -1):
        positive = rank <= total
        total -= rank if positive else 0
        signed.append(rank if positive else -rank)
    return signed


_TABLES: Final = Group(
    "signed_rank",
    "Rank sums of the paper's tables, fifteen data sets.",
    tuple(
        Entry(
            f"table-{total}",
            f"R_1 = {total}, R_2 = {120 - total}.",
            ("BASIC",),
            {"differences": _with_rank_sum(total)},
        )
        for total in (120, 119, 104, 103, 95, 94, 90, 79, 67, 38)
    ),
)

_SIGNED_SPECIAL: Final = Group(
    "signed_rank",
    "Zeros, ties, infinities, few differences.",
    (
        Entry(
            "critical",
            "T = 25 is significant at 0.05, by 0.002.",
            ("BASIC",),
            {"differences": _with_rank_sum(25)},
        ),
        Entry("not-critical", "T = 26 is not.", ("BASIC",), {"differences": _with_rank_sum(26)}),
        Entry(
            "zeros",
            "Zeros have no rank and are counted.",
            ("EDGE",),
            {"differences": [0, 1.5, -0.0, -2.5, 3.5]},
        ),
        Entry(
            "all-zero",
            "Nothing but zeros: statistic 0, p = 1.",
            ("EDGE", "DEGENERATE"),
            {"differences": [0, 0, -0.0]},
        ),
        Entry("none", "No difference at all: the same.", ("EDGE", "DEGENERATE"), {"differences": []}),
        Entry("one", "One difference: p = 1.", ("EDGE",), {"differences": [-0.25]}),
        Entry(
            "ties",
            "Equal magnitudes share their mean rank, and the distribution is that of the mid-ranks.",
            ("TIE",),
            {"differences": [1, 1, -1, 2, 2, 3, -3, 3]},
        ),
        Entry(
            "all-tied",
            "Every magnitude equal: a sign test.",
            ("TIE",),
            {"differences": [0.1, 0.1, 0.1, 0.1, -0.1, 0.1]},
        ),
        Entry(
            "infinite",
            "Infinite differences rank highest and tie.",
            ("EDGE", "TIE"),
            {"differences": ["inf", 1e300, "-inf", -2, 7]},
        ),
        Entry("even", "R_1 = R_2: p is cut at 1.", ("EDGE",), {"differences": [1, 2, -3]}),
        Entry(
            "tiny",
            "Magnitudes down to 5e-324 are told apart.",
            ("EDGE",),
            {"differences": [5e-324, -1e-323, 1e-300, 2e-300]},
        ),
        Entry(
            "thirty",
            "Thirty differences: a p-value below 1e-8.",
            ("EDGE",),
            {"differences": [*range(4, 34), -1, -2]},
        ),
    ),
)

_SIGNED_REFUSED: Final = Group(
    "signed_rank",
    "Requests that must be refused.",
    (
        Entry(
            "nan",
            "A difference that is no number, as of two infinite performances.",
            ("MUST_FAIL",),
            {"differences": [1.0, "nan"]},
            "InvalidInput",
        ),
    ),
)

SIGNED_RANK_GROUPS: Final = (_TABLES, _SIGNED_SPECIAL, _SIGNED_REFUSED)

_AUC: Final = Group(
    "auc",
    "Scores with and without ties.",
    (
        Entry("plain", "No ties.", ("BASIC",), {"scores": [0.1, 0.4, 0.35, 0.8], "labels": [0, 0, 1, 1]}),
        Entry(
            "sevenths",
            "A share that is no decimal.",
            ("BASIC",),
            {"scores": [3, 1, 4, 1.5, 9, 2.5, 6, 5], "labels": [1, 0, 0, 0, 0, 0, 0, 0]},
        ),
        Entry(
            "perfect",
            "Every positive above every negative.",
            ("EDGE",),
            {"scores": [-2, -1, 1], "labels": [0, 0, 1]},
        ),
        Entry(
            "reversed",
            "Every positive below every negative: 0.",
            ("EDGE",),
            {"scores": [-2, -1, 1], "labels": [1, 1, 0]},
        ),
        Entry(
            "all-tied", "One score for all: 1/2.", ("TIE",), {"scores": [7, 7, 7, 7], "labels": [0, 1, 0, 0]}
        ),
        Entry(
            "ties", "Ties count half.", ("TIE",), {"scores": [1, 2, 2, 2, 3, 3], "labels": [0, 1, 0, 1, 0, 1]}
        ),
        Entry(
            "infinite",
            "Infinite scores tie with their like.",
            ("EDGE", "TIE"),
            {"scores": ["-inf", "inf", 0, "inf", "-inf"], "labels": [1, 1, 0, 0, 0]},
        ),
        Entry("two-rows", "One row of each class.", ("EDGE",), {"scores": [1e-320, 0], "labels": [1, 0]}),
        Entry(
            "log-densities",
            "Scores far below 0 that differ in the last digit.",
            ("EDGE",),
            {"scores": [-1544.3, -1544.3000000000002, -1544.3, -20], "labels": [1, 0, 1, 0]},
        ),
        Entry(
            "labels-as-decimals", "A label is a number.", ("EDGE",), {"scores": [1, 2], "labels": [0.0, 1.0]}
        ),
    ),
)

_AUC_REFUSED: Final = Group(
    "auc",
    "Requests that must be refused.",
    tuple(
        Entry(id_, comment, ("MUST_FAIL",), {"scores": [1, 2], "labels": [0, 1], **fields}, "InvalidInput")
        for id_, comment, fields in (
            ("no-negative", "No row of label 0.", {"labels": [1, 1]}),
            ("no-positive", "No row of label 1.", {"labels": [0, 0]}),
            ("other-label", "A label that is neither 0 nor 1.", {"labels": [-1, 1]}),
            ("lengths", "Fewer labels than scores.", {"labels": [1]}),
            ("nan-score", "A score that is no number.", {"scores": [1, "nan"]}),
            ("empty", "No row at all.", {"scores": [], "labels": []}),
        )
    ),
)

AUC_GROUPS: Final = (_AUC, _AUC_REFUSED)

"""Mistakes that show in influence, depth, ranks and detection."""

import math
from collections import Counter
from functools import partial
from operator import mul, neg
from typing import Final

from rkde.conformance.diagnosis.asking import log_peak
from rkde.conformance.diagnosis.model import Answer, Kind, Pattern, agrees, is_mapped
from rkde.conformance.diagnosis.values import mapped, numbers, table
from rkde.conformance.vectors import Case

_INFLUENCE: Final = frozenset({"influence"})
_INFLUENCES: Final = ("if_coef", "if_coef_new", "influence", "if_at_new")
_VALUES: Final = ("influence", "if_at_new")
_DEPTH: Final = frozenset({"depth"})
_RANKS: Final = frozenset({"signed_rank"})


def _factor_n(case: Case, answer: Answer) -> bool:
    n = len(table(case, "X")) or 1
    return any(agrees(case, answer, mapped(case, _INFLUENCES, partial(mul, factor))) for factor in (n, 1 / n))


def _of_the_density(case: Case, answer: Answer) -> bool:
    """Tell whether influence values are multiplied by k(x, x), which coefficients do not have."""
    peak = log_peak(case)
    if peak is None:
        return False
    return agrees(case, answer, mapped(case, _VALUES, partial(mul, math.exp(peak))))


def _divisor(case: Case, answer: Answer) -> bool:
    n = len(table(case, "X"))
    if n < 2:
        return False
    return any(
        agrees(case, answer, mapped(case, ("depth",), partial(_scale_distance, factor)))
        for factor in ((n - 1) / n, n / (n - 1))
    )


def _scale_distance(factor: float, depth: float) -> float:
    return 1 - factor * (1 - depth)


def _exchanged_sums(case: Case, answer: Answer) -> bool:
    if not {"rank_sum_1", "rank_sum_2"} <= case.expected.keys():
        return False
    one, two = case.expected["rank_sum_1"], case.expected["rank_sum_2"]
    return agrees(case, answer, {"rank_sum_1": two, "rank_sum_2": one})


def _larger(case: Case, answer: Answer) -> bool:
    sums = numbers([case.expected["rank_sum_1"], case.expected["rank_sum_2"]])
    return agrees(case, answer, {"statistic": max(sums)})


def _normal(case: Case, answer: Answer) -> bool:
    """Compare with the normal approximation, with or without the variance's ties and a correction of 1/2."""
    values = [abs(value) for value in numbers(case.request["differences"]) if value]
    statistic = numbers(case.expected["statistic"])[0]
    n = len(values)
    mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
    ties = sum(count**3 - count for count in Counter(values).values()) / 48
    return any(
        agrees(case, answer, {"p_value": math.erfc((mean - statistic - step) / math.sqrt(2 * spread))})
        for step in (0.0, 0.5)
        for spread in (variance, variance - ties)
        if spread > 0
    )


def _ties(case: Case, answer: Answer) -> bool:
    scores, labels = numbers(case.request["scores"]), numbers(case.request["labels"])
    ones = [score for score, label in zip(scores, labels, strict=True) if label]
    zeros = [score for score, label in zip(scores, labels, strict=True) if not label]
    pairs = len(ones) * len(zeros)
    higher = sum(one > zero for one in ones for zero in zeros)
    equal = sum(one == zero for one in ones for zero in zeros)
    return any(agrees(case, answer, {"auc": count / pairs}) for count in (higher, higher + equal))


_IF: Final = "Theorem 5; docs/errata.md, entry 12"
_TEST: Final = "section 6.1.3; docs/protocol.md"
PATTERNS: Final = (
    Pattern(
        "sign-of-influence", "the influence has the wrong sign", _IF, _INFLUENCE, is_mapped(_INFLUENCES, neg)
    ),
    Pattern("factor-n-of-influence", "the influence is off by n or 1/n", _IF, _INFLUENCE, _factor_n),
    Pattern(
        "influence-of-the-density",
        "off by k(x, x): influence values are in units of it, those of a density are not",
        "Theorem 5; docs/protocol.md",
        _INFLUENCE,
        _of_the_density,
        Kind.REPORTED,
    ),
    Pattern(
        "squared-l2-norm",
        "the square of the L2 norm",
        _IF,
        _INFLUENCE,
        is_mapped(("if_l2_norm",), lambda value: value**2),
        Kind.REPORTED,
    ),
    Pattern(
        "divisor-of-depth",
        "n and n - 1 are exchanged: a row itself is left out",
        "docs/protocol.md",
        _DEPTH,
        _divisor,
    ),
    Pattern(
        "outlyingness-for-depth",
        "1 minus the depth",
        "docs/protocol.md",
        _DEPTH,
        is_mapped(("depth",), lambda value: 1 - value),
        Kind.REPORTED,
    ),
    Pattern(
        "one-sided-p",
        "half the p-value: the test is two-sided",
        _TEST,
        _RANKS,
        is_mapped(("p_value",), lambda value: value / 2),
        Kind.REPORTED,
    ),
    Pattern(
        "normal-p",
        "the p-value of the normal approximation: the exact distribution is asked for",
        _TEST,
        _RANKS,
        _normal,
    ),
    Pattern(
        "rank-sums-exchanged", "the rank sums are exchanged", _TEST, _RANKS, _exchanged_sums, Kind.REPORTED
    ),
    Pattern(
        "larger-rank-sum",
        "the statistic is the larger rank sum: it must be the smaller",
        _TEST,
        _RANKS,
        _larger,
        Kind.REPORTED,
    ),
    Pattern(
        "reversed-scores",
        "1 minus the AUC: label 1 has the higher scores",
        "section 6.2.3; docs/protocol.md",
        frozenset({"auc"}),
        is_mapped(("auc",), lambda value: 1 - value),
        Kind.REPORTED,
    ),
    Pattern(
        "ties-of-scores",
        "equal scores of both labels count as 0 or 1: they must count as one half",
        "section 6.2.3; docs/protocol.md",
        frozenset({"auc"}),
        _ties,
    ),
)

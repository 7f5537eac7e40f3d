"""Mistakes that show in influence, depth, ranks and detection."""

from __future__ import annotations

from functools import partial
from operator import mul
from typing import Final

from rkde.conformance.diagnosis.model import Answer, Pattern, agrees
from rkde.conformance.diagnosis.values import mapped, table
from rkde.conformance.vectors import Case

_INFLUENCE: Final = frozenset({"influence"})
_INFLUENCES: Final = ("if_coef", "if_coef_new", "influence", "if_at_new")
_DEPTH: Final = frozenset({"depth"})
_RANKS: Final = frozenset({"signed_rank"})


def _sign(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, _INFLUENCES, lambda value: -value))


def _factor_n(case: Case, answer: Answer) -> bool:
    n = len(table(case, "X")) or 1
    return any(agrees(case, answer, mapped(case, _INFLUENCES, partial(mul, factor))) for factor in (n, 1 / n))


def _squared_norm(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, ("if_l2_norm",), lambda value: value**2))


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


def _outlyingness(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, ("depth",), lambda value: 1 - value))


def _one_sided(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, ("p_value",), lambda value: value / 2))


def _exchanged_sums(case: Case, answer: Answer) -> bool:
    if not {"rank_sum_1", "rank_sum_2"} <= case.expected.keys():
        return False
    one, two = case.expected["rank_sum_1"], case.expected["rank_sum_2"]
    return agrees(case, answer, {"rank_sum_1": two, "rank_sum_2": one})


def _reversed(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, ("auc",), lambda value: 1 - value))


PATTERNS: Final = (
    Pattern("sign-of-influence", "the influence has the wrong sign", _INFLUENCE, _sign),
    Pattern("factor-n-of-influence", "the influence is off by n or 1/n", _INFLUENCE, _factor_n),
    Pattern("squared-l2-norm", "the square of the L2 norm", _INFLUENCE, _squared_norm),
    Pattern("divisor-of-depth", "n and n - 1 are exchanged: a row itself is left out", _DEPTH, _divisor),
    Pattern("outlyingness-for-depth", "1 minus the depth", _DEPTH, _outlyingness),
    Pattern("one-sided-p", "half the p-value: it is two-sided", _RANKS, _one_sided),
    Pattern("rank-sums-exchanged", "the rank sums are exchanged", _RANKS, _exchanged_sums),
    Pattern(
        "reversed-scores", "1 minus the AUC: label 1 has the higher scores", frozenset({"auc"}), _reversed
    ),
)  # fmt: skip

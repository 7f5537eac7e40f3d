"""Detection by a score: the ROC curve and the area under it (section 6.2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput
from rkde.reference.numbers import (
    MINUS_INFINITY,
    PLUS_INFINITY,
    Extended,
    Number,
    Row,
    doubled_ranks,
    extended_numbers,
    guarded,
    rounded,
)

_NEGATIVE: Final[Extended] = (0, Fraction(0))
_POSITIVE: Final[Extended] = (0, Fraction(1))


@dataclass(frozen=True, slots=True)
class RocCurve:
    """A receiver operating characteristic (section 6.2.3), from the strictest detector to the laxest.

    Attributes
    ----------
    thresholds : tuple of mpf, shape (k + 1,)
        Infinity, where nothing is called positive, then the k distinct scores, falling: a score at or above
        the threshold is called positive.
    false_positive_rate : tuple of mpf, shape (k + 1,)
        Share of the labels 0 that are called positive; rises from 0 to 1.
    true_positive_rate : tuple of mpf, shape (k + 1,)
        Share of the labels 1 that are called positive; rises from 0 to 1.

    Examples
    --------
    >>> from rkde.reference import make_context, roc_curve
    >>> curve = roc_curve(make_context(20), [3, 1, 2], [1, 0, 0])
    >>> print(*curve.false_positive_rate)
    0.0 0.0 0.5 1.0
    """

    thresholds: Row
    false_positive_rate: Row
    true_positive_rate: Row


@guarded
def roc_curve(ctx: MPContext, scores: Sequence[Number], labels: Sequence[Number]) -> RocCurve:
    """Return the rates of all detectors that call a row positive at or above a threshold on its score.

    Parameters
    ----------
    ctx : mpmath.MPContext
    scores : sequence of numbers, shape (m,)
        Higher means more positive; infinities allowed.
    labels : sequence of 0 and 1, shape (m,)
        Both must occur.

    Returns
    -------
    RocCurve
        Its area, by the trapezoidal rule, is `auc`.

    Raises
    ------
    InvalidType
        If an argument is not a sequence of numbers.
    InvalidInput
        If a score is NaN, a label is neither 0 nor 1, one class is missing, or the lengths differ.

    References
    ----------
    Section 6.2.3.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> curve = roc_curve(make_context(20), [3, 1, 2, 2], [1, 0, 0, 1])
    >>> print(*curve.thresholds, *curve.true_positive_rate)
    +inf 3.0 2.0 1.0 0.0 0.5 1.0 1.0
    """
    ranked, positive = _read(scores, labels)
    n_positive = sum(positive)
    thresholds, false_rates, true_rates = [ctx.inf], [ctx.mpf(0)], [ctx.mpf(0)]
    for threshold in sorted(set(ranked), reverse=True):
        called = [
            is_positive for score, is_positive in zip(ranked, positive, strict=True) if score >= threshold
        ]
        thresholds.append(_number(ctx, threshold))
        true_rates.append(ctx.mpf(sum(called)) / n_positive)
        false_rates.append(ctx.mpf(len(called) - sum(called)) / (len(positive) - n_positive))
    return RocCurve(tuple(thresholds), tuple(false_rates), tuple(true_rates))


@guarded
def auc(ctx: MPContext, scores: Sequence[Number], labels: Sequence[Number]) -> mpf:
    """Return the chance that a row of label 1 scores higher than one of label 0, ties counted half.

    Parameters
    ----------
    ctx : mpmath.MPContext
    scores : sequence of numbers, shape (m,)
        Higher means more positive; infinities allowed, equal ones tie.
    labels : sequence of 0 and 1, shape (m,)
        Both must occur.

    Returns
    -------
    mpf
        Between 0 and 1; 1/2 where the scores tell nothing.

    Raises
    ------
    InvalidType, InvalidInput
        As for `roc_curve`.

    Notes
    -----
    With mid-ranks, 2 n_1 n_0 auc is twice the rank sum of the positives less n_1 (n_1 + 1): an integer.

    References
    ----------
    Section 6.2.3.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> print(auc(make_context(20), [3, 1, 2, 2], [1, 0, 0, 1]))
    0.875
    """
    ranked, positive = _read(scores, labels)
    n_positive = sum(positive)
    rank_sum = sum(
        rank for rank, is_positive in zip(doubled_ranks(ranked), positive, strict=True) if is_positive
    )
    wins = rank_sum - n_positive * (n_positive + 1)
    return ctx.mpf(wins) / (2 * n_positive * (len(positive) - n_positive))


def _read(scores: Sequence[Number], labels: Sequence[Number]) -> tuple[list[Extended], list[bool]]:
    ranked = extended_numbers(scores, "scores")
    classes = extended_numbers(labels, "labels")
    if len(ranked) != len(classes):
        raise InvalidInput(
            f"must have as many entries as there are scores ({len(ranked)})",
            where="labels",
            value=len(classes),
            remedy="pass one label for each score",
        )
    for index, label in enumerate(classes):
        if label not in (_NEGATIVE, _POSITIVE):
            raise InvalidInput(
                "must be 0 or 1",
                where=f"labels, row {index}",
                value=labels[index],
                remedy="pass 0 for an ordinary row and 1 for an outlier",
            )
    for label, name in ((_NEGATIVE, 0), (_POSITIVE, 1)):
        if label not in classes:
            raise InvalidInput(
                f"must contain both 0 and 1, got no {name}",
                where="labels",
                remedy="pass scores and labels of rows of both classes",
            )
    return ranked, [label == _POSITIVE for label in classes]


def _number(ctx: MPContext, value: Extended) -> mpf:
    if value in (PLUS_INFINITY, MINUS_INFINITY):
        return value[0] * ctx.inf
    return ctx.mpf(value[1].numerator) / value[1].denominator


@rounded.register(RocCurve)
def _rounded_curve(curve: RocCurve, ctx: MPContext) -> RocCurve:
    return replace(
        curve,
        thresholds=tuple(ctx.mpf(value) for value in curve.thresholds),
        false_positive_rate=tuple(ctx.mpf(value) for value in curve.false_positive_rate),
        true_positive_rate=tuple(ctx.mpf(value) for value in curve.true_positive_rate),
    )

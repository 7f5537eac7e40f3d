"""The area under the ROC curve against counting pairs and against the curve's own area."""

from fractions import Fraction
from typing import Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde import fast, reference
from rkde.errors import InvalidInput
from tests.support.implementations import Implementation

INF: Final = float("inf")
LABELS: Final = (0, 1)

rows = st.lists(
    st.tuples(st.sampled_from([-INF, -2.0, 0.0, 0.5, 0.5, 3.0, INF]), st.sampled_from(LABELS)),
    min_size=2,
    max_size=8,
).filter(lambda pairs: len({label for _, label in pairs}) == len(LABELS))


def split(pairs: list[tuple[float, int]]) -> tuple[list[float], list[int]]:
    return [score for score, _ in pairs], [label for _, label in pairs]


def counted(pairs: list[tuple[float, int]]) -> Fraction:
    """Count the pairs of a positive and a negative row in which the positive scores higher; ties half."""
    wins = [
        Fraction((high > low) + (high >= low), 2)
        for high, positive in pairs
        if positive
        for low, other in pairs
        if not other
    ]
    return sum(wins, Fraction(0)) / len(wins)


@given(pairs=rows)
def test_it_is_the_share_of_pairs_in_the_right_order(
    implementation: Implementation, pairs: list[tuple[float, int]]
) -> None:
    found = implementation.call("auc", *split(pairs))
    # The quotient of two small integers is rounded once.
    share = counted(pairs)
    assert found == implementation.number(share.numerator) / share.denominator


@given(pairs=rows)
def test_the_area_under_the_curve(implementation: Implementation, pairs: list[tuple[float, int]]) -> None:
    curve = implementation.call("roc_curve", *split(pairs))
    false_rate = [Fraction(float(rate)).limit_denominator(100) for rate in curve.false_positive_rate]
    true_rate = [Fraction(float(rate)).limit_denominator(100) for rate in curve.true_positive_rate]
    area = sum(
        (false_rate[i + 1] - false_rate[i]) * (true_rate[i + 1] + true_rate[i]) / 2
        for i in range(len(false_rate) - 1)
    )
    assert area == counted(pairs)
    assert (false_rate[0], true_rate[0], false_rate[-1], true_rate[-1]) == (0, 0, 1, 1)


@given(pairs=rows)
def test_each_threshold_has_its_rates(implementation: Implementation, pairs: list[tuple[float, int]]) -> None:
    curve = implementation.call("roc_curve", *split(pairs))
    thresholds = [float(value) for value in curve.thresholds]
    assert thresholds[0] == INF
    assert thresholds[1:] == sorted({score for score, _ in pairs}, reverse=True)
    for side, rates in enumerate((curve.false_positive_rate, curve.true_positive_rate)):
        scores = [score for score, label in pairs if label == side]
        for threshold, rate in zip(thresholds[1:], list(rates)[1:], strict=True):
            called = sum(score >= threshold for score in scores)
            assert rate == implementation.number(called) / len(scores)


@given(pairs=rows)
def test_symmetries(implementation: Implementation, pairs: list[tuple[float, int]]) -> None:
    scores, labels = split(pairs)
    found = implementation.call("auc", scores, labels)
    assert implementation.call("auc", scores[::-1], labels[::-1]) == found
    assert implementation.call("auc", [4 * score + 1 for score in scores], labels) == found
    swapped = implementation.call("auc", [-score for score in scores], [1 - label for label in labels])
    assert swapped == found


def test_scores_that_tell_nothing_and_all(implementation: Implementation) -> None:
    assert implementation.call("auc", [1.0, 1.0, 1.0], [0, 1, 1]) == 1 / 2
    assert implementation.call("auc", [-INF, 1.0, INF], [0, 1, 1]) == 1
    assert implementation.call("auc", [INF, 1.0], [0, 1]) == 0


def test_the_curve_of_the_reference_has_the_precision_of_its_context() -> None:
    ctx = reference.make_context(20)
    curve = reference.roc_curve(ctx, ["0.1", "0.2", "0.3", "0.4"], [0, 1, 0, 0])
    assert curve.false_positive_rate[1:3] == (+ctx.mpf(1) / 3, +ctx.mpf(2) / 3)
    assert [value for value in curve.thresholds if not ctx.isinf(value)] == [
        ctx.mpf(score) for score in ("0.4", "0.3", "0.2", "0.1")
    ]


@pytest.mark.parametrize(("label", "missing"), [(1, 0), (0, 1)])
def test_the_label_that_is_missing_is_named(implementation: Implementation, label: int, missing: int) -> None:
    with pytest.raises(InvalidInput, match=f"got no {missing};"):
        implementation.call("auc", [1.0, 2.0], [label, label])


def test_a_mask_is_a_list_of_labels() -> None:
    scores, mask = [3.0, 1.0, 2.0, 2.0], np.array([True, False, False, True])
    numbers = mask.astype(int)
    assert fast.auc(scores, mask) == fast.auc(scores, numbers)
    curves = fast.roc_curve(scores, mask), fast.roc_curve(scores, numbers)
    assert (curves[0].true_positive_rate == curves[1].true_positive_rate).all()
    with pytest.raises(InvalidInput):
        fast.auc(scores, mask.tolist())

"""Bandwidth rules on named and on adversarial data."""

import pytest
from hypothesis import given

from rkde.errors import DegenerateBandwidth
from rkde.proofs_checks import strategies, tolerances
from tests.support.compare import assert_relative
from tests.support.datasets import SMALL, NamedData
from tests.support.implementations import REFERENCE, Implementation

RULES = ("median_nn", "median_nn_distinct", "scott", "silverman")
each_rule = pytest.mark.parametrize("rule", RULES)


@each_rule
@pytest.mark.parametrize("data", SMALL, ids=repr)
def test_rule(candidate: Implementation, rule: str, data: NamedData) -> None:
    _assert_same_outcome(candidate, rule, data.X)


@each_rule
@given(problem=strategies.problems())
def test_rule_on_adversarial_data(candidate: Implementation, rule: str, problem: strategies.Problem) -> None:
    _assert_same_outcome(candidate, rule, problem.X)


def _assert_same_outcome(candidate: Implementation, rule: str, X: list[list[float]]) -> None:
    """The same value, or the same refusal."""
    bound = tolerances.bandwidth_bound(len(X[0]), len(X))
    try:
        expected = REFERENCE.call(rule, X)
    except DegenerateBandwidth:
        with pytest.raises(DegenerateBandwidth):
            candidate.call(rule, X)
        return
    assert_relative(candidate.call(rule, X), expected, bound, rule)


@each_rule
def test_rules_by_name(implementation: Implementation, rule: str) -> None:
    X = [[0.0], [1.0], [3.0], [7.0], [7.5]]
    assert implementation.call("bandwidth", X, rule) == implementation.call(rule, X)


def test_known_values(implementation: Implementation) -> None:
    # Nearest other rows of 0, 0, 1, 3, 7 are at 0, 0, 1, 2, 4; nearest at a positive distance 1, 1, 1, 2, 4.
    X = [[0], [0], [1], [3], [7]]
    assert implementation.call("median_nn", X) == 1
    assert implementation.call("median_nn_distinct", X) == 1
    # Even n: the mean of the middle two of 1, 1, 3, 6.
    assert implementation.call("median_nn", [[0], [1], [4], [10]]) == 2

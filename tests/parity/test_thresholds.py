"""Quantiles by all thirteen rules: against the reference, and both against numpy.quantile."""

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import tolerances
from rkde.vocabulary import QuantileRule
from tests.support.compare import assert_within
from tests.support.implementations import REFERENCE, Implementation

RULES = get_args(QuantileRule)
# Binary fractions, which every implementation and numpy read as the same numbers, and the ends.
LEVELS = ((0.5, 0.75, 0.875), (0.0, 0.5, 1.0), (0.125, 0.25, 0.9375))
SAMPLES = {
    "one": [0.5],
    "two": [0.25, 0.75],
    "ties": [0.5, 0.25, 0.5, 0.5, 0.75, 0.25, 0.5],
    "powers": [1.0, 2.0, 4.0, 8.0, 16.0],
    "unsorted": [0.9, 0.1, 0.7, 0.3, 0.5, 0.2, 0.8, 0.4],
    "zeros": [0.0, 0.0, 0.0, 1.0],
    "twenty": [((7 * index) % 20) / 16 for index in range(20)],
}

each_rule = pytest.mark.parametrize("rule", RULES)
each_levels = pytest.mark.parametrize("levels", LEVELS, ids=str)
each_sample = pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
norms = st.lists(st.floats(min_value=0, max_value=1.5, allow_subnormal=False), min_size=1, max_size=25)


def _thresholds(implementation: Implementation, sample: list[float], levels: object, rule: str) -> Any:
    return implementation.call("thresholds", sample, quantiles=levels, quantile_rule=rule)


@each_rule
@each_levels
@each_sample
def test_against_numpy(
    implementation: Implementation, rule: str, levels: tuple[float, ...], sample: list[float]
) -> None:
    quantile: Any = np.quantile
    expected = quantile(sample, levels, method=rule).tolist()
    bound = tolerances.quantile_bound(max(sample), 0.0)
    assert_within(_thresholds(implementation, sample, levels, rule), expected, bound, rule)


@each_rule
@pytest.mark.parametrize("counts", [[1, 2, 3, 1, 1, 4, 1, 2], [5, 0, 1, 1, 1, 0, 2, 6]], ids=str)
def test_a_count_is_so_many_copies(implementation: Implementation, rule: str, counts: list[int]) -> None:
    sample = SAMPLES["unsorted"]
    for levels in ((0.125, 0.5, 0.8125), (0.0, 0.75, 1.0)):
        expected = np.quantile(np.repeat(sample, counts), levels, method=rule)  # type: ignore[call-overload]
        options: Any = {"quantiles": levels, "quantile_rule": rule, "sample_weight": counts}
        found = implementation.call("thresholds", sample, **options)
        assert_within(found, expected.tolist(), tolerances.quantile_bound(max(sample), 0.0), rule)


@each_rule
@given(sample=norms)
def test_against_the_reference(candidate: Implementation, rule: str, sample: list[float]) -> None:
    for levels in LEVELS:
        expected = _thresholds(REFERENCE, sample, levels, rule)
        bound = tolerances.quantile_bound(max(sample), 0.0)
        assert_within(_thresholds(candidate, sample, levels, rule), expected, bound, rule)


def test_positions_before_the_first_number_are_its_own(implementation: Implementation) -> None:
    """Also where relative weights are below 1: the first one is the mean over the first unit of mass."""
    sample, weights = [1.0, 2.0, 4.0, 8.0], [0.1, 0.1, 0.9, 0.9]
    first, second = (
        implementation.call(
            "thresholds", sample, quantiles=(0.0, 0.5, 1.0), quantile_rule=rule, sample_weight=weights
        )
        for rule in ("linear", "hazen")
    )
    bound = tolerances.quantile_bound(max(sample), 0.0)
    assert_within([first[0], first[-1]], [second[0], second[-1]], bound, "ends")
    assert first[0] > 2.0


def test_a_fraction_that_is_reached_exactly_needs_no_more(implementation: Implementation) -> None:
    options: Any = {"quantiles": (0.25, 0.5, 0.75), "quantile_rule": "inverted_cdf"}
    found = implementation.call("thresholds", [1.0, 2.0, 3.0, 4.0], sample_weight=[0.5] * 4, **options)
    assert list(found) == [1, 2, 3]

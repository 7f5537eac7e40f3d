"""Bandwidth rules and quantiles over balls."""

from fractions import Fraction

import numpy as np
import pytest

from rkde.errors import DegenerateBandwidth, InvalidInput
from rkde.proofs_checks.tolerances import quantile_bound, sum_bound
from rkde.reference import make_context
from rkde.reference.bandwidth import BANDWIDTH_RULES
from rkde.vocabulary import QuantileRule
from tests.certify.holding import BITS, REFERENCE_DIGITS, holds, scattered, with_duplicates
from tests.support.balls import certify, flint

CTX = make_context(REFERENCE_DIGITS)
LEVELS = [Fraction(text) for text in ("0", "0.1", "0.25", "0.5", "0.75", "0.8", "0.85", "0.95", "1")]


@pytest.mark.parametrize("rule", sorted(BANDWIDTH_RULES))
@pytest.mark.parametrize("n_samples", [5, 6])
@pytest.mark.parametrize("dim", [1, 3])
def test_bandwidths_hold_the_reference(rule, n_samples, dim) -> None:
    for X in (scattered(n_samples, dim), with_duplicates(n_samples, dim)):
        assert holds(certify.enclose_bandwidth(X, rule, bits=BITS), BANDWIDTH_RULES[rule](CTX, X))


@pytest.mark.parametrize(
    ("X", "rule", "message"),
    [
        ([[1]], "median_nn", "n_samples = 1"),
        ([[1], [1], [1]], "median_nn_distinct", "all 3 rows"),
        ([[0], [0], [1], [1], [2]], "median_nn", "4 of 5 rows"),
    ],
)
def test_degenerate_bandwidths(X, rule, message) -> None:
    with pytest.raises(DegenerateBandwidth, match=message):
        certify.enclose_bandwidth(X, rule, bits=BITS)


def test_unknown_bandwidth_rules() -> None:
    with pytest.raises(InvalidInput, match="nearest"):
        certify.enclose_bandwidth([[0], [1]], "nearest", bits=BITS)


@pytest.mark.parametrize("rule", QuantileRule.__args__)
@pytest.mark.parametrize("n_samples", [1, 2, 5, 7, 8, 20])
def test_quantiles_are_those_of_numpy(rule, n_samples) -> None:
    values = np.array(scattered(n_samples, 1, seed=3))[:, 0]
    balls = [flint.arb(float(value)) for value in values]
    for level in LEVELS:
        expected = np.quantile(values, float(level), method=rule)
        enclosed = certify.quantiles.enclose_quantile(balls, level, rule)
        slack = quantile_bound(float(np.abs(values).max()), sum_bound(n_samples))
        assert enclosed.overlaps(flint.arb(float(expected), slack)), level


def test_order_statistics_of_overlapping_balls() -> None:
    balls = [flint.arb(1, 2), flint.arb(2, 0.25), flint.arb(0)]
    ranked = [certify.quantiles.order_statistic(balls, rank) for rank in range(3)]
    # The wide ball may be first, in the middle or last.
    for value in (-1, 0):
        assert ranked[0].contains(value)
    for value in (0, 1.75):
        assert ranked[1].contains(value)
    for value in (2, 3):
        assert ranked[2].contains(value)


@pytest.mark.parametrize(
    ("level", "rule"), [(Fraction(-1), "linear"), (Fraction(2), "linear"), (Fraction(0), "mode")]
)
def test_quantiles_that_are_refused(level, rule) -> None:
    with pytest.raises(InvalidInput):
        certify.quantiles.enclose_quantile([flint.arb(1)], level, rule)

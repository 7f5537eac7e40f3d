"""The signed-rank test against enumeration of all signs, its limits in float64, and its invariances."""

import itertools
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import examples
from tests.support.compare import assert_relative
from tests.support.implementations import FAST, REFERENCE, Implementation, exact

EXACT_RANKS: Final = 53
INF: Final = float("inf")

small_differences = st.lists(st.sampled_from([0.0, 0.5, 1.0, 1.0, 2.0, 3.5, INF]).flatmap(
    lambda size: st.sampled_from([size, -size])
), max_size=9)  # fmt: skip


def mid_ranks(sizes: list[float]) -> list[Fraction]:
    """Count, for each entry, the smaller ones and half of the equal ones, itself included, and a half."""
    return [
        sum(other < size for other in sizes) + Fraction(sum(other == size for other in sizes) + 1, 2)
        for size in sizes
    ]


def enumerated(differences: list[float]) -> tuple[Fraction, Fraction, Fraction, int, Fraction]:
    """Carry the test out by its definition: all 2^m sign patterns of the ranks."""
    kept = [value for value in differences if value]
    ranks = mid_ranks([abs(value) for value in kept])
    above = sum((rank for rank, value in zip(ranks, kept, strict=True) if value > 0), Fraction(0))
    below = sum(ranks, Fraction(0)) - above
    statistic = min(above, below)
    sums = [
        sum(itertools.compress(ranks, pattern), Fraction(0))
        for pattern in itertools.product((False, True), repeat=len(ranks))
    ]
    share = Fraction(2 * sum(value <= statistic for value in sums), len(sums))
    return above, below, statistic, len(differences) - len(kept), min(Fraction(1), share)


def fields(test: object) -> list[object]:
    return [getattr(test, name) for name in ("rank_sum_1", "rank_sum_2", "statistic", "zeros", "p_value")]


@given(differences=small_differences)
def test_it_is_the_enumeration_of_all_signs(implementation: Implementation, differences: list[float]) -> None:
    found = fields(implementation.call("signed_rank", differences))
    # Sums of at most nine ranks and of shares of 2^9 patterns are dyadic: both implementations hold them.
    assert [exact(value) for value in found] == [
        exact(value.numerator) / value.denominator for value in map(Fraction, enumerated(differences))
    ]


@given(differences=small_differences, order=st.randoms(use_true_random=False))
def test_order_scale_and_sign(implementation: Implementation, differences: list[float], order) -> None:
    test = implementation.call("signed_rank", differences)
    shuffled = list(differences)
    order.shuffle(shuffled)
    assert implementation.call("signed_rank", shuffled) == test
    assert implementation.call("signed_rank", [4 * value for value in differences]) == test
    turned = implementation.call("signed_rank", [-value for value in differences])
    assert (turned.rank_sum_1, turned.rank_sum_2) == (test.rank_sum_2, test.rank_sum_1)
    assert fields(turned)[2:] == fields(test)[2:]


def test_nothing_but_zeros_tells_nothing(implementation: Implementation) -> None:
    for differences, zeros in (([0.0, -0.0], 2), ([], 0)):
        assert fields(implementation.call("signed_rank", differences)) == [0, 0, 0, zeros, 1]


@given(signs=st.lists(st.booleans(), min_size=40, max_size=EXACT_RANKS))
@examples(0.25)
def test_fast_is_exact_up_to_its_limit(signs: list[bool]) -> None:
    differences = [float(i + 1 if sign else -i - 1) for i, sign in enumerate(signs)]
    wanted = REFERENCE.call("signed_rank", differences)
    assert fields(FAST.call("signed_rank", differences)) == [float(value) for value in fields(wanted)]


@pytest.mark.parametrize("count", [60, 90])
def test_fast_beyond_its_limit(count: int) -> None:
    differences = [float((i + 1) * (-1 if i % 3 else 1)) for i in range(count)]
    wanted, found = REFERENCE.call("signed_rank", differences), FAST.call("signed_rank", differences)
    assert_relative(found.p_value, wanted.p_value, tolerances.sum_bound(count + found.statistic * 2), "p")

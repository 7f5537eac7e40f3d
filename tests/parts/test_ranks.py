"""The signed-rank test against enumeration of all signs, against the paper's tables, and its invariances."""

import itertools
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.errors import InvalidInput, InvalidType
from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import examples
from tests.support.compare import assert_relative
from tests.support.implementations import FAST, REFERENCE, Implementation, exact

# Tables 1, 2, 3, cell by cell: R_1, R_2, the printed p-value.
TABLES: Final = {
    "rank_if": "120 0 0.00, 120 0 0.00",
    "rank_kld": """26 94 0.06, 67 53 0.72, 78 42 0.33, 83 37 0.21, 94 26 0.06, 101 19 0.02, 103 17 0.01,
        104 16 0.01, 117 3 0.00, 117 3 0.00, 117 3 0.00, 117 3 0.00, 119 1 0.00, 119 1 0.00,
        0 120 0.00, 0 120 0.00, 0 120 0.00, 0 120 0.00, 0 120 0.00, 0 120 0.00, 0 120 0.00""",
    "rank_auc": """26 94 0.06, 46 74 0.45, 67 53 0.72, 90 30 0.09, 95 25 0.05, 96 24 0.04, 99 21 0.03,
        33 87 0.14, 49 71 0.56, 58 62 0.93, 75 45 0.42, 80 40 0.28, 90 30 0.09, 86 34 0.15,
        38 82 0.23, 70 50 0.60, 79 41 0.30, 91 29 0.08, 95 25 0.05, 96 24 0.04, 99 21 0.03""",
}
CELLS: Final = [
    (f"{table}-{index}", *cell.split())
    for table, text in TABLES.items()
    for index, cell in enumerate(text.split(","))
]
N_SETS: Final = 15
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


def differences_with(rank_sum: int) -> list[float]:
    """Give the fifteen ranks signs such that the positive ones sum to `rank_sum`: the largest first."""
    signs = []
    for rank in range(N_SETS, 0, -1):
        positive = rank <= rank_sum
        rank_sum -= rank if positive else 0
        signs.append(float(rank if positive else -rank))
    return signs


@pytest.mark.parametrize(("cell", "first", "second", "printed"), CELLS, ids=[cell[0] for cell in CELLS])
def test_every_printed_p_value(
    implementation: Implementation, cell: str, first: str, second: str, printed: str
) -> None:
    test = implementation.call("signed_rank", differences_with(int(first)))
    assert [float(value) for value in fields(test)[:2]] == [int(first), int(second)], cell
    # Fifteen fair coins give a dyadic number, which float64 and Decimal hold exactly.
    shown = Decimal(float(test.p_value)).quantize(Decimal(printed), ROUND_HALF_EVEN)
    assert shown == Decimal(printed)


def test_the_critical_value_of_the_paper(implementation: Implementation) -> None:
    level = Fraction(5, 100)
    chances = [
        Fraction(float(implementation.call("signed_rank", differences_with(t)).p_value)) for t in (25, 26)
    ]
    assert chances[0] <= level < chances[1]


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
    assert [float(value) for value in fields(implementation.call("signed_rank", [0.0, -0.0]))] == [
        0,
        0,
        0,
        2,
        1,
    ]
    assert [float(value) for value in fields(implementation.call("signed_rank", []))] == [0, 0, 0, 0, 1]


def test_infinite_differences_rank_highest_and_tie(implementation: Implementation) -> None:
    test = implementation.call("signed_rank", [1e300, INF, -INF])
    assert [float(value) for value in fields(test)[:3]] == [3.5, 2.5, 2.5]


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


@pytest.mark.parametrize(
    ("differences", "kind"),
    [([1.0, float("nan")], InvalidInput), (["x"], InvalidType), (3.0, InvalidType), ([[1.0]], InvalidInput)],
)
def test_what_is_refused(implementation: Implementation, differences: object, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        implementation.call("signed_rank", differences)

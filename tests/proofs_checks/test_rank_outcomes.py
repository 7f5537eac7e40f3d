"""The helpers behind the claims about the experiments: differences, other readings, rank sums."""

import pytest

from rkde.proofs_checks.measured_tables import differences, fact, ratios, reading, words
from rkde.proofs_checks.rank_outcomes import outcome, outcomes, with_rank_sums


@pytest.mark.parametrize("count", range(1, 7))
def test_differences_have_the_rank_sums_asked_for(count: int) -> None:
    total = count * (count + 1) // 2
    for first in range(total + 1):
        values = with_rank_sums(first, total - first)
        assert sorted(map(abs, values)) == list(range(1, count + 1))
        assert sum(value for value in values if value > 0) == first


def test_sums_of_no_ranks_are_refused() -> None:
    with pytest.raises(ValueError, match=r"the sum 3 \+ 1 is not the sum"):
        with_rank_sums(3, 1)


def test_small_divergences_and_large_areas_are_better() -> None:
    exchanged = differences("kl", "kde", "rkde", "0.30")
    assert differences("kl", "rkde", "kde", "0.30") == {name: -gap for name, gap in exchanged.items()}
    # In both measures the plain KDE is ahead on MNIST, whose ones lie close together.
    assert differences("auc", "kde", "rkde", "0.30")["mnist01"] > 0
    assert exchanged["mnist01"] > 0


def test_a_set_can_be_left_out_and_facts_have_numbers() -> None:
    assert "iris" not in differences("auc", "rkde", "kde", "0.00", without=("iris",))
    assert outcomes("auc", "rkde", "kde", without=("iris",))["0.00"].zeros == 0
    # Influence was taken without contamination only.
    assert (ratios("alpha"), len(ratios("auc"))) == (["0.00"], 7)
    assert (words("below_uniform_swapped"), fact("below_uniform_swapped")) == ("51.8%", float("51.8") / 100)


@pytest.mark.parametrize("beginning", ["a reading that nobody took", ""])
def test_a_reading_is_one_reading(beginning: str) -> None:
    with pytest.raises(LookupError, match="must have one row"):
        reading(beginning, "auc", "rkde", "kde")


def test_zeros_count_for_method_2_by_the_printed_rule() -> None:
    # The zero has rank 1, so that the others have 2 and 3.
    found = outcome("0.00", [0.0, 2.0, -1.0])
    assert (found.rank_sum_1, found.rank_sum_2, found.zeros, found.wins) == (3, 3, 1, 1)
    dropped = outcome("0.00", [0.0, 2.0, -1.0], dropped=True)
    assert (dropped.rank_sum_1, dropped.rank_sum_2, dropped.zeros, dropped.wins) == (2, 1, 1, 1)

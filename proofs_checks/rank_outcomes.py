"""The signed-rank test of a comparison of two methods, run by both implementations, which must agree."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from rkde.fast.scoring import signed_rank as fast_signed_rank
from rkde.proofs_checks import bridge
from rkde.proofs_checks.measured_tables import differences, provenance, ratios, reading
from rkde.reference.scoring import signed_rank

LEVEL: Final = Fraction(5, 100)
"""The level at which the paper calls a difference significant."""
RUN: Final = provenance()
"""Where the averages come from."""
_CLASS: Final = "the class with label 0 is nominal"
_RECIPE: Final = "thresholds and start as section 6.1.2 prints them, percentiles by linear interpolation"
_PCA: Final = (
    "MNIST by kernel PCA with exp(-t / (2 * 30^2)) of pixels between 0 and 1, components of all training rows"
)
_TIES: Final = "a data set without a difference counts for method 2, as section 6.1.3 says"
READINGS: Final = ("the 15 data sets of section 6", _CLASS, _RECIPE, _PCA, _TIES)
"""How our run reads what the paper leaves open."""
DIVERGENCE_READINGS: Final = (
    *READINGS,
    "the reference density has a bandwidth of its own",
    "densities stay logarithms, so that no divergence is infinite",
)
OTHER_CLASS: Final = "nominal class"
NARROW: Final = "MNIST: kernel PCA with exp(-t / 30),"
OF_THE_SAMPLE: Final = "MNIST: components of the rows of the sample, kernel PCA with exp(-t / (2"
TRAINING: Final = "bandwidth of the reference density"
"""Names of other readings, by their beginnings."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One comparison: its contamination ratio, how often each method is better, rank sums, exact p-value."""

    ratio: str
    wins: int
    zeros: int
    rank_sum_1: float
    rank_sum_2: float
    p_value: Fraction

    @property
    def leads(self) -> bool:
        """Tell whether method 1 has the larger rank sum."""
        return self.rank_sum_1 > self.rank_sum_2

    @property
    def significant(self) -> bool:
        """Tell whether the two-sided p-value, not corrected, is at most 0.05."""
        return self.p_value <= LEVEL


def for_method_2(values: Sequence[float]) -> list[float]:
    """Return the differences with every 0 as the smallest one, in favour of method 2: the printed rule."""
    least = min((abs(value) for value in values if value), default=1.0)
    return [value or -least / 2 for value in values]


def outcome(ratio: str, values: Sequence[float], *, dropped: bool = False) -> Outcome:
    """Test one list of differences with both implementations; their answers are exact and must be equal.

    A 0 counts for method 2, or is `dropped`.
    """
    ranked = list(values) if dropped else for_method_2(values)
    fast, exact = fast_signed_rank(ranked), signed_rank(bridge.context(), ranked)
    assert fast.rank_sum_1 == exact.rank_sum_1
    assert fast.rank_sum_2 == exact.rank_sum_2
    p_value = bridge.fraction(exact.p_value)
    assert Fraction(fast.p_value) == p_value
    wins, zeros = sum(value > 0 for value in values), sum(value == 0 for value in values)
    return Outcome(ratio, wins, zeros, fast.rank_sum_1, fast.rank_sum_2, p_value)


def outcomes(
    measure: str, method_1: str, method_2: str, *, without: tuple[str, ...] = (), dropped: bool = False
) -> dict[str, Outcome]:
    """Return by ratio the comparison of two methods in our run, from the averages of each data set."""
    return {
        ratio: outcome(
            ratio,
            list(differences(measure, method_1, method_2, ratio, without=without).values()),
            dropped=dropped,
        )
        for ratio in ratios(measure)
    }


def other_outcomes(choice: str, measure: str, method_1: str, method_2: str) -> dict[str, Outcome]:
    """Return the same under another reading, of which the rank sums are known."""
    return {
        ratio: replace(outcome(ratio, with_rank_sums(int(first), int(second))), zeros=zeros)
        for ratio, (first, second, zeros) in reading(choice, measure, method_1, method_2).items()
    }


def with_rank_sums(first: int, second: int) -> list[float]:
    """Return differences +-1, ..., +-n with these sums of the positive and of the negative ranks."""
    count = 0
    while count * (count + 1) < 2 * (first + second):
        count += 1
    if count * (count + 1) != 2 * (first + second):
        raise ValueError(f"the sum {first} + {second} is not the sum of all ranks of any number of values")
    values = []
    for rank in range(count, 0, -1):
        values.append(float(rank if rank <= first else -rank))
        first -= rank if rank <= first else 0
    return values


def leading(cells: dict[str, Outcome]) -> list[str]:
    """Return the ratios at which method 1 leads."""
    return [ratio for ratio, cell in cells.items() if cell.leads]


def winning(cells: dict[str, Outcome]) -> list[str]:
    """Return the ratios at which method 1 leads significantly."""
    return [ratio for ratio in leading(cells) if cells[ratio].significant]


def decided(cells: dict[str, Outcome]) -> list[str]:
    """Return the ratios at which the difference is significant, whichever method leads."""
    return [ratio for ratio, cell in cells.items() if cell.significant]


def first_sums(cells: dict[str, Outcome]) -> list[float]:
    """Return R_1 by ratio."""
    return [cell.rank_sum_1 for cell in cells.values()]


def from_ratio(lowest: str, cells: dict[str, Outcome]) -> dict[str, Outcome]:
    """Return the outcomes from a ratio on."""
    return {ratio: cell for ratio, cell in cells.items() if Fraction(ratio) >= Fraction(lowest)}


def rounded_p(cells: dict[str, Outcome], digits: int = 3) -> list[str]:
    """Return the p-values by ratio as they are quoted."""
    return [f"{float(cell.p_value):.{digits}f}" for cell in cells.values()]


def smallest_p(*tables: dict[str, Outcome]) -> float:
    """Return the smallest p-value of some tables."""
    return float(min(cell.p_value for table in tables for cell in table.values()))

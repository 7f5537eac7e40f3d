"""The strategies: what they draw is what they promise."""

from fractions import Fraction

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import rkde.fast
import rkde.reference
from rkde.proofs_checks import strategies, symmetries
from rkde.proofs_checks.strategies import KernelSpec, LossSpec, Problem, Rows


@given(strategies.problems())
def test_problems_are_tables_with_weights(problem: Problem) -> None:
    assert len({len(row) for row in problem.X}) == 1
    assert len(problem.weights) == len(problem.X)
    assert min(problem.weights) >= 0
    assert abs(sum(map(Fraction, problem.weights), Fraction(0)) - 1) < Fraction(1, 10**12)
    assert problem.kernel.bandwidth > 0


@pytest.mark.parametrize(
    "wanted",
    [
        lambda rows: len(rows) == 1,
        lambda rows: len(rows) == 2,
        lambda rows: strategies.distinct_locations(rows) < len(rows),
        lambda rows: len(rows[0]) == 1000,
        lambda rows: max(map(max, rows)) >= 1e8,
        lambda rows: 0 < max(map(max, rows)) < 1e-6,
    ],
    ids=["one row", "two rows", "ties", "1000 columns", "far", "tight"],
)
def test_every_kind_of_data_is_drawn(wanted) -> None:
    budget = settings(max_examples=2000, derandomize=True, database=None, phases=[Phase.generate])
    assert wanted(find(strategies.data_sets(), wanted, settings=budget))


@given(strategies.losses(), strategies.kernels())
def test_losses_and_kernels_are_built_in_both_implementations(loss: LossSpec, kernel: KernelSpec) -> None:
    for module in (rkde.fast, rkde.reference):
        assert strategies.build_loss(module, loss).name == loss.name
        assert strategies.build_kernel(module, kernel).name == kernel.name


def squared(x: list[float], y: list[float]) -> Fraction:
    return sum(((Fraction(a) - Fraction(b)) ** 2 for a, b in zip(x, y, strict=True)), Fraction(0))


@given(strategies.scattered(2, 4, 3), st.data())
def test_similarities_are_exact(rows: Rows, data: st.DataObject) -> None:
    stretched, turned, factor = data.draw(symmetries.similarities(rows))
    exact = Fraction(factor) ** 2
    for i in range(len(rows)):
        for j in range(i):
            assert squared(stretched[i], stretched[j]) == exact * squared(rows[i], rows[j])
            assert squared(turned[i], turned[j]) == exact * squared(rows[i], rows[j])


def test_profiles_are_deterministic_and_differ_in_size() -> None:
    quick, ci, thorough = (settings.get_profile(name) for name in ("quick", "ci", "thorough"))
    assert all(profile.derandomize and profile.deadline is None for profile in (quick, ci, thorough))
    assert quick.max_examples < ci.max_examples
    assert thorough.max_examples > 10 * ci.max_examples

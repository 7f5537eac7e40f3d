"""Hampel's four functions by hand: rho was wrong for years where only psi was tested.

Public reports: statsmodels/statsmodels#1347, #8696, #8697, #8800, #9170; lminvielle/mom-kde (branches of psi
joined in the order of the regions, so that values land on the wrong rows).
"""

from fractions import Fraction

import mpmath
import pytest

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import LossSpec
from tests.support.compare import assert_relative
from tests.support.implementations import EXACT, Implementation, numbers

A, B, C = 1, 2, 4
HAMPEL = LossSpec("hampel", (1.0, 2.0, 4.0))
POINTS = ("0", "0.5", "1", "1.5", "2", "3", "3.5", "4", "9")
TABLE = {
    "rho": ("0", "0.125", "0.5", "1", "1.5", "2.25", "2.4375", "2.5", "2.5"),
    "psi": ("0", "0.5", "1", "1", "1", "0.5", "0.25", "0", "0"),
    "phi": ("1", "1", "1", "2/3", "1/2", "1/6", "1/14", "0", "0"),
    "psi_prime": ("1", "1", "0", "0", "-1/2", "-1/2", "-1/2", "0", "0"),
    "q": ("0", "0", "-1", "-1", "-2", "-2", "-2", "0", "0"),
}


def _as_numbers(fractions: tuple[str, ...]) -> list[mpmath.mpf]:
    return [EXACT.mpf(value.numerator) / value.denominator for value in map(Fraction, fractions)]


@pytest.mark.parametrize("function", TABLE)
def test_table_of_hampel(implementation: Implementation, function: str) -> None:
    actual = implementation.at_each(implementation.loss(HAMPEL), function, map(float, POINTS))
    assert_relative(actual, _as_numbers(TABLE[function]), tolerances.loss_bound(), function)


def test_the_largest_value_of_rho(implementation: Implementation) -> None:
    (actual,) = numbers(implementation.at_each(implementation.loss(HAMPEL), "rho", [1e300]))
    assert actual == A * (B + C - A) / Fraction(2)


def test_values_stay_with_their_rows(implementation: Implementation) -> None:
    # Joined by region, these four would read 1/7, 2, 1/36, 0.
    actual = implementation.at_each(implementation.loss(HAMPEL), "phi", [3.5, 0.5, 9.0, 1.5])
    assert_relative(actual, _as_numbers(("1/14", "1", "0", "2/3")), tolerances.loss_bound(), "phi")


@pytest.mark.parametrize(
    "spec",
    [LossSpec("quadratic"), LossSpec("huber", (0.5,)), HAMPEL],
    ids=str,
)
def test_phi_is_one_at_zero(implementation: Implementation, spec: LossSpec) -> None:
    assert numbers(implementation.at_each(implementation.loss(spec), "phi", [0.0])) == [1]


def test_limits_of_the_absolute_loss_at_zero(implementation: Implementation) -> None:
    loss = implementation.loss(LossSpec("absolute"))
    assert numbers(implementation.at_each(loss, "phi", [0.0])) == [EXACT.inf]
    assert numbers(implementation.at_each(loss, "psi", [0.0])) == [1]
    assert numbers(implementation.at_each(loss, "q", [0.0])) == [-1]

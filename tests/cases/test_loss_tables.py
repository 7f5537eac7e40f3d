"""Hampel's functions by hand: rho was wrong for years where only psi was tested (`loss/hampel-table`, too).

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


def _as_numbers(fractions: tuple[str, ...]) -> list[mpmath.mpf]:
    return [EXACT.mpf(value.numerator) / value.denominator for value in map(Fraction, fractions)]


def test_the_largest_value_of_rho(implementation: Implementation) -> None:
    (actual,) = numbers(implementation.at_each(implementation.loss(HAMPEL), "rho", [1e300]))
    assert actual == A * (B + C - A) / Fraction(2)


def test_values_stay_with_their_rows(implementation: Implementation) -> None:
    # Joined by region, these four would read 1/7, 2, 1/36, 0.
    actual = implementation.at_each(implementation.loss(HAMPEL), "phi", [3.5, 0.5, 9.0, 1.5])
    assert_relative(actual, _as_numbers(("1/14", "1", "0", "2/3")), tolerances.loss_bound(), "phi")


@pytest.mark.parametrize("spec", [LossSpec("quadratic"), LossSpec("huber", (0.5,)), HAMPEL], ids=str)
def test_phi_is_one_at_zero(implementation: Implementation, spec: LossSpec) -> None:
    assert numbers(implementation.at_each(implementation.loss(spec), "phi", [0.0])) == [1]

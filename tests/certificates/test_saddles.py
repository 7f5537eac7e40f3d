"""Saddles: where symmetry leads to one it is proved to be one, and beside it lie two minima."""

from __future__ import annotations

import math
from typing import Any, Final

import pytest

from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate
from tests.support.compare import assert_relative_to_largest, assert_within
from tests.support.implementations import (
    REFERENCE,
    Implementation,
    each_implementation,
    numbers,
)

flint = pytest.importorskip("flint", reason='needs python-flint: pip install "rkde[verify]"')
certify = pytest.importorskip("rkde.reference.certify")

pytestmark = pytest.mark.filterwarnings("ignore::rkde.errors.ModeCollapseWarning")

Gaussian, Hampel, Absolute = (REFERENCE.get(name) for name in ("Gaussian", "Hampel", "Absolute"))


PAIRS: Final = [[-2.1], [-1.9], [1.9], [2.1]]
ABC: Final = (0.3, 0.6, 1.2)


def pairs_limit(implementation: Implementation, X: list[list[float]], **named: Any) -> Any:
    kernel, loss = implementation.get("Gaussian")(1), implementation.get("Hampel")(*ABC)
    return implementation.call("fixed_point", X, kernel, loss, **named)


@each_implementation
def test_two_pairs_rest_on_a_proved_saddle(implementation: Implementation) -> None:
    found = pairs_limit(implementation, PAIRS)
    proved = certify.certify_limit(PAIRS, Gaussian(1), Hampel(*ABC))
    assert found.certificate is proved.certificate is Certificate.SADDLE
    assert found.curvature_margin < 0
    assert (float(found.error_bound), float(found.weights_error_bound)) == (math.inf, math.inf)
    assert_relative_to_largest(
        found.weights, [float(end.mid()) for end in proved.weights], tolerances.printed_digits(14), "weights"
    )


@each_implementation
def test_beside_the_saddle_lie_two_minima(implementation: Implementation) -> None:
    starts = ([0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5])
    minima = [pairs_limit(implementation, PAIRS, weights_init=start) for start in starts]
    saddle = pairs_limit(implementation, PAIRS)
    for start, found in zip(starts, minima, strict=True):
        assert found.certificate is Certificate.LOCAL_MINIMUM
        assert found.objective < saddle.objective
        assert_within(found.weights, start, 2 * tolerances.unit_roundoff(), "weights")


@each_implementation
@pytest.mark.parametrize("shift", [2.0**-10, 2.0**-30, 2.0**-49])
def test_near_the_saddle_the_limit_is_a_minimum(implementation: Implementation, shift: float) -> None:
    # The iteration passes the saddle of the nearly symmetric rows so closely that J hardly changes there.
    X = [*PAIRS[:3], [PAIRS[3][0] + shift]]
    found = pairs_limit(implementation, X)
    proved = certify.certify_limit(X, Gaussian(1), Hampel(*ABC))
    assert proved.branch_proved
    assert found.certificate is proved.certificate is Certificate.LOCAL_MINIMUM
    assert found.curvature_margin > 0
    norm, largest = certify.enclose_distance(X, Gaussian(1), numbers(found.weights), proved.weights)
    assert norm <= flint.arb(found.error_bound)
    assert largest <= flint.arb(found.weights_error_bound)


@each_implementation
def test_a_point_that_is_stationary_without_any_rounding_is_certified(implementation: Implementation) -> None:
    # The other rows lie beyond c: the gradient is a sum of zeros, exactly.
    X = [[0.0], [0.0], [30.0], [60.0]]
    kernel, loss = implementation.get("Laplacian")(1), implementation.get("Hampel")(0.25, 0.5, 0.75)
    found = implementation.call("fixed_point", X, kernel, loss, weights_init=[0.5, 0.5, 0, 0])
    assert found.certificate is Certificate.LOCAL_MINIMUM
    assert found.error_bound <= tolerances.unit_roundoff()

"""Saddles: an end on symmetric data is what its certificate says, and beside the saddle lie two minima.

In exact arithmetic the symmetric path ends on the saddle. In float64 the last bit of a sum, which differs
between linear algebra libraries, may lead away from it: what is asserted of such an end holds either way.
"""

import math
from typing import Any, Final

import numpy as np
import pytest

from rkde.fast.operators import DenseOperator
from rkde.fast.solvers import STATIONARY_RESIDUAL
from rkde.fast.solvers import certify as certify_fast
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate, Stationarity
from tests.certificates.enclosures import assert_near
from tests.support.balls import certify
from tests.support.compare import assert_relative_to_largest, assert_within
from tests.support.implementations import FAST, REFERENCE, Implementation, numbers

Gaussian, Hampel = (REFERENCE.get(name) for name in ("Gaussian", "Hampel"))

PAIRS: Final = [[-2.1], [-1.9], [1.9], [2.1]]
ABC: Final = (0.3, 0.6, 1.2)
# Far above the rounding of a weight, and too little for any rule to see.
LEAN: Final = 2.0**-40


def pairs_limit(implementation: Implementation, X: list[list[float]], **named: Any) -> Any:
    kernel, loss = implementation.get("Gaussian")(1), implementation.get("Hampel")(*ABC)
    return implementation.call("fixed_point", X, kernel, loss, **named)


def proved_end(start: Any = "uniform") -> Any:
    """The limit from a start in exact arithmetic, which keeps the symmetry of data and start."""
    found = certify.certify_limit(PAIRS, Gaussian(1), Hampel(*ABC), start)
    assert found.branch_proved
    return found


def midpoints(balls: Any) -> list[float]:
    return [float(ball.mid()) for ball in balls]


def assert_end_is_what_it_says(found: Any) -> None:
    """What holds of any end on the pairs, whichever way rounding sent the path."""
    proved = certify.certify_fixed_point(PAIRS, Gaussian(1), Hampel(*ABC), numbers(found.weights))
    assert_relative_to_largest(
        found.weights, midpoints(proved.weights), tolerances.printed_digits(14), "weights"
    )
    assert found.certificate is proved.certificate
    assert proved.certificate in (Certificate.SADDLE, Certificate.LOCAL_MINIMUM)
    assert_near(found, certify.enclose_distance(PAIRS, Gaussian(1), numbers(found.weights), proved.weights))
    assert (proved.curvature_margin > 0) == (found.curvature_margin > 0)


def test_two_pairs_end_in_a_point_that_is_what_it_says(implementation: Implementation) -> None:
    # In exact arithmetic this is the saddle; a last bit that breaks the symmetry leads to either minimum.
    found = pairs_limit(implementation, PAIRS)
    assert_end_is_what_it_says(found)
    saddle = float(proved_end().objective.upper())
    assert float(found.objective) <= saddle * (1 + tolerances.objective_slack(len(PAIRS)))


def test_the_reference_rests_on_the_saddle() -> None:
    # Its digits are the same on every machine, and more than the symmetry needs.
    found, proved = pairs_limit(REFERENCE, PAIRS), proved_end()
    assert found.certificate is proved.certificate is Certificate.SADDLE
    assert_relative_to_largest(
        found.weights, midpoints(proved.weights), tolerances.printed_digits(14), "weights"
    )


def test_the_saddle_is_certified_as_one(implementation: Implementation) -> None:
    # From the saddle itself, rounded, the rule stops before rounding has grown.
    proved = proved_end()
    kernel, loss = implementation.get("Gaussian")(1), implementation.get("Hampel")(*ABC)
    options = {"weights_init": midpoints(proved.weights), "stop": Stationarity(STATIONARY_RESIDUAL)}
    found = implementation.call("kirwls", PAIRS, kernel, loss, **options)
    assert found.certificate is proved.certificate is Certificate.SADDLE
    assert found.error_bound is None


def test_its_curvature_is_negative_and_no_distance_is_claimed() -> None:
    operator = DenseOperator(PAIRS, FAST.get("Gaussian")(1))
    found = certify_fast(operator, FAST.get("Hampel")(*ABC), np.array(midpoints(proved_end().weights)))
    assert found.certificate is Certificate.SADDLE
    assert found.curvature_margin < 0
    assert (found.error_bound, found.weights_error_bound) == (math.inf, math.inf)


@pytest.mark.parametrize("start", [[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]], ids=["left", "right"])
def test_beside_the_saddle_lie_two_minima(implementation: Implementation, start: list[float]) -> None:
    found, proved = pairs_limit(implementation, PAIRS, weights_init=start), proved_end(start)
    assert found.certificate is proved.certificate is Certificate.LOCAL_MINIMUM
    assert proved.objective < proved_end().objective
    slack = tolerances.objective_slack(len(PAIRS)) * float(proved.objective)
    assert_within(found.objective, float(proved.objective.mid()), slack, "J")
    assert_within(found.weights, start, 2 * tolerances.unit_roundoff(), "weights")


@pytest.mark.parametrize("side", [-1, 1], ids=["left", "right"])
def test_a_last_bit_leads_to_either_minimum(candidate: Implementation, side: int) -> None:
    # What rounding may do, done on purpose: the path leaves the saddle on the side of the heavier pair.
    start = midpoints(proved_end().weights)
    change = side * LEAN
    start = [
        weight * (1 + (change if row[0] > 0 else -change)) for weight, row in zip(start, PAIRS, strict=True)
    ]
    found = pairs_limit(candidate, PAIRS, weights_init=start)
    assert_end_is_what_it_says(found)
    assert found.certificate is Certificate.LOCAL_MINIMUM
    assert (float(found.weights[0]) < float(found.weights[-1])) == (side > 0)


@pytest.mark.parametrize("shift", [2.0**-10, 2.0**-30, 2.0**-49])
def test_near_the_saddle_the_limit_is_a_minimum(implementation: Implementation, shift: float) -> None:
    # The iteration passes the saddle of the nearly symmetric rows so closely that J hardly changes there.
    X = [*PAIRS[:3], [PAIRS[3][0] + shift]]
    found = pairs_limit(implementation, X)
    proved = certify.certify_limit(X, Gaussian(1), Hampel(*ABC))
    assert proved.branch_proved
    assert found.certificate is proved.certificate is Certificate.LOCAL_MINIMUM
    assert found.curvature_margin > 0
    assert_near(found, certify.enclose_distance(X, Gaussian(1), numbers(found.weights), proved.weights))


def test_a_point_that_is_stationary_without_any_rounding_is_certified(implementation: Implementation) -> None:
    # The other rows lie beyond c: the gradient is a sum of zeros, exactly.
    X = [[0.0], [0.0], [30.0], [60.0]]
    kernel, loss = implementation.get("Laplacian")(1), implementation.get("Hampel")(0.25, 0.5, 0.75)
    found = implementation.call("fixed_point", X, kernel, loss, weights_init=[0.5, 0.5, 0, 0])
    assert found.certificate is Certificate.LOCAL_MINIMUM
    assert found.error_bound <= tolerances.unit_roundoff()

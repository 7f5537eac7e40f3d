"""f_med at a data point: on it, or off it, on either side of where the pull equals the multiplicity."""

import math
import sys

import mpmath
import pytest

from rkde.errors import NotConverged
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate
from tests.certificates.enclosures import assert_near
from tests.support.balls import certify
from tests.support.compare import assert_within
from tests.support.implementations import FAST, REFERENCE, Implementation, exact, numbers

Gaussian = REFERENCE.get("Gaussian")


def critical_distance() -> float:
    """The h at which f_med of {-h, 0, h} leaves 0: q^3 + q^2 + q = 2 for q = exp(-h^2/2)."""
    root = mpmath.polyroots([1, 1, 1, -2])[0].real
    return float(mpmath.sqrt(-2 * mpmath.log(root)))


def three(distance: float) -> list[list[float]]:
    return [[-distance], [0.0], [distance]]


@pytest.mark.parametrize("share", [0.25, 0.9, 0.999])
def test_the_middle_of_three_is_exact_below_the_critical_distance(
    implementation: Implementation, share: float
) -> None:
    X = three(share * critical_distance())
    found = implementation.call("median_rkde", X, implementation.get("Gaussian")(1))
    assert [float(weight) for weight in found.weights] == [0, 1, 0]
    assert found.certificate is Certificate.GLOBAL
    assert [float(bound) for bound in (found.error_bound, found.weights_error_bound, found.gap)] == [0, 0, 0]
    proved = certify.certify_median(X, Gaussian(1))
    assert [int(weight) for weight in proved.exact_weights] == [0, 1, 0]


@pytest.mark.parametrize("share", [1.01, 1.1, 3])
def test_the_middle_of_three_is_no_median_beyond_it(implementation: Implementation, share: float) -> None:
    X = three(share * critical_distance())
    found = implementation.call("median_rkde", X, implementation.get("Gaussian")(1))
    proved = certify.certify_median(X, Gaussian(1))
    assert proved.status is certify.ProofStatus.ENCLOSED
    assert all(weight > 0 for weight in numbers(found.weights))
    assert_near(found, certify.enclose_distance(X, Gaussian(1), numbers(found.weights), proved.weights))


@pytest.mark.parametrize("ulps", range(-2, 3))
def test_a_pull_equal_to_the_multiplicity_within_rounding(implementation: Implementation, ulps: int) -> None:
    # Here no float64 tells whether |R| <= m: the answer claims no distance, only that J is as low as it gets.
    distance = critical_distance()
    for _ in range(abs(ulps)):
        distance = math.nextafter(distance, math.copysign(math.inf, ulps))
    found = implementation.call("median_rkde", three(distance), implementation.get("Gaussian")(1))
    assert found.certificate is Certificate.GLOBAL
    assert 0 <= found.gap <= found.objective * tolerances.printed_digits(12)
    arguments = (three(distance), implementation.get("Gaussian")(1), implementation.get("Absolute")())
    centre = implementation.call("objective", *arguments, [0, 1, 0])
    assert_within(found.objective, centre, exact(found.gap) + tolerances.objective_slack(3), "J")


def test_the_middle_is_left_where_rounding_hides_that_j_falls() -> None:
    X, middle = three((1 + 1e-9) * critical_distance()), [0.0, 1.0, 0.0]
    kernel, loss = FAST.get("Gaussian")(1.0), FAST.get("Absolute")()
    found = FAST.call("fixed_point", X, kernel, loss, weights_init=middle)
    assert found.weights.min() > 0
    at_middle = FAST.call("objective", X, kernel, loss, middle)
    assert_within(found.objective, at_middle, tolerances.objective_slack(3), "J")


def test_rows_that_nearly_coincide_are_rounded_where_there_is_no_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No argument sets the number of steps, so that the remedy names none."""
    monkeypatch.setattr(sys.modules["rkde.fast.estimates.thresholds"], "LIMIT_MAX_ITER", 100)
    X, kernel = [[0.0], [1e-13], [-1e-13], [2.0]], FAST.get("Gaussian")(1)
    with pytest.raises(NotConverged, match="round the rows, so that rows that nearly coincide are equal"):
        FAST.call("median_rkde", X, kernel)
    found = FAST.call("median_rkde", [[round(value, 6)] for (value,) in X], kernel)
    assert found.certificate is Certificate.GLOBAL

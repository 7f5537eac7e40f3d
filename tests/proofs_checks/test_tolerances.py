"""The derived tolerances bound what they say, and none so widely that it says nothing; measures of errors."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import strategies, tolerances
from rkde.proofs_checks.measures import absolute_errors, scalar_error, vector_error
from rkde.proofs_checks.strategies import LossSpec
from rkde.reference.numbers import make_context

SHARES = st.lists(st.floats(0.01, 1.0), min_size=2, max_size=8)
SIGNS = st.lists(st.sampled_from((-1.0, 0.0, 1.0)), min_size=8, max_size=8)


def moved_by(phi: list[float], signs: list[float], errors: list[float]) -> list[Fraction]:
    """Return each phi moved by its error, up, down or not at all."""
    moves = zip(phi, signs, errors, strict=False)
    return [Fraction(value) + int(sign) * Fraction(error) for value, sign, error in moves]


@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=50))
def test_sum_bound_covers_a_sum(terms: list[float]) -> None:
    exact = sum(map(Fraction, terms), Fraction(0))
    total = 0.0
    for term in terms:
        total += term
    if math.isfinite(total):
        assert abs(Fraction(total) - exact) <= Fraction(tolerances.sum_bound(len(terms))) * exact


def test_bounds_are_multiples_of_the_unit_roundoff_and_end_at_infinity() -> None:
    assert 2 * tolerances.unit_roundoff() == tolerances.elementwise(1) == math.ulp(1.0)
    assert tolerances.sum_bound(0) == 0
    assert tolerances.sum_bound(10) < tolerances.sum_bound(11) < 12 * tolerances.unit_roundoff()
    assert tolerances.sum_bound(2**53) == math.inf
    assert tolerances.reference_bound(3, 2) == pytest.approx(0.002, rel=tolerances.elementwise(4))
    assert (tolerances.geometric_bound(1.0, 0.5), tolerances.geometric_bound(1.0, 1.0)) == (4, math.inf)
    # A step without certain sign has no bound.
    assert tolerances.weight_step_bound([1.0, 1.0], [1.0, 1.0]) == [math.inf, math.inf]
    assert tolerances.element_step_bound([1.0], [1.0], [1.0]) == math.inf


@pytest.mark.parametrize(
    ("spec", "lipschitz"),
    [
        (LossSpec("quadratic"), 0.0),
        (LossSpec("absolute"), math.inf),
        (LossSpec("huber", (0.5,)), 2.0),
        (LossSpec("hampel", (0.5, 1.0, 1.25)), 2.5),
    ],
)
def test_lipschitz_constants_of_phi(spec: LossSpec, lipschitz: float) -> None:
    assert tolerances.phi_slope(spec, 0.0, math.inf) == lipschitz


def exact_phi(spec: LossSpec, t: Fraction) -> Fraction:
    a, b, c = map(Fraction, spec.thresholds)
    if t <= a:
        return Fraction(1)
    return a / t * max(Fraction(0), min(Fraction(1), (c - t) / (c - b)))


@given(strategies.losses(("hampel",)), st.integers(0, 128), st.integers(0, 64), st.integers(0, 64))
def test_slope_of_phi_bounds_every_difference(spec: LossSpec, centre: int, radius: int, inner: int) -> None:
    t, size = centre / 64, radius / 64
    slope = Fraction(tolerances.phi_slope(spec, t, size))
    left = max(Fraction(t) - Fraction(min(inner, radius), 64), Fraction(0))
    right = Fraction(t) + Fraction(size)
    difference = abs(exact_phi(spec, right) - exact_phi(spec, left))
    assert difference <= slope * (right - left) * (1 + Fraction(tolerances.sum_bound(9)))


@given(SHARES, SIGNS, st.floats(0, 0.05))
def test_weight_step_bound_covers_a_perturbed_step(phi: list[float], signs: list[float], size: float) -> None:
    errors = [size * value for value in phi]
    bounds = tolerances.weight_step_bound(phi, errors)
    moved = moved_by(phi, signs, errors)
    total, moved_total = sum(map(Fraction, phi), Fraction(0)), sum(moved, Fraction(0))
    for value, after, bound in zip(phi, moved, bounds, strict=True):
        assert abs(after / moved_total - Fraction(value) / total) <= Fraction(bound)


@given(SHARES, SIGNS, st.floats(0, 0.05))
def test_element_step_bound_covers_a_moved_mean(phi: list[float], signs: list[float], size: float) -> None:
    # Points 0, 1, 2, ... on a line stand for the features; |Phi_i - Tf| is a distance on that line.
    errors = [size * value for value in phi]
    moved = moved_by(phi, signs, errors)

    def mean(shares: list[Fraction]) -> Fraction:
        return sum((i * share for i, share in enumerate(shares)), Fraction(0)) / sum(shares, Fraction(0))

    exact = mean(list(map(Fraction, phi)))
    bound = tolerances.element_step_bound(phi, errors, [abs(float(exact) - i) for i in range(len(phi))])
    assert abs(mean(moved) - exact) <= Fraction(bound)


def test_bounds_are_small_where_problems_are_easy() -> None:
    norms, weights = [0.5] * 100, [0.01] * 100
    assert max(tolerances.residual_bound(norms, weights, 2)) < 1e-12
    assert tolerances.objective_slack(100) < 1e-12
    assert tolerances.complement_bound(1000) < 1e-12
    assert tolerances.profile_bound(-700.0, 2) < 1e-11
    assert tolerances.log_density_bound(-10.0, 5.0, 100, 2) < 1e-12


def test_residual_bound_is_relative_to_the_spread_of_the_data() -> None:
    wide = tolerances.residual_bound([0.5, 0.5], [0.5, 0.5], 1)[0]
    narrow = tolerances.residual_bound([5e-9, 5e-9], [0.5, 0.5], 1)[0]
    assert narrow < 2e-8 * wide


def test_a_residual_of_zero_is_known_to_the_root_of_its_square() -> None:
    bound = tolerances.residual_bound([0.0, 1.0], [0.5, 0.5], 1)[0]
    square = tolerances.residual_sq_bound([0.0, 1.0], [0.5, 0.5], 1)[0]
    assert bound == math.sqrt(square)


@pytest.mark.parametrize(
    ("measure", "actual", "expected", "error"),
    [
        (scalar_error, 1.5, 2.0, 0.25),
        (scalar_error, -math.inf, -math.inf, 0),
        (scalar_error, 1.0, 0.0, math.inf),
        (scalar_error, 0.0, 0.0, 0),
        (scalar_error, 1.0, math.inf, math.inf),
        (scalar_error, math.nan, 1.0, math.inf),
        (scalar_error, 1.0, math.nan, math.inf),
        # Vectors by their largest entry.
        (vector_error, [0.0, 3.0], [1.0, 4.0], 0.25),
        (vector_error, [], [], 0),
        (vector_error, [math.nan, 1.0], [1.0, 1.0], math.inf),
    ],
)
def test_errors_are_relative(measure: Any, actual: object, expected: object, error: float) -> None:
    assert measure(actual, expected) == error


def test_vectors_of_two_lengths_have_no_error() -> None:
    with pytest.raises(ValueError, match="zip"):
        vector_error([1.0], [1.0, 2.0])


def test_multiprecision_keeps_its_digits() -> None:
    ctx = make_context(40)
    tiny = ctx.mpf(10) ** -30
    assert 0 < scalar_error(np.float64(1.0), 1 + tiny) < 2e-30
    assert 0 < scalar_error(1 + tiny, np.float64(1.0)) < 2e-30
    assert absolute_errors(np.array([1.0, 2.0]), [ctx.mpf(1), ctx.mpf(3)]) == [0.0, 1.0]

"""Losses: rho, psi, phi, psi', q and its left limit, at random points, at kinks, beside them and at 0."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rkde.proofs_checks import tolerances
from rkde.proofs_checks.strategies import LossSpec
from tests.support.compare import assert_within
from tests.support.implementations import EXACT, FAST, REFERENCE, Implementation, exact, numbers

LOSSES = (
    LossSpec("quadratic"),
    LossSpec("absolute"),
    LossSpec("huber", (0.3,)),
    LossSpec("huber", (1e-9,)),
    LossSpec("huber", (1.25,)),
    LossSpec("hampel", (1.0, 2.0, 4.0)),
    LossSpec("hampel", (0.5, 0.5, 0.75)),
    LossSpec("hampel", (0.4, 0.6, math.nextafter(0.6, 1))),
    LossSpec("hampel", (1e-9, 3e-9, 7e-9)),
    LossSpec("hampel", (0.1, 0.9, 1.4)),
)
FUNCTIONS = ("rho", "psi", "phi", "psi_prime", "q")
ORDINARY = (0.0, 1e-300, 1e-12, 0.05, 0.29, 0.55, 0.7, 0.999, 1.3, math.sqrt(2), 3.0, 17.0, 1e6)

each_loss = pytest.mark.parametrize("spec", LOSSES, ids=str)
each_function = pytest.mark.parametrize("function", FUNCTIONS)
distances = st.lists(st.floats(min_value=0, max_value=4, allow_subnormal=False), min_size=1, max_size=20)


def _points(spec: LossSpec) -> list[float]:
    """Ordinary points, and each threshold with its two neighbours."""
    beside = [
        near
        for kink in spec.thresholds
        for near in (math.nextafter(float(kink), 0), float(kink), math.nextafter(float(kink), math.inf))
    ]
    return [*ORDINARY, *beside]


def _bounds(spec: LossSpec, function: str, points: list[float], expected: list[Any]) -> list[float]:
    """rho has terms larger than itself on Hampel's ramp; everything else is a few products and quotients."""
    if function == "rho":
        loss = REFERENCE.loss(spec)
        least = tolerances.least_positive()
        return [
            tolerances.rho_bound(loss, t, float(v)) + least for t, v in zip(points, expected, strict=True)
        ]
    return [
        tolerances.loss_bound() * abs(float(value)) if EXACT.isfinite(exact(value)) else 0
        for value in expected
    ]


def _assert_agree(candidate: Implementation, spec: LossSpec, function: str, points: list[float]) -> None:
    expected = REFERENCE.at_each(spec, function, points)
    actual = candidate.at_each(spec, function, points)
    assert_within(actual, expected, _bounds(spec, function, points, expected), f"{spec.name}.{function}")


@each_loss
@each_function
def test_function(candidate: Implementation, spec: LossSpec, function: str) -> None:
    _assert_agree(candidate, spec, function, _points(spec))


@each_loss
@given(points=distances)
def test_functions_at_random_points(candidate: Implementation, spec: LossSpec, points: list[float]) -> None:
    for function in FUNCTIONS:
        _assert_agree(candidate, spec, function, points)


@each_loss
def test_left_limit_of_q(candidate: Implementation, spec: LossSpec) -> None:
    points = [t for t in _points(spec) if t > 0]
    expected = REFERENCE.at_each(spec, "q_left", points)
    actual = candidate.at_each(spec, "q_left", points)
    assert_within(actual, expected, _bounds(spec, "q_left", points, expected), f"{spec.name}.q_left")


@each_loss
def test_q_has_no_left_limit_at_zero(candidate: Implementation, spec: LossSpec) -> None:
    (reference_value,) = REFERENCE.at_each(spec, "q_left", [0.0])
    (candidate_value,) = candidate.at_each(spec, "q_left", [0.0])
    assert reference_value is None
    assert candidate_value is None or math.isnan(candidate_value)


@each_loss
def test_kinks_are_the_same(candidate: Implementation, spec: LossSpec) -> None:
    assert numbers(candidate.loss(spec).kinks) == numbers(REFERENCE.loss(spec).kinks)


@each_loss
@pytest.mark.parametrize("shape", [(), (1,), (5,), (2, 3), (0,)])
def test_answers_have_the_shape_of_the_argument(spec: LossSpec, shape: tuple[int, ...]) -> None:
    t = np.linspace(0.1, 3, int(np.prod(shape))).reshape(shape)
    for function in FUNCTIONS:
        assert np.shape(FAST.method(spec, function, t)) == shape

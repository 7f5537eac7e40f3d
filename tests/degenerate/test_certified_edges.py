"""What is claimed, and what is not, of equal weights, vanishing distances and coinciding order statistics."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
from rkde.errors import DegenerateThresholds
from rkde.proofs_checks import tolerances
from rkde.vocabulary import Certificate
from tests.support.implementations import Implementation, numbers

THIRDS = {"single location": [[0.0], [0.0], [0.0]], "majority": [[0.0], [0.0], [0.0], [5.0]]}
HALVES = {"single location": [[2.0], [2.0]], "majority": [[0.0], [0.0], [3.0]]}
# Distances that underflow: all of them, and some of them in the subnormal range.
UNRESOLVED = {
    "bandwidth 1e165": ([[0.0], [1.0], [3.0]], 1e165),
    "subnormal": ([[0.0, 0.0], [1.9e-161, 4.9e-162], [-3.5e-161, 3.5e-161]], 1.0),
}


@pytest.mark.parametrize("name", THIRDS)
def test_a_third_is_rounded_and_its_bound_says_so(implementation: Implementation, name: str) -> None:
    result = implementation.call("median_rkde", THIRDS[name], implementation.get("Gaussian")(1.0))
    assert result.certificate is Certificate.GLOBAL
    assert numbers(result.error_bound) == [0]
    (bound,) = numbers(result.weights_error_bound)
    error = abs(Fraction(float(result.weights[0])) - Fraction(1, 3)) if implementation.name == "fast" else 0
    assert error <= Fraction(float(bound))
    assert bound > 0


@pytest.mark.parametrize("name", HALVES)
def test_a_half_is_exact(implementation: Implementation, name: str) -> None:
    result = implementation.call("median_rkde", HALVES[name], implementation.get("Gaussian")(1.0))
    assert numbers(result.weights)[:2] == [0.5, 0.5]
    assert numbers(result.error_bound) == numbers(result.weights_error_bound) == [0]


@pytest.mark.parametrize(("rows", "bandwidth"), UNRESOLVED.values(), ids=UNRESOLVED)
def test_nothing_is_proved_of_distances_that_underflow(rows: Any, bandwidth: float) -> None:
    result = rk.median_rkde(rows, rk.Gaussian(bandwidth))
    assert result.certificate is Certificate.STATIONARY
    assert result.error_bound == result.weights_error_bound == math.inf
    assert abs(result.weights.sum() - 1) <= tolerances.sum_bound(len(rows))


@pytest.mark.parametrize("n_rows", [6, 39])
def test_the_authors_program_needs_forty_rows(implementation: Implementation, n_rows: int) -> None:
    # b is the max(1, floor(n / 20))-th largest distance and c the largest, so b = c below 40 rows.
    rows = np.random.default_rng(n_rows).normal(size=(n_rows, 2)).tolist()
    with pytest.raises(DegenerateThresholds):
        implementation.call("rkde", rows, recipe="authors-program")

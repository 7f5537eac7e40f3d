"""How errors are measured, for floats and multiprecision numbers alike."""

import math

import numpy as np
import pytest

from rkde.proofs_checks.measures import absolute_errors, scalar_error, vector_error
from rkde.reference.numbers import make_context


def test_scalars_are_measured_relatively() -> None:
    assert scalar_error(1.5, 2.0) == 0.25
    assert scalar_error(-math.inf, -math.inf) == 0
    assert scalar_error(1.0, 0.0) == math.inf
    assert scalar_error(0.0, 0.0) == 0
    assert scalar_error(1.0, math.inf) == math.inf
    assert scalar_error(math.nan, 1.0) == math.inf
    assert scalar_error(1.0, math.nan) == math.inf


def test_vectors_are_measured_against_their_largest_entry() -> None:
    assert vector_error([0.0, 3.0], [1.0, 4.0]) == 0.25
    assert vector_error([], []) == 0
    assert vector_error([math.nan, 1.0], [1.0, 1.0]) == math.inf
    with pytest.raises(ValueError, match="zip"):
        vector_error([1.0], [1.0, 2.0])


def test_multiprecision_keeps_its_digits() -> None:
    ctx = make_context(40)
    tiny = ctx.mpf(10) ** -30
    assert 0 < scalar_error(np.float64(1.0), 1 + tiny) < 2e-30
    assert 0 < scalar_error(1 + tiny, np.float64(1.0)) < 2e-30
    assert absolute_errors(np.array([1.0, 2.0]), [ctx.mpf(1), ctx.mpf(3)]) == [0.0, 1.0]

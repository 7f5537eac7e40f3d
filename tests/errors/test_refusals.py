"""What the system refuses, and numbers that are read from other libraries or from text."""

import sys
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
import rkde.reference as ref
from rkde.errors import InvalidInput, InvalidType, MemoryLimit
from rkde.fast.bandwidth.cross_validation import _distances
from rkde.fast.bandwidth.scaling import _by_covariance

CTX = ref.make_context(20)
X = [[0.0], [1.0], [3.0]]


class Broken:
    """What numpy asks in vain for an array."""

    def __array__(self, *_: object, **__: object) -> None:
        raise ValueError


def test_a_tolerance_may_be_a_decimal_text() -> None:
    of_text, of_number = (
        rk.kirwls(X, rk.Gaussian(1.0), rk.Huber(0.5), stop=rk.RelativeObjective(tol))
        for tol in ("1e-8", 1e-8)
    )
    assert of_text.weights.tolist() == of_number.weights.tolist()


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([[0.0, 1.0], [1.0, [3.0]]], r"X, row 1, column 1, must be a number, got \[3.0\]"),
        ([[0.0, 1.0], 3.0], r"X, row 1, must be a row of numbers, got 3.0"),
        (object(), "X must be a table of numbers, got an object of type object"),
        (Broken(), "X must be a table of numbers, got an object that numpy cannot read as one"),
        ([[Broken()]], "X must be a table of numbers, got an object that numpy cannot read as one"),
    ],
    ids=["a list in a row", "a number for a row", "an object", "a broken array", "one in a row"],
)
def test_what_is_no_table_says_where(rows: Any, problem: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^{problem}; pass "):
        rk.median_rkde(rows, rk.Gaussian(1.0))


@pytest.mark.parametrize("weights", [Broken(), [Broken(), 1.0]], ids=["an array", "an entry"])
def test_weights_that_numpy_cannot_read_are_refused(weights: Any) -> None:
    problem = (
        "weights must be a sequence of numbers, got an object that numpy cannot read as one; pass a flat"
    )
    with pytest.raises(InvalidType, match=f"^{problem}"):
        rk.residual_norms([[0.0], [1.0]], rk.Gaussian(1.0), weights)


def test_distances_that_find_no_memory_end_with_a_remedy() -> None:
    def none() -> Any:
        raise MemoryError

    with pytest.raises(
        MemoryLimit, match=r"the distances between 3 rows need 72 bytes, .*; raise memory_limit"
    ):
        _distances(none, 9, 3, 1_000_000)


def test_a_robust_covariance_needs_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.covariance", None)
    rows = np.random.default_rng(3).standard_normal((20, 2))
    with pytest.raises(
        ImportError, match=r'needs scikit-learn, which is not .* pip install "rkde\[sklearn\]"'
    ):
        _by_covariance(rows, np.zeros(2), np.ones(2))


@pytest.mark.parametrize(
    ("number", "value"), [(np.float32(0.1), float(np.float32(0.1))), (np.float16(2), 2.0)]
)
def test_numbers_of_other_libraries_are_read_exactly(number: Any, value: float) -> None:
    assert ref.to_mpf(CTX, number) == CTX.mpf(value)


def test_a_number_that_float64_rounds_is_refused() -> None:
    wide = np.longdouble(1) / 3
    if float(wide) == wide:
        pytest.skip("longdouble is float64 here")
    with pytest.raises(InvalidType, match=r"must be a number that float64 holds exactly, .*; pass a decimal"):
        ref.to_mpf(CTX, wide)

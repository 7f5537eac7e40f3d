"""What a caller passes is read, never written; its type does not matter, its values do.

Public reports: scipy/scipy#9709 (weights changed in place, integers refused), getkeops/keops#370,
NVIDIA/cuml#7236 (mixed dtypes), lminvielle/mom-kde (arguments overwritten).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rkde.vocabulary import FixedSteps
from tests.support.implementations import FAST, FINE_REFERENCE, numbers

TABLE = np.array([[0.0, 1.0], [2.0, 5.0], [1.0, 3.0], [-1.0, 2.0], [4.0, 4.0]])
QUERIES = np.array([[0.0, 0.0], [1.0, 2.0]])
START = np.array([0.5, 0.125, 0.125, 0.125, 0.125])


def _kernel() -> Any:
    return FAST.get("Gaussian")(1.0)


def _huber() -> Any:
    return FAST.get("Huber")(0.5)


# Every operation that takes an array, as a function of (X, weights, queries).
OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "residual_norms": lambda X, w, *_: FAST.call("residual_norms", X, _kernel(), w),
    "objective": lambda X, w, *_: FAST.call("objective", X, _kernel(), _huber(), w),
    "kirwls_step": lambda X, w, *_: FAST.call("kirwls_step", X, _kernel(), _huber(), w),
    "kirwls": lambda X, w, *_: (
        FAST.call("kirwls", X, _kernel(), _huber(), weights_init=w, stop=FixedSteps(3)).weights
    ),
    "fixed_point": lambda X, w, *_: FAST.call("fixed_point", X, _kernel(), _huber(), weights_init=w).weights,
    "median_rkde": lambda X, *_: FAST.call("median_rkde", X, _kernel()).weights,
    "median_nn": lambda X, *_: FAST.call("median_nn", X),
    "scott": lambda X, *_: FAST.call("scott", X),
    "silverman": lambda X, *_: FAST.call("silverman", X),
    "log_density": lambda X, w, q: FAST.call("log_density", X, _kernel(), w, q),
    "kde": lambda X, _, q: FAST.call("kde", X, _kernel()).log_density(q),
    "vkde": lambda X, _, q: FAST.call("vkde", X, _kernel()).log_density(q),
    "rkde": lambda X, _, q: FAST.call("rkde", X, bandwidth=1.5).log_density(q),
}
each_operation = pytest.mark.parametrize("operation", OPERATIONS)


def _integers(array: np.ndarray) -> Any:
    """Integers where the values are (X and queries); weights stay as they are."""
    return array.astype(np.int64) if np.all(array == np.round(array)) else array


def _read_only(array: np.ndarray) -> np.ndarray:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


# Forms of the same numbers: all values here are small dyadic fractions, so float32 and float16 hold them.
FORMS: dict[str, Callable[[np.ndarray], Any]] = {
    "lists": lambda array: array.tolist(),
    "tuples": lambda array: tuple(map(tuple, array.tolist())) if array.ndim == 2 else tuple(array.tolist()),
    "integers": _integers,
    "float32": lambda array: array.astype(np.float32),
    "float16": lambda array: array.astype(np.float16),
    "longdouble": lambda array: array.astype(np.longdouble),
    "big-endian": lambda array: array.astype(">f8"),
    "read-only": _read_only,
    "Fortran order": np.asfortranarray,
    "every second row": lambda array: np.repeat(array, 2, axis=0)[::2],
    "objects that are numbers": lambda array: array.astype(object),
}


@each_operation
@pytest.mark.parametrize("form", FORMS)
def test_the_form_does_not_matter(operation: str, form: str) -> None:
    convert, run = FORMS[form], OPERATIONS[operation]
    given = run(convert(TABLE), convert(START), convert(QUERIES))
    assert numbers(given) == numbers(run(TABLE, START, QUERIES))


@each_operation
def test_arguments_are_not_modified(operation: str) -> None:
    arguments = [TABLE.copy(), START.copy(), QUERIES.copy()]
    OPERATIONS[operation](*arguments)
    for after, before in zip(arguments, (TABLE, START, QUERIES), strict=True):
        np.testing.assert_array_equal(after, before)


def test_results_cannot_be_changed_behind_ones_back() -> None:
    model = FAST.call("rkde", TABLE, bandwidth=1.5)
    for array in (model.weights, model.residual_norms, model.objective_path, model.median.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0


def test_a_result_does_not_follow_later_changes_of_the_data() -> None:
    X = TABLE.copy()
    model = FAST.call("kde", X, _kernel())
    before = numbers(model.log_density(QUERIES))
    X[:] = 7.0
    assert numbers(model.log_density(QUERIES)) == before


def test_a_distance_may_be_an_integer_or_a_list() -> None:
    loss = FAST.get("Hampel")(1, 2, 4)
    assert numbers(loss.rho(3)) == [2.25]
    assert numbers(loss.psi([1, 3])) == [1, 0.5]
    assert numbers(FAST.get("Gaussian")(2).profile(0)) == [1]


def test_the_reference_reads_decimals_exactly() -> None:
    m = FINE_REFERENCE
    third = m.method(m.get("Huber")("0.1"), "phi", "0.3")
    assert third == m.context.mpf(1) / 3
    by_value = m.method(m.get("Huber")(0.1), "phi", 0.3)
    assert by_value != third


def test_the_reference_reads_numpy_numbers() -> None:
    m = FINE_REFERENCE
    kernel = m.get("Gaussian")(1.0)
    weights = [0.5, 0.125, 0.125, 0.125, 0.125]
    expected = m.call("residual_norms", TABLE.tolist(), kernel, weights)
    assert m.call("residual_norms", TABLE, kernel, np.array(weights)) == expected
    assert m.call("residual_norms", TABLE.astype(int), kernel, weights) == expected

"""Arguments that are seldom wrong, and what the system refuses: each by name, with a remedy."""

import sys
from typing import Any

import numpy as np
import pytest

import rkde.fast as rk
import rkde.reference as ref
from rkde.errors import InvalidInput, InvalidType, MemoryLimit, NotDifferentiable
from rkde.fast.bandwidth.cross_validation import _distances
from rkde.fast.bandwidth.scaling import _by_covariance
from rkde.fast.operators import ForeignOperator
from rkde.reference.numbers.context import from_hex

CTX = ref.make_context(20)
X = [[0.0], [1.0], [3.0]]


@pytest.mark.parametrize("digits", [True, 40.0, "40"])
def test_digits_are_a_whole_number(digits: Any) -> None:
    with pytest.raises(InvalidType, match=r"^digits must be an integer, got .*; pass an integer"):
        ref.make_context(digits)


def test_at_least_one_digit_is_needed() -> None:
    with pytest.raises(InvalidInput, match=r"^digits must be at least 1, got 0; pass an integer"):
        ref.make_context(0)


def test_a_tolerance_may_be_a_decimal_text() -> None:
    of_text, of_number = (
        rk.kirwls(X, rk.Gaussian(1.0), rk.Huber(0.5), stop=rk.RelativeObjective(tol))
        for tol in ("1e-8", 1e-8)
    )
    assert of_text.weights.tolist() == of_number.weights.tolist()
    with pytest.raises(InvalidType, match=r"^stop\.tol must be a number, got 'tiny'; pass a number"):
        rk.kirwls(X, rk.Gaussian(1.0), rk.Huber(0.5), stop=rk.RelativeObjective("tiny"))
    with pytest.raises(InvalidType, match=r"^stop\.tol must be a decimal number, got 'tiny'; write it"):
        ref.kirwls(CTX, X, ref.Gaussian(1), ref.Huber("0.5"), stop=ref.RelativeObjective("tiny"))


def test_the_family_of_a_kernel_is_no_kernel() -> None:
    with pytest.raises(
        InvalidType, match=r"^kernel must be a kernel class, .*; pass the class of this kernel"
    ):
        ref.rkde(CTX, X, kernel=ref.Gaussian(1))  # type: ignore[arg-type]


def test_a_number_among_rows_is_no_row() -> None:
    with pytest.raises(InvalidType, match=r"^X, row 1, must be a row of numbers, got 1\.0; pass a sequence"):
        ref.kirwls(CTX, [[0.0], 1.0], ref.Gaussian(1), ref.Quadratic())  # type: ignore[list-item]


def _inner(package: Any, rows: Any, weights: Any, other: Any) -> Any:
    elements = [
        package.RkhsElement(points, coefficients, package.Gaussian(1.0))
        for points, coefficients in ((rows, weights), (other, [1.0]))
    ]
    return elements[0].inner(elements[1]) if package is rk else elements[0].inner(CTX, elements[1])


@pytest.mark.parametrize("package", [rk, ref])
def test_elements_of_different_spaces_have_no_inner_product(package: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^other must belong to the same space, .*; use one kernel"):
        _inner(package, [[0.0]], [1.0], [[0.0, 1.0]])
    with pytest.raises(InvalidInput, match=r"^weights must have as many entries as there are points \(1\)"):
        _inner(package, [[0.0]], [1.0, 2.0], [[0.0]])


def test_products_of_another_size_are_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"^linear must have shape \(3, 3\), got \(2, 2\); pass an operator"
    ):
        ForeignOperator(X, rk.Gaussian(1.0), np.eye(2))


@pytest.mark.parametrize("error", [-1.0, float("nan")])
def test_an_error_of_entries_is_not_negative(error: float) -> None:
    with pytest.raises(InvalidInput, match=r"^entry_error must be at least 0, got .*; pass a bound"):
        ForeignOperator(X, rk.Gaussian(1.0), np.eye(3), entry_error=error)


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
        ImportError, match=r"needs scikit-learn; install it with: pip install 'rkde\[sklearn\]'"
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


@pytest.mark.parametrize("text", ["0x1.z", "one", 3])
def test_what_is_no_hexadecimal_number_is_refused(text: Any) -> None:
    with pytest.raises(
        InvalidType, match=r"^text must be a hexadecimal float64, got .*; write it as float\.hex"
    ):
        from_hex(CTX, text)


def test_a_context_comes_first() -> None:
    with pytest.raises(
        InvalidType, match=r"^ctx must be an mpmath context, got none; pass make_context\(40\)"
    ):
        ref.kde(X, ref.Gaussian(1), X)  # type: ignore[arg-type]


def test_what_makes_no_kernel_is_refused() -> None:
    with pytest.raises(
        InvalidType, match=r"^kernel must be a kernel class, .*, got 3; pass the class, such as"
    ):
        ref.rkde(CTX, X, kernel=3)  # type: ignore[arg-type]


def test_a_decimal_with_an_enormous_exponent_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r"must have an exponent between .*; rescale the data"):
        ref.to_mpf(CTX, "1e99999999")


def test_no_gradient_where_the_absolute_loss_has_a_corner() -> None:
    corner = [1.0, 0.0, 0.0]
    with pytest.raises(NotDifferentiable, match="J is not differentiable where a residual is 0"):
        rk.neg_gradient(X, rk.Gaussian(1.0), rk.Absolute(), corner)
    with pytest.raises(NotDifferentiable, match="J is not differentiable where a residual is 0"):
        ref.neg_gradient(CTX, X, ref.Gaussian(1), ref.Absolute(), corner)


def test_a_direction_has_an_entry_for_each_row() -> None:
    with pytest.raises(InvalidInput, match=r"^direction must have as many entries as there are rows \(3\)"):
        rk.objective_differential(X, rk.Gaussian(1.0), rk.Quadratic(), [0.5, 0.25, 0.25], [1.0, -1.0])

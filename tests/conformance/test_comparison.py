"""The judge judged: the measures of error, what can never be right, and digits."""

import math
from decimal import Decimal

import pytest

from rkde.adapter.strict_json import Json
from rkde.conformance.check import judge
from rkde.conformance.comparison import as_decimal, compare
from rkde.conformance.vectors import Case


def case(expected: dict[str, Json], error: str = "") -> Case:
    return Case("op/x", "op", "", (), {}, expected, error, Decimal("1e-3"))


@pytest.mark.parametrize(
    ("field", "answer", "expected", "error"),
    [
        ("weights", [1.0, 2.0], ["1", "2"], "0"),
        ("objective", 1.5, "1", "0.5"),
        ("objective", "-1", "1", "2"),
        ("weights", [0.0, 4.0], ["1e-9", "4"], "2.5e-10"),
        ("weights", ["1", "3"], ["1", "4"], "0.25"),
        ("weights", [], [], "0"),
        ("weights", [0, 0.0], ["0", "0"], "0"),
        ("log_density", [0.25, -100], ["0", "-80"], "0.25"),
        ("log_kernel", [0.0, -99], ["0", "-100"], "0.01"),
        ("phi", ["inf", 1.0], ["inf", "2"], "0.5"),
        ("q_left", [None, -1.0], [None, "-1"], "0"),
        ("objective", 1, "1." + "0" * 39 + "1", "1e-40"),
        ("objective", "1e-400", "2e-400", "0.5"),
    ],
)
def test_an_error_is_measured(field: str, answer: Json, expected: Json, error: str) -> None:
    found = compare(field, answer, expected)
    assert not found.problem
    assert found.error == Decimal(error)


@pytest.mark.parametrize(
    ("answer", "expected", "part"),
    [
        (1.0, ["1"], "a list was expected"),
        ([1.0], "1", "a number was expected"),
        ([1.0], ["1", "2"], "2 entries were expected, got 1"),
        ([1.0, 1e-300], ["0", "0"], "exactly 0 was expected"),
        (1e-300, "0", "exactly 0 was expected"),
        (["nan"], ["1"], "a finite number was expected, got 'nan'"),
        (["inf"], ["1"], "a finite number was expected"),
        ([None], ["1"], "a finite number was expected"),
        ([True], ["1"], "a finite number was expected"),
        (["one"], ["1"], "a finite number was expected"),
        ([[1.0]], ["1"], "a finite number was expected"),
        ([1e308], ["inf"], "inf was expected"),
        (["-inf"], ["inf"], "inf was expected"),
        ([0.0], [None], "None was expected"),
    ],
)
def test_what_can_never_be_right_is_told(answer: Json, expected: Json, part: str) -> None:
    found = compare("weights", answer, expected)
    assert part in found.problem
    assert found.digits == -math.inf


def test_digits_are_the_negative_logarithm_of_the_error() -> None:
    assert compare("objective", "1.001", "1").digits == 3
    assert compare("objective", "11", "1").digits == -1
    assert compare("objective", "1", "1").digits == math.inf


def test_a_float_is_compared_by_its_exact_value() -> None:
    assert as_decimal(0.1) == Decimal.from_float(0.1)
    assert as_decimal("0.1") == Decimal("0.1")
    assert compare("objective", 0.1, "0.1").error > 0


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"a": 1, "b": 2}, ""),
        ({"a": 1, "b": 2.001, "more": 1}, ""),
        ({"a": 1, "b": 2.003}, "b: an error of 1.5e-3, more than 1.0e-3"),
        ({"a": 1}, "the answer lacks b"),
        ({"a": 1, "b": [2]}, "b: a number was expected"),
        (
            {"error": {"kind": "InvalidInput", "message": "m"}},
            "a value was expected, got the error InvalidInput: m",
        ),
    ],
)
def test_an_answer_is_judged(answer: dict[str, Json], message: str) -> None:
    assert judge(answer, case({"a": "1", "b": "2"}), Decimal("1e-3"))[1] == message


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"error": {"kind": "InvalidInput", "message": "m"}}, ""),
        (
            {"error": {"kind": "Internal", "message": "m"}},
            "the error InvalidInput was expected, got Internal: m",
        ),
        ({"a": 1}, "the error InvalidInput was expected, got a value"),
    ],
)
def test_an_error_is_judged_by_its_kind(answer: dict[str, Json], message: str) -> None:
    assert judge(answer, case({}, "InvalidInput"), Decimal(0)) == (None, message)

"""The judge judged: the measures of error, what can never be right, and digits."""

import math
from dataclasses import replace
from decimal import Decimal
from typing import Final, cast

import pytest

from rkde.adapter import Json
from rkde.conformance import Case, as_decimal, compare
from rkde.conformance.claims import distance_to_limit
from rkde.conformance.judging import Failure, judge
from rkde.conformance.vectors import Expected
from tests.conformance.test_levels import RIGHT


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
        ("weights", ["9e999999999999999999"], ["1e-9"], "Infinity"),
        ("f", {"a": [1, 2.5], "more": 1}, {"a": ["1", "2"]}, "0.25"),
        ("f", True, True, "0"),
        ("f", "global", "global", "0"),
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
        (["nan"], ["1"], "a finite number was expected, got nan"),
        (["inf"], ["1"], "a finite number was expected"),
        ([None], ["1"], "a finite number was expected"),
        ([True], ["1"], "a finite number was expected"),
        (["one"], ["1"], "a finite number was expected, got one"),
        ([" 1.5 "], ["1"], "a finite number was expected, got ' 1.5 '"),
        ([""], ["1"], "a finite number was expected, got ''"),
        (["inf "], ["inf"], "inf was expected, got 'inf '"),
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


def test_digits_are_the_negative_logarithm_of_the_error_in_the_exact_value() -> None:
    for given, digits in (("1.001", 3), ("11", -1), ("1", math.inf)):
        assert compare("objective", given, "1").digits == digits
    assert (as_decimal(0.1), as_decimal("0.1")) == (Decimal.from_float(0.1), Decimal("0.1"))
    assert compare("objective", 0.1, "0.1").error > 0


REFUSED: Final[dict[str, Json]] = {"error": {"kind": "InvalidInput", "message": "m"}}
INTERNAL: Final[dict[str, Json]] = {"error": {"kind": "Internal", "message": "m"}}


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        ({"a": 1, "b": 2}, "", ""),
        ({"a": 1, "b": 2.001, "more": 1}, "", ""),
        ({"a": 1, "b": 2.003}, "", "b: an error of 1.5e-3, more than 1.0e-3"),
        ({"a": 1}, "", "the answer lacks b"),
        ({"a": 1, "b": [2]}, "", "b: a number was expected"),
        (REFUSED, "", "a value was expected, got the error InvalidInput: m"),
        # An error by its kind.
        (REFUSED, "InvalidInput", ""),
        (INTERNAL, "InvalidInput", "the error InvalidInput was expected, got Internal: m"),
        ({"a": 1}, "InvalidInput", "the error InvalidInput was expected, got a value"),
    ],
)
def test_an_answer_is_judged(answer: dict[str, Json], error: str, message: str) -> None:
    verdict = judge(answer, case({} if error else {"a": "1", "b": "2"}, error), Decimal("1e-3"))
    assert verdict.message == message
    assert (verdict.failure is None) == (message == "")
    assert verdict.digits is None or not error


@pytest.mark.parametrize(("given", "error"), [("1.5", "0.25"), ("1.25", "0"), ("1", "0"), ("0.5", "0.25")])
def test_what_the_radius_covers_is_no_error(given: str, error: str) -> None:
    assert compare("objective", given, "1", Decimal("0.25")).error == Decimal(error)


@pytest.mark.parametrize(
    ("answer", "expected", "part"),
    [
        ("saddle", "global", "global was expected, got saddle"),
        (1, True, "True was expected, got 1"),
        (False, True, "True was expected, got False"),
        ({"a": [1, 2]}, {"a": ["1", "2"], "b": "1"}, "f: lacks b"),
        ({"a": [1, 2]}, {"a": ["1", "2", "3"]}, "f.a: 3 entries were expected, got 2"),
        ([1], {"a": ["1"]}, "an object was expected"),
        ("1_0", "10", "a finite number was expected"),
        ("9" * 5000, "1", "a finite number was expected"),
        ("1e-3" * 2, "1", "a finite number was expected"),
    ],
)
def test_names_booleans_and_objects_are_met_exactly(answer: Json, expected: Json, part: str) -> None:
    found = compare("f", answer, expected)
    assert part in found.problem
    assert len(found.problem) < 300


def limit(flags: tuple[str, ...] = ("EDGE",), certificate: str = "local_minimum") -> Case:
    expected: dict[str, Json] = {"weights": ["0.5", "0.5"], "objective": "1", "certificate": certificate}
    radii = {"weights": Decimal("0.001")}
    return Case("fixed_point/x", "fixed_point", "", flags, {}, expected, "", Decimal("0.1"), radii)


@pytest.mark.parametrize(
    ("change", "flags", "part"),
    [
        ({}, ("BASIC",), ""),
        ({"weights": [0.51, 0.49], "weights_error_bound": "0.01"}, (), ""),
        ({"weights": [0.51, 0.49], "weights_error_bound": "0.0095"}, (), ""),
        ({"weights": [0.51, 0.49], "weights_error_bound": 0.005}, (), "5.0e-3 is claimed, the error of"),
        ({"weights": [0.51, 0.49], "weights_error_bound": "inf"}, (), ""),
        ({"weights_error_bound": "inf"}, ("BASIC",), "weights_error_bound: a finite bound was expected"),
        ({"error_bound": "inf"}, ("BASIC",), "error_bound: a finite bound was expected"),
        ({"error_bound": -1}, (), "not negative was expected"),
        ({"error_bound": "nan"}, (), "not negative was expected"),
        ({"error_bound": None}, (), "not negative was expected"),
        ({"certificate": "global"}, (), "local_minimum was expected, got global"),
        ({"certificate": "stationary"}, (), ""),
        ({"certificate": "stationary"}, ("BASIC",), "local_minimum was expected, got stationary"),
        ({"certificate": "stationary"}, ("SADDLE",), "local_minimum was expected, got stationary"),
    ],
)
def test_what_an_answer_claims_is_checked(change: dict[str, Json], flags: tuple[str, ...], part: str) -> None:
    right = {**RIGHT, "certificate": "local_minimum", **change}
    verdict = judge(right, limit(flags), Decimal("0.1"))
    assert part in verdict.message
    assert bool(verdict.message) == bool(part)
    assert verdict.failure is (Failure.FALSE_CLAIM if part else None)


@pytest.mark.parametrize("weights", [[1.0], [0.5, 0.5, 0.0]])
def test_a_finite_bound_of_weights_of_another_number_is_no_bound(weights: Json) -> None:
    right = {**RIGHT, "certificate": "local_minimum", "weights": weights, "weights_error_bound": 0.5}
    message = judge(right, limit(), Decimal("0.1")).message
    assert "weights_error_bound: 5.0e-1 is claimed" in message


@pytest.mark.parametrize(("given", "passes"), [(1, True), (5, True), (3, False)])
def test_one_of_several_right_answers_is_enough(given: int, passes: bool) -> None:
    several = replace(case({"a": "1"}), others=(Expected({"a": "5"}, {}),))
    assert (judge({"a": given}, several, Decimal("0.1")).message == "") == passes


@pytest.mark.parametrize("weights", [[f"1e{n}", f"-1e{n}", "1"] for n in (300, 200, 400)])
def test_weights_that_no_float_compares_are_infinitely_far_from_the_limit(weights: list[str]) -> None:
    request: dict[str, Json] = {"X": [[0], [1], [3]], "kernel": {"name": "gaussian", "bandwidth": 1}}
    third = "0.3333333333333333333333333333333333333333"
    case = Case("fixed_point/x", "fixed_point", "", (), request, {}, "", Decimal("0.1"), {})
    right = Expected({"weights": [third] * 3}, {})
    assert distance_to_limit(case, cast(Json, weights), right) == math.inf

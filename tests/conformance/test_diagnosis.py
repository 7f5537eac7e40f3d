"""The diagnosis does not accuse: no pattern where there is none, no crash whatever was answered."""

import dataclasses
import math
from collections.abc import Callable
from decimal import Context, Decimal

import numpy as np
import pytest

from rkde.adapter import Json
from rkde.conformance import Case, as_decimal, check_cases
from rkde.conformance.diagnosis import PATTERNS, diagnose, norms, search
from rkde.conformance.diagnosis.values import is_well_formed, numbers
from rkde.conformance.diagnosis.weighing import concerns, shows
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.running import CaseResult, Outcome
from rkde.proofs_checks.tolerances import sum_bound
from tests.support.compare import assert_within
from tests.support.vectors import shipped_cases

CHEAP = ("auc", "bandwidth", "depth", "kernel", "log_density", "residual_norms")
LIMITS = ("fixed_point", "median", "rkde")
CASES = shipped_cases()
Number = Callable[[Decimal], Json]


def answering(number: Number) -> Callable[[object], dict[str, Json]]:
    """Answer every case of values right but for one change of every number."""
    by_request = {id(case.request): case for case in CASES}

    def changed(value: Json) -> Json:
        if isinstance(value, list):
            return [changed(entry) for entry in value]
        given = as_decimal(value)
        return value if given is None else number(given)

    def ask(request: object) -> dict[str, Json]:
        case = by_request[id(request)]
        if case.error:
            return {"error": {"kind": case.error, "message": ""}}
        return {name: changed(value) for name, value in case.expected.items()}

    return ask


def off_by_little() -> Number:
    noise = np.random.default_rng(6)
    return lambda value: float(value) * (1 + 1e-10 * float(noise.uniform(-1, 1)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "names"),
    [
        (off_by_little(), []),
        (lambda value: float(np.float32(float(value))), ["few-digits"]),
        (lambda value: str(Context(prec=6).plus(value)), ["few-digits"]),
    ],
    ids=["ten-digits", "single-precision", "six-printed-digits"],
)
@pytest.mark.filterwarnings("ignore:overflow")
def test_too_few_digits_are_not_taken_for_a_wrong_formula(number: Number, names: list[str]) -> None:
    for ops in (CHEAP, LIMITS):
        cases = [case for case in CASES if case.op in ops]
        results = check_cases(answering(number), cases)
        assert sum(bool(result.message) for result in results) > len(cases) / 2
        assert [diagnosis.name for diagnosis in diagnose(cases, results)] == names


@pytest.mark.parametrize(
    ("op", "field", "wrong", "unfounded"),
    [("loss", "phi", "2", "phi-at-zero"), ("log_density", "log_density", "nan", "zero-weight")],
)
def test_a_value_that_is_wrong_everywhere_is_not_wrong_in_one_place_only(
    op: str, field: str, wrong: str, unfounded: str
) -> None:
    cases = [case for case in CASES if case.op == op and not case.error]
    right = {id(case.request): case.expected for case in cases}

    def entry(value: Json) -> Json:
        given = as_decimal(value)
        return value if given is None else wrong if wrong == "nan" else str(Decimal(wrong) * given)

    def ask(request: object) -> dict[str, Json]:
        values = right[id(request)]
        changed = values[field]
        assert isinstance(changed, list)
        return {**values, field: [entry(value) for value in changed]}

    found = diagnose(cases, check_cases(ask, cases))
    assert unfounded not in [diagnosis.name for diagnosis in found]


def test_an_answer_that_cannot_be_compared_is_not_well_formed() -> None:
    case = next(case for case in CASES if case.id == "step/line-hampel-1")
    weights = case.expected["weights"]
    assert isinstance(weights, list)
    assert is_well_formed(case, case.expected)
    assert is_well_formed(case, {"weights": None})
    assert not is_well_formed(case, {"weights": weights[1:]})
    assert not is_well_formed(case, {"weights": ["much", *weights[1:]]})


@pytest.mark.parametrize(("digits", "stands_out"), [(3.0, True), (12.5, True), (13.5, False), (None, True)])
def test_a_case_stands_out_by_more_than_two_digits(digits: float | None, stands_out: bool) -> None:
    ordinary = [
        CaseResult(f"loss/{place}", "loss", Outcome.PASSED, 15.0 + place / 4, "", 0.0, flags=("BASIC",))
        for place in range(3)
    ]
    other = CaseResult("kernel/one", "kernel", Outcome.PASSED, 1.0, "", 0.0, flags=("BASIC",))
    case = CaseResult("loss/case", "loss", Outcome.FAILED, digits, "", 0.0)
    results = {result.id: result for result in (*ordinary, other, case)}
    assert search._stands_out("loss/case", search._Run({}, results, (), ())) is stands_out


def test_weights_that_belong_to_large_norms_are_phi_of_them_over_its_sum() -> None:
    """Where phi is small everywhere it may still differ much from row to row."""
    case = next(case for case in CASES if case.id == "step/line-hampel-1")
    loss = {"name": "huber", "a": 1e-6}
    huber = dataclasses.replace(case, request={**case.request, "loss": loss})
    found = numbers(norms._from_norms(huber, [1.0, 3.0])["weights"])
    assert_within(found, [0.75, 0.25], sum_bound(4), "weights")
    assert norms._from_norms(huber, [2.0, 2.0]) == {}


@pytest.mark.parametrize("name", ["depth/line-gaussian", "depth/plane-student"])
def test_either_exchange_of_the_divisor_of_a_depth_is_shown(name: str) -> None:
    pattern = next(pattern for pattern in PATTERNS if pattern.name == "divisor-of-depth")
    case = next(case for case in CASES if case.id == name)
    size = len(case.request["X"])
    for factor in ((size - 1) / size, size / (size - 1)):
        wrong = [1 - factor * (1 - depth) for depth in numbers(case.expected["depth"])]
        assert shows(pattern, case, {"depth": list(wrong)})


@pytest.mark.parametrize("name", ["residual_norms/line-gaussian", "depth/line-gaussian"])
def test_values_in_another_order_are_shown_however_many_they_are(name: str) -> None:
    pattern = next(pattern for pattern in PATTERNS if pattern.name == "another-order")
    case = next(case for case in CASES if case.id == name)
    for field, value in case.expected.items():
        assert shows(pattern, case, {field: list(reversed(numbers(value)))})
        assert not shows(pattern, case, {field: list(numbers(value))})


@pytest.mark.parametrize("value", [1.0, [["9e999999"]]], ids=repr)
def test_a_pattern_copes_with_any_answer_to_a_request_that_has_none(value: Json) -> None:
    refused: list[Case] = [case for case in CASES if case.error]
    assert refused
    for case in refused:
        answer = dict.fromkeys(ANSWER_FIELDS[case.op], value)
        for pattern in PATTERNS:
            if case.op in pattern.ops:
                assert shows(pattern, case, answer) in (True, False)
                assert concerns(pattern, case, answer) in (True, False)


def test_who_answers_what_has_no_answer_still_gets_a_report() -> None:
    cases = [case for case in CASES if case.error and case.op in CHEAP]
    results = check_cases(lambda _: {"log_kernel": [0.0, 0.0], "weights": []}, cases)
    assert len(results) == len(cases)
    assert isinstance(diagnose(cases, results), list)


def naive_student(request: object) -> dict[str, Json]:
    """Answer the Student kernel in float64 as its formula is written."""
    kernel, point, rows = (request[name] for name in ("kernel", "x", "Y"))  # type: ignore[index]
    nu, h = float(kernel["dof"]), float(kernel["bandwidth"])
    x, Y = numbers(point), [numbers(row) for row in rows]
    d = len(x)
    constant = math.lgamma((nu + d) / 2) - math.lgamma(nu / 2) - d / 2 * math.log(nu * math.pi * h**2)
    squares = [sum((a - b) ** 2 for a, b in zip(x, y, strict=True)) for y in Y]
    return {"log_kernel": [constant - (nu + d) / 2 * math.log1p(t / (nu * h**2)) for t in squares]}


def test_a_difference_of_log_gammas_is_named() -> None:
    cases = [case for case in CASES if case.id == "kernel/dof-large"]
    results = check_cases(naive_student, cases)
    assert [diagnosis.name for diagnosis in diagnose(cases, results)] == ["difference-of-log-gammas"]

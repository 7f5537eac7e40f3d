"""The diagnosis does not accuse: no pattern where there is none, no crash whatever was answered."""

import dataclasses
import math
from collections.abc import Callable, Iterable
from decimal import Context, Decimal
from typing import Any, cast

import numpy as np
import pytest

from rkde.adapter import Json
from rkde.conformance import Case, check_cases
from rkde.conformance.diagnosis import PATTERNS, Pattern, diagnose, kernels, norms, rounding, search
from rkde.conformance.diagnosis.asking import ask, quantiles
from rkde.conformance.diagnosis.settings import settings_of
from rkde.conformance.diagnosis.values import is_well_formed, numbers, wrong_places
from rkde.conformance.diagnosis.weighing import concerns, shows
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.running import CaseResult, Outcome
from rkde.proofs_checks.tolerances import sum_bound
from tests.support.compare import assert_within
from tests.support.vectors import at_each_number, shipped_cases

CHEAP = ("auc", "bandwidth", "depth", "kernel", "log_density", "residual_norms")
LIMITS = ("fixed_point", "median", "rkde")
CASES = shipped_cases()
NOISE = np.random.default_rng(6)
Number = Callable[[Decimal], Json]


def answering(number: Number) -> Callable[[object], dict[str, Json]]:
    """Answer every case of values right but for one change of every number."""
    by_request = {id(case.request): case for case in CASES}

    def ask(request: object) -> dict[str, Json]:
        case = by_request[id(request)]
        if case.error:
            return {"error": {"kind": case.error, "message": ""}}
        return {name: at_each_number(value, number) for name, value in case.expected.items()}

    return ask


def named(name: str) -> Case:
    return next(case for case in CASES if case.id == name)


def pattern_of(name: str) -> Pattern:
    return next(pattern for pattern in PATTERNS if pattern.name == name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "names"),
    [
        (lambda value: float(value) * (1 + 1e-10 * float(NOISE.uniform(-1, 1))), []),
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


@pytest.mark.parametrize("answer", [[1.0], [1.0, 2.0, 3.0], 1.0, None])
def test_what_is_no_list_of_that_length_is_wrong_in_no_place(answer: Json) -> None:
    assert wrong_places(answer, [1.0, 2.0], 0.0) == wrong_places([1.0, 2.0], answer, 0.0) == []
    assert wrong_places([1.0, 3.0], [1.0, 2.0], 0.0) == [1]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("cross-term", lambda f, square: np.sqrt(1 + f + square)),
        ("cross-term", lambda f, square: np.sqrt(1 + 2 * f + square)),
        ("cross-term", lambda f, square: np.sqrt(1 - f + square)),
        ("cross-term", lambda f, _: np.sqrt(2 - 2 * f)),
        ("bracket-of-the-root", lambda f, square: np.sqrt(np.clip(1 - 2 * f, 0, None)) + square),
        ("bracket-of-the-root", lambda f, square: np.sqrt(1 + square) - 2 * f),
    ],
)
def test_each_wrong_formula_of_a_residual_norm_is_shown(name: str, wrong: Callable[..., Any]) -> None:
    """From f(X_i) and |f|^2 in units of k(x, x)."""
    pattern, case = pattern_of(name), named("residual_norms/line-gaussian")
    places, weights = np.array([numbers(row) for row in case.request["X"]]), numbers(case.request["weights"])
    shares = np.array(weights) / math.fsum(weights)
    k = np.exp(-np.square((places - places.T) / float(case.request["kernel"]["bandwidth"])) / 2)
    answer = {"residual_norms": wrong(k @ shares, shares @ k @ shares).tolist()}
    assert shows(pattern, case, answer)
    assert not shows(pattern, case, dict(case.expected))


def test_answers_of_another_length_are_looked_at_as_far_as_they_go() -> None:
    case = next(case for case in CASES if case.op == "log_density" and not case.error)
    longer = {name: [*numbers(values), 1.0] for name, values in case.expected.items()}
    assert not rounding._is_beyond_single(case, longer)
    assert not rounding._only_nan(case, longer)


def test_a_step_with_squared_norms_is_told_from_the_right_one() -> None:
    pattern = pattern_of("step-with-squared-norms")
    told = []
    for case in (case for case in CASES if case.op == "step" and not case.error):
        right = norms._right_norms(case)[1]
        wrong, true = ([norm**power for norm in right] for power in (2, 1))
        if answer := norms._from_norms(case, wrong):
            told.append((pattern.shows(case, answer), pattern.shows(case, norms._from_norms(case, true))))
    assert (True, False) in told
    assert (False, True) not in told


@pytest.mark.parametrize(
    ("op", "field", "wrong", "unfounded"),
    [
        ("loss", "phi", lambda number: str(2 * number), "phi-at-zero"),
        ("log_density", "log_density", lambda _: "nan", "zero-weight"),
    ],
)
def test_a_value_that_is_wrong_everywhere_is_not_wrong_in_one_place_only(
    op: str, field: str, wrong: Number, unfounded: str
) -> None:
    cases = [case for case in CASES if case.op == op and not case.error]
    right = {id(case.request): case.expected for case in cases}

    def ask(request: object) -> dict[str, Json]:
        values = right[id(request)]
        return {**values, field: at_each_number(values[field], wrong)}

    found = diagnose(cases, check_cases(ask, cases))
    assert unfounded not in [diagnosis.name for diagnosis in found]


def test_an_answer_that_cannot_be_compared_is_not_well_formed() -> None:
    case = named("step/line-hampel-1")
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
    case = named("step/line-hampel-1")
    loss = {"name": "huber", "a": 1e-6}
    huber = dataclasses.replace(case, request={**case.request, "loss": loss})
    found = numbers(norms._from_norms(huber, [1.0, 3.0])["weights"])
    assert_within(found, [0.75, 0.25], sum_bound(4), "weights")
    assert norms._from_norms(huber, [2.0, 2.0]) == {}


@pytest.mark.parametrize("name", ["depth/line-gaussian", "depth/plane-student"])
def test_either_exchange_of_the_divisor_of_a_depth_is_shown(name: str) -> None:
    pattern, case = pattern_of("divisor-of-depth"), named(name)
    size = len(case.request["X"])
    for factor in ((size - 1) / size, size / (size - 1)):
        wrong = [1 - factor * (1 - depth) for depth in numbers(case.expected["depth"])]
        assert shows(pattern, case, {"depth": list(wrong)})


@pytest.mark.parametrize("divided", [False, True])
@pytest.mark.parametrize("name", ["line-gaussian", "plane-gaussian"])
def test_a_root_of_the_first_term_is_shown_with_the_unit_of_the_kernel_and_without(
    name: str, divided: bool
) -> None:
    """k(x, x)^(1/2) - 2 f(X_i) + |f|^2, and the same over the first."""
    pattern, case = pattern_of("bracket-of-the-root"), named(f"residual_norms/{name}")
    X = np.array([numbers(row) for row in case.request["X"]])
    h, weights = 0.8, np.array(numbers(case.request["weights"]))
    assert case.request["kernel"] == {"name": "gaussian", "bandwidth": str(h)}
    weights /= weights.sum()
    squares = ((X[:, np.newaxis] - X) ** 2).sum(axis=2)
    k = np.exp(-squares / (2 * h**2)) / (math.sqrt(2 * math.pi) * h) ** X.shape[1]
    tau = math.sqrt(k[0, 0])
    wrong = tau - 2 * k @ weights + weights @ k @ weights
    assert shows(pattern, case, {"residual_norms": (wrong / tau if divided else wrong).tolist()})


@pytest.mark.parametrize("beyond", [0, 1])
def test_a_supremum_added_to_rho_is_shown_up_to_c_and_everywhere(beyond: int) -> None:
    pattern, case = pattern_of("constant-added"), named("loss/grid-hampel")
    rho, t = numbers(case.expected["rho"]), numbers(case.request["t"])
    assert 0 < sum(at > 1.25 for at in t) < len(t)
    added = [value + max(rho) * (at <= 1.25 or beyond) for value, at in zip(rho, t, strict=True)]
    assert shows(pattern, case, {"rho": list(added)})


@pytest.mark.parametrize("columns", [1, 2])
def test_left_out_columns_are_shown_with_the_normaliser_of_all_columns(columns: int) -> None:
    pattern, case = pattern_of("first-columns"), named("kernel/three-columns-gaussian")
    h = float(str(case.request["kernel"]["bandwidth"]))  # type: ignore[index, call-overload]
    x, Y = np.array(numbers(case.request["x"])), np.array([numbers(row) for row in case.request["Y"]])
    squares = ((x - Y)[:, :columns] ** 2).sum(axis=1)
    for counted in (columns, 3):
        wrong = -squares / (2 * h**2) - counted * math.log(math.sqrt(2 * math.pi) * h)
        assert shows(pattern, case, {"log_kernel": wrong.tolist()})


@pytest.mark.parametrize("name", ["residual_norms/line-gaussian", "depth/line-gaussian"])
def test_values_in_another_order_are_shown_however_many_they_are(name: str) -> None:
    pattern, case = pattern_of("another-order"), named(name)
    for field, value in case.expected.items():
        assert shows(pattern, case, {field: list(reversed(numbers(value)))})
        assert not shows(pattern, case, {field: list(numbers(value))})


@pytest.mark.parametrize(("lost", "is_shown"), [(3, True), (2, False), (0, False)])
def test_nothing_but_nan_is_more_than_half_of_nan(lost: int, is_shown: bool) -> None:
    case = named("loss/three-beyond-c")
    answer: dict[str, Json] = {"rho": ["nan"] * lost + cast(list[Json], case.expected["rho"])[lost:]}
    assert len(case.expected["rho"]) == 4
    assert shows(pattern_of("nothing-but-nan"), case, answer) == is_shown
    assert not shows(pattern_of("nothing-but-nan"), case, {})


def test_two_values_that_are_exchanged_are_no_other_order() -> None:
    case = named("residual_norms/two-rows")
    answer = {"residual_norms": list(reversed(numbers(case.expected["residual_norms"])))}
    assert not shows(pattern_of("another-order"), case, answer)


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
    cases = [named("kernel/dof-large")]
    found = diagnose(cases, check_cases(naive_student, cases))
    assert [diagnosis.name for diagnosis in found] == ["difference-of-log-gammas"]


def test_squares_are_not_to_blame_where_ordinary_answers_are_no_numbers() -> None:
    cases = [case for case in CASES if case.op == "kernel" and not case.error]
    lost = {id(case.request): at_each_number(case.expected["log_kernel"], lambda _: "nan") for case in cases}
    right = named("kernel/far-gaussian")
    lost[id(right.request)] = right.expected["log_kernel"]
    results = check_cases(lambda request: {"log_kernel": lost[id(request)]}, cases)
    assert diagnose(cases, results, [pattern_of("overflow-of-squares")]) == []


def test_equal_weights_after_a_step_from_equal_weights_are_no_missing_step() -> None:
    pattern = pattern_of("no-step")
    steps = [case for case in CASES if case.op == "step" and not case.error]
    equal = [case for case in steps if len(set(numbers(case.request["weights"]))) == 1]
    given = [shows(pattern, case, {"weights": case.request["weights"]}) for case in steps]
    assert not any(shown for case, shown in zip(steps, given, strict=True) if case in equal)
    assert any(given)


def test_one_wrong_threshold_concerns_the_rule_of_quantiles_whatever_else_is_given() -> None:
    pattern, case = pattern_of("quantile-rule"), named("rkde/line-hampel")
    for name in "abc":
        assert not concerns(pattern, case, {name: case.expected[name]})
        assert concerns(pattern, case, {name: at_each_number(case.expected[name], lambda x: float(2 * x))})
    huber = named("rkde/line-huber")
    assert not concerns(pattern, huber, {"a": huber.expected["a"], "b": 0.9})


def test_small_residuals_that_are_no_numbers_are_shown_as_expanded() -> None:
    """1 - 2Kw + w'Kw, rounded below 0, has no root."""
    pattern, case = pattern_of("residuals-by-expansion"), named("residual_norms/tight")
    *small, far = numbers(case.expected["residual_norms"])
    assert max(small) < 1e-7 < far
    assert shows(pattern, case, {"residual_norms": ["nan"] * len(small) + [far]})
    assert not shows(pattern, case, {"residual_norms": [*small, "nan"]})


def test_sums_over_columns_are_shown_with_either_normaliser_and_without() -> None:
    pattern, case = pattern_of("laplacian-by-columns"), named("kernel/three-columns-laplacian")
    h, x = 1.5, np.array(numbers(case.request["x"]))
    sums = [float(np.abs(x - numbers(row)).sum()) / h for row in case.request["Y"]]
    own = 3 * math.log(2 * h)
    (peak,) = numbers(ask({**case.request, "Y": [case.request["x"]]})["log_kernel"])
    for constant in (peak, -own, 0.0):
        assert shows(pattern, case, {"log_kernel": [constant - one for one in sums]})


def test_shifts_that_differ_are_no_difference_of_log_gammas() -> None:
    pattern, case = pattern_of("difference-of-log-gammas"), named("kernel/dof-large")
    right = numbers(case.expected["log_kernel"])
    for factor in (1.0, 1.25):
        shifts = [2.0**-30, *[factor * 2.0**-30] * (len(right) - 1)]
        answer = [value + shift for value, shift in zip(right, shifts, strict=True)]
        assert shows(pattern, case, {"log_kernel": list(answer)}) == (factor == 1)


def with_settings(case: Case, levels: Iterable[Json], start: str) -> dict[str, Json]:
    """Answer `rkde` for other levels and another start, without thresholds that differ by rounding."""
    kernel: Json = {"name": "gaussian", "bandwidth": case.expected["bandwidth"]}
    problem = {"X": case.request["X"], "kernel": kernel}
    found = quantiles(numbers(ask({"op": "median", **problem})["residual_norms"]), list(levels), "linear")
    loss: dict[str, Json] = {"name": "hampel", **found}
    limit = ask({"op": "fixed_point", **problem, "loss": loss, "start": start})
    return {**found, "weights": limit["weights"]}


RIGHT, AUTHORS = ((0.5, 0.75, 0.85), "median"), ((0.5, 0.95, 1), "uniform")
BOTH = {"authors-levels", "uniform-start"}


@pytest.mark.parametrize(
    ("name", "settings", "least", "most"),
    [
        ("clusters", AUTHORS, BOTH, BOTH),
        ("fork-plane-median", AUTHORS, BOTH, BOTH),
        # There Hampel's limit from equal weights is Huber's, and it is not for the loss that it is wrong.
        ("bandwidth-given", AUTHORS, {"uniform-start"}, BOTH),
        ("plane-hampel", AUTHORS, {"uniform-start"}, BOTH),
        ("clusters", RIGHT, set(), set()),
        ("plane-hampel", RIGHT, set(), set()),
    ],
)
def test_levels_and_start_are_named_together(
    name: str, settings: Any, least: set[str], most: set[str]
) -> None:
    case = named(f"rkde/{name}")
    assert least <= settings_of(case, with_settings(case, *settings)) <= most


def test_weights_beside_a_saddle_were_not_stopped_on_the_way_to_it() -> None:
    """A step nearly leads there, and further ones away from it."""
    case, turned = (
        named("fixed_point/saddle"),
        np.array([[1e-3, -1e-3, -1e-3, 1e-3], [1e-8, 1e-8, -1e-8, -1e-8]]),
    )
    weights = np.array(numbers(case.expected["weights"])) + turned.sum(axis=0)
    assert not shows(pattern_of("stopped-early"), case, {"weights": weights.tolist()})


def test_equal_weights_in_place_of_f_med_are_named() -> None:
    case = named("rkde/line-absolute")
    right, count = dict(case.expected), len(numbers(case.expected["weights"]))
    assert settings_of(case, {**right, "weights": [1 / count] * count}) == {"plain-estimate"}
    assert settings_of(case, right) == set()


@pytest.mark.parametrize(("power", "is_shown"), [(0.5, True), (1.0, False), (0.0, False)])
def test_norms_that_are_multiplied_by_tau_are_shown(power: float, is_shown: bool) -> None:
    case = named("residual_norms/line-gaussian")
    peak = 1 / (math.sqrt(2 * math.pi) * float(case.request["kernel"]["bandwidth"]))
    answer = {"residual_norms": [norm * peak**power for norm in numbers(case.expected["residual_norms"])]}
    assert shows(pattern_of("unit-of-the-kernel"), case, answer) == is_shown


@pytest.mark.parametrize("name", ["kernel/scale-tiny-laplacian", "kernel/scale-huge-gaussian"])
def test_squares_that_leave_float64_accuse_of_no_bandwidth(name: str) -> None:
    case = named(name)
    h = float(str(case.request["kernel"]["bandwidth"]))  # type: ignore[index, call-overload]
    peak = {**case.request, "Y": [case.request["x"]]}
    (at_zero,) = numbers(ask(peak)["log_kernel"])
    far = at_zero if h * h == 0 else -math.inf
    answer: dict[str, Json] = {"log_kernel": [far if math.isfinite(far) else "-inf"] * 2}
    assert not any(search.shows(pattern, case, answer) for pattern in kernels.PATTERNS)

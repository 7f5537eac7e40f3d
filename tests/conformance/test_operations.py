"""Each operation answers a small request, with the fields of the protocol and no other."""

from typing import Any, Final

import pytest

from rkde.adapter import OPERATIONS, Implementation, fast_implementation, reference_implementation
from rkde.adapter.operations import DERIVATIVE_FIELDS
from rkde.reference import make_context
from tests.conformance.asking import ask, error_kind

LIBS: Final = {"fast": fast_implementation(), "reference": reference_implementation(25)}
each_implementation = pytest.mark.parametrize("lib", LIBS.values(), ids=LIBS)

X: Final = [[0], [0.5], [1.25], [1.5], [4]]
WEIGHTS: Final = [0.25, "0.25", 0.125, 0.125, "2.5e-1"]
GAUSSIAN: Final = {"name": "gaussian", "bandwidth": 1}
HUBER: Final = {"name": "huber", "a": "0.5"}
LIMIT: Final = {"weights", "objective", "certificate", "error_bound", "weights_error_bound"}

WEIGHTED: Final = {"X": X, "kernel": GAUSSIAN, "weights": WEIGHTS}

REQUESTS: Final[dict[str, tuple[dict[str, object], set[str]]]] = {
    "hello": ({"protocol": 1}, {"name", "version", "protocol", "operations"}),
    "kernel": ({"kernel": GAUSSIAN, "x": [0], "Y": X}, {"log_kernel"}),
    "loss": ({"loss": HUBER, "t": [0, 0.25, 2]}, {"rho", "psi", "phi", "q", "q_left"}),
    "bandwidth": ({"X": X, "rule": "median_nn"}, {"bandwidth"}),
    "residual_norms": (WEIGHTED, {"residual_norms"}),
    "objective": ({**WEIGHTED, "loss": HUBER}, {"objective"}),
    "step": ({**WEIGHTED, "loss": HUBER, "count": 3}, {"weights", "objective"}),
    "median": ({"X": X, "kernel": GAUSSIAN}, {"weights", "residual_norms", "certificate", "error_bound"}),
    "thresholds": (
        {"X": X, "kernel": GAUSSIAN, "quantiles": [0.5, 0.75, 0.85], "quantile_rule": "hazen"},
        {"a", "b", "c"},
    ),
    "fixed_point": ({"X": X, "kernel": GAUSSIAN, "loss": HUBER, "start": "uniform"}, LIMIT),
    "log_density": ({**WEIGHTED, "queries": [[0], [100]]}, {"log_density"}),
    "influence": (
        {
            "X": [[0], [1], [3]],
            "kernel": GAUSSIAN,
            "loss": {"name": "quadratic"},
            "weights": ["0.3333333333333333"] * 3,
            "x_new": [5],
            "queries": [[0], [4]],
        },
        {*DERIVATIVE_FIELDS, "one_sided"},
    ),
    "vkde": ({"X": X, "kernel": GAUSSIAN, "queries": [[0], [100]]}, {"bandwidths", "log_density"}),
    "depth": ({"X": X, "kernel": GAUSSIAN, "queries": [[0], [2]]}, {"depth"}),
    "signed_rank": (
        {"differences": [1, "2.5", -3, "inf", 0]},
        {"rank_sum_1", "rank_sum_2", "statistic", "zeros", "p_value"},
    ),
    "auc": ({"scores": [1, 2, "-inf"], "labels": [1, 0, 0]}, {"auc"}),
    "rkde": ({"X": X, "loss": "hampel"}, {"bandwidth", "a", "b", "c", "status", *LIMIT}),
}


def answered(lib: Implementation, op: str, **change: object) -> dict[str, Any]:
    """Ask an operation for a value, with some fields of the small request changed."""
    answer = ask({"op": op, **REQUESTS[op][0], **change}, lib)
    assert set(answer) == REQUESTS[op][1], answer
    return answer


def values(numbers: list[object]) -> list[float]:
    return [float(str(number)) for number in numbers]


def test_there_is_a_request_for_each_operation() -> None:
    assert list(REQUESTS) == list(OPERATIONS)


@each_implementation
@pytest.mark.parametrize("op", REQUESTS)
def test_the_operation_answers_with_its_fields(lib: Implementation, op: str) -> None:
    assert answered(lib, op)


@each_implementation
def test_the_reference_answers_in_decimal_strings_and_fast_in_numbers(lib: Implementation) -> None:
    kind = str if lib is LIBS["reference"] else float
    assert {type(value) for value in answered(lib, "residual_norms")["residual_norms"]} == {kind}
    assert type(answered(lib, "objective")["objective"]) is kind


@each_implementation
def test_the_recipe_is_the_sequence_of_its_parts(lib: Implementation) -> None:
    whole = answered(lib, "rkde", loss="huber", bandwidth=1, quantiles=[0.4, 0.6, 0.8], quantile_rule="hazen")
    parts = answered(lib, "thresholds", quantiles=[0.4, 0.6, 0.8], quantile_rule="hazen")
    assert values([whole["a"]]) == values([parts["a"]])
    loss = {"name": "huber", "a": str(parts["a"])}
    limit = answered(lib, "fixed_point", loss=loss, start="median")
    assert values(whole["weights"]) == values(limit["weights"])
    median = answered(lib, "rkde", loss="absolute", bandwidth=1)
    assert median["weights"] == answered(lib, "median")["weights"]


@each_implementation
@pytest.mark.parametrize("start", ["uniform", "median", [0.2, 0.2, 0.2, 0.2, 0.2]])
def test_the_recipe_takes_every_option(lib: Implementation, start: object) -> None:
    kernel = {"name": "student", "dof": 3}
    answer = answered(lib, "rkde", loss="huber", kernel=kernel, bandwidth="scott", start=start)
    scott = ask({"op": "bandwidth", "X": X, "rule": "scott"}, lib)
    assert float(answer["bandwidth"]) == float(scott["bandwidth"])


# Beside the errors among the golden vectors.
@each_implementation
@pytest.mark.parametrize(
    ("op", "change"),
    [
        ("rkde", {"bandwidth": 0}),
        ("rkde", {"kernel": {"name": "student"}}),
        ("rkde", {"kernel": {"name": "gaussian", "bandwidth": 1}}),
        ("rkde", {"start": "mean"}),
        ("rkde", {"start": [1, 0]}),
        ("rkde", {"loss": {"name": "huber"}}),
        ("rkde", {"start": [1, 0, 7, 0, 0], "loss": "quadratic"}),
        ("rkde", {"start": [1, 0, 7, 0, 0], "loss": "absolute"}),
        ("rkde", {"start": [1, 0, 7], "X": [[1], [1], [1]], "bandwidth": 1}),
        ("fixed_point", {"start": [1, 0, 7], "X": [[1], [1], [1]]}),
        ("depth", {"rule": "mean"}),
        ("signed_rank", {"differences": 3}),
        ("signed_rank", {"differences": [True]}),
        ("signed_rank", {"differences": [[1]]}),
        ("auc", {"labels": [False, True, True]}),
        ("influence", {"x_new": [[5]]}),
        ("influence", {"x_new": []}),
        ("influence", {"queries": [[0, 0]]}),
        ("influence", {"weights": [1, 0]}),
        ("influence", {"loss": {"name": "huber", "a": 0.1}}),
        ("influence", {"start": "uniform"}),
        ("kernel", {"x": ["1e400"], "kernel": {"name": "gaussian", "bandwidth": "nan"}}),
    ],
)
def test_what_has_no_answer_is_invalid_input(lib: Implementation, op: str, change: dict[str, object]) -> None:
    assert error_kind(ask({"op": op, **REQUESTS[op][0], **change}, lib)) == "InvalidInput"


@pytest.mark.parametrize("spelled", ["0.1", 0.1])
def test_the_reference_reads_decimals_exactly(spelled: str | float) -> None:
    request = {"op": "loss", "loss": {"name": "quadratic"}, "t": [spelled]}
    (answer,) = ask(request, reference_implementation(60))["psi"]
    # Enough digits are written to give back the number of 60 digits nearest to 1/10, not that of a float64.
    context = make_context(60)
    assert context.mpf(answer) == context.mpf(1) / 10


def test_fast_reads_the_nearest_float64() -> None:
    near = "0.1000000000000000055511151231257827021181583404541015625"
    assert ask({"op": "loss", "loss": {"name": "quadratic"}, "t": [near, "1e-400"]})["psi"] == [0.1, 0.0]


@pytest.mark.parametrize("huge", [10**3000, 10**400, "1e400"], ids=["3000 digits", "400 digits", "text"])
@pytest.mark.parametrize("sign", [1, -1])
def test_fast_reads_a_number_beyond_float64_as_infinite(huge: int | str, sign: int) -> None:
    number = sign * huge if isinstance(huge, int) else huge if sign > 0 else f"-{huge}"
    for change in ({"x": [number]}, {"Y": [[number]]}, {"kernel": {"name": "gaussian", "bandwidth": number}}):
        assert error_kind(ask({"op": "kernel", **REQUESTS["kernel"][0], **change})) == "InvalidInput"
    answer = ask({"op": "loss", "loss": HUBER, "t": [number]})
    if sign > 0:
        assert answer == ask({"op": "loss", "loss": HUBER, "t": ["inf"]})
    else:
        assert error_kind(answer) == "InvalidInput"

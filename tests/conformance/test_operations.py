"""Each operation answers a small request, with the fields of the protocol and no other."""

import math
from typing import Any, Final

import pytest

from rkde.adapter import OPERATIONS, Implementation, fast_implementation, reference_implementation
from rkde.adapter.operations import DERIVATIVE_FIELDS
from rkde.reference import make_context
from rkde.reference.rkhs import RkhsElement
from rkde.vocabulary import Certificate
from tests.conformance.asking import ask, error_kind
from tests.support.implementations import CASE_DIGITS, EXACT, FINE_REFERENCE, exact

LIBS: Final = {"fast": fast_implementation(), "reference": reference_implementation(25)}
FINE: Final = reference_implementation(CASE_DIGITS)
each_implementation = pytest.mark.parametrize("lib", LIBS.values(), ids=LIBS)

X: Final = [[0], [0.5], [1.25], [1.5], [4]]
WEIGHTS: Final = [0.25, "0.25", 0.125, 0.125, "2.5e-1"]
GAUSSIAN: Final = {"name": "gaussian", "bandwidth": 1}
HUBER: Final = {"name": "huber", "a": "0.5"}
LIMIT: Final = {"weights", "objective", "certificate", "error_bound", "weights_error_bound"}

AT_A_ROW: Final = {"X": [[0], [0], [9]], "weights": ["0.5", "0.5", 0], "loss": {"name": "absolute"}}
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
def test_what_has_no_number_is_null_or_named(lib: Implementation) -> None:
    answer = answered(lib, "loss", loss={"name": "absolute"})
    assert answer["phi"][0] == "inf"
    assert answer["q_left"][0] is None
    assert answer["q_left"][1] is not None


@each_implementation
@pytest.mark.parametrize("count", [0, 1, 4])
def test_the_path_of_a_step_has_the_start_too(lib: Implementation, count: int) -> None:
    assert len(answered(lib, "step", count=count)["objective"]) == count + 1
    same = answered(lib, "step", X=[[1], [1]], weights=[0.5, 0.5], count=count)
    assert values(same["objective"]) == [0] * (count + 1)
    assert values(same["weights"]) == [0.5, 0.5]


@each_implementation
def test_no_query_gives_an_empty_answer(lib: Implementation) -> None:
    assert answered(lib, "kernel", Y=[])["log_kernel"] == []
    assert answered(lib, "log_density", queries=[])["log_density"] == []
    assert answered(lib, "vkde", queries=[])["log_density"] == []
    assert answered(lib, "depth", queries=[])["depth"] == []
    assert answered(lib, "signed_rank", differences=[])["zeros"] == 0


@each_implementation
@pytest.mark.parametrize("start", ["uniform", "median", [0, 0, 0, 0, 1]])
def test_a_limit_has_a_certificate_and_bounds(lib: Implementation, start: object) -> None:
    answer = answered(lib, "fixed_point", start=start)
    assert answer["certificate"] in set(Certificate)
    # J has one minimum here, whatever the start; 60 digits are exact beside float64 and 25 digits.
    limit = answered(FINE, "fixed_point", start="uniform")
    pairs = zip(answer["weights"], limit["weights"], strict=True)
    errors = [exact(given) - exact(true) for given, true in pairs]
    kernel = FINE_REFERENCE.get("Gaussian")(GAUSSIAN["bandwidth"])
    distance = FINE_REFERENCE.method(RkhsElement(X, errors, kernel), "norm")
    assert distance <= exact(answer["error_bound"]) < EXACT.inf
    assert max(map(abs, errors)) <= exact(answer["weights_error_bound"]) < EXACT.inf


@each_implementation
@pytest.mark.parametrize("rule", ["abramson", "geometric"])
def test_the_rule_of_the_vkde_is_optional(lib: Implementation, rule: str) -> None:
    default, chosen = answered(lib, "vkde"), answered(lib, "vkde", rule=rule)
    assert (default == chosen) == (rule == "abramson")
    assert len(chosen["bandwidths"]) == len(X)
    assert all(map(math.isfinite, values(chosen["log_density"])))


@each_implementation
@pytest.mark.parametrize(
    ("loss", "given"), [("quadratic", ""), ("absolute", ""), ("huber", "a"), ("hampel", "abc")]
)
def test_the_recipe_answers_the_thresholds_that_its_loss_has(
    lib: Implementation, loss: str, given: str
) -> None:
    answer = answered(lib, "rkde", loss=loss)
    assert [name for name in "abc" if answer[name] is not None] == list(given)
    assert answer["status"] == "converged"


@each_implementation
def test_the_recipe_is_the_sequence_of_its_parts(lib: Implementation) -> None:
    whole = answered(lib, "rkde", loss="huber", bandwidth=1, quantiles=[0.4, 0.6, 0.8], quantile_rule="hazen")
    parts = answered(lib, "thresholds", quantiles=[0.4, 0.6, 0.8], quantile_rule="hazen")
    assert values([whole["a"]]) == values([parts["a"]])
    loss = {"name": "huber", "a": str(parts["a"])}
    limit = answered(lib, "fixed_point", loss=loss, start="median")
    assert values(whole["weights"]) == values(limit["weights"])
    assert (
        answered(lib, "rkde", loss="absolute", bandwidth=1)["weights"] == answered(lib, "median")["weights"]
    )


@each_implementation
@pytest.mark.parametrize("start", ["uniform", "median", [0.2, 0.2, 0.2, 0.2, 0.2]])
def test_the_recipe_takes_every_option(lib: Implementation, start: object) -> None:
    kernel = {"name": "student", "dof": 3}
    answer = answered(lib, "rkde", loss="huber", kernel=kernel, bandwidth="scott", start=start)
    assert float(answer["bandwidth"]) == float(
        ask({"op": "bandwidth", "X": X, "rule": "scott"}, lib)["bandwidth"]
    )


@each_implementation
def test_one_location_with_a_bandwidth_is_an_answer(lib: Implementation) -> None:
    answer = answered(lib, "rkde", X=[[1], [1]], bandwidth="0.5", loss="hampel")
    assert (answer["status"], answer["certificate"]) == ("single_location", "global")
    names = ("a", "b", "c", "objective", "error_bound", "weights_error_bound")
    assert values([answer[name] for name in names]) == [0] * len(names)
    assert values(answer["weights"]) == [0.5, 0.5]


@each_implementation
def test_depth_ranks_and_detection(lib: Implementation) -> None:
    assert values(answered(lib, "depth", X=[[1], [1]], queries=[[1], ["2.5"]])["depth"]) == [1, 0]
    ranks = answered(lib, "signed_rank", differences=["1e300", "inf", "-inf", 0, "-0.0"])
    assert {name: float(value) for name, value in ranks.items()} == {
        "rank_sum_1": 3.5, "rank_sum_2": 2.5, "statistic": 2.5, "zeros": 2, "p_value": 1
    }  # fmt: skip
    assert isinstance(ranks["zeros"], int)
    area = answered(lib, "auc", scores=["-inf", 2, 2, "inf"], labels=[0, 0, 1, "1"])["auc"]
    assert float(area) == 7 / 8


@each_implementation
def test_influence_of_the_kde(lib: Implementation) -> None:
    """Equations (10) and (11): alpha = -1/n, alpha' = 1, IF = kappa(x, x') - mean of kappa(x, X_i)."""
    answer = answered(lib, "influence")
    assert answer["one_sided"] is False
    assert float(answer["if_coef_new"]) == 1
    assert (len(answer["if_coef"]), len(answer["influence"])) == (3, 2)
    assert float(answer["influence"][1]) < math.exp(-((4 - 5) ** 2) / 2)


@each_implementation
def test_a_kink_has_a_derivative_from_below_too(lib: Implementation) -> None:
    """At a = the largest residual norm of the KDE, which is the fixed point there."""
    request = REQUESTS["influence"][0]
    norms = answered(lib, "residual_norms", X=request["X"], weights=request["weights"])["residual_norms"]
    loss = {"name": "huber", "a": max(norms, key=float)}
    answer = ask({"op": "influence", **request, "loss": loss}, lib)
    assert answer["one_sided"] is True
    assert set(answer["from_below"]) == set(DERIVATIVE_FIELDS)
    for name in DERIVATIVE_FIELDS:
        assert isinstance(answer["from_below"][name], list) == isinstance(answer[name], list)


@each_implementation
@pytest.mark.parametrize(
    ("op", "change", "kind"),
    [
        ("rkde", {"X": [[1], [1]]}, "DegenerateBandwidth"),
        ("rkde", {"X": [[1]]}, "DegenerateBandwidth"),
        ("rkde", {"X": [[0], [1]]}, "DegenerateThresholds"),
        ("rkde", {"X": [[0], [0], [0], [1], [2]], "bandwidth": 1}, "DegenerateThresholds"),
        ("rkde", {"bandwidth": "iqr"}, "InvalidInput"),
        ("rkde", {"bandwidth": 0}, "InvalidInput"),
        ("rkde", {"kernel": {"name": "student"}}, "InvalidInput"),
        ("rkde", {"kernel": {"name": "gaussian", "bandwidth": 1}}, "InvalidInput"),
        ("rkde", {"start": "mean"}, "InvalidInput"),
        ("rkde", {"start": [1, 0]}, "InvalidInput"),
        ("rkde", {"loss": {"name": "huber"}}, "InvalidInput"),
        ("vkde", {"rule": "arithmetic"}, "InvalidInput"),
        ("rkde", {"start": [1, 0, 7, 0, 0]}, "InvalidInput"),
        ("rkde", {"start": [1, 0, 7, 0, 0], "loss": "quadratic"}, "InvalidInput"),
        ("rkde", {"start": [1, 0, 7, 0, 0], "loss": "absolute"}, "InvalidInput"),
        ("rkde", {"start": [1, 0, 7], "X": [[1], [1], [1]], "bandwidth": 1}, "InvalidInput"),
        ("fixed_point", {"start": [1, 0, 7, 0, 0]}, "InvalidInput"),
        ("fixed_point", {"start": [1, 0, 7], "X": [[1], [1], [1]]}, "InvalidInput"),
        ("fixed_point", {"start": "zero"}, "InvalidInput"),
        ("fixed_point", {"loss": {"name": "hampel", "a": 0.01, "b": 0.02, "c": 0.03}}, "AllWeightsZero"),
        ("depth", {"queries": [[0, 1]]}, "InvalidInput"),
        ("depth", {"X": []}, "InvalidInput"),
        ("depth", {"queries": [["nan"]]}, "InvalidInput"),
        ("depth", {"rule": "mean"}, "InvalidInput"),
        ("signed_rank", {"differences": ["nan"]}, "InvalidInput"),
        ("signed_rank", {"differences": 3}, "InvalidInput"),
        ("signed_rank", {"differences": [True]}, "InvalidInput"),
        ("signed_rank", {"differences": [[1]]}, "InvalidInput"),
        ("auc", {"labels": [1, 1, 1]}, "InvalidInput"),
        ("auc", {"labels": [0, 1, 2]}, "InvalidInput"),
        ("auc", {"labels": [0]}, "InvalidInput"),
        ("auc", {"labels": [False, True, True]}, "InvalidInput"),
        ("auc", {"scores": [], "labels": []}, "InvalidInput"),
        ("auc", {"scores": ["nan", 1, 2]}, "InvalidInput"),
        ("influence", {"x_new": [[5]]}, "InvalidInput"),
        ("influence", {"x_new": [5, 5]}, "InvalidInput"),
        ("influence", {"x_new": []}, "InvalidInput"),
        ("influence", {"x_new": ["inf"]}, "InvalidInput"),
        ("influence", {"queries": [[0, 0]]}, "InvalidInput"),
        ("influence", {"weights": [1, 0]}, "InvalidInput"),
        ("influence", {"weights": [1, 0, 0]}, "InvalidInput"),
        ("influence", {"loss": {"name": "huber", "a": 0.1}}, "InvalidInput"),
        ("influence", AT_A_ROW, "NotDifferentiable"),
        ("influence", {"start": "uniform"}, "InvalidInput"),
        ("kernel", {"x": ["1e400"], "kernel": {"name": "gaussian", "bandwidth": "nan"}}, "InvalidInput"),
    ],
)
def test_what_has_no_answer_is_an_error_of_its_kind(
    lib: Implementation, op: str, change: dict[str, object], kind: str
) -> None:
    assert error_kind(ask({"op": op, **REQUESTS[op][0], **change}, lib)) == kind


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

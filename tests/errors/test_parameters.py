"""Parameters of kernels, losses, stop rules, recipes: each bad value is refused with its name and remedy."""

import math
from collections.abc import Callable
from typing import Any

import pytest

import rkde
from rkde.errors import (
    AllWeightsZero,
    DegenerateBandwidth,
    DegenerateThresholds,
    InvalidInput,
    InvalidType,
    NotConverged,
)
from rkde.vocabulary import FixedSteps, RelativeObjective, Stationarity
from tests.errors.expected import Refusal, assert_refused
from tests.support.implementations import Implementation, each_implementation

X = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 2.0], [0.5, 0.5]]
NAN, INF = math.nan, math.inf
# Not finite positive numbers, with the error each is.
BAD_POSITIVE: dict[str, tuple[Any, type[InvalidInput]]] = {
    "zero": (0.0, InvalidInput),
    "negative": (-1.0, InvalidInput),
    "NaN": (NAN, InvalidInput),
    "infinite": (INF, InvalidInput),
    "text": ("wide", InvalidType),
    "None": (None, InvalidType),
    "bool": (True, InvalidType),
    "list": ([1.0], InvalidType),
    "complex": (1j, InvalidType),
}
TAKERS: dict[str, tuple[Callable[[Implementation, Any], object], str]] = {
    "Gaussian bandwidth": (lambda m, v: m.get("Gaussian")(v), "bandwidth"),
    "Laplacian bandwidth": (lambda m, v: m.get("Laplacian")(v), "bandwidth"),
    "Student bandwidth": (lambda m, v: m.get("Student")(v, 2.0), "bandwidth"),
    "Student dof": (lambda m, v: m.get("Student")(1.0, v), "dof"),
    "Huber a": (lambda m, v: m.get("Huber")(v), "a"),
    "Hampel a": (lambda m, v: m.get("Hampel")(v, 2.0, 3.0), "a"),
    "Hampel b": (lambda m, v: m.get("Hampel")(1.0, v, 3.0), "b"),
    "Hampel c": (lambda m, v: m.get("Hampel")(1.0, 2.0, v), "c"),
}


@each_implementation
@pytest.mark.parametrize("taker", TAKERS)
@pytest.mark.parametrize("bad", BAD_POSITIVE)
def test_positive_number(implementation: Implementation, taker: str, bad: str) -> None:
    value, kind = BAD_POSITIVE[bad]
    construct, where = TAKERS[taker]
    refusal = Refusal(bad, lambda m: construct(m, value), kind, (where,), ... if value is None else value)
    assert_refused(implementation, refusal)


def _kernel(m: Implementation) -> Any:
    return m.get("Gaussian")(1.0)


def _kirwls(m: Implementation, **named: object) -> object:
    return m.call("kirwls", X, _kernel(m), m.get("Huber")(0.5), **named)


def _isolated(m: Implementation) -> tuple[Any, Any, Any]:
    """All residual norms are beyond c: nothing is left to weigh."""
    return X, m.get("Gaussian")(0.01), m.get("Hampel")(0.1, 0.2, 0.3)


FRACTIONAL: Any = 2.5
HAMPEL_ORDER = "0 < a <= b < c"
REFUSALS = (
    Refusal("Hampel a > b", lambda m: m.get("Hampel")(2.0, 1.0, 3.0), InvalidInput, (HAMPEL_ORDER,)),
    Refusal("Hampel b = c", lambda m: m.get("Hampel")(1.0, 2.0, 2.0), InvalidInput, (HAMPEL_ORDER,)),
    Refusal("Hampel a = b = c", lambda m: m.get("Hampel")(1.0, 1.0, 1.0), InvalidInput, (HAMPEL_ORDER,)),
    Refusal(
        "Student profile without a dimension",
        lambda m: m.method(m.get("Student")(1.0, 2.0), "profile", m.number(1)),
        InvalidInput,
        ("dim",),
    ),
    Refusal(
        "Student complement without a dimension",
        lambda m: m.method(m.get("Student")(1.0, 2.0), "complement", m.number(1)),
        InvalidInput,
        ("dim",),
    ),
    Refusal("dimension 0", lambda m: m.method(_kernel(m), "log_normaliser", 0), InvalidInput, ("dim",), 0),
    Refusal(
        "a fractional dimension", lambda m: m.method(_kernel(m), "log_normaliser", 1.5), InvalidType, ("dim",)
    ),
    Refusal(
        "negative distance",
        lambda m: m.method(m.get("Huber")(1.0), "rho", m.number(-1)),
        InvalidInput,
        ("t",),
    ),
    Refusal(
        "NaN distance", lambda m: m.method(m.get("Huber")(1.0), "phi", m.number(NAN)), InvalidInput, ("t",)
    ),
    Refusal(
        "negative squared distance",
        lambda m: m.method(_kernel(m), "profile", m.number(-1)),
        InvalidInput,
        ("sqdist",),
    ),
    Refusal("unknown stop rule", lambda m: _kirwls(m, stop="tight"), InvalidType, ("stop",), "tight"),
    Refusal("negative count", lambda m: _kirwls(m, stop=FixedSteps(-1)), InvalidInput, (), -1),
    Refusal("fractional count", lambda m: _kirwls(m, stop=FixedSteps(FRACTIONAL)), InvalidType, (), 2.5),
    Refusal("zero tolerance", lambda m: _kirwls(m, stop=RelativeObjective(0.0)), InvalidInput, ("tol",), 0.0),
    Refusal(
        "negative tolerance", lambda m: _kirwls(m, stop=Stationarity(-1.0)), InvalidInput, ("tol",), -1.0
    ),
    Refusal("NaN tolerance", lambda m: _kirwls(m, stop=RelativeObjective(NAN)), InvalidInput, ("tol",), NAN),
    Refusal("negative cap", lambda m: _kirwls(m, max_iter=-1), InvalidInput, ("max_iter",), -1),
    Refusal("fractional cap", lambda m: _kirwls(m, max_iter=1.5), InvalidType, ("max_iter",), 1.5),
    Refusal(
        "a loss class", lambda m: m.call("kirwls", X, _kernel(m), m.get("Huber")), InvalidType, ("loss",)
    ),
    Refusal(
        "a kernel class", lambda m: m.call("median_rkde", X, m.get("Gaussian")), InvalidType, ("kernel",)
    ),
    Refusal("a kernel's name", lambda m: m.call("kde", X, "gaussian"), InvalidType, ("kernel",), "gaussian"),
    Refusal(
        "unknown bandwidth rule", lambda m: m.call("bandwidth", X, "isj"), InvalidInput, ("median_nn",), "isj"
    ),
    Refusal(
        "unknown rule in the recipe",
        lambda m: m.call("rkde", X, bandwidth="isj"),
        InvalidInput,
        ("median_nn",),
        "isj",
    ),
    Refusal("bandwidth 0", lambda m: m.call("rkde", X, bandwidth=0.0), InvalidInput, ("bandwidth",), 0.0),
    Refusal("unknown recipe", lambda m: m.call("rkde", X, recipe="best"), InvalidInput, ("paper",), "best"),
    Refusal(
        "unknown start",
        lambda m: m.call("rkde", X, start="random"),
        InvalidInput,
        ("median", "uniform"),
        "random",
    ),
    Refusal(
        "unknown fall-back",
        lambda m: m.call("rkde", X, on_degenerate="ignore"),
        InvalidInput,
        ("warn",),
        "ignore",
    ),
    Refusal("a loss object", lambda m: m.call("rkde", X, loss=m.get("Huber")(0.5)), InvalidType, ("loss",)),
    Refusal("a kernel object", lambda m: m.call("rkde", X, kernel=_kernel(m)), InvalidType, ("kernel",)),
    Refusal(
        "unknown vkde rule",
        lambda m: m.call("vkde", X, _kernel(m), rule="other"),
        InvalidInput,
        ("abramson",),
        "other",
    ),
    Refusal(
        "unknown quantile rule",
        lambda m: m.call("thresholds", [0.1, 0.2], quantile_rule="matlab"),
        InvalidInput,
        ("linear", "hazen"),
        "matlab",
    ),
    Refusal(
        "quantile above 1",
        lambda m: m.call("thresholds", [0.1], quantiles=(0.5, 0.7, 1.5)),
        InvalidInput,
        ("quantile",),
    ),
    Refusal(
        "negative quantile",
        lambda m: m.call("thresholds", [0.1], quantiles=(-0.5, 0.7, 0.9)),
        InvalidInput,
        ("quantile",),
    ),
    Refusal(
        "NaN quantile",
        lambda m: m.call("thresholds", [0.1], quantiles=(0.5, NAN, 0.9)),
        InvalidInput,
        ("quantile",),
    ),
    Refusal(
        "two quantiles",
        lambda m: m.call("thresholds", [0.1], quantiles=(0.5, 0.7)),
        InvalidInput,
        ("quantile",),
    ),
    Refusal(
        "falling quantiles",
        lambda m: m.call("thresholds", [0.1], quantiles=(0.8, 0.7, 0.9)),
        InvalidInput,
        ("quantile",),
    ),
    Refusal("no distances", lambda m: m.call("thresholds", []), InvalidInput, ("residual_norms",)),
    Refusal("a NaN distance", lambda m: m.call("thresholds", [0.1, NAN]), InvalidInput, ("residual_norms",)),
    Refusal(
        "a negative distance", lambda m: m.call("thresholds", [0.1, -0.5]), InvalidInput, ("residual_norms",)
    ),
    Refusal(
        "all phi zero in a step", lambda m: m.call("kirwls_step", *_isolated(m), [0.2] * 5), AllWeightsZero
    ),
    Refusal("all phi zero in the iteration", lambda m: m.call("kirwls", *_isolated(m)), AllWeightsZero),
    Refusal("all phi zero in the limit", lambda m: m.call("fixed_point", *_isolated(m)), AllWeightsZero),
    Refusal(
        "one row, no bandwidth",
        lambda m: m.call("rkde", [[1.0, 2.0]]),
        DegenerateBandwidth,
        ("n_samples = 1",),
    ),
    Refusal("one location, no bandwidth", lambda m: m.call("rkde", [[1.0]] * 3), DegenerateBandwidth, ("3",)),
    Refusal(
        "half of the rows tied",
        lambda m: m.call("median_nn", [[4.0], [4.0], [4.0], [4.0], [9.0]]),
        DegenerateBandwidth,
        ("median_nn", "4", "5"),
    ),
    Refusal(
        "two rows have no ramp", lambda m: m.call("rkde", [[0.0], [3.0]], bandwidth=1.0), DegenerateThresholds
    ),
    Refusal(
        "a limit within no step",
        lambda m: m.call("fixed_point", X, _kernel(m), m.get("Huber")(0.5), max_iter=0),
        NotConverged,
        ("max_iter",),
    ),
)


@each_implementation
@pytest.mark.parametrize("refusal", REFUSALS, ids=repr)
def test_refusal(implementation: Implementation, refusal: Refusal) -> None:
    assert_refused(implementation, refusal)


@each_implementation
@pytest.mark.parametrize("rule", ["median_nn", "median_nn_distinct", "scott", "silverman"])
@pytest.mark.parametrize("n", [1, 3])
def test_one_location_has_no_bandwidth_under_any_rule(
    implementation: Implementation, rule: str, n: int
) -> None:
    says = (rule, "n_samples = 1") if n == 1 else (rule,)
    refusal = Refusal("one location", lambda m: m.call(rule, [[1.5, 2.0]] * n), DegenerateBandwidth, says)
    assert_refused(implementation, refusal)


def test_every_rule_of_the_front_door_is_named_and_taken() -> None:
    rows = [[0.0], [1.0], [2.0], [4.0], [7.0], [3.0], [5.0], [6.5], [2.5], [1.5]]
    with pytest.raises(InvalidInput, match="bandwidth must be a known name, got 'silvermann'") as caught:
        rkde.fit(rows, bandwidth="silvermann")  # type: ignore[arg-type]
    names = str(caught.value).rpartition("use one of ")[2].split(", ")
    assert "pairwise" in names
    for name in names:
        assert rkde.fit(rows, bandwidth=name).bandwidth > 0  # type: ignore[arg-type]

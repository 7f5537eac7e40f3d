"""Parameters of kernels, losses, stop rules, recipes: each bad value is refused with its name and remedy."""

import math
from collections.abc import Callable
from functools import partial
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
from tests.support.implementations import Implementation

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


@pytest.mark.parametrize(("construct", "where"), TAKERS.values(), ids=TAKERS)
@pytest.mark.parametrize(("value", "kind"), BAD_POSITIVE.values(), ids=BAD_POSITIVE)
def test_positive_number(
    implementation: Implementation, construct: Any, where: str, value: Any, kind: Any
) -> None:
    refusal = Refusal(where, lambda m: construct(m, value), kind, (where,), ... if value is None else value)
    assert_refused(implementation, refusal)


HAMPEL_ORDER = "0 < a <= b < c"
# An expression in the names below, the error, fragments of its message, and the value that it names.
REFUSALS = (
    ('m.get("Hampel")(2.0, 1.0, 3.0)', InvalidInput, (HAMPEL_ORDER,)),
    ('m.get("Hampel")(1.0, 2.0, 2.0)', InvalidInput, (HAMPEL_ORDER,)),
    ('m.get("Hampel")(1.0, 1.0, 1.0)', InvalidInput, (HAMPEL_ORDER,)),
    ('m.method(m.get("Student")(1.0, 2.0), "profile", m.number(1))', InvalidInput, ("dim",)),
    ('m.method(m.get("Student")(1.0, 2.0), "complement", m.number(1))', InvalidInput, ("dim",)),
    ('m.method(gaussian, "log_normaliser", 0)', InvalidInput, ("dim",), 0),
    ('m.method(gaussian, "log_normaliser", 1.5)', InvalidType, ("dim",)),
    ('m.method(m.get("Huber")(1.0), "rho", m.number(-1))', InvalidInput, ("t",)),
    ('m.method(m.get("Huber")(1.0), "phi", m.number(NAN))', InvalidInput, ("t",)),
    ('m.method(gaussian, "profile", m.number(-1))', InvalidInput, ("sqdist",)),
    ('kirwls(stop="tight")', InvalidType, ("stop",), "tight"),
    ("kirwls(stop=FixedSteps(-1))", InvalidInput, (), -1),
    ("kirwls(stop=FixedSteps(2.5))", InvalidType, (), 2.5),
    ("kirwls(stop=RelativeObjective(0.0))", InvalidInput, ("tol",), 0.0),
    ("kirwls(stop=Stationarity(-1.0))", InvalidInput, ("tol",), -1.0),
    ("kirwls(stop=RelativeObjective(NAN))", InvalidInput, ("tol",), NAN),
    ("kirwls(max_iter=-1)", InvalidInput, ("max_iter",), -1),
    ("kirwls(max_iter=1.5)", InvalidType, ("max_iter",), 1.5),
    ('m.call("kirwls", X, gaussian, m.get("Huber"))', InvalidType, ("loss",)),
    ('m.call("median_rkde", X, m.get("Gaussian"))', InvalidType, ("kernel",)),
    ('m.call("kde", X, "gaussian")', InvalidType, ("kernel",), "gaussian"),
    ('m.call("bandwidth", X, "isj")', InvalidInput, ("median_nn",), "isj"),
    ('m.call("rkde", X, bandwidth="isj")', InvalidInput, ("median_nn",), "isj"),
    ('m.call("rkde", X, bandwidth=0.0)', InvalidInput, ("bandwidth",), 0.0),
    ('m.call("rkde", X, recipe="best")', InvalidInput, ("paper",), "best"),
    ('m.call("rkde", X, start="random")', InvalidInput, ("median", "uniform"), "random"),
    ('m.call("rkde", X, on_degenerate="ignore")', InvalidInput, ("warn",), "ignore"),
    ('m.call("rkde", X, loss=huber)', InvalidType, ("loss",)),
    ('m.call("rkde", X, kernel=gaussian)', InvalidType, ("kernel",)),
    ('m.call("rkde", X, kernel="box")', InvalidInput, ("gaussian, student, laplacian",), "box"),
    ('m.call("rkde", X, loss="tukey")', InvalidType, ('a name such as "huber"',), "tukey"),
    ('m.call("rkde", X, loss=None)', InvalidType, ('a name such as "huber"',)),
    ('m.call("depth", X, "gaussian", X)', InvalidType, ("kernel",), "gaussian"),
    ('m.call("vkde", X, gaussian, rule="other")', InvalidInput, ("abramson",), "other"),
    ('m.call("thresholds", [0.1, 0.2], quantile_rule="matlab")', InvalidInput, ("linear", "hazen"), "matlab"),
    ('m.call("thresholds", [0.1], quantiles=(0.5, 0.7, 1.5))', InvalidInput, ("quantile",)),
    ('m.call("thresholds", [0.1], quantiles=(-0.5, 0.7, 0.9))', InvalidInput, ("quantile",)),
    ('m.call("thresholds", [0.1], quantiles=(0.5, NAN, 0.9))', InvalidInput, ("quantile",)),
    ('m.call("thresholds", [0.1], quantiles=(0.5, 0.7))', InvalidInput, ("quantile",)),
    ('m.call("thresholds", [0.1], quantiles=(0.8, 0.7, 0.9))', InvalidInput, ("quantile",)),
    ('m.call("thresholds", [])', InvalidInput, ("residual_norms",)),
    ('m.call("thresholds", [0.1, NAN])', InvalidInput, ("residual_norms",)),
    ('m.call("thresholds", [0.1, -0.5])', InvalidInput, ("residual_norms",)),
    ('m.call("kirwls_step", *isolated, [0.2] * 5)', AllWeightsZero),
    ('m.call("kirwls", *isolated)', AllWeightsZero),
    ('m.call("influence", *isolated, [0.2] * 5, X)', AllWeightsZero),
    ('m.call("fixed_point", *isolated)', AllWeightsZero),
    ('m.call("rkde", [[1.0, 2.0]])', DegenerateBandwidth, ("n_samples = 1",)),
    ('m.call("rkde", [[1.0]] * 3)', DegenerateBandwidth, ("3",)),
    ('m.call("median_nn", [[4.0]] * 4 + [[9.0]])', DegenerateBandwidth, ("median_nn", "4", "5")),
    ('m.call("rkde", [[0.0], [3.0]], bandwidth=1.0)', DegenerateThresholds),
    ('m.call("fixed_point", X, gaussian, huber, max_iter=0)', NotConverged, ("max_iter",)),
    ('m.call("contaminate", X, gaussian, huber, [0.2] * 5, 1.0, X[0])', InvalidInput, ("between -1 and 1",)),
    ('m.call("contaminate", X, gaussian, huber, [0.2] * 5, -1.0, X[0])', InvalidInput, ("between -1 and 1",)),
    ('m.call("contaminate", X, gaussian, huber, [0.2] * 5, NAN, X[0])', InvalidInput, ()),
    ('m.call("auc", [1.0, 2.0], [0, 0.5])', InvalidInput, ("labels",)),
    ('m.call("auc", [1.0, 2.0], [0, NAN])', InvalidInput, ("labels",)),
    ('m.call("auc", [1.0, 2.0], [0, None])', InvalidType, ("labels",)),
    ('m.call("auc", "ab", [0, 1])', InvalidType, ("scores",)),
    ('m.call("auc", 1.0, [0, 1])', InvalidType, ("scores",)),
    ('m.call("roc_curve", [1.0, 2.0], [1, 1])', InvalidInput, ("labels",)),
    ('m.call("roc_curve", [1.0, NAN], [0, 1])', InvalidInput, ("scores",)),
    ('m.call("signed_rank", ["x"])', InvalidType),
    ('m.call("signed_rank", 3.0)', InvalidType),
    ('m.call("kl_divergence", [], [])', InvalidInput),
    ('m.call("kl_divergence", [0.0], [0.0, 1.0])', InvalidInput),
    ('m.call("kl_divergence", [-INF], [0.0])', InvalidInput),
    ('m.call("kl_divergence", [INF], [0.0])', InvalidInput),
    ('m.call("kl_divergence", [0.0], [INF])', InvalidInput),
    ('m.call("kl_divergence", [0.0], [NAN])', InvalidInput),
    ('m.call("kl_divergence", [NAN], [0.0])', InvalidInput),
    ('m.call("kl_divergence", [None], [0.0])', InvalidType),
    ('m.call("kl_divergence", [0.0], 1.0)', InvalidType),
)


def names_of(m: Implementation) -> dict[str, Any]:
    """Return what the names in `REFUSALS` mean for an implementation."""
    gaussian, huber = m.get("Gaussian")(1.0), m.get("Huber")(0.5)
    return {
        "m": m,
        "X": X,
        "NAN": NAN,
        "INF": INF,
        "gaussian": gaussian,
        "huber": huber,
        "kirwls": partial(m.call, "kirwls", X, gaussian, huber),
        # All residual norms are beyond c: nothing is left to weigh.
        "isolated": (X, m.get("Gaussian")(0.01), m.get("Hampel")(0.1, 0.2, 0.3)),
        "FixedSteps": FixedSteps,
        "RelativeObjective": RelativeObjective,
        "Stationarity": Stationarity,
    }


@pytest.mark.parametrize("row", REFUSALS, ids=lambda row: row[0])
def test_refusal(implementation: Implementation, row: tuple[Any, ...]) -> None:
    text, *expected = row

    def attempt(m: Implementation) -> object:
        return eval(text, names_of(m))  # noqa: S307 (our own text)

    assert_refused(implementation, Refusal(text, attempt, *expected))


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

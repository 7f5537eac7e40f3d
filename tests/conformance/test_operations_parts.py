"""Depth, signed ranks, detection and influence through the adapter: fields, answers and errors."""

import math
from typing import Any, Final

import pytest

from rkde.adapter import Implementation, fast_implementation, reference_implementation
from rkde.adapter.operations import DERIVATIVE_FIELDS
from tests.conformance.asking import ask, error_kind

LIBS: Final = {"fast": fast_implementation(), "reference": reference_implementation(25)}
each_implementation = pytest.mark.parametrize("lib", LIBS.values(), ids=LIBS)

GAUSSIAN: Final = {"name": "gaussian", "bandwidth": 1}
QUADRATIC: Final = {"name": "quadratic"}
X: Final = [[0], [1], [3]]
THIRDS: Final = ["0.3333333333333333"] * 3
INFLUENCE: Final = {
    "op": "influence",
    "X": X,
    "kernel": GAUSSIAN,
    "loss": QUADRATIC,
    "weights": THIRDS,
    "x_new": [5],
    "queries": [[0], [4]],
}
AT_A_ROW: Final = {"X": [[0], [0], [9]], "weights": ["0.5", "0.5", 0]}
DEPTH: Final = {"op": "depth", "X": X, "kernel": GAUSSIAN, "queries": [[0]]}
AUC: Final = {"op": "auc", "scores": [1, 2], "labels": [0, 1]}
RANKS: Final = {"op": "signed_rank", "differences": [1, 2]}


@each_implementation
def test_depth(lib: Implementation) -> None:
    assert ask({**DEPTH, "X": [[1], [1]], "queries": [[1], ["2.5"]]}, lib)["depth"] in (
        [1, 0],
        ["1.0", "0.0"],
    )
    assert ask({**DEPTH, "queries": []}, lib) == {"depth": []}


@each_implementation
def test_signed_rank(lib: Implementation) -> None:
    answer = ask({**RANKS, "differences": ["1e300", "inf", "-inf", 0, "-0.0"]}, lib)
    assert {name: float(value) for name, value in answer.items()} == {
        "rank_sum_1": 3.5, "rank_sum_2": 2.5, "statistic": 2.5, "zeros": 2, "p_value": 1
    }  # fmt: skip
    assert isinstance(answer["zeros"], int)
    assert ask({**RANKS, "differences": []}, lib)["zeros"] == 0


@each_implementation
def test_auc(lib: Implementation) -> None:
    assert float(ask({**AUC, "scores": ["-inf", 2, 2, "inf"], "labels": [0, 0, 1, "1"]}, lib)["auc"]) == 7 / 8


@each_implementation
def test_influence_of_the_kde(lib: Implementation) -> None:
    """Equations (10) and (11): alpha = -1/n, alpha' = 1, IF = kappa(x, x') - mean of kappa(x, X_i)."""
    answer = ask(INFLUENCE, lib)
    assert set(answer) == {*DERIVATIVE_FIELDS, "one_sided"}
    assert answer["one_sided"] is False
    assert float(answer["if_coef_new"]) == 1
    assert len(answer["if_coef"]) == len(X)
    assert len(answer["influence"]) == len(INFLUENCE["queries"])
    far = math.exp(-((4 - 5) ** 2) / 2)
    assert float(answer["influence"][1]) < far


def at_the_kink(lib: Implementation, **change: object) -> dict[str, Any]:
    """Ask at a = the largest residual norm of the KDE, which is the fixed point there."""
    norms = ask({"op": "residual_norms", "X": X, "kernel": GAUSSIAN, "weights": THIRDS}, lib)[
        "residual_norms"
    ]
    return ask({**INFLUENCE, "loss": {"name": "huber", "a": max(norms, key=float)}, **change}, lib)


@each_implementation
def test_a_kink_has_a_derivative_from_below_too(lib: Implementation) -> None:
    answer = at_the_kink(lib)
    assert answer["one_sided"] is True
    assert set(answer["from_below"]) == set(DERIVATIVE_FIELDS)
    for name in DERIVATIVE_FIELDS:
        assert isinstance(answer["from_below"][name], list) == isinstance(answer[name], list)


@each_implementation
@pytest.mark.parametrize(
    ("request_", "change", "kind"),
    [
        (DEPTH, {"queries": [[0, 1]]}, "InvalidInput"),
        (DEPTH, {"X": []}, "InvalidInput"),
        (DEPTH, {"queries": [["nan"]]}, "InvalidInput"),
        (DEPTH, {"rule": "mean"}, "InvalidInput"),
        (RANKS, {"differences": ["nan"]}, "InvalidInput"),
        (RANKS, {"differences": 3}, "InvalidInput"),
        (RANKS, {"differences": [True]}, "InvalidInput"),
        (RANKS, {"differences": [[1]]}, "InvalidInput"),
        (AUC, {"labels": [1, 1]}, "InvalidInput"),
        (AUC, {"labels": [0, 2]}, "InvalidInput"),
        (AUC, {"labels": [0]}, "InvalidInput"),
        (AUC, {"labels": [False, True]}, "InvalidInput"),
        (AUC, {"scores": [], "labels": []}, "InvalidInput"),
        (AUC, {"scores": ["nan", 1]}, "InvalidInput"),
        (INFLUENCE, {"x_new": [[5]]}, "InvalidInput"),
        (INFLUENCE, {"x_new": [5, 5]}, "InvalidInput"),
        (INFLUENCE, {"x_new": []}, "InvalidInput"),
        (INFLUENCE, {"x_new": ["inf"]}, "InvalidInput"),
        (INFLUENCE, {"queries": [[0, 0]]}, "InvalidInput"),
        (INFLUENCE, {"weights": [1, 0]}, "InvalidInput"),
        (INFLUENCE, {"weights": [1, 0, 0]}, "InvalidInput"),
        (INFLUENCE, {"loss": {"name": "huber", "a": 0.1}}, "InvalidInput"),
        (INFLUENCE, {"loss": {"name": "absolute"}, **AT_A_ROW}, "NotDifferentiable"),
        (INFLUENCE, {"start": "uniform"}, "InvalidInput"),
    ],
)  # fmt: skip
def test_what_has_no_answer_is_an_error_of_its_kind(
    lib: Implementation, request_: dict[str, object], change: dict[str, object], kind: str
) -> None:
    assert error_kind(ask({**request_, **change}, lib)) == kind

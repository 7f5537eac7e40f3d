"""Which settings an answer belongs to: levels and starts together, and no coincidence beside them."""

import math

import pytest

from rkde.adapter import Json
from rkde.conformance import Case
from rkde.conformance.diagnosis.asking import ask, quantiles
from rkde.conformance.diagnosis.kernels import PATTERNS
from rkde.conformance.diagnosis.search import shows
from rkde.conformance.diagnosis.settings import settings_of
from rkde.conformance.diagnosis.values import numbers
from tests.support.vectors import shipped_cases

CASES = {case.id: case for case in shipped_cases()}
LEVELS: list[Json] = [0.5, 0.95, 1]


def with_settings(case: Case, levels: list[Json], start: str) -> dict[str, Json]:
    """Answer `rkde` for other levels and another start, without thresholds that differ by rounding."""
    problem = {
        "X": case.request["X"],
        "kernel": {"name": "gaussian", "bandwidth": case.expected["bandwidth"]},
    }
    found = quantiles(numbers(ask({"op": "median", **problem})["residual_norms"]), levels, "linear")
    loss: dict[str, Json] = {"name": "hampel", **found}
    limit = ask({"op": "fixed_point", **problem, "loss": loss, "start": start})
    return {**found, "weights": limit["weights"]}


@pytest.mark.parametrize("name", ["rkde/clusters", "rkde/fork-plane-median"])
def test_levels_and_start_are_named_together(name: str) -> None:
    case = CASES[name]
    assert settings_of(case, with_settings(case, LEVELS, "uniform")) == {"authors-levels", "uniform-start"}


@pytest.mark.parametrize("name", ["rkde/bandwidth-given", "rkde/plane-hampel"])
def test_where_two_levels_are_alike_only_the_start_is_named(name: str) -> None:
    """There Hampel's limit from equal weights is Huber's, and it is not for the loss that it is wrong."""
    case = CASES[name]
    answer = {**with_settings(case, LEVELS, "uniform")}
    named = settings_of(case, answer)
    assert "uniform-start" in named
    assert named <= {"uniform-start", "authors-levels"}


def test_the_right_answer_belongs_to_the_settings_asked_for() -> None:
    for name in ("rkde/clusters", "rkde/plane-hampel"):
        case = CASES[name]
        assert settings_of(case, with_settings(case, [0.5, 0.75, 0.85], "median")) == frozenset()


@pytest.mark.parametrize("name", ["kernel/scale-tiny-laplacian", "kernel/scale-huge-gaussian"])
def test_squares_that_leave_float64_accuse_of_no_bandwidth(name: str) -> None:
    case = CASES[name]
    h = float(str(case.request["kernel"]["bandwidth"]))  # type: ignore[index, call-overload]
    peak = {
        "op": "kernel",
        "kernel": case.request["kernel"],
        "x": case.request["x"],
        "Y": [case.request["x"]],
    }
    (at_zero,) = numbers(ask(peak)["log_kernel"])
    far = at_zero if h * h == 0 else -math.inf
    answer: dict[str, Json] = {"log_kernel": [far if math.isfinite(far) else "-inf"] * 2}
    assert [pattern.name for pattern in PATTERNS if shows(pattern, case, answer)] == []

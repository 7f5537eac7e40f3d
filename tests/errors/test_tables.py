"""Tables, queries, weights and starts that are refused: the message names row, column and value.

Public reports: xarray-contrib/xarray-spatial#3628, statsmodels/statsmodels#7195, scipy/scipy#17446,
probabl-ai/skore#3021, lzkelley/kalepy#16, zfit/zfit#620.
"""

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from rkde.errors import InvalidInput, InvalidType
from tests.errors.expected import Refusal, assert_refused
from tests.support.implementations import Implementation

GOOD = [[0.0, 1.0], [2.0, 0.5], [1.0, 3.0], [-1.0, 2.0]]
NAN, INF = math.nan, math.inf


def _replaced(row: int, column: int, cell: object) -> list[list[Any]]:
    return [
        [cell if (i, j) == (row, column) else old for j, old in enumerate(line)]
        for i, line in enumerate(GOOD)
    ]


# Every operation that reads a table, with everything else in order.
READERS: dict[str, Callable[[Implementation, Any], object]] = {
    "residual_norms": lambda m, X: m.call("residual_norms", X, _kernel(m), [0.25] * 4),
    "objective": lambda m, X: m.call("objective", X, _kernel(m), m.get("Huber")(0.5), [0.25] * 4),
    "kirwls_step": lambda m, X: m.call("kirwls_step", X, _kernel(m), m.get("Huber")(0.5), [0.25] * 4),
    "kirwls": lambda m, X: m.call("kirwls", X, _kernel(m), m.get("Huber")(0.5)),
    "fixed_point": lambda m, X: m.call("fixed_point", X, _kernel(m), m.get("Huber")(0.5)),
    "median_rkde": lambda m, X: m.call("median_rkde", X, _kernel(m)),
    "median_nn": lambda m, X: m.call("median_nn", X),
    "median_nn_distinct": lambda m, X: m.call("median_nn_distinct", X),
    "scott": lambda m, X: m.call("scott", X),
    "silverman": lambda m, X: m.call("silverman", X),
    "kde": lambda m, X: m.call("kde", X, _kernel(m)),
    "vkde": lambda m, X: m.call("vkde", X, _kernel(m)),
    "rkde": lambda m, X: m.call("rkde", X),
    "log_density": lambda m, X: m.call("log_density", X, _kernel(m), [0.25] * 4, GOOD),
    "depth": lambda m, X: m.call("depth", X, _kernel(m), GOOD),
    "influence": lambda m, X: m.call("influence", X, _kernel(m), m.get("Quadratic")(), [0.25] * 4, GOOD),
}
# What must be refused as a table: rows, kind, fragments of the message, value.
BAD_TABLES: dict[str, tuple[Any, type[InvalidInput], tuple[str, ...], Any]] = {
    "no rows": ([], InvalidInput, (), ...),
    "no columns": ([[], [], [], []], InvalidInput, ("column",), ...),
    "ragged": ([[0.0, 1.0], [2.0, 0.5], [1.0], [0.0, 1.0]], InvalidInput, ("row 2",), ...),
    "NaN": (_replaced(2, 0, NAN), InvalidInput, ("row 2, column 0",), NAN),
    "infinite": (_replaced(1, 1, -INF), InvalidInput, ("row 1, column 1",), -INF),
    "first of two": (
        [[0.0, 1.0], [2.0, NAN], [INF, 1.0], [0.0, 1.0]],
        InvalidInput,
        ("row 1, column 1",),
        NAN,
    ),
    "text": (_replaced(3, 1, "abc"), InvalidType, ("row 3, column 1",), "abc"),
    "None": (_replaced(2, 1, None), InvalidType, ("row 2, column 1", "None"), ...),
    "an object": (_replaced(1, 0, {}), InvalidType, ("row 1, column 0",), {}),
    "complex": (_replaced(0, 1, 1j), InvalidType, ("1j",), ...),
    "a text": ("abc", InvalidType, (), ...),
    "a number": (3.0, InvalidType, (), ...),
}


def _kernel(implementation: Implementation) -> object:
    return implementation.get("Gaussian")(1.0)


# Every way to evaluate a density.
EVALUATORS: dict[str, Callable[[Implementation, Any], Any]] = {
    "log_density": lambda m, queries: m.call("log_density", GOOD, _kernel(m), [0.25] * 4, queries),
    "kde": lambda m, queries: m.method(m.call("kde", GOOD, _kernel(m)), "log_density", queries),
    "vkde": lambda m, queries: m.method(m.call("vkde", GOOD, _kernel(m)), "log_density", queries),
    "rkde": lambda m, queries: m.method(m.call("rkde", GOOD, bandwidth=1.0), "log_density", queries),
    "density": lambda m, queries: m.method(m.call("kde", GOOD, _kernel(m)), "density", queries),
    "depth": lambda m, queries: m.call("depth", GOOD, _kernel(m), queries),
}
BAD_QUERIES: dict[str, tuple[Any, type[InvalidInput], tuple[str, ...], Any]] = {
    "other columns": ([[1.0, 2.0, 3.0]], InvalidInput, ("3", "2"), ...),
    "one-dimensional": ([1.0, 2.0], InvalidInput, ("columns as the data (2)",), ...),
    "NaN": ([[0.0, 0.0], [0.0, NAN], [1.0, 1.0]], InvalidInput, ("row 1, column 1",), NAN),
    "infinite": ([[INF, 0.0]], InvalidInput, ("row 0, column 0",), INF),
    "text": ([[0.0, "x"]], InvalidType, ("row 0, column 1",), "x"),
}


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_no_query_is_an_empty_answer(implementation: Implementation, evaluator: str) -> None:
    assert len(EVALUATORS[evaluator](implementation, [])) == 0


BAD_WEIGHTS: dict[str, tuple[Any, type[InvalidInput], tuple[str, ...], Any]] = {
    "too few": ([0.5, 0.5], InvalidInput, ("2", "4"), ...),
    "negative": ([-0.25, 0.5, 0.5, 0.25], InvalidInput, ("0",), -0.25),
    "NaN": ([0.5, 0.25, NAN, 0.25], InvalidInput, ("2",), NAN),
    "infinite": ([0.0, INF, 0.0, 0.0], InvalidInput, ("1",), INF),
    "all zero": ([0.0] * 4, InvalidInput, ("sum",), ...),
    "another sum": ([0.5] * 4, InvalidInput, ("sum",), ...),
    "beyond the slack": ([0.25, 0.25, 0.25, 0.25 + 2e-9], InvalidInput, ("sum",), ...),
    "text": ([0.25, "x", 0.25, 0.5], InvalidType, ("1",), "x"),
    "None": ([0.25, 0.25, 0.25, None], InvalidType, ("3",), ...),
    "a number": (1.0, InvalidType, (), ...),
}
WEIGHERS: dict[str, Callable[[Implementation, Any], object]] = {
    "residual_norms": lambda m, w: m.call("residual_norms", GOOD, _kernel(m), w),
    "objective": lambda m, w: m.call("objective", GOOD, _kernel(m), m.get("Huber")(0.5), w),
    "kirwls_step": lambda m, w: m.call("kirwls_step", GOOD, _kernel(m), m.get("Huber")(0.5), w),
    "kirwls": lambda m, w: m.call("kirwls", GOOD, _kernel(m), m.get("Huber")(0.5), weights_init=w),
    "fixed_point": lambda m, w: m.call("fixed_point", GOOD, _kernel(m), m.get("Huber")(0.5), weights_init=w),
    "log_density": lambda m, w: m.call("log_density", GOOD, _kernel(m), w, GOOD),
    "influence": lambda m, w: m.call("influence", GOOD, _kernel(m), m.get("Quadratic")(), w, GOOD),
}


# An explicit start is checked whatever becomes of it: also where no second stage runs.
BAD_STARTS: dict[str, tuple[Any, type[InvalidInput], tuple[str, ...], Any]] = {
    "another sum": ([1, 0, 7], InvalidInput, ("sum",), ...),
    "negative": ([-1, 1, 1], InvalidInput, ("0",), ...),
    "too few": ([0.5, 0.5], InvalidInput, ("2", "3"), ...),
    "NaN": ([NAN, 0, 1], InvalidInput, ("0",), ...),
    "text": (["x", 0, 1], InvalidType, (), ...),
    "a number": (1.0, InvalidType, (), ...),
}
STARTERS: dict[str, Callable[[Implementation, Any], Any]] = {
    f"{loss}, {where}": lambda m, start, loss=loss, X=X: m.call(
        "rkde", X, bandwidth=1.0, loss=m.get(loss), start=start
    )
    for loss in ("Quadratic", "Absolute", "Huber", "Hampel")
    for where, X in {"spread": [[0.0], [1.0], [3.0]], "one location": [[1.0]] * 3}.items()
}

SUITES = {
    "X": (READERS, BAD_TABLES),
    "queries": (EVALUATORS, BAD_QUERIES),
    "weights": (WEIGHERS, BAD_WEIGHTS),
    "start": (STARTERS, BAD_STARTS),
}


@pytest.mark.parametrize(
    ("argument", "taker", "bad"),
    [(argument, *pair) for argument, suite in SUITES.items() for pair in product(*suite)],
)
def test_a_bad_argument_is_refused(
    implementation: Implementation, argument: str, taker: str, bad: str
) -> None:
    takers, inputs = SUITES[argument]
    given, kind, says, value = inputs[bad]
    refusal = Refusal(bad, lambda m: takers[taker](m, given), kind, (*says, argument), value)
    assert_refused(implementation, refusal)


@pytest.mark.parametrize("starter", STARTERS)
def test_a_good_start_is_taken(implementation: Implementation, starter: str) -> None:
    assert STARTERS[starter](implementation, [0.5, 0.25, 0.25]).recipe == "custom"


@pytest.mark.parametrize("weigher", WEIGHERS)
def test_a_sum_within_the_slack_is_rounding(implementation: Implementation, weigher: str) -> None:
    WEIGHERS[weigher](implementation, [0.25, 0.25, 0.25, 0.25 + 5e-10])
    assert_refused(
        implementation,
        Refusal("twice", lambda m: WEIGHERS[weigher](m, [0.25, 0.25, 0.25, 0.25 + 5e-9]), InvalidInput),
    )

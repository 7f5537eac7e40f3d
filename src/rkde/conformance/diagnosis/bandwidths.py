"""Mistakes that show in bandwidth rules, asked for alone or within the recipe."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Final

from rkde.adapter import Json
from rkde.conformance.comparison import as_decimal, compare
from rkde.conformance.diagnosis.asking import ask
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Pattern
from rkde.conformance.diagnosis.nearest import Hypothesis, nearest
from rkde.conformance.diagnosis.values import table
from rkde.conformance.vectors import Case

_BANDWIDTHS: Final = frozenset({"bandwidth", "rkde"})
_OTHER_RULE: Final = {
    "median_nn": "median_nn_distinct",
    "median_nn_distinct": "median_nn",
    "scott": "silverman",
    "silverman": "scott",
}
_SPREADS: Final = frozenset({"scott", "silverman"})
# A smaller bandwidth may be 0 because squares, or single precision, underflow.
_UNDERFLOW: Final = 1e-30
_MEDIAN_NN: Final = "median_nn"
# The distances between more rows than that are slow to list here, and smaller cases tell the same.
_MOST_ROWS: Final = 100


def _rule(case: Case) -> str:
    """Return the rule that a request asks for; empty where it gives a number."""
    field = "rule" if case.op == "bandwidth" else "bandwidth"
    rule = case.request.get(field, _MEDIAN_NN)
    return rule if isinstance(rule, str) and rule in _OTHER_RULE else ""


def _by_rule(case: Case, rule: str) -> float | None:
    value = as_decimal(ask({"op": "bandwidth", "X": case.request["X"], "rule": rule}).get("bandwidth"))
    return None if value is None else float(value)


def _of_spread(case: Case, rule: str) -> Iterator[tuple[str, float | None]]:
    rows = table(case, "X")
    n, columns = len(rows), len(rows[0])
    right = _by_rule(case, rule)
    yield "exchanged-rule", _by_rule(case, _OTHER_RULE[rule])
    if right is not None:
        yield "population-variance", right * math.sqrt((n - 1) / n)
        yield "summed-variance", right * math.sqrt(columns)


def _of_neighbours(case: Case, rule: str) -> Iterator[tuple[str, float | None]]:
    for name, distances in (
        ("", _nearest(case, rule)),
        ("exchanged-rule", _nearest(case, _OTHER_RULE[rule])),
    ):
        if not distances:
            continue
        lower, upper = distances[(len(distances) - 1) // 2], distances[len(distances) // 2]
        yield name, lower + (upper - lower) / 2
        yield f"{name} root-of-median-square", math.hypot(lower, upper) / math.sqrt(2)
        yield f"{name} lower-middle", lower
        yield f"{name} upper-middle", upper


def _nearest(case: Case, rule: str) -> list[float]:
    """Return the sorted distances of the rows to the nearest other one, or the nearest at another place."""
    rows = table(case, "X")
    found = []
    for i, row in enumerate(rows):
        others = [math.dist(row, other) for j, other in enumerate(rows) if j != i]
        kept = [distance for distance in others if rule == _MEDIAN_NN or distance > 0]
        if kept:
            found.append(min(kept))
    return sorted(found)


def _hypotheses(case: Case, rule: str) -> Iterator[Hypothesis]:
    for names, value in _of_spread(case, rule) if rule in _SPREADS else _of_neighbours(case, rule):
        if value:
            yield frozenset(names.split()), {"bandwidth": value}


def _names(name: str, case: Case, answer: Answer) -> bool:
    rule = _rule(case)
    if not rule or not 1 < len(table(case, "X")) <= _MOST_ROWS:
        return False
    return name in nearest(case, answer, _hypotheses(case, rule), AGREEMENT)[0]


def _is_wrong(rules: frozenset[str], case: Case, answer: Answer) -> bool:
    """Tell whether a bandwidth by one of some rules was asked for, and another one answered."""
    given: Json = answer.get("bandwidth")
    if _rule(case) not in rules or given is None:
        return False
    right = case.expected.get("bandwidth")
    return right is None or compare("bandwidth", given, right).error > case.tolerance


def _pattern(name: str, sentence: str, rules: frozenset[str]) -> Pattern:
    return Pattern(
        name,
        sentence,
        "section 6.1.2; docs/bandwidth.md",
        _BANDWIDTHS,
        partial(_names, name),
        most=True,
        concerns=partial(_is_wrong, rules),
    )


def _is_zero(case: Case, answer: Answer) -> bool:
    """Tell whether a bandwidth by neighbours is 0 where it must not be."""
    given, right = as_decimal(answer.get("bandwidth")), as_decimal(case.expected.get("bandwidth"))
    return _rule(case) in _NEIGHBOURS and given == 0 and right is not None and float(right) > _UNDERFLOW


_NEIGHBOURS: Final = frozenset(_OTHER_RULE) - _SPREADS
PATTERNS: Final = (
    Pattern(
        "self-neighbour",
        "the nearest neighbour of every row is the row itself, so the bandwidth is 0: leave the row out",
        "section 6.1.2; docs/bandwidth.md",
        _BANDWIDTHS,
        _is_zero,
        most=True,
        concerns=partial(_is_wrong, _NEIGHBOURS),
    ),
    _pattern("exchanged-rule", "the answer of another bandwidth rule", frozenset(_OTHER_RULE)),
    _pattern("population-variance", "the variance is divided by n instead of n - 1", _SPREADS),
    _pattern("summed-variance", "the variances of the columns are added, not averaged", _SPREADS),
    _pattern(
        "root-of-median-square",
        "the bandwidth is the root of a median of squares: with an even number of rows, average the two "
        "middle distances, not their squares",
        _NEIGHBOURS,
    ),
    _pattern(
        "lower-middle",
        "the bandwidth is the lower of the two middle distances: with an even number of rows, average them",
        _NEIGHBOURS,
    ),
    _pattern(
        "upper-middle",
        "the bandwidth is the upper of the two middle distances: with an even number of rows, average them",
        _NEIGHBOURS,
    ),
)

"""Mistakes that are the right answer to other settings: percentiles, start, quantile rule, loss, stage."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import partial
from typing import Final, cast, get_args

from rkde.adapter import Json
from rkde.conformance.comparison import as_decimal, compare
from rkde.conformance.diagnosis.asking import ask, quantiles, residual_norms, uniform
from rkde.conformance.diagnosis.model import Answer, Kind, Pattern
from rkde.conformance.diagnosis.nearest import Changes, Hypothesis, candidates, nearest
from rkde.conformance.diagnosis.values import numbers, table
from rkde.conformance.vectors import Case
from rkde.vocabulary import QuantileRule

_RECIPE: Final = frozenset({"rkde"})
_LIMITS: Final = frozenset({"rkde", "fixed_point"})
_THRESHOLDS: Final = frozenset({"rkde", "thresholds"})
_ABC: Final = ("a", "b", "c")
# What the protocol takes where `rkde` leaves a setting out.
_KERNEL: Final[dict[str, Json]] = {"name": "gaussian"}
_PAPER_LEVELS: Final[list[Json]] = [0.5, 0.75, 0.85]
_RULE: Final = "linear"
# Levels of published programs in place of the paper's.
_LEVELS: Final[dict[str, list[Json]]] = {
    "p95-for-c": [0.5, 0.75, 0.95],
    "authors-levels": [0.5, 0.95, 1],
    "levels-50-90-95": [0.5, 0.9, 0.95],
    "p90-for-c": [0.5, 0.75, 0.9],
    "largest-for-c": [0.5, 0.75, 1],
}
# Rules differ by a fraction of a gap between residual norms, and there are many: chance comes near to one.
_RULE_NEAR: Final = Decimal("1e-4")
# More rows make each guess slow, and smaller cases tell the same.
_MOST_ROWS: Final = 100
# Several patterns ask of one answer which settings it is near to.
_MOST_KNOWN: Final = 4096
_known: dict[tuple[str, str], Changes] = {}

Problem = Mapping[str, Json]


def settings_of(case: Case, answer: Answer) -> Changes:
    """Name the settings that an answer belongs to, as far as they are not those asked for."""
    key = (repr(case.request), repr(answer))
    if key not in _known:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = _settings_of(case, answer)
    return _known[key]


def _settings_of(case: Case, answer: Answer) -> Changes:
    if case.error or len(table(case, "X")) > _MOST_ROWS:
        return frozenset()
    problem = _problem(case, answer)
    if case.op == "fixed_point":
        return nearest(case, answer, _limits(case, problem, cast(dict[str, Json], case.request["loss"])))[0]
    levels = candidates(case, answer, _thresholds(case, problem))[0]
    rule = _rule_of(case, answer, problem)
    # Where other levels and another rule both explain the thresholds, neither is known.
    found = rule if not levels else frozenset[str]() if rule else frozenset.intersection(*levels)
    return found if case.op == "thresholds" else found | _recipe_of(case, answer, problem, levels)


def _problem(case: Case, answer: Answer) -> Problem:
    """Return rows and kernel, with the answer's own bandwidth, so that a wrong rule hides nothing."""
    kernel = {**_KERNEL, **cast(dict[str, Json], case.request.get("kernel", {}))}
    if case.op == "rkde":
        own = as_decimal(answer.get("bandwidth"))
        kernel["bandwidth"] = answer["bandwidth"] if own and own > 0 else case.expected["bandwidth"]
    return {"X": case.request["X"], "kernel": kernel}


def _thresholds(case: Case, problem: Problem) -> Iterator[tuple[Changes, dict[str, Json]]]:
    """Yield a, b, c as asked for, and at other levels and of the plain estimate's residuals."""
    names = [name for name in _ABC if case.expected.get(name) is not None]
    for changes, found in _all_thresholds(case, problem):
        if found:
            yield changes, {name: found[name] for name in names}


def _all_thresholds(case: Case, problem: Problem) -> Iterator[tuple[Changes, dict[str, Json]]]:
    asked = cast(list[Json], case.request.get("quantiles", _PAPER_LEVELS))
    rule = str(case.request.get("quantile_rule", _RULE))
    for source, norms in (
        (frozenset[str](), numbers(_median(problem)["residual_norms"])),
        (frozenset({"thresholds-of-the-mean"}), residual_norms(problem, uniform(case))),
    ):
        yield source, quantiles(norms, asked, rule)
        for name, levels in _LEVELS.items():
            yield source | {name}, quantiles(norms, levels, rule)
        yield source | {"authors-levels"}, _order_statistics(norms)


def _order_statistics(norms: list[float]) -> dict[str, Json]:
    """Return the authors' thresholds: in falling order the entries n // 2, n // 20 (at least 1) and 1."""
    falling = sorted(norms, reverse=True)
    n = len(falling)
    places = (max(1, n // 2), max(1, n // 20), 1)
    return dict(zip(_ABC, [falling[place - 1] for place in places], strict=True))


def _rule_of(case: Case, answer: Answer, problem: Problem) -> Changes:
    asked = cast(list[Json], case.request.get("quantiles", _PAPER_LEVELS))
    norms = numbers(_median(problem)["residual_norms"])
    right = str(case.request.get("quantile_rule", _RULE))
    hypotheses = [
        (frozenset[str]() if rule == right else frozenset({"quantile-rule"}), quantiles(norms, asked, rule))
        for rule in get_args(QuantileRule)
    ]
    return nearest(case, answer, hypotheses, _RULE_NEAR)[0]


def _recipe_of(case: Case, answer: Answer, problem: Problem, levels: frozenset[Changes]) -> Changes:
    """Name the settings that the weights belong to; where a, b, c leave few levels, only theirs count."""
    loss = str(case.request["loss"])
    if loss in ("quadratic", "absolute"):
        return nearest(case, answer, _limits(case, problem, {"name": loss}))[0]
    hypotheses: list[Hypothesis] = []
    for changes, thresholds in _thresholds(case, problem):
        if levels and changes not in levels:
            continue
        full: dict[str, Json] = {"name": loss, **thresholds}
        limits = _starts(case, problem, full) if changes else _limits(case, problem, full)
        hypotheses += [(changes | more, found) for more, found in limits]
    return nearest(case, answer, hypotheses)[0]


def _limits(case: Case, problem: Problem, loss: dict[str, Json]) -> list[Hypothesis]:
    """Return the limits for a loss from every start, those of other losses, and the start itself."""
    asked = case.request.get("start", "median")
    found: list[Hypothesis] = [(frozenset({"plain-estimate"}), {"weights": uniform(case)})]
    if loss["name"] == "hampel":
        huber = {**problem, "loss": {"name": "huber", "a": loss["a"]}, "start": asked}
        found.append((frozenset({"huber-limit"}), _weights({"op": "fixed_point", **huber})))
    if loss["name"] != "absolute":
        found.append((frozenset({"f-med-for-all"}), _weights({"op": "median", **problem})))
    return _starts(case, problem, loss) + [hypothesis for hypothesis in found if hypothesis[1]]


def _starts(case: Case, problem: Problem, loss: dict[str, Json]) -> list[Hypothesis]:
    asked = case.request.get("start", "median")
    others = [(frozenset({f"{start}-start"}), start) for start in ("uniform", "median") if start != asked]
    found = [
        (changes, _weights({"op": "fixed_point", **problem, "loss": loss, "start": start}))
        for changes, start in [(frozenset[str](), asked), *others]
    ]
    return [hypothesis for hypothesis in found if hypothesis[1]]


def _weights(request: Mapping[str, Json]) -> Answer:
    return {name: value for name, value in ask(request).items() if name == "weights"}


def _median(problem: Problem) -> Answer:
    return ask({"op": "median", **problem})


def _names(name: str, case: Case, answer: Answer) -> bool:
    return name in settings_of(case, answer)


def _wrong_thresholds(case: Case, answer: Answer) -> bool:
    """Tell whether one of a, b, c is wrong."""
    return any(
        compare(name, answer[name], case.expected[name]).error > case.tolerance
        for name in _ABC
        if name in answer and case.expected.get(name) is not None
    )


def _pattern(name: str, sentence: str, see: str, ops: frozenset[str], kind: Kind = Kind.ESTIMATE) -> Pattern:
    return Pattern(name, sentence, see, ops, partial(_names, name), kind)


_PERCENTILES: Final = "section 6.1.2; docs/errata.md, entry 3"
_STAGES: Final = "section 6.1.2; docs/errata.md, entry 8"
PATTERNS: Final = (
    _pattern(
        "p95-for-c",
        "c is the 95th percentile: ten times nearer to the answer than the levels asked for (the paper's are "
        "50, 75 and 85)",
        _PERCENTILES,
        _THRESHOLDS,
    ),
    _pattern(
        "authors-levels",
        "b is the 95th percentile and c the largest residual, as in the authors' program: ten times "
        "nearer to the answer than the levels asked for (the paper's are 50, 75 and 85)",
        "section 6.1.2; docs/limits.md",
        _THRESHOLDS,
    ),
    _pattern(
        "levels-50-90-95",
        "b and c are the 90th and the 95th percentile: ten times nearer to the answer than the levels "
        "asked for (the paper's are 50, 75 and 85)",
        _PERCENTILES,
        _THRESHOLDS,
    ),
    _pattern(
        "p90-for-c",
        "c is the 90th percentile: ten times nearer to the answer than the levels asked for (the paper's are "
        "50, 75 and 85)",
        _PERCENTILES,
        _THRESHOLDS,
    ),
    _pattern(
        "largest-for-c",
        "c is the largest residual: ten times nearer to the answer than the levels asked for (the paper's "
        "are 50, 75 and 85)",
        _PERCENTILES,
        _THRESHOLDS,
    ),
    Pattern(
        "quantile-rule",
        "the quantiles of another rule",
        _PERCENTILES,
        _THRESHOLDS,
        partial(_names, "quantile-rule"),
        most=True,
        concerns=_wrong_thresholds,
    ),
    _pattern(
        "thresholds-of-the-mean",
        "a, b, c belong to the plain estimate's residuals, not to those of f_med",
        _STAGES,
        _THRESHOLDS,
    ),
    _pattern(
        "uniform-start",
        "the limit from equal weights, where the one from f_med was asked for",
        "section 6.1.2; docs/errata.md, entry 1",
        _LIMITS,
    ),
    _pattern(
        "median-start",
        "the limit from f_med, where another start was asked for",
        "section 6.1.2; docs/errata.md, entry 1",
        _LIMITS,
    ),
    _pattern("f-med-for-all", "the weights of f_med: the second stage is missing", _STAGES, _LIMITS),
    _pattern(
        "huber-limit",
        "the limit for Huber's loss, where Hampel's was asked for: does it come down beyond b?",
        "equation (5); docs/protocol.md",
        _LIMITS,
    ),
    _pattern("plain-estimate", "equal weights: no step was taken", "equation (8); docs/errata.md", _LIMITS),
)

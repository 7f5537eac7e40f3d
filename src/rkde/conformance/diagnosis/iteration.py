"""Mistakes that show in steps, limits, thresholds and the recipe."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, cast, get_args

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import ask, changed, quantiles, residual_norms, uniform
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Pattern, agrees
from rkde.conformance.diagnosis.values import in_order, mapped, member, numbers
from rkde.conformance.vectors import Case
from rkde.vocabulary import QuantileRule

_STEP: Final = frozenset({"step"})
_THRESHOLDS: Final = frozenset({"thresholds"})
_RECIPE: Final = frozenset({"rkde", "thresholds"})
_LIMITS: Final = frozenset({"rkde", "fixed_point"})
# Weights at which J has stopped changing in its last digits have half of its digits; who has more has stopped
# for another reason, and who has hardly any may have gone anywhere.
_STANDS: Final = Decimal("1e-9")
_NEAR: Final = Decimal("1e-2")
_FURTHER: Final = 100
_PAPER_LEVELS: Final = (0.5, 0.75, 0.85)
# Levels seen in published programs in place of the paper's.
_P95: Final = (0.5, 0.75, 0.95)
_OTHER_LEVELS: Final = ((0.5, 0.95, 1), (0.5, 0.9, 0.95))


def _sorted_agrees(given: Json, right: Json) -> bool:
    if compare("weights", given, right).error <= AGREEMENT:
        return False
    return compare("weights", in_order(given), in_order(right)).error <= AGREEMENT


def _permuted(case: Case, answer: Answer) -> bool:
    """Tell whether the weights agree after sorting, or psi does: weight times residual, after one step."""
    given, right = answer.get("weights"), case.expected.get("weights")
    if _sorted_agrees(given, right):
        return True
    if case.op != "step" or case.request.get("count") != 1:
        return False
    norms = residual_norms(case, case.request["weights"])
    psis = [_shares([w * r for w, r in zip(numbers(w), norms, strict=False)]) for w in (given, right)]
    return bool(psis[0]) and _sorted_agrees(*psis)


def _shares(values: Sequence[float]) -> Json:
    total = sum(values)
    return cast(Json, [value / total for value in values]) if total else []


def _psi_for_phi(case: Case, answer: Answer) -> bool:
    right = numbers(case.expected.get("weights"))
    if case.request.get("count") != 1 or not right:
        return False
    norms = residual_norms(case, case.request["weights"])
    return agrees(
        case, answer, {"weights": _shares([w * r for w, r in zip(right, norms, strict=False)])}
    )  # fmt: skip


def _not_normalised(case: Case, answer: Answer) -> bool:
    total = sum(numbers(answer.get("weights")))
    if not total or compare("weights", total, 1).error <= AGREEMENT:
        return False
    return agrees(case, answer, mapped(case, ("weights",), lambda weight: weight * total))


def _another_count(case: Case, answer: Answer) -> bool:
    count = case.request.get("count")
    others = [count + 1, count - 1] if isinstance(count, int) else []
    for other in others:
        weights = changed(case, count=other).get("weights")
        if weights is not None and agrees(case, answer, {"weights": weights}):
            return True
    return False


def _reestimated(case: Case, answer: Answer) -> bool:
    """Take the thresholds anew from the current residuals at every step: no fixed loss, so no M-estimator."""
    weights = case.request.get("weights")
    if member(case, "loss") != "hampel":
        return False
    for _ in range(cast(int, case.request["count"])):
        taken = quantiles(residual_norms(case, weights), cast(Json, list(_PAPER_LEVELS)), "linear")
        loss: dict[str, Json] = {"name": "hampel", **taken}
        weights = changed(case, weights=weights, loss=loss, count=1).get("weights") if taken else None
        if weights is None:
            return False
    return agrees(case, answer, {"weights": weights})


def _with_levels(case: Case, answer: Answer, levels: Sequence[float]) -> bool:
    found = changed(case, quantiles=list(levels))
    return agrees(case, answer, {name: found[name] for name in "abc" if found.get(name) is not None})


def _p95(case: Case, answer: Answer) -> bool:
    return _with_levels(case, answer, _P95)


def _other_levels(case: Case, answer: Answer) -> bool:
    return any(_with_levels(case, answer, levels) for levels in _OTHER_LEVELS)


def _another_rule(case: Case, answer: Answer) -> bool:
    fields: dict[str, Json] = {name: case.request[name] for name in ("X", "kernel")}
    norms = ask({"op": "median", **fields})
    values = cast(list[float], norms.get("residual_norms", []))
    rules = [rule for rule in get_args(QuantileRule) if rule != case.request["quantile_rule"]]
    return any(agrees(case, answer, quantiles(values, case.request["quantiles"], rule)) for rule in rules)


def _of_the_mean(case: Case, answer: Answer) -> bool:
    norms = residual_norms(case, uniform(case))
    rule = str(case.request["quantile_rule"])
    return agrees(case, answer, quantiles(norms, case.request["quantiles"], rule))


def _uniform_start(case: Case, answer: Answer) -> bool:
    weights = changed(case, start="uniform").get("weights")
    return weights is not None and agrees(case, answer, {"weights": weights})


def _median_weights(case: Case, answer: Answer) -> bool:
    if member(case, "loss") == "absolute":
        return False
    fields: dict[str, Json] = {"X": case.request["X"], "kernel": case.request.get("kernel")}
    found = ask({"op": "median", **fields}).get("weights") if case.op == "fixed_point" else None
    found = changed(case, loss="absolute").get("weights") if case.op == "rkde" else found
    return found is not None and agrees(case, answer, {"weights": found})


def _stopped_early(case: Case, answer: Answer) -> bool:
    """Tell whether the weights are near the limit, and further steps from them lead to it."""
    given, right = answer.get("weights"), case.expected.get("weights")
    far = compare("weights", given, right).error
    if not _STANDS < far < _NEAR:
        return False
    fields: dict[str, Json] = {name: case.request[name] for name in ("X", "kernel")}
    loss = case.request.get("loss", {"name": "absolute"})
    total = sum(numbers(given))
    weights: Json = [weight / total for weight in numbers(given)] if total else []
    further = ask({"op": "step", **fields, "loss": loss, "weights": weights, "count": _FURTHER}).get(
        "weights"
    )
    return further is not None and 2 * compare("weights", further, right).error < far


def _plain_estimate(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, {"weights": uniform(case)})


PATTERNS: Final = (
    Pattern(
        "weights-permuted",
        "weights agree after sorting: is psi assembled branch by branch, not row by row?",
        frozenset({"step", "fixed_point", "median", "rkde"}),
        _permuted,
    ),
    Pattern("psi-for-phi", "the new weights are psi(r), not phi(r) = psi(r) / r", _STEP, _psi_for_phi),
    Pattern(
        "sum-of-weights",
        "the weights are right up to a factor: divide them by their sum",
        frozenset({"step", "fixed_point", "median", "rkde"}),
        _not_normalised,
    ),
    Pattern("another-count", "the weights of one step more or one less", _STEP, _another_count),
    Pattern(
        "thresholds-at-every-step",
        "a, b, c are taken anew from the residuals at every step: the loss must stay fixed",
        _STEP,
        _reestimated,
    ),
    Pattern("p95-for-c", "95th percentile for c: the paper's levels are 50, 75 and 85", _RECIPE, _p95),
    Pattern(
        "other-levels",
        "other percentiles than those asked for (50/95/100 or 50/90/95)",
        _RECIPE,
        _other_levels,
    ),
    Pattern("quantile-rule", "the quantiles of another rule", _THRESHOLDS, _another_rule),
    Pattern(
        "thresholds-of-the-mean",
        "a, b, c belong to the plain estimate's residuals, not to those of f_med",
        _THRESHOLDS,
        _of_the_mean,
    ),
    Pattern("uniform-start", "matches uniform start instead of f_med", _LIMITS, _uniform_start),
    Pattern("f-med-for-all", "the weights of f_med: the second stage is missing", _LIMITS, _median_weights),
    Pattern(
        "stopped-early",
        "near the limit, and more steps lead there: iterate until the weights stand still, not until J does",
        frozenset({"fixed_point", "median"}),
        _stopped_early,
    ),
    Pattern(
        "plain-estimate",
        "equal weights: no step was taken",
        frozenset({"step", "fixed_point", "median", "rkde"}),
        _plain_estimate,
    ),
)  # fmt: skip

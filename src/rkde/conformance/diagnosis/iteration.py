"""Mistakes that show in steps, limits, thresholds and the recipe."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from operator import mul
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import ask, changed, quantiles, residual_norms, uniform
from rkde.conformance.diagnosis.losses import BRANCHED, by_branches
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Kind, Pattern, agrees
from rkde.conformance.diagnosis.values import has_few_digits, mapped, member, numbers, table
from rkde.conformance.vectors import Case

_STEP: Final = frozenset({"step"})
_MOVING: Final = frozenset({"step", "fixed_point", "median", "rkde"})
_WEIGHTED: Final = frozenset({"step", "log_density", "residual_norms", "objective"})
# Weights at which J has stopped changing in its last digits have half of its digits; who has more has stopped
# for another reason, and who has hardly any may have gone anywhere.
_STANDS: Final = Decimal("1e-9")
_NEAR: Final = Decimal("1e-2")
_FURTHER: Final = 100
# The sine of the angle by which a step may turn the error: what shrinks faster is that much smaller.
_TURNED: Final = 0.1
# The paper's levels, and those of published programs.
_LEVELS: Final[tuple[list[Json], ...]] = (
    [0.5, 0.75, 0.85],
    [0.5, 0.75, 0.95],
    [0.5, 0.9, 0.95],
    [0.5, 0.95, 1],
)
# The map from residual norms to the next weights, up to a factor.
Weigh = Callable[[list[float]], list[float]]


def _by_branches(case: Case, answer: Answer) -> bool:
    """Tell whether psi, or phi, stands in the order of the branches of the loss instead of the rows."""
    if member(case, "loss") not in BRANCHED:
        return False
    return any(agrees(case, answer, _iterated(case, _joined(case, divided=d))) for d in (True, False))


def _iterated(case: Case, weigh: Weigh) -> dict[str, Json]:
    """Take the steps that a request asks for with another map from residual norms to weights."""
    weights = case.request["weights"]
    for _ in range(cast(int, case.request["count"])):
        weights = _shares(weigh(residual_norms(case.request, weights)))
        if not weights:
            return {}
    # Many mistakes make the weights equal: that tells of none of them.
    equal = compare("weights", weights, uniform(case)).error <= AGREEMENT
    return {} if equal else {"weights": weights}


def _joined(case: Case, *, divided: bool) -> Weigh:
    """Return the map whose psi, or phi, stands in the order of the branches of the loss."""

    def weigh(norms: list[float]) -> list[float]:
        asked = {"op": "loss", "loss": case.request["loss"], "t": cast(Json, norms)}
        value = numbers(ask(asked)["psi" if divided else "phi"])
        joined = [value[i] for i in by_branches(case, norms)]
        return [psi / r for psi, r in zip(joined, norms, strict=True)] if divided else joined

    return weigh


def _shares(values: Sequence[float]) -> Json:
    total = sum(values)
    return cast(Json, [value / total for value in values]) if total else []


def _psi_for_phi(case: Case, answer: Answer) -> bool:
    if case.op == "loss":
        return agrees(case, answer, {"phi": case.expected["psi"]})

    def weigh(norms: list[float]) -> list[float]:
        return numbers(ask({"op": "loss", "loss": case.request["loss"], "t": cast(Json, norms)})["psi"])

    return agrees(case, answer, _iterated(case, weigh))


def _not_normalised(case: Case, answer: Answer) -> bool:
    total = sum(numbers(answer.get("weights")))
    if not total or compare("weights", total, 1).error <= AGREEMENT:
        return False
    if agrees(case, answer, mapped(case, ("weights",), lambda weight: weight * total)):
        return True
    # The values of phi at the right weights, of which these are the sum, are those of one more step.
    count = case.request.get("count")
    further = changed(case, count=count + 1).get("weights") if isinstance(count, int) else None
    scaled: list[Json] = [weight * total for weight in numbers(further)] if further else []
    return bool(scaled) and agrees(case, answer, {"weights": scaled})


def _another_count(case: Case, answer: Answer) -> bool:
    count = case.request.get("count")
    # No step at all is a pattern of its own.
    others = [other for other in (count + 1, count - 1) if other] if isinstance(count, int) else []
    for other in others:
        weights = changed(case, count=other).get("weights")
        if weights is not None and agrees(case, answer, {"weights": weights}):
            return True
    return False


def _reestimated(case: Case, answer: Answer) -> bool:
    """Take the thresholds anew from the current residuals at every step: no fixed loss, so no M-estimator."""
    name = member(case, "loss")
    names = {"huber": ("a",), "hampel": ("a", "b", "c")}.get(name)
    if names is None:
        return False

    def by(levels: list[Json]) -> Weigh:
        def weigh(norms: list[float]) -> list[float]:
            taken = quantiles(norms, levels, "linear")
            loss: dict[str, Json] = {"name": name, **{key: taken[key] for key in names}}
            return numbers(ask({"op": "loss", "loss": loss, "t": cast(Json, norms)})["phi"])

        return weigh

    return any(agrees(case, answer, _iterated(case, by(levels))) for levels in _LEVELS)


def _weights_ignored(case: Case, answer: Answer) -> bool:
    found = changed(case, weights=uniform(case))
    return agrees(case, answer, {name: value for name, value in found.items() if name in case.expected})


def _is_near(case: Case, answer: Answer) -> bool:
    """Tell whether the weights are so near the limit as those of a stopped iteration may be.

    Numbers with few digits lie beside the limit for that reason.
    """
    given = answer.get("weights")
    if given is None or has_few_digits(given):
        return False
    return _STANDS < compare("weights", given, case.expected.get("weights")).error < _NEAR


def _stopped_early(case: Case, answer: Answer) -> bool:
    """Tell whether further steps from the weights lead to the limit, and the first of them straight to it.

    Far along in an iteration only the slowest part of the error is left: one step shrinks it, and does not
    turn it. The limit of another rule, or a limit with something added, is off in any direction.
    """
    if not _is_near(case, answer):
        return False
    given, right = numbers(answer["weights"]), numbers(case.expected["weights"])
    fields, loss = _problem(case)
    weights = [weight / sum(given) for weight in given]

    def error_after(count: int) -> list[float]:
        steps = {"op": "step", **fields, "loss": loss, "weights": cast(Json, weights), "count": count}
        found = numbers(ask(steps)["weights"])
        return [one - other for one, other in zip(found, right, strict=True)]

    start, after = [one - other for one, other in zip(weights, right, strict=True)], error_after(1)
    size = math.hypot(*start)
    factor = sum(map(mul, start, after)) / size**2
    turned = math.hypot(*(one - factor * other for one, other in zip(after, start, strict=True)))
    if not 0 < factor < 1 or turned > _TURNED * factor * size:
        return False
    return 2 * math.hypot(*error_after(_FURTHER)) < size


def _problem(case: Case) -> tuple[dict[str, Json], dict[str, Json]]:
    """Return rows with their kernel, and the loss: the right ones where the recipe finds them."""
    loss = case.request.get("loss", "absolute")
    kernel = {"name": "gaussian", **cast(dict[str, Json], case.request.get("kernel", {}))}
    if case.op == "rkde":
        kernel["bandwidth"] = case.expected["bandwidth"]
        given = {name: case.expected[name] for name in "abc" if case.expected[name] is not None}
        loss = {"name": loss, **given}
    found: dict[str, Json] = loss if isinstance(loss, dict) else {"name": loss}
    return {"X": case.request["X"], "kernel": kernel}, found


def _no_step(case: Case, answer: Answer) -> bool:
    """Compare with the given weights; equal ones may be the answer for another reason."""
    equal = uniform(case)
    given = case.request.get("weights", equal)
    if case.op == "step" and compare("weights", given, equal).error <= AGREEMENT:
        return False
    return len(table(case, "X")) > 1 and agrees(case, answer, {"weights": given})


_STEPS: Final = "equation (8); docs/errata.md"
PATTERNS: Final = (
    Pattern(
        "weights-permuted",
        "the values of psi stand in the order of its branches, not of the rows: choose the branch for "
        "each entry in its place",
        _STEPS,
        _STEP,
        _by_branches,
    ),
    Pattern(
        "psi-for-phi",
        "the new weights are psi(r), not phi(r) = psi(r) / r",
        _STEPS,
        _STEP | {"loss"},
        _psi_for_phi,
    ),
    Pattern(
        "thresholds-at-every-step",
        "a, b, c are taken anew from the residuals at every step: the loss must stay fixed",
        "section 6.1.2; docs/errata.md",
        _STEP,
        _reestimated,
    ),
    Pattern(
        "no-step",
        "the weights at the start: no step was taken",
        _STEPS,
        frozenset({"step", "median"}),
        _no_step,
    ),
    Pattern("another-count", "the weights of one step more or one less", _STEPS, _STEP, _another_count),
    Pattern(
        "weights-ignored",
        "the answer for equal weights, whatever weights are given",
        "equation (7); docs/protocol.md",
        _WEIGHTED,
        _weights_ignored,
    ),
    Pattern(
        "sum-of-weights",
        "the weights are right up to a factor: divide them by their sum",
        _STEPS,
        _MOVING,
        _not_normalised,
    ),
    Pattern(
        "stopped-early",
        "near the limit, and more steps lead straight there: does the iteration stop when J does, as in the "
        "paper? the limit needs weights that stand still",
        "section 6.1.2; docs/limits.md",
        frozenset({"fixed_point", "median", "rkde"}),
        _stopped_early,
        Kind.SYMPTOM,
        most=True,
        concerns=_is_near,
    ),
)

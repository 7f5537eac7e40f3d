"""Mistakes that show in residual norms, and in objectives and steps that are computed from wrong ones."""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.diagnosis.asking import ask, log_peak, quantiles, residual_norms
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Kind, Pattern, agrees
from rkde.conformance.diagnosis.values import mapped, numbers
from rkde.conformance.vectors import Case

_NORMS: Final = frozenset({"residual_norms", "thresholds", "median"})
_RESIDUAL_NORMS: Final = frozenset({"residual_norms"})
_WITH_WEIGHTS: Final = frozenset({"residual_norms", "objective", "step"})
_FIELDS: Final = ("residual_norms", "a", "b", "c")
# Rows at one place, or nearly so, make all formulas alike.
_TELLING: Final = 0.01
# From f(X_i) = (Kw)_i and |f|^2 = w'Kw, with k(x, x) as unit, and from k(x, x) itself, to a wrong norm.
Formula = Callable[[float, float, float], float]


def _squares(case: Case, answer: Answer) -> bool:
    if case.op == "thresholds" and (levels := case.request.get("quantiles")):
        problem = {name: case.request[name] for name in ("X", "kernel")}
        norms = numbers(ask({"op": "median", **problem})["residual_norms"])
        rule = str(case.request.get("quantile_rule", "linear"))
        if agrees(case, answer, quantiles([norm**2 for norm in norms], levels, rule)):
            return True
    return agrees(case, answer, mapped(case, _FIELDS, lambda value: value**2))


def _in_units_of_the_kernel(case: Case, answer: Answer) -> bool:
    peak = log_peak(case)
    if peak is None:
        return False
    # tau is the square root of k(x, x).
    tau = math.exp(peak / 2)
    return agrees(case, answer, mapped(case, _FIELDS, lambda norm: norm * tau))


def _right_norms(case: Case) -> tuple[list[float], list[float]]:
    """Return the weights that a request gives, divided by their sum, and the residual norms at them."""
    given = numbers(case.request["weights"])
    total = sum(given)
    return [weight / total for weight in given], residual_norms(case.request, case.request["weights"])


def _wrong_norms(case: Case, formula: Formula) -> list[float]:
    """Compute residual norms by a wrong formula, from the right ones; a ValueError where it has no value."""
    weights, norms = _right_norms(case)
    if max(norms) < _TELLING:
        return []
    square = 1 - sum(w * r**2 for w, r in zip(weights, norms, strict=True))
    peak = math.exp(cast(float, log_peak(case)))
    return [formula((1 + square - r**2) / 2, square, peak) for r in norms]


def _from_norms(case: Case, norms: Sequence[float]) -> dict[str, Json]:
    """Return what belongs to given residual norms: the norms, J, or the weights after one step."""
    if case.op == "residual_norms":
        return {"residual_norms": cast(Json, list(norms))}
    loss = ask({"op": "loss", "loss": case.request["loss"], "t": cast(Json, list(norms))})
    if case.op == "objective":
        return {"objective": sum(numbers(loss["rho"])) / len(norms)}
    phi = numbers(loss["phi"])
    # Equal weights are the answer of many a mistake.
    if case.request["count"] != 1 or not sum(phi) > 0 or max(phi) - min(phi) <= float(AGREEMENT) * max(phi):
        return {}
    return {"weights": [value / sum(phi) for value in phi]}


def _by(formulas: Sequence[Formula], case: Case, answer: Answer) -> bool:
    """Tell whether an answer belongs to one of several spellings of a wrong formula."""
    return any(agrees(case, answer, found) for found in _answers(formulas, case))


def _answers(formulas: Sequence[Formula], case: Case) -> Iterator[dict[str, Json]]:
    for formula in formulas:
        try:
            norms = _wrong_norms(case, formula)
        except (ArithmeticError, ValueError):
            continue
        if norms:
            yield _from_norms(case, norms)


_RESIDUALS: Final = "section 4; docs/errata.md"
PATTERNS: Final = (
    Pattern("no-square-root", "squared norms: is a square root missing?", _RESIDUALS, _NORMS, _squares),
    Pattern(
        "step-with-squared-norms",
        "the loss is evaluated at squared residual norms: is a square root missing?",
        _RESIDUALS,
        _WITH_WEIGHTS - _NORMS,
        partial(_by, (lambda f, square, _: 1 - 2 * f + square,)),
        rests_on=_RESIDUAL_NORMS,
    ),
    Pattern(
        "bracket-of-the-root",
        "a bracket of the residual norm is in the wrong place: the root is of the whole of "
        "k(x, x) - 2 f(X_i) + |f|^2",
        _RESIDUALS,
        _WITH_WEIGHTS,
        partial(
            _by,
            (
                # Of k(x, x) alone, in the kernel's own unit, with and without the division by tau.
                lambda f, square, peak: (math.sqrt(peak) - peak * (2 * f - square)) / math.sqrt(peak),
                lambda f, square, peak: math.sqrt(peak) - peak * (2 * f - square),
                # Of the first two terms, and of all but the cross term.
                lambda f, square, _: math.sqrt(max(1 - 2 * f, 0)) + square,
                lambda f, square, _: math.sqrt(1 + square) - 2 * f,
            ),
        ),
        rests_on=_RESIDUAL_NORMS,
    ),
    Pattern(
        "cross-term",
        "the cross term of the residual norm is wrong: its square is k(x, x) - 2 f(X_i) + |f|^2",
        _RESIDUALS,
        _WITH_WEIGHTS,
        partial(
            _by,
            (
                lambda f, square, _: math.sqrt(1 + f + square),
                lambda f, square, _: math.sqrt(1 + 2 * f + square),
                lambda f, square, _: math.sqrt(1 - f + square),
                lambda f, _square, _peak: math.sqrt(2 - 2 * f),
            ),
        ),
        rests_on=_RESIDUAL_NORMS,
    ),
    Pattern(
        "unit-of-the-kernel",
        "off by tau: residual norms and thresholds are in units of sqrt(k(x, x))",
        "section 2; docs/protocol.md",
        _NORMS,
        _in_units_of_the_kernel,
        Kind.REPORTED,
    ),
)

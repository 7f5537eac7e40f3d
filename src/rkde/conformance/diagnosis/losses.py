"""Mistakes that show in losses, objectives and residual norms."""

from __future__ import annotations

import math
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import ask, changed, log_peak, uniform
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Pattern, agrees
from rkde.conformance.diagnosis.values import (
    in_order,
    mapped,
    member,
    numbers,
    parameter,
    table,
    wrong_places,
)
from rkde.conformance.vectors import Case

_LOSS: Final = frozenset({"loss"})
_SUMS: Final = frozenset({"objective", "step"})
_NORMS: Final = frozenset({"residual_norms", "thresholds", "median"})


def _branches(case: Case, answer: Answer) -> bool:
    right = case.expected.get("psi")
    given = answer.get("psi")
    if right is None or compare("psi", given, right).error <= AGREEMENT:
        return False
    return compare("psi", in_order(given), in_order(right)).error <= AGREEMENT


def _arguments(case: Case) -> list[float]:
    return numbers(case.request.get("t"))


def _only_beyond_c(case: Case, answer: Answer) -> bool:
    end = parameter(case, "loss", "c")
    places = wrong_places(answer.get("rho"), case.expected.get("rho"), float(AGREEMENT))
    return end is not None and bool(places) and all(_arguments(case)[i] > end for i in places)


def _only_at_zero(case: Case, answer: Answer) -> bool:
    places = wrong_places(answer.get("phi"), case.expected.get("phi"), float(AGREEMENT))
    return bool(places) and all(_arguments(case)[i] == 0 for i in places)


def _exchanged(case: Case, answer: Answer, one: str, other: str) -> bool:
    if one not in case.expected or other not in case.expected:
        return False
    return agrees(case, answer, {one: case.expected[other], other: case.expected[one]})


def _psi_and_phi(case: Case, answer: Answer) -> bool:
    return _exchanged(case, answer, "psi", "phi")


def _sides(case: Case, answer: Answer) -> bool:
    right, left = case.expected.get("q"), case.expected.get("q_left")
    if not isinstance(right, list) or not isinstance(left, list):
        return False
    # At 0 there is no left side, so nothing to take from it.
    taken = [r if side is None else side for r, side in zip(right, left, strict=True)]
    return agrees(case, answer, {"q": cast(Json, taken)})


def _sign_of_q(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, ("q",), lambda value: -value))


def _derivative(case: Case) -> list[Json] | None:
    """Compute psi' from q = t psi' - psi, where t is positive."""
    t, q, psi = _arguments(case), numbers(case.expected.get("q")), numbers(case.expected.get("psi"))
    if not len(t) == len(q) == len(psi) or min(t, default=0.0) <= 0:
        return None
    return [(value + slope) / at for at, value, slope in zip(t, q, psi, strict=True)]


def _psi_prime(case: Case, answer: Answer) -> bool:
    derivative = _derivative(case)
    return derivative is not None and agrees(case, answer, {"q": cast(Json, derivative)})


def _twice_rho(case: Case, answer: Answer) -> bool:
    if member(case, "loss") != "quadratic":
        return False
    return agrees(case, answer, mapped(case, ("rho", "objective"), lambda value: 2 * value))


def _sum(case: Case, answer: Answer) -> bool:
    n = len(table(case, "X"))
    return agrees(case, answer, mapped(case, ("objective",), lambda value: n * value))


def _mean_twice(case: Case, answer: Answer) -> bool:
    n = len(table(case, "X")) or 1
    return agrees(case, answer, mapped(case, ("objective",), lambda value: value / n))


def _huber(case: Case, answer: Answer) -> bool:
    fields = case.request.get("loss")
    if not isinstance(fields, dict) or fields.get("name") != "hampel":
        return False
    return agrees(case, answer, changed(case, loss={"name": "huber", "a": fields["a"]}))


def _path_from_uniform(case: Case, answer: Answer) -> bool:
    given, right = answer.get("objective"), case.expected.get("objective")
    if not isinstance(given, list) or not isinstance(right, list) or wrong_places(given, right, 0.01)[1:]:
        return False
    fields = {name: case.request[name] for name in ("X", "kernel", "loss")}
    other = ask({"op": "objective", **fields, "weights": uniform(case)}).get("objective")
    return other is not None and agrees(case, answer, {"objective": [other, *right[1:]]})


def _squares(case: Case, answer: Answer) -> bool:
    return agrees(case, answer, mapped(case, ("residual_norms", "a", "b", "c"), lambda value: value**2))


def _in_units_of_the_kernel(case: Case, answer: Answer) -> bool:
    peak = log_peak(case)
    if peak is None:
        return False
    # tau is the square root of k(x, x).
    return agrees(
        case, answer, mapped(case, ("residual_norms", "a", "b", "c"), lambda r: r * math.exp(peak / 2))
    )


PATTERNS: Final = (
    Pattern(
        "branch-by-branch",
        "psi agrees after sorting: are its branches joined one after the other instead of by position?",
        _LOSS,
        _branches,
    ),
    Pattern("no-plateau", "rho is wrong beyond c only, where it is constant", _LOSS, _only_beyond_c),
    Pattern("phi-at-zero", "phi is wrong at 0 only, where it has a limit", _LOSS, _only_at_zero),
    Pattern("psi-and-phi", "psi and phi are exchanged", _LOSS, _psi_and_phi),
    Pattern("sides-of-a-kink", "q at a kink is the limit from the left, not from the right", _LOSS, _sides),
    Pattern("sign-of-q", "q has the wrong sign: it is t psi'(t) - psi(t)", _LOSS, _sign_of_q),
    Pattern("psi-prime-for-q", "psi' where q(t) = t psi'(t) - psi(t) was asked for", _LOSS, _psi_prime),
    Pattern(
        "rho-without-half",
        "twice the quadratic: rho(t) is t^2 / 2",
        frozenset({"loss", "objective"}),
        _twice_rho,
    ),
    Pattern("sum-for-mean", "off by n: J is a mean, not a sum", _SUMS, _sum),
    Pattern("mean-twice", "off by 1/n: J is divided by n twice", _SUMS, _mean_twice),
    Pattern(
        "huber-for-hampel",
        "the answer of Huber's loss where Hampel's was asked for: does it come down beyond b?",
        frozenset({"loss", "objective", "step"}),
        _huber,
    ),
    Pattern(
        "path-from-uniform",
        "the first J belongs to equal weights instead of the given ones",
        frozenset({"step"}),
        _path_from_uniform,
    ),
    Pattern("no-square-root", "squared norms: is a square root missing?", _NORMS, _squares),
    Pattern(
        "unit-of-the-kernel",
        "off by tau: residual norms and thresholds are in units of sqrt(k(x, x))",
        _NORMS,
        _in_units_of_the_kernel,
    ),
)  # fmt: skip

"""Mistakes that show in losses and objectives."""

from __future__ import annotations

from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import ask, changed, uniform
from rkde.conformance.diagnosis.model import AGREEMENT, APART, Answer, Kind, Pattern, agrees
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
# What a program computes from a loss; few compute q.
_OF_A_LOSS: Final = ("rho", "psi", "phi", "objective", "weights")
_SUMS: Final = frozenset({"objective", "step"})
_BRANCHED: Final = ("huber", "hampel")
# Fewer equal differences may be chance.
_FEW: Final = 3


def _branches(case: Case, answer: Answer) -> bool:
    """Tell whether psi, phi or rho of a loss with branches has the right values, in another order."""
    return member(case, "loss") in _BRANCHED and any(
        compare(name, answer[name], case.expected[name]).error > AGREEMENT
        and compare(name, in_order(answer[name]), in_order(case.expected[name])).error <= AGREEMENT
        for name in ("psi", "phi", "rho")
        if name in answer
    )


def _arguments(case: Case) -> list[float]:
    return numbers(case.request.get("t"))


def _only_beyond_c(case: Case, answer: Answer) -> bool:
    end = parameter(case, "loss", "c")
    places = wrong_places(answer.get("rho"), case.expected.get("rho"), float(AGREEMENT))
    at = _arguments(case)
    if end is None or not places or all(t > end for t in at) or not _is_right(case, answer, "psi"):
        return False
    return all(at[i] > end for i in places)


def _is_right(case: Case, answer: Answer, name: str) -> bool:
    return name not in answer or compare(name, answer[name], case.expected[name]).error <= AGREEMENT


def _only_at_zero(case: Case, answer: Answer) -> bool:
    places = wrong_places(answer.get("phi"), case.expected.get("phi"), float(AGREEMENT))
    if not places or not _is_right(case, answer, "rho"):
        return False
    return all(_arguments(case)[i] == 0 for i in places)


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
    """Compute psi' from q = t psi' - psi; at 0 it is phi, or 0 for the absolute loss."""
    t, q, psi = _arguments(case), numbers(case.expected.get("q")), numbers(case.expected.get("psi"))
    if not len(t) == len(q) == len(psi):
        return None
    at_zero = 0.0 if member(case, "loss") == "absolute" else 1.0
    return [(value + slope) / at if at else at_zero for at, value, slope in zip(t, q, psi, strict=True)]


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
    found = changed(case, loss={"name": "huber", "a": fields["a"]})
    return agrees(case, answer, {name: found[name] for name in _OF_A_LOSS if name in found})


def _path_from_uniform(case: Case, answer: Answer) -> bool:
    given, right = answer.get("objective"), case.expected.get("objective")
    if not isinstance(given, list) or not isinstance(right, list) or wrong_places(given, right, 0.01)[1:]:
        return False
    fields = {name: case.request[name] for name in ("X", "kernel", "loss")}
    other = ask({"op": "objective", **fields, "weights": uniform(case)}).get("objective")
    return other is not None and agrees(case, answer, {"objective": [other, *right[1:]]})


def _constant_added(case: Case, answer: Answer) -> bool:
    """Tell whether rho is off by one constant at every argument."""
    given, right = numbers(answer.get("rho")), numbers(case.expected.get("rho"))
    if len(given) != len(right) or len(right) < _FEW or max(right) - min(right) <= float(APART):
        return False
    added = given[0] - right[0]
    return abs(added) > float(APART) and agrees(
        case, answer, mapped(case, ("rho",), lambda value: value + added)
    )


def _plateau_doubled(case: Case, answer: Answer) -> bool:
    """Compare with a (b + c - a) beyond c, twice the supremum."""
    end = parameter(case, "loss", "c")
    if end is None:
        return False
    right, at = numbers(case.expected.get("rho")), _arguments(case)
    twice = [2 * value if t >= end else value for value, t in zip(right, at, strict=True)]
    return agrees(case, answer, {"rho": cast(Json, twice)})


def _ramp_not_divided(case: Case, answer: Answer) -> bool:
    """Compare with a ramp c - t that is not divided by c - b."""
    if member(case, "loss") != "hampel":
        return False
    a, b, c = (cast(float, parameter(case, "loss", name)) for name in "abc")
    right = numbers(case.expected.get("psi"))
    psi = [a * (c - t) if b < t <= c else value for value, t in zip(right, _arguments(case), strict=True)]
    return agrees(case, answer, {"psi": cast(Json, psi)})


_PSI: Final = "equations (4) and (5); docs/protocol.md"
_J: Final = "equation (6); docs/protocol.md"
_Q: Final = "section 5; docs/errata.md, entry 9"
PATTERNS: Final = (
    Pattern(
        "branch-by-branch",
        "the values agree after sorting: are the branches of psi joined one after the other instead of by "
        "position?",
        _PSI,
        _LOSS,
        _branches,
    ),
    Pattern(
        "psi-and-phi", "psi and phi are exchanged", "equation (8); docs/protocol.md", _LOSS, _psi_and_phi
    ),
    Pattern(
        "huber-for-hampel",
        "the answer of Huber's loss where Hampel's was asked for: does it come down beyond b?",
        _PSI,
        frozenset({"loss", "objective", "step"}),
        _huber,
    ),
    Pattern(
        "ramp-not-divided",
        "Hampel's psi between b and c is a (c - t), not divided by c - b",
        _PSI,
        _LOSS,
        _ramp_not_divided,
    ),
    Pattern(
        "phi-at-zero",
        "phi is wrong at 0 only, where it is the limit of psi(t)/t: 1 for all but the absolute loss",
        "equation (8); docs/protocol.md",
        _LOSS,
        _only_at_zero,
        beside=True,
    ),
    Pattern(
        "plateau-doubled",
        "rho is twice its supremum beyond c: that is a (b + c - a)/2",
        _PSI,
        _LOSS,
        _plateau_doubled,
    ),
    Pattern("no-plateau", "rho is wrong beyond c only, where it is constant", _PSI, _LOSS, _only_beyond_c),
    Pattern(
        "constant-added",
        "a constant is added to rho at every argument: is a piece of it added whether or not an argument "
        "lies there?",
        _PSI,
        _LOSS,
        _constant_added,
        Kind.REPORTED,
    ),
    Pattern(
        "sides-of-a-kink", "q at a kink is the limit from the left, not from the right", _Q, _LOSS, _sides
    ),
    Pattern("sign-of-q", "q has the wrong sign: it is t psi'(t) - psi(t)", _Q, _LOSS, _sign_of_q),
    Pattern("psi-prime-for-q", "psi' where q(t) = t psi'(t) - psi(t) was asked for", _Q, _LOSS, _psi_prime),
    Pattern(
        "rho-without-half",
        "twice the quadratic: rho(t) is t^2 / 2",
        _J,
        frozenset({"loss", "objective"}),
        _twice_rho,
        Kind.REPORTED,
    ),
    Pattern("sum-for-mean", "off by n: J is a mean, not a sum", _J, _SUMS, _sum, Kind.REPORTED),
    Pattern("mean-twice", "off by 1/n: J is divided by n twice", _J, _SUMS, _mean_twice, Kind.REPORTED),
    Pattern(
        "path-from-uniform",
        "the first J belongs to equal weights instead of the given ones",
        _J,
        frozenset({"step"}),
        _path_from_uniform,
        Kind.REPORTED,
    ),
)

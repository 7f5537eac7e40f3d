"""Mistakes that show in losses and objectives."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from operator import neg
from typing import Final, cast

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.asking import ask, changed, uniform
from rkde.conformance.diagnosis.model import AGREEMENT, Answer, Kind, Pattern, agrees, is_mapped
from rkde.conformance.diagnosis.values import mapped, member, numbers, parameter, table, wrong_places
from rkde.conformance.vectors import Case

_LOSS: Final = frozenset({"loss"})
# What a program computes from a loss; few compute q.
_OF_A_LOSS: Final = ("rho", "psi", "phi", "objective", "weights")
_SUMS: Final = frozenset({"objective", "step"})
BRANCHED: Final = ("huber", "hampel")


def _branches(case: Case, answer: Answer) -> bool:
    """Compare with psi, phi or both, or rho, joined branch by branch; phi also by division of such a psi."""
    if member(case, "loss") not in BRANCHED:
        return False
    at = _arguments(case)
    order = by_branches(case, at)
    rho, psi, phi = (cast(list[Json], case.expected[name]) for name in ("rho", "psi", "phi"))
    joined_psi, joined_phi = [psi[i] for i in order], [phi[i] for i in order]
    # Where the limit of phi at 0 is concerned, a program divides in a way of its own.
    divided = [entry / t if t else 1 for entry, t in zip(numbers(joined_psi), at, strict=True)]
    alternatives: list[dict[str, Json]] = [
        {"psi": joined_psi, "phi": phi},
        {"psi": joined_psi, "phi": joined_phi},
        {"psi": joined_psi, "phi": cast(Json, divided)},
        {"psi": psi, "phi": joined_phi},
        {"rho": [rho[i] for i in order]},
    ]
    return any(agrees(case, answer, alternative) for alternative in alternatives)


def by_branches(case: Case, values: Sequence[float]) -> list[int]:
    """Return the order in which arguments stand when the branches are taken one after another."""
    ends = [end for name in "abc" if (end := parameter(case, "loss", name)) is not None]
    return sorted(range(len(values)), key=lambda i: bisect_left(ends, values[i]))


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


def _exchanged(one: str, other: str, case: Case, answer: Answer) -> bool:
    if one not in case.expected or other not in case.expected:
        return False
    return agrees(case, answer, {one: case.expected[other], other: case.expected[one]})


def _sides(case: Case, answer: Answer) -> bool:
    right, left = case.expected.get("q"), case.expected.get("q_left")
    if not isinstance(right, list) or not isinstance(left, list):
        return False
    # At 0 there is no left side, so nothing to take from it.
    taken = [r if side is None else side for r, side in zip(right, left, strict=True)]
    return agrees(case, answer, {"q": cast(Json, taken)})


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


def _supremum_added(case: Case, answer: Answer) -> bool:
    """Compare with a rho to which its supremum is added, at every argument or at all up to c."""
    a, b, c = (parameter(case, "loss", name) for name in "abc")
    if a is None or b is None or c is None:
        return False
    top = a * (b + c - a) / 2
    right = numbers(case.expected.get("rho"))
    inside = [value + top * (t <= c) for value, t in zip(right, _arguments(case), strict=True)]
    return any(
        agrees(case, answer, {"rho": cast(Json, values)}) for values in (inside, [r + top for r in right])
    )


def _plateau_doubled(case: Case, answer: Answer) -> bool:
    """Compare with a (b + c - a) beyond c, twice the supremum."""
    end = parameter(case, "loss", "c")
    if end is None:
        return False
    right, at = numbers(case.expected.get("rho")), _arguments(case)
    twice = [2 * value if t >= end else value for value, t in zip(right, at, strict=True)]
    return agrees(case, answer, {"rho": cast(Json, twice)})


def _ramp_over(divisor: Callable[[float, float], float], case: Case, answer: Answer) -> bool:
    """Compare with a ramp a (c - t) that is divided by a function of a and c."""
    if member(case, "loss") != "hampel":
        return False
    a, b, c = (cast(float, parameter(case, "loss", name)) for name in "abc")
    right, at = numbers(case.expected.get("psi")), _arguments(case)
    ramp = [a * (c - t) / divisor(a, c) if b < t <= c else value for value, t in zip(right, at, strict=True)]
    return agrees(case, answer, {"psi": cast(Json, ramp)})


_PSI: Final = "equations (4) and (5); docs/protocol.md"
_J: Final = "equation (6); docs/protocol.md"
_Q: Final = "section 5; docs/errata.md, entry 9"
PATTERNS: Final = (
    Pattern(
        "branch-by-branch",
        "the values stand in the order of the branches: are these joined one after the other instead of by "
        "position?",
        _PSI,
        _LOSS,
        _branches,
    ),
    Pattern(
        "psi-and-phi",
        "psi and phi are exchanged",
        "equation (8); docs/protocol.md",
        _LOSS,
        partial(_exchanged, "psi", "phi"),
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
        partial(_ramp_over, lambda _a, _c: 1.0),
    ),
    Pattern(
        "ramp-over-c-minus-a",
        "Hampel's psi between b and c is divided by c - a, not by c - b",
        _PSI,
        _LOSS,
        partial(_ramp_over, lambda a, c: c - a),
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
        "a constant is added to rho at every argument: is one of its pieces added whether or not the "
        "argument lies there?",
        _PSI,
        _LOSS,
        _supremum_added,
        Kind.REPORTED,
    ),
    Pattern(
        "sides-of-a-kink", "q at a kink is the limit from the left, not from the right", _Q, _LOSS, _sides
    ),
    Pattern("sign-of-q", "q has the wrong sign: it is t psi'(t) - psi(t)", _Q, _LOSS, is_mapped(("q",), neg)),
    Pattern("psi-prime-for-q", "psi' where q(t) = t psi'(t) - psi(t) was asked for", _Q, _LOSS, _psi_prime),
    Pattern(
        "rho-without-half",
        "twice the quadratic: rho(t) is t^2 / 2",
        _J,
        frozenset({"loss", "objective"}),
        _twice_rho,
        Kind.REPORTED,
        rests_on=_LOSS,
    ),
    Pattern("sum-for-mean", "off by n: J is taken for a sum, not for a mean", _J, _SUMS, _sum, Kind.REPORTED),
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

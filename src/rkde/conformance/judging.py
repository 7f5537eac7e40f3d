"""Judge one answer: kind of error, fields, digits, and what the answer itself claims to have proved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from rkde.adapter import Json
from rkde.conformance.comparison import EXACT, Comparison, as_decimal, compare, shown
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.vectors import Case, Expected

# What may be claimed about a limit without any proof; every other certificate says more.
UNPROVED: Final = "stationary"
# Where these cases stand, an implementation must tell the kind of a limit and cannot leave it open.
DECIDABLE: Final = frozenset({"BASIC", "SADDLE"})


class Failure(StrEnum):
    """The name of what was wrong with a case.

    Examples
    --------
    >>> Failure("timeout")
    <Failure.TIMEOUT: 'timeout'>
    """

    WRONG_VALUE = "wrong value"
    NO_NUMBER = "no finite number, or another shape"
    MISSING_FIELD = "missing field"
    WRONG_ERROR = "wrong kind of error"
    UNEXPECTED_ERROR = "error instead of a value"
    NO_ERROR = "value instead of an error"
    FALSE_CLAIM = "false certificate or bound"
    TIMEOUT = "timeout"
    CRASH = "crash"
    WRONG_ID = "wrong id"
    EXTRA_OUTPUT = "extra output"
    NOT_JSON = "invalid JSON"
    NOT_STRICT = "JSON that is not strict"
    NOT_AN_OBJECT = "no JSON object"
    TOO_LONG = "line too long"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says about an answer.

    Attributes
    ----------
    digits : float or None
        -log10 of the error of the worst field; None where no value was compared.
    message : str
        What is wrong; empty if nothing is.
    failure : Failure or None
        Its name.
    """

    digits: float | None
    message: str = ""
    failure: Failure | None = None


def judge(answer: Mapping[str, Json], case: Case, tolerance: Decimal) -> Verdict:
    """Compare an answer with what a case expects.

    Parameters
    ----------
    answer : mapping
        The fields of the answer, without its `id`.
    case : Case
        Where it has several right answers, the nearest one counts.
    tolerance : Decimal
        The largest error that passes.

    Returns
    -------
    Verdict
        Nothing is raised for a wrong answer.
    """
    if "error" in answer:
        return _judge_error(answer["error"], case)
    if case.error:
        return Verdict(None, f"the error {case.error} was expected, got a value", Failure.NO_ERROR)
    due = set(ANSWER_FIELDS.get(case.op, ()))
    verdicts = [_judge_values(answer, case, right, due, tolerance) for right in case.right_answers]
    return min(verdicts, key=lambda verdict: (bool(verdict.message), -_or_none(verdict.digits)))


def _or_none(digits: float | None) -> float:
    return float("-inf") if digits is None else digits


def _judge_error(error: Json, case: Case) -> Verdict:
    if not isinstance(error, dict) or not isinstance(error.get("kind"), str):
        return Verdict(None, "an error must be an object with a kind and a message", Failure.WRONG_ERROR)
    kind, text = shown(error["kind"]), shown(error.get("message"))
    if not case.error:
        problem = f"a value was expected, got the error {kind}: {text}"
        return Verdict(None, problem, Failure.UNEXPECTED_ERROR)
    if kind == case.error:
        return Verdict(None)
    return Verdict(
        None, f"the error {case.error} was expected, got {kind}: {text}", Failure.WRONG_ERROR
    )  # fmt: skip


def _judge_values(
    answer: Mapping[str, Json], case: Case, right: Expected, due: set[str], tolerance: Decimal
) -> Verdict:
    missing = sorted((due | right.values.keys()) - answer.keys())
    if missing:
        return Verdict(None, f"the answer lacks {', '.join(missing)}", Failure.MISSING_FIELD)
    found = {
        name: compare(name, answer[name], value, right.radii.get(name, Decimal(0)))
        for name, value in right.values.items()
        if not _leaves_open(name, answer[name], case)
    }
    worst_name, worst = max(
        found.items(), key=lambda item: item[1].error, default=("", Comparison(Decimal(0)))
    )
    digits = worst.digits if found else None
    if worst.problem:
        claimed = worst_name == "certificate"
        return Verdict(digits, worst.problem, Failure.FALSE_CLAIM if claimed else Failure.NO_NUMBER)
    if worst.error > tolerance:
        problem = f"{worst_name}: an error of {worst.error:.1e}, more than {tolerance:.1e}"
        return Verdict(digits, problem, Failure.WRONG_VALUE)
    problem = _false_bound(answer, case, right, due)
    return Verdict(digits, problem, Failure.FALSE_CLAIM if problem else None)


def _leaves_open(name: str, value: Json, case: Case) -> bool:
    """Tell whether a certificate claims less than could be proved, where that is allowed."""
    return name == "certificate" and value == UNPROVED and not DECIDABLE.intersection(case.flags)


def _false_bound(answer: Mapping[str, Json], case: Case, right: Expected, due: set[str]) -> str:
    """Say which bound of the answer is no bound, or does not hold."""
    for name in sorted(due & {"error_bound", "weights_error_bound"}):
        value = answer[name]
        bound = Decimal("Infinity") if value == "inf" else as_decimal(value)
        if bound is None or bound < 0:
            return f"{name}: a number that is not negative was expected, got {shown(value)}"
        if bound.is_infinite() and "BASIC" in case.flags:
            return f"{name}: a finite bound was expected"
        if name == "weights_error_bound":
            error = _largest_difference(answer.get("weights"), right.values.get("weights"))
            if error > EXACT.add(bound, right.radii.get("weights", Decimal(0))):
                return f"{name}: {bound:.1e} is claimed, the error of the weights is {error:.1e}"
    return ""


def _largest_difference(given: Json, right: Json) -> Decimal:
    if not isinstance(given, list) or not isinstance(right, list):
        return Decimal(0)
    pairs = zip(map(as_decimal, given), map(as_decimal, right), strict=True)
    differences = (EXACT.subtract(x, y) for x, y in pairs if x is not None and y is not None)
    return max(map(Decimal.copy_abs, differences), default=Decimal(0))

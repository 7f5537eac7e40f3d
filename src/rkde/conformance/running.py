"""Ask an implementation every case and judge its answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from rkde.adapter import Json
from rkde.conformance.judging import Failure, judge
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.vectors import Case

# What the reference must reach on every case: its 40 digits leave ten for conditioning.
REFERENCE_TOLERANCE: Final = Decimal("1e-30")

Answer = Mapping[str, Json]
Ask = Callable[[Mapping[str, Json]], Answer]


class Outcome(StrEnum):
    """How a case ended.

    Examples
    --------
    >>> [outcome.value for outcome in Outcome]
    ['passed', 'failed', 'unsupported', 'not run']
    """

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What one case showed.

    Attributes
    ----------
    id, op : str
        As in the case.
    outcome : Outcome
        How it ended.
    digits : float or None
        -log10 of the largest error; infinite where the answer is exact, None where nothing was compared.
    message : str
        Why it failed; empty otherwise.
    seconds : float
        The time of the answer.
    failure : Failure or None
        The name of what was wrong.
    flags : tuple of str
        As in the case.
    answer : mapping or None
        The answer of a failed case, as far as it is of use for a diagnosis.

    Examples
    --------
    >>> CaseResult("loss/one", "loss", Outcome.PASSED, 15.5, "", 0.01).digits
    15.5
    """

    id: str
    op: str
    outcome: Outcome
    digits: float | None
    message: str
    seconds: float
    failure: Failure | None = None
    flags: tuple[str, ...] = ()
    answer: Answer | None = None


def unanswered(
    case: Case, outcome: Outcome, message: str = "", failure: Failure | None = None, seconds: float = 0.0
) -> CaseResult:
    """Return the result of a case that has no answer to judge."""
    return CaseResult(case.id, case.op, outcome, None, message, seconds, failure, case.flags)


def check_case(ask: Ask, case: Case, tolerance: Decimal | None = None) -> CaseResult:
    """Ask one case and judge the answer.

    Parameters
    ----------
    ask : callable
        From a request without `id` to its answer.
    case : Case
        The case; its expected values are not shown to `ask`.
    tolerance : Decimal, optional
        Instead of the case's own.

    Returns
    -------
    CaseResult
        Nothing is raised for a wrong answer.

    Examples
    --------
    >>> from rkde.conformance.vectors import load_vectors, shipped_vectors
    >>> case = load_vectors(shipped_vectors())[0]
    >>> check_case(lambda request: {"unsupported": True}, case).outcome.value
    'unsupported'
    """
    begin = time.perf_counter()
    answer = ask(case.request)
    return judged(answer, case, time.perf_counter() - begin, tolerance)


def judged(answer: Answer, case: Case, seconds: float, tolerance: Decimal | None = None) -> CaseResult:
    """Turn an answer into the result of its case.

    Parameters
    ----------
    answer : mapping
        The fields of the answer.
    case : Case
        What was asked.
    seconds : float
        How long the answer took.
    tolerance : Decimal, optional
        Instead of the case's own.

    Returns
    -------
    CaseResult
    """
    if answer.get("unsupported") is True:
        return unanswered(case, Outcome.UNSUPPORTED, seconds=seconds)
    verdict = judge(answer, case, case.tolerance if tolerance is None else tolerance)
    outcome = Outcome.FAILED if verdict.message else Outcome.PASSED
    due = {*case.expected, *ANSWER_FIELDS.get(case.op, ()), "error"}
    kept = {name: value for name, value in answer.items() if name in due}
    return CaseResult(
        case.id,
        case.op,
        outcome,
        verdict.digits,
        verdict.message,
        seconds,
        verdict.failure,
        case.flags,
        kept if verdict.message else None,
    )


def check_cases(
    ask: Ask,
    cases: Iterable[Case],
    *,
    tolerance: Decimal | None = None,
    on_result: Callable[[CaseResult], None] | None = None,
) -> list[CaseResult]:
    """Ask every case in turn.

    Parameters
    ----------
    ask : callable
        From a request without `id` to its answer.
    cases : iterable of Case
        What is asked, in their order.
    tolerance : Decimal, optional
        Instead of each case's own.
    on_result : callable, optional
        Sees each result as it comes.

    Returns
    -------
    list of CaseResult
        One a case. Nothing is raised for a wrong answer.

    Examples
    --------
    >>> from rkde.conformance.vectors import load_vectors, shipped_vectors
    >>> cases = load_vectors(shipped_vectors())[:2]
    >>> [result.outcome.value for result in check_cases(lambda request: {"unsupported": True}, cases)]
    ['unsupported', 'unsupported']
    """
    results = []
    for case in cases:
        result = check_case(ask, case, tolerance)
        if on_result is not None:
            on_result(result)
        results.append(result)
    return results

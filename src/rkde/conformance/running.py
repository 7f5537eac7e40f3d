"""Ask an implementation every case and judge its answers."""

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from rkde.adapter import Json
from rkde.conformance.judging import Failure, Verdict, judge
from rkde.conformance.levels import Level, Part, alike, value_failed
from rkde.conformance.levels import Outcome as Outcome
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.schema import schema_breach
from rkde.conformance.vectors import Case

# What the reference must reach on every case: its 40 digits leave ten for conditioning.
REFERENCE_TOLERANCE: Final = Decimal("1e-30")


@dataclass(frozen=True, slots=True)
class Rules:
    """How answers are judged, beyond what the cases say.

    Attributes
    ----------
    schema : bool
        Whether an answer that the schema of the protocol refuses fails whatever its values are.
    keep : bool
        Whether the answers of passed cases are kept too.

    Examples
    --------
    >>> Rules().keep
    False
    """

    schema: bool = False
    keep: bool = False


_VALUES_ONLY: Final = Rules()
_ELSEWHERE: Final = "not judged at a level that counts"


Answer = Mapping[str, Json]
Ask = Callable[[Mapping[str, Json]], Answer]


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
    parts : tuple of Part
        What it showed at each level at which it is judged.

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
    parts: tuple[Part, ...] = ()


def unanswered(
    case: Case, outcome: Outcome, message: str = "", failure: Failure | None = None, seconds: float = 0.0
) -> CaseResult:
    """Return the result of a case that has no answer to judge."""
    parts = alike(case, outcome, message) if failure is None else value_failed(case, message, failure)
    return CaseResult(case.id, case.op, outcome, None, message, seconds, failure, case.flags, None, parts)


def check_case(
    ask: Ask, case: Case, tolerance: Decimal | None = None, *, rules: Rules = _VALUES_ONLY
) -> CaseResult:
    """Ask one case and judge the answer.

    Parameters
    ----------
    ask : callable
        From a request without `id` to its answer.
    case : Case
        The case; its expected values are not shown to `ask`.
    tolerance : Decimal, optional
        Instead of the case's own.
    rules : Rules
        What is looked at beside the values.

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
    return judged(answer, case, time.perf_counter() - begin, tolerance, rules)


def judged(
    answer: Answer, case: Case, seconds: float, tolerance: Decimal | None = None, rules: Rules = _VALUES_ONLY
) -> CaseResult:
    """Turn an answer into the result of its case."""
    if answer.get("unsupported") is True:
        return unanswered(case, Outcome.UNSUPPORTED, seconds=seconds)
    verdict = judge(answer, case, case.tolerance if tolerance is None else tolerance)
    breach = schema_breach(case.op, answer) if rules.schema else ""
    if breach:
        verdict = Verdict(value_failed(case, breach, Failure.SCHEMA))
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
        kept if verdict.message or rules.keep else None,
        verdict.parts,
    )


def counted(result: CaseResult, levels: Collection[Level]) -> CaseResult:
    """Return a result as it is where only some levels decide.

    Parameters
    ----------
    result : CaseResult
        What a case showed at every level.
    levels : collection of Level
        Those that count; fields beyond the core that an answer lacks do not.

    Returns
    -------
    CaseResult
        Failed if the case failed at one of them, passed if it passed at one, else unsupported or not run,
        with the digits of these levels. No error is raised for a level at which nothing was judged.

    Examples
    --------
    >>> result = CaseResult("loss/huber", "loss", Outcome.FAILED, None, "wrong", 0.01)
    >>> counted(result, ["core"]).outcome.value
    'unsupported'
    """
    parts = [part for part in result.parts if part.level in levels]
    ended = {part.outcome for part in parts}
    order = (Outcome.FAILED, Outcome.PASSED, Outcome.NOT_RUN)
    outcome = next((outcome for outcome in order if outcome in ended), Outcome.UNSUPPORTED)
    wrong = [part for part in parts if part.outcome is Outcome.FAILED]
    lacks = sorted(name for part in wrong for name in part.missing)
    messages = list(dict.fromkeys(part.message for part in wrong if part.message))
    if lacks:
        messages.insert(0, f"the answer lacks {', '.join(lacks)}")
    if outcome is Outcome.NOT_RUN:
        messages = [result.message]
    if outcome is Outcome.UNSUPPORTED and result.outcome is not Outcome.UNSUPPORTED:
        messages = [_ELSEWHERE]
    return replace(
        result,
        outcome=outcome,
        digits=min((part.digits for part in parts if part.digits is not None), default=None),
        message="; ".join(messages),
        failure=wrong[0].failure if wrong else None,
    )


def check_cases(
    ask: Ask,
    cases: Iterable[Case],
    *,
    tolerance: Decimal | None = None,
    rules: Rules = _VALUES_ONLY,
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
    rules : Rules
        What is looked at beside the values.
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
        result = check_case(ask, case, tolerance, rules=rules)
        if on_result is not None:
            on_result(result)
        results.append(result)
    return results

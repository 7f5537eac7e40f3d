"""Ask an implementation every case and judge its answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from rkde.adapter.strict_json import Json
from rkde.conformance.comparison import compare
from rkde.conformance.vectors import Case

# What the reference must reach on every case: its 40 digits leave ten for conditioning.
REFERENCE_TOLERANCE: Final = Decimal("1e-30")

Ask = Callable[[Mapping[str, Json]], Mapping[str, Json]]


class Outcome(StrEnum):
    """How a case ended."""

    PASSED = "passed"
    FAILED = "failed"
    UNSUPPORTED = "unsupported"


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
    """

    id: str
    op: str
    outcome: Outcome
    digits: float | None
    message: str
    seconds: float


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
    """
    begin = time.perf_counter()
    answer = ask(case.request)
    seconds = time.perf_counter() - begin
    if answer.get("unsupported") is True:
        return CaseResult(case.id, case.op, Outcome.UNSUPPORTED, None, "", seconds)
    digits, message = judge(answer, case, case.tolerance if tolerance is None else tolerance)
    outcome = Outcome.FAILED if message else Outcome.PASSED
    return CaseResult(case.id, case.op, outcome, digits, message, seconds)


def check_cases(
    ask: Ask,
    cases: Iterable[Case],
    *,
    tolerance: Decimal | None = None,
    on_result: Callable[[CaseResult], None] | None = None,
) -> list[CaseResult]:
    """Ask every case in turn; `on_result` sees each result as it comes."""
    results = []
    for case in cases:
        result = check_case(ask, case, tolerance)
        if on_result is not None:
            on_result(result)
        results.append(result)
    return results


def judge(answer: Mapping[str, Json], case: Case, tolerance: Decimal) -> tuple[float | None, str]:
    """Compare an answer with what a case expects.

    Returns
    -------
    tuple of (float or None, str)
        The digits of the worst field (None where no value was compared), and the complaint, empty if none.
    """
    error = answer.get("error")
    if isinstance(error, dict):
        kind, text = error.get("kind"), error.get("message")
        if case.error:
            return (
                None,
                "" if kind == case.error else f"the error {case.error} was expected, got {kind}: {text}",
            )
        return None, f"a value was expected, got the error {kind}: {text}"
    if case.error:
        return None, f"the error {case.error} was expected, got a value"
    missing = sorted(case.expected.keys() - answer.keys())
    if missing:
        return None, f"the answer lacks {', '.join(missing)}"
    found = {name: compare(name, answer[name], value) for name, value in case.expected.items()}
    worst_name, worst = max(found.items(), key=lambda item: item[1].error)
    if worst.problem:
        return worst.digits, worst.problem
    if worst.error > tolerance:
        return worst.digits, f"{worst_name}: an error of {worst.error:.1e}, more than {tolerance:.1e}"
    return worst.digits, ""

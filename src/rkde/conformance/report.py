"""What a run of the vectors showed, by operation and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rkde.adapter import Json
from rkde.conformance.running import CaseResult, Outcome


@dataclass(frozen=True, slots=True)
class OperationSummary:
    """The cases of one operation together.

    Attributes
    ----------
    op : str
        The operation.
    cases, passed, failed, unsupported, not_run : int
        How many there were and how they ended.
    worst_digits : float or None
        The least digits of a case with a value; None where no value was compared.
    worst_id : str
        The case that had them; empty where there is none.
    seconds : float
        The time of all answers.
    """

    op: str
    cases: int
    passed: int
    failed: int
    unsupported: int
    not_run: int
    worst_digits: float | None
    worst_id: str
    seconds: float


def summarise(results: Iterable[CaseResult]) -> list[OperationSummary]:
    """Add up results by operation, in the order of first appearance."""
    groups: dict[str, list[CaseResult]] = {}
    for result in results:
        groups.setdefault(result.op, []).append(result)
    return [_summary(op, members) for op, members in groups.items()]


def all_passed(results: Sequence[CaseResult]) -> bool:
    """Tell whether something was compared and nothing failed."""
    ran = [result for result in results if result.outcome is not Outcome.UNSUPPORTED]
    return bool(ran) and all(result.outcome is Outcome.PASSED for result in ran)


def spell_digits(digits: float | None) -> str:
    """Spell digits for people: one decimal place, "exact", or "none"."""
    if digits is None:
        return ""
    if math.isinf(digits):
        return "exact" if digits > 0 else "none"
    return f"{max(digits, 0.0):.1f}"


def finite_digits(digits: float | None) -> float | str | None:
    """Spell infinite digits as a string, since JSON has no number for them."""
    return str(digits) if digits is not None and math.isinf(digits) else digits


def as_json(results: Iterable[CaseResult]) -> list[Json]:
    """Turn results into JSON objects; infinite digits become strings."""
    return [_case_as_json(result) for result in results]


def _case_as_json(result: CaseResult) -> Json:
    return {
        "id": result.id,
        "op": result.op,
        "outcome": str(result.outcome),
        "failure": str(result.failure) if result.failure else None,
        "digits": finite_digits(result.digits),
        "message": result.message,
        "flags": list(result.flags),
        "seconds": result.seconds,
    }


def _summary(op: str, results: list[CaseResult]) -> OperationSummary:
    count = {outcome: sum(result.outcome is outcome for result in results) for outcome in Outcome}
    compared = [(result.digits, result.id) for result in results if result.digits is not None]
    worst_digits, worst_id = min(compared, default=(None, ""))
    return OperationSummary(
        op=op,
        cases=len(results),
        passed=count[Outcome.PASSED],
        failed=count[Outcome.FAILED],
        unsupported=count[Outcome.UNSUPPORTED],
        not_run=count[Outcome.NOT_RUN],
        worst_digits=worst_digits,
        worst_id=worst_id,
        seconds=sum(result.seconds for result in results),
    )

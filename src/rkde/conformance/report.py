"""What a run of the vectors showed, by operation, by level and as JSON."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from rkde.adapter import Json
from rkde.conformance.levels import Level, is_ordinary
from rkde.conformance.plain import plain_numbers
from rkde.conformance.running import CaseResult, Outcome
from rkde.conformance.vectors import Case


@dataclass(frozen=True, slots=True)
class LevelCount:
    """How many cases ended how at one level.

    Attributes
    ----------
    passed, failed : int
        How many were judged, and how.
    absent : int
        Those that are unsupported, or whose answers give none of the fields of the level.
    not_run : int
        Those that were given up.
    """

    passed: int = 0
    failed: int = 0
    absent: int = 0
    not_run: int = 0

    @property
    def judged(self) -> int:
        """How many were passed or failed."""
        return self.passed + self.failed

    @property
    def total(self) -> int:
        """All cases of the level."""
        return self.judged + self.absent + self.not_run


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
    ordinary_digits, edge_digits : float or None
        The least digits of ordinary cases, and of the other ones.
    levels : dict of Level to LevelCount
        The same cases by level; a case may be judged at several.
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
    ordinary_digits: float | None = None
    edge_digits: float | None = None
    levels: dict[Level, LevelCount] = field(default_factory=dict)


def summarise(results: Iterable[CaseResult]) -> list[OperationSummary]:
    """Add up results by operation, in the order of first appearance."""
    groups: dict[str, list[CaseResult]] = {}
    for result in results:
        groups.setdefault(result.op, []).append(result)
    return [_summary(op, members) for op, members in groups.items()]


def count_levels(results: Iterable[CaseResult]) -> dict[Level, LevelCount]:
    """Count by level how the parts of results ended."""
    ended: dict[Level, list[Outcome]] = {level: [] for level in Level}
    for result in results:
        for part in result.parts:
            ended[part.level].append(part.outcome)
    return {
        level: LevelCount(
            outcomes.count(Outcome.PASSED),
            outcomes.count(Outcome.FAILED),
            outcomes.count(Outcome.UNSUPPORTED),
            outcomes.count(Outcome.NOT_RUN),
        )
        for level, outcomes in ended.items()
    }


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


def as_json(
    results: Iterable[CaseResult], cases: Collection[Case] = (), known: Mapping[str, str] | None = None
) -> list[Json]:
    """Turn results into JSON objects; infinite digits become strings."""
    by_id = {case.id: case for case in cases}
    return [_case_as_json(result, by_id.get(result.id), (known or {}).get(result.id)) for result in results]


def counts_as_json(counts: Mapping[Level, LevelCount]) -> dict[str, Json]:
    """Turn counts by level into a JSON object."""
    return {
        str(level): {
            "passed": count.passed,
            "failed": count.failed,
            "absent": count.absent,
            "not_run": count.not_run,
            "total": count.total,
        }
        for level, count in counts.items()
    }


def expected_as_json(case: Case) -> Json:
    """Return what must be answered: an error, the right fields, or a list of several right answers."""
    if case.error:
        return {"error": case.error}
    answers: list[Json] = [dict(right.values) for right in case.right_answers]
    return answers[0] if len(answers) == 1 else answers


def _case_as_json(result: CaseResult, case: Case | None, known: str | None) -> Json:
    told = case is not None and (result.outcome is Outcome.FAILED or result.answer is not None)
    return {
        "id": result.id,
        "op": result.op,
        "outcome": str(result.outcome),
        "failure": str(result.failure) if result.failure else None,
        "digits": finite_digits(result.digits),
        "message": result.message,
        "flags": list(result.flags),
        "seconds": result.seconds,
        "levels": {
            str(part.level): {
                "outcome": str(part.outcome),
                "digits": finite_digits(part.digits),
                "message": part.message,
            }
            for part in result.parts
        },
        "known": known,
        "request": plain_numbers(case.request) if told and case else None,
        "expected": expected_as_json(case) if told and case else None,
        "given": None if result.answer is None else plain_numbers(cast(Json, dict(result.answer))),
    }


def _least(results: Iterable[CaseResult]) -> float | None:
    return min((result.digits for result in results if result.digits is not None), default=None)


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
        ordinary_digits=_least(result for result in results if is_ordinary(result.flags)),
        edge_digits=_least(result for result in results if not is_ordinary(result.flags)),
        levels=count_levels(results),
    )

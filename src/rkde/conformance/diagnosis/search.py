"""Find the patterns that explain the failed cases of a run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from rkde.conformance.diagnosis import densities, iteration, losses, rounding, statistics
from rkde.conformance.diagnosis.model import Answer, Diagnosis, Pattern
from rkde.conformance.running import CaseResult, Outcome
from rkde.conformance.vectors import Case

PATTERNS: Final[tuple[Pattern, ...]] = (
    *densities.PATTERNS,
    *losses.PATTERNS,
    *iteration.PATTERNS,
    *statistics.PATTERNS,
    *rounding.PATTERNS,
)
# A diagnosis is a hint: more than a handful would say nothing.
MOST: Final = 4
# A wrong formula fails in hundreds of cases; so many of each operation, spread evenly, tell which it is.
EXAMINED: Final = 16
# Who has fewer digits than this in an ordinary case has a wrong formula, not too much rounding.
_GROSS: Final = 6
# Cases that lose their digits for a reason of their own have so many fewer than the others.
_CLEARLY: Final = 2


def diagnose(
    cases: Iterable[Case], results: Iterable[CaseResult], patterns: Sequence[Pattern] = PATTERNS
) -> list[Diagnosis]:
    """Explain failed cases.

    Parameters
    ----------
    cases : iterable of Case
        What was asked.
    results : iterable of CaseResult
        How it ended.
    patterns : sequence of Pattern
        What is looked for.

    Returns
    -------
    list of Diagnosis
        The pattern that most failed cases show comes first, then the one that most of the others show, and
        so on; empty if nothing is recognised.
    """
    cases = list(cases)
    by_id = {case.id: case for case in cases}
    wrong = [result for result in results if result.outcome is Outcome.FAILED]
    failed = _examined(wrong)
    shown = {pattern.name: _cases_that_show(pattern, failed, by_id) for pattern in patterns}
    for pattern in patterns:
        if pattern.alone and not _stands_alone(pattern, shown[pattern.name], wrong, cases):
            shown[pattern.name] = set()
    found: list[Diagnosis] = []
    explained: set[str] = set()
    while len(found) < MOST:
        best = max(patterns, key=lambda pattern: len(shown[pattern.name] - explained), default=None)
        if best is None or not shown[best.name] - explained:
            break
        concerned = sum(result.op in best.ops for result in failed)
        found.append(Diagnosis(best.name, best.sentence, tuple(sorted(shown[best.name])), concerned))
        explained |= shown[best.name]
    return found


def _examined(failed: Sequence[CaseResult]) -> list[CaseResult]:
    """Choose at most `EXAMINED` failed cases of each operation, evenly spread."""
    chosen: list[CaseResult] = []
    for op in dict.fromkeys(result.op for result in failed):
        members = [result for result in failed if result.op == op]
        count = min(EXAMINED, len(members))
        chosen += [members[i * len(members) // count] for i in range(count)]
    return chosen


def _cases_that_show(pattern: Pattern, failed: Sequence[CaseResult], by_id: dict[str, Case]) -> set[str]:
    concerned = [result for result in failed if result.op in pattern.ops and result.answer is not None]
    found = {result.id for result in concerned if _shows(pattern, by_id[result.id], result.answer or {})}
    return set() if pattern.common and 2 * len(found) <= len(concerned) else found


def _shows(pattern: Pattern, case: Case, answer: Answer) -> bool:
    """Ask a pattern. An answer may be anything; one that a pattern cannot cope with does not show it."""
    try:
        return pattern.shows(case, answer)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False


def _stands_alone(
    pattern: Pattern, shown: set[str], wrong: Sequence[CaseResult], cases: Iterable[Case]
) -> bool:
    """Tell whether what shows a pattern is the exception: most ordinary cases pass, and none is as bad."""
    concerned = [result for result in wrong if result.op in pattern.ops]
    ops = {result.op for result in concerned}
    ordinary = {case.id for case in cases if case.op in ops and "BASIC" in case.flags and not case.error}
    failed = [result for result in concerned if result.id in ordinary]
    if 2 * len(failed) > len(ordinary) or any(map(_is_grossly_wrong, failed)):
        return False
    others = [result for result in concerned if result.id not in shown and "CANCELLATION" not in result.flags]
    return _least_digits(others) - _least_digits([r for r in concerned if r.id in shown]) > _CLEARLY


def _least_digits(results: Iterable[CaseResult]) -> float:
    """Return the least digits of the cases that have a number to compare; infinite if there is none."""
    digits = (result.digits for result in results if result.digits is not None)
    return min((value for value in digits if math.isfinite(value)), default=math.inf)


def _is_grossly_wrong(result: CaseResult) -> bool:
    return result.digits is not None and result.digits < _GROSS

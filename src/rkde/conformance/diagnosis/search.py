"""Find the patterns that explain the failed cases of a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rkde.conformance.diagnosis import densities, iteration, losses, rounding, statistics
from rkde.conformance.diagnosis.model import Diagnosis, Pattern
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
    by_id = {case.id: case for case in cases}
    failed = _examined([result for result in results if result.outcome is Outcome.FAILED])
    shown = {pattern.name: _cases_that_show(pattern, failed, by_id) for pattern in patterns}
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
    found = {result.id for result in concerned if pattern.shows(by_id[result.id], result.answer or {})}
    return set() if pattern.alone and any(map(_is_grossly_wrong, concerned)) else found


def _is_grossly_wrong(result: CaseResult) -> bool:
    return "BASIC" in result.flags and result.digits is not None and result.digits < _GROSS

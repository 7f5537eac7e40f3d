"""Find the patterns that explain the failed cases of a run."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from rkde.conformance.diagnosis import (
    bandwidths,
    densities,
    iteration,
    kernels,
    losses,
    norms,
    order,
    rounding,
    settings,
    statistics,
)
from rkde.conformance.diagnosis.model import Diagnosis, Kind, Pattern
from rkde.conformance.diagnosis.values import is_well_formed
from rkde.conformance.diagnosis.weighing import Answered, concerns, is_like, outweighs, passed_answer, shows
from rkde.conformance.levels import is_ordinary
from rkde.conformance.protocol import ANSWER_FIELDS
from rkde.conformance.running import CaseResult, Outcome
from rkde.conformance.vectors import Case

PATTERNS: Final[tuple[Pattern, ...]] = (
    *losses.PATTERNS,
    *kernels.PATTERNS,
    *densities.PATTERNS,
    *bandwidths.PATTERNS,
    *norms.PATTERNS,
    *iteration.PATTERNS,
    *settings.PATTERNS,
    *statistics.PATTERNS,
    *order.PATTERNS,
    *rounding.PATTERNS,
)
# A diagnosis is a hint: more than a handful about one operation would say nothing.
MOST: Final = 4
# A wrong formula fails in hundreds of cases; so many of each operation, spread evenly, tell which it is.
EXAMINED: Final = 16
# Cases that lose their digits for a reason of their own have so many fewer than the ordinary ones.
_CLEARLY: Final = 2
# Numbers in single precision have fewer.
_SINGLE_DIGITS: Final = 9
# One number, or some quantiles of the same few, may agree with a wrong formula by coincidence.
_FEW_NUMBERS: Final = frozenset({"bandwidth", "objective", "auc", "thresholds", "rkde"})
# A mistake that leaves no digit of an ordinary number is named before smaller ones.
_GROSS: Final = 1.0
# From the kernel to the recipe: a mistake is named before those that follow from it.
_ORDER: Final = tuple(ANSWER_FIELDS)
_KINDS: Final = tuple(Kind)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run, as a diagnosis reads it: cases and results by id, failed ones that are examined, passed ones."""

    cases: Mapping[str, Case]
    results: Mapping[str, CaseResult]
    failed: tuple[CaseResult, ...]
    passed: tuple[CaseResult, ...]


def diagnose(
    cases: Iterable[Case], results: Iterable[CaseResult], patterns: Sequence[Pattern] = PATTERNS
) -> list[Diagnosis]:
    """Explain failed cases.

    Result: wrong formulas before wrong reports, and both before symptoms, which are named only for cases that
    nothing else explains; within a kind first those that leave no digit of an ordinary number, then in the
    order of the operations and of the patterns. At most `MOST` for each operation; empty if nothing is
    recognised.
    """
    by_id = {case.id: case for case in cases}
    ended = {result.id: result for result in results}
    wrong = [result for result in ended.values() if result.outcome is Outcome.FAILED]
    right = [r for r in ended.values() if r.outcome is Outcome.PASSED and not by_id[r.id].error]
    legible = [r for r in wrong if r.answer is not None and is_well_formed(by_id[r.id], r.answer)]
    examined = _examined(legible)
    run = _Run(by_id, ended, tuple(examined), tuple(right))
    shown = {pattern.name: _cases_that_show(pattern, run) for pattern in patterns}
    found: list[Diagnosis] = []
    explained: set[str] = set()
    room = dict.fromkeys(_ORDER, MOST)
    for symptoms in (False, True):
        candidates = [pattern for pattern in patterns if (pattern.kind is Kind.SYMPTOM) == symptoms]
        while chosen := _best(candidates, shown, explained, room, run):
            pattern, new = chosen
            found.append(_diagnosis(pattern, sorted(shown[pattern.name]), run))
            explained |= new
            for op in {run.cases[i].op for i in new}:
                room[op] -= 1
    places = {pattern.name: place for place, pattern in enumerate(patterns)}
    return sorted(found, key=lambda diagnosis: _rank(run, places, diagnosis))


def _best(
    patterns: Sequence[Pattern],
    shown: Mapping[str, set[str]],
    explained: set[str],
    room: Mapping[str, int],
    run: _Run,
) -> tuple[Pattern, set[str]] | None:
    """Choose the pattern that explains most of what is not explained yet, in operations that have room."""
    new = {name: {i for i in ids - explained if room[run.cases[i].op]} for name, ids in shown.items()}
    best = max(patterns, key=lambda pattern: len(new[pattern.name]), default=None)
    return (best, new[best.name]) if best is not None and new[best.name] else None


def _diagnosis(pattern: Pattern, names: Sequence[str], run: _Run) -> Diagnosis:
    ops = {run.cases[i].op for i in names}
    concerned = sum(result.op in pattern.ops for result in run.failed)
    return Diagnosis(
        pattern.name,
        pattern.sentence,
        pattern.see,
        pattern.kind,
        tuple(op for op in _ORDER if op in ops),
        tuple(names),
        concerned,
        f"--show {names[0]}",
    )


def _rank(run: _Run, places: Mapping[str, int], diagnosis: Diagnosis) -> tuple[int, bool, int, int]:
    first = _ORDER.index(diagnosis.operations[0])
    gross = _is_gross(run, diagnosis)
    return _KINDS.index(diagnosis.kind), not gross, first, places[diagnosis.name]


def _is_gross(run: _Run, diagnosis: Diagnosis) -> bool:
    """Tell whether an ordinary case that the diagnosis explains has no digit right."""
    results = [run.results[i] for i in diagnosis.cases if is_ordinary(run.cases[i].flags)]
    return any(result.digits is not None and result.digits < _GROSS for result in results)


def _examined(results: Sequence[CaseResult]) -> list[CaseResult]:
    """Choose at most `EXAMINED` cases of each operation, evenly spread."""
    chosen: list[CaseResult] = []
    for op in dict.fromkeys(result.op for result in results):
        members = [result for result in results if result.op == op]
        count = min(EXAMINED, len(members))
        chosen += [members[i * len(members) // count] for i in range(count)]
    return chosen


def _cases_that_show(pattern: Pattern, run: _Run) -> set[str]:
    answered = [
        (run.cases[result.id], result.answer or {}) for result in run.failed if result.op in pattern.ops
    ]
    concerned = [(case, answer) for case, answer in answered if concerns(pattern, case, answer)]
    found = {case.id for case, answer in concerned if shows(pattern, case, answer)}
    if pattern.beside:
        found = {i for i in found if _stands_out(i, run)}
    if pattern.twin is not None:
        found = {i for i in found if _twin_passed(run.cases[i], pattern.twin, run)}
    found -= _chance(found, run)
    # What befell every number shows in most cases of all operations, or of one.
    if pattern.most and not (pattern.everywhere and 2 * len(found) > len(concerned)):
        found = _of_most([run.cases[i] for i in found], [case for case, _ in concerned])
    if pattern.everywhere:
        found = {i for i in found if _is_everywhere(run.cases[i].op, found, run)}
    if not found:
        return set()
    return (
        found
        if outweighs(pattern, [run.cases[i] for i in found], concerned, _passed(pattern, found, run))
        else set()
    )


def _of_most(found: Sequence[Case], concerned: Sequence[Case]) -> set[str]:
    """Keep the cases of operations in which they are most of those that are concerned."""
    ops, of_all = (Counter(case.op for case in cases) for cases in (found, concerned))
    return {case.id for case in found if 2 * ops[case.op] > of_all[case.op]}


def _is_everywhere(op: str, found: set[str], run: _Run) -> bool:
    """Tell whether fewer cases of an operation have more digits than single precision than show a pattern.

    A value that came out exact may do so at any precision.
    """
    passed = _examined([result for result in run.passed if result.op == op])
    precise = [r for r in passed if r.digits is not None and _SINGLE_DIGITS < r.digits < math.inf]
    return len(precise) < sum(run.cases[i].op == op for i in found)


def _passed(pattern: Pattern, found: set[str], run: _Run) -> list[Answered]:
    """Choose passed cases that are like some that show a pattern, at most `EXAMINED` of an operation."""
    shown = [run.cases[i] for i in found]
    ops = pattern.rests_on | {case.op for case in shown}
    alike = [
        result
        for result in run.passed
        if result.op in ops and any(is_like(run.cases[result.id], case) for case in shown)
    ]
    return [(run.cases[r.id], passed_answer(run.cases[r.id], r)) for r in _examined(alike)]


def _chance(found: set[str], run: _Run) -> set[str]:
    """Choose the cases of operations with few numbers where a single one of several failures agrees."""
    failed = [result.op for result in run.failed]
    ops = [run.cases[i].op for i in found]
    return {
        i for i in found if (op := run.cases[i].op) in _FEW_NUMBERS and ops.count(op) == 1 < failed.count(op)
    }


def _stands_out(identity: str, run: _Run) -> bool:
    """Tell whether a case has clearly fewer digits than the ordinary ones of its operation mostly have."""
    result = run.results[identity]
    ordinary = [
        other.digits
        for other in run.results.values()
        if other.op == result.op and "BASIC" in other.flags and other.digits is not None
    ]
    own = float("-inf") if result.digits is None else result.digits
    return bool(ordinary) and median(ordinary) - own > _CLEARLY


def _twin_passed(case: Case, twin: Callable[[Case], str], run: _Run) -> bool:
    """Tell whether another case, the same but for what the pattern is about, came out right."""
    shared = twin(case)
    return any(
        twin(other) == shared
        for other in run.cases.values()
        if other.op == case.op
        and other.id != case.id
        and not other.error
        and other.id in run.results
        and run.results[other.id].outcome is Outcome.PASSED
    )

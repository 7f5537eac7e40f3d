"""What speaks against a pattern: cases where its mistake would show, and does not.

A formula that is wrong in one case is wrong in all where it gives another value than the right one. So a case
that passed refutes it there, and a failed one that it does not explain throws doubt on it.
"""

from collections.abc import Callable, Iterable, Sequence

from rkde.conformance.diagnosis.model import Answer, Pattern, trials
from rkde.conformance.diagnosis.values import member
from rkde.conformance.running import CaseResult
from rkde.conformance.vectors import Case

Answered = tuple[Case, Answer]


def shows(pattern: Pattern, case: Case, answer: Answer) -> bool:
    """Ask a pattern. An answer may be anything; one that a pattern cannot cope with does not show it."""
    return _ask(pattern.shows, case, answer)


def concerns(pattern: Pattern, case: Case, answer: Answer) -> bool:
    """Ask whether a pattern concerns an answer, which may be anything."""
    return _ask(pattern.concerns, case, answer)


def _ask(question: Callable[[Case, Answer], bool], case: Case, answer: Answer) -> bool:
    try:
        return question(case, answer)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return False


def would_show(pattern: Pattern, case: Case, answer: Answer) -> bool:
    """Tell whether a mistake would give visibly another value than the right one, however it is spelled."""
    with trials() as noted:
        shows(pattern, case, answer)
    return bool(noted) and all(noted)


def passed_answer(case: Case, result: CaseResult) -> Answer:
    """Return the right answer to a case that passed, without the fields that were not given."""
    missing = {name for part in result.parts for name in part.missing}
    return {name: value for name, value in case.expected.items() if name not in missing}


def is_like(one: Case, other: Case) -> bool:
    """Tell whether two cases have the same kernel and the same loss, as far as both have any."""
    return all(
        member(one, owner) == member(other, owner)
        for owner in ("kernel", "loss")
        if owner in one.request and owner in other.request
    )


def outweighs(
    pattern: Pattern, found: Sequence[Case], failed: Iterable[Answered], passed: Iterable[Answered]
) -> bool:
    """Tell whether the cases that show a pattern are more than those that should show it and do not.

    What counts are cases of the same operation, or of one that the pattern rests on, with the same kernel and
    loss: a mistake is often in one of them only.
    """
    against = 0
    known = {case.id for case in found}
    for case, answer in (*failed, *passed):
        near = [other for other in found if case.op == other.op or case.op in pattern.rests_on]
        if case.id not in known and any(is_like(case, other) for other in near):
            against += would_show(pattern, case, answer)
    return len(found) > against

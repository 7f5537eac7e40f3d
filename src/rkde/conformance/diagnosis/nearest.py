"""The nearest hypothesis: which settings, other than those asked for, an answer is likely to belong to.

An answer that stopped early, or has few digits, agrees with no formula to six of them. It still tells which
settings it belongs to if the answer of those settings is far nearer than the one of the settings asked for.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.model import Answer
from rkde.conformance.vectors import Case

# A loose stopping rule leaves a few hundredths of the largest weight at most.
NEAR: Final = Decimal("0.03")
# How many times nearer than with fewer changes of settings, and than any other change.
TIMES: Final = 10

Changes = frozenset[str]
Hypothesis = tuple[Changes, Answer]


def nearest(
    case: Case, answer: Answer, hypotheses: Iterable[Hypothesis], near: Decimal = NEAR
) -> tuple[Changes, Decimal]:
    """Find the fewest changes of settings that bring the right answer near to the given one.

    Result: the names that all `candidates` share, none if there is no candidate; and the error that is left.
    """
    found, error = candidates(case, answer, hypotheses, near)
    return frozenset.intersection(*found) if found else frozenset(), error


def candidates(
    case: Case, answer: Answer, hypotheses: Iterable[Hypothesis], near: Decimal = NEAR
) -> tuple[frozenset[Changes], Decimal]:
    """Find all changes of settings that the given answer may belong to; parameters as of `nearest`.

    Result: the changes, as few as possible, of which the nearest is `TIMES` nearer than everything with fewer
    changes, and those that are not `TIMES` farther than it; and the error of the nearest.
    """
    hypotheses = list(hypotheses)
    fields = {name for _, found in hypotheses for name in found}
    best: frozenset[Changes] = frozenset()
    error = min(_distance(answer, right.values, fields) for right in case.right_answers)
    for count in sorted({len(changes) for changes, _ in hypotheses}):
        closest = _by_changes(answer, [h for h in hypotheses if len(h[0]) == count])
        distance = min(closest.values())
        if distance <= near and TIMES * distance < error:
            best = frozenset(changes for changes, far in closest.items() if far <= TIMES * distance)
            error = distance
    return best, error


def _by_changes(answer: Answer, hypotheses: Iterable[Hypothesis]) -> dict[Changes, Decimal]:
    found: dict[Changes, Decimal] = {}
    for changes, expected in hypotheses:
        distance = _distance(answer, expected, set(expected))
        found[changes] = min(distance, found.get(changes, distance))
    return found


def _distance(answer: Answer, expected: Mapping[str, object], fields: Iterable[str]) -> Decimal:
    """Return the largest error over the fields that both have; infinite if there is none."""
    errors = [
        compare(name, answer[name], expected[name]).error  # type: ignore[arg-type]
        for name in fields
        if name in answer and expected.get(name) is not None
    ]
    return max(errors, default=Decimal("Infinity"))

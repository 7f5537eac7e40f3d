"""What a diagnosis is: a recognisable pattern in wrong answers, and the cases that show it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import Final

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.diagnosis.values import mapped
from rkde.conformance.vectors import Case, Expected

Answer = Mapping[str, Json]

# An answer that agrees with a wrong formula does so in six digits at least, float32 included; and a right
# answer with some lost digits must not be taken for it: the wrong value must be a thousand times closer.
AGREEMENT: Final = Decimal("1e-6")
CLOSER: Final = 1000
# And the wrong formula must give something else there: where it agrees with the right one to more digits than
# that, an answer tells nothing about which of them was used.
APART: Final = Decimal("1e-5")


class Kind(StrEnum):
    """What a mistake does; the report names them in this order.

    Attributes
    ----------
    ESTIMATE
        A formula or a setting that changes the estimate.
    REPORTED
        The estimate may be right; a number that is reported about it is not.
    SYMPTOM
        What became of the numbers, whichever formula they are from.
    """

    ESTIMATE = "estimate"
    REPORTED = "reported"
    SYMPTOM = "symptom"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A mistake that shows in answers.

    Attributes
    ----------
    name : str
        Identifies it.
    sentence : str
        What to look at, for the author of the implementation.
    see : str
        Where the right formula stands: the place in the paper, and a page of the documentation.
    ops : frozenset of str
        The operations whose answers may show it.
    shows : callable
        From a case and its wrong answer to whether the answer is what the mistake gives.
    kind : Kind
        What it does.
    beside : bool
        The pattern is in the kind of the cases, not in a value: it counts in an operation only if most of its
        ordinary cases have clearly more digits than those that show it.
    twin : callable
        From a case to what it shares with its twin: the pattern counts in a case only if another one of its
        operation that shares it has passed.
    most : bool
        It counts in an operation only if most of its failed cases that the pattern concerns show it.
    concerns : callable
        From a case and its answer to whether the mistake would show there; for patterns that most must show.
    everywhere : bool
        It counts in an operation only if fewer cases came out right to the digits of float64; and if most
        must show it, most of all operations together are enough.
    rests_on : frozenset of str
        Simpler operations in which the mistake would show as well: where they pass, it is refuted.
    """

    name: str
    sentence: str
    see: str
    ops: frozenset[str]
    shows: Callable[[Case, Answer], bool]
    kind: Kind = Kind.ESTIMATE
    beside: bool = False
    twin: Callable[[Case], str] | None = None
    most: bool = False
    concerns: Callable[[Case, Answer], bool] = field(default=lambda case, answer: True)  # noqa: ARG005
    everywhere: bool = False
    rests_on: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A pattern that was found.

    Attributes
    ----------
    name, sentence, see, kind : str
        Those of the pattern.
    operations : tuple of str
        The operations whose answers show it.
    cases : tuple of str
        The failed cases that show it, among those examined.
    failed : int
        How many failed cases of its operations were examined.
    next : str
        The option of `rkde verify` that shows one of the cases.
    """

    name: str
    sentence: str
    see: str
    kind: Kind
    operations: tuple[str, ...]
    cases: tuple[str, ...]
    failed: int
    next: str

    def __str__(self) -> str:
        count = f"{len(self.cases)} of {self.failed} failed cases examined"
        return f"{self.sentence} ({count}, such as {self.cases[0]}). See {self.see}; look at {self.next}"


# Whether each alternative that a pattern compares with the answer differs visibly from the right one.
_tried: ContextVar[list[bool] | None] = ContextVar("tried", default=None)


@contextmanager
def trials() -> Iterator[list[bool]]:
    """Note whether each alternative that is compared meanwhile differs visibly from the right answer."""
    noted: list[bool] = []
    token = _tried.set(noted)
    try:
        yield noted
    finally:
        _tried.reset(token)


def agrees(case: Case, answer: Answer, alternative: Answer) -> bool:
    """Tell whether an answer is that of a wrong formula, and clearly not the right one.

    Result: true if every field of `alternative` that the case expects agrees, and one of them is wrong by the
    case's tolerance and differs visibly from the right value, whichever of several that is.
    """
    noted = _tried.get()
    if noted is not None:
        noted.append(_is_telling(case, answer, alternative))
    fields = [name for name in alternative if name in case.expected and name in answer]
    distances = {name: compare(name, answer[name], alternative[name]).error for name in fields}
    if any(distance > AGREEMENT for distance in distances.values()):
        return False
    return bool(fields) and all(
        any(_differs(case, right, name, answer, alternative, distances[name]) for name in fields)
        for right in case.right_answers
    )


def is_mapped(fields: Iterable[str], change: Callable[[float], float]) -> Callable[[Case, Answer], bool]:
    """Return the question whether an answer is the right one with a map applied to some fields."""
    return lambda case, answer: agrees(case, answer, mapped(case, fields, change))


def _is_telling(case: Case, answer: Answer, alternative: Answer) -> bool:
    """Tell whether a field of the answer is visibly another one in the alternative, whichever is right."""
    fields = [name for name in alternative if name in case.expected and name in answer]
    return all(
        any(compare(name, alternative[name], right.values[name]).error > APART for name in fields)
        for right in case.right_answers
    )


def _differs(
    case: Case, right: Expected, name: str, answer: Answer, alternative: Answer, distance: Decimal
) -> bool:
    """Tell whether a field is wrong, far closer to the wrong formula's, and that one visibly another."""
    goal = right.values[name]
    wrong = compare(name, answer[name], goal).error > max(CLOSER * distance, case.tolerance)
    return wrong and compare(name, alternative[name], goal).error > APART

"""What a diagnosis is: a recognisable pattern in wrong answers, and the cases that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from rkde.adapter.strict_json import Json
from rkde.conformance.comparison import compare
from rkde.conformance.vectors import Case

Answer = Mapping[str, Json]

# An answer that agrees with a wrong formula does so in six digits at least, float32 included; and a right
# answer with some lost digits must not be taken for it: the wrong value must be a thousand times closer.
AGREEMENT: Final = Decimal("1e-6")
CLOSER: Final = 1000


@dataclass(frozen=True, slots=True)
class Pattern:
    """A mistake that shows in answers.

    Attributes
    ----------
    name : str
        Identifies it.
    sentence : str
        What to look at, for the author of the implementation.
    ops : frozenset of str
        The operations whose answers may show it.
    shows : callable
        From a case and its wrong answer to whether the answer is what the mistake gives.
    alone : bool
        The pattern is in the kind of the cases, not in a value: it counts only if no ordinary case of its
        operations is grossly wrong.
    """

    name: str
    sentence: str
    ops: frozenset[str]
    shows: Callable[[Case, Answer], bool]
    alone: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A pattern that was found.

    Attributes
    ----------
    name, sentence : str
        Those of the pattern.
    cases : tuple of str
        The failed cases that show it, among those examined.
    failed : int
        How many failed cases of its operations were examined.
    """

    name: str
    sentence: str
    cases: tuple[str, ...]
    failed: int

    def __str__(self) -> str:
        count = f"{len(self.cases)} of {self.failed} failed cases examined"
        return f"{self.sentence} ({count}, such as {self.cases[0]})"


def agrees(case: Case, answer: Answer, alternative: Answer) -> bool:
    """Tell whether an answer is that of a wrong formula, and clearly not the right one.

    Parameters
    ----------
    case : Case
        The case with the right answer.
    answer : mapping
        What was answered.
    alternative : mapping
        Some fields as the wrong formula gives them.

    Returns
    -------
    bool
        True if every field of `alternative` that the case expects agrees, and one of them differs from the
        right value.
    """
    fields = [name for name in alternative if name in case.expected and name in answer]
    differs = False
    for name in fields:
        distance = compare(name, answer[name], alternative[name]).error
        if distance > AGREEMENT:
            return False
        differs = differs or compare(name, answer[name], case.expected[name]).error > CLOSER * distance
    return differs

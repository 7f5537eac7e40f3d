"""What a diagnosis is: a recognisable pattern in wrong answers, and the cases that show it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from rkde.adapter import Json
from rkde.conformance.comparison import compare
from rkde.conformance.vectors import Case

Answer = Mapping[str, Json]

# An answer that agrees with a wrong formula does so in six digits at least, float32 included; and a right
# answer with some lost digits must not be taken for it: the wrong value must be a thousand times closer.
AGREEMENT: Final = Decimal("1e-6")
CLOSER: Final = 1000
# And the wrong formula must give something else there: where it agrees with the right one to more digits than
# that, an answer tells nothing about which of them was used.
APART: Final = Decimal("1e-5")


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
        The pattern is in the kind of the cases, not in a value: it counts only if most ordinary cases of its
        operations pass, none is grossly wrong, and the worst has clearly more digits than those that show it.
    common : bool
        It counts only if most of the failed cases of its operations show it.
    """

    name: str
    sentence: str
    ops: frozenset[str]
    shows: Callable[[Case, Answer], bool]
    alone: bool = False
    common: bool = False


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
        True if every field of `alternative` that the case expects agrees, and one of them is wrong by the
        case's tolerance and differs visibly from the right value.
    """
    fields = [name for name in alternative if name in case.expected and name in answer]
    differs = False
    for name in fields:
        distance = compare(name, answer[name], alternative[name]).error
        if distance > AGREEMENT:
            return False
        right = case.expected[name]
        wrong = compare(name, answer[name], right).error > max(CLOSER * distance, case.tolerance)
        differs = differs or (wrong and compare(name, alternative[name], right).error > APART)
    return differs

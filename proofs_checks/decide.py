"""Decisions over the real numbers by z3: a negated claim without a model is proved for all parameters.

What z3 is asked can be collected, so that another solver can be asked the same (`second_solver`).
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import z3

from rkde.proofs_checks import pieces
from rkde.proofs_checks.claim import CHECK_PREFIX

_TIMEOUT_MS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Question:
    """What z3 was asked.

    Attributes
    ----------
    asked_by : str
        Family and name of the check.
    smt2 : str
        The constraints, in SMT-LIB 2.
    has_model : bool
        The answer.
    """

    asked_by: str
    smt2: str
    has_model: bool


_RECORDS: Final[list[list[Question]]] = []


@contextmanager
def recorded() -> Iterator[list[Question]]:
    """Collect, in the list that it gives, every question that is decided inside the block."""
    questions: list[Question] = []
    _RECORDS.append(questions)
    try:
        yield questions
    finally:
        _RECORDS[:] = [record for record in _RECORDS if record is not questions]


def has_model(*constraints: z3.BoolRef) -> bool:
    """Tell whether the constraints have a common solution in real numbers; undecided is an error."""
    solver = z3.Solver()
    solver.set("timeout", _TIMEOUT_MS)
    solver.add(*constraints)
    answer = solver.check()
    if answer not in (z3.sat, z3.unsat):
        raise AssertionError(f"z3 did not decide {constraints}")
    if _RECORDS:
        question = Question(_asking_check(), solver.to_smt2(), answer == z3.sat)
        for questions in _RECORDS:
            questions.append(question)
    return answer == z3.sat


def _asking_check() -> str:
    """Name the check that asks, or the function if it is none."""
    frame = first = sys._getframe(2)  # noqa: SLF001 - the documented way to the caller's name
    while not frame.f_code.co_name.startswith(CHECK_PREFIX):
        if frame.f_back is None:
            frame = first
            break
        frame = frame.f_back
    family = str(frame.f_globals["__name__"]).rpartition(".")[2].removeprefix(CHECK_PREFIX)
    return f"{family}.{frame.f_code.co_name}"


def inside(piece: pieces.Piece[z3.ArithRef], t: z3.ArithRef) -> z3.BoolRef:
    """Say that t >= 0 lies on a piece, ends included."""
    lower = t >= 0 if piece.start is None else t >= piece.start
    return lower if piece.end is None else z3.And(lower, t <= piece.end)


class RealLoss:
    """Huber's or Hampel's loss with thresholds that z3 may choose freely among the admissible ones."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.a, self.b, self.c, self.ramp = z3.Reals("a b c ramp")

    @property
    def admissible(self) -> list[z3.BoolRef]:
        """0 < a, and for Hampel a <= b < c with ramp = a / (c - b)."""
        if self.name == "huber":
            return [self.a > 0]
        return [self.a > 0, self.a <= self.b, self.b < self.c, self.ramp * (self.c - self.b) == self.a]

    def at(self, t: z3.ArithRef) -> list[pieces.Piece[z3.ArithRef]]:
        """Return the pieces at the argument t."""
        one = z3.RealVal(1)
        if self.name == "huber":
            return list(pieces.huber(t, self.a, one))
        return list(pieces.hampel(t, (self.a, self.b, self.c), self.ramp, one))

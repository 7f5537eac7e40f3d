"""Decisions over the real numbers by z3: a negated claim without a model is proved for all parameters."""

from __future__ import annotations

from typing import Final

import z3

from rkde.proofs_checks import pieces

_TIMEOUT_MS: Final = 20_000


def has_model(*constraints: z3.BoolRef) -> bool:
    """Tell whether the constraints have a common solution in real numbers; undecided is an error."""
    solver = z3.Solver()
    solver.set("timeout", _TIMEOUT_MS)
    solver.add(*constraints)
    answer = solver.check()
    if answer not in (z3.sat, z3.unsat):
        raise AssertionError(f"z3 did not decide {constraints}")
    return answer == z3.sat


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

"""Losses over balls, piece by piece: a residual is decided against each kink, or both pieces are kept.

Every loss of the paper is smooth between its kinks. A ball that lies between two kinks belongs to one piece
and is evaluated there; one that straddles a kink takes the hull of the pieces it may belong to, which holds
the value whichever piece is the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Final, Literal, TypeVar

from flint import arb

from rkde.errors import InvalidInput
from rkde.reference.certify.balls import exact_ball, hull
from rkde.reference.losses import Absolute, Hampel, Huber, Loss, Quadratic, checked_loss
from rkde.reference.numbers import exact_value

LossName = Literal["quadratic", "absolute", "huber", "hampel"]
Ordered = TypeVar("Ordered", arb, Fraction)


class Piece(StrEnum):
    """The smooth pieces of the losses."""

    QUADRATIC = "quadratic"
    LINEAR = "linear"
    RAMP = "ramp"
    REJECTED = "rejected"
    ABSOLUTE = "absolute"


PIECES: Final[dict[LossName, tuple[Piece, ...]]] = {
    "quadratic": (Piece.QUADRATIC,),
    "absolute": (Piece.ABSOLUTE,),
    "huber": (Piece.QUADRATIC, Piece.LINEAR),
    "hampel": (Piece.QUADRATIC, Piece.LINEAR, Piece.RAMP, Piece.REJECTED),
}
CONVEX: Final[frozenset[LossName]] = frozenset({"quadratic", "absolute", "huber"})


@dataclass(frozen=True, slots=True)
class BallLoss:
    """A loss whose thresholds are balls.

    Attributes
    ----------
    name : {"quadratic", "absolute", "huber", "hampel"}
    kinks : tuple of flint.arb
        (), (a,) or (a, b, c), in tau.
    """

    name: LossName
    kinks: tuple[arb, ...]

    @property
    def convex(self) -> bool:
        """Whether J is convex for this loss, so that a stationary point is a global minimum."""
        return self.name in CONVEX

    @property
    def thresholds(self) -> tuple[arb, arb, arb]:
        """Give (a, b, c), with the missing ones copied from the last; (1, 1, 1) without kinks."""
        kinks = self.kinks or (arb(1),)
        return kinks[0], kinks[len(kinks) // 2], kinks[-1]

    def pieces(self, t: arb) -> tuple[Piece, ...]:
        """Give the pieces that `t` may belong to: one where every kink is decided."""
        return PIECES[self.name][piece_range(self.kinks, t)]


def piece_range(kinks: Sequence[Ordered], t: Ordered) -> slice:
    """Give the range of pieces that `t` may lie in; a kink itself belongs to the piece on its right."""
    first = sum(1 for kink in kinks if kink <= t)
    last = sum(1 for kink in kinks if not t < kink)
    return slice(first, last + 1)


def rho(loss: BallLoss, piece: Piece, t: arb) -> arb:
    """Give rho by the formula of one piece (the integrals of eqs. (4) and (5))."""
    a, b, c = loss.thresholds
    match piece:
        case Piece.QUADRATIC:
            return t**2 / 2
        case Piece.LINEAR:
            return a * t - a**2 / 2
        case Piece.RAMP:
            return a * (b + c - a) / 2 - a * (c - t) ** 2 / (2 * (c - b))
        case Piece.REJECTED:
            return a * (b + c - a) / 2
        case Piece.ABSOLUTE:  # pragma: no branch (the last of all pieces)
            return t


def psi(loss: BallLoss, piece: Piece, t: arb) -> arb:
    """Give psi = rho' by the formula of one piece (eqs. (4) and (5))."""
    a, b, c = loss.thresholds
    match piece:
        case Piece.QUADRATIC:
            return t
        case Piece.LINEAR:
            return a
        case Piece.RAMP:
            return a * (c - t) / (c - b)
        case Piece.REJECTED:
            return arb(0)
        case Piece.ABSOLUTE:  # pragma: no branch (the last of all pieces)
            return arb(1)


def phi(loss: BallLoss, piece: Piece, t: arb) -> arb:
    """Give phi = psi / t by the formula of one piece; exactly 1 and 0 where it is constant."""
    if piece is Piece.QUADRATIC:
        return arb(1)
    if piece is Piece.REJECTED:
        return arb(0)
    return psi(loss, piece, t) / t


def psi_prime(loss: BallLoss, piece: Piece) -> arb:
    """Give the derivative of psi, a constant on each piece."""
    a, b, c = loss.thresholds
    match piece:
        case Piece.QUADRATIC:
            return arb(1)
        case Piece.RAMP:
            return -a / (c - b)
        case _:
            return arb(0)


def curvature(loss: BallLoss, piece: Piece) -> arb:
    """Give q = t psi' - psi, a nonpositive constant on each piece (section 5)."""
    a, b, c = loss.thresholds
    match piece:
        case Piece.QUADRATIC | Piece.REJECTED:
            return arb(0)
        case Piece.LINEAR:
            return -a
        case Piece.RAMP:
            return -a * c / (c - b)
        case Piece.ABSOLUTE:  # pragma: no branch (the last of all pieces)
            return arb(-1)


PieceFormula = Callable[[BallLoss, Piece, arb], arb]


def over_pieces(formula: PieceFormula, loss: BallLoss, pieces: Sequence[Piece], t: arb) -> arb:
    """Evaluate one formula on every piece that is possible and give the hull."""
    return hull([formula(loss, piece, t) for piece in pieces])


def exact_thresholds(loss: Loss) -> tuple[LossName, tuple[Fraction, ...]]:
    """Read name and thresholds of a loss exactly."""
    checked_loss(loss)
    match loss:
        case Quadratic():
            return "quadratic", ()
        case Absolute():
            return "absolute", ()
        case Huber():
            return "huber", (exact_value(loss.a),)
        case Hampel():
            return "hampel", (exact_value(loss.a), exact_value(loss.b), exact_value(loss.c))
    raise InvalidInput(
        "must be Quadratic, Absolute, Huber or Hampel to be enclosed",
        where="loss",
        value=loss,
        remedy="use one of these losses",
    )


def ball_loss(loss: Loss) -> BallLoss:
    """Read a loss of the reference, its thresholds exactly, into balls of the working precision."""
    name, thresholds = exact_thresholds(loss)
    return BallLoss(name, tuple(exact_ball(threshold) for threshold in thresholds))

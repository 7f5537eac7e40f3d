"""The losses of the paper piece by piece, in arithmetic of any kind: sympy, z3 or exact fractions.

psi is transcribed from equations (4) and (5); rho is what a check proves to be its integral. A piece ends
where the next begins; 0 and infinity are written None.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, Self, TypeVar


class Arithmetic(Protocol):
    """What the pieces need of a number."""

    def __add__(self, other: Self, /) -> Self:
        """Add."""
        raise NotImplementedError

    def __sub__(self, other: Self, /) -> Self:
        """Subtract."""
        raise NotImplementedError

    def __mul__(self, other: Self, /) -> Self:
        """Multiply."""
        raise NotImplementedError

    def __truediv__(self, other: int, /) -> Self:
        """Divide by a whole number."""
        raise NotImplementedError


Quantity = TypeVar("Quantity", bound=Arithmetic)


@dataclass(frozen=True, slots=True)
class Piece(Generic[Quantity]):
    """One piece of a loss: start <= t <= end (None: 0 or infinity), and rho, psi and psi' there."""

    start: Quantity | None
    end: Quantity | None
    rho: Quantity
    psi: Quantity
    psi_prime: Quantity


def huber(t: Quantity, a: Quantity, one: Quantity) -> Sequence[Piece[Quantity]]:
    """Return Huber's two pieces at the argument t; `one` is the number 1 of the arithmetic."""
    zero = one - one
    return (
        Piece(None, a, t * t / 2, t, one),
        Piece(a, None, a * t - a * a / 2, a, zero),
    )


def hampel(
    t: Quantity, thresholds: tuple[Quantity, Quantity, Quantity], ramp: Quantity, one: Quantity
) -> Sequence[Piece[Quantity]]:
    """Return Hampel's four pieces at t; `ramp` stands for a/(c - b), which keeps them polynomial."""
    a, b, c = thresholds
    zero = one - one
    top = a * (b + c - a) / 2
    return (
        Piece(None, a, t * t / 2, t, one),
        Piece(a, b, a * t - a * a / 2, a, zero),
        Piece(b, c, top - ramp * (c - t) * (c - t) / 2, ramp * (c - t), zero - ramp),
        Piece(c, None, top, zero, zero),
    )

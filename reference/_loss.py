"""What a loss offers, and what the four losses share."""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.facts import LossFacts
from rkde.reference.context import Number, to_mpf


@runtime_checkable
class Loss(Protocol):
    """What every loss offers. At a kink and at 0, `psi_prime` and `q` are the limits from the right.

    Examples
    --------
    >>> from rkde.reference import Huber
    >>> isinstance(Huber(1), Loss), isinstance("huber", Loss)
    (True, False)
    """

    name: ClassVar[str]
    facts: ClassVar[LossFacts]

    @property
    def kinks(self) -> tuple[Number, ...]:
        """Arguments at which psi' jumps, increasing, as they were given."""

    def rho(self, ctx: MPContext, t: Number) -> mpf:
        """Return the loss at a distance t >= 0, in tau^2 (absolute loss: in tau)."""

    def psi(self, ctx: MPContext, t: Number) -> mpf:
        """Return rho'(t), in tau (absolute loss: without unit)."""

    def phi(self, ctx: MPContext, t: Number) -> mpf:
        """Return psi(t)/t, at 0 its limit; no unit (absolute loss: in 1/tau)."""

    def psi_prime(self, ctx: MPContext, t: Number) -> mpf:
        """Return psi'(t), from the right at a kink."""

    def q(self, ctx: MPContext, t: Number) -> mpf:
        """Return t psi'(t) - psi(t) of section 5, from the right at a kink and at 0."""

    def q_left(self, ctx: MPContext, t: Number) -> mpf | None:
        """Return the limit of q from the left; None at 0."""


def checked_loss(loss: Loss) -> Loss:
    """Return a loss; raises `InvalidType` for anything else, such as a loss's class or name."""
    if isinstance(loss, type) or not isinstance(loss, Loss):
        raise InvalidType(
            "not a loss", where="loss", value=loss, remedy="pass a loss object such as Huber(1)"
        )
    return loss


def checked_distance(ctx: MPContext, t: Number) -> mpf:
    value = to_mpf(ctx, t, "t")
    if ctx.isnan(value) or value < 0:
        raise InvalidInput(
            "a loss takes distances t >= 0", where="t", value=t, remedy="pass norms, not differences"
        )
    return value

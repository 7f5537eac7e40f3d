"""The protocol of losses; `rkde.fast.losses` has those of the paper."""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

from numpy.typing import ArrayLike

from rkde.errors import InvalidType
from rkde.facts import LossFacts
from rkde.fast._float64 import Floats


@runtime_checkable
class Loss(Protocol):
    """The protocol of losses: any object with these members will do.

    Examples
    --------
    >>> from rkde.fast import Huber
    >>> isinstance(Huber(1.0), Loss), isinstance("huber", Loss)
    (True, False)
    """

    name: ClassVar[str]
    facts: ClassVar[LossFacts]

    @property
    def kinks(self) -> tuple[float, ...]:
        """Where psi has a corner, ascending."""

    def rho(self, t: ArrayLike) -> Floats:
        """Return the loss at t."""

    def psi(self, t: ArrayLike) -> Floats:
        """Return rho'."""

    def phi(self, t: ArrayLike) -> Floats:
        """Return psi(t) / t, at 0 its limit."""

    def psi_prime(self, t: ArrayLike) -> Floats:
        """Return psi', at a kink from the right."""

    def q(self, t: ArrayLike) -> Floats:
        """Return t psi'(t) - psi(t), at a kink from the right."""

    def q_left(self, t: ArrayLike) -> Floats:
        """Return the limit of q from the left, NaN at 0."""


def checked_loss(loss: object) -> Loss:
    """Return `loss` if it is one."""
    if isinstance(loss, type) or not isinstance(loss, Loss):
        raise InvalidType(
            "must be a loss object", where="loss", value=loss, remedy="pass an object such as Huber(a)"
        )
    return loss

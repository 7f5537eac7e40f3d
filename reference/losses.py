"""The losses of section 2: rho, psi, phi and q of equations (4) and (5), and of two further losses.

psi = rho' and phi(x) = psi(x)/x. The assumptions of section 2 are:

(A1) rho is non-decreasing, rho(0) = 0, and rho(x)/x -> 0 as x -> 0;
(A2) phi(0) = lim_{x -> 0} psi(x)/x exists and is finite;
(A3) psi and phi are continuous;
(A4) psi and phi are bounded;
(A5) phi is Lipschitz continuous.

Huber's and Hampel's losses satisfy them (holds: `assumptions.hold`), the absolute loss of section 6.1.2 does
not (fails: `assumptions.absolute_outside`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from mpmath import MPContext, mpf

from rkde.errors import InvalidInput, InvalidType
from rkde.facts import LOSS_FACTS, LossFacts
from rkde.reference.numbers import Number, exact_value, guarded, positive_number, to_mpf


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
            "must be a loss object", where="loss", value=loss, remedy="pass an object such as Huber(1)"
        )
    return loss


def checked_distance(ctx: MPContext, t: Number) -> mpf:
    value = to_mpf(ctx, t, "t")
    if ctx.isnan(value) or value < 0:
        raise InvalidInput(
            "must be at least 0, as a distance is", where="t", value=t, remedy="pass norms, not differences"
        )
    return value


__all__ = ["Absolute", "Hampel", "Huber", "Loss", "Quadratic", "checked_loss"]


@dataclass(frozen=True, slots=True)
class Quadratic:
    """The quadratic loss rho(t) = t^2/2 of least squares, whose estimate is the KDE (section 2).

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(Quadratic().rho(ctx, 3))
    4.5
    """

    name: ClassVar[str] = "quadratic"
    facts: ClassVar[LossFacts] = LOSS_FACTS["quadratic"]

    @property
    def kinks(self) -> tuple[Number, ...]:
        """No kinks."""
        return ()

    @guarded
    def rho(self, ctx: MPContext, t: Number) -> mpf:
        """Return t^2/2."""
        t = checked_distance(ctx, t)
        return t * t / 2

    @guarded
    def psi(self, ctx: MPContext, t: Number) -> mpf:
        """Return t."""
        return checked_distance(ctx, t)

    @guarded
    def phi(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1."""
        checked_distance(ctx, t)
        return ctx.mpf(1)

    @guarded
    def psi_prime(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1."""
        checked_distance(ctx, t)
        return ctx.mpf(1)

    @guarded
    def q(self, ctx: MPContext, t: Number) -> mpf:
        """Return 0: t * 1 - t."""
        checked_distance(ctx, t)
        return ctx.mpf(0)

    @guarded
    def q_left(self, ctx: MPContext, t: Number) -> mpf | None:
        """Return 0, and None at 0."""
        return None if checked_distance(ctx, t) == 0 else ctx.mpf(0)


@dataclass(frozen=True, slots=True)
class Absolute:
    """The absolute loss rho(t) = t, whose estimate f_med sets the thresholds (section 6.1.2).

    It lies outside assumptions (A1) to (A5): phi(0) is infinite, and the values at 0 are limits from the
    right.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(Absolute().phi(ctx, 4), Absolute().phi(ctx, 0))
    0.25 +inf
    """

    name: ClassVar[str] = "absolute"
    facts: ClassVar[LossFacts] = LOSS_FACTS["absolute"]

    @property
    def kinks(self) -> tuple[Number, ...]:
        """No kinks in t > 0."""
        return ()

    @guarded
    def rho(self, ctx: MPContext, t: Number) -> mpf:
        """Return t."""
        return checked_distance(ctx, t)

    @guarded
    def psi(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1, at 0 too."""
        checked_distance(ctx, t)
        return ctx.mpf(1)

    @guarded
    def phi(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1/t, infinite at 0."""
        t = checked_distance(ctx, t)
        return ctx.inf if t == 0 else 1 / t

    @guarded
    def psi_prime(self, ctx: MPContext, t: Number) -> mpf:
        """Return 0."""
        checked_distance(ctx, t)
        return ctx.mpf(0)

    @guarded
    def q(self, ctx: MPContext, t: Number) -> mpf:
        """Return -1: t * 0 - 1."""
        checked_distance(ctx, t)
        return ctx.mpf(-1)

    @guarded
    def q_left(self, ctx: MPContext, t: Number) -> mpf | None:
        """Return -1, and None at 0."""
        return None if checked_distance(ctx, t) == 0 else ctx.mpf(-1)


@dataclass(frozen=True, slots=True)
class Huber:
    """Huber's loss, equation (4): quadratic up to a, linear beyond.

    Parameters
    ----------
    a : int, float, str or mpf
        Threshold in tau, finite, > 0.

    Raises
    ------
    InvalidInput
        If a is not finite and positive.
    InvalidType
        If a is not a number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> print(Huber("0.5").rho(ctx, 2), Huber("0.5").q(ctx, 2))
    0.875 -0.5
    """

    name: ClassVar[str] = "huber"
    facts: ClassVar[LossFacts] = LOSS_FACTS["huber"]
    a: Number

    def __post_init__(self) -> None:
        positive_number(self.a, "a")

    @property
    def kinks(self) -> tuple[Number, ...]:
        """The threshold a."""
        return (self.a,)

    @guarded
    def rho(self, ctx: MPContext, t: Number) -> mpf:
        """Return t^2/2 up to a, a t - a^2/2 beyond: the integral of psi."""
        t, a = checked_distance(ctx, t), to_mpf(ctx, self.a)
        return t * t / 2 if t <= a else a * t - a * a / 2

    @guarded
    def psi(self, ctx: MPContext, t: Number) -> mpf:
        """Return t up to a, a beyond: equation (4)."""
        t, a = checked_distance(ctx, t), to_mpf(ctx, self.a)
        return t if t <= a else a

    @guarded
    def phi(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1 up to a, a/t beyond."""
        t, a = checked_distance(ctx, t), to_mpf(ctx, self.a)
        return ctx.mpf(1) if t <= a else a / t

    @guarded
    def psi_prime(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1 below a, 0 from a on."""
        return ctx.mpf(1) if checked_distance(ctx, t) < to_mpf(ctx, self.a) else ctx.mpf(0)

    @guarded
    def q(self, ctx: MPContext, t: Number) -> mpf:
        """Return 0 below a, -a from a on."""
        a = to_mpf(ctx, self.a)
        return ctx.mpf(0) if checked_distance(ctx, t) < a else -a

    @guarded
    def q_left(self, ctx: MPContext, t: Number) -> mpf | None:
        """Return 0 up to a, -a beyond; None at 0."""
        t, a = checked_distance(ctx, t), to_mpf(ctx, self.a)
        if t == 0:
            return None
        return ctx.mpf(0) if t <= a else -a


@dataclass(frozen=True, slots=True)
class Hampel:
    """Hampel's loss, equation (5): psi rises to a, stays, falls linearly from b to 0 at c.

    Parameters
    ----------
    a, b, c : int, float, str or mpf
        Thresholds in tau, finite, 0 < a <= b < c.

    Raises
    ------
    InvalidInput
        If the thresholds are not finite, positive and in that order.
    InvalidType
        If one is not a number.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> loss = Hampel(1, 2, 4)
    >>> print(loss.rho(ctx, 3), loss.psi(ctx, 3), loss.q(ctx, 3))
    2.25 0.5 -2.0
    """

    name: ClassVar[str] = "hampel"
    facts: ClassVar[LossFacts] = LOSS_FACTS["hampel"]
    a: Number
    b: Number
    c: Number

    def __post_init__(self) -> None:
        for label, threshold in (("a", self.a), ("b", self.b), ("c", self.c)):
            positive_number(threshold, label)
        a, b, c = (exact_value(threshold) for threshold in (self.a, self.b, self.c))
        if not a <= b < c:
            raise InvalidInput(
                "must satisfy 0 < a <= b < c",
                where="the thresholds",
                value=(self.a, self.b, self.c),
                remedy="sort the thresholds, or use Huber if b = c",
            )

    @property
    def kinks(self) -> tuple[Number, ...]:
        """The thresholds a, b, c."""
        return (self.a, self.b, self.c)

    @guarded
    def rho(self, ctx: MPContext, t: Number) -> mpf:
        """Return the integral of psi: quadratic, linear, a falling parabola, constant a (b + c - a)/2."""
        t, (a, b, c) = checked_distance(ctx, t), self._thresholds(ctx)
        if t <= a:
            return t * t / 2
        if t <= b:
            return a * t - a * a / 2
        if t <= c:
            return a * (b + c - a) / 2 - a * (c - t) ** 2 / (2 * (c - b))
        return a * (b + c - a) / 2

    @guarded
    def psi(self, ctx: MPContext, t: Number) -> mpf:
        """Return t, a, a (c - t)/(c - b), 0 on the four pieces: equation (5)."""
        t, (a, b, c) = checked_distance(ctx, t), self._thresholds(ctx)
        if t < a:
            return t
        if t < b:
            return a
        return a * (c - t) / (c - b) if t < c else ctx.mpf(0)

    @guarded
    def phi(self, ctx: MPContext, t: Number) -> mpf:
        """Return psi(t)/t; 1 at 0."""
        t = checked_distance(ctx, t)
        return ctx.mpf(1) if t < to_mpf(ctx, self.a) else self.psi(ctx, t) / t

    @guarded
    def psi_prime(self, ctx: MPContext, t: Number) -> mpf:
        """Return 1, 0, -a/(c - b), 0 on the four pieces, each closed on the left."""
        t, (a, b, c) = checked_distance(ctx, t), self._thresholds(ctx)
        if t < a:
            return ctx.mpf(1)
        return -a / (c - b) if b <= t < c else ctx.mpf(0)

    @guarded
    def q(self, ctx: MPContext, t: Number) -> mpf:
        """Return 0, -a, -a c/(c - b), 0 on the four pieces, each closed on the left."""
        t, (a, b, c) = checked_distance(ctx, t), self._thresholds(ctx)
        if t < a or t >= c:
            return ctx.mpf(0)
        return -a if t < b else -a * c / (c - b)

    @guarded
    def q_left(self, ctx: MPContext, t: Number) -> mpf | None:
        """Return the same constants on the pieces closed on the right; None at 0."""
        t, (a, b, c) = checked_distance(ctx, t), self._thresholds(ctx)
        if t == 0:
            return None
        if t <= a or t > c:
            return ctx.mpf(0)
        return -a if t <= b else -a * c / (c - b)

    def _thresholds(self, ctx: MPContext) -> tuple[mpf, mpf, mpf]:
        return to_mpf(ctx, self.a), to_mpf(ctx, self.b), to_mpf(ctx, self.c)

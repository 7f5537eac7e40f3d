"""Losses rho on t >= 0 with rho, psi, phi, psi', q and their kinks (section 2 of the paper).

Every function works entry by entry with selections on the original positions, so that a permutation of the
arguments permutes the values. Thresholds and arguments are in units of tau. At a kink, and at t = 0, psi' and
q are the limits from the right; `q_left` is the limit from the left and NaN at 0, where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput
from rkde.facts import LOSS_FACTS, LossFacts
from rkde.fast._float64 import Floats, as_arguments, as_positive


@dataclass(frozen=True, slots=True)
class Quadratic:
    """The loss rho = t^2 / 2, whose estimate is the plain KDE.

    Examples
    --------
    >>> Quadratic().phi([0.0, 3.0])
    array([1., 1.])
    """

    name: ClassVar[str] = "quadratic"
    facts: ClassVar[LossFacts] = LOSS_FACTS["quadratic"]

    @property
    def kinks(self) -> tuple[float, ...]:
        """No corner."""
        return ()

    def rho(self, t: ArrayLike) -> Floats:
        """Return t^2 / 2 at each t >= 0, same shape; infinite where the square is beyond float64."""
        return _half_square(as_arguments(t, where="t"))

    def psi(self, t: ArrayLike) -> Floats:
        """Return t."""
        return as_arguments(t, where="t").copy()

    def phi(self, t: ArrayLike) -> Floats:
        """Return 1."""
        return np.ones_like(as_arguments(t, where="t"))

    def psi_prime(self, t: ArrayLike) -> Floats:
        """Return 1."""
        return np.ones_like(as_arguments(t, where="t"))

    def q(self, t: ArrayLike) -> Floats:
        """Return 0."""
        return np.zeros_like(as_arguments(t, where="t"))

    def q_left(self, t: ArrayLike) -> Floats:
        """Return 0, NaN at 0."""
        return _nan_at_zero(self.q(t), as_arguments(t, where="t"))


@dataclass(frozen=True, slots=True)
class Absolute:
    """The loss rho = t of the initial estimate f_med (section 6.1.2); phi is infinite at 0.

    Examples
    --------
    >>> Absolute().phi([0.0, 0.5])
    array([inf,  2.])
    """

    name: ClassVar[str] = "absolute"
    facts: ClassVar[LossFacts] = LOSS_FACTS["absolute"]

    @property
    def kinks(self) -> tuple[float, ...]:
        """No corner at any t > 0."""
        return ()

    def rho(self, t: ArrayLike) -> Floats:
        """Return t."""
        return as_arguments(t, where="t").copy()

    def psi(self, t: ArrayLike) -> Floats:
        """Return 1, also at 0 (the limit from the right)."""
        return np.ones_like(as_arguments(t, where="t"))

    def phi(self, t: ArrayLike) -> Floats:
        """Return 1 / t, infinity at 0."""
        # 1/0 is the limit from the right, and 1/t of a subnormal t may be beyond float64.
        with np.errstate(divide="ignore", over="ignore"):
            return np.asarray(1.0 / as_arguments(t, where="t"))

    def psi_prime(self, t: ArrayLike) -> Floats:
        """Return 0."""
        return np.zeros_like(as_arguments(t, where="t"))

    def q(self, t: ArrayLike) -> Floats:
        """Return -1."""
        return np.full_like(as_arguments(t, where="t"), -1.0)

    def q_left(self, t: ArrayLike) -> Floats:
        """Return -1, NaN at 0."""
        return _nan_at_zero(self.q(t), as_arguments(t, where="t"))


@dataclass(frozen=True, slots=True)
class Huber:
    """Huber's loss (equation 4): quadratic up to a, linear beyond.

    Parameters
    ----------
    a : float
        The corner, above 0, in tau.

    Examples
    --------
    >>> Huber(1.0).psi([0.5, 1.0, 3.0])
    array([0.5, 1. , 1. ])
    """

    a: float
    name: ClassVar[str] = "huber"
    facts: ClassVar[LossFacts] = LOSS_FACTS["huber"]

    def __post_init__(self) -> None:
        object.__setattr__(self, "a", as_positive(self.a, where="a"))

    @property
    def kinks(self) -> tuple[float, ...]:
        """The corner a."""
        return (self.a,)

    def rho(self, t: ArrayLike) -> Floats:
        """Return t^2 / 2 up to a, a t - a^2 / 2 beyond."""
        t = as_arguments(t, where="t")
        with np.errstate(over="ignore"):
            return np.where(t <= self.a, _half_square(t), self.a * (t - self.a / 2))

    def psi(self, t: ArrayLike) -> Floats:
        """Return min(t, a)."""
        return np.asarray(np.minimum(as_arguments(t, where="t"), self.a))

    def phi(self, t: ArrayLike) -> Floats:
        """Return 1 up to a, a / t beyond."""
        return np.asarray(self.a / np.maximum(as_arguments(t, where="t"), self.a))

    def psi_prime(self, t: ArrayLike) -> Floats:
        """Return 1 below a, else 0."""
        return np.where(as_arguments(t, where="t") < self.a, 1.0, 0.0)

    def q(self, t: ArrayLike) -> Floats:
        """Return 0 below a, else -a."""
        return np.where(as_arguments(t, where="t") < self.a, 0.0, -self.a)

    def q_left(self, t: ArrayLike) -> Floats:
        """Return 0 up to a, -a beyond, NaN at 0."""
        t = as_arguments(t, where="t")
        return _nan_at_zero(np.where(t <= self.a, 0.0, -self.a), t)


@dataclass(frozen=True, slots=True)
class Hampel:
    """Hampel's loss (equation 5): quadratic, linear, a ramp down to 0, then constant.

    Parameters
    ----------
    a, b, c : float
        The corners in tau, 0 < a <= b < c.

    Examples
    --------
    >>> Hampel(1.0, 2.0, 4.0).psi([0.5, 1.5, 3.0, 9.0])
    array([0.5, 1. , 0.5, 0. ])
    """

    a: float
    b: float
    c: float
    name: ClassVar[str] = "hampel"
    facts: ClassVar[LossFacts] = LOSS_FACTS["hampel"]

    def __post_init__(self) -> None:
        for corner in ("a", "b", "c"):
            object.__setattr__(self, corner, as_positive(getattr(self, corner), where=corner))
        if not self.a <= self.b < self.c:
            raise InvalidInput(
                "must satisfy 0 < a <= b < c",
                where="the thresholds",
                value=(self.a, self.b, self.c),
                remedy="sort the thresholds, or use Huber if b = c",
            )

    @property
    def kinks(self) -> tuple[float, ...]:
        """The corners a, b, c."""
        return (self.a, self.b, self.c)

    def rho(self, t: ArrayLike) -> Floats:
        """Return the integral of psi from 0; constant, a (b + c - a) / 2, from c on."""
        t = as_arguments(t, where="t")
        top = self.a * (self.b / 2 + (self.c - self.a) / 2)
        # Every term is positive on the ramp; top - (a / 2) (c - t)^2 / (c - b) would cancel for large c.
        with np.errstate(over="ignore", invalid="ignore"):
            past = t - self.b
            ramp = self.a * ((self.b - self.a / 2) + past * (1 - past / (2 * (self.c - self.b))))
            return self._select(t, _half_square(t), self.a * (t - self.a / 2), ramp, top)

    def psi(self, t: ArrayLike) -> Floats:
        """Return t up to a, a up to b, a (c - t) / (c - b) up to c, then 0."""
        t = as_arguments(t, where="t")
        # The quotient first, here and below: a (c - t) can be beyond float64 where the value is not.
        ramp = self.a * ((self.c - t) / (self.c - self.b))
        return self._select(t, t, self.a, ramp, 0.0)

    def phi(self, t: ArrayLike) -> Floats:
        """Return psi(t) / t, 1 at 0."""
        t = as_arguments(t, where="t")
        # The branches for larger t are evaluated at t = 0 too, and not used there.
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ramp = self.a * ((self.c - t) / (self.c - self.b))
            return self._select(t, 1.0, self.a / t, ramp / t, 0.0)

    def psi_prime(self, t: ArrayLike) -> Floats:
        """Return 1, 0, -a / (c - b), 0 on the four pieces."""
        t = as_arguments(t, where="t")
        return self._select(t, 1.0, 0.0, -self.a / (self.c - self.b), 0.0)

    def q(self, t: ArrayLike) -> Floats:
        """Return 0, -a, -a c / (c - b), 0 on the four pieces."""
        t = as_arguments(t, where="t")
        return self._select(t, 0.0, -self.a, -self.a * (self.c / (self.c - self.b)), 0.0)

    def q_left(self, t: ArrayLike) -> Floats:
        """Return the same values as `q`, with each corner on the piece to its left, NaN at 0."""
        t = as_arguments(t, where="t")
        slope = -self.a * (self.c / (self.c - self.b))
        pieces = np.select([t <= self.a, t <= self.b, t <= self.c], [0.0, -self.a, slope], 0.0)
        return _nan_at_zero(pieces, t)

    def _select(
        self, t: Floats, core: Floats | float, flat: Floats | float, ramp: Floats | float, tail: float
    ) -> Floats:
        return np.select([t < self.a, t < self.b, t < self.c], [core, flat, ramp], tail)


def _half_square(t: Floats) -> Floats:
    # Infinity is the right answer beyond the range; halving first keeps the range.
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray((t / 2) * t)


def _nan_at_zero(values: Floats, t: Floats) -> Floats:
    return np.where(t == 0, np.nan, values)

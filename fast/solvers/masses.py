"""KIRWLS and the geometric median for rows that carry different masses."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from rkde.errors import NotConverged
from rkde.facts import LossFacts
from rkde.fast._float64 import UNIT_ROUNDOFF, Floats, read_only
from rkde.fast.losses import Absolute, Loss
from rkde.fast.operators import KernelOperator
from rkde.fast.solvers.iteration import SOLVERS, Iterate, fixed_point_residual, iterate_at
from rkde.fast.solvers.results import FixedPoint
from rkde.vocabulary import Certificate, Stationarity, Status

# A step that moves no weight by more than this share of the largest may be rounding alone ...
_STATIONARY: Final = 1e-12
# ... and is, after so many steps without a smaller one.
_PATIENCE: Final = 8
# Or at once where it is below this many roundings.
_LAST_DIGITS: Final = 4
_MAX_STEPS: Final = 10_000
# Roundings in an entry of D beside one a coordinate, in a root, a quotient and the last sums, generously.
_FIXED_ROUNDINGS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class MassLoss:
    """A loss whose values are multiplied by the masses of the rows that they belong to.

    Parameters
    ----------
    base : Loss
        The loss.
    factors : ndarray, shape (n,)
        Masses of mean 1. All arguments have one entry a row.
    """

    base: Loss
    factors: Floats

    @property
    def facts(self) -> LossFacts:
        """Those of the loss."""
        return self.base.facts

    @property
    def kinks(self) -> tuple[float, ...]:
        """Those of the loss."""
        return self.base.kinks

    def rho(self, t: Floats) -> Floats:
        """Return the loss at t, one argument a row."""
        return self.factors * self.base.rho(t)

    def phi(self, t: Floats) -> Floats:
        """Return psi(t) / t, one argument a row."""
        return self.factors * self.base.phi(t)


def with_masses(loss: Loss, masses: Floats) -> Loss:
    """Return the loss for rows of these masses, fit for what iterates and for nothing else.

    Parameters
    ----------
    loss : Loss
        The loss.
    masses : ndarray, shape (n,)
        Above 0, of any finite sum.

    Returns
    -------
    Loss
        With `rho`, `phi`, `kinks` and `facts`: what steps and J need.
    """
    return cast(Loss, MassLoss(loss, masses / masses.mean()))


def mass_median(operator: KernelOperator, masses: Floats) -> FixedPoint:
    """Return f_med for distinct rows with masses, from the weights that are the masses.

    Parameters
    ----------
    operator : KernelOperator
        Of the rows and the kernel.
    masses : ndarray, shape (n,)
        Above 0, of sum 1.

    Returns
    -------
    FixedPoint
        Where it is a data location its certificate is `global`; elsewhere nothing but its being stationary is
        claimed, and the bounds are infinite.

    Raises
    ------
    NotConverged
        The limit is not reached.
    """
    loss = with_masses(Absolute(), masses)
    state = iterate_at(operator, loss, masses)
    if operator.is_single_location or _is_flat(operator, masses):
        return _result(state, masses, [state.objective], Certificate.GLOBAL, 0.0)
    path, residuals, tested = [state.objective], [math.inf], -1
    advance = SOLVERS["anderson"](operator, loss)
    while len(path) <= _MAX_STEPS:
        nearest = int(operator.locations[int(np.argmin(state.norms))])
        if nearest != tested or not state.norms.all():
            tested = nearest
            end = _at_location(operator, loss, masses, nearest)
            if end is not None:
                return _result(end[0], masses, [*path, end[0].objective], end[1], 0.0)
        if not state.norms.all():
            state = _off_location(operator, loss, masses, nearest, state)
            advance = SOLVERS["anderson"](operator, loss)
        residuals.append(fixed_point_residual(loss, state))
        if _is_settled(residuals):
            last = advance.finish(state)
            return _result(last, masses, [*path, last.objective], Certificate.STATIONARY, residuals[-1])
        state = advance(state, is_last=False)
        path.append(state.objective)
    raise NotConverged(
        f"f_med is not reached after {_MAX_STEPS} steps",
        where="sample_weight",
        value=f"max|T(w) - w| / max w = {residuals[-1]:.3g}",
        remedy="use another bandwidth, or whole numbers small enough for copies of the rows",
    )


def _is_settled(residuals: list[float]) -> bool:
    if residuals[-1] <= _LAST_DIGITS * UNIT_ROUNDOFF:
        return True
    best = min(residuals[:-_PATIENCE], default=math.inf)
    return best <= _STATIONARY and min(residuals[-_PATIENCE:]) >= best


def _is_flat(operator: KernelOperator, masses: Floats) -> bool:
    """Tell whether there are two locations of equal mass, between which J is constant."""
    at_first = operator.locations == 0
    both = len(np.unique(operator.locations)) == 2
    return both and float(masses[at_first].sum()) == float(masses[~at_first].sum())


def _resultant(
    operator: KernelOperator, masses: Floats, row: int
) -> tuple[NDArray[np.bool_], Floats, float, float]:
    """Return the rows of a location, the coefficients of R_j off it, |R_j|^2 and a bound on its rounding."""
    to_location = operator.row(row)
    here = operator.locations == operator.locations[row]
    coefficients = np.zeros(operator.size)
    coefficients[~here] = masses[~here] / np.sqrt(to_location[~here])
    spread = float(coefficients.sum() * (coefficients * to_location).sum())
    among = float((coefficients * operator.product(coefficients)).sum()) / 2
    roundings = operator.size + operator.dim + _FIXED_ROUNDINGS
    slack = roundings * UNIT_ROUNDOFF * (spread + among)
    slack += operator.absolute_error * float(coefficients.sum()) ** 2
    return here, coefficients, spread - among, slack


def _at_location(
    operator: KernelOperator, loss: Loss, masses: Floats, row: int
) -> tuple[Iterate, Certificate] | None:
    """Return the state on a location if that is the minimiser, proved or but for rounding; else None."""
    here, _, square, slack = _resultant(operator, masses, row)
    own = float(masses[here].sum())
    if square > own * own + slack:
        return None
    state = iterate_at(operator, loss, np.where(here, masses / own, 0.0))
    # The masses were divided by their sum: one more rounding each.
    is_proved = square + slack <= own * own * (1 - operator.size * UNIT_ROUNDOFF)
    return state, Certificate.GLOBAL if is_proved else Certificate.STATIONARY


def _off_location(operator: KernelOperator, loss: Loss, masses: Floats, row: int, corner: Iterate) -> Iterate:
    """Leave a location that is not the minimiser along R_j, so little that J is lower than there."""
    here, coefficients, square, _ = _resultant(operator, masses, row)
    own = float(masses[here].sum())
    share = 1 - own / math.sqrt(square)
    while True:
        away = coefficients * (share / coefficients.sum())
        state = iterate_at(operator, loss, np.where(here, (1 - share) * masses / own, away))
        if state.objective < corner.objective or share < UNIT_ROUNDOFF:
            return state
        share /= 2


def _result(
    state: Iterate, start: Floats, path: list[float], certificate: Certificate, residual: float
) -> FixedPoint:
    is_proved = certificate is Certificate.GLOBAL
    return FixedPoint(
        weights=read_only(state.weights),
        residual_norms=read_only(state.norms),
        objective=state.objective,
        objective_path=read_only(np.array(path)),
        status=Status.CONVERGED if state.norms.any() else Status.SINGLE_LOCATION,
        n_iter=len(path) - 1,
        stop=Stationarity(_STATIONARY),
        weights_init=read_only(start),
        fixed_point_residual=residual,
        certificate=certificate,
        error_bound=0.0 if is_proved else math.inf,
        weights_error_bound=UNIT_ROUNDOFF if is_proved else math.inf,
        gap=0.0 if is_proved else None,
        curvature_margin=None,
    )

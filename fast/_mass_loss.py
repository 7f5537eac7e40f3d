"""KIRWLS where rows have masses: J = sum_i p_i rho(r_i), p_i > 0 of sum 1, in place of the mean.

A row of mass m / N stands for m of N equal rows. The steps are w_i proportional to p_i phi(r_i), and what
section 4 says of them holds, as it does for any distribution with finitely many points.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from rkde.facts import LossFacts
from rkde.fast._iteration import State, fixed_point_residual, state_at
from rkde.fast._solvers import checked_solver
from rkde.fast.inputs import Floats
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.vocabulary import FixedSteps, Solver, Stationarity, Status, StopRule


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


def iterate(
    operator: KernelOperator, loss: Loss, start: Floats, stop: StopRule, cap: int, solver: Solver
) -> tuple[State, list[float], Status]:
    """Step from given weights until the rule holds.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        Of `with_masses`.
    start : ndarray, shape (n,)
        Weights of sum 1.
    stop : RelativeObjective, FixedSteps or Stationarity
        The rule.
    cap : int
        Most steps; a fixed number of steps is made whatever the cap.
    solver : {"plain", "anderson"}
        How steps are made.

    Returns
    -------
    State
        Weights, residual norms and J at the end.
    list of float
        J before the first and after every step.
    Status
        `converged`, or `max_iter` at the cap.

    Raises
    ------
    AllWeightsZero
        phi is 0 at every residual before a step.
    """
    advance = checked_solver(solver, stop)(operator, loss)
    state = state_at(operator, loss, start)
    path = [state.objective]
    most = stop.count if isinstance(stop, FixedSteps) else cap
    while not has_ended(loss, stop, state, path):
        if len(path) > most:
            return state, path, Status.MAX_ITER
        state = advance(state, is_last=len(path) == most)
        path.append(state.objective)
    last = advance.finish(state)
    return last, path if last is state else [*path, last.objective], Status.CONVERGED


def has_ended(loss: Loss, stop: StopRule, state: State, path: list[float]) -> bool:
    """Tell whether the rule holds at a state, whose objectives so far are given."""
    if isinstance(stop, FixedSteps):
        return len(path) == stop.count + 1
    if isinstance(stop, Stationarity):
        return fixed_point_residual(loss, state) <= float(stop.tol)
    return state.objective == 0 or (len(path) > 1 and abs(path[-1] - path[-2]) < float(stop.tol) * path[-2])

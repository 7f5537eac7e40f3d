"""How the next iterate comes about: the solvers by name."""

from __future__ import annotations

from typing import Final, Protocol

from rkde.errors import InvalidInput
from rkde.fast._anderson import AndersonStep
from rkde.fast._iteration import State, next_weights, state_at
from rkde.fast.losses import Loss
from rkde.fast.operators import KernelOperator
from rkde.vocabulary import FixedSteps, Solver, StopRule


class Step(Protocol):
    """One step of a solver, and what it still does when the stopping rule holds."""

    def __init__(self, operator: KernelOperator, loss: Loss) -> None: ...

    def __call__(self, state: State, *, is_last: bool) -> State:
        """Return the next state, one of KIRWLS itself where no other step may follow."""

    def finish(self, state: State) -> State:
        """Return the state to answer with when the rule holds, the same one where nothing is left to do."""


class PlainStep:
    """KIRWLS as it is printed in section 4.

    Parameters
    ----------
    operator : KernelOperator
    loss : Loss
    """

    def __init__(self, operator: KernelOperator, loss: Loss) -> None:
        self._operator = operator
        self._loss = loss

    def __call__(self, state: State, *, is_last: bool) -> State:  # noqa: ARG002 (every step is plain)
        """Return the state at T(w): one product."""
        return state_at(self._operator, self._loss, next_weights(self._loss, state.norms))

    def finish(self, state: State) -> State:
        """Return the state itself."""
        return state


SOLVERS: Final[dict[Solver, type[Step]]] = {"plain": PlainStep, "anderson": AndersonStep}


def checked_solver(solver: Solver, stop: StopRule) -> type[Step]:
    """Return the step of a solver by its name.

    Parameters
    ----------
    solver : {"plain", "anderson"}
    stop : RelativeObjective, FixedSteps or Stationarity
        The rule that it is to run under.

    Returns
    -------
    type

    Raises
    ------
    InvalidInput
        There is no solver of that name, or it cannot make a fixed number of steps.
    """
    if solver not in SOLVERS:
        raise InvalidInput(
            "no such solver", where="solver", value=solver, remedy=f"choose one of {', '.join(SOLVERS)}"
        )
    if solver != "plain" and isinstance(stop, FixedSteps):
        raise InvalidInput(
            "FixedSteps counts steps of KIRWLS itself",
            where="solver",
            value=solver,
            remedy='use solver="plain", or another stopping rule',
        )
    return SOLVERS[solver]

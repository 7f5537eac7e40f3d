"""KIRWLS, the kernelized iteratively re-weighted least squares algorithm of section 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mpmath import MPContext, mpf

from rkde.reference._certificate import appraise
from rkde.reference._iteration import (
    State,
    checked_stop,
    fixed_point_residual,
    initial_weights,
    is_single_location,
    next_weights,
    state_at,
)
from rkde.reference._kernel import Kernel
from rkde.reference._loss import Loss, checked_loss
from rkde.reference.context import Number, guarded, to_mpf
from rkde.reference.inputs import Matrix, Row, Rows, nonnegative_count, uniform_weights
from rkde.reference.results import KirwlsResult
from rkde.reference.rkhs import distance_matrix, residual_norms
from rkde.vocabulary import Certificate, FixedSteps, RelativeObjective, Stationarity, Status, StopRule

DEFAULT_STOP: Final = RelativeObjective()
"""The rule of section 6.1.2."""

DEFAULT_MAX_ITER: Final = 1000
"""Ten times the number of steps that section 4 calls usual."""


@guarded
def kirwls_step(ctx: MPContext, X: Rows, kernel: Kernel, loss: Loss, weights: Sequence[Number]) -> Row:
    """Return T(w): phi(r_i) / sum_j phi(r_j) with the residual norms r of f_w (section 4).

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights : sequence of numbers, shape (n,)
        Finite, >= 0, of sum 1; they are divided by their sum.

    Returns
    -------
    tuple of mpf, shape (n,)
        >= 0, of sum 1.

    Raises
    ------
    AllWeightsZero
        If phi vanishes at every residual.
    InvalidInput, InvalidType
        If X is no table of finite numbers, or the weights break a rule.

    Examples
    --------
    >>> from rkde.reference import Huber, Student, make_context
    >>> ctx = make_context(20)
    >>> print(*kirwls_step(ctx, [[0], [1]], Student(1, 1), Huber("0.5"), [1, 0]))
    0.66666666666666666667 0.33333333333333333333
    """
    checked_loss(loss)
    return next_weights(ctx, loss, residual_norms(ctx, X, kernel, weights))


@guarded
def kirwls(
    ctx: MPContext,
    X: Rows,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: Sequence[Number] | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = DEFAULT_MAX_ITER,
) -> KirwlsResult:
    """Iterate KIRWLS (section 4) until a stopping rule holds.

    Parameters
    ----------
    ctx : mpmath.MPContext
    X : sequence of rows, shape (n, d)
    kernel : Kernel
    loss : Loss
    weights_init : sequence of numbers, shape (n,), optional
        Finite, >= 0, of sum 1; uniform by default.
    stop : RelativeObjective, FixedSteps or Stationarity
        By default the paper's rule: J changes by less than 1e-8, relatively (section 6.1.2); J = 0 has
        converged.
    max_iter : int, default 1000
        Cap on the number of steps; `FixedSteps` makes its own count of steps whatever the cap.

    Returns
    -------
    KirwlsResult
        Status `max_iter` at the cap; `single_location`, without a step, where all rows are equal.

    Raises
    ------
    AllWeightsZero
        If phi vanishes at every residual before a step.
    InvalidInput, InvalidType
        If an argument breaks a rule.

    Notes
    -----
    n (n - 1)/2 evaluations of the kernel, then n^2 multiplications a step and some more for the bound.

    Examples
    --------
    >>> from rkde.reference import Absolute, Gaussian, make_context
    >>> ctx = make_context(20)
    >>> result = kirwls(ctx, [[0], [1], [5]], Gaussian(1), Absolute())
    >>> print(result.status, result.n_iter, ctx.nstr(result.weights[2], 6))
    converged 10 0.190737
    """
    checked_loss(loss)
    stop = checked_stop(stop)
    cap = stop.count if isinstance(stop, FixedSteps) else nonnegative_count(max_iter, "max_iter")
    distances = distance_matrix(ctx, X, kernel)
    state = state_at(ctx, distances, loss, initial_weights(ctx, weights_init, len(distances)))
    if is_single_location(distances):
        state = state_at(ctx, distances, loss, uniform_weights(ctx, len(distances)))
        return _result(ctx, distances, loss, [state], Status.SINGLE_LOCATION, stop)
    states = [state]
    while not _reached(ctx, loss, stop, states):
        if len(states) > cap:
            return _result(ctx, distances, loss, states, Status.MAX_ITER, stop)
        states.append(state_at(ctx, distances, loss, next_weights(ctx, loss, states[-1].norms)))
    return _result(ctx, distances, loss, states, Status.CONVERGED, stop)


def _reached(ctx: MPContext, loss: Loss, stop: StopRule, states: list[State]) -> bool:
    state = states[-1]
    if isinstance(stop, FixedSteps):
        return len(states) == stop.count + 1
    if isinstance(stop, Stationarity):
        return fixed_point_residual(ctx, loss, state) <= to_mpf(ctx, stop.tol)
    if state.objective == 0:
        return True
    if len(states) == 1:
        return False
    before = states[-2].objective
    return abs(state.objective - before) < to_mpf(ctx, stop.tol) * before


def _result(
    ctx: MPContext, distances: Matrix, loss: Loss, states: list[State], status: Status, stop: StopRule
) -> KirwlsResult:
    certificate, error_bound = _proved(ctx, distances, loss, states[-1], stop)
    return KirwlsResult(
        weights=states[-1].weights,
        residual_norms=states[-1].norms,
        objective=states[-1].objective,
        objective_path=tuple(state.objective for state in states),
        status=status,
        n_iter=len(states) - 1,
        stop=stop,
        weights_init=states[0].weights,
        fixed_point_residual=fixed_point_residual(ctx, loss, states[-1]),
        error_bound=error_bound,
        certificate=certificate,
    )


def _proved(
    ctx: MPContext, distances: Matrix, loss: Loss, state: State, stop: StopRule
) -> tuple[Certificate | None, mpf | None]:
    """Return the certificate, where the rule asks for one, and a bound on the distance to a limit.

    A fixed number of steps claims no nearness to a limit, so nothing is looked for.
    """
    if isinstance(stop, FixedSteps):
        return None, None
    found = appraise(ctx, distances, loss, state.weights)
    certificate = found.certificate if isinstance(stop, Stationarity) else None
    return certificate, found.error_bound if ctx.isfinite(found.error_bound) else None

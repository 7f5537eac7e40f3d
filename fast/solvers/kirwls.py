"""KIRWLS, the kernelized iteratively re-weighted least squares algorithm of section 4."""

from __future__ import annotations

import math
from typing import Final, Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidType
from rkde.fast._float64 import Floats, TableLike, as_count, as_positive, read_only
from rkde.fast._resources import Compute, Limits, Progress, Report, checked_resources, silent
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Loss, checked_loss
from rkde.fast.operators import KernelOperator, engine_report, weighted_operator
from rkde.fast.solvers.certificate import certify
from rkde.fast.solvers.iteration import (
    SOLVERS,
    checked_solver,
    fixed_point_residual,
    iterate_at,
    next_weights,
    read_start,
    shares_of,
)
from rkde.fast.solvers.results import Iterate, KirwlsResult, for_given_rows
from rkde.vocabulary import FixedSteps, RelativeObjective, Solver, Stationarity, Status, StopRule

# The rule of section 6.1.2.
DEFAULT_STOP: Final = RelativeObjective(1e-8)
# Ten times the number of steps that section 4 calls usual.
KIRWLS_MAX_ITER: Final = 1000


def kirwls_step(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    weights: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Floats:
    """Return T(w) = p_i phi(r_i) / sum_j p_j phi(r_j) with the residual norms r of f_w (section 4).

    The masses p_i of the rows are 1/n each by default.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, its thresholds in tau.
    weights : array_like, shape (n,)
        Finite, at least 0, of sum 1; they are divided by their sum.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    ndarray, shape (n,)
        At least 0, of sum 1.

    Raises
    ------
    AllWeightsZero
        phi is 0 at every residual.
    MemoryLimit
        No engine, or not the one requested, keeps within the limit; raised before anything is allocated.
    InvalidType, InvalidInput
        X or the weights break a rule.

    Examples
    --------
    >>> from rkde.fast.kernels import Student
    >>> from rkde.fast.losses import Huber
    >>> kirwls_step([[0.0], [1.0]], Student(1.0, 1.0), Huber(0.5), [1.0, 0.0])
    array([0.66666667, 0.33333333])
    """
    checked_loss(loss)
    with checked_resources(compute, limits).running() as resources:
        given, operator = weighted_operator(X, kernel, sample_weight, operator, resources)
        size = operator.size if given is None else len(given.given)
        norms = operator.residual_norms(read_start(weights, size, given, where="weights"))
        after = next_weights(loss, norms, operator.masses)
        return after if given is None else given.spread(after)


def kirwls(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = KIRWLS_MAX_ITER,
    operator: KernelOperator | None = None,
    solver: Solver = "plain",
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> KirwlsResult:
    """Iterate KIRWLS (section 4) until a stopping rule holds.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, its thresholds in tau.
    weights_init : array_like, shape (n,), optional
        Finite, at least 0, of sum 1; the row masses by default, uniform where these are equal.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
        With masses p_i of sum 1 the weights are proportional to p_i phi(r_i), and J is sum p_i rho(r_i).
    stop : RelativeObjective, FixedSteps or Stationarity
        By default the paper's rule: J changes by less than 1e-8, relatively (section 6.1.2); J = 0 has
        converged.
    max_iter : int
        Cap on the number of steps; `FixedSteps` makes its own count of steps whatever the cap.
    operator : KernelOperator, optional
        The operator of X and the kernel, if it has been built already.
    solver : {"plain", "anderson"}
        "anderson" extrapolates from the last steps where that keeps the weights nonnegative and J at most
        that of the plain step (`rkde.fast.solvers.iteration`), and ends with a plain step: fewer steps to a
        small tolerance. For a loss that is not convex the limit can, rarely, be another stationary point.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    KirwlsResult
        Status `max_iter` at the cap; `single_location`, without a step, where all rows are equal.

    Raises
    ------
    AllWeightsZero
        phi is 0 at every residual before a step.
    MemoryLimit
        No engine, or not the one requested, keeps within the limit; raised before anything is allocated.
    InvalidType, InvalidInput
        An argument breaks a rule.

    Notes
    -----
    The rule bounds a change, not a distance: for Hampel's loss weights can still be far from the limit
    (`rkde.fast.fixed_point` gives the limit). k steps take k + 1 products with D, the bound a few more.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> from rkde.fast.losses import Absolute
    >>> result = kirwls([[0.0], [1.0], [5.0]], Gaussian(1.0), Absolute())
    >>> result.status.value, result.n_iter, result.weights.round(6)
    ('converged', 10, array([0.404509, 0.404755, 0.190737]))
    """
    checked_loss(loss)
    stop = checked_stop(stop)
    checked_solver(solver, stop)
    cap = 0 if isinstance(stop, FixedSteps) else as_count(max_iter, where="max_iter", minimum=0)
    with checked_resources(compute, limits).running() as resources:
        weights, operator = weighted_operator(X, kernel, sample_weight, operator, resources)
        size = operator.size if weights is None else len(weights.given)
        start = shares_of(operator) if weights_init is None else read_start(weights_init, size, weights)
        run = kirwls_from(operator, loss, start, stop, cap, solver=solver, report=resources.report)
        return for_given_rows(run, operator, weights, X)


def kirwls_from(
    operator: KernelOperator,
    loss: Loss,
    start: Floats,
    stop: StopRule,
    cap: int,
    *,
    solver: Solver = "plain",
    report: Report = silent,
) -> KirwlsResult:
    """Iterate KIRWLS from weights of sum 1 until a rule holds, all arguments being checked already.

    Shapes: start (n,), weights of sum 1.
    """
    if operator.is_single_location:
        start = shares_of(operator)
        state, status = iterate_at(operator, loss, start), Status.SINGLE_LOCATION
        path = [state.objective]
    else:
        state, path, status = iterate(operator, loss, start, stop, cap, solver=solver, report=report)
    # A fixed number of steps claims no nearness to a limit.
    bounds = None if isinstance(stop, FixedSteps) else certify(operator, loss, state.weights)
    return KirwlsResult(
        weights=read_only(state.weights),
        residual_norms=read_only(state.norms),
        objective=state.objective,
        objective_path=read_only(np.array(path)),
        status=status,
        n_iter=len(path) - 1,
        stop=stop,
        weights_init=read_only(start),
        fixed_point_residual=fixed_point_residual(loss, state, operator.masses),
        error_bound=bounds.error_bound if bounds and math.isfinite(bounds.error_bound) else None,
        certificate=bounds.certificate if bounds and isinstance(stop, Stationarity) else None,
        solver=solver,
        engine=operator.engine,
        engine_report=engine_report(operator, loss, state.norms),
    )


def iterate(
    operator: KernelOperator,
    loss: Loss,
    start: Floats,
    stop: StopRule,
    cap: int,
    *,
    solver: Solver = "plain",
    report: Report = silent,
) -> tuple[Iterate, list[float], Status]:
    """Step from weights of sum 1 until a rule holds.

    Result: weights, residual norms and J at the end. J before the first and after every step. `converged`, or
    `max_iter` at the cap.
    """
    most = stop.count if isinstance(stop, FixedSteps) else cap
    step = SOLVERS[solver](operator, loss)
    state = iterate_at(operator, loss, start)
    path = [state.objective]
    status = Status.CONVERGED
    while not _reached(operator, loss, stop, state, path):
        if len(path) > most:
            status = Status.MAX_ITER
            break
        state = step(state, is_last=len(path) == most)
        path.append(state.objective)
        report(Progress("kirwls", len(path) - 1, objective=state.objective))
    last = step.finish(state)
    if last is not state:
        path.append(last.objective)
    return last, path, status


def _reached(operator: KernelOperator, loss: Loss, stop: StopRule, state: Iterate, path: list[float]) -> bool:
    """Tell whether the rule holds at a state, J having been so far as listed."""
    if isinstance(stop, FixedSteps):
        return len(path) == stop.count + 1
    if isinstance(stop, Stationarity):
        return fixed_point_residual(loss, state, operator.masses) <= float(stop.tol)
    if state.objective == 0:
        return True
    return len(path) > 1 and abs(path[-1] - path[-2]) < float(stop.tol) * path[-2]


def checked_stop(stop: StopRule) -> StopRule:
    """Return the stopping rule with its parameter checked and read as a number."""
    if isinstance(stop, FixedSteps):
        return FixedSteps(as_count(stop.count, where="stop, count", minimum=0))
    if isinstance(stop, RelativeObjective | Stationarity):
        tol = stop.tol
        if isinstance(tol, str):
            try:
                tol = float(tol)
            except ValueError:
                raise InvalidType(
                    "must be a number", where="stop.tol", value=tol, remedy="pass a number such as 1e-8"
                ) from None
        return type(stop)(as_positive(tol, where="stop.tol"))
    raise InvalidType(
        "must be a stopping rule",
        where="stop",
        value=stop,
        remedy="pass RelativeObjective(tol), FixedSteps(count) or Stationarity(tol)",
    )

"""A fit whose thresholds and bandwidth are given numbers, for rows of equal mass or of any masses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from rkde.fast._float64 import Floats, read_only
from rkde.fast._resources import Report, Resources, checked_resources
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.thresholds import is_start_name, median_rkde, warn_of_mode_collapse
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.solvers import (
    FixedPoint,
    KirwlsResult,
    fixed_point_residual,
    initial_weights,
    iterate,
    kirwls,
    mass_median,
    with_masses,
)
from rkde.vocabulary import BandwidthRule, CrossValidationRule, FixedSteps, Solver, Start, Status, StopRule


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What decides a fit with given thresholds.

    Attributes
    ----------
    kernel : Kernel
        With its bandwidth.
    bandwidth_rule : str or None
        The rule that gave the bandwidth.
    loss : Loss
        With its thresholds.
    start : {"uniform", "median"} or array_like, shape (n,)
        The start of KIRWLS for the loss.
    stop : RelativeObjective, FixedSteps or Stationarity
        Its stopping rule.
    max_iter : int
        Its cap.
    solver : {"plain", "anderson"}
        How it steps.
    """

    kernel: Kernel
    bandwidth_rule: BandwidthRule | CrossValidationRule | None
    loss: Loss
    start: Start | ArrayLike
    stop: StopRule
    max_iter: int
    solver: Solver


def fit_given(
    X: Floats, given: Given, masses: Floats | None = None, resources: Resources | None = None
) -> Rkde:
    """Fit KIRWLS for a given loss from f_med, or from the start that is asked for.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The rows.
    given : Given
        All else.
    masses : ndarray, shape (n,), optional
        Above 0: they multiply phi. Equal by default.
    resources : Resources, optional
        Engine, memory, threads and progress.

    Returns
    -------
    Rkde
        With masses nothing is proved: `error_bound` and `certificate` are None.

    Raises
    ------
    AllWeightsZero
        phi is 0 at every residual before a step.
    NotConverged
        f_med is not reached.
    InvalidType, InvalidInput
        The start breaks a rule.
    """
    with (resources or checked_resources()).running() as resources:
        operator = operator_for(X, given.kernel, None, resources)
        if masses is None:
            median = median_rkde(X, given.kernel, operator=operator, progress=resources.report)
            run = _equal_run(operator, given, median, resources.report)
        else:
            shares = masses / masses.sum()
            median = replace(mass_median(operator, shares), engine=operator.engine)
            run = _mass_run(operator, given, median, shares)
        warn_of_mode_collapse(operator, run.weights)
        return _model(operator, given, median, run)


def _equal_run(operator: KernelOperator, given: Given, median: FixedPoint, report: Report) -> KirwlsResult:
    if isinstance(given.loss, Absolute) or median.status is Status.SINGLE_LOCATION:
        return _first_stage(median)
    return kirwls(
        operator.X,
        given.kernel,
        given.loss,
        weights_init=_start(given.start, median.weights, None),
        stop=given.stop,
        max_iter=given.max_iter,
        operator=operator,
        solver=given.solver,
        progress=report,
    )


def _mass_run(operator: KernelOperator, given: Given, median: FixedPoint, shares: Floats) -> KirwlsResult:
    if isinstance(given.loss, Absolute) or median.status is Status.SINGLE_LOCATION:
        return _first_stage(median)
    start = _start(given.start, median.weights, shares)
    stop = FixedSteps(0) if isinstance(given.loss, Quadratic) else given.stop
    first = shares if isinstance(given.loss, Quadratic) else start
    loss = with_masses(given.loss, shares)
    state, path, status = iterate(operator, loss, first, stop, given.max_iter, given.solver)
    return KirwlsResult(
        weights=read_only(state.weights),
        residual_norms=read_only(state.norms),
        objective=state.objective,
        objective_path=read_only(np.array(path)),
        status=status,
        n_iter=len(path) - 1,
        stop=stop,
        weights_init=read_only(first),
        fixed_point_residual=fixed_point_residual(loss, state),
        solver=given.solver,
        engine=operator.engine,
    )


def _start(start: Start | ArrayLike, median: Floats, shares: Floats | None) -> Floats:
    if not is_start_name(start):
        return initial_weights(np.asarray(start), len(median))
    if start == "median":
        return median
    return initial_weights(None, len(median)) if shares is None else shares


def _first_stage(median: FixedPoint) -> KirwlsResult:
    is_proved = math.isfinite(median.error_bound)
    return KirwlsResult(
        weights=median.weights,
        residual_norms=median.residual_norms,
        objective=median.objective,
        objective_path=median.objective_path,
        status=median.status,
        n_iter=median.n_iter,
        stop=median.stop,
        weights_init=median.weights_init,
        fixed_point_residual=median.fixed_point_residual,
        error_bound=median.error_bound if is_proved else None,
        certificate=median.certificate,
        engine=median.engine,
        engine_report=median.engine_report,
    )


def _model(operator: KernelOperator, given: Given, median: FixedPoint, run: KirwlsResult) -> Rkde:
    loss = given.loss
    is_single = median.status is Status.SINGLE_LOCATION and not isinstance(loss, Quadratic)
    return Rkde(
        weights=run.weights,
        residual_norms=run.residual_norms,
        objective=run.objective,
        objective_path=run.objective_path,
        status=run.status,
        n_iter=run.n_iter,
        stop=given.stop,
        weights_init=run.weights_init,
        fixed_point_residual=run.fixed_point_residual,
        error_bound=run.error_bound,
        certificate=run.certificate,
        X=operator.X,
        bandwidth=given.kernel.bandwidth,
        bandwidth_rule=given.bandwidth_rule,
        kernel=operator.kernel,
        loss=Absolute() if is_single else loss,
        thresholds=loss_thresholds(loss) or None,
        quantiles=None,
        quantile_rule=None,
        recipe="custom",
        start=given.start if is_start_name(given.start) else run.weights_init,
        median=median,
        effective_sample_size=1 / float((run.weights * run.weights).sum()),
        zero_weight_share=float((run.weights == 0).mean()),
        solver=given.solver,
        engine=operator.engine,
        engine_report=run.engine_report,
    )


def loss_thresholds(loss: Loss) -> tuple[float, ...]:
    """Return (a,) or (a, b, c) of a loss, nothing where it has none.

    Examples
    --------
    >>> loss_thresholds(Huber(0.5))
    (0.5,)
    """
    if isinstance(loss, Huber):
        return (loss.a,)
    return (loss.a, loss.b, loss.c) if isinstance(loss, Hampel) else ()

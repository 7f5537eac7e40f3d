"""A fit whose thresholds and bandwidth are given numbers, for rows of equal mass or of any masses."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rkde.fast._float64 import Floats, read_only
from rkde.fast._resources import Resources, checked_resources
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import SecondStage, outcome_of, second_stage
from rkde.fast.estimates.thresholds import median_from, warn_of_mode_collapse
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.solvers import (
    FixedPoint,
    KirwlsResult,
    fixed_point_residual,
    initial_weights,
    iterate,
    mass_median,
    with_masses,
)
from rkde.settings import is_start_name
from rkde.vocabulary import BandwidthRule, CrossValidationRule, FixedSteps, Status


@dataclass(frozen=True, slots=True, eq=False)
class FixedThresholds:
    """What decides a fit with given thresholds.

    Attributes
    ----------
    kernel : Kernel
        With its bandwidth.
    bandwidth_rule : str or None
        The rule that gave the bandwidth.
    loss : Loss
        With its thresholds.
    stage : SecondStage
        How KIRWLS runs for the loss.
    """

    kernel: Kernel
    bandwidth_rule: BandwidthRule | CrossValidationRule | None
    loss: Loss
    stage: SecondStage


def fit_fixed_thresholds(
    X: Floats, settings: FixedThresholds, masses: Floats | None = None, resources: Resources | None = None
) -> Rkde:
    """Fit KIRWLS for a given loss from f_med, or from the start that is asked for.

    Parameters
    ----------
    X : ndarray, shape (n, d)
        The rows.
    settings : FixedThresholds
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
    loss, stage = settings.loss, settings.stage
    if not is_start_name(stage.start):
        stage = replace(stage, start=initial_weights(np.asarray(stage.start), len(X)))
    with (resources or checked_resources()).running() as resources:
        operator = operator_for(X, settings.kernel, None, resources)
        if masses is None:
            median = median_from(operator, resources.report)
            is_single = median.status is Status.SINGLE_LOCATION
            run = second_stage(operator, Absolute() if is_single else loss, median, stage, resources.report)
        else:
            shares = masses / masses.sum()
            median = replace(mass_median(operator, shares), engine=operator.engine)
            run = _mass_run(operator, loss, median, stage, shares)
        warn_of_mode_collapse(operator, run.weights)
    return _estimate(operator, replace(settings, stage=stage), median, run)


def _mass_run(
    operator: KernelOperator, loss: Loss, median: FixedPoint, stage: SecondStage, shares: Floats
) -> KirwlsResult:
    """Run KIRWLS for rows of these shares of the mass."""
    if isinstance(loss, Absolute) or median.status is Status.SINGLE_LOCATION:
        bound = median.error_bound
        return replace(outcome_of(median, stage), error_bound=bound if math.isfinite(bound) else None)
    stop, start = stage.stop, shares
    if isinstance(loss, Quadratic):
        # Its weights are the shares after any step.
        stop = FixedSteps(0)
    elif not is_start_name(stage.start):
        start = np.asarray(stage.start)
    elif stage.start == "median":
        start = median.weights
    mass_loss = with_masses(loss, shares)
    state, path, status = iterate(operator, mass_loss, start, stop, stage.max_iter, solver=stage.solver)
    return KirwlsResult(
        weights=read_only(state.weights),
        residual_norms=read_only(state.norms),
        objective=state.objective,
        objective_path=read_only(np.array(path)),
        status=status,
        n_iter=len(path) - 1,
        stop=stage.stop,
        weights_init=read_only(start),
        fixed_point_residual=fixed_point_residual(mass_loss, state),
        solver=stage.solver,
        engine=operator.engine,
    )


def _estimate(
    operator: KernelOperator, settings: FixedThresholds, median: FixedPoint, run: KirwlsResult
) -> Rkde:
    loss, start = settings.loss, settings.stage.start
    is_single = median.status is Status.SINGLE_LOCATION and not isinstance(loss, Quadratic)
    return Rkde(
        run=run,
        X=operator.X,
        bandwidth=operator.kernel.bandwidth,
        bandwidth_rule=settings.bandwidth_rule,
        kernel=operator.kernel,
        loss=Absolute() if is_single else loss,
        thresholds=loss_thresholds(loss) or None,
        quantiles=None,
        quantile_rule=None,
        recipe="custom",
        start=start if is_start_name(start) else run.weights_init,
        median=median,
        effective_sample_size=1 / float((run.weights * run.weights).sum()),
        zero_weight_share=float((run.weights == 0).mean()),
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

"""The whole recipe of section 6.1.2: bandwidth, f_med, thresholds, KIRWLS from f_med."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import DegenerateThresholds, DegenerateThresholdsWarning, InvalidType
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_count,
    as_table,
    as_vector,
    read_only,
    read_sample_weight,
)
from rkde.fast._resources import Compute, Limits, Report, checked_resources, warn
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.thresholds import (
    THRESHOLD_COUNTS,
    check_thresholds,
    median_from,
    recipe_thresholds,
    resolve_bandwidth,
    warn_of_mode_collapse,
)
from rkde.fast.kernels import Gaussian, Kernel, checked_kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, new_operator, require_possible
from rkde.fast.solvers import (
    DEFAULT_STOP,
    KIRWLS_MAX_ITER,
    FixedPoint,
    KirwlsResult,
    checked_solver,
    checked_stop,
    for_given_rows,
    initial_weights,
    kirwls_from,
    read_start,
    shares_of,
)
from rkde.settings import FALL_BACKS, Settings, check_choice, is_start_name, recipe_settings, threshold_count
from rkde.vocabulary import (
    BandwidthRule,
    CrossValidationRule,
    FixedSteps,
    OnDegenerate,
    QuantileRule,
    RecipeName,
    Solver,
    Start,
    Status,
    StopRule,
)


@dataclass(frozen=True, slots=True, eq=False)
class SecondStage:
    """How KIRWLS runs for the loss once f_med is known.

    Attributes
    ----------
    start : {"uniform", "median"} or array_like, shape (n,)
        Where it starts.
    stop : RelativeObjective, FixedSteps or Stationarity
        When it ends.
    max_iter : int
        Cap on its steps; their number where `stop` fixes it.
    solver : {"plain", "anderson"}
        How it steps.
    """

    start: Start | ArrayLike
    stop: StopRule
    max_iter: int
    solver: Solver


def checked_second_stage(
    start: Start | ArrayLike, stop: StopRule, max_iter: int, solver: Solver
) -> SecondStage:
    """Return the settings of the second stage; a start by weights is checked later, beside the rows."""
    stop = checked_stop(stop)
    checked_solver(solver, stop)
    cap = as_count(max_iter, where="max_iter", minimum=0)
    return SecondStage(start, stop, stop.count if isinstance(stop, FixedSteps) else cap, solver)


def rkde(
    X: TableLike,
    *,
    kernel: Callable[[float], Kernel] = Gaussian,
    bandwidth: float | BandwidthRule | CrossValidationRule = "median_nn",
    loss: type[Loss] = Hampel,
    recipe: RecipeName = "paper",
    quantiles: ArrayLike | None = None,
    quantile_rule: QuantileRule | None = None,
    start: Start | ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = KIRWLS_MAX_ITER,
    on_degenerate: OnDegenerate = "raise",
    solver: Solver = "plain",
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Rkde:
    """Return the robust kernel density estimate by the paper's whole recipe (section 6.1.2).

    The bandwidth; f_med to its limit; a, b, c among its distances d_i; KIRWLS for the loss from f_med until
    `stop`. The stopping rule governs the second stage only, so the thresholds depend on none.

    Shapes: X (n, d); quantiles (3,), levels of a, b, c instead of the recipe's; start (n,); sample_weight
    (n,).

    Notes
    -----
    Each step takes one product with the kernel matrix, whose cost depends on the engine
    (`rkde.fast.operators`); the result's `engine` names it.

    Examples
    --------
    >>> estimate = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> estimate.status.value, estimate.weights
    ('converged', array([0.  , 0.25, 0.25, 0.25, 0.25, 0.  ]))
    >>> estimate.log_density([[0.0]]).round(9)
    array([-1.27073965])
    """
    if not callable(kernel):
        raise InvalidType(
            "not a function from a bandwidth to a kernel",
            where="kernel",
            value=kernel,
            remedy="give the class, as Gaussian, or lambda h: Student(h, 3.0)",
        )
    given = None if quantiles is None else tuple(as_vector(quantiles, where="quantiles").tolist())
    levels: Settings[float, ArrayLike] = recipe_settings(recipe, given, quantile_rule, start, float)
    check_choice(on_degenerate, FALL_BACKS, "on_degenerate")
    count = threshold_count(loss, THRESHOLD_COUNTS)
    stage = checked_second_stage(levels.start, stop, max_iter, solver)
    rows = as_table(X)
    weights = read_sample_weight(sample_weight, len(rows))
    with checked_resources(compute, limits).running() as resources:
        stage = stage_for(stage, len(rows), weights)
        kept = rows if weights is None else weights.rows_of(rows)
        require_possible(kept, resources)
        h, rule = resolve_bandwidth(
            rows, bandwidth, on_degenerate, kernel, resources.given_limit, sample_weight
        )
        operator = new_operator(kept, checked_kernel(kernel(h)), resources)
        operator = operator if weights is None else operator.with_masses(weights.masses)
        median = median_from(operator, resources.report)
        abc = recipe_thresholds(median.residual_norms, levels, weights)[:count]
        loss_abc, is_degenerate = second_loss(loss, abc, median.status, on_degenerate)
        run = second_stage(operator, loss_abc, median, stage, resources.report)
        if is_degenerate:
            run = replace(run, status=Status.DEGENERATE_THRESHOLDS)
        warn_of_mode_collapse(operator, run.weights, weights)
    fitted = Fitted(operator, loss_abc, abc, levels, stage, median, run)
    return replace(finished(fitted, rows, weights), bandwidth_rule=rule)


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """What a recipe has found for the rows of positive weight.

    Attributes
    ----------
    operator, loss, thresholds, levels, stage, median, run
        As `Rkde` and `rkde` name them; `thresholds` are those that the loss takes.
    """

    operator: KernelOperator
    loss: Loss
    thresholds: tuple[float, ...]
    levels: Settings[float, ArrayLike]
    stage: SecondStage
    median: FixedPoint
    run: KirwlsResult


def finished(fitted: Fitted, rows: Floats, weights: SampleWeight | None) -> Rkde:
    """Return the record of a fit for all given rows, without a bandwidth rule, which the caller knows."""
    operator, levels, start = fitted.operator, fitted.levels, fitted.stage.start
    size, share = weight_counts(fitted.run.weights, weights)
    run = for_given_rows(fitted.run, operator, weights, rows)
    abc = fitted.thresholds
    return Rkde(
        run=run,
        X=operator.X if weights is None else read_only(rows),
        bandwidth=operator.kernel.bandwidth,
        bandwidth_rule=None,
        kernel=operator.kernel,
        loss=fitted.loss,
        thresholds=abc or None,
        quantiles=levels.quantiles if abc else None,
        quantile_rule=levels.quantile_rule if abc else None,
        recipe=levels.recipe,
        start=start if is_start_name(start) else run.weights_init,
        median=for_given_rows(fitted.median, operator, weights, rows),
        effective_sample_size=size,
        zero_weight_share=share,
    )


def stage_for(stage: SecondStage, size: int, weights: SampleWeight | None) -> SecondStage:
    """Return the stage with a start by weights, read, for the rows of positive weight."""
    if is_start_name(stage.start):
        return stage
    return replace(stage, start=read_start(stage.start, size, weights, where="start"))


def weight_counts(weights: Floats, sample_weight: SampleWeight | None) -> tuple[float, float]:
    """Return the effective sample size and the share of the rows without weight, copies counted.

    With c_i copies of a row each has w_i / c_i, and relative weights count as c_i of sum N, Kish's effective
    number: 1 / sum(w_i^2 / c_i) is then N where the weights are the masses.
    """
    if sample_weight is None:
        return 1 / float((weights * weights).sum()), float((weights == 0).mean())
    counts = sample_weight.counts
    share = float(counts[weights == 0].sum()) / sample_weight.total
    return 1 / float((weights * (weights / counts)).sum()), share


def second_loss(
    loss: type[Loss], abc: tuple[float, ...], status: Status, on_degenerate: OnDegenerate
) -> tuple[Loss, bool]:
    """Return the loss of the second stage, and whether degenerate thresholds end the recipe before it.

    It is the absolute one, whose limit f_med is, where the recipe ends with the first stage.
    """
    if loss is Quadratic:
        return Quadratic(), False
    if loss is Absolute or status is Status.SINGLE_LOCATION:
        return Absolute(), False
    try:
        check_thresholds(abc)
    except DegenerateThresholds as error:
        if on_degenerate != "warn":
            raise
        warn(f"{error.problem}; the weights are those of f_med", DegenerateThresholdsWarning)
        return Absolute(), True
    return (Hampel(*abc) if len(abc) > 1 else Huber(*abc)), False


def second_stage(
    operator: KernelOperator, loss: Loss, median: FixedPoint, stage: SecondStage, report: Report
) -> KirwlsResult:
    """Run KIRWLS for the loss; where the loss is the absolute one, f_med is the outcome already."""
    if isinstance(loss, Absolute):
        return outcome_of(median, stage)
    if isinstance(loss, Quadratic):
        # Its weights are the row masses after any step.
        run = kirwls_from(operator, loss, shares_of(operator), FixedSteps(0), 0)
        return replace(run, stop=stage.stop, solver=stage.solver)
    if not is_start_name(stage.start):
        weights = np.asarray(stage.start)
    else:
        weights = (
            shares_of(operator)
            if stage.start == "uniform"
            else initial_weights(median.weights, operator.size)
        )
    return kirwls_from(
        operator, loss, weights, stage.stop, stage.max_iter, solver=stage.solver, report=report
    )


def outcome_of(median: FixedPoint, stage: SecondStage) -> KirwlsResult:
    """Return f_med as the outcome of a recipe that ends with it."""
    return KirwlsResult(
        weights=median.weights,
        residual_norms=median.residual_norms,
        objective=median.objective,
        objective_path=median.objective_path,
        status=median.status,
        n_iter=median.n_iter,
        stop=stage.stop,
        weights_init=median.weights_init,
        fixed_point_residual=median.fixed_point_residual,
        error_bound=median.error_bound,
        certificate=median.certificate,
        solver=stage.solver,
        engine=median.engine,
        engine_report=median.engine_report,
    )

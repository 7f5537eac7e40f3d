"""The whole recipe of section 6.1.2: bandwidth, f_med, thresholds, KIRWLS from f_med."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Unpack, cast

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import DegenerateThresholds, DegenerateThresholdsWarning
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_count,
    as_table,
    as_vector,
    column_names,
    read_only,
    read_sample_weight,
)
from rkde.fast._resources import Compute, Limits, Report, Resources, checked_resources, warn
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.thresholds import (
    THRESHOLD_COUNTS,
    check_thresholds,
    median_from,
    recipe_thresholds,
    resolve_bandwidth,
)
from rkde.fast.kernels import Gaussian, KernelOfBandwidth, checked_kernel, kernel_family
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, require_possible, weighted_operator
from rkde.fast.signs import tell
from rkde.fast.solvers import (
    DEFAULT_STOP,
    KIRWLS_MAX_ITER,
    FixedPoint,
    KirwlsResult,
    checked_solver,
    checked_stop,
    for_given_rows,
    kirwls_from,
    read_start,
    shares_of,
)
from rkde.settings import FALL_BACKS, Settings, check_choice, loss_class, recipe_settings, refinement
from rkde.vocabulary import (
    BandwidthRule,
    CrossValidationRule,
    FixedSteps,
    KernelName,
    LossName,
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
    start : {"uniform", "median"} or ndarray, shape (k,)
        Where it starts, weights for the rows of positive sample weight.
    stop : RelativeObjective, FixedSteps or Stationarity
        When it ends.
    max_iter : int
        Cap on its steps; their number where `stop` fixes it.
    solver : {"plain", "anderson"}
        How it steps.
    """

    start: Start | Floats
    stop: StopRule
    max_iter: int
    solver: Solver


def checked_second_stage(
    start: Start | ArrayLike,
    stop: StopRule,
    max_iter: int,
    solver: Solver,
    size: int,
    weights: SampleWeight | None,
) -> SecondStage:
    """Return the settings of the second stage for `size` given rows; a start by weights is read."""
    stop = checked_stop(stop)
    checked_solver(solver, stop)
    cap = as_count(max_iter, where="max_iter", minimum=0)
    # A name is one of the two: `recipe_settings` has looked.
    named = isinstance(start, str)
    first = cast("Start", start) if named else read_start(start, size, weights, where="start")
    return SecondStage(first, stop, stop.count if isinstance(stop, FixedSteps) else cap, solver)


def rkde(
    X: TableLike,
    *,
    kernel: KernelOfBandwidth | KernelName = Gaussian,
    dof: float | None = None,
    bandwidth: float | BandwidthRule | CrossValidationRule = "median_nn",
    loss: type[Loss] | LossName = Hampel,
    recipe: RecipeName = "paper",
    quantiles: ArrayLike | None = None,
    quantile_rule: QuantileRule | None = None,
    start: Start | ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = KIRWLS_MAX_ITER,
    on_degenerate: OnDegenerate = "raise",
    solver: Solver = "plain",
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> Rkde:
    """Return the robust kernel density estimate by the paper's whole recipe (section 6.1.2).

    The bandwidth; f_med to its limit; a, b, c among its distances d_i; KIRWLS for the loss from f_med until
    `stop`. The stopping rule governs the second stage only, so the thresholds depend on none.

    Shapes: X (n, d), or (n,) for one column; quantiles (3,), levels of a, b, c instead of the recipe's; start
    (n,); sample_weight (n,). Kernel and loss are classes or their names; "student" needs `dof`. An `operator`
    of X has been built with a bandwidth, which then takes the place of a rule.

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
    choices = RecipeChoices(
        kernel=kernel_family(kernel, dof),
        bandwidth=bandwidth,
        loss=loss_class(loss, THRESHOLD_COUNTS),
        recipe=recipe,
        quantiles=quantiles,
        quantile_rule=quantile_rule,
        start=start,
        stop=stop,
        max_iter=max_iter,
        on_degenerate=on_degenerate,
        solver=solver,
    )
    estimate = fit_recipe(X, choices, sample_weight, checked_resources(compute, limits), operator)
    tell(estimate.signs(), estimate.columns)
    return estimate


@dataclass(frozen=True, slots=True, eq=False)
class RecipeChoices:
    """The arguments of `rkde` that are neither rows nor resources, each as described there."""

    kernel: KernelOfBandwidth
    bandwidth: float | BandwidthRule | CrossValidationRule
    loss: type[Loss]
    recipe: RecipeName
    quantiles: ArrayLike | None
    quantile_rule: QuantileRule | None
    start: Start | ArrayLike | None
    stop: StopRule
    max_iter: int
    on_degenerate: OnDegenerate
    solver: Solver


def fit_recipe(
    X: TableLike,
    choices: RecipeChoices,
    sample_weight: ArrayLike | None,
    resources: Resources,
    operator: KernelOperator | None = None,
) -> Rkde:
    """Fit by the paper's recipe, without telling the signs.

    Shapes: X (n, d); sample_weight (n,).
    """
    given = choices.quantiles
    if given is not None:
        given = tuple(as_vector(given, where="quantiles").tolist())
    levels: Settings[float, ArrayLike] = recipe_settings(
        choices.recipe, given, choices.quantile_rule, choices.start, float
    )
    fall_back = choices.on_degenerate
    check_choice(fall_back, FALL_BACKS, "on_degenerate")
    rows = as_table(X)
    weights = read_sample_weight(sample_weight, len(rows))
    stage = checked_second_stage(
        levels.start, choices.stop, choices.max_iter, choices.solver, len(rows), weights
    )
    with resources.running() as resources:
        named = choices.bandwidth
        if operator is None:
            require_possible(rows if weights is None else weights.rows_of(rows), resources)
        elif isinstance(named, str):
            named = operator.kernel.bandwidth
        h, rule = resolve_bandwidth(
            rows, named, fall_back, choices.kernel, resources.given_limit, sample_weight
        )
        weights, operator = weighted_operator(
            rows, checked_kernel(choices.kernel(h)), sample_weight, operator, resources
        )
        median = median_from(operator, resources.report)
        abc = recipe_thresholds(median.residual_norms, levels, weights)[: THRESHOLD_COUNTS[choices.loss]]
        loss_abc, is_degenerate = second_loss(choices.loss, abc, median.status, fall_back)
        run = second_stage(operator, loss_abc, median, stage, resources.report)
        if is_degenerate:
            run = replace(run, status=Status.DEGENERATE_THRESHOLDS)
    outcome = Outcome(operator, loss_abc, abc, levels, stage, median, run)
    return replace(record_of(outcome, rows, weights), bandwidth_rule=rule, columns=column_names(X))


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
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


def record_of(outcome: Outcome, rows: Floats, weights: SampleWeight | None) -> Rkde:
    """Return the record of a fit for all given rows, without a bandwidth rule, which the caller knows.

    With c_i copies of a row each has w_i / c_i, and relative weights count as c_i of sum N, Kish's effective
    number: 1 / sum(w_i^2 / c_i), the effective sample size, is then N where the weights are the masses.
    """
    operator, levels, start = outcome.operator, outcome.levels, outcome.stage.start
    run, median, abc = outcome.run, outcome.median, outcome.thresholds
    counts = np.ones(operator.size) if weights is None else weights.counts
    size = 1 / float((run.weights * (run.weights / counts)).sum())
    share = float(counts[run.weights == 0].sum()) / float(len(rows) if weights is None else weights.total)
    if weights is not None:
        run = for_given_rows(run, operator, weights, rows)
        median = for_given_rows(median, operator, weights, rows)
    return Rkde(
        run=run,
        X=operator.X if weights is None else read_only(rows),
        bandwidth=operator.kernel.bandwidth,
        bandwidth_rule=None,
        kernel=operator.kernel,
        loss=outcome.loss,
        thresholds=abc or None,
        quantiles=levels.quantiles if abc else None,
        quantile_rule=levels.quantile_rule if abc else None,
        recipe=levels.recipe,
        start=start if isinstance(start, str) else run.weights_init,
        median=median,
        effective_sample_size=size,
        zero_weight_share=share,
        sample_weight=None if weights is None else read_only(weights.given),
    )


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
        warn(
            f"{error.problem}. The weights are those of f_med; use {refinement(error)} for a refined fit",
            DegenerateThresholdsWarning,
        )
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
    if not isinstance(stage.start, str):
        weights = stage.start
    elif stage.start == "uniform":
        weights = shares_of(operator)
    else:
        weights = median.weights / median.weights.sum()
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

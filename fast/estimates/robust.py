"""The whole recipe of section 6.1.2: bandwidth, f_med, thresholds, KIRWLS from f_med."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import DegenerateThresholds, DegenerateThresholdsWarning, InvalidType
from rkde.fast._float64 import Floats, TableLike, as_count, as_table, as_weights
from rkde.fast._resources import Compute, Limits, Report, checked_resources, warn
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.thresholds import (
    FALL_BACKS,
    Settings,
    check_choice,
    check_thresholds,
    is_start_name,
    median_rkde,
    recipe_thresholds,
    resolve_bandwidth,
    settings,
    threshold_count,
    warn_of_mode_collapse,
)
from rkde.fast.kernels import Gaussian, Kernel, checked_kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, operator_for, require_possible
from rkde.fast.solvers import (
    DEFAULT_STOP,
    KIRWLS_MAX_ITER,
    FixedPoint,
    KirwlsResult,
    checked_solver,
    checked_stop,
    kirwls,
)
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

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : callable
        From a bandwidth to a kernel: `Gaussian`, `Laplacian`, or `lambda h: Student(h, 3.0)`.
    bandwidth : float or {"median_nn", "median_nn_distinct", "scott", "silverman", "lscv", "lkcv"}
        A number in units of the data, or a rule.
    loss : class
        `Hampel`, `Huber` (which uses a only), `Absolute` (f_med's weights) or `Quadratic` (the KDE's
        weights).
    recipe : {"paper", "authors-program"}
        "paper": quantiles 0.5, 0.75, 0.85 by the rule "linear", start at f_med. "authors-program": a, b, c
        are the floor(n/2)-th, the max(1, floor(n/20))-th and the first of the d_i, largest first; start at
        the uniform weights.
    quantiles : array_like, shape (3,), optional
        Levels of a, b, c instead of the recipe's.
    quantile_rule : str, optional
        The definition of a quantile, by numpy's name, instead of the recipe's.
    start : {"uniform", "median"} or array_like, shape (n,), optional
        The start of the second stage instead of the recipe's. Any of these three makes the recorded recipe
        "custom".
    stop : RelativeObjective, FixedSteps or Stationarity
        When the second stage ends; by default the paper's rule.
    max_iter : int
        Cap on the steps of the second stage.
    on_degenerate : {"raise", "warn"}
        With "warn", a bandwidth of 0 from "median_nn" becomes "median_nn_distinct" with a warning, and
        degenerate thresholds end the recipe with f_med's weights, a warning and the status
        `degenerate_thresholds`.
    solver : {"plain", "anderson"}
        How the second stage makes its steps, as in `kirwls`.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    Rkde

    Raises
    ------
    DegenerateBandwidth
        The bandwidth rule gives 0; for a single location every rule does.
    DegenerateThresholds
        a = 0, or Hampel's thresholds leave no ramp between b and c.
    AllWeightsZero
        phi is 0 at every residual before a step (possible only from a start other than f_med).
    NotConverged
        f_med is not reached.
    MemoryLimit
        No engine, or not the one asked for, keeps within the limit; found before anything is allocated.
    InvalidType, InvalidInput
        An argument breaks a rule.

    Warns
    -----
    ModeCollapseWarning
        The rows of weight 0 contain a cluster: two rows, and a tenth of all rows, at least.

    Notes
    -----
    One product with the kernel matrix a step; what that costs depends on the engine (`rkde.fast.operators`).
    The result's `engine` names it.

    Examples
    --------
    >>> estimate = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> estimate.status.value, estimate.weights
    ('converged', array([0.  , 0.25, 0.25, 0.25, 0.25, 0.  ]))
    >>> estimate.log_density([[0.0]]).round(9)
    array([-1.27073965])
    """
    chosen = settings(recipe, quantiles, quantile_rule, start)
    check_choice(on_degenerate, FALL_BACKS, "on_degenerate")
    threshold_count(loss)
    stop = checked_stop(stop)
    checked_solver(solver, stop)
    cap = as_count(max_iter, where="max_iter", minimum=0)
    rows = as_table(X)
    if not is_start_name(chosen.start):
        # Checked here, since not every loss and not all data have a second stage.
        as_weights(chosen.start, len(rows), where="start")
    with checked_resources(compute, limits).running() as resources:
        require_possible(rows, resources)
        width, rule = resolve_bandwidth(rows, bandwidth, on_degenerate, kernel, resources.given_limit)
        operator = operator_for(rows, _kernel(kernel, width), None, resources)
        return _estimate(operator, rule, loss, chosen, stop, cap, solver, on_degenerate, resources.report)


def _estimate(
    operator: KernelOperator,
    rule: BandwidthRule | CrossValidationRule | None,
    loss: type[Loss],
    chosen: Settings,
    stop: StopRule,
    cap: int,
    solver: Solver,
    on_degenerate: OnDegenerate,
    report: Report,
) -> Rkde:
    count = threshold_count(loss)
    median = median_rkde(operator.X, operator.kernel, operator=operator, progress=report)
    abc = recipe_thresholds(median.residual_norms, chosen)[:count]
    fitted, status = _fitted_loss(loss, abc, median.status, on_degenerate)
    run = _second_stage(operator, fitted, status, median, chosen, stop, cap, solver, report)
    warn_of_mode_collapse(operator, run.weights)
    return Rkde(
        weights=run.weights,
        residual_norms=run.residual_norms,
        objective=run.objective,
        objective_path=run.objective_path,
        status=run.status,
        n_iter=run.n_iter,
        stop=stop,
        weights_init=run.weights_init,
        fixed_point_residual=run.fixed_point_residual,
        error_bound=run.error_bound,
        certificate=run.certificate,
        X=operator.X,
        bandwidth=operator.kernel.bandwidth,
        bandwidth_rule=rule,
        kernel=operator.kernel,
        loss=fitted,
        thresholds=abc or None,
        quantiles=chosen.quantiles if abc else None,
        quantile_rule=chosen.quantile_rule if abc else None,
        recipe=chosen.recipe,
        start=chosen.start if is_start_name(chosen.start) else run.weights_init,
        median=median,
        effective_sample_size=1 / float((run.weights * run.weights).sum()),
        zero_weight_share=float((run.weights == 0).mean()),
        solver=solver,
        engine=run.engine,
        engine_report=run.engine_report,
    )


def _kernel(kernel: Callable[[float], Kernel], bandwidth: float) -> Kernel:
    given: object = kernel
    if not callable(given):
        raise InvalidType(
            "not a function from a bandwidth to a kernel",
            where="kernel",
            value=kernel,
            remedy="give the class, as Gaussian, or lambda h: Student(h, 3.0)",
        )
    return checked_kernel(kernel(bandwidth))


def _fitted_loss(
    loss: type[Loss], abc: tuple[float, ...], status: Status, on_degenerate: OnDegenerate
) -> tuple[Loss, Status]:
    """Return the loss of the second stage; the absolute one where the recipe ends after the first."""
    if loss is Quadratic:
        return Quadratic(), status
    if loss is Absolute or status is Status.SINGLE_LOCATION:
        return Absolute(), status
    try:
        check_thresholds(abc)
    except DegenerateThresholds as error:
        if on_degenerate != "warn":
            raise
        warn(f"{error.problem}; the weights are those of f_med", DegenerateThresholdsWarning)
        return Absolute(), Status.DEGENERATE_THRESHOLDS
    return (Hampel(*abc) if len(abc) > 1 else Huber(*abc)), status


def _second_stage(
    operator: KernelOperator,
    loss: Loss,
    status: Status,
    median: FixedPoint,
    chosen: Settings,
    stop: StopRule,
    cap: int,
    solver: Solver,
    report: Report,
) -> KirwlsResult:
    """Run KIRWLS for the loss; where the loss is the absolute one, f_med is the outcome already."""
    rows, kernel = operator.X, operator.kernel
    if isinstance(loss, Absolute):
        return _first_stage(median, status)
    if isinstance(loss, Quadratic):
        return kirwls(rows, kernel, loss, stop=FixedSteps(0), operator=operator)
    first = _start_weights(chosen.start, median)
    return kirwls(
        rows,
        kernel,
        loss,
        weights_init=first,
        stop=stop,
        max_iter=cap,
        operator=operator,
        solver=solver,
        progress=report,
    )


def _first_stage(median: FixedPoint, status: Status) -> KirwlsResult:
    return KirwlsResult(
        weights=median.weights,
        residual_norms=median.residual_norms,
        objective=median.objective,
        objective_path=median.objective_path,
        status=status,
        n_iter=median.n_iter,
        stop=median.stop,
        weights_init=median.weights_init,
        fixed_point_residual=median.fixed_point_residual,
        error_bound=median.error_bound,
        certificate=median.certificate,
        engine=median.engine,
        engine_report=median.engine_report,
    )


def _start_weights(start: Start | ArrayLike, median: FixedPoint) -> ArrayLike | None:
    if not is_start_name(start):
        return np.asarray(start)
    weights: Floats = median.weights
    return weights if start == "median" else None

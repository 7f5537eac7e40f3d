"""The recipe of section 6.1.2 for a contaminated sample (1): bandwidth, f_med, thresholds, KIRWLS from f_med.

It is meant for a sample from a contaminated density, equation (1),

    X_1, ..., X_n iid from (1 - p) f_0 + p f_1,    p < 1/2,

of which f_0 is to be estimated. The share p has to be below a half (holds: `setting.less_than_half`), and
without further assumptions f_0 cannot be recovered (holds: `setting.not_identifiable`). The form of the
estimate, equations (7) and (8), stands in `solvers/kirwls.py`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from mpmath import MPContext, mpf

from rkde.errors import DegenerateThresholds, DegenerateThresholdsWarning
from rkde.reference import solvers
from rkde.reference.estimates.results import Rkde
from rkde.reference.estimates.thresholds import (
    THRESHOLD_COUNTS,
    check_thresholds,
    median_rkde,
    recipe_thresholds,
    resolve_bandwidth,
)
from rkde.reference.kernels import Gaussian, KernelOfBandwidth, checked_kernel, kernel_family
from rkde.reference.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.reference.numbers import Masses, Number, Row, Rows, guarded, nonnegative_count, points, row_masses
from rkde.reference.solvers import (
    DEFAULT_STOP,
    KIRWLS_MAX_ITER,
    FixedPoint,
    KirwlsResult,
    checked_stop,
)
from rkde.settings import FALL_BACKS, Settings, check_choice, loss_class, recipe_settings, refinement
from rkde.vocabulary import (
    BandwidthRule,
    FixedSteps,
    KernelName,
    LossName,
    OnDegenerate,
    QuantileRule,
    RecipeName,
    Start,
    Status,
    StopRule,
)


@guarded
def rkde(
    ctx: MPContext,
    X: Rows,
    *,
    kernel: KernelOfBandwidth | KernelName = Gaussian,
    dof: Number | None = None,
    bandwidth: Number | BandwidthRule = "median_nn",
    loss: type[Loss] | LossName = Hampel,
    recipe: RecipeName = "paper",
    quantiles: Sequence[Number] | None = None,
    quantile_rule: QuantileRule | None = None,
    start: Start | Sequence[Number] | None = None,
    sample_weight: Sequence[Number] | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = KIRWLS_MAX_ITER,
    on_degenerate: OnDegenerate = "raise",
) -> Rkde:
    """Return the robust kernel density estimate by the paper's whole recipe (section 6.1.2).

    The bandwidth; f_med to its limit; a, b, c among its distances d_i; KIRWLS for the loss from f_med until
    `stop`. The stopping rule governs the second stage only, so the thresholds depend on none.

    Shapes: X (n, d), or (n,) for one column; start (n,); sample_weight (n,). Kernel and loss are classes or
    their names; "student" needs `dof`.

    Notes
    -----
    Each stage evaluates the kernel n (n - 1)/2 times. The first costs as much as `median_rkde`; each step of
    the second takes n^2 multiplications.

    Examples
    --------
    >>> from rkde.reference import make_context
    >>> ctx = make_context(20)
    >>> estimate = rkde(ctx, [[-2], [-1], [0], ["0.5"], ["1.5"], [6]], bandwidth=1)
    >>> print(estimate.status, *(ctx.nstr(weight, 5) for weight in estimate.weights))
    converged 0.0 0.25 0.25 0.25 0.25 0.0
    """
    settings: Settings[Number, Sequence[Number]] = recipe_settings(
        recipe, None if quantiles is None else tuple(quantiles), quantile_rule, start, str
    )
    check_choice(on_degenerate, FALL_BACKS, "on_degenerate")
    family = kernel_family(kernel, dof)
    kind = loss_class(loss, THRESHOLD_COUNTS)
    count = THRESHOLD_COUNTS[kind]
    stop = checked_stop(stop)
    cap = nonnegative_count(max_iter, "max_iter")
    rows = points(ctx, X)
    masses = row_masses(ctx, sample_weight, len(rows))
    if not isinstance(settings.start, str):
        # Checked here, since not every loss and not all data have a second stage.
        solvers.initial_weights(ctx, settings.start, masses, "start")
    h, rule = resolve_bandwidth(ctx, rows, bandwidth, on_degenerate, sample_weight)
    kernel_h = checked_kernel(family(h))
    median = median_rkde(ctx, rows, kernel_h, sample_weight=sample_weight)
    abc = recipe_thresholds(ctx, median.residual_norms, settings, masses)[:count]
    loss_abc, status = _second_loss(ctx, kind, abc, median.status, on_degenerate)
    if isinstance(loss_abc, Absolute):
        run = _first_stage(median, status, stop)
    else:
        start_weights, end = _start_weights(settings.start, median), stop
        if isinstance(loss_abc, Quadratic):
            # Its weights are the masses after any step.
            start_weights, end = None, FixedSteps(0)
        run = solvers.kirwls(
            ctx,
            rows,
            kernel_h,
            loss_abc,
            weights_init=start_weights,
            stop=end,
            max_iter=cap,
            sample_weight=sample_weight,
        )
        run = replace(run, stop=stop)
    return Rkde(
        run=run,
        X=rows,
        bandwidth=h,
        bandwidth_rule=rule,
        kernel=kernel_h,
        loss=loss_abc,
        thresholds=abc or None,
        quantiles=settings.quantiles if abc else None,
        quantile_rule=settings.quantile_rule if abc else None,
        recipe=settings.recipe,
        start=cast("Start", settings.start) if isinstance(settings.start, str) else run.weights_init,
        median=median,
        effective_sample_size=_effective_sample_size(ctx, masses.rows_of(run.weights), masses),
        zero_weight_share=_zero_weight_share(ctx, masses.rows_of(run.weights), masses),
    )


def _zero_weight_share(ctx: MPContext, weights: Row, masses: Masses) -> mpf:
    """Return the share of the mass whose rows have weight 0."""
    return masses.at(ctx, [row for row, weight in enumerate(weights) if not weight]) / masses.total


def _effective_sample_size(ctx: MPContext, weights: Row, masses: Masses) -> mpf:
    """Return 1 / sum of w_i^2/m_i: a count of m_i stands for copies of weight w_i/m_i."""
    return 1 / ctx.fdot(weights, [weight / mass for weight, mass in zip(weights, masses.values, strict=True)])


def _second_loss(
    ctx: MPContext, loss: type[Loss], abc: Row, status: Status, on_degenerate: OnDegenerate
) -> tuple[Loss, Status]:
    """Return the loss of the second stage; the absolute one where the recipe ends after the first."""
    if loss is Quadratic:
        return Quadratic(), status
    if loss is Absolute or status is Status.SINGLE_LOCATION:
        return Absolute(), status
    try:
        check_thresholds(ctx, abc)
    except DegenerateThresholds as error:
        if on_degenerate != "warn":
            raise
        warnings.warn(
            f"{error.problem}. The weights are those of f_med; use {refinement(error)} for a refined fit",
            DegenerateThresholdsWarning,
            stacklevel=2,
        )
        return Absolute(), Status.DEGENERATE_THRESHOLDS
    a, *rest = abc
    return (Hampel(a, *rest) if rest else Huber(a)), status


def _first_stage(median: FixedPoint, status: Status, stop: StopRule) -> KirwlsResult:
    """Return f_med as the outcome of the recipe."""
    return KirwlsResult(
        weights=median.weights,
        residual_norms=median.residual_norms,
        objective=median.objective,
        objective_path=median.objective_path,
        status=status,
        n_iter=median.n_iter,
        stop=stop,
        weights_init=median.weights_init,
        fixed_point_residual=median.fixed_point_residual,
        error_bound=median.error_bound,
        certificate=median.certificate,
    )


def _start_weights(start: Start | Sequence[Number], median: FixedPoint) -> Sequence[Number] | None:
    if not isinstance(start, str):
        return start
    return median.weights if start == "median" else None

"""A fit whose thresholds and bandwidth are given numbers."""

from __future__ import annotations

from dataclasses import dataclass

from rkde.fast._float64 import Floats, SampleWeight, read_only
from rkde.fast._resources import Resources, checked_resources
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import SecondStage, second_stage, stage_for, weight_counts
from rkde.fast.estimates.thresholds import median_from, warn_of_mode_collapse
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import new_operator
from rkde.fast.solvers import for_given_rows
from rkde.settings import is_start_name
from rkde.vocabulary import BandwidthRule, CrossValidationRule, PracticalRule, Status


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
    bandwidth_rule: BandwidthRule | CrossValidationRule | PracticalRule | None
    loss: Loss
    stage: SecondStage


def fit_fixed_thresholds(
    X: Floats,
    settings: FixedThresholds,
    weights: SampleWeight | None = None,
    resources: Resources | None = None,
) -> Rkde:
    """Fit KIRWLS for a given loss from f_med, or from the start that is asked for.

    Shapes: X (n, d).
    """
    loss, stage = settings.loss, stage_for(settings.stage, len(X), weights)
    kept = X if weights is None else weights.rows_of(X)
    with (resources or checked_resources()).running() as resources:
        operator = new_operator(kept, settings.kernel, resources)
        operator = operator if weights is None else operator.with_masses(weights.masses)
        median = median_from(operator, resources.report)
        is_single = median.status is Status.SINGLE_LOCATION
        run = second_stage(operator, Absolute() if is_single else loss, median, stage, resources.report)
        warn_of_mode_collapse(operator, run.weights, weights)
        size, share = weight_counts(run.weights, weights)
        run = for_given_rows(run, operator, weights, X)
        median = for_given_rows(median, operator, weights, X)
    return Rkde(
        run=run,
        X=operator.X if weights is None else read_only(X.copy()),
        bandwidth=operator.kernel.bandwidth,
        bandwidth_rule=settings.bandwidth_rule,
        kernel=operator.kernel,
        loss=Absolute() if is_single and not isinstance(loss, Quadratic) else loss,
        thresholds=loss_thresholds(loss) or None,
        quantiles=None,
        quantile_rule=None,
        recipe="custom",
        start=stage.start if is_start_name(stage.start) else run.weights_init,
        median=median,
        effective_sample_size=size,
        zero_weight_share=share,
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

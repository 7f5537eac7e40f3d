"""A fit whose thresholds and bandwidth are given numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

from numpy.typing import ArrayLike

from rkde.fast._float64 import Floats, SampleWeight
from rkde.fast._resources import Resources, checked_resources
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import Outcome, SecondStage, record_of, second_stage
from rkde.fast.estimates.thresholds import median_from
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import new_operator
from rkde.settings import Settings
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
    """Fit KIRWLS for a given loss from f_med, or from the start that is given.

    Shapes: X (n, d).
    """
    loss, stage = settings.loss, settings.stage
    kept = X if weights is None else weights.rows_of(X)
    with (resources or checked_resources()).running() as resources:
        operator = new_operator(kept, settings.kernel, resources)
        operator = operator if weights is None else operator.with_masses(weights.masses)
        median = median_from(operator, resources.report)
        is_single = median.status is Status.SINGLE_LOCATION
        run = second_stage(operator, Absolute() if is_single else loss, median, stage, resources.report)
    levels: Settings[float, ArrayLike] = Settings("custom", None, None, stage.start)
    reached = Absolute() if is_single and not isinstance(loss, Quadratic) else loss
    outcome = Outcome(operator, reached, loss_thresholds(loss), levels, stage, median, run)
    return replace(record_of(outcome, X, weights), bandwidth_rule=settings.bandwidth_rule)


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

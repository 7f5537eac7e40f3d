"""The fit behind the estimator."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from rkde.errors import NotConvergedWarning
from rkde.fast._float64 import Floats, SampleWeight, as_positive
from rkde.fast._resources import Compute, checked_resources, warn
from rkde.fast.estimates import (
    FixedThresholds,
    FrontBandwidth,
    FrontChoices,
    Rkde,
    checked_second_stage,
    fit_fixed_thresholds,
    fit_places,
    front_bandwidth,
    loss_thresholds,
    resolve_front_bandwidth,
)
from rkde.fast.kernels import KernelOfBandwidth, checked_kernel
from rkde.fast.losses import Loss
from rkde.fast.operators import require_possible
from rkde.fast.sklearn.arguments import Bandwidth, ReadLoss
from rkde.settings import Settings, recipe_settings
from rkde.vocabulary import (
    FrontRecipe,
    OnDegenerate,
    QuantileRule,
    Solver,
    Start,
    Status,
    StopRule,
)


@dataclass(frozen=True, slots=True, eq=False)
class FitArguments:
    """The estimator's parameters, read; each as `rkde.fast.rkde` takes it, except for the first three.

    Attributes
    ----------
    kernel : callable
        From a bandwidth to a kernel.
    bandwidth : float, str or callable
        A number, a rule, or a function of the rows, copies included.
    loss : ReadLoss
        The loss, with or without thresholds.
    stop, usual_stop : stopping rules
        What was chosen, None for the recipe's; and what holds where the recipe has none.
    compute : Compute
        Engine, memory, threads and progress.
    """

    kernel: KernelOfBandwidth
    bandwidth: Bandwidth
    loss: ReadLoss
    recipe: FrontRecipe
    quantiles: ArrayLike | None
    quantile_rule: QuantileRule | None
    start: Start | ArrayLike | None
    stop: StopRule | None
    usual_stop: StopRule
    max_iter: int
    solver: Solver
    on_degenerate: OnDegenerate
    compute: Compute


def fit_rows(rows: Floats, weights: SampleWeight | None, arguments: FitArguments) -> Rkde:
    """Fit the rows with their sample weights.

    Shapes: rows (n, d).
    """
    model = _model(rows, weights, arguments)
    if model.status is Status.MAX_ITER:
        warn(
            f"KIRWLS stopped at max_iter={arguments.max_iter} before its stopping rule was met; "
            "raise max_iter or tol",
            NotConvergedWarning,
        )
    return model


def _model(rows: Floats, weights: SampleWeight | None, arguments: FitArguments) -> Rkde:
    loss = arguments.loss.fixed
    if loss is not None and loss_thresholds(loss):
        resources = checked_resources(arguments.compute)
        settings = _fixed_thresholds(rows, weights, arguments, loss)
        return fit_fixed_thresholds(rows, settings, weights, resources)
    choices = FrontChoices(
        kernel=arguments.kernel,
        bandwidth=_bandwidth(rows, weights, arguments.bandwidth),
        loss=arguments.loss.kind,
        recipe=arguments.recipe,
        quantiles=arguments.quantiles,
        quantile_rule=arguments.quantile_rule,
        start=arguments.start,
        stop=arguments.stop,
        max_iter=arguments.max_iter,
        on_degenerate=arguments.on_degenerate,
        solver=arguments.solver,
        usual_stop=arguments.usual_stop,
    )
    return fit_places(rows, choices, arguments.compute, weights)


def _bandwidth(rows: Floats, weights: SampleWeight | None, bandwidth: Bandwidth) -> FrontBandwidth | None:
    if not callable(bandwidth):
        return bandwidth
    return as_positive(bandwidth(rows if weights is None else weights.copied(rows)), where="bandwidth")


def _fixed_thresholds(
    rows: Floats, weights: SampleWeight | None, arguments: FitArguments, loss: Loss
) -> FixedThresholds:
    require_possible(rows, checked_resources(arguments.compute))
    recipe = arguments.recipe
    h, rule = resolve_front_bandwidth(
        rows,
        front_bandwidth(recipe, _bandwidth(rows, weights, arguments.bandwidth)),
        arguments.on_degenerate,
        arguments.kernel,
        arguments.compute.memory_limit,
        None if weights is None else weights.given,
    )
    settings: Settings[float, ArrayLike] = recipe_settings(
        "paper" if recipe == "practical" else recipe, None, None, arguments.start, float
    )
    stop = arguments.stop or arguments.usual_stop
    stage = checked_second_stage(
        settings.start, stop, arguments.max_iter, arguments.solver, len(rows), weights
    )
    return FixedThresholds(checked_kernel(arguments.kernel(h)), rule, loss, stage)

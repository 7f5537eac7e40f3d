"""The recipe behind `rkde.fit`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Final, get_args

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import DegenerateBandwidth
from rkde.fast._float64 import (
    Floats,
    SampleWeight,
    TableLike,
    as_table,
    column_names,
    read_sample_weight,
)
from rkde.fast._resources import Compute, Engine, Report, checked_resources
from rkde.fast.bandwidth import (
    BANDWIDTH_RULES,
    CROSS_VALIDATION_RULES,
    ScaleName,
    pairwise,
    read_scaling,
    varying_columns,
)
from rkde.fast.estimates.practical import practical_start, practical_thresholds
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import (
    Outcome,
    RecipeChoices,
    SecondStage,
    checked_second_stage,
    fit_recipe,
    record_of,
    second_loss,
    second_stage,
)
from rkde.fast.estimates.thresholds import RESTATED, THRESHOLD_COUNTS, median_from, resolve_bandwidth
from rkde.fast.kernels import Gaussian, Kernel, KernelOfBandwidth, checked_kernel, kernel_family
from rkde.fast.losses import Hampel, Loss
from rkde.fast.operators import new_operator, require_possible
from rkde.fast.signs import tell
from rkde.fast.solvers import DEFAULT_STOP, KIRWLS_MAX_ITER, checked_stop
from rkde.settings import FALL_BACKS, Settings, check_choice, loss_class
from rkde.vocabulary import (
    BandwidthRule,
    CrossValidationRule,
    FixedSteps,
    FrontRecipe,
    KernelName,
    LossName,
    OnDegenerate,
    PracticalRule,
    QuantileRule,
    Solver,
    Start,
    Status,
    StopRule,
)

FRONT_RECIPES: Final[tuple[FrontRecipe, ...]] = get_args(FrontRecipe)
FrontBandwidth = float | BandwidthRule | CrossValidationRule | PracticalRule
# The recipe `practical` makes one step: repeated, a redescending loss would eat into the tails of the data.
_ONE_STEP: Final = FixedSteps(1)


@dataclass(frozen=True, slots=True, eq=False)
class FrontChoices:
    """The arguments of `fit` that are neither rows nor scale nor resources, each as described there.

    Attributes
    ----------
    usual_stop : RelativeObjective, FixedSteps or Stationarity
        When the iteration ends where nothing is chosen and the recipe is not one step.
    """

    kernel: Callable[[float], Kernel]
    bandwidth: FrontBandwidth | None
    loss: type[Loss]
    recipe: FrontRecipe
    quantiles: ArrayLike | None
    quantile_rule: QuantileRule | None
    start: Start | ArrayLike | None
    stop: StopRule | None
    max_iter: int
    on_degenerate: OnDegenerate | None
    solver: Solver
    usual_stop: StopRule = DEFAULT_STOP

    @property
    def is_overridden(self) -> bool:
        """Whether thresholds or start were chosen."""
        return not (self.quantiles is None and self.quantile_rule is None and self.start is None)


def fit(
    X: TableLike,
    *,
    kernel: KernelOfBandwidth | KernelName = Gaussian,
    dof: float | None = None,
    bandwidth: FrontBandwidth | None = None,
    loss: type[Loss] | LossName = Hampel,
    recipe: FrontRecipe = "practical",
    scale: ScaleName | ArrayLike | None = None,
    quantiles: ArrayLike | None = None,
    quantile_rule: QuantileRule | None = None,
    start: Start | ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    stop: StopRule | None = None,
    max_iter: int = KIRWLS_MAX_ITER,
    on_degenerate: OnDegenerate | None = None,
    solver: Solver = "plain",
    engine: Engine = "auto",
    memory_limit: float | str | None = None,
    threads: int | None = None,
    progress: bool | Report = False,
) -> Rkde:
    """Fit a robust kernel density estimate to a table, in float64.

    The recipe "practical" scales the columns, takes the bandwidth "pairwise", and makes one step of KIRWLS
    for Hampel's loss from the rows that have neighbours. "paper" is the recipe of section 6.1.2, and
    "authors-program" that of the authors' program; both are described at `rkde.fast.rkde`, and neither scales
    the columns.

    Parameters
    ----------
    X : array_like, shape (n, d) or (n,)
        The data: one row for each observation; a flat array is one column. The names of a data frame's
        columns are kept.
    kernel : callable or {"gaussian", "student", "laplacian"}
        A class such as `Gaussian`, its name, or a function from a bandwidth to a kernel.
    dof : float, optional
        Degrees of freedom of the kernel "student", above 0.
    bandwidth : float or str, optional
        A number, or the name of a rule: "pairwise" or one of those of `rkde.fast.rkde`. By default the
        recipe's.
    loss : class or {"hampel", "huber", "absolute", "quadratic"}
        `Hampel`, `Huber`, `Absolute` or `Quadratic`, or its name.
    recipe : {"practical", "paper", "authors-program"}
        How the settings that are not given are chosen. With a loss other than `Hampel`, or with `quantiles`,
        `quantile_rule` or `start`, "practical" chooses scale and bandwidth only, and "paper" the rest.
    scale : {"robust", "robust-covariance", "none"} or array_like, shape (d,), optional
        "robust": columns are divided by a scale that bad rows and distant clusters hardly move
        (`rkde.fast.bandwidth.robust_scales`). "robust-covariance": correlated columns are also decorrelated,
        by scikit-learn's minimum covariance determinant. Numbers are the scales themselves. A bandwidth is in
        units of the scaled columns. By default "robust" with the recipe "practical", unless the bandwidth is
        a number, which is then in units of the data; else "none".
    quantiles, quantile_rule, start
        How the thresholds of the loss and the start are chosen instead.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
    stop, max_iter, solver
        When the iteration ends, and how it makes its steps; by default the recipe's rule.
    on_degenerate : {"raise", "warn"}, optional
        Whether a bandwidth of 0 or degenerate thresholds are an error or a warning with a fall-back; by
        default "warn" with the recipe "practical", else "raise".
    engine : {"auto", "dense", "sparse", "cells", "tiled"}
        How the kernel matrix is applied.
    memory_limit : int, float or str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    threads : int, optional
        Maximum number of threads of the numerical libraries; by default their own setting.
    progress : bool or callable
        True for a forecast and a bar on standard error where the fit lasts, or a function that takes a
        `Progress`.

    Returns
    -------
    Rkde
        The density, the weights, and everything that decided them; `print` shows a summary.

    Raises
    ------
    InvalidType, InvalidInput
        An argument breaks a rule.
    DegenerateBandwidth, DegenerateThresholds, AllWeightsZero, NotConverged, MemoryLimit
        As in `rkde.fast.rkde`.

    Examples
    --------
    >>> import rkde
    >>> estimate = rkde.fit([[-2.0], [-1.0], [0.0], [0.5], [1.5], [9.0]])
    >>> print(estimate)
    robust kernel density estimate of 6 rows, 1 column
      scale                  robust: 2.219
      kernel                 Gaussian, bandwidth 1.77202 (pairwise)
      loss                   Hampel, a = 0.3718, b = 1.062, c = 1.15 in tau
      thresholds             shares of the median density, recipe practical
      iteration              1 step, plain, from the rows with neighbours: converged
      engine                 dense
      effective sample size  5.28924 of 6 rows
      rows without weight    0 of 6
    """
    rows = as_table(X)
    weights = read_sample_weight(sample_weight, len(rows))
    named = default_scale(recipe, bandwidth) if scale is None else scale
    scaling = read_scaling(rows, named, sample_weight=sample_weight)
    places = rows if scaling is None else scaling.apply(rows)
    choices = FrontChoices(
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
    compute = Compute(engine=engine, memory_limit=memory_limit, threads=threads, progress=progress)
    with in_units(rows, places, column_names(X)):
        estimate = fit_places(places, choices, compute, weights)
    estimate = replace(estimate, scaling=scaling, columns=column_names(X))
    tell(estimate.signs(), estimate.columns)
    return estimate


@contextmanager
def in_units(rows: Floats, places: Floats, names: Sequence[str] = ()) -> Iterator[None]:
    """Let messages about a bandwidth show a row as the table has it, where the fit had other coordinates.

    Shapes: rows (n, d), places (n, d), the same rows in the coordinates of the fit; names (d,) or (0,).
    """

    def restated(error: DegenerateBandwidth) -> DegenerateBandwidth:
        if error.place is None:
            return error
        row = int(np.argmax((places == error.place).all(axis=1)))
        return error.at(rows[row].tolist(), names)

    token = RESTATED.set(restated)
    try:
        yield
    except DegenerateBandwidth as error:
        told = restated(error)
        if told is error:
            raise
        raise told from error
    finally:
        RESTATED.reset(token)


def default_scale(recipe: FrontRecipe, bandwidth: object) -> ScaleName:
    """Return how columns are scaled where nobody says: a bandwidth that is a number is one of the data."""
    check_choice(recipe, FRONT_RECIPES, "recipe")
    by_rule = bandwidth is None or isinstance(bandwidth, str)
    return "robust" if recipe == "practical" and by_rule else "none"


def fit_places(
    places: Floats, choices: FrontChoices, compute: Compute, weights: SampleWeight | None = None
) -> Rkde:
    """Fit rows in the coordinates that they are given in.

    Shapes: places (n, d).
    """
    is_practical = choices.recipe == "practical"
    fall_back: OnDegenerate = choices.on_degenerate or ("warn" if is_practical else "raise")
    check_choice(fall_back, FALL_BACKS, "on_degenerate")
    # Checked here, since not every recipe comes to it.
    usual_stop = checked_stop(choices.usual_stop)
    named = front_bandwidth(choices.recipe, choices.bandwidth)
    given = None if weights is None else weights.given
    h, rule = resolve_front_bandwidth(places, named, fall_back, choices.kernel, compute.memory_limit, given)
    if is_practical and choices.loss is Hampel and not choices.is_overridden:
        stop = choices.stop or _ONE_STEP
        stage = checked_second_stage("uniform", stop, choices.max_iter, choices.solver, len(places), weights)
        estimate = fit_practical(places, choices.kernel, h, stage, fall_back, compute, weights)
        return replace(estimate, bandwidth_rule=rule)
    as_given = RecipeChoices(
        kernel=choices.kernel,
        bandwidth=h,
        loss=choices.loss,
        recipe="paper" if choices.recipe == "practical" else choices.recipe,
        quantiles=choices.quantiles,
        quantile_rule=choices.quantile_rule,
        start=choices.start,
        stop=choices.stop or usual_stop,
        max_iter=choices.max_iter,
        on_degenerate=fall_back,
        solver=choices.solver,
    )
    estimate = fit_recipe(places, as_given, given, checked_resources(compute))
    recipe = choices.recipe if estimate.recipe == "paper" else estimate.recipe
    return replace(estimate, bandwidth_rule=rule, recipe=recipe)


def fit_practical(
    X: Floats,
    kernel: Callable[[float], Kernel],
    bandwidth: float,
    stage: SecondStage,
    on_degenerate: OnDegenerate,
    compute: Compute,
    sample_weight: SampleWeight | None = None,
) -> Rkde:
    """Fit by the recipe, in coordinates that can share a bandwidth.

    Shapes: X (n, d). Result: without a bandwidth rule, which the caller knows.
    """
    kept = X if sample_weight is None else sample_weight.rows_of(X)
    with checked_resources(compute).running() as resources:
        require_possible(kept, resources)
        operator = new_operator(kept, checked_kernel(kernel(bandwidth)), resources)
        operator = operator if sample_weight is None else operator.with_masses(sample_weight.masses)
        median = median_from(operator, resources.report)
        dim = varying_columns(kept)
        weights = practical_start(operator, sample_weight, dim)
        norms = operator.residual_norms(weights)
        abc = practical_thresholds(norms, weights, dim, sample_weight)
        loss, is_degenerate = second_loss(Hampel, abc, median.status, on_degenerate)
        stage = replace(stage, start=weights)
        run = second_stage(operator, loss, median, stage, resources.report)
        if is_degenerate:
            run = replace(run, status=Status.DEGENERATE_THRESHOLDS)
    settings: Settings[float, ArrayLike] = Settings("practical", None, None, weights)
    return record_of(Outcome(operator, loss, abc, settings, stage, median, run), X, sample_weight)


def front_bandwidth(recipe: FrontRecipe, bandwidth: FrontBandwidth | None) -> FrontBandwidth:
    """Return the bandwidth that was given, or the rule of the recipe."""
    check_choice(recipe, FRONT_RECIPES, "recipe")
    if bandwidth is not None:
        return bandwidth
    return "pairwise" if recipe == "practical" else "median_nn"


def resolve_front_bandwidth(
    places: Floats,
    bandwidth: FrontBandwidth,
    on_degenerate: OnDegenerate,
    kernel: Callable[[float], Kernel],
    memory_limit: float | str | None,
    sample_weight: ArrayLike | None = None,
) -> tuple[float, BandwidthRule | CrossValidationRule | PracticalRule | None]:
    """Return the bandwidth and the rule that gave it, None for a number."""
    if bandwidth == "pairwise":
        return pairwise(places, sample_weight=sample_weight), "pairwise"
    if isinstance(bandwidth, str):
        check_choice(bandwidth, ("pairwise", *BANDWIDTH_RULES, *CROSS_VALIDATION_RULES), "bandwidth")
    return resolve_bandwidth(places, bandwidth, on_degenerate, kernel, memory_limit, sample_weight)

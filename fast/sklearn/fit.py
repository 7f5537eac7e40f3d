"""The fit behind the estimator: plain rows, copies of rows, or rows with masses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rkde.errors import InvalidInput, MemoryLimit, NotConvergedWarning
from rkde.fast._float64 import Floats, as_positive, as_vector, counted_quantile, share_quantile
from rkde.fast._resources import Compute, checked_resources, warn
from rkde.fast.estimates import (
    THRESHOLD_COUNTS,
    FixedThresholds,
    Rkde,
    checked_second_stage,
    fit_fixed_thresholds,
    loss_thresholds,
    resolve_bandwidth,
    rkde,
)
from rkde.fast.kernels import checked_kernel
from rkde.fast.losses import Loss
from rkde.fast.operators import require_possible
from rkde.fast.scoring import leave_one_out
from rkde.fast.sklearn.arguments import Bandwidth, KernelOfBandwidth, ReadLoss, is_number
from rkde.fast.sklearn.sample_weight import MOST_COPIES, SampleWeight
from rkde.settings import Settings, is_start_name, recipe_settings
from rkde.vocabulary import (
    BandwidthRule,
    CrossValidationRule,
    OnDegenerate,
    QuantileRule,
    RecipeName,
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
    compute : Compute
        Engine, memory, threads and progress.
    """

    kernel: KernelOfBandwidth
    bandwidth: Bandwidth
    loss: ReadLoss
    recipe: RecipeName
    quantiles: ArrayLike | None
    quantile_rule: QuantileRule | None
    start: Start | ArrayLike | None
    stop: StopRule
    max_iter: int
    solver: Solver
    on_degenerate: OnDegenerate
    compute: Compute


@dataclass(frozen=True, slots=True, eq=False)
class WeightedFit:
    """A fit and how its rows belong to the given ones.

    Attributes
    ----------
    model : Rkde
        The fit: of the given rows, of their copies, or of the rows with masses.
    rows : ndarray, shape (n, d)
        The given rows.
    sample_weight : SampleWeight or None
        None where every row counts once.
    is_copied : bool
        Whether the rows of the model are copies.
    """

    model: Rkde
    rows: Floats
    sample_weight: SampleWeight | None
    is_copied: bool

    def summed(self, values: Floats) -> Floats:
        """Return an additive quantity of the model's rows for each given row, 0 for removed ones."""
        weights = self.sample_weight
        if weights is None:
            return values
        return weights.gathered(values) if self.is_copied else np.nan_to_num(weights.spread(values))

    def of_one(self, values: Floats) -> Floats:
        """Return a quantity of the model's rows for each given row, NaN for removed ones."""
        weights = self.sample_weight
        if weights is None:
            return values
        return weights.one_each(values) if self.is_copied else weights.spread(values)

    def places(self) -> NDArray[np.intp]:
        """Return for each given row the place of (one copy of) it in the model, -1 for removed ones."""
        positions = self.of_one(np.arange(len(self.model.X), dtype=np.float64))
        return np.where(np.isnan(positions), -1.0, positions).astype(np.intp)

    def quantile(self, values: Floats, level: float) -> float:
        """Return the linear quantile over the given rows with their copies.

        With masses that are not whole numbers there is no position to interpolate between: it is then the
        smallest value at or below which the rows hold the share `level` of all mass.
        """
        weights = self.sample_weight
        if weights is None:
            return counted_quantile(values, np.ones(len(values), dtype=np.intp), level)
        if weights.is_counted:
            return counted_quantile(values[weights.kept], weights.counts(), level)
        return share_quantile(values[weights.kept], weights.masses[weights.kept], level)

    def without_self(self) -> Floats:
        """Return the log density at each given row without the row itself, or without one copy of it."""
        weights = self.sample_weight
        if weights is None or self.is_copied or not weights.is_counted:
            model_weights = self.model.weights
            return leave_one_out(self.model.X, self.model.kernel, model_weights, self.rows, self.places())
        return self._without_one_copy(weights.counts())

    def _without_one_copy(self, counts: NDArray[np.intp]) -> Floats:
        """Split each row with a multiplicity into one copy and the rest, the copies first."""
        model = self.model
        one = model.weights / counts
        points = np.concatenate((model.X, model.X))
        shares = np.concatenate((one, one * (counts - 1)))
        return leave_one_out(points, model.kernel, shares, self.rows, self.places())


def fit_rows(rows: Floats, weights: SampleWeight | None, arguments: FitArguments) -> WeightedFit:
    """Fit the rows with their sample weights.

    Parameters
    ----------
    rows : ndarray, shape (n, d)
        The rows.
    weights : SampleWeight or None
        None where every row counts once.
    arguments : FitArguments
        All else.

    Returns
    -------
    WeightedFit

    Raises
    ------
    MemoryLimit
        The copies of the rows are too many for what a rule has to look at.
    InvalidInput
        Weights that are not whole numbers together with a rule for bandwidth or thresholds.
    RkdeError
        As `rkde.fast.rkde`.

    Warns
    -----
    NotConvergedWarning
        The cap is reached.
    """
    if weights is None:
        fit = WeightedFit(_plain(rows, arguments), rows, None, is_copied=False)
    elif weights.is_copied or (weights.is_counted and not _is_fixed(arguments)):
        fit = _copies(rows, weights, arguments)
    else:
        fit = _with_masses(rows, weights, arguments)
    if fit.model.status is Status.MAX_ITER:
        warn(
            f"KIRWLS stopped at max_iter={arguments.max_iter} before its rule held; raise max_iter, or tol",
            NotConvergedWarning,
        )
    return fit


def _plain(rows: Floats, arguments: FitArguments) -> Rkde:
    loss = arguments.loss.fixed
    if loss is not None and loss_thresholds(loss):
        resources = checked_resources(arguments.compute)
        return fit_fixed_thresholds(rows, _fixed_thresholds(rows, arguments, loss), resources=resources)
    return rkde(
        rows,
        kernel=arguments.kernel,
        bandwidth=_bandwidth(rows, arguments.bandwidth),
        loss=arguments.loss.kind,
        recipe=arguments.recipe,
        quantiles=arguments.quantiles,
        quantile_rule=arguments.quantile_rule,
        start=arguments.start,
        stop=arguments.stop,
        max_iter=arguments.max_iter,
        on_degenerate=arguments.on_degenerate,
        solver=arguments.solver,
        compute=arguments.compute,
    )


def _bandwidth(rows: Floats, bandwidth: Bandwidth) -> float | BandwidthRule | CrossValidationRule:
    return as_positive(bandwidth(rows), where="bandwidth") if callable(bandwidth) else bandwidth


def _is_fixed(arguments: FitArguments) -> bool:
    """Tell whether bandwidth and thresholds are numbers, so that no rule looks at the rows."""
    return is_number(arguments.bandwidth) and _loss_object(arguments.loss) is not None


def _loss_object(loss: ReadLoss) -> Loss | None:
    """Return the loss as an object; None where the recipe is to supply its thresholds."""
    return loss.fixed if loss.fixed is not None or THRESHOLD_COUNTS[loss.kind] else loss.kind()


def _copies(rows: Floats, weights: SampleWeight, arguments: FitArguments) -> WeightedFit:
    if weights.total > MOST_COPIES:
        raise MemoryLimit(
            f"{weights.total} rows with their copies have a kernel matrix of the square of that",
            where="sample_weight",
            value=int(weights.masses.max()),
            remedy="give bandwidth and thresholds as numbers (no copies are made then), or smaller weights",
        )
    start = arguments.start
    if not (start is None or is_start_name(start)):
        counts = np.maximum(weights.masses, 1)
        start = weights.copied(_row_start(start, rows, weights) / counts)
    copies = weights.copied(rows, arguments.compute.memory_limit)
    model = _plain(copies, replace(arguments, start=start))
    return WeightedFit(model, rows, weights, is_copied=True)


def _with_masses(rows: Floats, weights: SampleWeight, arguments: FitArguments) -> WeightedFit:
    loss = _loss_object(arguments.loss)
    if loss is None or not _is_fixed(arguments):
        index = int(np.flatnonzero(weights.masses != np.floor(weights.masses))[0])
        raise InvalidInput(
            "a weight is no whole number, so no rule for the bandwidth or the thresholds is defined",
            where=f"sample_weight, index {index}",
            value=float(weights.masses[index]),
            remedy="give bandwidth= and thresholds= as numbers, or whole numbers as weights",
        )
    start = arguments.start
    if not (start is None or is_start_name(start)):
        start = _row_start(start, rows, weights)[weights.kept]
    fixed = _fixed_thresholds(rows, replace(arguments, start=start), loss)
    masses = weights.masses[weights.kept]
    resources = checked_resources(arguments.compute)
    model = fit_fixed_thresholds(rows[weights.kept], fixed, masses, resources)
    if weights.is_counted:
        # What the copies that were not made would give.
        share = float(masses[model.weights == 0].sum()) / float(masses.sum())
        size = 1 / float((model.weights * model.weights / masses).sum())
        model = replace(model, effective_sample_size=size, zero_weight_share=share)
    return WeightedFit(model, rows, weights, is_copied=False)


def _row_start(start: ArrayLike, rows: Floats, weights: SampleWeight) -> Floats:
    values = as_vector(np.asarray(start), where="start")
    remedy = "give one weight a row, 0 where sample_weight is 0"
    if len(values) != len(rows):
        raise InvalidInput(f"{len(values)} weights for {len(rows)} rows", where="start", remedy=remedy)
    if bool(values[weights.masses == 0].any()):
        raise InvalidInput("a removed row has a weight", where="start", remedy=remedy)
    return values


def _fixed_thresholds(rows: Floats, arguments: FitArguments, loss: Loss) -> FixedThresholds:
    require_possible(rows, checked_resources(arguments.compute))
    h, rule = resolve_bandwidth(
        rows,
        _bandwidth(rows, arguments.bandwidth),
        arguments.on_degenerate,
        arguments.kernel,
        arguments.compute.memory_limit,
    )
    settings: Settings[float, ArrayLike] = recipe_settings(
        arguments.recipe, None, None, arguments.start, float
    )
    stage = checked_second_stage(settings.start, arguments.stop, arguments.max_iter, arguments.solver)
    return FixedThresholds(checked_kernel(arguments.kernel(h)), rule, loss, stage)

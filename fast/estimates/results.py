"""What the recipe returns: a frozen record of everything that decided it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from rkde.fast._float64 import Floats, TableLike
from rkde.fast._resources import Compute, Limits, checked_resources
from rkde.fast.kernels import Kernel, draw_mixture
from rkde.fast.losses import Loss
from rkde.fast.operators import EngineName, EngineReport
from rkde.fast.rkhs import exp_log_density, mixture_log_density
from rkde.fast.solvers import FixedPoint
from rkde.vocabulary import (
    BandwidthRule,
    Certificate,
    CrossValidationRule,
    QuantileRule,
    RecipeName,
    Solver,
    Start,
    Status,
    StopRule,
)


@dataclass(frozen=True, slots=True, eq=False)
class Rkde:
    """A robust kernel density estimate and everything that decided it (section 6.1.2).

    Attributes
    ----------
    weights, residual_norms, objective, objective_path, status, n_iter, weights_init, fixed_point_residual
        As in `KirwlsResult`, for the last stage that ran. `status` is also `degenerate_thresholds`.
    stop : RelativeObjective, FixedSteps or Stationarity
        The rule of the second stage.
    error_bound : float or None
    certificate : Certificate or None
        As in `KirwlsResult`; where the recipe ends with f_med, those of f_med.
    X : ndarray, shape (n, d)
        The data, a read-only copy.
    bandwidth : float
        h, in units of the data.
    bandwidth_rule : str or None
        The rule that gave it, None for a number.
    kernel : Kernel
        The kernel.
    loss : Loss
        With its thresholds. Where the recipe ended after its first stage (status `single_location` or
        `degenerate_thresholds`), the absolute loss, whose estimate f_med the weights then are.
    thresholds : tuple of float or None
        (a,) or (a, b, c) in tau, degenerate ones included; None for the quadratic and the absolute loss.
    quantiles : tuple of float or None
        Levels of the thresholds; None where order statistics were used, or no thresholds.
    quantile_rule : str or None
        The definition of a quantile, by numpy's name.
    recipe : {"paper", "authors-program", "custom"}
        "custom" where an argument overrode the recipe.
    start : {"uniform", "median"} or ndarray, shape (n,)
        Where the second stage started.
    median : FixedPoint
        f_med, from which the thresholds come.
    effective_sample_size : float
        1 / sum of w_i^2.
    zero_weight_share : float
        Share of the rows whose weight is 0.
    solver : {"plain", "anderson"}
        How the steps of the second stage were made.
    engine, engine_report
        As in `KirwlsResult`.

    Examples
    --------
    >>> from rkde.fast import rkde
    >>> estimate = rkde([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> estimate.effective_sample_size, round(estimate.zero_weight_share, 3)
    (4.0, 0.333)
    >>> estimate.density([[0.0], [6.0]]).round(3)
    array([0.281, 0.   ])
    >>> estimate.sample(2, rng=0).shape
    (2, 1)
    """

    weights: Floats
    residual_norms: Floats
    objective: float
    objective_path: Floats
    status: Status
    n_iter: int
    stop: StopRule
    weights_init: Floats
    fixed_point_residual: float
    error_bound: float | None
    certificate: Certificate | None
    X: Floats
    bandwidth: float
    bandwidth_rule: BandwidthRule | CrossValidationRule | None
    kernel: Kernel
    loss: Loss
    thresholds: tuple[float, ...] | None
    quantiles: tuple[float, ...] | None
    quantile_rule: QuantileRule | None
    recipe: RecipeName | Literal["custom"]
    start: Start | Floats
    median: FixedPoint
    effective_sample_size: float
    zero_weight_share: float
    solver: Solver = "plain"
    engine: EngineName = "dense"
    engine_report: EngineReport | None = None

    def log_density(
        self,
        queries: TableLike,
        *,
        compute: Compute | None = None,
        **limits: Unpack[Limits],
    ) -> Floats:
        """Return the natural logarithm of the estimate at queries of shape (m, d), shape (m,).

        `compute` and the other keywords are those of `rkde.fast.log_density`.
        """
        with checked_resources(compute, limits).running() as resources:
            return mixture_log_density(self.X, self.kernel, self.weights, queries, resources=resources)

    def density(
        self,
        queries: TableLike,
        *,
        compute: Compute | None = None,
        **limits: Unpack[Limits],
    ) -> Floats:
        """Return the estimate at queries of shape (m, d), shape (m,); infinite or 0 beyond float64.

        `compute` and the other keywords are those of `rkde.fast.log_density`.
        """
        with checked_resources(compute, limits).running() as resources:
            logs = mixture_log_density(self.X, self.kernel, self.weights, queries, resources=resources)
            return exp_log_density(logs)

    def sample(self, n: int, rng: np.random.Generator | int) -> Floats:
        """Draw n points from the estimate, shape (n, d), with a generator or a seed."""
        return draw_mixture(self.X, self.kernel, self.weights, n, rng)

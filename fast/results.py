"""What the computations return: frozen records of everything that decided them; arrays are read-only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rkde.fast._engine_report import EngineReport
from rkde.fast._progress import Report
from rkde.fast._resources import Engine, resources
from rkde.fast._sampling import draw_mixture
from rkde.fast.inputs import Floats, TableLike
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Loss
from rkde.fast.operators.protocol import EngineName
from rkde.fast.rkhs import exp_log_density, mixture_log_density
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
class KirwlsResult:
    """The outcome of a run of KIRWLS (section 4).

    Attributes
    ----------
    weights : ndarray, shape (n,)
        At least 0, of sum 1.
    residual_norms : ndarray, shape (n,)
        |Phi(X_i) - f| at `weights`, in tau.
    objective : float
        J at `weights`, in tau^2 (absolute loss: in tau).
    objective_path : ndarray, shape (n_iter + 1,)
        J before the first and after every step.
    status : Status
        How the run ended.
    n_iter : int
        Number of steps.
    stop : RelativeObjective, FixedSteps or Stationarity
        The rule that was in force.
    weights_init : ndarray, shape (n,)
        The weights that the run started from.
    fixed_point_residual : float
        max |T(w) - w| / max w at `weights`, T being one step; infinite where T is undefined.
    error_bound : float or None
        A proved bound on the distance in H to the limit, in tau, where there is one.
    certificate : Certificate or None
        What is proved about the point, under the rule `Stationarity`; None under the others, which do not
        ask for a stationary point.
    solver : {"plain", "anderson"}
        How the steps were made.
    engine : {"dense", "sparse", "tiled", "foreign"}
        How the kernel matrix was applied.
    engine_report : EngineReport or None
        Why, what it cost, and a proved bound on what leaving out far pairs changed; None where the result was
        not computed here (a model file).

    Examples
    --------
    >>> from rkde.fast import Gaussian, Huber, kirwls
    >>> run = kirwls([[-1.0], [0.0], [1.0], [6.0]], Gaussian(1.0), Huber(0.5))
    >>> run.status.value, len(run.objective_path) == run.n_iter + 1
    ('converged', True)
    >>> bool(run.weights[3] < 1 / 4)
    True
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
    error_bound: float | None = None
    certificate: Certificate | None = None
    solver: Solver = "plain"
    engine: EngineName = "dense"
    engine_report: EngineReport | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FixedPoint:
    """A limit of KIRWLS, with what is proved about it.

    Attributes
    ----------
    weights, residual_norms, objective, objective_path, status, n_iter, weights_init, fixed_point_residual
        As in `KirwlsResult`; Newton steps count as steps.
    stop : Stationarity
        The rounding level at which the iteration was taken to have reached its limit.
    certificate : Certificate
        What kind of point this is proved to be.
    error_bound : float
        At least the distance in H, in tau, to the exact stationary point; infinite where nothing is proved.
    weights_error_bound : float
        At least the largest error of a weight; infinite where nothing is proved.
    gap : float or None
        At least J(f) - min J, in the unit of J; None where nothing is proved.
    curvature_margin : float or None
        A proved lower bound on 1 - (the local rate of KIRWLS), which is the least eigenvalue of the Hessian
        of n J over gamma; at a saddle a negative upper bound on it; None where nothing is proved.
    engine, engine_report
        As in `KirwlsResult`.

    Examples
    --------
    >>> from rkde.fast import Gaussian, median_rkde
    >>> limit = median_rkde([[-1.0], [0.0], [1.0], [6.0]], Gaussian(1.0))
    >>> limit.certificate.value, limit.weights_error_bound < 1e-12
    ('global', True)
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
    certificate: Certificate
    error_bound: float
    weights_error_bound: float
    gap: float | None
    curvature_margin: float | None
    engine: EngineName = "dense"
    engine_report: EngineReport | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Influence:
    """The influence function of an estimate at m contaminating points (section 5), in units of tau^2.

    Attributes
    ----------
    if_coef : ndarray, shape (m, n)
        alpha_i of Theorem 5, without unit; each row sums to -alpha'.
    if_coef_new : ndarray, shape (m,)
        alpha', without unit.
    influence : ndarray, shape (m, q)
        IF(x, x') at each query x, in tau^2; q = 0 without queries.
    if_at_new : ndarray, shape (m,)
        alpha(x') = IF(x', x') of section 6.2.1, in tau^2.
    if_l2_norm : ndarray, shape (m,)
        beta(x') of section 6.2.1 in units of the L2 norm of one kernel.
    one_sided : bool
        Whether a residual lies on a kink of the loss; the fields then hold the derivative for s going to 0
        from above.
    from_below : Influence or None
        The same for s going to 0 from below, where `one_sided`; its own `from_below` is None.
    condition : float
        Condition number of n times the Hessian of J, the largest of those that were solved with; 1 where
        nothing was solved.

    Examples
    --------
    >>> from rkde.fast import Gaussian, Quadratic, influence
    >>> found = influence([[0.0], [1.0]], Gaussian(1.0), Quadratic(), [0.5, 0.5], [[3.0]], [[3.0]])
    >>> found.if_coef, found.if_coef_new
    (array([[-0.5, -0.5]]), array([1.]))
    >>> found.influence.shape, found.one_sided
    ((1, 1), False)
    """

    if_coef: Floats
    if_coef_new: Floats
    influence: Floats
    if_at_new: Floats
    if_l2_norm: Floats
    one_sided: bool
    from_below: Influence | None
    condition: float


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
        engine: Engine = "auto",
        memory_limit: float | str | None = None,
        threads: int | None = None,
        progress: bool | Report = False,
    ) -> Floats:
        """Return the natural logarithm of the estimate at queries of shape (m, d), shape (m,).

        The keywords are those of `rkde.fast.log_density`.
        """
        with resources(engine, memory_limit, threads, progress).running() as limits:
            return mixture_log_density(self.X, self.kernel, self.weights, queries, limits=limits)

    def density(
        self,
        queries: TableLike,
        *,
        engine: Engine = "auto",
        memory_limit: float | str | None = None,
        threads: int | None = None,
        progress: bool | Report = False,
    ) -> Floats:
        """Return the estimate at queries of shape (m, d), shape (m,); infinite or 0 beyond float64.

        The keywords are those of `rkde.fast.log_density`.
        """
        logs = self.log_density(
            queries, engine=engine, memory_limit=memory_limit, threads=threads, progress=progress
        )
        return exp_log_density(logs)

    def sample(self, n: int, rng: np.random.Generator | int) -> Floats:
        """Draw n points from the estimate, shape (n, d), with a generator or a seed."""
        return draw_mixture(self.X, self.kernel, self.weights, n, rng)

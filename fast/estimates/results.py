"""What the recipe returns: a frozen record of everything that decided it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, Unpack

import numpy as np

from rkde.fast._float64 import Floats, TableLike, as_count, check_column_names, read_sample_weight
from rkde.fast._resources import (
    Compute,
    Limits,
    Resources,
    checked_resources,
    counted,
    summary_html,
    summary_text,
)
from rkde.fast.bandwidth import Scaling
from rkde.fast.kernels import Kernel, Student, draw_mixture
from rkde.fast.losses import Absolute, Loss, Quadratic
from rkde.fast.operators import EngineName, EngineReport
from rkde.fast.rkhs import exp_log_density, mixture_log_density
from rkde.fast.signs import Choices, find_signs, read_evidence
from rkde.fast.solvers import FixedPoint, KirwlsResult
from rkde.signs import Sign
from rkde.vocabulary import (
    BandwidthRule,
    Certificate,
    CrossValidationRule,
    FrontRecipe,
    PracticalRule,
    QuantileRule,
    Solver,
    Start,
    Status,
    StopRule,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The thresholds of a loss, in the order in which it takes them.
_LETTERS: Final = ("a", "b", "c")
# How many scales of columns a summary shows.
_MOST_SCALES: Final = 6
# Among so many rows of the largest residuals the least likely ones are sought.
_CANDIDATES: Final = 2**10


@dataclass(frozen=True, slots=True, eq=False)
class Rkde:
    """A robust kernel density estimate and everything that decided it (section 6.1.2).

    Attributes
    ----------
    run : KirwlsResult
        The second stage; where the recipe ends with f_med, its fields are those of `median`. In either case
        `stop` and `solver` are those that the recipe was given. All fields of `run` are attributes of the
        estimate too; its `status` is also `degenerate_thresholds`.
    X : ndarray, shape (n, d)
        The rows in the coordinates of the fit, a read-only copy; `rows()` returns the data.
    bandwidth : float
        h, in the same coordinates.
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
    recipe : {"practical", "paper", "authors-program", "custom"}
        "custom" where an argument overrode the recipe.
    start : {"uniform", "median"} or ndarray, shape (n,)
        Where the second stage started.
    median : FixedPoint
        f_med, from which the thresholds come.
    effective_sample_size : float
        1 / sum of w_i^2, over copies where sample weights count them: 1 / sum of w_i^2 / c_i with counts c_i,
        or with relative weights scaled to a sum of Kish's effective number.
    zero_weight_share : float
        Share of the rows, copies counted, or of the mass, whose weight is 0.
    scaling : Scaling or None
        The coordinates of the fit, where they are not those of the data: `X`, `bandwidth` and `kernel` are
        then in these coordinates, while densities, queries and samples are in the units of the data.
    columns : tuple of str, shape (d,) or (0,)
        Names of the columns, where the data came as a data frame; queries in one must have the same.
    sample_weight : ndarray, shape (n,), or None
        What each row counts: whole numbers are copies; others are relative, and held over a power of two.
        None where each row counts once.

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

    run: KirwlsResult
    X: Floats
    bandwidth: float
    bandwidth_rule: BandwidthRule | CrossValidationRule | PracticalRule | None
    kernel: Kernel
    loss: Loss
    thresholds: tuple[float, ...] | None
    quantiles: tuple[float, ...] | None
    quantile_rule: QuantileRule | None
    recipe: FrontRecipe | Literal["custom"]
    start: Start | Floats
    median: FixedPoint
    effective_sample_size: float
    zero_weight_share: float
    scaling: Scaling | None = None
    columns: tuple[str, ...] = ()
    sample_weight: Floats | None = None

    def __repr__(self) -> str:
        """Say in a few lines what decided the estimate; `dataclasses.asdict` holds everything."""
        return summary_text(_title(self), _lines(self))

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        return summary_html(_title(self), _lines(self))

    @property
    def weights(self) -> Floats:
        """The weights of `run`, shape (n,): at least 0, of sum 1."""
        return self.run.weights

    @property
    def residual_norms(self) -> Floats:
        """The residual norms at `weights`, shape (n,), in tau."""
        return self.run.residual_norms

    @property
    def objective(self) -> float:
        """J at `weights`, in tau^2 (absolute loss: in tau)."""
        return self.run.objective

    @property
    def objective_path(self) -> Floats:
        """J before the first step and after each one."""
        return self.run.objective_path

    @property
    def status(self) -> Status:
        """How the recipe ended."""
        return self.run.status

    @property
    def n_iter(self) -> int:
        """Number of steps of `run`."""
        return self.run.n_iter

    @property
    def stop(self) -> StopRule:
        """The stopping rule that the recipe was given."""
        return self.run.stop

    @property
    def weights_init(self) -> Floats:
        """The weights that `run` started from, shape (n,)."""
        return self.run.weights_init

    @property
    def fixed_point_residual(self) -> float:
        """The residual of the fixed-point equation, max |T(w) - w| / max w, at `weights`."""
        return self.run.fixed_point_residual

    @property
    def error_bound(self) -> float | None:
        """A proved bound on the distance to a limit, in tau, as in `KirwlsResult`."""
        return self.run.error_bound

    @property
    def certificate(self) -> Certificate | None:
        """What is proved about the point, as in `KirwlsResult`."""
        return self.run.certificate

    @property
    def solver(self) -> Solver:
        """How the steps of the second stage were to be made."""
        return self.run.solver

    @property
    def engine(self) -> EngineName:
        """How the kernel matrix was applied."""
        return self.run.engine

    @property
    def engine_report(self) -> EngineReport | None:
        """Why, and what it cost, as in `KirwlsResult`."""
        return self.run.engine_report

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
            return self._log_density(queries, resources)

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
            return exp_log_density(self._log_density(queries, resources))

    def sample(self, n: int, rng: np.random.Generator | int) -> Floats:
        """Draw n points from the estimate, shape (n, d), with a generator or a seed."""
        drawn = draw_mixture(self.X, self.kernel, self.weights, n, rng)
        return drawn if self.scaling is None else self.scaling.undo(drawn)

    def rows(self) -> Floats:
        """Return the rows of the fit in the units of the data, shape (n, d), to rounding."""
        return self.X if self.scaling is None else self.scaling.undo(self.X)

    def plot(self, **options: Any) -> Figure:
        """Draw the estimate with its rows; the options are those of `rkde.plotting.plot_estimate`."""
        from rkde.plotting import plot_estimate

        return plot_estimate(self, **options)

    def summary(self, top: int = 5) -> str:
        """Return what `print` shows, the `top` least likely rows, counted from 0, and the signs.

        At most 1024 rows, those of the largest residuals, are candidates for the least likely ones, so that
        the cost is that of their densities and of `signs`. Each density includes the row's own kernel.
        """
        count = as_count(top, where="top", minimum=0)
        order = np.argsort(-self.residual_norms, kind="stable")[: max(_CANDIDATES, count)]
        logs = self.log_density(self.rows()[order])
        least = np.argsort(logs, kind="stable")[:count]
        rows = [
            f"  row {order[k]}: log density {logs[k]:.6g}, weight {self.weights[order[k]]:.3g}" for k in least
        ]
        signs = [f"  {sign.text(columns=self.columns)}" for sign in self.signs()] or ["  none"]
        shown = ["", "least likely rows, counted from 0", *rows] if rows else []
        return "\n".join([repr(self), *shown, "", "signs", *signs])

    def signs(self) -> tuple[Sign, ...]:
        """Return what in the table or the fit should make one look again, each with a remedy.

        The functions that fit say the same as warnings; `rkde.signs` describes a sign. At most 2**25 kernel
        values.
        """
        weights = read_sample_weight(self.sample_weight, len(self.X))
        evidence = read_evidence(self.rows(), self.X, self.kernel, self.weights, weights)
        choices = Choices(self.loss.name, self.bandwidth_rule, self.scaling is not None)
        return find_signs(evidence, choices, self.columns)

    def _log_density(self, queries: TableLike, resources: Resources) -> Floats:
        """Return the log density per unit of volume of the data."""
        check_column_names(queries, self.columns)
        scaling = self.scaling
        places = queries if scaling is None else scaling.apply(queries)
        logs = mixture_log_density(self.X, self.kernel, self.weights, places, resources=resources)
        return logs if scaling is None else logs - scaling.log_volume


def _title(estimate: Rkde) -> str:
    """Return what is shown, and of how many rows and columns."""
    n, d = estimate.X.shape
    return f"robust kernel density estimate of {counted(n, 'row')}, {counted(d, 'column')}"


def _lines(estimate: Rkde) -> list[tuple[str, str]]:
    """Return label and value of each line."""
    without = int(np.count_nonzero(estimate.weights == 0))
    return [
        *_scaling(estimate),
        ("kernel", f"{_kernel(estimate)}, bandwidth {estimate.bandwidth:.6g} ({_rule(estimate)})"),
        ("loss", _loss(estimate)),
        *_thresholds(estimate),
        ("iteration", _iteration(estimate)),
        ("engine", estimate.engine),
        ("effective sample size", f"{estimate.effective_sample_size:.6g} of {_size(estimate)}"),
        ("rows without weight", f"{without} of {len(estimate.weights)}"),
    ]


def _size(estimate: Rkde) -> str:
    """Return what the effective sample size is at most: rows, their copies, or Kish's effective number."""
    n = len(estimate.weights)
    given = read_sample_weight(estimate.sample_weight, n)
    if given is None:
        return counted(n, "row")
    if given.is_counted:
        return f"{counted(int(given.total), 'row')} (copies counted)"
    return f"{given.total:.6g} (by sample weight)"


def _scaling(estimate: Rkde) -> list[tuple[str, str]]:
    """Show the scales of the columns, or the diagonal of their root."""
    scaling = estimate.scaling
    if scaling is None:
        return []
    shown = ", ".join(f"{side:.4g}" for side in scaling.sides[:_MOST_SCALES].tolist())
    more = ", ..." if len(scaling.sides) > _MOST_SCALES else ""
    return [("scale", f"{scaling.name}: {shown}{more}")]


def _kernel(estimate: Rkde) -> str:
    name = type(estimate.kernel).__name__
    if isinstance(estimate.kernel, Student):
        return f"{name} with {estimate.kernel.dof:g} degrees of freedom"
    return name


def _rule(estimate: Rkde) -> str:
    return estimate.bandwidth_rule or "given"


def _loss(estimate: Rkde) -> str:
    """Name the loss, with the thresholds of the recipe even where they were too degenerate for it."""
    name = type(estimate.loss).__name__
    values = zip(_LETTERS, estimate.thresholds or (), strict=False)
    shown = ", ".join(f"{letter} = {value:.4g}" for letter, value in values)
    if estimate.status is Status.DEGENERATE_THRESHOLDS:
        return f"{name}, since the thresholds are degenerate: {shown} in tau"
    return f"{name}, {shown} in tau" if shown and not isinstance(estimate.loss, Absolute) else name


def _thresholds(estimate: Rkde) -> list[tuple[str, str]]:
    if estimate.thresholds is None:
        return []
    levels = estimate.quantiles
    used = "shares of the median density" if estimate.recipe == "practical" else "order statistics"
    if levels is not None:
        shown = ", ".join(f"{level:g}" for level in levels[: len(estimate.thresholds)])
        used = f"{'quantiles' if ',' in shown else 'quantile'} {shown} ({estimate.quantile_rule})"
    return [("thresholds", f"{used}, recipe {estimate.recipe}")]


def _iteration(estimate: Rkde) -> str:
    """Say how the weights came about: f_med's and the uniform ones need no second stage."""
    status = estimate.status.value.replace("_", " ")
    if isinstance(estimate.loss, Quadratic):
        return f"none, the weights are uniform: {status}"
    if isinstance(estimate.loss, Absolute):
        return f"{counted(estimate.n_iter, 'step')} to f_med, which provides the weights: {status}"
    start = estimate.start if isinstance(estimate.start, str) else "given weights"
    first = {"median": "f_med", "uniform": "uniform weights"}.get(start, start)
    if estimate.recipe == "practical" and not isinstance(estimate.start, str):
        first = "the rows with neighbours"
    return f"{counted(estimate.n_iter, 'step')}, {estimate.run.solver}, from {first}: {status}"

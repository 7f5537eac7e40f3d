"""What the recipe of section 6.1.2 returns: a frozen record with everything that decided it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from mpmath import MPContext, mpf

from rkde.reference.kernels import Kernel
from rkde.reference.losses import Loss
from rkde.reference.numbers import Matrix, Number, Row, Rows, guarded, rounded
from rkde.reference.rkhs import log_density
from rkde.reference.solvers import FixedPoint, KirwlsResult, rounded_fixed_point, rounded_result
from rkde.vocabulary import BandwidthRule, Certificate, FrontRecipe, QuantileRule, Start, Status, StopRule


@dataclass(frozen=True, slots=True)
class Rkde:
    """The robust kernel density estimate of the recipe (section 6.1.2), with everything that decided it.

    Attributes
    ----------
    run : KirwlsResult
        The second stage; where the recipe ends with f_med, its fields are those of `median`. In either case
        `stop` is the rule that the recipe was given. All fields of `run` are attributes of the estimate too.
    X : tuple of tuple of mpf, shape (n, d)
    bandwidth : mpf
        In the unit of the data, with guard digits, as `kernel` uses it.
    bandwidth_rule : str or None
        The rule that was applied in the end; None where the bandwidth was given as a number.
    kernel : Kernel
    loss : Loss
        With its thresholds. Where the recipe ended after its first stage (status `single_location` or
        `degenerate_thresholds`), the absolute loss, whose estimate f_med the weights then are.
    thresholds : tuple of mpf or None
        (a,) or (a, b, c) in tau, with guard digits, degenerate ones included; None for the quadratic and the
        absolute loss.
    quantiles : tuple of numbers or None
        Levels of the thresholds, as they were given; None where order statistics were used or no thresholds.
    quantile_rule : str or None
    recipe : {"paper", "authors-program", "custom"}
    start : {"uniform", "median"} or tuple of mpf, shape (n,)
    median : FixedPoint
        f_med, from which the thresholds come.
    effective_sample_size : mpf
        1 / sum of w_i^2; with sample weights 1 / sum of w_i^2/m_i, where m_i are the counts, or the relative
        weights scaled to the sum N of `rkde.reference.numbers.Masses`. It is N where the weights are uniform.
    zero_weight_share : mpf
        Share of the rows, or of their mass, whose weight is 0; rows that are removed have none.

    Examples
    --------
    >>> from rkde.reference import make_context, rkde
    >>> ctx = make_context(20)
    >>> estimate = rkde(ctx, [[-2], [-1], [0], ["0.5"], ["1.5"], [6]], bandwidth=1)
    >>> print(ctx.nstr(estimate.effective_sample_size, 6), ctx.nstr(estimate.zero_weight_share, 6))
    4.0 0.333333
    """

    run: KirwlsResult
    X: Matrix
    bandwidth: mpf
    bandwidth_rule: BandwidthRule | None
    kernel: Kernel
    loss: Loss
    thresholds: Row | None
    quantiles: tuple[Number, ...] | None
    quantile_rule: QuantileRule | None
    recipe: FrontRecipe | Literal["custom"]
    start: Start | Row
    median: FixedPoint
    effective_sample_size: mpf
    zero_weight_share: mpf

    @property
    def weights(self) -> Row:
        """The weights of `run`, shape (n,): >= 0, of sum 1."""
        return self.run.weights

    @property
    def residual_norms(self) -> Row:
        """The residual norms of `run`, shape (n,), in tau."""
        return self.run.residual_norms

    @property
    def objective(self) -> mpf:
        """J at the weights, in tau^2 (absolute loss: in tau)."""
        return self.run.objective

    @property
    def objective_path(self) -> Row:
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
    def weights_init(self) -> Row:
        """The weights from which `run` started, shape (n,)."""
        return self.run.weights_init

    @property
    def fixed_point_residual(self) -> mpf:
        """max|T(w) - w| / max w at the weights."""
        return self.run.fixed_point_residual

    @property
    def error_bound(self) -> mpf | None:
        """Proven bound on the distance to a limit, in tau, as in `KirwlsResult`."""
        return self.run.error_bound

    @property
    def certificate(self) -> Certificate | None:
        """What is proved about the point, as in `KirwlsResult`."""
        return self.run.certificate

    @guarded
    def log_density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the natural logarithm of the estimate at each query, as `log_density` does."""
        return log_density(ctx, self.X, self.kernel, self.weights, queries)

    @guarded
    def density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the estimate itself, equation (7), at each query."""
        return tuple(ctx.exp(value) for value in self.log_density(ctx, queries))


@rounded.register(Rkde)
def _rounded_recipe(recipe: Rkde, ctx: MPContext) -> Rkde:
    return replace(
        recipe,
        run=rounded_result(recipe.run, ctx),
        median=rounded_fixed_point(recipe.median, ctx),
        effective_sample_size=ctx.mpf(recipe.effective_sample_size),
        zero_weight_share=ctx.mpf(recipe.zero_weight_share),
    )

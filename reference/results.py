"""What the computations return: frozen records that say everything that decided them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from mpmath import MPContext, mpf

from rkde.reference._kernel import Kernel
from rkde.reference._loss import Loss
from rkde.reference.context import Number, guarded, rounded
from rkde.reference.inputs import Matrix, Row, Rows
from rkde.reference.rkhs import log_density
from rkde.vocabulary import BandwidthRule, Certificate, QuantileRule, RecipeName, Start, Status, StopRule


@dataclass(frozen=True, slots=True)
class KirwlsResult:
    """The outcome of a run of KIRWLS (section 4).

    Attributes
    ----------
    weights : tuple of mpf, shape (n,)
        >= 0, of sum 1.
    residual_norms : tuple of mpf, shape (n,)
        Norms at `weights`, in tau.
    objective : mpf
        J at `weights`, in tau^2 (absolute loss: in tau).
    objective_path : tuple of mpf, shape (n_iter + 1,)
        J before the first and after every step.
    status : Status
    n_iter : int
        Number of steps.
    stop : StopRule
    weights_init : tuple of mpf, shape (n,)
    fixed_point_residual : mpf
        max|T(w) - w| / max w at `weights`, T being one step; infinite where T is undefined.
    error_bound : mpf or None
        A proven bound on the distance to the limit, in tau, where there is one.
    certificate : Certificate or None
        What is proved about the point, under the rule `Stationarity`; None under the others, which do not
        ask for a stationary point.

    Examples
    --------
    >>> from rkde.reference import FixedSteps, Gaussian, Huber, kirwls, make_context
    >>> ctx = make_context(20)
    >>> run = kirwls(ctx, [[-1], [0], [1], [6]], Gaussian(1), Huber("0.5"), stop=FixedSteps(2))
    >>> run.n_iter, len(run.objective_path)
    (2, 3)
    >>> run.weights[3] < ctx.mpf(1) / 4
    True
    """

    weights: Row
    residual_norms: Row
    objective: mpf
    objective_path: Row
    status: Status
    n_iter: int
    stop: StopRule
    weights_init: Row
    fixed_point_residual: mpf
    error_bound: mpf | None = None
    certificate: Certificate | None = None


@dataclass(frozen=True, slots=True)
class FixedPoint:
    """A limit of KIRWLS, with what is proved about it.

    Attributes
    ----------
    weights, residual_norms, objective, objective_path, status, n_iter, stop, weights_init,
    fixed_point_residual
        As in `KirwlsResult`; `n_iter` counts KIRWLS and Newton steps together.
    certificate : Certificate
        What kind of point this is proved to be (`rkde.reference._certificate`).
    error_bound : mpf
        Proven bound on |f_w - f*| / tau for the exact stationary point f*; infinite where nothing is proved.
    weights_error_bound : mpf
        Proven bound on max|w_i - w_i*|; infinite where nothing is proved.
    gap : mpf or None
        Proven bound on J - min J, in the unit of J; None where nothing is proved.
    curvature_margin : mpf or None
        Proven lower bound on 1 - (the local rate of KIRWLS), which is the least eigenvalue of the Hessian of
        n J over gamma; at a saddle a negative upper bound on it; None where nothing is proved.

    Examples
    --------
    >>> from rkde.reference import Gaussian, make_context, median_rkde
    >>> ctx = make_context(30)
    >>> limit = median_rkde(ctx, [[-1], [0], [1], [6]], Gaussian(1))
    >>> limit.certificate.value, limit.weights_error_bound < ctx.mpf("1e-25")
    ('global', True)
    """

    weights: Row
    residual_norms: Row
    objective: mpf
    objective_path: Row
    status: Status
    n_iter: int
    stop: StopRule
    weights_init: Row
    fixed_point_residual: mpf
    certificate: Certificate
    error_bound: mpf
    weights_error_bound: mpf
    gap: mpf | None
    curvature_margin: mpf | None


@dataclass(frozen=True, slots=True)
class Influence:
    """The influence function of an estimate at m contaminating points (section 5), in units of tau^2.

    Attributes
    ----------
    if_coef : tuple of tuple of mpf, shape (m, n)
        alpha_i of Theorem 5, without unit; each row sums to -alpha'.
    if_coef_new : tuple of mpf, shape (m,)
        alpha', without unit.
    influence : tuple of tuple of mpf, shape (m, q)
        IF(x, x') at each query x, in tau^2; q = 0 without queries.
    if_at_new : tuple of mpf, shape (m,)
        alpha(x') = IF(x', x') of section 6.2.1, in tau^2.
    if_l2_norm : tuple of mpf, shape (m,)
        beta(x') of section 6.2.1 in units of the L2 norm of one kernel.
    one_sided : bool
        Whether a residual lies on a kink of the loss; the fields then hold the derivative for s going to 0
        from above.
    from_below : Influence or None
        The same for s going to 0 from below, where `one_sided`; its own `from_below` is None.
    condition : mpf
        Condition number of n times the Hessian of J, the largest of those that were solved with; 1 where
        nothing was solved.

    Examples
    --------
    >>> from rkde.reference import Gaussian, Quadratic, influence, make_context
    >>> ctx = make_context(20)
    >>> found = influence(ctx, [[0], [1]], Gaussian(1), Quadratic(), [0.5, 0.5], [[3]], [[3]])
    >>> print(*found.if_coef[0], found.if_coef_new[0])
    -0.5 -0.5 1.0
    """

    if_coef: Matrix
    if_coef_new: Row
    influence: Matrix
    if_at_new: Row
    if_l2_norm: Row
    one_sided: bool
    from_below: Influence | None
    condition: mpf


Run = TypeVar("Run", KirwlsResult, FixedPoint)
Bound = TypeVar("Bound", mpf, mpf | None)


@dataclass(frozen=True, slots=True)
class Rkde:
    """The robust kernel density estimate of the recipe (section 6.1.2), with everything that decided it.

    Attributes
    ----------
    weights, residual_norms, objective, objective_path, status, n_iter, stop, weights_init,
    fixed_point_residual, error_bound, certificate
        Of the second stage, as in `KirwlsResult`; where the recipe ends with f_med, those of f_med.
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
        1 / sum of w_i^2.
    zero_weight_share : mpf
        Share of the rows whose weight is 0.

    Examples
    --------
    >>> from rkde.reference import make_context, rkde
    >>> ctx = make_context(20)
    >>> estimate = rkde(ctx, [[-2], [-1], [0], ["0.5"], ["1.5"], [6]], bandwidth=1)
    >>> print(ctx.nstr(estimate.effective_sample_size, 6), ctx.nstr(estimate.zero_weight_share, 6))
    4.0 0.333333
    """

    weights: Row
    residual_norms: Row
    objective: mpf
    objective_path: Row
    status: Status
    n_iter: int
    stop: StopRule
    weights_init: Row
    fixed_point_residual: mpf
    error_bound: mpf | None
    certificate: Certificate | None
    X: Matrix
    bandwidth: mpf
    bandwidth_rule: BandwidthRule | None
    kernel: Kernel
    loss: Loss
    thresholds: Row | None
    quantiles: tuple[Number, ...] | None
    quantile_rule: QuantileRule | None
    recipe: RecipeName | Literal["custom"]
    start: Start | Row
    median: FixedPoint
    effective_sample_size: mpf
    zero_weight_share: mpf

    @guarded
    def log_density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the natural logarithm of the estimate at each query, as `log_density` does."""
        return log_density(ctx, self.X, self.kernel, self.weights, queries)

    @guarded
    def density(self, ctx: MPContext, queries: Rows) -> Row:
        """Return the estimate itself, equation (7), at each query."""
        return tuple(ctx.exp(value) for value in self.log_density(ctx, queries))


def _rounded_run(run: Run, ctx: MPContext) -> Run:
    return replace(
        run,
        weights=_row(ctx, run.weights),
        residual_norms=_row(ctx, run.residual_norms),
        objective=ctx.mpf(run.objective),
        objective_path=_row(ctx, run.objective_path),
        weights_init=_row(ctx, run.weights_init),
        fixed_point_residual=ctx.mpf(run.fixed_point_residual),
        error_bound=_bound(ctx, run.error_bound),
    )


@rounded.register(KirwlsResult)
def _rounded_result(result: KirwlsResult, ctx: MPContext) -> KirwlsResult:
    return _rounded_run(result, ctx)


@rounded.register(FixedPoint)
def _rounded_fixed_point(point: FixedPoint, ctx: MPContext) -> FixedPoint:
    return replace(
        _rounded_run(point, ctx),
        weights_error_bound=_weights_bound(ctx, point),
        gap=_bound(ctx, point.gap),
        curvature_margin=None if point.curvature_margin is None else ctx.mpf(point.curvature_margin),
    )


@rounded.register(Influence)
def _rounded_influence(result: Influence, ctx: MPContext) -> Influence:
    below = result.from_below
    return replace(
        result,
        if_coef=tuple(_row(ctx, row) for row in result.if_coef),
        if_coef_new=_row(ctx, result.if_coef_new),
        influence=tuple(_row(ctx, row) for row in result.influence),
        if_at_new=_row(ctx, result.if_at_new),
        if_l2_norm=_row(ctx, result.if_l2_norm),
        from_below=None if below is None else _rounded_influence(below, ctx),
        condition=ctx.mpf(result.condition),
    )


@rounded.register(Rkde)
def _rounded_recipe(recipe: Rkde, ctx: MPContext) -> Rkde:
    return replace(
        recipe,
        weights=_row(ctx, recipe.weights),
        residual_norms=_row(ctx, recipe.residual_norms),
        objective=ctx.mpf(recipe.objective),
        objective_path=_row(ctx, recipe.objective_path),
        weights_init=_row(ctx, recipe.weights_init),
        fixed_point_residual=ctx.mpf(recipe.fixed_point_residual),
        error_bound=_bound(ctx, recipe.error_bound),
        median=_rounded_fixed_point(recipe.median, ctx),
        effective_sample_size=ctx.mpf(recipe.effective_sample_size),
        zero_weight_share=ctx.mpf(recipe.zero_weight_share),
    )


def _row(ctx: MPContext, values: Row) -> Row:
    return tuple(ctx.mpf(value) for value in values)


def _weights_bound(ctx: MPContext, point: FixedPoint) -> mpf:
    """Round the bound on the weights up; equal weights 1/m are exact only if m is a power of two."""
    share = max(point.weights)
    if point.weights_error_bound or share.man == 1:
        return _bound(ctx, point.weights_error_bound)
    return ctx.mpf(2) ** (1 - ctx.prec) * share


def _bound(ctx: MPContext, bound: Bound) -> Bound:
    """Round a bound up, and add what rounding the weights moves; equal weights keep their bound 0."""
    if bound is None or not ctx.isfinite(bound) or not bound:
        return bound
    unit = ctx.mpf(2) ** (1 - ctx.prec)
    return bound * (1 + 2 * unit) + 2 * unit

"""A state of KIRWLS (section 4), and what it and its limit return, with everything that decided them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from mpmath import MPContext, mpf

from rkde.reference.numbers import Masses, Matrix, Row, rounded
from rkde.reference.rkhs import norms_from_distances
from rkde.vocabulary import Certificate, Status, StopRule


@dataclass(frozen=True, slots=True)
class Iterate:
    """Weights with the residual norms and the objective that belong to them."""

    weights: Row
    norms: Row
    objective: mpf


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
        max|T(w) - w| / max w at `weights`, T being one step; infinite where T is undefined. With sample
        weights the maxima are over copies of the rows, so that they are what repeated rows give.
    error_bound : mpf or None
        A proven bound on the distance to the limit, in tau; None where none was found.
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
        What kind of point this is proved to be (`rkde.reference.solvers.certificate`).
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


Run = TypeVar("Run", KirwlsResult, FixedPoint)
Bound = TypeVar("Bound", mpf, mpf | None)


def spread_run(ctx: MPContext, run: Run, distances: Matrix, masses: Masses) -> Run:
    """Give a run over the rows that have a mass one entry for each of the n rows, whose D is given.

    A removed row has the weight 0, and a residual norm like any other point.
    """
    if len(masses.kept) == masses.size:
        return run
    weights = masses.spread(ctx, run.weights)
    norms = list(norms_from_distances(ctx, distances, weights))
    for place, norm in zip(masses.kept, run.residual_norms, strict=True):
        norms[place] = norm
    start = masses.spread(ctx, run.weights_init)
    return replace(run, weights=weights, residual_norms=tuple(norms), weights_init=start)


def _rounded_run(run: Run, ctx: MPContext) -> Run:
    return replace(
        run,
        weights=rounded_row(ctx, run.weights),
        residual_norms=rounded_row(ctx, run.residual_norms),
        objective=ctx.mpf(run.objective),
        objective_path=rounded_row(ctx, run.objective_path),
        weights_init=rounded_row(ctx, run.weights_init),
        fixed_point_residual=ctx.mpf(run.fixed_point_residual),
        error_bound=rounded_bound(ctx, run.error_bound),
    )


@rounded.register(KirwlsResult)
def rounded_result(result: KirwlsResult, ctx: MPContext) -> KirwlsResult:
    """Round a run to the precision of a context, its bound upwards."""
    return _rounded_run(result, ctx)


@rounded.register(FixedPoint)
def rounded_fixed_point(point: FixedPoint, ctx: MPContext) -> FixedPoint:
    """Round a limit to the precision of a context, its bounds upwards."""
    return replace(
        _rounded_run(point, ctx),
        weights_error_bound=_weights_bound(ctx, point),
        gap=rounded_bound(ctx, point.gap),
        curvature_margin=None if point.curvature_margin is None else ctx.mpf(point.curvature_margin),
    )


def rounded_row(ctx: MPContext, values: Row) -> Row:
    """Round each entry of a row to the precision of a context."""
    return tuple(ctx.mpf(value) for value in values)


def _weights_bound(ctx: MPContext, point: FixedPoint) -> mpf:
    """Round the bound on the weights up; weights in proportion to masses are exact only if powers of two."""
    share = max(point.weights)
    if point.weights_error_bound or all(weight.man <= 1 for weight in point.weights):
        return rounded_bound(ctx, point.weights_error_bound)
    return ctx.mpf(2) ** (1 - ctx.prec) * share


def rounded_bound(ctx: MPContext, bound: Bound) -> Bound:
    """Round a bound up, and add what rounding the weights moves; equal weights keep their bound 0."""
    if bound is None or not ctx.isfinite(bound) or not bound:
        return bound
    unit = ctx.mpf(2) ** (1 - ctx.prec)
    return bound * (1 + 2 * unit) + 2 * unit

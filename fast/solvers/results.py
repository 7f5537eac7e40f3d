"""A state of KIRWLS, and what it and its limit return: frozen records; arrays of results are read-only."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeVar

from rkde.fast._float64 import Floats, SampleWeight, TableLike, as_table, read_only
from rkde.fast._resources import counted, summary_html, summary_text
from rkde.fast.operators import EngineName, EngineReport, KernelOperator
from rkde.vocabulary import (
    Certificate,
    Solver,
    Status,
    StopRule,
)


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """Weights with what belongs to them.

    Attributes
    ----------
    weights : ndarray, shape (n,)
        At least 0, of sum 1.
    norms : ndarray, shape (n,)
        Residual norms in tau.
    objective : float
        J.
    """

    weights: Floats
    norms: Floats
    objective: float


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
        The stopping rule that was used.
    weights_init : ndarray, shape (n,)
        The weights that the run started from.
    fixed_point_residual : float
        max |T(w) - w| / max w at `weights`, T being one step; infinite where T is undefined. With sample
        weights over copies of one mass, so that counts give what repeated rows give.
    error_bound : float or None
        A proved bound on the distance in H to the limit, in tau, where there is one.
    certificate : Certificate or None
        What is proved about the point, under the rule `Stationarity`; None under the others, which do not
        ask for a stationary point.
    solver : {"plain", "anderson"}
        How the steps were made.
    engine : {"dense", "sparse", "cells", "tiled", "foreign"}
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

    def __repr__(self) -> str:
        """Say in a few lines what came out; `dataclasses.asdict` holds everything."""
        return summary_text("run of KIRWLS", _lines(self))

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        return summary_html("run of KIRWLS", _lines(self))


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

    def __repr__(self) -> str:
        """Say in a few lines what came out; `dataclasses.asdict` holds everything."""
        return summary_text("limit of KIRWLS", _lines(self))

    def _repr_html_(self) -> str:
        """Say the same as a table, in a notebook."""
        return summary_html("limit of KIRWLS", _lines(self))


Result = TypeVar("Result", KirwlsResult, FixedPoint)


def for_given_rows(
    result: Result, operator: KernelOperator, weights: SampleWeight | None, X: TableLike
) -> Result:
    """Return a result for the rows of positive weight with an entry for each given row.

    Shapes: X (n, d), the given rows. Result: A removed row has weight 0, and the residual norm that any point
    of its place has.
    """
    if weights is None or len(weights.kept) == len(weights.given):
        return result
    norms = weights.spread(result.residual_norms)
    removed = weights.given == 0
    norms[removed] = operator.norms_at(as_table(X)[removed], result.weights)
    return replace(
        result,
        weights=read_only(weights.spread(result.weights)),
        residual_norms=read_only(norms),
        weights_init=read_only(weights.spread(result.weights_init)),
    )


def _lines(result: KirwlsResult | FixedPoint) -> list[tuple[str, str]]:
    """Return label and value of each line of the summary."""
    bound = result.error_bound
    found = [
        ("weights", f"{len(result.weights)}, of which {int((result.weights == 0).sum())} are 0"),
        ("objective", f"{result.objective:.6g}"),
        ("iteration", f"{counted(result.n_iter, 'step')}: {result.status.value.replace('_', ' ')}"),
        ("fixed-point residual", f"{result.fixed_point_residual:.1e}"),
        ("error bound", "none proved" if bound is None else f"{bound:.1e} in tau"),
        ("engine", result.engine),
    ]
    if result.certificate is not None:
        found.insert(-1, ("certificate", result.certificate.value.replace("_", " ")))
    return found

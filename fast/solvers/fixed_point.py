"""The limit of KIRWLS itself, as far as float64 goes: no stopping rule enters."""

from __future__ import annotations

from typing import Final, Unpack

from numpy.typing import ArrayLike

from rkde.errors import NotConverged
from rkde.fast._certificates import weights_on
from rkde.fast._float64 import Floats, TableLike, as_count
from rkde.fast._resources import Compute, Limits, Progress, Report, Stage, checked_resources, silent
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Loss, checked_loss
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.solvers.iteration import initial_weights
from rkde.fast.solvers.limit import Path
from rkde.fast.solvers.results import FixedPoint
from rkde.vocabulary import Status

# Cap on the steps of one limit: far more than any branch that is not nearly singular needs.
LIMIT_MAX_ITER: Final = 10_000


def fixed_point(
    X: TableLike,
    kernel: Kernel,
    loss: Loss,
    *,
    weights_init: ArrayLike | None = None,
    max_iter: int = LIMIT_MAX_ITER,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
) -> FixedPoint:
    """Return the limit of KIRWLS from given weights, to the last digits that float64 can tell.

    The steps are KIRWLS's, replaced by Newton steps where these end in the same limit (both in
    `rkde.fast.solvers.newton`); the last one is KIRWLS's. For the absolute loss a data location is the answer
    exactly if |R_j| <= m (`rkde.fast._certificates.geometric_median`), and an iterate on another location
    leaves it along R_j, towards lower J.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    loss : Loss
        The loss, its thresholds in tau.
    weights_init : array_like, shape (n,), optional
        Finite, at least 0, of sum 1; uniform by default.
    max_iter : int
        Cap on the number of steps, Newton's included.
    operator : KernelOperator, optional
        The operator of X and the kernel, where it is built already.
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

    Returns
    -------
    FixedPoint
        `stop` records the level, relative to the largest weight, below which a step is rounding alone.

    Raises
    ------
    NotConverged
        The cap is reached.
    AllWeightsZero
        phi is 0 at every residual before a step.
    MemoryLimit
        No engine, or not the one asked for, keeps within the limit; found before anything is allocated.
    InvalidType, InvalidInput
        An argument breaks a rule.

    Notes
    -----
    Rounding moves r_i^2 by at most (n + d + 32) u e_i, with u = 2^-53 and e_i the size of the terms whose
    difference it is, hence phi(r_i) by |q(r_i)| / (2 r_i^3) times that; the largest such move over the
    largest phi is the level. It grows with a / (c - b), the slope of Hampel's ramp. The iteration ends when a
    step moves no weight by more than 2 u of the largest, or when the residual is below the level and has
    stopped falling: at a positive definite Hessian, or with 8 for n + d + 32 where it is not (a saddle).

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> from rkde.fast.losses import Hampel
    >>> limit = fixed_point([[0.0], [0.0], [1.0], [5.0]], Gaussian(1.0), Hampel(0.3, 0.5, 0.9))
    >>> limit.fixed_point_residual < 1e-15, limit.weights.round(6)
    (True, array([0.495636, 0.495636, 0.008728, 0.      ]))
    """
    checked_loss(loss)
    cap = as_count(max_iter, where="max_iter", minimum=0)
    with checked_resources(compute, limits).running() as resources:
        operator = operator_for(X, kernel, operator, resources)
        start = initial_weights(weights_init, operator.size)
        return limit_from(operator, loss, start, cap, report=resources.report)


def limit_from(
    operator: KernelOperator,
    loss: Loss,
    start: Floats,
    cap: int,
    *,
    stage: Stage = "kirwls",
    report: Report = silent,
) -> FixedPoint:
    """Return the limit of KIRWLS from weights of sum 1.

    Parameters
    ----------
    operator : KernelOperator
        The operator.
    loss : Loss
        The loss.
    start : ndarray, shape (n,)
        Weights of sum 1.
    cap : int
        Most steps.
    stage : {"median", "kirwls"}
        What a report calls it.
    report : callable
        Takes a `Progress` at every step.

    Returns
    -------
    FixedPoint

    Raises
    ------
    NotConverged, AllWeightsZero
        As `fixed_point`.
    """
    if operator.is_single_location:
        alone = Path(operator, loss, initial_weights(None, operator.size))
        return alone.result(Status.SINGLE_LOCATION)
    path = Path(operator, loss, start)
    if path.is_flat_limit:
        return path.result(Status.CONVERGED)
    while not path.is_settled():
        found = path.minimising_location()
        if found is not None:
            path.jump(weights_on(found.rows))
            return path.result(Status.CONVERGED)
        if path.steps >= cap:
            raise NotConverged(
                f"KIRWLS did not settle within {cap} steps",
                where="max_iter",
                value=f"max|T(w) - w| / max w = {path.residual:.3g}",
                remedy="raise max_iter; where J is nearly flat, change the thresholds or the bandwidth",
            )
        path.advance()
        report(Progress(stage, path.steps, objective=path.objective))
    path.step_plainly()
    return path.result(Status.CONVERGED)

"""The recipe as the front door offers it: `rkde.fit`."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from rkde.fast._float64 import TableLike
from rkde.fast._resources import Compute, Engine, Report
from rkde.fast.estimates.results import Rkde
from rkde.fast.estimates.robust import rkde
from rkde.fast.kernels import Gaussian, Kernel
from rkde.fast.losses import Hampel, Loss
from rkde.fast.solvers import DEFAULT_STOP, KIRWLS_MAX_ITER
from rkde.vocabulary import (
    BandwidthRule,
    CrossValidationRule,
    OnDegenerate,
    QuantileRule,
    RecipeName,
    Solver,
    Start,
    StopRule,
)


def fit(
    X: TableLike,
    *,
    kernel: Callable[[float], Kernel] = Gaussian,
    bandwidth: float | BandwidthRule | CrossValidationRule = "median_nn",
    loss: type[Loss] = Hampel,
    recipe: RecipeName = "paper",
    quantiles: ArrayLike | None = None,
    quantile_rule: QuantileRule | None = None,
    start: Start | ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    stop: StopRule = DEFAULT_STOP,
    max_iter: int = KIRWLS_MAX_ITER,
    on_degenerate: OnDegenerate = "raise",
    solver: Solver = "plain",
    engine: Engine = "auto",
    memory_limit: float | str | None = None,
    threads: int | None = None,
    progress: bool | Report = False,
) -> Rkde:
    """Fit a robust kernel density estimate to a table, in float64 (the recipe of section 6.1.2).

    The same as `rkde.fast.rkde`, which describes every choice; here engine, memory, threads and progress are
    arguments of their own.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data: one row for each observation, all columns in comparable units.
    kernel : callable
        From a bandwidth to a kernel, such as `Gaussian`.
    bandwidth : float or str
        In units of the data, or the name of a rule.
    loss : class
        `Hampel`, `Huber`, `Absolute` or `Quadratic`.
    recipe, quantiles, quantile_rule, start
        How the thresholds of the loss and the start are chosen.
    sample_weight : array_like, shape (n,), optional
        Finite, at least 0: whole numbers count copies of a row, others are relative, 0 removes the row.
    stop, max_iter, solver
        When the iteration ends, and how it makes its steps.
    on_degenerate : {"raise", "warn"}
        Whether a bandwidth of 0 or degenerate thresholds are an error or a warning with a fall-back.
    engine : {"auto", "dense", "sparse", "tiled"}
        How the kernel matrix is applied.
    memory_limit : int, float or str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    threads : int, optional
        Maximum number of threads of the numerical libraries; by default their own setting.
    progress : bool or callable
        True for a bar on a terminal, or a function that takes a `Progress`.

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
    >>> estimate = rkde.fit([[-2.0], [-1.0], [0.0], [0.5], [1.5], [6.0]], bandwidth=1.0)
    >>> print(estimate)
    robust kernel density estimate of 6 rows, 1 column
      kernel                 Gaussian, bandwidth 1 (given)
      loss                   Hampel, a = 0.7838, b = 0.9271, c = 0.9915 in tau
      thresholds             quantiles 0.5, 0.75, 0.85 (linear), recipe paper
      iteration              6 steps, plain, from f_med: converged
      engine                 dense
      effective sample size  4 of 6 rows
      rows without weight    2 of 6
    """
    return rkde(
        X,
        kernel=kernel,
        bandwidth=bandwidth,
        loss=loss,
        recipe=recipe,
        quantiles=quantiles,
        quantile_rule=quantile_rule,
        start=start,
        sample_weight=sample_weight,
        stop=stop,
        max_iter=max_iter,
        on_degenerate=on_degenerate,
        solver=solver,
        compute=Compute(engine=engine, memory_limit=memory_limit, threads=threads, progress=progress),
    )

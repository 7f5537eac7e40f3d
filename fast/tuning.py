"""The paper's tuning (section 6.1.2): f_med, its distances d_i, and the thresholds a, b, c among them."""

from __future__ import annotations

from typing import Final, get_args

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import InvalidInput
from rkde.fast._iteration import initial_weights
from rkde.fast._progress import Report
from rkde.fast._resources import Engine, resources
from rkde.fast.fixed_point import DEFAULT_MAX_ITER, limit_from
from rkde.fast.inputs import TableLike, as_arguments, as_vector
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.results import FixedPoint
from rkde.vocabulary import RECIPES, QuantileRule

# Section 6.1.2: a is the median of the d_i, b their 75th and c their 85th percentile.
PAPER_QUANTILES: Final = tuple(float(level) for level in RECIPES["paper"].quantiles or ())
_QUANTILE_RULES: Final[tuple[QuantileRule, ...]] = get_args(QuantileRule)


def median_rkde(
    X: TableLike,
    kernel: Kernel,
    *,
    operator: KernelOperator | None = None,
    engine: Engine = "auto",
    memory_limit: float | str | None = None,
    threads: int | None = None,
    progress: bool | Report = False,
) -> FixedPoint:
    """Return f_med, the limit of KIRWLS for the absolute loss from uniform weights (section 6.1.2).

    It is the minimiser of J, which is unique for three distinct locations or more. Between two locations of
    equal multiplicity J is constant and the uniform weights are their own limit; of two others the larger is
    the answer.

    Parameters
    ----------
    X : array_like, shape (n, d)
        The data.
    kernel : Kernel
        The kernel.
    operator : KernelOperator, optional
        The operator of X and the kernel, where it is built already.
    engine : {"auto", "dense", "sparse", "tiled"}
        How the kernel matrix is applied (`rkde.fast.operators`); "auto" chooses by size, fill and memory.
    memory_limit : int, float or str, optional
        Bytes that may be allocated, or text such as "4GB"; by default half of what is free.
    threads : int, optional
        Most threads of the numerical libraries; by default their own setting.
    progress : bool or callable
        True for a bar on a terminal where it lasts, or a function that takes a `Progress`.

    Returns
    -------
    FixedPoint
        Its `residual_norms` are the distances d_i, in tau. Where f_med is a data location, the weights are
        1/m on its m rows and the residuals there 0, exactly.

    Raises
    ------
    NotConverged
        The limit is not reached: only data within rounding of a degenerate configuration come to this.
    MemoryLimit
        No engine, or not the one asked for, keeps within the limit; found before anything is allocated.
    InvalidType, InvalidInput
        X is no table of finite numbers.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> median = median_rkde([[0.0], [0.0], [0.0], [1.0], [5.0]], Gaussian(1.0))
    >>> median.certificate.value, median.weights.round(5)
    ('global', array([0.33333, 0.33333, 0.33333, 0.     , 0.     ]))
    """
    with resources(engine, memory_limit, threads, progress).running() as asked:
        shared = operator_for(X, kernel, operator, asked)
        start = initial_weights(None, shared.size)
        return limit_from(shared, Absolute(), start, DEFAULT_MAX_ITER, stage="median", report=asked.report)


def thresholds(
    residual_norms: ArrayLike,
    *,
    quantiles: ArrayLike = PAPER_QUANTILES,
    quantile_rule: QuantileRule = "linear",
) -> tuple[float, float, float]:
    """Return quantiles of the distances d_i, by default a, b, c of section 6.1.2.

    Parameters
    ----------
    residual_norms : array_like, shape (n,)
        The d_i, in tau, at least 0.
    quantiles : array_like, shape (3,)
        Levels in [0, 1] that do not decrease.
    quantile_rule : str
        One of numpy's 13 names of a quantile's definition.

    Returns
    -------
    tuple of three floats
        a, b, c in tau; equal or zero thresholds are returned as they are.

    Raises
    ------
    InvalidType, InvalidInput
        No distance, one that is negative or not finite, unusable levels, or an unknown rule.

    Examples
    --------
    >>> [round(threshold, 6) for threshold in thresholds([1, 2, 4, 8, 16])]
    [4.0, 8.0, 11.2]
    """
    norms = as_arguments(as_vector(residual_norms, where="residual_norms"), where="residual_norms")
    if not len(norms):
        raise InvalidInput("no distances", where="residual_norms", remedy="give at least one")
    levels = as_vector(quantiles, where="quantiles")
    if len(levels) != len(PAPER_QUANTILES) or (np.diff(levels, prepend=0.0, append=1.0) < 0).any():
        raise InvalidInput(
            "three levels in [0, 1] that do not decrease are needed",
            where="quantiles",
            value=levels.tolist(),
            remedy="give levels such as (0.5, 0.75, 0.85)",
        )
    if quantile_rule not in _QUANTILE_RULES:
        raise InvalidInput(
            "unknown quantile rule",
            where="quantile_rule",
            value=quantile_rule,
            remedy=f"use one of {', '.join(_QUANTILE_RULES)}",
        )
    a, b, c = (float(np.quantile(norms, level, method=quantile_rule)) for level in levels)
    return a, b, c

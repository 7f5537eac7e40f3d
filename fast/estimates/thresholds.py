"""The recipe of section 6.1.2: f_med, the thresholds from its residual norms, and the bandwidth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike

from rkde.errors import (
    DegenerateBandwidth,
    DegenerateBandwidthWarning,
    InvalidInput,
    ModeCollapseWarning,
)
from rkde.fast._float64 import Floats, TableLike, as_arguments, as_positive, as_vector
from rkde.fast._resources import Compute, Limits, Report, checked_resources, silent, warn
from rkde.fast.bandwidth import BANDWIDTH_RULES, CROSS_VALIDATION_RULES, median_nn_distinct
from rkde.fast.bandwidth import bandwidth as bandwidth_by_rule
from rkde.fast.kernels import Kernel
from rkde.fast.losses import Absolute, Hampel, Huber, Loss, Quadratic
from rkde.fast.operators import KernelOperator, operator_for
from rkde.fast.solvers import LIMIT_MAX_ITER, FixedPoint, initial_weights, limit_from
from rkde.settings import (
    AUTHORS_A_DIVISOR,
    AUTHORS_B_DIVISOR,
    Settings,
    check_choice,
    degenerate_thresholds,
    mode_collapse,
)
from rkde.vocabulary import (
    MIN_RAMP,
    RECIPES,
    BandwidthRule,
    CrossValidationRule,
    OnDegenerate,
    QuantileRule,
)

# Section 6.1.2: a is the median of the d_i, b their 75th and c their 85th percentile.
PAPER_QUANTILES: Final = tuple(float(level) for level in RECIPES["paper"].quantiles or ())
_QUANTILE_RULES: Final[tuple[QuantileRule, ...]] = get_args(QuantileRule)


def median_rkde(
    X: TableLike,
    kernel: Kernel,
    *,
    operator: KernelOperator | None = None,
    compute: Compute | None = None,
    **limits: Unpack[Limits],
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
    compute : Compute, optional
        Engine, memory, threads and progress.
    **limits
        The fields of `Compute`, given as keywords instead.

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
        X is not a table of finite numbers.

    Examples
    --------
    >>> from rkde.fast.kernels import Gaussian
    >>> median = median_rkde([[0.0], [0.0], [0.0], [1.0], [5.0]], Gaussian(1.0))
    >>> median.certificate.value, median.weights.round(5)
    ('global', array([0.33333, 0.33333, 0.33333, 0.     , 0.     ]))
    """
    with checked_resources(compute, limits).running() as resources:
        return median_from(operator_for(X, kernel, operator, resources), resources.report)


def median_from(operator: KernelOperator, report: Report = silent) -> FixedPoint:
    """Return f_med for the rows and the kernel of an operator."""
    start = initial_weights(None, operator.size)
    return limit_from(operator, Absolute(), start, LIMIT_MAX_ITER, stage="median", report=report)


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
    a, b, c = np.quantile(norms, levels, method=quantile_rule).tolist()
    return a, b, c


# How many of a, b, c each loss takes.
THRESHOLD_COUNTS: Final[dict[type[Loss], int]] = {Quadratic: 0, Absolute: 0, Huber: 1, Hampel: 3}

_MIN_RAMP: Final = float(MIN_RAMP)
# kappa >= 1/2 is D = 2 (1 - kappa) <= 1.
_NEIGHBOUR_DISTANCE: Final = 1.0


def resolve_bandwidth(
    X: Floats,
    bandwidth: float | BandwidthRule | CrossValidationRule,
    on_degenerate: OnDegenerate,
    kernel: Callable[[float], Kernel],
    memory_limit: float | str | None = None,
) -> tuple[float, BandwidthRule | CrossValidationRule | None]:
    """Return the bandwidth and the rule that gave it, None for a number.

    With `on_degenerate` "warn" a bandwidth of 0 from `median_nn` becomes `median_nn_distinct`, with a
    warning; a single location has no bandwidth under any rule.
    """
    if not isinstance(bandwidth, str):
        return as_positive(bandwidth, where="bandwidth"), None
    check_choice(bandwidth, (*BANDWIDTH_RULES, *CROSS_VALIDATION_RULES), "bandwidth")
    if bandwidth not in BANDWIDTH_RULES:
        return bandwidth_by_rule(X, bandwidth, kernel=kernel, memory_limit=memory_limit), bandwidth
    try:
        return BANDWIDTH_RULES[bandwidth](X), bandwidth
    except DegenerateBandwidth as error:
        if bandwidth != "median_nn" or on_degenerate != "warn" or _is_single_location(X):
            raise
        warn(f"{error.problem}; used median_nn_distinct instead", DegenerateBandwidthWarning)
        return median_nn_distinct(X), "median_nn_distinct"


def _is_single_location(X: Floats) -> bool:
    return bool((X.min(axis=0) == X.max(axis=0)).all())


def recipe_thresholds(norms: Floats, settings: Settings[float, ArrayLike]) -> tuple[float, float, float]:
    """Return a, b, c among the distances d_i: quantiles, or the order statistics of the authors' program."""
    if settings.quantiles is not None and settings.quantile_rule is not None:
        return thresholds(norms, quantiles=settings.quantiles, quantile_rule=settings.quantile_rule)
    largest_first = np.sort(norms)[::-1]
    a = largest_first[max(1, len(norms) // AUTHORS_A_DIVISOR) - 1]
    b = largest_first[max(1, len(norms) // AUTHORS_B_DIVISOR) - 1]
    return float(a), float(b), float(largest_first[0])


def check_thresholds(abc: tuple[float, ...]) -> None:
    """Refuse thresholds, (a,) or (a, b, c), that leave the loss undefined."""
    if not abc[0] or (len(abc) > 1 and abc[2] - abc[1] <= _MIN_RAMP * abc[2]):
        raise degenerate_thresholds(zero=not abc[0], shown=abc)


def warn_of_mode_collapse(operator: KernelOperator, weights: Floats) -> None:
    """Warn where a cluster, two rows and a tenth of all rows at least, holds no weight at all.

    Rows of weight 0 are joined where kappa >= 1/2. The square of their number in comparisons.
    """
    without = np.flatnonzero(weights == 0)
    if mode_collapse(len(without), len(weights)) is None:
        return
    largest = int(np.bincount(operator.clusters(without, _NEIGHBOUR_DISTANCE)).max())
    if (message := mode_collapse(largest, len(weights))) is not None:
        warn(message, ModeCollapseWarning)
